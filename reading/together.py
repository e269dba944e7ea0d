"""States that differ in a few integers, followed as one: each integer is a draw, and their values have joint masses.

To the machine such an integer is an undecided number like any other: it goes on while all values lead to the same
instructions, and asks where they part. So nothing is trusted here but what is trusted of draws; what is new is that
the values of these draws are not alike in mass, and depend on each other. States go from question to question in step,
and where this spares little, or meets an operation that the machine does not do with an undecided number, nothing of it
is kept.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from dpcert.reading.domains.vectors import Vector, packed
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.keys import Writer, thaw
from dpcert.reading.known import remembered
from dpcert.reading.machine import Machine
from dpcert.reading.solve import Mass, Masses
from dpcert.reading.values import Cell, Dict, Draw, Error, Frame, Instance, List, Record, Undecided, Value

LEAST = 3  # so many values must an integer have, in states of one shape, to be followed
MERGED = 1  # so many of these states must then be equal to others
MOST_INTEGERS = 4  # so many integers are followed at most
PATIENCE = 300  # so many runs are made before they must have spared others
MOST_VALUES = 256  # how many values a draw has, at most, to be taken as the integer
WAYS_PER_STATE = 20  # how many ways, of how many states at most, are followed
PATIENT = 3  # so often a wider interval may fail
WIDE = 64  # integers are followed together with the others of their block of so many
Place = tuple[int, Hashable]
Box = tuple[tuple[int, int], ...]
"""An interval of each integer."""


class Common(NamedTuple):
    """A question that states share which differ in a few integers: their numbers among the records.

    Where the question has no cuts, it is about its one integer, and the states go on with it.
    """

    question: Any
    integers: tuple[int, ...]


class Moved(NamedTuple):
    """Where a run has come: which integer each of its integers was, and what was added to it."""

    to: Common
    axes: tuple[int, ...]
    shifts: tuple[int, ...]


class Parted(NamedTuple):
    """Where the values of one of the integers part."""

    axis: int
    cuts: list[int]


def widened(lo: int, hi: int) -> tuple[int, int]:
    """An interval that others share which differ little from this one; one of a single integer as it is."""
    if hi - lo < 2:
        return lo, hi
    unit = max(WIDE, 1 << (hi - lo - 1).bit_length())
    return lo // unit * unit, -(-hi // unit) * unit


class Shifted(Writer):
    """Tells a state but for the values of some draws: so that the first number of each is this draw plus nothing.

    `shifts` are what must be added to the values of each draw for it.
    """

    def __init__(self, state: Any, draws: list[Draw]) -> None:
        super().__init__(state)
        self.draws = {id(draw): draw for draw in draws}
        self.shifts: dict[int, int] = {}

    def undecided(self, value: Undecided) -> Any:
        """The form of an undecided number, such a draw with its shift."""
        if id(value.draw) not in self.draws:
            return super().undecided(value)
        shifted = bool(value.chain) and value.chain[0][0] == "shift"
        shift = value.chain[0][1] if shifted else 0
        rest, shift = value.chain[shifted:], shift - self.shifts.setdefault(id(value.draw), shift)
        return super().undecided(Undecided(value.draw, (("shift", shift), *rest) if shift else rest))

    def row(self, record: Any) -> Any:
        """The form of a record: such a draw without its interval, which no other draw has."""
        return super().row(Draw(0, 0, "weighted") if id(record) in self.draws else record)

    def told(self) -> list[tuple[int, int, int]]:
        """Of each such draw in the state: its number, its place among them, and its shift, in order."""
        places = enumerate(self.draws)
        return sorted((self.numbers[name], axis, self.shifts[name]) for axis, name in places if name in self.numbers)


def integers(m: Machine, records: list[Record]) -> Iterator[tuple[Place, int]]:
    """The integers of a state that are values of the program, each with its place: a record, and where in it."""
    for number, record in enumerate(records):
        for where, value in values_of(record):
            if value.__class__ is int:
                yield (number, where), value


HOLD_VALUES = (Frame, List, Cell, Dict, Instance, Error)


def values_of(record: Any) -> list[tuple[Hashable, Value]]:
    """The values that a record holds, each with its place."""
    match record:
        case Frame():
            live = [(slot, record.locals[slot]) for slot in record.code.live[record.place]]
            return [*live, *[(-1 - depth, value) for depth, value in enumerate(record.stack)]]
        case List() | Cell():
            return list(enumerate(record.items))
        case Dict():
            return [(name, value) for name, (_, value) in record.items.items()]
        case Instance():
            return list(record.items.items())
    return []


def put(record: Any, where: Any, value: Value) -> None:
    """Put a value in place of another."""
    if record.__class__ is Frame and where < 0:
        record.stack[-1 - where] = value
    elif record.__class__ is Frame:
        record.locals[where] = value
    else:
        items = record.edit()
        items[where] = (items[where][0], value) if record.__class__ is Dict else value


class _Together:
    """The questions of one program in step; `chosen` says which integers are followed, by the shape of a state."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.ends = Masses()
        self.moved: dict[Common, Vector] = {}
        self.chosen: dict[Hashable, tuple[Place, ...]] = {}
        self.seen: set[Common] = set()
        self.machines: dict[Common, tuple[Machine, list[Any]]] = {}  # the questions of the front, made anew
        self.runs = self.spared = self.again = 0
        self.failed: Counter[Hashable] = Counter()  # how often a wider interval failed, by what questions look like

    def wasteful(self) -> bool:
        """Whether it spares little, or returns to questions of before, or goes beyond the limits."""
        most = WAYS_PER_STATE * self.explorer.limits.states
        return (
            (self.runs > PATIENCE and 2 * self.spared < 3 * self.runs)
            or self.again > len(self.seen) + PATIENCE
            or max(self.runs, self.spared) > most
        )

    def masses(self, first: Any) -> dict[int, Mass] | None:
        """The mass of each end, or None where states are better followed alone."""
        front = {Common(first, ()): Vector({0: 1})}
        while front:
            self.moved = {}
            for common, vector in front.items():
                if self.wasteful():
                    return None
                self.expand(common, vector)
            front = self.joined()
        self.explorer.common += len(self.seen)
        return self.ends.found

    def expand(self, common: Common, vector: Vector) -> None:
        """Follow each answer to a question, for all values of the integers."""
        cuts = common.question.cuts
        self.again += common in self.seen
        self.seen.add(common)
        self.explorer.grown(len(self.seen))
        answers = list(pairwise(cuts)) or [(0, 1)]
        self.spared += (len(vector.tops) if len(common.integers) > 1 else vector.size()) * len(answers)
        for a, b in answers:
            waiting = [vector]
            while waiting:
                waiting += self.follow(common, (a, b), waiting.pop())

    def follow(self, common: Common, answer: tuple[int, int], vector: Vector) -> list[Vector]:
        """Follow an answer to the next question; return the parts to follow apart, where that is about an integer."""
        question, integers = common
        weight, total = answer[1] - answer[0], question.cuts[-1] - question.cuts[0] if question.cuts else 1
        self.runs += 1
        found = self.run(common, answer, vector.box(len(integers)))
        if isinstance(found, Parted):
            return vector.parted(len(integers), found.axis, found.cuts)
        if isinstance(found, Moved):
            self.add(found.to, vector.onto(len(integers), found.axes), weight, total, packed(found.shifts))
        else:
            whole = vector.onto(len(integers), ())
            self.ends.add(self.explorer.place(found), whole.tops[0] * weight, whole.bottom * total)
        return []

    def run(self, common: Common, answer: tuple[int, int], box: Box) -> Any:
        """Where an answer leads, for all integers of a box: a question, an end, or where one of the integers parts.

        A wider box is tried first, that others share: what holds for all of its integers holds for these.

        Raises: Refused.
        """
        kind = len(common.question.key), answer, common.integers
        wide = box if self.failed[kind] > PATIENT else tuple([widened(*each) for each in box])
        for each in dict.fromkeys((wide, box)):
            find = partial(self.found, common, answer, each)
            found = remembered(self.explorer, self.explorer.known.runs, (common, answer, each), find)
            if found is not None and (each == box or not isinstance(found, Parted)):
                return found
            self.failed[kind] += 1
        raise Refused("integers are not followed together with others")

    def found(self, common: Common, answer: tuple[int, int], box: Box) -> Any:
        """Where an answer leads, from the bytes of its question; None where the machine refuses to go on."""
        question, integers = common
        m, parts = Machine(self.explorer.pins), dict.fromkeys(question.draws, answer)
        parts.update(zip(integers, box, strict=True))
        records = thaw(m, question.key, parts)
        draws = [records[number] for number in integers]
        try:
            m.go()
        except Ask as asked:
            axis = next((axis for axis, draw in enumerate(draws) if draw is asked.draw), None)
            return self.moved_to(m, asked, draws) if axis is None else Parted(axis, list(asked.cuts))
        except Refused:
            return None
        finally:
            self.explorer.steps += m.steps
        return self.explorer.ended(m)

    def moved_to(self, m: Machine, asked: Ask, draws: list[Draw]) -> Moved:
        """The question to which a run has come; an integer that has left the state is let go."""
        writer = Shifted(m, draws)
        question = self.explorer.question(m, asked, writer)
        numbers, axes, shifts = zip(*writer.told(), strict=True) if writer.shifts else ((), (), ())
        return Moved(Common(question, numbers), axes, shifts)

    def add(self, common: Common, vector: Vector, weight: int = 1, total: int = 1, shift: int = 0) -> None:
        """Add masses to those of a question."""
        self.moved.setdefault(common, Vector({})).add(vector, weight, total, shift)

    def joined(self) -> dict[Common, Vector]:
        """The next questions; those that differ in the integers that are followed are one."""
        self.machines = {}
        self.sums()
        alone = [(each, vector) for each, vector in self.moved.items() if not each.integers]
        shapes: dict[Hashable, list[tuple[Common, Vector, Machine, Any, dict[Place, int]]]] = {}
        for common, vector in alone:
            m, records = self.thawed(common)
            found = dict(integers(m, records))
            shape: Hashable = (
                tuple([(id(frame.code), frame.place) for frame in m.frames]),
                common.question.cuts,
                *found,
            )
            shapes.setdefault(shape, []).append((common, vector, m, records, found))
        for shape, group in shapes.items():
            places = self.choose(shape, [found for *_, found in group])
            for common, vector, m, records, found in group if places else ():
                del self.moved[common]
                self.join(common.question, vector, m, records, places, found)
        for vector in self.moved.values():
            vector.leave()
        return self.moved

    def thawed(self, common: Common) -> tuple[Machine, list[Any]]:
        """A question of the front, made anew once."""
        if common not in self.machines:
            m = Machine(self.explorer.pins)
            self.machines[common] = m, thaw(m, common.question.key, {})
        return self.machines[common]

    def sums(self) -> None:
        """Take as the integer the draw that states ask for which differ in what was added to it, and go on."""
        groups: dict[Any, list[tuple[Common, Draw, int]]] = {}
        for common in [each for each in self.moved if not each.integers]:
            m, records = self.thawed(common)
            draw: Any = records[common.question.draws[0]]
            if draw.kind == "int" and draw.hi - draw.lo <= MOST_VALUES:
                writer = Shifted(m, [draw])
                question = self.explorer.question(m, Ask(draw, []), writer)
                groups.setdefault(question, []).append((common, draw, writer.shifts[id(draw)]))
        for question, group in groups.items():
            if len({shift for _, _, shift in group}) >= LEAST:
                self.expand(Common(question, question.draws), self.convolved(group))

    def convolved(self, group: list[tuple[Common, Draw, int]]) -> Vector:
        """The masses of draws with what was added to them; the states are no longer followed by themselves."""
        found = Vector({})
        for common, draw, shift in group:
            known = self.moved.pop(common)
            tops = dict.fromkeys(range(draw.lo, draw.hi), known.tops[0])
            found.add(Vector(tops, known.bottom), 1, draw.hi - draw.lo, shift)
        return found

    def choose(self, shape: Hashable, found: list[dict[Place, int]]) -> tuple[Place, ...]:
        """The places of as few integers as make some states of one shape equal: of those with the most values."""
        if shape not in self.chosen and found[0]:
            counts = {place: len({each[place] for each in found}) for place in found[0]}
            ranked = sorted(counts, key=counts.__getitem__, reverse=True)
            for most in range(1, MOST_INTEGERS + 1) if counts[ranked[0]] >= LEAST else ():
                if len({tuple([each[place] for place in ranked[most:]]) for each in found}) <= len(found) - MERGED:
                    self.chosen[shape] = tuple(ranked[:most])
                    break
        return self.chosen.get(shape, ())

    def join(self, question: Any, vector: Vector, m: Machine, records: Any, places: Any, found: Any) -> None:
        """Have a state ask its question with the integers at some places taken as draws."""
        values = [found[place] for place in places]
        draws = [Draw(value, value + 1, "weighted") for value in values]
        for (number, where), draw in zip(places, draws, strict=True):
            put(records[number], where, Undecided(draw))
        writer = Shifted(m, draws)
        again = self.explorer.question(m, Ask(records[question.draws[0]], list(question.cuts)), writer)
        numbers, axes, _ = zip(*writer.told(), strict=True)
        value = packed([values[axis] for axis in axes])
        self.add(Common(again, numbers), Vector({value: vector.tops[0]}, vector.bottom))


def together(explorer: Any, first: Any) -> dict[int, Mass] | None:
    """The mass of each end, from the first question on, or None where states are better followed one by one.

    Claims: the masses sum to 1.
    """
    try:
        return _Together(explorer).masses(first)
    except Refused:
        return None
