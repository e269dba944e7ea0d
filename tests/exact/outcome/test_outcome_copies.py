"""A copy of an outcome is the same outcome, and shares nothing with it that can change."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given

from dpcert.mechanisms.exact.outcome import Raised, canonical, fresh, key

from .outcomes import OUTCOMES, Box, Color, Handle, Late, Other, Point, Sealed, same


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
    value = [[1], {"a": [2]}, {3}, Box([4]), Point([5]), Raised("E", ([6],)), np.array([7]), Sealed([8]), ([9],)]
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
    for value in (None, 10**30, "text", b"bytes", 1.5, Fraction(1, 3), Decimal("1.0"), Color.RED, np.int64(5)):
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
