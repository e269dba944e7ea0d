"""Renyi divergences of a pair of laws, and the least zCDP parameter: certified bounds, from the exact profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import isqrt

from dpcert.audit.answer import Answer, Method
from dpcert.audit.hull import Pair, sides
from dpcert.audit.profile import Profile, Row
from dpcert.audit.recurrence import Scaled
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import ln_bounds, root_bounds

_BITS = 128
_LOWEST = Fraction(1, 1 << 20)


def renyi_bounds(pair: Profile, order: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return bounds of the Renyi divergence of p from q at a dyadic rational order > 1; None where it is infinite.

    Raises: InputError for another order.
    """
    if order <= 1 or order.denominator & (order.denominator - 1):
        raise InputError(given=f"order {order}", needed="a fraction > 1 over a power of two", remedy="round the order")
    if pair.p_only:
        return None
    lo, hi = _log_moment(pair.rows(), order)
    return max(Fraction(0), lo / (order - 1)), hi / (order - 1)


def renyi(pair: Pair, order: Fraction) -> Answer:
    """Return bounds of the Renyi divergence at a dyadic rational order > 1; `hi` is None where it is infinite.

    Raises: InputError for another order.
    """
    low, high = (renyi_bounds(side, order) for side in sides(pair))
    method: Method = "exact" if isinstance(pair, Profile) else "enclosed"
    return Answer(None if low is None else low[0], None if high is None else high[1], method)


def zcdp(pair: Pair, *, precision: Fraction = Fraction(1, 256), evaluations: int = 400) -> Answer:
    """Return bounds of the least rho for which p is rho-zCDP close to q: the supremum over orders a of D_a / a.

    For both orders of neighbours take the greater of two answers. `hi` is None where p has, or for a pair that is not
    exact may have, outcomes that q has not. For such a pair, lo and hi come from exact profiles that bound it.

    lo is D_a / a at the best order evaluated. For hi the orders are cut into cells. On a cell [a, b] the function
    f(a) = (a - 1) D_a is convex, so that f <= c + s x between its ends, and f / (x (x - 1)) is at most
    (sqrt(-c) - sqrt(-c - s))^2, or its greater value at the ends where the maximum is not between them; it is also at
    most D_b / a, as D rises. Beyond the last order, D is at most its limit, the logarithm of the greatest ratio.
    Refinement ends when hi <= (1 + precision) lo.
    """
    if not isinstance(pair, Profile):
        low, high = (zcdp(side, precision=precision, evaluations=evaluations) for side in sides(pair))
        return Answer(low.lo, high.hi, "enclosed")
    if pair.p_only:
        return Answer(None, None, "exact")
    limit = ln_bounds(max(pair.ratios), _BITS)[1]
    rows = pair.rows()
    start, end = _Order.of(rows, Fraction(1)), _Order.of(rows, Fraction(2))
    lo = end.rate_lo
    cells: list[tuple[Fraction, int, _Order, _Order | None]] = []
    heappush(cells, (-_most(start, end), 0, start, end))
    heappush(cells, (-limit / 2, 1, end, None))
    for count in range(2, 2 * evaluations, 2):
        most, _, left, right = cells[0]
        if -most <= (1 + precision) * lo or (right and right.at - left.at < _LOWEST):
            break
        heappop(cells)
        middle = _Order.of(rows, 2 * left.at if right is None else (left.at + right.at) / 2)
        lo = max(lo, middle.rate_lo)
        heappush(cells, (-_most(left, middle), count, left, middle))
        beyond = limit / middle.at if right is None else _most(middle, right)
        heappush(cells, (-beyond, count + 1, middle, right))
    return Answer(lo, max(lo, -cells[0][0]), "exact")


@dataclass(frozen=True, slots=True)
class _Order:
    """An order with bounds of f = (order - 1) times the divergence there."""

    at: Fraction
    lo: Fraction
    hi: Fraction

    @classmethod
    def of(cls, rows: Sequence[Row], at: Fraction) -> _Order:
        return cls(at, *(_log_moment(rows, at) if at > 1 else (Fraction(0), Fraction(0))))

    @property
    def rate_lo(self) -> Fraction:
        """A lower bound of the divergence over the order."""
        return max(Fraction(0), self.lo / (self.at * (self.at - 1)))

    @property
    def rate_hi(self) -> Fraction:
        """An upper bound of the divergence over the order."""
        return self.hi / (self.at * (self.at - 1))


def _most(left: _Order, right: _Order) -> Fraction:
    """Return an upper bound of the divergence over the order between two orders, of which the left may be 1."""
    rising = right.hi / (right.at - 1) / left.at
    if left.at == 1:
        return rising
    slope = (right.hi - left.hi) / (right.at - left.at)
    at_zero = left.hi - slope * left.at
    at_one = at_zero + slope
    if at_zero > 0 or at_one > 0:
        return rising
    # c/x^2 = (c + s)/(x - 1)^2 at the maximum of -c/x + (c + s)/(x - 1), for c = at_zero and c + s = at_one
    ends = max(left.rate_hi, right.rate_hi)
    before = at_one * left.at**2 >= at_zero * (left.at - 1) ** 2
    after = at_one * right.at**2 <= at_zero * (right.at - 1) ** 2
    if before or after:
        return min(rising, ends)
    return min(rising, -at_zero - at_one - 2 * root_bounds(at_zero * at_one, _BITS)[0])


def _log_moment(rows: Sequence[Row], order: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of the logarithm of the sum of q (p/q)**order, for a dyadic order > 1."""
    halvings = order.denominator.bit_length() - 1
    total = Scaled(0, 0, 0)
    for ratio, weight in rows:
        root = Scaled.of(ratio, ratio)
        for _ in range(halvings):
            root = _root(root)
        total = _plus(total, root**order.numerator * Scaled.of(weight, weight))
    return ln_bounds(total.below, _BITS)[0], ln_bounds(total.above, _BITS)[1]


def _root(x: Scaled) -> Scaled:
    """Return bounds of the square root."""
    shift = 256 + (x.exponent & 1)
    lo, hi = x.lo << shift, x.hi << shift
    top = isqrt(hi)
    return Scaled(isqrt(lo), top + (top * top < hi), (x.exponent - shift) // 2).rounded()


def _plus(a: Scaled, b: Scaled) -> Scaled:
    """Return bounds of the sum."""
    if not a.hi or not b.hi:
        return a if a.hi else b
    exponent = max(a.exponent, b.exponent)
    (a_lo, a_hi), (b_lo, b_hi) = a.at(exponent), b.at(exponent)
    return Scaled(a_lo + b_lo, a_hi + b_hi, exponent).rounded()
