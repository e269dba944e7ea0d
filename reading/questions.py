"""Calls that see nothing but plain arguments, each asked about as one question: which value does it return?

Such a call starts from a frame that tells of no other record, while nothing that was there before is changed and no
exception is handled. So its bytes are all that it can see. It is read by itself, once for equal bytes, and may end in
one way: it returns a plain value, and leaves nothing behind. A call that does not is followed within its caller.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.reading.decode import Code
from dpcert.reading.errors import Refused
from dpcert.reading.keys import Writer, encode
from dpcert.reading.preludes import FILES
from dpcert.reading.solve import Mass
from dpcert.reading.values import SCALARS, Frame, Record, Value, changed

Name = tuple[bytes, int, bool]  # the bytes of a call, the bits of its tail, and whether some call left a tail before
MOST_NESTED, MOST_FRAMES = 8, 12  # so that calls within calls are nested no deeper than the machine's frames may be
MOST_STATES = 20_000
MOST_FAILED = 5
MOST_RECORDS = 1  # the frame of the call is all that its bytes tell of
ROUND = 16  # the bits of a call's tail are a multiple of this
GUARD = 40  # where a call leaves a tail, its masses are rounded down to so many bits below it


GENERATOR = 0x20  # the flag of a code object whose calls make a generator


def worth_reading(code: Code) -> bool:
    """Whether the calls of a function may be read by themselves: it is the program's, and has a loop."""
    loops = any(op.target is not None and op.target <= place for place, op in enumerate(code.ops))
    return loops and code.host.co_filename not in FILES and not code.host.co_flags & GENERATOR


class Called(BaseException):
    """A question: which value does the call return that is about to begin?"""

    def __init__(self, returns: Returns) -> None:
        self.returns = returns


