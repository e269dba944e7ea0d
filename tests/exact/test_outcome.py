"""The registry of outcomes: identity, order, copies and written forms, against twins written here."""

import asyncio
import collections
import io
import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from enum import Enum, Flag, IntEnum, IntFlag
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, count, islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.outcome import (
    MAX_DEPTH,
    MAX_SHOWN,
    Raised,
    canonical,
    fresh,
    key,
    show,
)
from dpcert.mechanisms.forms import from_json, lenient_json, order_key, to_json


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


class Number(int):
    pass


class Text(str):
    __slots__ = ()


def nan(payload: int) -> float:
    value: float = struct.unpack(">d", struct.pack(">Q", 0x7FF8_0000_0000_0000 | payload))[0]
    return value


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


# Identity.


@pytest.mark.parametrize("identity", [key, canonical, order_key], ids=["key", "canonical", "order_key"])
def test_twin_distinct_outcomes_are_all_told_apart(identity: Callable[[Any], Any]) -> None:
    names = [identity(value) for value in DISTINCT]
    for (i, a), (j, b) in combinations(enumerate(names), 2):
        assert a != b, (show(DISTINCT[i]), show(DISTINCT[j]))
    assert [identity(fresh(value)) for value in DISTINCT] == names


def test_twin_the_twin_tells_the_distinct_outcomes_apart_too() -> None:
    assert all(same(value, value) for value in DISTINCT)
    assert not any(same(a, b) for a, b in combinations(DISTINCT, 2))


@given(OUTCOMES, OUTCOMES)
def test_twin_keys_bytes_and_order_agree_with_comparison_part_by_part(a: Any, b: Any) -> None:
    for x, y in (a, b), (a, fresh(a)):
        expected = same(x, y)
        assert (key(x) == key(y)) is expected
        assert (canonical(x) == canonical(y)) is expected
        assert (order_key(x) == order_key(y)) is expected
        assert not expected or hash(key(x)) == hash(key(y))


def test_twin_aliases_and_equal_spellings_are_one_outcome() -> None:
    assert key(Color.CRIMSON) == key(Color.RED)
    assert key(Fraction(2, 4)) == key(Fraction(1, 2))
    assert key(np.arange(6).reshape(2, 3)[:, ::2]) == key(np.arange(6).reshape(2, 3)[:, ::2].copy())
    assert canonical({8, 0}) == canonical({0, 8})


def test_twin_a_dictionary_merges_what_keys_keep_apart() -> None:
    values = [1, True, 1.0, np.int64(1), Fraction(1), Decimal(1), complex(1)]
    assert len(set(values)) == 1
    assert len({key(value) for value in values}) == len({key((value,)) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, b"none[]"),
        (True, b"1[]"),
        (127, b"int[1:\x7f]"),
        (-128, b"int[2:\xff\x80]"),
        (128, b"int[2:\x00\x80]"),
        ("é", b"str[2:\xc3\xa9]"),
        (b"a", b"bytes[1:a]"),
        ((1, "a"), b"tuple[7:str[0:]8:int[1:\x01]8:str[1:a]]"),
    ],
)
def test_twin_the_encoding_is_fixed_for_ever(value: Any, code: bytes) -> None:
    assert canonical(value) == code


def test_twin_no_encoding_begins_another() -> None:
    codes = sorted(canonical(value) for value in DISTINCT)
    assert not any(b.startswith(a) for a, b in pairwise(codes))


def test_twin_the_decimal_context_changes_nothing() -> None:
    value = Decimal("1.23456E+30")
    expected = canonical(value), to_json(value), show(value), from_json({"decimal": "1.23456E+30"})
    with localcontext() as context:
        context.prec, context.capitals = 2, 0
        assert (
            canonical(value),
            to_json(value),
            show(value),
            from_json({"decimal": "1.23456E+30"}),
        ) == expected


