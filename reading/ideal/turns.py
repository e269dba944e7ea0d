"""A loop over a list of any length, read once: its states are finitely many *modes*, and its turns lead between them.

Each question whether the list has another number is the head of a turn. There, what a state knows of real numbers is
let go: each noisy or open number that it holds is *carried*, a new open number of which nothing is known. So are, where
they differ from turn to turn, the content of lists that the loop fills and the values of integers that it counts. What
is left is a mode, named by its bytes. From any state for which a mode stands, the program does what it does from the
mode, or it is refused, where it needs what was let go. So the turns are all that it does on lists of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import lcm
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.path import Path
from dpcert.reading.domains.forms import Fork, Form, Meaning, Terms, Way, Written, data_of, packed
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.domains.rows import Log, Row, Turns
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.foreign import Tables
from dpcert.reading.ideal.explore import IdealMachine, Ways
from dpcert.reading.ideal.rows import MORE, NeedsModulus, rules_of_rows
from dpcert.reading.keys import LIST, SLOTS, TAGS, UNDECIDED, Writer, encode
from dpcert.reading.outcomes import outcome, outcome_of
from dpcert.reading.values import SCALARS, Cell, Instance, List, Undecided, Value

MOST_MODES, MOST_TURNS, MOST_VALUES, MOST_MODULUS = 100, 1_000, 20, 100
"""The most modes; the most turns; the most values of an integer by which modes differ; the most remainders of one."""
Place = tuple[Any, ...]
"""Where a state holds a value: the places in the code of all frames, a frame, and the way from there."""
Slot = tuple[Place, Value, Callable[[Value], None]]
"""A place, the value there, and what puts another one in its place."""
Number = tuple[Terms, Any]
"""The terms and the offset of a number."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The steps of a program from a mode to the next, or to its end, where `target` is None.

    `asks` is whether it was given a number, which is the open variable after those that the mode carries. `path` has
    the inequalities and draws on the way, and for its outcome what it releases; `carried` are the numbers that the
    target carries, in these variables. `winner` are the open variables of the entry of an array that is the greatest,
    and of the greatest of all others.
    """

    mode: int
    asks: bool
    path: Path
    target: int | None = None
    carried: tuple[Number, ...] = ()
    winner: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Automaton:
    """How many numbers each mode carries, and all turns. The first mode is that before the first question."""

    modes: tuple[int, ...]
    turns: tuple[Turn, ...]


class _Grown(BaseException):
    """Lists that a loop fills, or integers that it counts, are found, by their places."""

    def __init__(self, logs: set[Place], counts: set[Place]) -> None:
        self.logs, self.counts = logs, counts


class _TurnWay(Way):
    """The knowledge since the head of a turn; `opened` is how many open numbers there are, and
    `winner` the last two of them where the greatest entry of an array was taken."""

    def __init__(self, most: int, meaning: Meaning, opened: int) -> None:
        super().__init__(most, meaning)
        self.opened = opened
        self.winner: tuple[int, int] | None = None


class _Mode(Writer):
    """The form of a state without what is let go; `carried` are the numbers that it carries, and `logs` what was added
    to lists."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.carried: dict[Number, int] = {}
        self.logs: list[Value] = []

    def undecided(self, value: Undecided) -> Any:
        """The form of a number on ideal noise, as an open number."""
        data = data_of(value)
        if not isinstance(data, (Form, Written)):
            raise Refused("a number that a function makes of noise is kept from turn to turn")
        if isinstance(data, Written) or not data.terms:
            return super().undecided(value)
        number = self.carried.setdefault((data.terms, data.offset), len(self.carried))
        row = packed(Form(data.kinds, ((-1 - number, 1),), 0))
        return UNDECIDED, self.ref(value.draw), (("ideal", self.form(row)),)

    def row(self, record: Any) -> Any:
        """The form of a record; of a list that the loop fills, that of an empty one."""
        if record.__class__ is not Log:
            return super().row(record)
        self.logs += record.items
        return TAGS[Log], *[(LIST,) if name == "items" else None for name in SLOTS[Log]]


def _slots(m: Any) -> Iterator[Slot]:
    """Yield what the frames of a machine hold, and what cells and instances in them do."""
    where = tuple((frame.code, frame.place) for frame in m.frames)
    seen: set[int] = set()

    def held(place: Place, rows: Any, name: Any) -> Iterator[Slot]:
        value = rows[name]
        yield place, value, partial(rows.__setitem__, name)
        if value.__class__ in (Cell, Instance) and value.origin is None and id(value) not in seen:
            seen.add(id(value))
            inner = value.edit()
            for each in range(len(inner)) if value.__class__ is Cell else list(inner):
                yield from held((*place, each), inner, each)

    for number, frame in enumerate(m.frames):
        for slot in frame.code.live[frame.place]:
            yield from held((where, number, "local", slot), frame.locals, slot)
        for slot in range(len(frame.stack)):
            yield from held((where, number, "stack", slot), frame.stack, slot)


@dataclass(slots=True)
class _Found:
    """The modes until now, each by its bytes, how many numbers they carry, and their turns."""

    modes: dict[bytes, int] = field(default_factory=lambda: {b"": 0})
    carried: list[int] = field(default_factory=lambda: [0])
    turns: list[Turn] = field(default_factory=list)
    values: dict[Place, set[int]] = field(default_factory=dict)


