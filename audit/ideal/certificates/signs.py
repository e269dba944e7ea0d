"""The signs of exact numbers, for the check of corners: at one epsilon, or for every one of a range.

Where epsilon is left open, exponents are multiples of it, and a sum is a polynomial in x = e^(epsilon/g) for an integer
g: that it is nowhere positive between two rational numbers is shown by Descartes' rule of signs, on halves of halves
where it must be.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm
from typing import Any

import flint

from dpcert.audit.ideal.certificates.checker import ONE, ZERO, Number, Sum, combined, need, number, rational, sign

BITS, DEPTH = 256, 200


def multiplied(x: Sum, y: Sum) -> Sum:
    """Return the product of two sums."""
    found: Sum = defaultdict(lambda: ZERO)
    for s, c in x.items():
        for t, d in y.items():
            found[s + t] += c * d
    return {s: c for s, c in found.items() if c}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A rational number times exact ones, each two lists of [i, b, s, c] for the sums of c epsilon^i e^(b epsilon + s)
    of which it is the quotient."""

    factor: Number
    exact: tuple[str, ...]

    def __rmul__(self, other: Number) -> Drawn:
        return Drawn(other * self.factor, self.exact)

    def __mul__(self, other: Any) -> Drawn:
        if isinstance(other, Drawn):
            return Drawn(self.factor * other.factor, (*self.exact, *other.exact))
        return Drawn(self.factor * other, self.exact)


def drawn(data: Any) -> list[Any]:
    """Return the weights that data is, exact ones among them. That these are at least 0, and that all weights of an
    input sum to 1, is what `Corners` checks."""
    if all(isinstance(each, str) for each in data):
        return rational(data)
    found = [Drawn(ONE, (json.dumps(each),)) if isinstance(each, list) else number(each) for each in data]
    need(all(isinstance(each, Drawn) or each > 0 for each in found), "a weight that is not above 0")
    return found


Quotient = tuple[Sum, Sum]
WHOLE: Sum = {ZERO: ONE}


def summed(parts: Sequence[Quotient]) -> Quotient:
    """Return the sum of quotients."""
    above: dict[frozenset[Any], Sum] = {}
    for each, below in parts:
        mark = frozenset(below.items())
        above[mark] = combined((ONE, above.get(mark, {})), (ONE, each))
    found: Quotient = {}, WHOLE
    for mark, each in above.items():
        below = dict(mark)
        found = (
            combined((ONE, multiplied(found[0], below)), (ONE, multiplied(each, found[1]))),
            multiplied(found[1], below),
        )
    return found


def need_whole(parts: Sequence[Quotient]) -> None:
    """Raises: NotShown, unless probabilities sum to 1."""
    above, below = summed(parts)
    need(combined((ONE, above), (-ONE, below)) == {}, "probabilities that do not sum to 1")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where signs are asked for: at one epsilon, or for every epsilon > 0 of a range; None for no greatest one."""

    is_open: bool = False
    low: Number = ZERO
    high: Number | None = None

    def need_nowhere_positive(self, found: Sum) -> None:
        """Raises: NotShown, unless a sum is shown to be nowhere positive."""
        if not self.is_open:
            need(sign(found) <= 0, "a corner is not within the claim")
        elif any(c > 0 for c in found.values()):
            need_nowhere_positive(found, self.low, self.high)

    def need_positive(self, found: Sum) -> None:
        """Raises: NotShown, unless a sum is shown to be positive everywhere."""
        need(bool(found), "a division by 0")
        shown = all(c >= 0 for c in _shifted(found)) if self.is_open else sign(found) > 0
        need(shown, "a denominator that is not shown to be positive")

    def exact(self, text: str) -> Quotient:
        """Return an exact number as a quotient that is shown to be at least 0."""
        above, below = (combined(*map(self._term, rows)) for rows in json.loads(text))
        self.need_positive(below)
        self.need_nowhere_positive(combined((-ONE, above)))
        return above, below

    def _term(self, row: Any) -> tuple[Number, Sum]:
        b, s, c = map(number, row[1:])
        need(row[0] == 0 and (s if self.is_open else b) == 0, "exponentials that are not decided together")
        return c, {b if self.is_open else s: ONE}


def _powers(found: Sum) -> tuple[list[Number], int]:
    """Return the coefficients of the polynomial in e^(epsilon/g) that a sum has the sign of, and g."""
    least = min(found)
    unit = lcm(*(int((b - least).q) for b in found))
    coefficients = [ZERO] * (int(((max(found) - least) * unit).p) + 1)
    for b, c in found.items():
        coefficients[int(((b - least) * unit).p)] = c
    return coefficients, unit


def _shifted(found: Sum) -> list[Number]:
    """Return the coefficients of the polynomial of a sum in e^(epsilon/g) - 1."""
    return list(flint.fmpq_poly(_powers(found)[0])(flint.fmpq_poly([1, 1])).coeffs())


def need_nowhere_positive(found: Sum, low: Number, high: Number | None) -> None:
    """Raises: NotShown, unless the sum of c e^(b epsilon) is shown to be nowhere positive in a range of epsilon > 0."""
    coefficients, unit = _powers(found)
    polynomial = _odd(flint.fmpq_poly(coefficients))
    with flint.ctx.workprec(BITS):
        start = ONE if low == 0 else (flint.arb(low) / unit).exp().lower().fmpq()
        end = None if high is None else (flint.arb(high) / unit).exp().upper().fmpq()
    if end is None:
        need(polynomial[polynomial.degree()] < 0, "a corner is not within the claim for a large epsilon")
        # A number beyond all real roots.
        lead = abs(polynomial[polynomial.degree()])
        end = max(start, ONE + max((flint.fmpq(abs(c), lead) for c in polynomial.coeffs()), default=ZERO)) + 1
    _need_below(polynomial, start, end)


def _odd(polynomial: Any) -> Any:
    """Return a polynomial of the same sign wherever it is not 0, all of whose roots are simple ones."""
    content, factors = polynomial.numer().factor_squarefree()
    found = flint.fmpz_poly([1 if content > 0 else -1])
    for factor, power in factors:
        found *= factor if power % 2 else 1
    return found


def _need_below(polynomial: Any, start: Number, end: Number) -> None:
    """Raises: NotShown, unless a polynomial with simple roots alone is shown to be nowhere positive between numbers."""
    pending = [(start, end, 0)]
    while pending:
        low, high, depth = pending.pop()
        middle = (low + high) / 2
        need(polynomial(middle) <= 0 and depth < DEPTH, "a corner is not within the claim for every epsilon")
        # How often the signs of coefficients change after (low, high) is taken to all positive numbers: no less than
        # the polynomial has roots there.
        moved = flint.fmpq_poly(polynomial)(flint.fmpq_poly([low, high - low]))
        turned = flint.fmpq_poly(list(reversed(moved.coeffs())))(flint.fmpq_poly([1, 1]))
        signs = [c > 0 for c in turned.coeffs() if c != 0]
        if sum(x != y for x, y in pairwise(signs)):
            pending += [(low, middle, depth + 1), (middle, high, depth + 1)]