def test_twin_another_process_and_hash_seed_give_the_same_bytes_and_no_numpy() -> None:
    program = (
        "import sys; from dpcert.mechanisms.exact.outcome import *; from dpcert.mechanisms.forms import to_json; "
        "assert 'numpy' not in sys.modules; "
        "v = [{'a', 'b', 'c', 'd', None, 1.5}, frozenset('xyz'), {'k': (1, True)}, Raised('E', ('s',))]; "
        "print(canonical(v).hex(), to_json(v), fresh({3, 11, 19, 27}))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    value = [{"a", "b", "c", "d", None, 1.5}, frozenset("xyz"), {"k": (1, True)}, Raised("E", ("s",))]
    assert len(seen) == 1
    assert seen.pop().startswith(canonical(value).hex())


# Order.


def test_twin_order_is_natural_inside_a_type() -> None:
    chains: list[list[Any]] = [
        [0, 1, -1, 2, 10, 127, -127, 128, 1000, 10**30],
        [False, True],
        ["", "a", "b", "aa", "ab", "b" * 3],
        [b"", b"a", b"b", b"aa"],
        [[], [0], [1], [2], [0, 0], [0, 1], [1, 0], [0, 0, 0]],
        [(), (0,), (10,), (0, 0)],
        [0.0, -0.0, 0.5, 1.0, -1.0, 1.5, float("inf"), nan(0)],
        [set(), {0}, {2}, {10}, {0, 1}],
        [np.int64(0), np.int64(1), np.int64(2), np.int64(256), np.int64(257)],
        [np.array([1, 2]), np.array([1, 256])],
        [Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3)],
        [{}, {0: 0}, {0: 1}, {1: 0}],
    ]
    for chain in chains:
        backwards = chain[::-1]
        assert sorted(backwards, key=order_key) == chain
        assert all(order_key(a) < order_key(b) for a, b in pairwise(chain))


@given(st.lists(OUTCOMES, max_size=5), st.randoms())
def test_twin_order_is_total_and_independent_of_the_arrangement(values: list[Any], rng: Any) -> None:
    values += rng.sample(DISTINCT, 10)
    shuffled = rng.sample(values, len(values))
    assert [key(v) for v in sorted(values, key=order_key)] == [key(v) for v in sorted(shuffled, key=order_key)]
    assert sorted(map(order_key, values)) == sorted(map(order_key, shuffled))
    sizes = [len(canonical(value)) for value in sorted(values, key=order_key)]
    assert sizes == sorted(sizes)


# Copies.


@given(OUTCOMES)
def test_twin_a_copy_is_the_same_outcome(value: Any) -> None:
    copy = fresh(value)
    assert same(value, copy)
    assert key(value) == key(copy)


def mutable_parts(value: Any) -> Iterator[Any]:
    if type(value) in (list, dict, set, Box, Sealed, Handle, np.ndarray):
        yield value
    if type(value) in (list, tuple, set, frozenset, Point, Other):
        parts = list(value)
    elif type(value) is dict:
        parts = [*value.keys(), *value.values()]
    else:
        parts = [getattr(value, name) for name in getattr(value, "__dataclass_fields__", ()) if hasattr(value, name)]
    for part in parts:
        yield from mutable_parts(part)


@given(OUTCOMES)
def test_twin_a_copy_shares_nothing_that_can_change(value: Any) -> None:
    mine = {id(part) for part in mutable_parts(value)}
    assert not any(id(part) in mine for part in mutable_parts(fresh(value)))


def test_twin_changing_the_copy_leaves_the_value() -> None:
    value = [
        [1],
        {"a": [2]},
        {3},
        Box([4]),
        Point([5]),
        Raised("E", ([6],)),
        np.array([7]),
        Sealed([8]),
        ([9],),
    ]
    before = canonical(value)
    copy = fresh(value)
    copy[0].append(0)
    copy[1]["a"].append(0)
    copy[2].add(0)
    copy[3].x.append(0)
    copy[4].x.append(0)
    copy[5].args[0].append(0)
    copy[6][0] = 0
    copy[7].x.append(0)
    copy[8][0].append(0)
    assert canonical(value) == before
    assert all(key(a) != key(b) for a, b in zip(value, copy, strict=True))


def test_twin_atoms_are_returned_as_they_are() -> None:
    for value in (
        None,
        10**30,
        "text",
        b"bytes",
        1.5,
        Fraction(1, 3),
        Decimal("1.0"),
        Color.RED,
        np.int64(5),
    ):
        assert fresh(value) is value


