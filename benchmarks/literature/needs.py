"""What a mechanism of the benchmark needs: its least epsilon with an event, and how it is had from chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds
from literature.events import ArrayEvent
from literature.exponentials import Total, log_ratio
from literature.registry import BENCHMARK, Pair, Vector

HALF, ONE = Fraction(1, 2), Fraction(1)
INFINITE = "infinite"
ALL, PAIRS = "all neighbours", "the pairs"


@dataclass(frozen=True, slots=True)
class Truth:
    """The least epsilon at delta = 0 of a mechanism, over its input pairs in both orders.

    `exact` is it in words, or None where only its bounds `epsilon` are given; these are None where it is infinite.
    The event has chance p on the first of the pair and q on the second, as totals, and p = e^epsilon q; where
    `approached`, other events than this come nearer to it. `scope` is ALL where no neighbours need
    more, and PAIRS where only the pairs of the benchmark were looked at.
    """

    name: str
    exact: str | None
    epsilon: Bounds | None
    pair: Pair
    event: ArrayEvent
    p: Total
    q: Total
    scope: str
    approached: bool = False


def one(value: Fraction | int, exponent: Fraction | int = 0) -> Total:
    """Return value e^exponent as a total."""
    return {Fraction(exponent): Fraction(value)}


def scaled(total: Total, factor: Fraction, exponent: Fraction | int = 0) -> Total:
    """Return factor e^exponent times a total."""
    return {b + exponent: c * factor for b, c in total.items()}


def known(name: str, text: str, place: int, event: ArrayEvent, p: Total, q: Total) -> Truth:
    """Return the truth of a mechanism whose epsilon is the rational number `text`, for all neighbours.

    The pair is that at a place of the list, its first input first.
    """
    value = Fraction(text)
    return Truth(name, text, (value, value), BENCHMARK[name].pairs[place], event, p, q, ALL)


def greatest(name: str, laws: Mapping[Vector, Mapping[Any, Total]], event: Callable[[Any], ArrayEvent]) -> Truth:
    """Return the truth of a mechanism from the laws of its discrete outcomes on all inputs of its pairs.

    Requires: every outcome to have a positive chance on every input.
    Claims:   the event is among those whose bounds reach highest; exact where p and e^(1/10) q are the same total.
    """
    rows = [
        (log_ratio(chance, laws[y][outcome]), (x, y), outcome)
        for x, y in both_orders(BENCHMARK[name].pairs)
        for outcome, chance in laws[x].items()
    ]
    _, pair, outcome = max(rows, key=lambda row: row[0][1])
    bounds = max(row[0][0] for row in rows), max(row[0][1] for row in rows)
    p, q = laws[pair[0]][outcome], laws[pair[1]][outcome]
    tenth = Fraction(1, 10)
    if p == scaled(q, ONE, tenth):
        return Truth(name, "1/10", (tenth, tenth), pair, event(outcome), p, q, ALL)
    return Truth(name, None, bounds, pair, event(outcome), p, q, PAIRS)


def both_orders(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield each pair in both orders."""
    for x, y in pairs:
        yield x, y
        yield y, x
