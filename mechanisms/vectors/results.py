"""The results of reductions over independent parts: how many points of all draws lead to each, and two ways to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.vectors.finite import Box, Cell, size

State = Hashable
Step = Callable[[Any, Any], State]
Way = Any
"""How some parts came out: None, or the way of those before and the option of the last."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way in which the draws of a part come out: how many points it has, its box, the values for each question."""

    weight: int
    box: Box
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The ways in which a part comes out, with weights in units: the greatest that all are multiples of."""

    ways: tuple[Option, ...]
    unit: int


def options(
    cells: Sequence[Cell], here: Box, questions: int, number: int, owners: Sequence[int] | None = None
) -> Options:
    """Return the ways in which a part comes out inside a box.

    The values of its cells are for the question `number`, or each is a value for each of the questions `owners`.
    """
    weights: list[tuple[int, Box, Any]] = []
    for box, value in cells:
        inside = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, here, strict=True))
        if all(low <= high for low, high in inside):
            weights.append((size(inside), inside, value))
    unit = gcd(*(weight for weight, _, _ in weights))
    found = []
    for weight, inside, value in weights:
        by_question: list[list[Any]] = [[] for _ in range(questions)]
        if owners is None:
            by_question[number].append(value)
        else:
            for owner, one in zip(owners, value, strict=True):
                by_question[owner].append(one)
        found.append(Option(weight // unit, inside, tuple(map(tuple, by_question))))
    return Options(tuple(found), unit)


@dataclass(frozen=True, slots=True)
class Result:
    """A state of the last question under the answers to those before: its weight, and two ways to it, by options."""

    state: State
    weight: int
    first: Way
    last: Way


def after(steps: Sequence[Step], state: tuple[State, ...], option: Option) -> tuple[State, ...]:
    """Return the states of all questions once a part came out as an option says."""
    found = []
    for step, before, values in zip(steps, state, option.values, strict=True):
        for value in values:
            before = step(before, value)
        found.append(before)
    return tuple(found)


def results(
    run: Run, starts: Sequence[State], steps: Sequence[Step], parts: Sequence[Options], answers: tuple[State, ...]
) -> list[Result]:
    """Return the results of the last question under the answers to those before, parts taken in one after the other."""
    alone = len(steps) == 1
    states: dict[State, list[Any]] = {starts[0] if alone else tuple(starts): [1, None, None]}
    most = run.settings.limits.max_runs
    for part in parts:
        found: dict[State, list[Any]] = {}
        for number, option in enumerate(part.ways):
            take, factor = _taker(steps, option), option.weight
            for state, (weight, first, last) in states.items():
                name = take(state)
                known = found.get(name)
                if known is None:
                    found[name] = [weight * factor, (first, number), (last, number)]
                else:
                    known[0] += weight * factor
                    known[2] = last, number
        states = found
        if len(states) > most:
            run.give_up(f"a reduction of a vector has more than {most} states, at {running_line()}")
    if alone:
        return [Result(name, *rest) for name, rest in states.items()]
    named: Any = states
    return [Result(name[-1], *rest) for name, rest in named.items() if name[:-1] == answers]


def _taker(steps: Sequence[Step], option: Option) -> Callable[[Any], State]:
    """Return what takes an option into the states of all questions, or of the only one."""
    if len(steps) == 1 and len(option.values[0]) == 1:
        (step,), ((value,),) = steps, option.values
        return lambda state: step(state, value)
    if len(steps) == 1:
        return lambda state: after(steps, (state,), option)[0]
    return lambda state: after(steps, state, option)


def listed(way: Way) -> list[int]:
    """Return the options of a way, first to last."""
    found = []
    while way is not None:
        way, number = way
        found.append(number)
    return found[::-1]