def test_twin_parts_that_were_one_object_become_several() -> None:
    row = [1]
    a, b = fresh([row, row])
    assert a == b == row
    assert a is not b


def test_twin_copies_of_equal_sets_iterate_in_one_order() -> None:
    a, b = {8, 0}, {0, 8}
    assert list(a) != list(b)
    assert list(fresh(a)) == list(fresh(b))


def test_twin_an_unset_field_stays_unset() -> None:
    assert not hasattr(fresh(Late(1)), "y")


# JSON.

WRITTEN: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (-7, -7),
    (2**60, 2**60),
    (10**3999 - 1, 10**3999 - 1),
    (10**3999, {"int": hex(10**3999)}),
    (-(10**3999), {"int": hex(-(10**3999))}),
    ("é", "é"),
    ("\ud83d\ude00", {"str": "eda0bdedb880"}),
    (b"\x00\xff", {"bytes": "00ff"}),
    (1.5, {"float": "0x1.8p+0"}),
    (0.0, {"float": "0x0p+0"}),
    (-0.0, {"float": "-0x0p+0"}),
    (0.1, {"float": "0x1.999999999999ap-4"}),
    (float("-inf"), {"float": "-inf"}),
    (nan(5), {"float": "nan:0x7ff8000000000005"}),
    (complex(1, -0.0), {"complex": ["0x1p+0", "-0x0p+0"]}),
    (Fraction(-1, 2), {"fraction": "-1/2"}),
    (Fraction(3), {"fraction": "3/1"}),
    (Decimal("1.50"), {"decimal": "1.50"}),
    (Decimal("-sNaN3"), {"decimal": "-sNaN3"}),
    ((1, (True,)), {"tuple": [1, {"tuple": [True]}]}),
    ([], {"list": []}),
    ({10, 2}, {"set": [2, 10]}),
    (frozenset({"a"}), {"frozenset": ["a"]}),
    ({"b": 1, "a": [2]}, {"dict": [["b", 1], ["a", {"list": [2]}]]}),
    (Raised("ValueError", ("x",)), {"raised": {"type": "ValueError", "args": ["x"]}}),
    (Raised("E", (), (("n", (1,)),)), {"raised": {"type": "E", "args": [], "fields": [["n", {"tuple": [1]}]]}}),
]
ONE_WAY: list[tuple[Any, Any]] = [
    (Color.BLUE, {"enum": f"{__name__}.Color.BLUE"}),
    (Access(0), {"enum": f"{__name__}.Access.0"}),
    (Point(1, "a"), {"namedtuple": {"type": f"{__name__}.Point", "fields": [["x", 1], ["y", "a"]]}}),
    (Box([1]), {"dataclass": {"type": f"{__name__}.Box", "fields": [["x", {"list": [1]}], ["y", 0]]}}),
    (np.int64(1), {"numpy": {"dtype": "<i8", "shape": None, "data": "0100000000000000"}}),
    (np.array([[1], [2]], "u1"), {"numpy": {"dtype": "|u1", "shape": [2, 1], "data": "0102"}}),
    (
        np.array([[1, 3], [2, 4]], "u1", order="F"),
        {"numpy": {"dtype": "|u1", "shape": [2, 2], "data": "01030204", "order": "F"}},
    ),
]


@pytest.mark.parametrize(("value", "written"), WRITTEN + ONE_WAY)
def test_twin_json_forms(value: Any, written: Any) -> None:
    assert json.dumps(to_json(value)) == json.dumps(written)


@pytest.mark.parametrize(("value", "written"), WRITTEN)
def test_twin_json_forms_are_read_back(value: Any, written: Any) -> None:
    assert key(from_json(written)) == key(value)


@given(REBUILT)
def test_twin_json_round_trip_through_text(value: Any) -> None:
    text = json.dumps(to_json(value), sort_keys=True)
    back = from_json(json.loads(text))
    assert key(back) == key(value)
    assert key(lenient_json(json.loads(text))) == key(value)