class TurnsOf(Ways):
    """The turns of one program on lists of any length."""

    def __init__(self, program: Any, **settings: Any) -> None:
        super().__init__(program, None, **settings)
        self.logs: set[Place] = set()
        self.counts: set[Place] = set()
        self.modulus = 1
        self.tables = Tables(
            {**self.tables.rules, **rules_of_rows(self.tables.rules)},
            self.tables.elements,
            self.tables.methods,
            self.tables.followed,
        )

    def _input(self, m: IdealMachine) -> Value:
        return Row(m.world)

    def automaton(self) -> Automaton:
        """Return the modes and turns.

        Raises: Refused.
        """
        while True:
            found = _Found()
            try:
                place = 0
                while place < len(found.carried):
                    found.turns += self._turns_from(found, place)
                    place += 1
            except _Grown as grown:
                self.logs |= grown.logs
                self.counts |= grown.counts
            except NeedsModulus as needed:
                if self.modulus % needed.by == 0 or lcm(self.modulus, needed.by) > MOST_MODULUS:
                    raise Refused(f"a remainder by {needed.by} of an integer that counts turns") from None
                self.modulus = lcm(self.modulus, needed.by)
            else:
                return Automaton(tuple(found.carried), tuple(found.turns))

    def _turns_from(self, found: _Found, mode: int) -> Iterator[Turn]:
        """Yield the turns from a mode."""
        if mode == 0:
            yield from self._followed(found, mode, self.begin(self._way(0)), asks=False)
            return
        key = list(found.modes)[mode]
        for answer in (0, 1) if self.reverse else (1, 0):
            known = self._way(found.carried[mode])
            known.answer = MORE, answer
            yield from self._followed(found, mode, self.again(key, known), asks=answer == 1)

    def _way(self, opened: int) -> _TurnWay:
        return _TurnWay(self.limits.decisions, self.meaning, opened)

    def _followed(self, found: _Found, mode: int, start: IdealMachine, *, asks: bool) -> Iterator[Turn]:
        """Yield the turns that begin with a machine."""
        lists = {place: len(value.items) for place, value, _ in _slots(start) if _is_list(value)} if mode else {}
        m: IdealMachine | None = start
        self.pending, count = [], len(found.turns)
        while m is not None or self.pending:
            if m is None:
                m = self.again(*self.pending.pop())
            try:
                m.run()
            except Fork as asked:
                if asked.mark != MORE:
                    self._fork(m, asked)
                    if len(self.pending) > MOST_TURNS:
                        raise Refused(f"a turn has more than {MOST_TURNS} ways") from None
                    continue
                yield self._head(found, mode, m, lists, asks=asks)
            except Ask:
                raise Refused("internal: a draw of bits is asked about on ideal noise", m.where()) from None
            else:
                yield Turn(mode, asks, self._whole(m, outcome_of(m)), winner=m.world.known.winner)
            m, count = None, count + 1
            if count + len(self.pending) > MOST_TURNS:
                raise Refused(f"the loop has more than {MOST_TURNS} turns that are not alike")

    def _head(self, found: _Found, mode: int, m: IdealMachine, lists: dict[Place, int], *, asks: bool) -> Turn:
        """Return the turn that ends at the head of the next one, where a machine is.

        Raises: _Grown.
        """
        grown = {
            place for place, value, _ in _slots(m) if _is_list(value) and len(value.items) > lists.get(place, 1 << 60)
        }
        if grown:
            raise _Grown(grown, set())
        for place, value, put in _slots(m):
            if place in self.logs and _is_list(value):
                value.__class__ = Log  # wherever it is held
            elif place in self.counts and value.__class__ is int:
                put(Turns(self.modulus, value))
            elif value.__class__ is int:
                found.values.setdefault(place, set()).add(value)
        many = {place for place, values in found.values.items() if len(values) > MOST_VALUES}
        if many:
            raise _Grown(set(), many)
        writer = _Mode(m)
        key, _ = encode(m, writer)
        if not all(map(_is_plain, writer.logs)):
            raise Refused("a list that a loop fills is given what can change later")
        released = [outcome(m, item) for item in writer.logs]
        target = found.modes.setdefault(key, len(found.modes))
        if target == len(found.carried):
            if target > MOST_MODES:
                raise Refused(f"the loop has more than {MOST_MODES} states that are not alike")
            found.carried.append(len(writer.carried))
        return Turn(mode, asks, self._whole(m, released), target, tuple(writer.carried), m.world.known.winner)

    def _whole(self, m: IdealMachine, released: Any) -> Path:
        """Return the way of a machine since its turn began.

        Raises: Refused for what is not followed from turn to turn.
        """
        path = self._path(m, released)
        if path.derived or path.narrowed or path.integers:
            raise Refused(
                "uniform noise that is more than compared, or discrete noise, in a loop over any number of turns"
            )
        return path


def _is_list(value: Value) -> bool:
    return value.__class__ is List and value.origin is None


def _is_plain(value: Value) -> bool:
    """Whether a value cannot change."""
    return (
        value.__class__ in SCALARS
        or is_ideal(value)
        or value.__class__ is Turns
        or (value.__class__ is tuple and all(map(_is_plain, value)))
    )


def read_turns(program: Any, **settings: Any) -> Automaton:
    """Return what a program does on lists of any length.

    Raises: Unauditable naming what is not followed, and its line.
    """
    try:
        return TurnsOf(program, **settings).automaton()
    except Refused as refused:
        raise Unauditable(f"on lists of any length, {refused}") from None
