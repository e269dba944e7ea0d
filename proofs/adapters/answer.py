"""A solver's answer to a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """A solver's word, "unsat", "sat" or "unknown", and for "sat" the values it names.

    The values decide nothing: a point counts once exact arithmetic has replayed it.
    """

    word: str
    values: Mapping[str, Fraction]