def test_twin_json_texts_of_distinct_outcomes_differ() -> None:
    texts = [json.dumps(to_json(value)) for value in DISTINCT]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (1.5, """the JSON 1.5: a float is not the number it prints as; write {"float": "0x1.8p+0"}"""),
        (float("nan"), """write {"float": "nan:0x7ff8000000000000"}"""),
        (
            [1],
            "the JSON [1]: null, true, false, a string, an integer of less than 4,000 digits, or an object",
        ),
        ({}, "the JSON {}: null, true"),
        ({"tuple": [], "list": []}, "the JSON {'tuple': [], 'list': []}: null, true"),
        (10**3999, "the JSON <integer of 13285 bits>: null, true"),
        (-(10**3999), "the JSON <integer of 13285 bits>: null, true"),
        ({"int": "0x5"}, "the JSON {'int': '0x5'}: its one form; write 5"),
        (
            {"int": "five"},
            "the JSON {'int': 'five'}: a body that fits the key 'int'; write what to_json writes",
        ),
        ({"int": 5}, "a body that fits the key 'int'"),
        ({"str": "61"}, "the JSON {'str': '61'}: its one form; write 'a'"),
        ({"str": "ff"}, "a body that fits the key 'str'"),
        ("\ud800", "its one form; write {'str': 'eda080'}"),
        ({"bytes": "0"}, "a body that fits the key 'bytes'"),
        ({"bytes": "AA"}, "its one form; write {'bytes': 'aa'}"),
        ({"float": "1.5"}, "a body that fits the key 'float'"),
        ({"float": "0x1.80p+0"}, "its one form; write {'float': '0x1.8p+0'}"),
        ({"float": "0x1.00000000000001p+0"}, "a body that fits the key 'float'"),
        ({"float": "0x1p+99999"}, "a body that fits the key 'float'"),
        ({"float": "nan"}, "a body that fits the key 'float'"),
        ({"float": "nan:0x3ff0000000000000"}, "a body that fits the key 'float'"),
        ({"float": "nan:0x7ff8"}, "the JSON {'float': 'nan:0x7ff8'}"),
        ({"float": 1.5}, "a body that fits the key 'float'"),
        ({"complex": ["0x1p+0"]}, "a body that fits the key 'complex'"),
        ({"fraction": "2/4"}, "its one form; write {'fraction': '1/2'}"),
        ({"fraction": "1/0"}, "a denominator that is not zero"),
        ({"fraction": "x"}, "fraction = 'x'"),
        ({"fraction": "1" * 100_001 + "/1"}, "at most 100,000 digits"),
        ({"decimal": "x"}, "a body that fits the key 'decimal'"),
        ({"decimal": "1E99999999999999999999"}, "a body that fits the key 'decimal'"),
        ({"decimal": "1e3"}, "its one form; write {'decimal': '1E+3'}"),
        ({"tuple": 1}, "a body that fits the key 'tuple'"),
        ({"tuple": "ab"}, "a body that fits the key 'tuple'"),
        ({"tuple": [1.5]}, "a float is not the number it prints as"),
        (
            {"tuple": [{"list": [{"fraction": "2/4"}]}]},
            "its one form; write {'tuple': [{'list': [{'fraction': '1/2'}]}]}",
        ),
        ({"set": [1, 1]}, "elements and keys are hashable and differ"),
        ({"set": [1, True]}, "elements and keys are hashable and differ"),
        ({"set": [{"list": []}]}, "elements and keys are hashable and differ"),
        ({"set": [2, 1]}, "its one form; write {'set': [1, 2]}"),
        ({"dict": [[1, 2], [True, 3]]}, "elements and keys are hashable and differ"),
        ({"dict": [[1]]}, "a body that fits the key 'dict'"),
        ({"dict": ["ab"]}, "a body that fits the key 'dict'"),
        ({"dict": {"a": 1}}, "a body that fits the key 'dict'"),
        ({"raised": {"type": "E"}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "more": 1}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": 1, "args": []}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": [[1, 2]]}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": [["n"]]}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": []}}, "its one form"),
        ({"unknown": 1}, "the JSON {'unknown': 1}: a body that fits the key 'unknown'"),
        ({1: 1}, "a body that fits the key 1"),
        ({"enum": "os.system"}, 'the JSON key "enum": a value that can be rebuilt without looking up a name'),
        (
            {"dataclass": {}},
            'the JSON key "dataclass": a value that can be rebuilt without looking up a name',
        ),
        (
            {"namedtuple": {}},
            'the JSON key "namedtuple": a value that can be rebuilt without looking up a name',
        ),
        ({"numpy": {}}, 'the JSON key "numpy": a value that can be rebuilt without looking up a name'),
    ],
)
def test_refused_json(obj: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        from_json(obj)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def nested(depth: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value


def test_refused_json_that_is_nested_too_deep() -> None:
    deepest = nested(MAX_DEPTH + 1, lambda part: {"tuple": [part]})
    assert from_json(deepest) == nested(MAX_DEPTH + 1, lambda part: (part,))
    flat = nested(MAX_DEPTH + 1, lambda part: [part])
    assert lenient_json(flat) == flat
    for depth in (MAX_DEPTH + 2, 5000):
        obj = nested(depth, lambda part: {"tuple": [part]})
        with pytest.raises(InputError, match="an outcome nested at most 100 deep; write a flatter value"):
            from_json(obj)
        with pytest.raises(InputError, match="an outcome nested at most 100 deep; write a flatter value"):
            lenient_json(nested(depth, lambda part: [part]))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 3]", [1, 2, 3]),
        ('[[true, null], "a"]', [[True, None], "a"]),
        ('{"tuple": [[1], 2]}', ([1], 2)),
        ('{"dict": [["a", [1]]]}', {"a": [1]}),
        ('{"set": [10, 2]}', {2, 10}),
        ('{"fraction": "0.1"}', Fraction(1, 10)),
        ('{"fraction": "1/10"}', Fraction(1, 10)),
        ('{"float": "0x1.8000000000000p+0"}', 1.5),
        ('{"int": "17"}', 17),
        ("5", 5),
    ],
)
def test_twin_plain_json_from_a_command_line(text: str, value: Any) -> None:
    assert key(lenient_json(json.loads(text))) == key(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.1", """{"float": "0x1.999999999999ap-4"}, or {"fraction": "1/10"} for an exact number"""),
        ("[1, [2, 0.5]]", "the JSON 0.5: a float is not the number it prints as"),
        ("NaN", "a float is not the number it prints as"),
        ('{"float": "0.1"}', "a body that fits the key 'float'"),
        ('{"a": 1, "b": 2}', "or an object with one key"),
        ('{"dict": [[1, 2], [1.0, 2]]}', "a float is not the number it prints as"),
        ('{"dict": [[[1], 2]]}', "elements and keys are hashable and differ"),
        ('{"set": [1, 1]}', "elements and keys are hashable and differ"),
        ('{"enum": "a.B"}', "without looking up a name"),
        ("[" * 300 + "]" * 300, "nested at most 100 deep"),
    ],
)
def test_refused_plain_json(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        lenient_json(json.loads(text))
    assert message in str(refusal.value)


# Showing.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (-3, "-3"),
        (1 << 5000, "<integer of 5001 bits>"),
        (0.1, "0.1"),
        (1j, "1j"),
        ("a\nb", r"'a\nb'"),
        (b"a", "b'a'"),
        (Fraction(-1, 2), "Fraction(-1, 2)"),
        (Decimal("1.0"), "Decimal('1.0')"),
        (Color.RED, "Color.RED"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, "a"), "(1, 'a')"),
        ([1, [2]], "[1, [2]]"),
        ({10, 2}, "{2, 10}"),
        (set(), "set()"),
        (frozenset({1}), "frozenset(1)"),
        ({"a": 1, 2: [3]}, "{'a': 1, 2: [3]}"),
        ({}, "{}"),
        (Point(1, "a"), "Point(x=1, y='a')"),
        (Box([1]), "Box(x=[1], y=0)"),
        (Raised("ValueError", ("x",)), "raises ValueError('x')"),
        (Raised("E", ()), "raises E()"),
        (Raised("E", (1,), (("n", 2), ("str()", "t"))), "raises E(1, n=2, str()='t')"),
        (Raised("E", (), (("n", 2),)), "raises E(n=2)"),
        (np.int64(1), "np.int64(1)"),
        (np.float64(0.5), "np.float64(0.5)"),
        (np.array([[1, 2]], "<i4"), "np.ndarray([[1, 2]], '<i4')"),
        (nested(12, lambda part: [part]), "[" * 11 + "..." + "]" * 11),
        (list(range(1000)), str(list(range(1000)))[: MAX_SHOWN - 3] + "..."),
        ("x" * 1000, "'" + "x" * 116 + "..."),
    ],
)
def test_twin_shown_texts(value: Any, text: str) -> None:
    assert show(value) == text


@given(OUTCOMES)
def test_twin_shown_text_is_one_printable_line(value: Any) -> None:
    text = show(value)
    assert len(text) <= MAX_SHOWN
    assert text.isprintable()


def test_twin_showing_never_calls_foreign_code() -> None:
    @dataclass(repr=False)
    class Loud:
        x: int

        def __repr__(self) -> str:
            raise AssertionError("called")

        __str__ = __hash__ = __eq__ = __repr__  # type-checkers do not read tests

    value = Loud(1)
    assert show([value]).endswith("Loud(x=1)]")
    assert key(value) == key(fresh(value))
    assert canonical(value)
    assert order_key(value)
    assert to_json(value)


def test_twin_a_name_with_a_line_break_is_shown_on_one_line() -> None:
    assert show(Raised("Bad\nName", ())) == "raises Bad Name()"


# Refusals.


async def routine() -> int:
    return 1


def generator() -> Iterator[int]:
    yield 1


async def async_generator() -> Any:
    yield 1


class Awaitable:
    def __await__(self) -> Iterator[Any]:
        return iter(())


@dataclass
class WithMore:
    x: int

    @cached_property
    def y(self) -> int:
        return self.x


def with_more() -> WithMore:
    value = WithMore(1)
    assert value.y == 1
    return value


@dataclass
class Hidden(dict[Any, Any]):
    x: int


@dataclass
class Queue(collections.deque[int]):
    x: int = 0


class Tagged(Point):
    pass


def tagged() -> Tagged:
    value = Tagged(1)
    value.hidden = 1
    return value


class Struct(tuple[int, ...]):
    __slots__ = ()


def closed(value: Any) -> Any:
    value.close()
    return value


NAMED = "is not in the registry of outcomes"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Number(1), f"Number {NAMED}; return int(...) of it"),
        (Text("a"), f"Text {NAMED}; return str(...) of it"),
        (Struct((1,)), f"Struct {NAMED}; return tuple(...) of it"),
        (time.gmtime(0), f"time.struct_time {NAMED}; return tuple(...) of it"),
        (tagged(), f"Tagged {NAMED}; return tuple(...) of it"),
        (collections.OrderedDict(), f"collections.OrderedDict {NAMED}; return dict(...) of it"),
        (collections.Counter(), f"collections.Counter {NAMED}; return dict(...) of it"),
        (Hidden(1), f"Hidden {NAMED}; return dict(...) of it"),
        (
            with_more(),
            f"WithMore {NAMED}; it stores more than its fields: make them fields, or return a tuple",
        ),
        (Queue(), f"Queue {NAMED}; return list(...) of it"),
        (collections.deque(), f"collections.deque {NAMED}; return list(...) of it"),
        (range(3), f"type range {NAMED}; return list(...) of it"),
        (iter([]), f"type list_iterator {NAMED}; return list(...) of it"),
        (generator(), f"type generator {NAMED}; return list(...) of it"),
        (map(str, []), f"type map {NAMED}; return list(...) of it"),
        (zip(), f"type zip {NAMED}; return list(...) of it"),
        (filter(None, []), f"type filter {NAMED}; return list(...) of it"),
        (enumerate([]), f"type enumerate {NAMED}; return list(...) of it"),
        (count(), f"type itertools.count {NAMED}; return list(...) of it"),
        (islice([], 1), f"type itertools.islice {NAMED}; return list(...) of it"),
        ({}.keys(), f"type dict_keys {NAMED}; return list(...) of it"),
        ({}.values(), f"type dict_values {NAMED}; return list(...) of it"),
        ({}.items(), f"type dict_items {NAMED}; return list(...) of it"),
        (bytearray(), f"type bytearray {NAMED}; return bytes(...) of it"),
        (memoryview(b""), f"type memoryview {NAMED}; return bytes(...) of it"),
        (closed(routine()), f"type coroutine {NAMED}; await it, and return its result as a plain value"),
        (
            async_generator(),
            f"type async_generator {NAMED}; await it, and return its result as a plain value",
        ),
        (Awaitable(), f"Awaitable {NAMED}; await it, and return its result as a plain value"),
        (generator, f"type function {NAMED}; call it, and return its result"),
        (len, f"type builtin_function_or_method {NAMED}; call it, and return its result"),
        (partial(len), f"type functools.partial {NAMED}; call it, and return its result"),
        (int, f"type type {NAMED}; call it, and return its result"),
        (
            object(),
            f"type object {NAMED}; return what is published as numbers, strings, tuples, lists, dicts",
        ),
        (ValueError("x"), f"type ValueError {NAMED}; return what is published"),
        (io.StringIO(), f"type _io.StringIO {NAMED}; return list(...) of it"),
        (NotImplemented, f"type NotImplementedType {NAMED}; return what is published"),
        (np.array([object()]), f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it"),
        (np.array([(1, 2)], "i1,i8"), f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it"),
        (
            np.array([1], np.dtype("i8", metadata={"n": 1})),
            f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it",
        ),
        (np.longdouble(1), f"numpy.longdouble {NAMED}; return .tolist() or .astype(...) of it"),
        (np.ma.array([1]), f"{NAMED}; return list(...) of it"),
        (Fraction(np.int64(1), 3), f"fractions.Fraction {NAMED}; return Fraction(int(p), int(q))"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refused_values_outside_the_registry(value: Any, message: str) -> None:
    for identity in (key, canonical, order_key, fresh, to_json, show):
        for outcome in (value, [value], (0, {"a": value})):
            with pytest.raises(Unauditable) as refusal:
                identity(outcome)
            assert message in str(refusal.value)
            assert "\n" not in str(refusal.value)


def test_refused_pending_future() -> None:
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(Unauditable, match="await it"):
            key(loop.create_future())
    finally:
        loop.close()


@pytest.mark.parametrize("identity", [key, canonical, order_key, fresh, to_json])
def test_refused_nesting_beyond_the_limit(identity: Callable[[Any], Any]) -> None:
    wraps: list[Callable[[Any], Any]] = [
        lambda part: [part],
        lambda part: (part,),
        lambda part: {0: part},
        lambda part: frozenset({part}),
        Point,
        Box,
        lambda part: Raised("E", (part,)),
    ]
    for wrap in wraps:
        identity(nested(MAX_DEPTH + 1, wrap))
        for depth in (MAX_DEPTH + 2, 3000):
            if depth == 3000 and wrap(1) == frozenset({1}):
                continue  # Python itself cannot hash it
            with pytest.raises(Unauditable, match=r"^an outcome is nested more than 100 deep, or contains itself"):
                identity(nested(depth, wrap))


@pytest.mark.parametrize("identity", [key, canonical, order_key, fresh, to_json])
def test_refused_values_that_contain_themselves(identity: Callable[[Any], Any]) -> None:
    a: list[Any] = []
    a.append((1, a))
    b: dict[str, Any] = {}
    b["self"] = b
    c = Box(1)
    c.x = c
    for value in (a, b, c):
        with pytest.raises(Unauditable, match="or contains itself; return a flatter value"):
            identity(value)
        assert len(show(value)) <= MAX_SHOWN


# Speed, with wide margins.


def best_of(runs: int, action: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def test_speed_of_the_key_of_a_path() -> None:
    values = [0, "a", True, None, (1, "b"), (1, 2, 3, False)] * 1000
    assert best_of(5, lambda: [key(value) for value in values]) < 0.06


def test_speed_of_long_integers_and_deep_sets() -> None:
    long = 3**630_000
    deep = nested(60, lambda part: frozenset({part}))
    for identity in (key, canonical, order_key, fresh, to_json, show):
        assert best_of(3, partial(identity, long)) < 0.1
        assert best_of(3, partial(identity, deep)) < 0.5
