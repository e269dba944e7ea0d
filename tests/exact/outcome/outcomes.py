"""What the tests of outcomes share: outcomes of every kind, and a comparison of two of them part by part."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from dpcert.mechanisms.exact.outcome import Raised


class Color(Enum):
    RED = 1
    BLUE = 2
    CRIMSON = RED


class Level(IntEnum):
    LOW = 1


class Access(Flag):
    READ = 1
    WRITE = 2


class Mask(IntFlag):
    ONE = 1


class Point(NamedTuple):
    x: Any
    y: Any = 0


class Other(NamedTuple):
    x: Any
    y: Any = 0


@dataclass
class Box:
    x: Any
    y: Any = 0


@dataclass(frozen=True, slots=True)
class Sealed:
    x: Any
    y: Any = 0


@dataclass(frozen=True)
class Both(Sealed):
    z: Any = 0


@dataclass(eq=False)
class Handle:
    x: Any


@dataclass(repr=False)
class Late:
    x: Any
    y: Any = field(init=False)


def nan(payload: int) -> float:
    return struct.unpack(">d", struct.pack(">Q", 0x7FF8_0000_0000_0000 | payload))[0]


DISTINCT: list[Any] = [
    *(None, False, True, 0, 1, -1, 2, 10, 127, 128, -128, 255, 256, 10**30, 1 << 4000),
    *(0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, float("inf"), float("-inf"), nan(0), nan(1), -nan(0)),
    *(0j, 1j, complex(0.0, -0.0), complex(-0.0, 0.0), complex(1, 0), complex(nan(0), 0), complex(nan(1), 0)),
    *("", "0", "1", "a", "None", "\x00", "ab", "int[1:\x01]", "\ud800", "\ud83d\ude00", "\U0001f600"),
    *(b"", b"0", b"1", b"a", b"\x00", b"ab"),
    *(Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(2, 1), Fraction(1, 10**400)),
    *map(Decimal, ("0", "1", "1.0", "-0", "0E+3", "1E+3", "1000", "NaN", "-NaN", "NaN7", "sNaN", "-Infinity")),
    *(Color.RED, Color.BLUE, Level.LOW, Access.READ, Access.WRITE, Access.READ | Access.WRITE, Access(0)),
    *(Mask.ONE, Mask(0), Mask(8), Mask(9)),
    *((), (1,), (True,), (1.0,), (1, 2), (2, 1), ((1,), 2), ((1, 2),), (1, (2,)), ("1", 2), (None,), ((),)),
    *([], [1], [True], [1, 2], [[1], 2], [[1, 2]], [(1,)], [[]]),
    *(set(), {1}, {True}, {1.0}, {1, 2}, {(1,)}, {nan(0)}, {nan(0), nan(0)}, {frozenset()}),
    *({Handle(1)}, {Handle(1), Handle(1)}),
    *(frozenset(), frozenset({1}), frozenset({True}), frozenset({frozenset()}), frozenset({frozenset({1})})),
    *({}, {1: 2}, {True: 2}, {1: 2, 3: 4}, {3: 4, 1: 2}, {1: [2]}, {1: {2: 3}}, {"x": 1, "y": 0}),
    *(Point(1), Point(True), Point(1, 1), Point((1,)), Other(1), Box(1), Box(True), Sealed(1), Sealed(1.0)),
    *(Late(1), Both(1), Both(2), Both(1, 2), Both(1, 0, 2)),
    *(Raised("ValueError", ()), Raised("ValueError", ("x",)), Raised("KeyError", ("x",))),
    *(Raised("E", ("x",)), Raised("E", (["x"],)), Raised("E", (), (("n", "x"),)), Raised("E", ("n",), (("x", 1),))),
    *(np.bool_(True), np.int8(1), np.int64(1), np.int64(2), np.uint64(1), np.float64(1), np.float32(1)),
    *(np.float64("nan"), np.float64(-0.0), np.complex128(1), np.str_("a"), np.str_("ab"), np.bytes_(b"a")),
    *(np.datetime64(1, "s"), np.datetime64(1, "D"), np.timedelta64(1, "s"), np.datetime64("NaT", "s")),
    *(np.array(1), np.array([1]), np.array([[1]]), np.array([1, 2]), np.array([[1, 2]])),
    *(np.array([[1], [2]]), np.array([1, 2], ">i8"), np.array([1, 2], "i4"), np.array([1.0, 2.0])),
    *(np.array(["a"]), np.array([], "i8"), np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]], order="F")),
    *(np.longlong(3), np.int64(3)),
]
"""Values that an adversary can tell apart, each of them from each other."""


def hashable() -> st.SearchStrategy[Any]:
    signaling = st.decimals().filter(lambda value: not value.is_snan())
    atoms = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=2), signaling)
    return st.one_of(atoms, st.tuples(atoms), st.tuples(atoms, atoms), st.frozensets(atoms, max_size=3))


ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 2),
    st.floats(),
    st.complex_numbers(),
    st.text(st.characters(exclude_categories=())),
    st.binary(),
    st.fractions(),
    st.decimals(),
)
REBUILT = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=3).map(lambda args: Raised("ValueError", tuple(args))),
        st.lists(st.tuples(hashable(), inner), max_size=3).map(dict),
        st.sets(hashable(), max_size=4),
        st.frozensets(hashable(), max_size=4),
    ),
    max_leaves=12,
)
OUTCOMES = st.recursive(
    st.one_of(REBUILT, st.sampled_from(DISTINCT)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.builds(Point, inner, inner),
        st.builds(Box, inner, inner),
        st.builds(Sealed, inner),
    ),
    max_leaves=4,
)


def same(a: Any, b: Any) -> bool:
    """The twin of `key`: whether two outcomes are the same, by comparing their parts one by one."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        layouts = [(x.dtype.str, x.dtype.char, x.shape, x.flags.fnc, x.tobytes()) for x in (a, b)]
        return layouts[0] == layouts[1]
    match a:
        case float():
            return struct.pack("d", a) == struct.pack("d", b)
        case complex():
            return same(a.real, b.real) and same(a.imag, b.imag)
        case Decimal():
            return a.as_tuple() == b.as_tuple()
        case Enum():
            return a is b
        case list() | tuple():
            return len(a) == len(b) and all(map(same, a, b))
        case dict():
            return same(list(a.items()), list(b.items()))
        case set() | frozenset():
            rest = list(b)
            for part in a:
                place = next((i for i, other in enumerate(rest) if same(part, other)), None)
                if place is None:
                    return False
                del rest[place]
            return not rest
        case Box() | Sealed() | Late() | Handle() | Raised():
            names = type(a).__dataclass_fields__
            return all(same(getattr(a, name, "unset"), getattr(b, name, "unset")) for name in names)
    return bool(a == b)


def nested(depth: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value
