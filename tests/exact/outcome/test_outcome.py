"""Outcomes are told apart as a reader tells them apart: keys, bytes and order against a comparison part by part."""

import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.exact.outcome import Raised, canonical, fresh, key, show
from dpcert.mechanisms.forms import from_json, order_key, to_json

from .outcomes import DISTINCT, OUTCOMES, Color, nan, same


@pytest.mark.parametrize("identity", [key, canonical, order_key], ids=["key", "canonical", "order_key"])
def test_twin_distinct_outcomes_are_all_told_apart(identity: Callable[[Any], Any]) -> None:
    names = [identity(value) for value in DISTINCT]
    for (i, a), (j, b) in combinations(enumerate(names), 2):
        assert a != b, (show(DISTINCT[i]), show(DISTINCT[j]))
    assert [identity(fresh(value)) for value in DISTINCT] == names


def test_twin_the_twin_tells_the_distinct_outcomes_apart_too() -> None:
    assert all(same(value, value) for value in DISTINCT)
    assert not any(same(a, b) for a, b in combinations(DISTINCT, 2))


@pytest.mark.nightly
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
        assert (canonical(value), to_json(value), show(value), from_json({"decimal": "1.23456E+30"})) == expected


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
