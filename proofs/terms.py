"""Formulas with two readings: on fractions they have a value, on terms they are written as SMT-LIB."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

Values = SimpleNamespace
"""The variables of a formula by name: fractions and integers in one reading, terms in the other."""

Formula = Callable[[Values], Any]
"""A condition on named values: a bool for fractions, a `Condition` for terms."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in SMT-LIB's words."""

    text: str

    def __bool__(self) -> bool:
        """Refuse to be a truth value: a formula that branches in Python has no SMT-LIB reading.

        Raises: TypeError always.
        """
        raise TypeError("a condition on terms has no truth value: write every, some, negation, implies or choose")


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A real or integer term in SMT-LIB's words, with the arithmetic and the order of numbers."""

    text: str
    integer: bool = False

    def __add__(self, other: object) -> Term:
        """Return the sum."""
        return _apply("+", self, other)

    def __radd__(self, other: object) -> Term:
        """Return the sum."""
        return _apply("+", other, self)

    def __sub__(self, other: object) -> Term:
        """Return the difference."""
        return _apply("-", self, other)

    def __rsub__(self, other: object) -> Term:
        """Return the difference."""
        return _apply("-", other, self)

    def __mul__(self, other: object) -> Term:
        """Return the product."""
        return _apply("*", self, other)

    def __rmul__(self, other: object) -> Term:
        """Return the product."""
        return _apply("*", other, self)

    def __truediv__(self, other: object) -> Term:
        """Return the quotient, a real. SMT-LIB gives a division by 0 some value: have a hypothesis exclude it."""
        return _apply("/", _real(self), other)

    def __rtruediv__(self, other: object) -> Term:
        """Return the quotient, a real."""
        return _apply("/", other, _real(self))

    def __neg__(self) -> Term:
        """Return the opposite."""
        return Term(f"(- {self.text})", self.integer)

    def __pow__(self, exponent: int) -> Term:
        """Return the product of `exponent` copies, from 1 on."""
        return self if exponent == 1 else Term(f"(* {' '.join([self.text] * exponent)})", self.integer)

    def __le__(self, other: object) -> Condition:
        """Return the condition that this is at most the other."""
        return _compare("<=", self, other)

    def __lt__(self, other: object) -> Condition:
        """Return the condition that this is less than the other."""
        return _compare("<", self, other)

    def __ge__(self, other: object) -> Condition:
        """Return the condition that this is at least the other."""
        return _compare(">=", self, other)

    def __gt__(self, other: object) -> Condition:
        """Return the condition that this is greater than the other."""
        return _compare(">", self, other)


def _real(term: Term) -> Term:
    return Term(f"(to_real {term.text})") if term.integer else term


def _numeral(value: Fraction | int, integer: bool) -> str:
    number = Fraction(value)
    point = "" if integer else ".0"
    text = f"{abs(number.numerator)}{point}"
    if number.denominator != 1:
        text = f"(/ {text} {number.denominator}{point})"
    return f"(- {text})" if number < 0 else text


def _written(*values: object) -> tuple[list[str], bool]:
    """Return the texts of terms and numbers in one sort, and whether that is the integers, as it is if all are."""
    sorts = [_is_integer(value) for value in values]
    integer = all(sorts)
    texts = []
    for value in values:
        if isinstance(value, Term):
            texts.append((value if integer else _real(value)).text)
        elif isinstance(value, int | Fraction):
            texts.append(_numeral(value, integer))
    return texts, integer


def _is_integer(value: object) -> bool:
    if isinstance(value, Term):
        return value.integer
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"a {type(value).__name__} has no place in a formula: pass a term, an int or a Fraction")
    return Fraction(value).denominator == 1


def _apply(sign: str, *values: object) -> Term:
    texts, integer = _written(*values)
    return Term(f"({sign} {' '.join(texts)})", integer)


def _compare(sign: str, *values: object) -> Condition:
    return Condition(f"({sign} {' '.join(_written(*values)[0])})")


def equal(a: Any, b: Any) -> Any:
    """Return whether two values are equal."""
    return _compare("=", a, b) if isinstance(a, Term) or isinstance(b, Term) else a == b


def _joined(word: str, conditions: tuple[Any, ...], alone: bool) -> Any:
    if not any(isinstance(condition, Condition) for condition in conditions):
        return all(conditions) if alone else any(conditions)
    texts = [c.text if isinstance(c, Condition) else str(bool(c)).lower() for c in conditions]
    return Condition(texts[0] if len(texts) == 1 else f"({word} {' '.join(texts)})")


def every(*conditions: Any) -> Any:
    """Return whether all conditions hold; without any, true."""
    return _joined("and", conditions, True)


def some(*conditions: Any) -> Any:
    """Return whether one of the conditions holds; without any, false."""
    return _joined("or", conditions, False)


def negation(condition: Any) -> Any:
    """Return whether a condition fails."""
    return Condition(f"(not {condition.text})") if isinstance(condition, Condition) else not condition


def implies(premise: Any, conclusion: Any) -> Any:
    """Return whether the conclusion holds or the premise fails."""
    return some(negation(premise), conclusion)


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where the condition holds, else `no`. Both are computed: neither may divide by 0."""
    if not isinstance(condition, Condition):
        return yes if condition else no
    (first, second), integer = _written(yes, no)
    return Term(f"(ite {condition.text} {first} {second})", integer)


def least(first: Any, *others: Any) -> Any:
    """Return the least of the values."""
    for other in others:
        first = choose(first <= other, first, other)
    return first


def greatest(first: Any, *others: Any) -> Any:
    """Return the greatest of the values."""
    for other in others:
        first = choose(first >= other, first, other)
    return first


def positive_part(value: Any) -> Any:
    """Return the value where it is above 0, else 0."""
    return greatest(value, 0)


def size(value: Any) -> Any:
    """Return the absolute value."""
    return greatest(value, -value)
