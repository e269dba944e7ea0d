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


@dataclass(slots=True)
class Calls:
    """The calls of one law, by their bytes and the bits of the tail that they may leave.

    None stands for a call that is followed within its caller. `lost` says that some call left a tail, so that no law
    that is made of it is exact; `inside` are the codes that are being read, `failed` counts how often a code's calls
    could not be. Beyond `most` states, calls are followed.
    """

    most: int
    known: dict[tuple[bytes, int], Returns | None] = field(default_factory=dict)
    lost: bool = False
    states: int = 0
    inside: list[Any] = field(default_factory=list)
    failed: Counter[int] = field(default_factory=Counter)

    def ask(self, m: Any, bits: int, read: Callable[[bytes, int], Returns]) -> None:
        """Answer the call that is about to begin if it returns one value, or ask which; or leave it as it is.

        Raises: Called.
        """
        frame = m.frames[-1]
        if self.failed[id(frame.code)] >= MOST_FAILED or not self._apart(m, frame):
            return
        key = _bytes_of(m, frame)
        if key is None:
            return
        bits = -(-bits // ROUND) * ROUND
        if (key, bits) not in self.known:
            self.known[key, bits] = self._read(frame.code, key, bits, read)
        returns = self.known[key, bits]
        if returns is None:
            return
        if returns.whole and len(returns.values) == 1:
            answer(frame, returns.values[0][0])
            return
        self.lost |= not returns.whole
        raise Called(returns)

    def _apart(self, m: Any, frame: Frame) -> bool:
        """Whether a call sees nothing but its arguments, as far as this is seen at a glance."""
        fits = 1 < len(m.frames) <= MOST_FRAMES and len(self.inside) < MOST_NESTED and self.states < self.most
        if not fits or frame.generator is not None or frame.names is not None or in_flight(m) or is_changed(m):
            return False
        if any(isinstance(each, Record) and each.origin is None for each in frame.locals):
            return False
        return not any(code is frame.code for code in self._codes(m))

    def _codes(self, m: Any) -> Iterator[Any]:
        """The codes in progress, in the caller and around it: a call of one of these is followed."""
        yield from self.inside
        yield from (frame.code for frame in m.frames[:-1])

    def _read(self, code: Any, key: bytes, bits: int, read: Callable[[bytes, int], Returns]) -> Returns | None:
        with self._within(code):
            try:
                return read(key, bits)
            except Refused:
                self.failed[id(code)] += 1
                return None

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
    frame.place = next(place for place, op in enumerate(frame.code.ops) if op.name == "return_value")


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
