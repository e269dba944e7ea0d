"""Reductions over undecided elements: one decision for the result, with its exact law.

The draws behind independent elements are merged: instead of one path for each way in which they can come out there is
one for each result, of the weight of all these ways. Two of the ways stand on the run's tape, for replays on plain
numbers. A later reduction over merged draws is decided under the results before it; any other question about one of
them first decides how each came out, under all results so far.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import gcd, prod
from typing import Any

from dpcert.mechanisms.exact.explore import interior
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.assumed import MERGED
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.vectors.finite import Box, Cell, Finite, size, together

State = Hashable
Step = Callable[[Any, Any], State]
Way = Any
"""How some draws came out: None, or the way of those before and the option of the last."""


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
class Option:
    """One way in which the draws of a part come out: how many points it has, its box, the values for each question."""

    weight: int
    box: Box
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Draws that some element depends on jointly, independent of all others; weights of options are in units."""

    nodes: tuple[Node, ...]
    options: tuple[Option, ...]
    unit: int


@dataclass(slots=True)
class Group:
    """Merged draws, what was asked about them, and the answers, which have the probability weight / total.

    `drawn` has the place of each draw on the run's tape, and its bound.
    """

    run: Run
    drawn: dict[int, tuple[int, int]]
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
            layers.append({self._after(state, option) for state in layers[-1] for option in part.options})
            if len(layers[-1]) > run.settings.limits.max_runs:
                run.give_up(f"undecided elements were asked for one by one after a sum of them, at {running_line()}")
        left = self._left(layers)
        state = self._start()
        for number, (part, weights) in enumerate(zip(self.parts, left[1:], strict=True)):
            sizes = [option.weight * weights.get(self._after(state, option), 0) for option in part.options]
            possible = [i for i, weight in enumerate(sizes) if weight]
            chosen = possible[0]
            if len(possible) > 1:
                total = sum(sizes)
                mark = ("thawed", run.nodes, number, len(possible))
                chosen = possible[run.split(mark, [sizes[i] for i in possible], total)]
            option = part.options[chosen]
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
                state: sum(option.weight * after.get(self._after(state, option), 0) for option in part.options)
                for state in layer
            }
            left.append({state: count for state, count in counts.items() if count})
        return left[::-1]

    def _start(self) -> tuple[State, ...]:
        return tuple(question.start for question in self.questions)

    def _after(self, state: tuple[State, ...], option: Option) -> tuple[State, ...]:
        return after(self.questions, state, option)

    def release(self) -> None:
        """Let the draws be draws as any other again, and take the weight of the answers off the run."""
        for part in self.parts:
            for node in part.nodes:
                place, bound = self.drawn[id(node)]
                node.__class__ = Node
                node.high = node
                self.run.tape[place] = (bound, node)
        self.run.numerator //= self.weight
        self.run.denominator //= self.total


def after(questions: Sequence[Question], state: tuple[State, ...], option: Option) -> tuple[State, ...]:
    """Return the states of all questions once a part came out as an option says."""
    found = []
    for question, before, values in zip(questions, state, option.values, strict=True):
        for value in values:
            before = question.step(before, value)
        found.append(before)
    return tuple(found)


