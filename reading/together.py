"""States that differ in one integer, followed as one: the integer is a draw, whose values have masses of their own.

To the machine such an integer is an undecided number like any other: it goes on while all values lead to the same
instructions, and asks where they part. So nothing is trusted here but what is trusted of draws; what is new is that
the values of this one draw are not alike in mass. States go from question to question in step, and where this spares
little, or meets an operation that the machine does not do with an undecided number, nothing of it is kept.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from dpcert.reading.domains.vectors import Vector
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.keys import Writer, thaw
from dpcert.reading.known import remembered
from dpcert.reading.machine import Machine
from dpcert.reading.solve import Mass, Masses
from dpcert.reading.values import Cell, Dict, Draw, Error, Frame, Instance, List, Record, Undecided, Value

LEAST = 3  # so many values must an integer have, in states of one shape, to be followed
PATIENCE = 300  # so many runs are made before they must have spared others
MOST_VALUES = 256  # how many values a draw has, at most, to be taken as the integer
WAYS_PER_STATE = 20  # how many ways, of how many states at most, are followed
PATIENT = 3  # so often a wider interval may fail
WIDE = 64  # integers are followed together with the others of their block of so many
Place = tuple[int, Hashable]


class Common(NamedTuple):
    """A question that states share which differ in one integer: its number among the records, or None.

    Where the question has no cuts, it is about that integer, and the states go on with it.
    """

    question: Any
    integer: int | None


class Moved(NamedTuple):
    """Where a run has come, and what was added to the integer."""

    to: Common
    shift: int


def widened(lo: int, hi: int) -> tuple[int, int]:
    """An interval that others share which differ little from this one; one of a single integer as it is."""
    if hi - lo < 2:
        return lo, hi
    unit = max(WIDE, 1 << (hi - lo - 1).bit_length())
    return lo // unit * unit, -(-hi // unit) * unit


class Shifted(Writer):
    """Tells a state but for the value of one draw: so that the number that is met first is this draw plus nothing.

    `shift` is what must be added to the draw's values for it.
    """

    def __init__(self, state: Any, draw: Draw) -> None:
        super().__init__(state)
        self.draw = draw
        self.shift: int | None = None

    def undecided(self, value: Undecided) -> Any:
        """The form of an undecided number, the draw told with its shift."""
        if value.draw is not self.draw:
            return super().undecided(value)
        shifted = bool(value.chain) and value.chain[0][0] == "shift"
        shift = value.chain[0][1] if shifted else 0
        if self.shift is None:
            self.shift = shift
        rest, shift = value.chain[shifted:], shift - self.shift
        return super().undecided(Undecided(self.draw, (("shift", shift), *rest) if shift else rest))

    def row(self, record: Any) -> Any:
        """The form of a record: the draw without its interval, which no other draw has."""
        return super().row(Draw(0, 0, "weighted") if record is self.draw else record)


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
    """The questions of one program in step; `chosen` says which integer is followed, by the shape of a state."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.ends = Masses()
        self.moved: dict[Common, Vector] = {}
        self.chosen: dict[Hashable, Place] = {}
        self.seen: set[Common] = set()
        self.machines: dict[Common, tuple[Machine, list[Any]]] = {}  # the questions of the front, made anew
        self.runs = self.spared = self.again = 0
        self.failed: Counter[Hashable] = Counter()  # how often a wider interval failed, by what questions look like

    def wasteful(self) -> bool:
        """Whether it spares little, or returns to questions of before, or goes beyond the limits."""
        most = WAYS_PER_STATE * self.explorer.limits.states
        return (
            (self.runs > PATIENCE and self.spared < 2 * self.runs)
            or self.again > len(self.seen) + PATIENCE
            or max(self.runs, self.spared) > most
        )

    def masses(self, first: Any) -> dict[int, Mass] | None:
        """The mass of each end, or None where states are better followed alone."""
        front = {Common(first, None): Vector({0: 1})}
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
        """Follow each answer to a question, for all values of the integer."""
        cuts = common.question.cuts
        self.again += common in self.seen
        self.seen.add(common)
        answers = list(pairwise(cuts)) or [(0, 1)]
        self.spared += vector.size() * len(answers)
        for a, b in answers:
            waiting = [vector]
            while waiting:
                waiting += self.follow(common, (a, b), waiting.pop())

    def follow(self, common: Common, answer: tuple[int, int], vector: Vector) -> list[Vector]:
        """Follow an answer to the next question; return the parts to follow apart, where that is about the integer."""
        question, integer = common
        weight, total = answer[1] - answer[0], question.cuts[-1] - question.cuts[0] if question.cuts else 1
        self.runs += 1
        found = self.run(common, answer, None if integer is None else vector.interval())
        if isinstance(found, list):
            parts = [vector.part(lo, hi) for lo, hi in pairwise(found)]
            return [part for part in parts if part.tops]
        if isinstance(found, Moved):
            carried = vector.whole() if found.to.integer is None else vector
            self.add(found.to, carried, weight, total, found.shift)
        else:
            whole = vector.whole()
            self.ends.add(self.explorer.place(found), whole.tops[0] * weight, whole.bottom * total)
        return []

    def run(self, common: Common, answer: tuple[int, int], interval: tuple[int, int] | None) -> Any:
        """Where an answer leads, for all integers of an interval: a question, an end, or cuts of the interval.

        A wider interval is tried first, that others share: what holds for all of its integers holds for these.

        Raises: Refused.
        """
        kind = len(common.question.key), answer, common.integer
        wide = interval if interval is None or self.failed[kind] > PATIENT else widened(*interval)
        for each in dict.fromkeys((wide, interval)):
            find = partial(self.found, common, answer, each)
            found = remembered(self.explorer, self.explorer.known.runs, (common, answer, each), find)
            if found is not None and (each == interval or not isinstance(found, list)):
                return found
            self.failed[kind] += 1
        raise Refused("an integer is not followed together with others")

    def found(self, common: Common, answer: tuple[int, int], interval: tuple[int, int] | None) -> Any:
        """Where an answer leads, from the bytes of its question; None where the machine refuses to go on."""
        question, integer = common
        m, parts = Machine(self.explorer.pins), dict.fromkeys(question.draws, answer)
        if interval is not None:
            parts[integer] = interval
        records = thaw(m, question.key, parts)
        draw = None if integer is None else records[integer]
        try:
            m.go()
        except Ask as asked:
            return list(asked.cuts) if asked.draw is draw else self.moved_to(m, asked, draw)
        except Refused:
            return None
        finally:
            self.explorer.steps += m.steps
        return self.explorer.ended(m)

    def moved_to(self, m: Machine, asked: Ask, draw: Draw | None) -> Moved:
        """The question at which a run has come; an integer that the state does not tell any more is let go of."""
        writer = Writer(m) if draw is None else Shifted(m, draw)
        question = self.explorer.question(m, asked, writer)
        number = writer.numbers.get(id(draw)) if draw is not None else None
        shift = writer.shift if isinstance(writer, Shifted) and writer.shift is not None else 0
        return Moved(Common(question, number), shift)

    def add(self, common: Common, vector: Vector, weight: int = 1, total: int = 1, shift: int = 0) -> None:
        """Add masses to those of a question."""
        self.moved.setdefault(common, Vector({})).add(vector, weight, total, shift)

    def joined(self) -> dict[Common, Vector]:
        """The questions that were met, those of them as one that differ in the integer that is followed."""
        self.machines = {}
        self.sums()
        alone = [(each, vector) for each, vector in self.moved.items() if each.integer is None]
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
            place = self.choose(shape, [found for *_, found in group])
            for common, vector, m, records, found in group if place is not None else ():
                del self.moved[common]
                self.join(common.question, vector, m, records, place, found)
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
        for common in [each for each in self.moved if each.integer is None]:
            m, records = self.thawed(common)
            draw: Any = records[common.question.draws[0]]
            if draw.kind == "int" and draw.hi - draw.lo <= MOST_VALUES:
                writer = Shifted(m, draw)
                question = self.explorer.question(m, Ask(draw, []), writer)
                groups.setdefault(question, []).append((common, draw, writer.shift or 0))
        for question, group in groups.items():
            if len({shift for _, _, shift in group}) >= LEAST:
                self.expand(Common(question, question.draws[0]), self.convolved(group))

    def convolved(self, group: list[tuple[Common, Draw, int]]) -> Vector:
        """The masses of draws with what was added to them; the states are no longer followed by themselves."""
        found = Vector({})
        for common, draw, shift in group:
            known = self.moved.pop(common)
            tops = dict.fromkeys(range(draw.lo, draw.hi), known.tops[0])
            found.add(Vector(tops, known.bottom), 1, draw.hi - draw.lo, shift)
        return found

    def choose(self, shape: Hashable, found: list[dict[Place, int]]) -> Place | None:
        """The place of the integer that has the most values among states of one shape."""
        if shape not in self.chosen and found[0]:
            counts = {place: len({each[place] for each in found}) for place in found[0]}
            best = max(counts, key=counts.__getitem__)
            if counts[best] >= LEAST:
                self.chosen[shape] = best
        return self.chosen.get(shape)

    def join(self, question: Any, vector: Vector, m: Machine, records: Any, place: Any, found: Any) -> None:
        """Have a state ask its question with the integer at a place taken as a draw."""
        value = found[place]
        draw = Draw(value, value + 1, "weighted")
        put(records[place[0]], place[1], Undecided(draw))
        writer = Shifted(m, draw)
        again = self.explorer.question(m, Ask(records[question.draws[0]], list(question.cuts)), writer)
        self.add(Common(again, writer.numbers[id(draw)]), Vector({value: vector.tops[0]}, vector.bottom))


def together(explorer: Any, first: Any) -> dict[int, Mass] | None:
    """The mass of each end, from the first question on, or None where states are better followed one by one.

    Claims: the masses sum to 1.
    """
    try:
        return _Together(explorer).masses(first)
    except Refused:
        return None
