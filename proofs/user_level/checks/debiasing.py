"""Checks of user-level-histograms, Section 5: the gain of debiasing a clipped Poisson count, by certified bounds."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import ceil, factorial, isqrt
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds, enclose
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.user_level.debiasing import (
    clipped_mean,
    clipped_slope,
    clipped_variance,
    debiased,
    inverse,
    poisson_mass,
)
from dpcert.proofs.check import check

RATES = tuple(map(Fraction, ("0", "1/2", "1", "2", "7/2")))
CLIPS = (1, 2, 3)
NOISE = Fraction(3)
"""The ratio of the noise: Pr[Z = z] is proportional to 3^-|z|."""
VARIANCE = 2 * NOISE / (NOISE - 1) ** 2

Case = tuple[tuple[Fraction, ...], int, Fraction]
"""The users' rates, the clip, and a cap on the rates."""


@cache
def cases() -> tuple[Case, ...]:
    """Return 1 or 2 users of every rate, 3 of every second one, each clip, and as cap the greatest rate, or 4."""
    found = []
    for n in (1, 2, 3):
        for rates, clip in product(combinations_with_replacement(RATES[:: 1 + n // 3], n), CLIPS):
            if max(rates):
                found += [(rates, clip, cap) for cap in sorted({max(rates), Fraction(4)})]
    return tuple(found)


def _mean(rates: Sequence[Fraction]) -> Fraction:
    return sum(rates, Fraction(0)) / len(rates)


def _spread(rates: Sequence[Fraction]) -> Fraction:
    """Return the variance of the rates among the users."""
    return _mean([rate**2 for rate in rates]) - _mean(rates) ** 2


def _average(bounds: Sequence[Bounds]) -> Bounds:
    return _mean([lo for lo, _ in bounds]), _mean([hi for _, hi in bounds])


def _clipped(rates: Sequence[Fraction], clip: int) -> Bounds:
    """Return bounds of the users' mean clipped count."""
    return _average([clipped_mean(rate, clip) for rate in rates])


def _spread_of_mean(rates: Sequence[Fraction], clip: int) -> Bounds:
    """Return bounds of the variance of the noisy mean of the clipped counts."""
    lo, hi = _average([clipped_variance(rate, clip) for rate in rates])
    n = len(rates)
    return lo / n + VARIANCE / n**2, hi / n + VARIANCE / n**2


def _masses(rate: Any, clip: int) -> list[Any]:
    """Return the law of min(Poi(rate), clip), in balls."""
    masses = [(-rate).exp() * rate**k / factorial(k) for k in range(clip)]
    return [*masses, 1 - sum(masses)]


def _convolved(rates: Sequence[Any], clip: int) -> list[Any]:
    sums: list[Any] = [1]
    for rate in rates:
        masses = _masses(rate, clip)
        longer: list[Any] = [0] * (len(sums) + clip)
        for place, mass in enumerate(sums):
            for step, more in enumerate(masses):
                longer[place + step] += mass * more
        sums = longer
    return sums


@cache
@cache
def debiased_error(case: Case) -> Bounds:
    """Return bounds of the mean squared error of Algorithm 4's estimate of the mean rate, noise included.

    Every sum of clipped counts is gone through, with the noise clamped to where the estimate is 0, or the cap.
    """
    rates, clip, cap = case
    n, mean = len(rates), _mean(rates)
    top = n * clip
    law = geometric_law(n=top, ratio=NOISE)
    squares = []
    for y in range(top + 1):
        lo, hi = debiased(Fraction(y, n), users=1, clip=clip, cap=cap)
        ends = sorted(((lo - mean) ** 2, (hi - mean) ** 2))
        squares.append((Fraction(0) if lo <= mean <= hi else ends[0], ends[1]))

    def formula(*balls: Any) -> Any:
        values, sums = balls[n:], _convolved(balls[:n], clip)
        return sum(
            (
                mass * sum((values[y] * p.numerator / p.denominator for y, p in law(s).items()), values[0] * 0)
                for s, mass in enumerate(sums)
            ),
            values[0] * 0,
        )

    return enclose(formula, *rates, *squares)


@cache
def clipped_error(case: Case) -> Bounds:
    """Return bounds of the mean squared error of the noisy clipped mean, unclamped: variance and bias squared."""
    rates, clip, _ = case
    mean, (lo, hi) = _mean(rates), _clipped(rates, clip)
    least, most = _spread_of_mean(rates, clip)
    return least + max(mean - hi, Fraction(0)) ** 2, most + (mean - lo) ** 2


@check("debias-concave")
def concave() -> Iterator[str]:
    """psi_C is concave between rates: the mean over users is at most psi_C of the mean rate, and that below it."""
    for rates, clip, _ in cases():
        (_, most), middle = _clipped(rates, clip), clipped_mean(_mean(rates), clip)
        if len(set(rates)) > 1 and most >= middle[0]:
            yield f"rates {rates}, C = {clip}: not below"
        if middle[0] > _mean(rates):
            yield f"rates {rates}, C = {clip}: above the rate"


def heterogeneity(rates: Sequence[Fraction], clip: int, cap: Fraction) -> Bounds:
    """Return bounds of (V/2) max over rates up to the cap of Pr[Poi = C - 1], which is at min(cap, C - 1)."""
    lo, hi = poisson_mass(min(cap, Fraction(clip - 1)), clip - 1)
    return _spread(rates) / 2 * lo, _spread(rates) / 2 * hi


@check("debias-bias")
def bias_bound() -> Iterator[str]:
    """psi_C(mean rate) is above the users' mean clipped count by at most (V/2) max Pr[Poi(rate) = C - 1]."""
    for rates, clip, cap in cases():
        low, high = _clipped(rates, clip)[0], clipped_mean(_mean(rates), clip)[1]
        if high - low > heterogeneity(rates, clip, cap)[1] + Fraction(1, 2**90):
            yield f"rates {rates}, C = {clip}, cap {cap}"


@check("debias-mode")
def mode() -> Iterator[str]:
    """Pr[Poi(rate) = C - 1] rises in the rate up to C - 1 and falls after; there it is at most 1/sqrt(2 pi (C - 1))."""
    for clip in range(2, 25):
        tries = [poisson_mass(Fraction(place * (clip - 1), 8), clip - 1) for place in range(20)]
        if any((a[1] >= b[0]) if place < 8 else (a[0] <= b[1]) for place, (a, b) in enumerate(pairwise(tries))):
            yield f"C = {clip}: not unimodal"
        stirling = enclose(lambda m: 1 / (8 * (m / m).atan() * m).sqrt(), clip - 1)
        if tries[8][1] > stirling[0]:
            yield f"C = {clip}: {float(tries[8][1])}"


@check("debias-error")
def error_bound() -> Iterator[str]:
    """Theorem 5.1: the squared error is at most that of the noisy mean from psi_C(mean rate), over kappa^2."""
    for case in cases():
        rates, clip, cap = case
        gap = max(clipped_mean(_mean(rates), clip)[0] - _clipped(rates, clip)[1], Fraction(0))
        allowed = (_spread_of_mean(rates, clip)[0] + gap**2) / clipped_slope(cap, clip)[1] ** 2
        if debiased_error(case)[1] > allowed:
            yield f"rates {rates}, C = {clip}, cap {cap}: {float(debiased_error(case)[0]):.4f}"


@check("debias-terms")
def three_terms() -> Iterator[str]:
    """Equation (1): noise, variance at most mean rate over n, and (V/2 max mass)^2, all over kappa^2."""
    for case in cases():
        rates, clip, cap = case
        n = len(rates)
        terms = VARIANCE / n**2 + _mean(rates) / n + heterogeneity(rates, clip, cap)[0] ** 2
        if debiased_error(case)[1] > terms / clipped_slope(cap, clip)[1] ** 2:
            yield f"rates {rates}, C = {clip}, cap {cap}"


@check("debias-under")
def under_assumption() -> Iterator[str]:
    """Equation (2): where the cap is C - 1 or less, kappa is 1/2 or more, and the mass is that at the cap."""
    for clip in range(2, 40):
        if clipped_slope(Fraction(clip - 1), clip)[0] < Fraction(1, 2):
            yield f"C = {clip}: kappa < 1/2"
    for case in cases():
        rates, clip, cap = case
        if cap <= clip - 1:
            n = len(rates)
            last = _spread(rates) / 2 * poisson_mass(cap, clip - 1)[0]
            if debiased_error(case)[1] > 4 * (VARIANCE / n**2 + _mean(rates) / n + last**2):
                yield f"rates {rates}, C = {clip}, cap {cap}"


@check("debias-variance")
def variance_below_rate() -> Iterator[str]:
    """Clipping does not raise the variance: Var min(Poi(rate), C) <= rate."""
    return (
        f"rate {rate}, C = {clip}"
        for rate, clip in product(RATES[1:], range(1, 15))
        if clipped_variance(rate, clip)[1] > rate
    )


@check("debias-lipschitz")
def lipschitz() -> Iterator[str]:
    """The inverse moves by at most 1/kappa for each unit of the mean."""
    for clip, cap in product((1, 2, 4), (Fraction(1), Fraction(3))):
        slope = clipped_slope(cap, clip)[0]
        ends = [(Fraction(clip * k, 12), inverse(Fraction(clip * k, 12), clip, cap=cap)) for k in range(13)]
        for (a, low), (b, high) in pairwise(ends):
            if (high[1] - low[0]) * slope > (b - a) + Fraction(1, 2**60):
                yield f"C = {clip}, cap {cap}, mean {a}"


def _debiased_limit(rates: Sequence[Fraction], clip: int, cap: Fraction) -> Bounds:
    """Return bounds of the limit of the debiased estimate as each user is repeated more and more often."""
    low, high = _clipped(rates, clip)
    return inverse(low, clip, cap=cap)[0], inverse(high, clip, cap=cap)[1]


@check("debias-gap")
def gap_in_the_limit() -> Iterator[str]:
    """The clipped mean is below the debiased limit, and that at most the mean rate: its error is never greater."""
    for rates, clip, cap in cases():
        (_, clipped), (low, high) = _clipped(rates, clip), _debiased_limit(rates, clip, cap)
        slack = Fraction(1, 2**60)
        if clipped >= low or high > _mean(rates) + slack:
            yield f"rates {rates}, C = {clip}, cap {cap}"


@check("debias-gap-many")
def gap_for_many() -> Iterator[str]:
    """With each user repeated k times the gap is at least its limit less 2 b r + r^2, r = sqrt(v/k)/kappa: above 0.

    Here b is the limit's bias and v/k the variance of the noisy mean. The debiased error is at most (b + r)^2
    (Minkowski), the clipped one at least its bias squared. Both are held against exact errors at k = 1.
    """
    for case in cases():
        rates, clip, cap = case
        mean, low = _mean(rates), _debiased_limit(rates, clip, cap)[0]
        bias, clipped = max(mean - low, Fraction(0)), mean - _clipped(rates, clip)[1]
        spread, slope = _spread_of_mean(rates, clip)[1], clipped_slope(cap, clip)[0]
        # A rational number that is at least the square root, by less than 2^-60 of a unit.
        reach = Fraction(isqrt(ceil(spread * 2**120)) + 1, 2**60) / slope
        if debiased_error(case)[1] > (bias + reach) ** 2:
            yield f"rates {rates}, C = {clip}, cap {cap}: more than (b + r)^2"
        if clipped_error(case)[1] < clipped**2:
            yield f"rates {rates}, C = {clip}: less than the bias"
        reach /= 2**30
        if clipped**2 - (bias + reach) ** 2 <= 0:
            yield f"rates {rates}, C = {clip}, cap {cap}: no gap for 2^60 times as many"


@check("debias-close")
def close_when_alike() -> Iterator[str]:
    """The debiased limit's bias is at most V max mass/(2 kappa): 0 for equal rates, and less than 1/10^6 for C = 30."""
    for rates, clip, cap in (*cases(), *((rates, 30, cap) for rates, clip, cap in cases()[:30:6])):
        bias = _mean(rates) - _debiased_limit(rates, clip, cap)[0]
        allowed = heterogeneity(rates, clip, cap)[1] / clipped_slope(cap, clip)[0] + Fraction(1, 2**60)
        if bias > allowed or (clip == 30 and allowed > Fraction(1, 10**6)):
            yield f"rates {rates}, C = {clip}, cap {cap}: {float(bias)} above {float(allowed)}"


@check("debias-alike")
def alike_users() -> Iterator[str]:
    """Of users alike the clipped mean keeps its bias, whatever their number; the debiased limit has none."""
    for rate, clip in product(RATES[1:], CLIPS):
        kept = rate - clipped_mean(rate, clip)[1]
        low, high = _debiased_limit((rate,), clip, Fraction(4))
        if kept <= 0 or not low <= rate <= high:
            yield f"rate {rate}, C = {clip}"
