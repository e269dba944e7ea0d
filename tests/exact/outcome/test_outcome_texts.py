"""An outcome is shown on one printable line, and no code of its own runs for it."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dpcert.mechanisms.exact.outcome import MAX_SHOWN, Raised, canonical, fresh, key, show
from dpcert.mechanisms.forms import order_key, to_json

from .outcomes import OUTCOMES, Box, Color, Point, nested


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
