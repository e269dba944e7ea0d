"""The two readings of a formula: what it is worth on fractions is what the solvers make of its SMT-LIB text."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.proofs.adapters import cvc5, z3
from dpcert.proofs.terms import (
    Condition,
    Term,
    Values,
    choose,
    equal,
    every,
    greatest,
    implies,
    least,
    negation,
    positive_part,
    size,
    some,
)
from dpcert.proofs.theorem import Lemma, script

FORMULAS: dict[str, Callable[[Values], Any]] = {
    "sum": lambda v: v.x + v.y + 1 <= 2 + v.x,
    "reflected sum": lambda v: 1 + v.x - v.y < Fraction(1, 3) - v.y * 2,
    "difference": lambda v: 1 - v.x >= v.y - Fraction(1, 2),
    "quotient": lambda v: v.x / 3 > 2 / (v.y * v.y + 1),
    "quotient of integers": lambda v: equal(v.i / 2, v.x),
    "power": lambda v: v.x**3 - v.y**1 <= -v.x,
    "mixed": lambda v: v.i * v.x + v.i <= v.y + 2 * v.i,
    "integers": lambda v: 2 * v.i**2 > 3 - v.i,
    "equality": lambda v: equal(v.x, v.y),
    "difference from": lambda v: negation(equal(v.x, 1)),
    "least": lambda v: least(v.x, v.y, v.i, 1) >= -1,
    "greatest": lambda v: greatest(v.x, 0, v.y) < 1,
    "choose": lambda v: choose(v.x <= v.y, v.x, 2 * v.y) <= choose(v.i >= 0, v.i, -1),
    "size": lambda v: size(v.x - v.y) <= positive_part(v.i),
    "every and some": lambda v: every(v.x >= 0, some(v.y >= 0, v.i >= 1), True),
    "implies": lambda v: implies(v.x > v.y, every(v.x > 0, v.i > 0)),
    "nothing": lambda v: some(every(), v.x > 0),
}
SMALL = st.fractions(min_value=-2, max_value=2, max_denominator=3)


@pytest.mark.points(2)
@pytest.mark.parametrize("name", FORMULAS)
@given(x=SMALL, y=SMALL, i=st.integers(-2, 2))
def test_twin_the_solvers_agree_with_exact_arithmetic(name: str, x: Fraction, y: Fraction, i: int) -> None:
    formula = FORMULAS[name]
    at = {"x": lambda v: equal(v.x, x), "y": lambda v: equal(v.y, y), "i": lambda v: equal(v.i, i)}
    point = {"x": x, "y": y, "i": i}
    text = script(Lemma(name, name, ("x", "y"), at, formula, point, (), ("i",)))
    value = formula(Values(**{key: Fraction(number) for key, number in point.items()}))
    assert type(value) is bool
    expected = "unsat" if value else "sat"
    assert (z3.ask(text, 10).word, cvc5.ask(text, 10).word) == (expected, expected)


@pytest.mark.parametrize("value", [0.5, True, "1", None, 1j])
def test_refused_what_is_no_exact_number(value: object) -> None:
    with pytest.raises(TypeError, match="no place in a formula"):
        Term("x") + value
    with pytest.raises(TypeError, match="no place in a formula"):
        choose(Condition("c"), value, 1)


def test_refused_a_branch_on_a_condition() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        min(Term("x"), Term("y"))
    with pytest.raises(TypeError, match="no truth value"):
        assert 0 <= Term("x") <= 1


def test_numbers_are_written_in_the_sort_of_their_partner() -> None:
    assert (Term("i", integer=True) + 2).text == "(+ i 2)"
    assert (Term("x") + 2).text == "(+ x 2.0)"
    assert (Term("i", integer=True) - Fraction(-1, 3)).text == "(- (to_real i) (- (/ 1.0 3.0)))"
    assert (Term("i", integer=True) / 2).text == "(/ (to_real i) 2.0)"
