"""The results of a run between captured states: states, ends, the ways that lead there, and laws of calls."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.run import Signal

OTHERWISE = "run again on plain numbers it goes elsewhere, so it keeps state that was not captured"
# Of each draw: its bound, and its number or the interval in which it is undecided.
Plan = tuple[tuple[int, int | tuple[int, int]], ...]
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(slots=True)
class Arrival:
    """A state or an end that a run came to: its name, and the draws that lead there.

    `told` is what a replay must find there; it is None where undecided numbers are left. `last` is another way that
    leads to it. `anywhere` holds where nothing reachable can be changed in place; then every call of the same function
    goes on from this state in the same way.
    """

    name: Hashable
    plan: Plan
    record: Record
    told: Hashable | None
    outcome: Any = None
    error: Exception | None = None
    last: Record | None = None
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A way from one state to the next, or to an end, in any call of one function that comes to the state."""

    to: Arrival
    mass: Fraction
    plan: Plan
    record: Record


@dataclass(slots=True)
class Summary:
    """The law of a call by itself, up to a tail of 2^-bits: its ends, their integer weights, and their denominator."""

    number: int
    bits: int

    ends: list[Arrival]
    weights: list[int]
    total: int


class Arrived(Signal):
    """Ends a run at the state that it has reached."""
