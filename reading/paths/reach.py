"""Whether a program can release a float: a run shows that it can, all states show that it cannot.

An expression of several undecided floats has no law to enumerate. But a superset of the possible outcomes can be
computed: each such expression is taken for any double between bounds (`reading/floats/supersets.py`), and all states
are explored. A float that no state releases has probability 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.enumerator import Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record, call, settle
from dpcert.mechanisms.exact.outcome import fresh, key, show
from dpcert.mechanisms.iterated import items_of
from dpcert.reading.floats.assumed import assumption
from dpcert.reading.paths import entropy, held, outside, traced, watch
from dpcert.reading.paths.routed import after
from dpcert.reading.paths.traced import Traced
from dpcert.reading.paths.watch import refuse_hidden_randomness, refuse_hidden_sources

MOST_DEPTH = 20
RUNS = 40
"""How many plain runs are held to the machine's on the same draws."""
SEED = 20250213
BOUNDS = (
    "several undecided floats in one expression are within bounds that IEEE 754 gives; dpcert/reading/floats is trusted"
)
TRUSTED = frozenset(str(module.__file__) for module in (entropy, held, outside, traced, watch)) | {__file__}


@dataclass(frozen=True, slots=True)
class Impossible:
    """A program does not release a float on an input, as so many `states` show; `files` were executed."""

    states: int
    assumptions: tuple[str, ...]
    files: frozenset[str]


def releases(outcome: Any, point: float, depth: int = 0) -> bool:
    """Whether the outcome, or a float in its tuples, lists and values of dicts, equals `point`."""
    kind = type(outcome)
    if kind in (tuple, list, dict) and depth < MOST_DEPTH:
        parts = outcome.values() if kind is dict else outcome
        found = [releases(part, point, depth + 1) for part in parts]
        return any(found)
    return bool(isinstance(outcome, float) and outcome == point)


def plain_run(program: Program, value: Any, record: Record = (), *, seed: int = 0) -> tuple[Any, Record]:
    """Return the outcome of a run on plain coins, and its draws: those of `record` as long as they fit, then a seed's.

    An exception that escapes is an outcome.

    Raises: Unauditable for what is no outcome.
    """
    waiting, drawn, source = iter(record), [], random.Random(seed)

    def draw(bound: int) -> int:
        recorded, number = next(waiting, (0, 0))
        if recorded != bound:
            for _ in waiting:
                pass
            number = source.randrange(bound)
        drawn.append((bound, number))
        return number

    outcome, _ = call(lambda coins: settle(items_of(program(fresh(value), coins))), Coins(Plain(draw)))
    return outcome, tuple(drawn)


def probability_of(program: Program, value: Any, point: float, record: Record) -> Fraction | None:
    """Return the probability of a sequence of draws, if on them the program releases the float; else None.

    Raises: Unauditable where it is seen to be no function of its input and coins.
    """
    with refuse_hidden_sources(program):
        with refuse_hidden_randomness():
            first, drawn = plain_run(program, value, record)
        again, _ = plain_run(program, value, record)
    if key(first) != key(again):
        raise Unauditable(f"the program is no function of its input and coins: {show(first)}, then {show(again)}")
    if drawn != record or not releases(first, point):
        return None
    return Fraction(1, prod(bound for bound, _ in record))


def never_releases(program: Program, value: Any, point: float) -> Impossible | None:
    """Return why a program cannot release a float on an input; None where, by the bounds, it may.

    Claims: the float is no outcome, nor in one, if the program is a function of its input and coins, and the functions
            named in the assumptions keep to their error.
    Raises:   Unauditable where a state cannot be followed, or a plain run ends otherwise than the machine's.
    """
    from dpcert.reading.floats.supersets import ends_of, outcome_on  # numpy comes with it

    asked: Callable[..., Any] = after(program, lambda outcome: releases(outcome, point))
    traced = Traced()
    with refuse_hidden_sources(program):
        for number in range(RUNS):
            with refuse_hidden_randomness(), traced.tracing():
                outcome, drawn = plain_run(program, value, seed=SEED + number)
            if releases(outcome, point):
                return None
            found = outcome_on(program, value, drawn)
            if key(found) != key(outcome):
                both = f"{show(found)} by the machine, {show(outcome)} when CPython runs it on the same draws"
                raise Unauditable(f"the machine is unlike CPython, or the program no function of its draws: {both}")
        ends = ends_of(asked, value)
        if any(outcome is True for outcome in ends.outcomes.values()):
            return None
        again = ends_of(asked, value, reverse=True)
    if again.outcomes.keys() != ends.outcomes.keys():
        raise Unauditable("the program is no function of its input and coins: followed again, it ended otherwise")
    return Impossible(ends.states, (BOUNDS, *assumption(ends.notes)), traced.files | ends.files | TRUSTED)
