"""Events of the benchmark's mechanisms, as words and as a test of many runs at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from literature.noise import Array
from literature.samplers import FALSE


@dataclass(frozen=True, slots=True)
class ArrayEvent:
    """A set of outcomes: `holds(runs)` says of each run whether its outcome is in it."""

    words: str
    holds: Callable[[Array], Array]


def equal(value: float, words: str) -> ArrayEvent:
    """Return the event that the outcome is one number."""
    return ArrayEvent(words, lambda runs: runs == value)


def below(bound: float, words: str, *, first: int | None = None, steps: bool = False) -> ArrayEvent:
    """Return the event that all numbers, or the first few, or all differences of neighbours, are at most a bound."""

    def holds(runs: Array) -> Array:
        table = runs.reshape(len(runs), -1)[:, :first]
        if steps:
            table = np.diff(table, axis=1, prepend=0.0)
        found: Array = np.logical_and.reduce(table <= bound, axis=1)
        return found

    return ArrayEvent(words, holds)


def pattern(answers: Sequence[bool], *, start: int = 0) -> ArrayEvent:
    """Return the event that the answers from a place on begin so: TRUE is 1 and FALSE is 0."""
    wanted = np.array(answers, dtype=np.int8)
    return ArrayEvent(shown(answers), lambda runs: (runs[:, start : start + len(wanted)] == wanted).all(axis=1))


def shown(answers: Sequence[bool]) -> str:
    """Return answers as a row of T and F."""
    return "".join("T" if true else "F" for true in answers)


def numbers(answers: Sequence[bool], bounds: Sequence[tuple[float, float]], *, false: float = FALSE) -> ArrayEvent:
    """Return the event that the answers begin so, FALSE being the number `false`, each number within its bounds."""

    def holds(runs: Array) -> Array:
        found: Array = np.ones(len(runs), dtype=bool)
        places = iter(bounds)
        for i, true in enumerate(answers):
            column = runs[:, i]
            if true:
                low, high = next(places)
                within = (low <= column) & (column <= high) & (column != false)
            else:
                within = column == false
            np.logical_and(found, within, out=found)
        return found

    words = " and ".join(f"<= {high:g}" if low < -500 else f">= {low:g}" for low, high in bounds)
    return ArrayEvent(f"{shown(answers)}, the numbers {words}", holds)


def both(one: ArrayEvent, other: ArrayEvent) -> ArrayEvent:
    """Return the event that both hold."""
    return ArrayEvent(f"{one.words}; {other.words}", lambda runs: one.holds(runs) & other.holds(runs))


def bits(filters: Sequence[int], others: Sequence[int]) -> ArrayEvent:
    """Return the event that the bits in which two filters differ are as in the first."""
    places = [i for i, (a, b) in enumerate(zip(filters, others, strict=True)) if a != b]
    wanted = np.array([filters[i] for i in places])
    return ArrayEvent(f"{len(places)} bits as in the filter", lambda runs: (runs[:, places] == wanted).all(axis=1))
