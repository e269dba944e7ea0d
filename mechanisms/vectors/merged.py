"""Reductions over undecided elements: one decision for the result, with its exact law.

The draws behind independent elements are merged: instead of one path for each way in which they can come out there is
one for each result, of the weight of all these ways. Two of the ways stand on the run's tape, for replays on plain
numbers. A later reduction over merged draws is decided under the results before it; any other question about one of
them first decides how each came out, under all results so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd, prod
from typing import Any

from dpcert.mechanisms.exact.explore import Record, interior
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.assumed import MERGED
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.vectors.finite import Finite, together
from dpcert.mechanisms.vectors.results import Option, Options, State, Step, after, options, results


class Merged(Node):
    """A draw that is merged with others: a question about it first decides how all of them came out."""

    __slots__ = ()

    def at_most(self, bound: int) -> bool:
        """Decide whether the value is <= bound."""
        _thawed(self)
        return self.at_most(bound)

    def modulo(self, shift: int, modulus: int) -> tuple[Node, int] | None:
        """Return what `Node.modulo` does."""
        _thawed(self)
        return self.modulo(shift, modulus)


def _thawed(node: Node) -> None:
    group = group_of(node)
    if group is not None:
        group.thaw()


@dataclass(frozen=True, slots=True)
class Question:
    """A reduction: the values of elements, in any order, are taken into a state, one after the other."""

    elements: tuple[Finite, ...]
    start: State
    step: Step


@dataclass(frozen=True, slots=True)
class Part:
    """Draws that some element depends on jointly, independent of all others."""

    nodes: tuple[Node, ...]
    options: Options


Entry = tuple[int, tuple[Record, Record]]
"""A merged draw on a tape: two records of it."""


@dataclass(slots=True)
class Group:
    """Merged draws, what was asked about them, and the answers, which have the probability weight / total.

    `entries` has for each draw its bound, and what stands for it on the run's tape.
    """

    run: Run
    entries: dict[int, tuple[int, Entry]]
    parts: list[Part] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    answers: tuple[State, ...] = ()
    weight: int = 1
    total: int = 1

    def thaw(self) -> None:
        """Decide how each draw came out, under the answers so far; afterwards they are draws as any other."""
        run = self.run
        run.check()
        layers = [{self._start()}]
        for part in self.parts:
            layers.append({self._after(state, option) for state in layers[-1] for option in part.options.ways})
            if len(layers[-1]) > run.settings.limits.max_runs:
                run.give_up(f"undecided elements were asked for one by one after a sum of them, at {running_line()}")
        left = self._left(layers)
        state = self._start()
        for number, (part, weights) in enumerate(zip(self.parts, left[1:], strict=True)):
            sizes = [option.weight * weights.get(self._after(state, option), 0) for option in part.options.ways]
            possible = [i for i, weight in enumerate(sizes) if weight]
            chosen = possible[0]
            if len(possible) > 1:
                total = sum(sizes)
                mark = ("thawed", run.nodes, number, len(possible))
                chosen = possible[run.split(mark, [sizes[i] for i in possible], total)]
            option = part.options.ways[chosen]
            state = self._after(state, option)
            for node, (low, high) in zip(part.nodes, option.box, strict=True):
                node.lo, node.hi = low, high
        self.release()

    def _left(self, layers: list[set[tuple[State, ...]]]) -> list[dict[tuple[State, ...], int]]:
        """Return for each layer the number of ways from a state to the answers."""
        left: list[dict[tuple[State, ...], int]] = [{self.answers: 1}]
        for part, layer in zip(reversed(self.parts), reversed(layers[:-1]), strict=True):
            after = left[-1]
            counts = {
                state: sum(option.weight * after.get(self._after(state, option), 0) for option in part.options.ways)
                for state in layer
            }
            left.append({state: count for state, count in counts.items() if count})
        return left[::-1]

    def _start(self) -> tuple[State, ...]:
        return tuple(question.start for question in self.questions)

    def _after(self, state: tuple[State, ...], option: Option) -> tuple[State, ...]:
        return after([question.step for question in self.questions], state, option)

    def release(self) -> None:
        """Let the draws be draws as any other again, and take the weight of the answers off the run."""
        places = {id(entry): place for place, entry in enumerate(self.run.tape)}
        for part in self.parts:
            for node in part.nodes:
                bound, entry = self.entries[id(node)]
                node.__class__ = Node
                node.high = node
                self.run.tape[places[id(entry)]] = (bound, node)
        self.run.numerator //= self.weight
        self.run.denominator //= self.total


def reduce_each(run: Run, elements: Sequence[Any], start: State, step: Step) -> Any:
    """Return the state that plain and undecided values lead to, in any order: one decision, with its exact weights.

    Requires: a step that depends on its arguments alone, and leads to one state whatever the order of the values.
    """
    open_: list[Finite] = []
    for element in elements:
        if type(element) is Finite:
            for node in element.nodes:
                if node.run is not run or node.radix:
                    element = element.decide()
                    break
        if type(element) is Finite:
            open_.append(element)
        else:
            start = step(start, element)
    return _decide(run, Question(tuple(open_), start, step)) if open_ else start


def _decide(run: Run, asked: Question) -> State:
    groups = list({id(group): group for e in asked.elements for n in e.nodes if (group := group_of(n))}.values())
    drawn = {id(item) for _, item in run.tape if type(item) is Node}.union(*(group.entries for group in groups))
    lost = [element for element in asked.elements if not all(id(node) in drawn for node in element.nodes)]
    if lost:  # a coordinate of a draw, and no draw
        lost[0].decide()
        return _again(run, asked)
    questions = [*(question for group in groups for question in group.questions), asked]
    parts = parts_of(run, questions)
    if parts is None:
        max(asked.elements, key=lambda element: len(element.nodes)).decide()
        return _again(run, asked)
    answers = tuple(answer for group in groups for answer in group.answers)
    starts, steps = [question.start for question in questions], [question.step for question in questions]
    found = results(run, starts, steps, [(part.options, 1) for part in parts], answers)
    state, weight, first, last = found.chosen(run)
    for group in groups:
        group.release()
    ways = zip(parts, first, last, strict=True)
    boxes = [
        (part.nodes, part.options.ways[one.index(1)].box, part.options.ways[other.index(1)].box)
        for part, one, other in ways
    ]
    records = {
        id(node): (interior(low, high), greatest)
        for nodes, box, other in boxes
        for node, (low, high), (_, greatest) in zip(nodes, box, other, strict=True)
    }
    hold(run, parts, questions, (*answers, state), weight, records)
    return state


def hold(
    run: Run,
    parts: list[Part],
    questions: list[Question],
    answers: tuple[State, ...],
    weight: int,
    records: dict[int, tuple[int, int]],
) -> None:
    """Merge the draws of parts under the answers, which so many of their points lead to, in units of the parts.

    `records` has two values for each draw, with which these answers are had.
    """
    drawn = {id(item): (place, bound) for place, (bound, item) in enumerate(run.tape) if type(item) is Node}
    nodes = [node for part in parts for node in part.nodes]
    scale, total = prod(part.options.unit for part in parts), prod(drawn[id(node)][1] for node in nodes)
    scale, total = reduced(scale, total)
    weight *= scale
    run.numerator *= weight
    run.denominator *= total
    run.settings.notes[MERGED] = None
    found: Any = Group(run, {}, parts, questions, answers, weight, total)
    for node in nodes:
        place, bound = drawn[id(node)]
        first, last = records[id(node)]
        run.tape[place] = entry = (0, (((bound, first),), ((bound, last),)))
        found.entries[id(node)] = bound, entry
        node.__class__ = Merged
        node.high = found


def reduced(scale: int, total: int) -> tuple[int, int]:
    """Return two numbers with their common divisor taken off."""
    common = gcd(scale, total)
    return scale // common, total // common


def _again(run: Run, asked: Question) -> State:
    """Ask once more, after an element was decided."""
    run.nodes += 1
    elements = [element.settled() for element in asked.elements]
    state: State = reduce_each(run, elements, asked.start, asked.step)
    return state


def group_of(node: Node) -> Group | None:
    """Return the group that a draw is merged in."""
    group: Any = getattr(node, "high", None)
    return group if type(node) is Merged else None


def parts_of(run: Run, questions: list[Question]) -> list[Part] | None:
    """Return the independent parts of all draws that questions are about; None where a part has too many cells."""
    asked = [(number, element) for number, question in enumerate(questions) for element in question.elements]
    above: dict[int, int] = {}

    def root(name: int) -> int:
        while above.setdefault(name, name) != name:
            name = above[name]
        return name

    for _, element in asked:
        first = root(id(element.nodes[0]))
        for node in element.nodes[1:]:
            above[root(id(node))] = first
    members: dict[int, list[tuple[int, Finite]]] = {}
    for number, element in asked:
        members.setdefault(root(id(element.nodes[0])), []).append((number, element))
    found: list[Part] = []
    for together_ in members.values():
        part = part_of(run, together_, len(questions))
        if part is None:
            return None
        found.append(part)
    return found


def part_of(run: Run, members: Iterable[tuple[int, Finite]], questions: int) -> Part | None:
    """Return the part of elements that share draws, each with the number of its question; None for too many cells."""
    numbers, elements = zip(*members, strict=True)
    whole, owners = elements[0], numbers[0]
    if len(elements) > 1:
        joined = together(elements, lambda *values: values)
        if joined is None:
            return None
        whole, owners = joined, numbers
    here = tuple((node.least(), node.greatest()) for node in whole.nodes)
    return Part(whole.nodes, options(run, whole.cells, here, questions, owners))
