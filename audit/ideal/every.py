"""Claims for every epsilon at once, of programs whose scales are c/epsilon.

With h = epsilon in a unit, a claim is that functions f(h) = sum of c h^i e^(h b) are nowhere negative for h > 0. That
holds where all coefficients of the Taylor series of e^(-m h) f are at least 0, m the least exponent: finitely many are
computed, and from there on the greatest exponent outweighs the others. Elsewhere the first
coefficient that is not 0 outweighs the rest near 0, the greatest exponent does far away, and between them the balls of
python-flint show the sign, interval by interval. A value that touches 0 inside is not decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from itertools import product as choices
from math import comb, lcm, perm
from typing import Any, Literal

import flint

from dpcert.audit.ideal.compare import Exponentials, at
from dpcert.audit.ideal.decide import laws_in
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.normal import ball
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.signs import signs_over
from dpcert.mechanisms.ideal.terms import Number, Value, rational, scaled, total

MOST_INTERVALS, DEPTH, PRECISION = 5000, 60, 256
STEPS = 200
"""How often a place near 0, or far away, is moved on."""


Plain = dict[tuple[int, Fraction], Fraction]
Sign = Fraction | Literal[True] | None
"""True for a value that is nowhere negative, else a place where it is, or None where neither is known."""


def sign_on(value: Value, low: Fraction, high: Fraction | None) -> Sign:
    """Return the sign of a value for all h > 0 with low <= h <= high; with None for `high` there is no greatest h."""
    if not value:
        return True
    least, first = min(i for i, _ in value), min(b for _, b in value)
    plain = {(i - least, Fraction(b - first)): Fraction(c) for (i, b), c in value.items()}
    start = low
    if low == 0:
        start, positive = _near_zero(plain)
        if not positive:
            return start if high is None else min(start, high)
    end = high
    if end is None:
        end, positive = _far(plain)
        if not positive:
            return max(end, low)
    if start >= end:
        return True
    return _between(plain, start, end)


def _derivative_at_zero(value: Plain, n: int) -> Fraction:
    return sum((c * perm(n, i) * b ** (n - i) for (i, b), c in value.items() if i <= n), Fraction(0))


def _near_zero(value: Plain) -> tuple[Fraction, bool]:
    """Return a place up to which a value has the sign of its first derivative at 0 that is not 0, and whether that is
    positive.

    With m its order, the value is at least h^m/m! (f^(m)(0) - M h/(m + 1)), M a bound of the next derivative.
    """
    order = 0
    while (first := _derivative_at_zero(value, order)) == 0:
        order += 1
    exponentials, place = Exponentials(), Fraction(1)
    while True:
        most = Fraction(0)
        for (i, b), c in value.items():
            grown = exponentials.bounds(b * place, 64)[1]
            for j in range(min(i, order + 1) + 1):
                most += abs(c) * comb(order + 1, j) * perm(i, j) * place ** (i - j) * b ** (order + 1 - j) * grown
        if most * place < (order + 1) * abs(first):
            return place, first > 0
        place /= 2


def _far(value: Plain) -> tuple[Fraction, bool]:
    """Return a place from which on a value has the sign of its leading term, and whether that is positive.

    Every other term divided by it is c h^(i - most) e^(-(top - b) h), which decreases from (i - most)/(top - b) on.
    """
    top = max(b for _, b in value)
    most = max(i for i, b in value if b == top)
    lead = value[most, top]
    exponentials, place = Exponentials(), Fraction(1)
    while True:
        rest = Fraction(0)
        falls = True
        for (i, b), c in value.items():
            if (i, b) != (most, top):
                falls = falls and (b == top or place * (top - b) >= i - most)
                rest += abs(c / lead) * place ** (i - most) * exponentials.bounds(-(top - b) * place, 64)[1]
        if falls and rest < 1:
            return place, lead > 0
        place *= 2


def _between(value: Plain, low: Fraction, high: Fraction) -> Sign:
    slope: Plain = {}
    for (i, b), c in value.items():
        slope[i, b] = slope.get((i, b), Fraction(0)) + c * b
        if i:
            slope[i - 1, b] = slope.get((i - 1, b), Fraction(0)) + c * i
    pending = [(low, high, 0)]
    seen = 0
    with flint.ctx.workprec(PRECISION):
        terms, slopes = _balls(value), _balls(slope)
        while pending:
            start, end, depth = pending.pop()
            seen += 1
            middle, reach = ball((start + end) / 2), flint.arb(0, ball((end - start) / 2).upper())
            at_middle = _sum(terms, middle)
            if at_middle < 0:
                return (start + end) / 2
            if at_middle + _sum(slopes, middle + reach) * reach > 0:
                continue
            if depth >= DEPTH or seen > MOST_INTERVALS:
                return _negative(value, low, high)
            half = (start + end) / 2
            pending += [(start, half, depth + 1), (half, end, depth + 1)]
    return True


def _negative(value: Plain, low: Fraction, high: Fraction) -> Fraction | None:
    """Return an end of a range, or a place near its start, where a value is negative."""
    exponentials = Exponentials()
    typed: Value = {(i, b): c for (i, b), c in value.items()}
    for place in (low, high, *((high - low) * Fraction(1, 2**k) + low for k in range(1, STEPS, 7))):
        if place > 0 and exponentials.sign(at(typed, place)) < 0:
            return place
    return None


def _balls(value: Plain) -> list[tuple[Any, int, Any]]:
    return [(ball(c), i, ball(b)) for (i, b), c in value.items() if c]


def _sum(terms: list[tuple[Any, int, Any]], h: Any) -> Any:
    found = flint.arb(0)
    for c, i, b in terms:
        found += c * h**i * (b * h).exp()
    return found


FURTHEST = 1 << 14
"""The most Taylor coefficients that are computed."""
SHIFTS = (0, 1, 2, 4, 8, 16, 32)
"""The factors e^(s h) that are tried."""
MIXED = 10
"""The most outcomes whose part of delta may be of either sign."""


def nowhere_negative(value: Value) -> bool:
    """Return True only where a value is at least 0 for every h > 0; False says nothing."""
    if not value:
        return True
    low = min(i for i, _ in value)
    least = min(b for _, b in value)
    unit = lcm(*(Fraction(c).denominator for c in value.values()))
    whole = {(i - low, b - least): rational(Fraction(c) * unit) for (i, b), c in value.items()}
    return any(_all_coefficients({(i, b + shift): c for (i, b), c in whole.items()}) for shift in SHIFTS)


def _all_coefficients(value: Value) -> bool:
    """Whether all Taylor coefficients of a value with exponents i >= 0 and b >= 0 are at least 0.

    The n-th one times n! is the sum of c n(n-1)...(n-i+1) b^(n-i).
    """
    top = max(b for _, b in value)
    if top == 0:
        return all(c >= 0 for c in value.values())
    most = max(i for i, b in value if b == top)
    if value[most, top] < 0:
        return False
    known = 0
    count = 2 * max(i for i, _ in value) + 4
    while count <= FURTHEST:
        if any(coefficient < 0 for coefficient in _coefficients(value, known, count)):
            return False
        known = count
        if _outweighs(value, top, most, count):
            return True
        count *= 2
    return False


def _coefficients(value: Value, start: int, stop: int) -> Iterator[Number]:
    """Yield the Taylor coefficients from one place up to another, times a factorial each."""
    powers = [(i, b, c * (b ** (start - i) if start >= i else 1)) for (i, b), c in value.items()]
    for n in range(start, stop):
        yield sum(perm(n, i) * c for i, _, c in powers if i <= n)
        powers = [(i, b, c * b if n >= i else c) for i, b, c in powers]


def _outweighs(value: Value, top: Number, most: int, n: int) -> bool:
    """Whether from the n-th coefficient on the leading term outweighs all others together.

    Divided by the leading power top^(m - most) m(m-1)...(m-most+1), every other term's size only decreases from m = n
    on: its ratio of one step is (b/top) (m + 1 - most)/(m + 1 - i) <= 1 at n, and decreases itself.
    """
    rest = Fraction(0)
    for (i, b), c in value.items():
        if (i, b) == (most, top):
            continue
        if i > n or most > n:
            return False
        if b == 0:
            continue  # as i < n, it adds nothing from here on
        if b * (n + 1 - most) > top * (n + 1 - i):
            return False
        size = abs(Fraction(c)) * perm(n, i) / perm(n, most)
        rest += size * Fraction(b) ** (n - i) / Fraction(top) ** (n - most)
    return all(i < n for i, b in value if b == 0) and rest <= value[most, top]


TRIED = (*map(Fraction, (1, 4, 2, 16, 3, 8, 27, 64)), *(1 / Fraction(n) for n in (4, 16, 2, 8, 100)), Fraction(3, 4))
"""The epsilons at which a claim is tried first."""


@dataclass(frozen=True, slots=True)
class Range:
    """The epsilons > 0 from `low` to `high`; None for no greatest."""

    low: Fraction = Fraction(0)
    high: Fraction | None = None

    def __contains__(self, epsilon: Fraction) -> bool:
        return self.low <= epsilon and (self.high is None or epsilon <= self.high)

    def tried(self) -> list[Fraction]:
        """Return the epsilons at which a claim is tried first."""
        ends = [end for end in (self.low, self.high) if end]
        return [epsilon for epsilon in dict.fromkeys([*TRIED, *ends]) if epsilon in self]


EVERYWHERE = Range()


Case = tuple[tuple[int, int], ...]
"""Which probabilities, by number, face which others, each as often as it does."""


class Every:
    """A claim of `factor` times epsilon, for every epsilon, and the laws that decide it.

    Inputs, neighbours and delta are those of a claim at one epsilon. Probabilities are multiplied by `whole`.
    """

    def __init__(
        self, claim: Claim, paths: Sequence[Sequence[Path]], factor: Fraction, within: Range = EVERYWHERE
    ) -> None:
        self.inputs, self.pairs, self.delta = claim.inputs, list(claim.pairs()), claim.guarantee.delta
        self.factor, self.within = factor, within
        self.units = Units.of((path for row in paths for path in row), factor.denominator)
        if self.units.power != 1:
            raise Unauditable("no scale that decides the outcome is of the form c/epsilon")
        self.step = factor * self.units.rates * self.units.lengths
        self.values: list[Value] = [{}]
        self.numbers: dict[frozenset[Any], int] = {frozenset(): 0}
        chances = chances_of(paths, self.units)
        self.whole = chances.whole
        self.laws = laws_in(paths, chances, self._number)
        self.paths = sum(map(len, paths))

    def _number(self, value: Value) -> int:
        name = frozenset(value.items())
        if name not in self.numbers:
            self.numbers[name] = len(self.values)
            self.values.append(value)
        return self.numbers[name]

    def faced(self, a: int, b: int) -> list[tuple[Any, int, int]]:
        """Return the outcomes of input a with their probabilities, by number, on a and on b."""
        other = self.laws[b]
        return [(outcome, p, other[name][1] if name in other else 0) for name, (outcome, p) in self.laws[a].items()]

    def excess(self, p: int, q: int) -> Value:
        """Return p - e^(factor epsilon) q."""
        return total([self.values[p], scaled(self.values[q], -1, self.step)])

    def cases(self) -> dict[Case, tuple[int, int]]:
        """Return the kinds of pairs: of which probabilities face which others, with one pair of each kind."""
        if self.delta:
            return {tuple(sorted((p, q) for _, p, q in self.faced(a, b) if p != q)): (a, b) for a, b in self.pairs}
        found: dict[Case, tuple[int, int]] = {}
        for a, b in self.pairs:
            for _, p, q in self.faced(a, b):
                if p != q:
                    found.setdefault(((p, q),), (a, b))
        return found

    def sign(self, value: Value) -> Sign:
        """Return True where a value is at least 0 for every epsilon of the range, a place where it is not, or None."""
        if nowhere_negative(value):
            return True
        low, high = self.within.low, self.within.high
        start, end = self.units.h(low), None if high is None else self.units.h(high)
        with suppress(Unauditable):  # of a polynomial in an exponential, all roots are found
            terms = {(i, Fraction(b), Fraction(0)): Fraction(c) for (i, b), c in value.items()}
            places = signs_over(terms, start, end)
            if -1 in places:
                return places[-1]
            return True
        return sign_on(value, start, end)

    def judged(self, case: Iterable[tuple[int, int]]) -> Sign:
        """Return True where a kind of pair is within the claim for every epsilon, a place where it is not, or None."""
        parts = [self.excess(p, q) for p, q in case]
        if not self.delta:
            return _worst(self.sign(scaled(part, -1)) for part in parts)
        open_ = [part for part in parts if self.sign(scaled(part, -1)) is not True]
        always = [part for part in open_ if self.sign(part) is True]
        mixed = [part for part in open_ if part not in always]
        if len(mixed) > MIXED:
            return None
        return _worst(
            self.sign(total([scaled(self.whole, self.delta), *(scaled(part, -1) for part in [*always, *chosen])]))
            for kept in choices((False, True), repeat=len(mixed))
            for chosen in [list(compress(mixed, kept))]
        )

    def holds(self) -> bool:
        """Whether every kind of pair is shown to be within the claim for every epsilon of the range."""
        return all(self.judged(case) is True for case in self.cases())


def _worst(signs: Iterable[Sign]) -> Sign:
    """Return a place where a sign is wrong, else None where one is not known, else True."""
    worst: Sign = True
    for sign in signs:
        if sign is None:
            worst = None
        elif sign is not True:
            return sign
    return worst
