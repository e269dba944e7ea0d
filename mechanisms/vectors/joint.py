"""Reductions over elements that are alike: they are counted by kind, and their draws stay rows.

A question about a row that is merged is decided under the results before it, where it is about elements at the same
places, too; else the draws of the row are taken one by one, merged as they are (`merged.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import Any

import numpy

from dpcert.mechanisms.exact.explore import interior
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.assumed import MERGED
from dpcert.mechanisms.vectors.alike import Alike, coded, of_place
from dpcert.mechanisms.vectors.finite import Finite
from dpcert.mechanisms.vectors.merged import Part, Question, hold, part_of, reduce_each, reduced
from dpcert.mechanisms.vectors.results import Counts, State, Step, results
from dpcert.mechanisms.vectors.rows import Row


@dataclass(frozen=True, slots=True)
class Asked:
    """A reduction over elements: at each place of rows the kind of an element, or -1 for none."""

    kinds: Any
    table: tuple[Any, ...]
    start: State
    step: Step

    def alone(self, places: list[int]) -> Question:
        """Return the question about elements on draws that are apart."""
        kinds = self.kinds.tolist()
        mine = [place for place in places if place < len(kinds) and kinds[place] >= 0]  # a longer row has more
        elements = [of_place(self.table[kinds[place]], place) for place in mine]
        return Question(tuple(elements), self.start, self.step)


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of rows that are alike, one at each of some places: that of the draws that stand for rows, at one place."""

    part: Part
    places: list[int]

    @property
    def rows(self) -> list[Row]:
        """The row of each draw of a part."""
        nodes: Any = self.part.nodes
        return [stand.row for stand in nodes]


@dataclass(slots=True)
class RowGroup:
    """Merged rows, what was asked about them, and the answers, of the probability count * scale / total."""

    run: Run
    rows: list[Row]
    parts: list[Parts]
    questions: list[Asked]
    answers: tuple[State, ...]
    count: int
    scale: int
    total: int

    def release(self) -> None:
        """Let the rows be merged no more, and take the weight of the answers off the run."""
        for row in self.rows:
            row.group = None
        self.run.numerator //= self.count * self.scale
        self.run.denominator //= self.total

    def apart(self) -> None:
        """Take the draws of the rows one by one, merged as they are."""
        self.release()
        records = {}
        for row in self.rows:
            nodes = row.apart()
            for node, first, last in zip(nodes, row.first, row.last, strict=True):
                if first and last:
                    records[id(node)] = first[1], last[1]
        places = sorted(place for parts in self.parts for place in parts.places)
        parts = [
            Part(tuple(row.apart()[place] for row in each.rows), each.part.options)
            for each in self.parts
            for place in each.places
        ]
        hold(self.run, parts, [asked.alone(places) for asked in self.questions], self.answers, self.count, records)


def reduce(run: Run, elements: Alike | list[Any], start: State, step: Step) -> Any:
    """Return the state that plain and undecided values lead to, in any order: one decision, with its exact weights.

    Requires: a step that depends on its arguments alone, and leads to one state whatever the order of the values.
    """
    run.check()
    run.nodes += 1
    if isinstance(elements, Alike):
        found = _of_rows(run, elements, start, step)
        if found is not None:
            return found[0]
        elements = elements.elements()
    return reduce_each(run, elements, start, step)


def _of_rows(run: Run, elements: Alike, start: State, step: Step) -> tuple[State] | None:
    """Return the state of elements that are alike; None where their draws must be taken one by one."""
    if elements.places.size and numpy.bincount(elements.places).max() > 1:
        return None
    is_open = numpy.array([type(entry) is Finite for entry in elements.table])[elements.kinds]
    for kind, count in zip(*numpy.unique(elements.kinds[~is_open], return_counts=True), strict=True):
        for _ in range(count):
            start = step(start, elements.table[kind])
    if not is_open.any():
        return (start,)
    kinds = numpy.full(max(row.count for row in elements.rows), -1, numpy.intp)
    kinds[elements.places[is_open]] = elements.kinds[is_open]
    asked = Asked(kinds, elements.table, start, step)
    groups = list({id(row.group): row.group for row in elements.rows if row.group is not None}.values())
    questions = [*(question for group in groups for question in group.questions), asked]
    parts = _parts(run, questions)
    if parts is None:
        return None
    answers = tuple(answer for group in groups for answer in group.answers)
    starts, steps = tuple(question.start for question in questions), tuple(question.step for question in questions)
    counted = tuple((each.part.options, len(each.places)) for each in parts)
    state, count, first, last = results(run, starts, steps, counted, answers).chosen(run)
    name = "unit", counted
    if name not in run.memo:
        scale = prod(part.unit**count for part, count in counted)
        total = prod(row.bound ** len(each.places) for each in parts for row in each.rows)
        run.memo[name] = reduced(scale, total)
    scale, total = run.memo[name]
    for group in groups:
        group.release()
    _record(parts, first, last)
    run.numerator *= count * scale
    run.denominator *= total
    run.settings.notes[MERGED] = None
    rows = list({id(row): row for each in parts for row in each.rows}.values())
    group = RowGroup(run, rows, parts, questions, (*answers, state), count, scale, total)
    for row in rows:
        row.group = group
    return (state,)


def _parts(run: Run, questions: list[Asked]) -> list[Parts] | None:
    """Return the independent parts of the draws that questions are about; None where a part has too many cells."""
    count = max(question.kinds.size for question in questions)
    rows = [numpy.pad(question.kinds, (0, count - question.kinds.size), constant_values=-1) for question in questions]
    codes = coded([(kinds + 1, len(question.table) + 1) for question, kinds in zip(questions, rows, strict=True)])
    order = numpy.argsort(codes, kind="stable")
    ends = numpy.flatnonzero(numpy.diff(codes[order])) + 1
    found: list[Parts] = []
    for places in numpy.split(order, ends):
        at = [int(kinds[places[0]]) for kinds in rows]
        members = [(number, questions[number].table[kind]) for number, kind in enumerate(at) if kind >= 0]
        if not members:
            continue
        part = part_of(run, members, len(questions))
        if part is None:
            return None
        found.append(Parts(part, places.tolist()))
    return found


def _record(parts: list[Parts], first: Counts, last: Counts) -> None:
    """Write into rows two ways in which their draws came out, the second with the parts in the other order."""
    for each, one, other in zip(parts, first, last, strict=True):
        ways = each.part.options.ways
        for number, row in enumerate(each.rows):
            inside = [[(row.bound, interior(*way.box[number]))] * count for way, count in zip(ways, one, strict=True)]
            greatest = [[(row.bound, way.box[number][1])] * count for way, count in zip(ways, other, strict=True)]
            places = each.places
            if len(places) == places[-1] - places[0] + 1:
                row.first[places[0] : places[-1] + 1] = chain(*inside)
                row.last[places[0] : places[-1] + 1] = chain(*reversed(greatest))
            else:
                for place, least, most in zip(places, chain(*inside), chain(*reversed(greatest)), strict=True):
                    row.first[place] = least
                    row.last[place] = most
