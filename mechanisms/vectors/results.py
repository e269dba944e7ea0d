"""The results of reductions over independent parts: how many points of all draws lead to each, and two ways to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, NoReturn

from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.vectors.finite import Box, Cell, size
from dpcert.mechanisms.vectors.sums import Batch, Sums

State = Hashable
Step = Callable[[Any, Any], State]
Way = Any
"""How some parts came out: None, or the way of those before and the option of the last."""
Counts = list[list[int]]


@dataclass(frozen=True, slots=True)
class Option:
    """One way in which the draws of a part come out: how many points it has, its box, the values for each question."""

    weight: int
    box: Box
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """The ways in which a part comes out, with weights in units: the greatest that all are multiples of."""

    ways: tuple[Option, ...]
    unit: int


def options(run: Run, cells: Sequence[Cell], here: Box, questions: int, owners: int | Sequence[int]) -> Options:
    """Return the ways in which a part comes out inside a box, found once for all runs of an exploration.

    The values of its cells are for one question, or each is a value for each of the questions `owners`.
    """
    name = "options", cells, here, questions, owners
    if name not in run.memo:
        run.memo[name] = _options(cells, here, questions, owners)
    found: Options = run.memo[name]
    return found


def _options(cells: Sequence[Cell], here: Box, questions: int, owners: int | Sequence[int]) -> Options:
    weights: list[tuple[int, Box, Any]] = []
    for box, value in cells:
        inside = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, here, strict=True))
        if all(low <= high for low, high in inside):
            weights.append((size(inside), inside, value))
    unit = gcd(*(weight for weight, _, _ in weights))
    found = []
    for weight, inside, value in weights:
        by_question: list[list[Any]] = [[] for _ in range(questions)]
        if isinstance(owners, int):
            by_question[owners].append(value)
        else:
            for owner, one in zip(owners, value, strict=True):
                by_question[owner].append(one)
        found.append(Option(weight // unit, inside, tuple(map(tuple, by_question))))
    return Options(tuple(found), unit)


@dataclass(frozen=True, slots=True)
class Results:
    """The states of the last question under the answers to those before, and how many points lead to each.

    `ways` gives for the place of a state two ways to it: for each kind of parts, how many come out as each option.
    """

    states: list[State]
    weights: list[int]
    total: int
    ways: Callable[[int], tuple[Counts, Counts]]

    def chosen(self, run: Run) -> tuple[State, int, Counts, Counts]:
        """Return one of the states, with its weight and two ways to it: a decision of the run."""
        count = len(self.states)
        place = run.split((run.nodes, count), self.weights, self.total) if count > 1 else 0
        return self.states[place], self.weights[place], *self.ways(place)


def plus(state: int, value: Any) -> int:
    """Return the sum of a state and a value: the step of a sum."""
    return state + int(value)


def after(steps: Sequence[Step], state: tuple[State, ...], option: Option) -> tuple[State, ...]:
    """Return the states of all questions once a part came out as an option says."""
    found = []
    for step, before, values in zip(steps, state, option.values, strict=True):
        for value in values:
            before = step(before, value)
        found.append(before)
    return tuple(found)


def results(
    run: Run,
    starts: Sequence[Any],
    steps: Sequence[Step],
    parts: Sequence[tuple[Options, int]],
    answers: tuple[State, ...],
) -> Results:
    """Return the results of the last question under the answers to those before, of so many parts of each kind.

    They are found once for all runs of an exploration that ask this.
    """
    name = "results", tuple(starts), tuple(steps), tuple(parts)
    if name not in run.memo:
        found = _of_sum(run, starts[0], parts) if len(steps) == 1 and steps[0] is plus else None
        run.memo[name] = {(): found} if found else _one_by_one(run, starts, steps, parts)
    known: dict[tuple[State, ...], Results] = run.memo[name]
    return known[answers]


def _of_sum(run: Run, start: int, parts: Sequence[tuple[Options, int]]) -> Results | None:
    """Return the results of a sum of elements of which many are alike."""
    if not all(len(option.values[0]) == 1 for part, _ in parts for option in part.ways):
        return None
    batches = [
        Batch([(int(option.values[0][0]), option.weight) for option in part.ways], count) for part, count in parts
    ]
    degree, many = sum(each.top for each in batches), sum(each.count for each in batches)
    whole = all(each.whole for each in batches)
    if sum(each.most for each in batches) >= run.settings.limits.max_runs:
        if whole:  # a sum of sets has one number less than all of them, or more
            _too_many(run)
        return None
    if degree * len(batches) > many or not whole:
        return None
    sums = Sums(batches)
    known, weights = list(sums.weights), list(sums.weights.values())
    return Results(
        [start + total for total in known],
        weights,
        sum(weights),
        lambda place: (sums.way(known[place], last=False), sums.way(known[place], last=True)),
    )


def _one_by_one(
    run: Run,
    starts: Sequence[State],
    steps: Sequence[Step],
    parts: Sequence[tuple[Options, int]],
) -> dict[tuple[State, ...], Results]:
    """Return the results for all answers to the questions before the last, by these.

    Parts are taken in one after the other, and equal states are merged.
    """
    alone = len(steps) == 1
    states: dict[State, list[Any]] = {starts[0] if alone else tuple(starts): [1, None, None]}
    most = run.settings.limits.max_runs
    for part, count in parts:
        takers = [(number, _taker(steps, option), option.weight) for number, option in enumerate(part.ways)]
        for _ in range(count):
            found: dict[State, list[Any]] = {}
            for number, take, factor in takers:
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
                _too_many(run)
    by_answers: dict[tuple[State, ...], list[Any]] = {}
    for name, row in states.items():
        told: Any = (name,) if alone else name
        by_answers.setdefault(told[:-1], []).append((told[-1], *row))
    return {answers: _told(rows, parts) for answers, rows in by_answers.items()}


def _told(rows: list[Any], parts: Sequence[tuple[Options, int]]) -> Results:
    """Return results, given as states with their weights and two ways to each."""

    def ways(place: int) -> tuple[Counts, Counts]:
        _, _, first, last = rows[place]
        return _counts(first, parts), _counts(last, parts)

    weights = [weight for _, weight, _, _ in rows]
    return Results([state for state, *_ in rows], weights, sum(weights), ways)


def _too_many(run: Run) -> NoReturn:
    most = run.settings.limits.max_runs
    run.give_up(f"a reduction of a vector has more than {most} states, at {running_line()}")


def _taker(steps: Sequence[Step], option: Option) -> Callable[[Any], State]:
    """Return what takes an option into the states of all questions, or of the only one."""
    if len(steps) == 1 and len(option.values[0]) == 1:
        (step,), ((value,),) = steps, option.values
        return lambda state: step(state, value)
    if len(steps) == 1:
        return lambda state: after(steps, (state,), option)[0]
    return lambda state: after(steps, state, option)


def _counts(way: Way, parts: Sequence[tuple[Options, int]]) -> Counts:
    """Return for each kind of parts how many come out as each option on a way."""
    found = [[0] * len(part.ways) for part, _ in parts]
    for counts, (_, count) in zip(reversed(found), reversed(parts), strict=True):
        for _ in range(count):
            way, number = way
            counts[number] += 1
    return found