@dataclass(frozen=True, slots=True)
class Returns:
    """What a call returns: each value with its mass. What the masses lack of 1 is the call's tail."""

    values: tuple[tuple[Value, Mass], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Read:
    """A call that was read whatever was read around it: its own states, its generators, and the calls that it asked."""

    returns: Returns
    states: int
    drawn: frozenset[int | str | None]
    asked: tuple[Name, ...]


@dataclass(slots=True)
class Calls:
    """The calls of one law, by their bytes and the bits of the tail that they may leave, and by `lost`.

    None stands for a call that is followed within its caller. `lost` says that some call left a tail, so that no law
    that is made of it is exact; `inside` are the codes that are being read, `failed` counts how often a code's calls
    could not be. Beyond `most` states, calls are followed.

    `shared` are calls that this law and others of the program read. A call is among them only if its name alone
    determines what was read: `bound` says that what is being read was not asked about for what is around it. Such a
    call is taken over with the calls that it asked, so that all is counted as if this law had read it.
    """

    most: int
    pins: Any
    shared: dict[Name, Read]
    known: dict[Name, Returns | None] = field(default_factory=dict)
    lost: bool = False
    bound: bool = False
    states: int = 0
    inside: list[Any] = field(default_factory=list)
    asked: list[dict[Name, None]] = field(default_factory=list)
    failed: Counter[int] = field(default_factory=Counter)

    def ask(self, m: Any, bits: int, read: Callable[[bytes, int], tuple[Returns, int]]) -> None:
        """Answer the call that is about to begin if it returns one value, or ask which; or leave it as it is.

        Raises: Called.
        """
        frame = m.frames[-1]
        if not self._apart(m, frame):
            return
        key = _bytes_of(m, frame)
        if key is None:
            return
        name = key, -(-bits // ROUND) * ROUND, self.lost
        if name not in self.known and not self._take(name):
            self.known[name] = self._read(frame.code, name, read)
        if self.asked:
            self.asked[-1][name] = None
        self.bound |= name not in self.shared  # what asks such a call is not to be shared either
        returns = self.known[name]
        if returns is None:
            return
        if returns.whole and len(returns.values) == 1:
            answer(frame, returns.values[0][0])
            return
        self.lost |= not returns.whole
        raise Called(returns)

    def _apart(self, m: Any, frame: Frame) -> bool:
        """Whether a call sees nothing but its arguments, as far as this is seen at a glance."""
        fits = 1 < len(m.frames) <= MOST_FRAMES and frame.generator is None and frame.names is None
        if not fits or in_flight(m) or is_changed(m):
            return False
        if any(isinstance(each, Record) and each.origin is None for each in frame.locals):
            return False
        if any(each.code is frame.code for each in m.frames[:-1]):  # a call of what is in progress is followed
            return False
        free = len(self.inside) < MOST_NESTED and self.states < self.most and self.failed[id(frame.code)] < MOST_FAILED
        free = free and not any(code is frame.code for code in self.inside)
        self.bound |= not free
        return free

    def _take(self, name: Name) -> bool:
        """Take over a call that another law read, with those that it asked; whether it was there."""
        found, waiting = dict[Name, Read](), [name]
        while waiting:
            each = waiting.pop()
            if each not in self.known and each not in found and each in self.shared:
                found[each] = self.shared[each]
                waiting += found[each].asked
        states = sum(each.states for each in found.values())
        if not found or self.failed.total() or self.states + states >= self.most:
            return False
        self.states += states
        self.known.update({each: read.returns for each, read in found.items()})
        for read in found.values():
            self.pins.drawn = read.drawn.union(self.pins.drawn)
        return True

    def _read(self, code: Any, name: Name, read: Callable[[bytes, int], tuple[Returns, int]]) -> Returns | None:
        before, drawn = self.bound, self.pins.drawn
        self.bound, self.pins.drawn = False, set()
        self.asked.append({})
        try:
            with self._within(code):
                returns, states = read(*name[:2])
            self.states += states
            if not self.bound and not self.failed.total() and self.states < self.most:
                own = frozenset(self.pins.drawn)
                self.shared[name] = Read(returns, states, own, tuple(self.asked[-1]))
            return returns
        except Refused:
            self.failed[id(code)] += 1
            return None
        finally:
            self.asked.pop()
            self.bound |= before
            self.pins.drawn = drawn | self.pins.drawn

    @contextmanager
    def _within(self, code: Any) -> Iterator[None]:
        self.inside.append(code)
        try:
            yield
        finally:
            self.inside.pop()


@dataclass(frozen=True, slots=True)
class _Alone:
    """A state that is one frame."""

    pins: Any
    heap: Any
    frames: tuple[Frame]
    over: dict[Any, Any] = field(default_factory=dict)
    guarded: tuple[Any, ...] = ()


def _bytes_of(m: Any, frame: Frame) -> bytes | None:
    """The bytes of a call that is about to begin, or None where it tells of another record than its frame."""
    after, frame.after = frame.after, None
    try:
        key, writer = encode(_Alone(m.pins, m.heap, (frame,)))
    except Refused:
        return None
    finally:
        frame.after = after
    return key if len(writer.records) <= MOST_RECORDS else None


def in_flight(m: Any) -> bool:
    """Whether an exception is handled, which a call would see as its context."""
    return m.handled() is not None


def is_changed(m: Any) -> bool:
    """Whether anything is not as it was before the program began."""
    return bool(m.over) or any(map(changed, m.heap.imports.values()))


def answer(frame: Frame, value: Value) -> None:
    """Have a call return a value at its next instruction."""
    frame.stack = [value]
    frame.place = frame.code.returning


def returned(m: Any) -> tuple[bytes, Value]:
    """The bytes of the value that a call returned, and the value.

    Raises: Refused for a call that raised, that left something behind, or that returned other than a plain value.
    """
    kind, value = m.result
    if kind != "value" or is_changed(m) or any(each.state == "suspended" for each in m.guarded) or not _plain(value):
        raise Refused("a call does more than to return a plain value")
    return marshal.dumps(Writer(m).form(value), 2), value


def _plain(value: Value) -> bool:
    if value.__class__ is tuple:
        return all(map(_plain, value))
    return value.__class__ in SCALARS


def weighed(values: list[Value], masses: list[Mass], bits: int) -> Returns:
    """Values with their masses: as they are where they sum to 1; else rounded down, for the rest is lost all the same.

    Claims: no mass is greater than it was.
    """
    weights, denominator = on_one_denominator(masses)
    if sum(weights) == denominator:
        return Returns(tuple(zip(values, masses, strict=True)), whole=True)
    unit = 1 << bits + GUARD
    tops = [mass.numerator * unit // mass.denominator for mass in masses]
    rounded = [(value, Mass(top, unit)) for value, top in zip(values, tops, strict=True) if top]
    return Returns(tuple(rounded), whole=False)
