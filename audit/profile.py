"""The privacy profile of a pair of laws, exactly: delta as a function of epsilon, piecewise linear in e^epsilon.

Privacy depends on two laws only through their likelihood ratio p/q. A profile keeps the probability that p and q give
to each ratio that occurs; every measure of privacy in this package follows from it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, compress, repeat
from math import gcd, lcm
from operator import floordiv, itemgetter, le, lshift, lt, neg, not_

from dpcert.audit.answer import Answer
from dpcert.audit.multiplicative import lattice, polynomial_power
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

BITS = 128
"""The default number of bits to which an irrational e^epsilon is bounded."""
_BITS = 30
"""A key is p/q with 30 bits behind the point, from the leading 30 bits of q: one digit of CPython's integers."""
_FLOATS = 1 << 53
"""Integers below it are floats, which are sorted faster."""

Row = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Profile:
    """The law of the likelihood ratio of p against q, both without a tail, in integers.

    Row i is a set of outcomes: p gives it p_weights[i] / p_denominator and q gives it q_weights[i] / q_denominator,
    both positive. `p_only` over `p_denominator` is the mass of p on outcomes that q never has, `q_only` over
    `q_denominator` that of q on outcomes that p never has.

    Claims: 2**30 p_weights[i] / q_weights[i] is above keys[i] - 1 - (keys[i] >> 29) and below keys[i] + 1, and
            keys descend. Rows of one key stand in any order, and rows of one ratio need not be one row.
            Profiles are equal iff they give each ratio one weight, however they are split into rows.
    Build one with `profile`, `Profile.from_weights` or `Profile.from_ratios`.
    """

    p_weights: tuple[int, ...]
    q_weights: tuple[int, ...]
    keys: tuple[int, ...]
    p_denominator: int
    q_denominator: int
    p_only: int
    q_only: int

    @classmethod
    def from_weights(
        cls, p: Sequence[int], q: Sequence[int], p_denominator: int, q_denominator: int, p_only: int, q_only: int
    ) -> Profile:
        """Return the profile of rows in any order, with the fields' meaning.

        Requires: positive weights; each law's weights sum, with its `p_only` or `q_only`, to its denominator.
        """
        keys = _keys(p, q)
        if any(map(lt, keys, keys[1:])):
            if all(map(le, keys, keys[1:])):
                p, q, keys = p[::-1], q[::-1], keys[::-1]
            else:
                ranks = list(map(float, keys)) if max(keys) < _FLOATS else keys
                order = sorted(range(len(keys)), key=ranks.__getitem__, reverse=True)
                p, q, keys = map(itemgetter(*order), (p, q, keys))
        return cls(tuple(p), tuple(q), tuple(keys), p_denominator, q_denominator, p_only, q_only)

    @classmethod
    def from_ratios(cls, rows: Iterable[Row], infinite: Fraction, zero: Fraction) -> Profile:
        """Return the profile that gives each finite positive ratio p/q this probability under q.

        Requires: pairs (ratio, probability), both positive; `infinite` is the mass that only p has, `zero` that only q
                  has.
        """
        pairs = [(ratio * weight, weight) for ratio, weight in rows]
        p_common = lcm(infinite.denominator, *(p.denominator for p, _ in pairs))
        q_common = lcm(zero.denominator, *(q.denominator for _, q in pairs))
        return cls.from_weights(
            [p.numerator * (p_common // p.denominator) for p, _ in pairs],
            [q.numerator * (q_common // q.denominator) for _, q in pairs],
            p_common,
            q_common,
            infinite.numerator * (p_common // infinite.denominator),
            zero.numerator * (q_common // zero.denominator),
        )

    @property
    def infinite(self) -> Fraction:
        """The probability under p of outcomes that q never has: the delta that no epsilon removes."""
        return Fraction(self.p_only, self.p_denominator)

    @property
    def zero(self) -> Fraction:
        """The probability under q of outcomes that p never has."""
        return Fraction(self.q_only, self.q_denominator)

    @property
    def bits(self) -> int:
        """The number of bits that the weights take together."""
        return sum(map(int.bit_length, self.p_weights)) + sum(map(int.bit_length, self.q_weights))

    def rows(self) -> list[Row]:
        """Return each ratio p/q that occurs with its probability under q, ratios descending, equal ones merged."""
        merged: dict[Fraction, int] = {}
        scale = Fraction(self.q_denominator, self.p_denominator)
        for p, q in zip(self.p_weights, self.q_weights, strict=True):
            ratio = Fraction(p, q)
            merged[ratio] = merged.get(ratio, 0) + q
        return [(ratio * scale, Fraction(q, self.q_denominator)) for ratio, q in sorted(merged.items(), reverse=True)]

    @property
    def ratios(self) -> tuple[Fraction, ...]:
        """The finite positive values of p/q, descending."""
        return tuple(ratio for ratio, _ in self.rows())

    def looks_scattered(self) -> bool:
        """Whether the ratios of the first row, the middle one and the last are not powers of one rational."""
        size, scale = len(self.keys), Fraction(self.q_denominator, self.p_denominator)
        rows = {0, size // 2, size - 1} if size else set()
        return bool(rows) and lattice([Fraction(self.p_weights[i], self.q_weights[i]) * scale for i in rows]) is None

    def __eq__(self, other: object) -> bool:
        """Whether the two profiles are the same function of epsilon, and so are the reversed ones."""
        if type(other) is not Profile:
            return NotImplemented
        ends = self.infinite == other.infinite and self.zero == other.zero
        return ends and self.rows() == other.rows()

    def __hash__(self) -> int:
        return hash((self.infinite, self.zero))

    def __repr__(self) -> str:
        return f"Profile({len(self.keys)} rows, {self.bits} bits)"

    def delta(self, ratio: Fraction | int) -> Fraction:
        """Return the least delta at e^epsilon = ratio, for any rational ratio >= 0."""
        above, below = self._threshold(ratio)
        return self._delta(above, below, *self._event(above, below, self._cut(above, below)))

    def delta_bounds(self, epsilon: Epsilon, *, bits: int = BITS) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an epsilon; equal where e^epsilon is rational."""
        size = self.keys[0].bit_length() if self.keys else 0
        skew = self.q_denominator.bit_length() - self.p_denominator.bit_length() + 1
        if epsilon.power_of_two_lo() > size - _BITS + skew:
            return self.infinite, self.infinite
        least, most = epsilon.exp_bounds(bits)
        if least == most:
            found = self.delta(least)
            return found, found
        p, q = self._threshold(1)
        high, low = ((p * ratio.numerator, q * ratio.denominator) for ratio in (most, least))
        cut, other = self._cut(*high), self._cut(*low)
        event = self._event(*high, cut)
        same = cut == other and cut[0] == cut[1]
        return self._delta(*high, *event), self._delta(*low, *(event if same else self._event(*low, other)))

    def delta_at(self, epsilon: object, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon, as `Epsilon.of` takes it; exact where e^epsilon is rational."""
        return Answer(*self.delta_bounds(Epsilon.of(epsilon), bits=bits), "exact")

    def least_ratio(self, delta: Fraction | int) -> Fraction | None:
        """Return the least e^epsilon >= 1 at which the pair is (epsilon, delta)-close; None where there is none.

        Every event with q > 0 needs a ratio of (p - delta)/q. Bisection by the order of keys finds a good event.
        Newton's method from there, from the left on a convex function, ends at the best event.
        """
        if delta < self.infinite:
            return None
        scale, spare = self._threshold(1), delta.denominator
        p_sums, q_sums = list(accumulate(self.p_weights)), list(accumulate(self.q_weights))
        budget = delta.numerator * self.p_denominator - self.p_only * spare
        cut = max(0, budget.bit_length() - spare.bit_length() - 2 * BITS)
        near = budget >> cut

        def beyond(i: int) -> bool:
            p, q = self.p_weights[i], self.q_weights[i]
            if p * scale[1] <= q * scale[0]:
                return True
            size = max(0, q.bit_length() - 2 * BITS)
            return ((p_sums[i] >> cut) - (p * (q_sums[i] >> size) // (q >> size) >> cut)) * spare > near

        i = bisect_left(range(len(self.keys)), True, key=beyond) - 1
        top = bottom = 1
        if i >= 0:
            wanted = (p_sums[i] * spare - budget) * scale[1]
            top, bottom = max(1 << BITS, (wanted << BITS) // (q_sums[i] * scale[0] * spare)), 1 << BITS
        while True:
            above, below = top * scale[0], bottom * scale[1]
            p, q = self._event(above, below, self._cut(above, below), (p_sums, q_sums))
            excess = p * spare - budget
            if excess * below <= above * q * spare:
                return Fraction(top, bottom)
            top, bottom = excess * scale[1], q * scale[0] * spare

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon at a delta as an answer; both its bounds are None where there is none."""
        found = self.least_ratio(delta)
        return Answer(found, found, "exact")

    def breakpoints(self) -> list[tuple[Fraction, Fraction]]:
        """Return (e^epsilon, delta) at every point where the profile bends, e^epsilon ascending.

        Between them it is linear; it is 1 at e^epsilon = 0 and `infinite` beyond the last.
        """
        found: list[tuple[Fraction, Fraction]] = []
        p, q = self.infinite, Fraction(0)
        for at, weight in self.rows():
            found.append((at, p - at * q))
            p, q = p + at * weight, q + weight
        return found[::-1]

    def trade_off(self) -> list[tuple[Fraction, Fraction]]:
        """Return the vertices (type I error, least type II error) of testing q against p, type I ascending.

        The curve through them is convex; it starts at type I error 0 and ends at type II error 0.
        """
        alpha, beta = Fraction(0), 1 - self.infinite
        found = [(alpha, beta)]
        for at, weight in self.rows():
            alpha, beta = alpha + weight, beta - at * weight
            found.append((alpha, beta))
        return found

    def reversed(self) -> Profile:
        """Return the profile of q against p."""
        turned = (self.q_weights, self.p_weights, self.q_denominator, self.p_denominator, self.q_only, self.p_only)
        return Profile.from_weights(*turned)

    def compose(self, other: Profile) -> Profile:
        """Return the profile of the two pairs observed together, independently: ratios multiply, equal ones merge."""
        merged: dict[Fraction, Fraction] = {}
        others = other.rows()
        for a, u in self.rows():
            for b, v in others:
                merged[a * b] = merged.get(a * b, Fraction(0)) + u * v
        both = 1 - (1 - self.infinite) * (1 - other.infinite), 1 - (1 - self.zero) * (1 - other.zero)
        return Profile.from_ratios(merged.items(), *both)

    def power(self, times: int) -> Profile:
        """Return the profile of `times` independent observations of this pair.

        Where all ratios are powers of one rational, it takes the n-th power of two integer polynomials, by a recurrence
        of n times their degree steps. Else it uses repeated squaring.

        Raises: InputError unless times >= 1.
        """
        if type(times) is not int or times < 1:
            raise InputError(given=f"{times} compositions", needed="an int >= 1", remedy="give how many there are")
        if times == 1:
            return self
        rows = self.rows()
        found = lattice([ratio for ratio, _ in rows])
        if found is None:
            half = self.power(times // 2)
            whole = half.compose(half)
            return whole.compose(self) if times % 2 else whole
        _, exponents = found
        least, width = exponents[-1], exponents[0] - exponents[-1] + 1
        sides = []
        for weights in ([ratio * weight for ratio, weight in rows], [weight for _, weight in rows]):
            common = lcm(*(weight.denominator for weight in weights))
            coefficients = [0] * width
            for exponent, weight in zip(exponents, weights, strict=True):
                coefficients[exponent - least] = weight.numerator * (common // weight.denominator)
            sides.append((polynomial_power(coefficients, times), common**times, sum(coefficients) ** times))
        (p, p_common, p_sum), (q, q_common, q_sum) = sides
        return Profile.from_weights(
            [c for c in reversed(p) if c],
            [c for c in reversed(q) if c],
            p_common,
            q_common,
            p_common - p_sum,
            q_common - q_sum,
        )

    def _threshold(self, ratio: Fraction | int) -> tuple[int, int]:
        """Return (a, b): p/q as probabilities exceeds the ratio iff p/q as weights exceeds a/b."""
        common = gcd(self.p_denominator, self.q_denominator)
        return ratio.numerator * (self.p_denominator // common), ratio.denominator * (self.q_denominator // common)

    def _cut(self, above: int, below: int) -> tuple[int, int]:
        """Return (i, j): rows before i have weights p/q above this ratio, rows from j on have none; by keys alone."""
        floor = (above << _BITS) // below
        sure = floor + 3 + (floor >> _BITS - 2)
        return bisect_right(self.keys, -sure, key=neg), bisect_right(self.keys, -floor, key=neg)

    def _event(
        self, above: int, below: int, cut: tuple[int, int], sums: tuple[list[int], list[int]] | None = None
    ) -> tuple[int, int]:
        """Return the weights of the rows whose p/q, as weights, exceeds above/below, given its cut; `sums` are running
        sums of all weights, where they are known."""
        first, last = cut
        if sums and first:
            p, q = sums[0][first - 1], sums[1][first - 1]
        else:
            p, q = sum(self.p_weights[:first]), sum(self.q_weights[:first])
        for i in range(first, last):
            if self.p_weights[i] * below > above * self.q_weights[i]:
                p, q = p + self.p_weights[i], q + self.q_weights[i]
        return p, q

    def _delta(self, above: int, below: int, p: int, q: int) -> Fraction:
        """Return (p + p_only) / p_denominator less q times the ratio, which is above/below as of weights."""
        return Fraction((self.p_only + p) * below - above * q, self.p_denominator * below)


def profile(p: Dist, q: Dist) -> Profile:
    """Return the privacy profile of p against q.

    Raises: InputError where a law has a tail: its profile is not known.
    """
    if p.tail_weight or q.tail_weight:
        raise InputError(given="a law with a tail", needed="whole laws", remedy="write its loop with coins.loop")
    (names, x), (theirs, y) = p.unzipped(), q.unzipped()
    size = min(len(names), len(theirs))
    if names[:size] == theirs[:size]:
        ends = p.denominator, q.denominator, sum(x[size:]), sum(y[size:])
        return Profile.from_weights(x[:size], y[:size], *ends)
    ps, qs = dict(zip(names, x, strict=True)), dict(zip(theirs, y, strict=True))
    others = list(map(qs.get, ps))
    shared, weights = list(filter(None, others)), list(compress(ps.values(), others))
    p_only = sum(compress(ps.values(), map(not_, others)))
    q_only = q.denominator - sum(shared) if len(shared) < len(qs) else 0
    return Profile.from_weights(weights, shared, p.denominator, q.denominator, p_only, q_only)


def _keys(p: Sequence[int], q: Sequence[int]) -> list[int]:
    """Return about 2**30 p/q for each row.

    For n = bit_length(q) >= 60 let A = floor(p / 2**(n - 60)) and B = floor(q / 2**(n - 30)), of 30 bits. The key is
    k = floor(A/B): 2**30 p/q < (A + 1)/B <= k + 1, and 2**30 p/q > A/(B + 1) >= k - k/(B + 1). For smaller q the
    key is floor(2**30 p/q).
    """
    if max(q, default=0).bit_length() < 2 * _BITS:
        return list(map(floordiv, map(lshift, p, repeat(_BITS)), q))
    return [
        (a >> n - 2 * _BITS) // (b >> n - _BITS) if n >= 2 * _BITS else (a << _BITS) // b
        for a, b, n in zip(p, q, map(int.bit_length, q), strict=True)
    ]