def reduce(run: Run, elements: Sequence[Any], start: State, step: Step) -> Any:
    """Return the state that plain and undecided values lead to, in any order: one decision, with its exact weights.

    Requires: a step that depends on its arguments alone, and leads to one state whatever the order of the values.
    """
    run.check()
    run.nodes += 1
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
    drawn = {id(item): (place, bound) for place, (bound, item) in enumerate(run.tape) if type(item) is Node}
    for group in groups:
        drawn.update(group.drawn)
    lost = [element for element in asked.elements if not all(id(node) in drawn for node in element.nodes)]
    if lost:  # a coordinate of a draw, and no draw
        lost[0].decide()
        return _again(run, asked)
    questions = [*(question for group in groups for question in group.questions), asked]
    parts = parts_of(questions)
    if parts is None:
        max(asked.elements, key=lambda element: len(element.nodes)).decide()
        return _again(run, asked)
    answers = tuple(answer for group in groups for answer in group.answers)
    name = ("vectors", tuple(run.path), len(run.tape), run.nodes)
    if name not in run.memo:
        run.memo[name] = _results(run, questions, parts, answers)
    results: list[tuple[State, int, Way, Way]] = run.memo[name]
    weights = [weight for _, weight, _, _ in results]
    place = run.split((run.nodes, len(weights)), weights, sum(weights)) if len(weights) > 1 else 0
    state, weight, first, last = results[place]
    for group in groups:
        group.release()
    merged = {id(node): drawn[id(node)] for part in parts for node in part.nodes}
    scale = prod(part.unit for part in parts)
    total = prod(bound for _, bound in merged.values())
    common = gcd(scale, total)
    weight, total = weight * (scale // common), total // common
    run.numerator *= weight
    run.denominator *= total
    run.settings.notes[MERGED] = None
    found = Group(run, merged, parts, questions, (*answers, state), weight, total)
    held: Any = found
    entries: dict[tuple[int, int, int, int], Any] = {}
    for part, one, other in zip(parts, _listed(first), _listed(last), strict=True):
        pairs = zip(part.nodes, part.options[one].box, part.options[other].box, strict=True)
        for node, (low, high), (_, greatest) in pairs:
            position, bound = merged[id(node)]
            chosen = bound, low, high, greatest
            if chosen not in entries:
                entries[chosen] = (0, (((bound, interior(low, high)),), ((bound, greatest),)))
            run.tape[position] = entries[chosen]
            node.__class__ = Merged
            node.high = held
    return state


def _again(run: Run, asked: Question) -> State:
    """Ask once more, after an element was decided."""
    elements = [element.settled() for element in asked.elements]
    state: State = reduce(run, elements, asked.start, asked.step)
    return state


def _results(
    run: Run, questions: Sequence[Question], parts: Sequence[Part], answers: tuple[State, ...]
) -> list[tuple[State, int, Way, Way]]:
    """Return the states of the last question under the answers to those before, with weights and two ways to each."""
    states: dict[tuple[State, ...], tuple[int, Way, Way]] = {tuple(q.start for q in questions): (1, None, None)}
    most = run.settings.limits.max_runs
    for part in parts:
        found: dict[tuple[State, ...], tuple[int, Way, Way]] = {}
        for state, (weight, first, last) in states.items():
            for number, option in enumerate(part.options):
                name = after(questions, state, option)
                more = weight * option.weight
                known = found.get(name)
                if known is None:
                    found[name] = more, (first, number), (last, number)
                else:
                    found[name] = known[0] + more, known[1], (last, number)
        states = found
        if len(states) > most:
            run.give_up(f"a reduction of a vector has more than {most} states, at {running_line()}")
    return [(name[-1], *rest) for name, rest in states.items() if name[:-1] == answers]


def _listed(way: Way) -> list[int]:
    found = []
    while way is not None:
        way, number = way
        found.append(number)
    return found[::-1]


def group_of(node: Node) -> Group | None:
    """Return the group that a draw is merged in."""
    group: Any = getattr(node, "high", None)
    return group if type(node) is Merged else None


def parts_of(questions: Sequence[Question]) -> list[Part] | None:
    """Return the independent parts of all draws that questions are about; None where a part has too many cells."""
    if len(questions) == 1 and (alone := _alone(questions[0].elements)) is not None:
        return alone
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
    known: dict[Any, tuple[tuple[Option, ...], int]] = {}
    found: list[Part] = []
    for listed in members.values():
        if len(listed) == 1:
            (number, whole), *_ = listed
            values: Any = None
        else:
            joined = together(tuple(element for _, element in listed), lambda *values: values)
            if joined is None:
                return None
            number, whole, values = -1, joined, [number for number, _ in listed]
        here = tuple((node.least(), node.greatest()) for node in whole.nodes)
        name = (number, id(whole.cells), here)
        if name not in known or values is not None:
            known[name] = _options(whole.cells, here, len(questions), number, values)
        found.append(Part(whole.nodes, *known[name]))
    return found


def _alone(elements: Sequence[Finite]) -> list[Part] | None:
    """Return the parts of one question, where each element has a draw of its own; else None."""
    if len({id(element.nodes[0]) for element in elements}) < len(elements):
        return None
    known: dict[tuple[int, int, int], tuple[tuple[Option, ...], int]] = {}
    found = []
    for element in elements:
        if len(element.nodes) != 1:
            return None
        (node,) = element.nodes
        name = id(element.cells), node.lo, node.hi
        if name not in known:
            known[name] = _options(element.cells, ((node.lo, node.hi),), 1, 0, None)
        found.append(Part(element.nodes, *known[name]))
    return found


def _options(
    cells: Sequence[Cell], here: Box, questions: int, number: int, owners: list[int] | None
) -> tuple[tuple[Option, ...], int]:
    """Return the options of a part inside a box, and the greatest unit that all their weights are multiples of."""
    weights: list[tuple[int, Box, Any]] = []
    for box, value in cells:
        inside = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, here, strict=True))
        if all(low <= high for low, high in inside):
            weights.append((size(inside), inside, value))
    unit = gcd(*(weight for weight, _, _ in weights))
    options = []
    for weight, inside, value in weights:
        by_question: list[list[Any]] = [[] for _ in range(questions)]
        if owners is None:
            by_question[number].append(value)
        else:
            for owner, one in zip(owners, value, strict=True):
                by_question[owner].append(one)
        options.append(Option(weight // unit, inside, tuple(map(tuple, by_question))))
    return tuple(options), unit
