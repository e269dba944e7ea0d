"""The bias of clipping, for Poisson counts: the mean of a clipped count, and its inverse by certified bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import factorial

from dpcert.mechanisms.adapters.balls import Bounds, enclose
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.geometric import geometric

BITS = 128
"""The default precision of exponentials."""


def _weighted(rate: Fraction, weights: Sequence[int], bits: int) -> Bounds:
    """Return bounds of e^-rate times the sum of weight_k rate^k / k!, the mean of weights >= 0 under Poi(rate)."""
    total = sum((weight * rate**k / factorial(k) for k, weight in enumerate(weights)), Fraction(0))
    lo, hi = enclose(lambda x: (-x).exp(), rate, bits=bits)
    return lo * total, hi * total


def _require(rate: Fraction, clip: int) -> None:
    if rate < 0 or clip < 1:
        raise InputError(
            given=f"a Poisson rate of {rate}, clip={clip}",
            needed="a rate >= 0 and an integer clip >= 1",
            remedy="take clip=1 or more",
        )


def poisson_mass(rate: Fraction, value: int, *, bits: int = BITS) -> Bounds:
    """Return bounds of Pr[Poi(rate) = value], for value >= 0.

    Raises: InputError for a negative rate.
    """
    _require(rate, 1)
    return _weighted(rate, [0] * value + [1], bits)


def clipped_mean(rate: Fraction, clip: int, *, bits: int = BITS) -> Bounds:
    """Return bounds of psi_C(rate) = E min(Poi(rate), C) = C - e^-rate sum over k < C of (C - k) rate^k / k!.

    Claims: psi_C is 0 at 0, rises, is concave, and stays below C and below the rate.
    Source: user-level-histograms, Section 5, Algorithm 4.
    Raises: InputError for a negative rate, or a clip that is not at least 1.
    """
    _require(rate, clip)
    lo, hi = _weighted(rate, range(clip, 0, -1), bits)
    return clip - hi, clip - lo


def clipped_slope(rate: Fraction, clip: int, *, bits: int = BITS) -> Bounds:
    """Return bounds of psi_C'(rate) = Pr[Poi(rate) <= C - 1]; psi_C'' is -Pr[Poi(rate) = C - 1].

    Raises: InputError as for `clipped_mean`.
    """
    _require(rate, clip)
    return _weighted(rate, [1] * clip, bits)


def clipped_variance(rate: Fraction, clip: int, *, bits: int = BITS) -> Bounds:
    """Return bounds of the variance of min(Poi(rate), C).

    It equals the variance of C - min(Poi(rate), C), whose square has a mean of finitely many terms.

    Raises: InputError as for `clipped_mean`.
    """
    _require(rate, clip)
    short_lo, short_hi = _weighted(rate, range(clip, 0, -1), bits)
    square_lo, square_hi = _weighted(rate, [k * k for k in range(clip, 0, -1)], bits)
    return square_lo - short_hi**2, square_hi - short_lo**2


def inverse(mean: Fraction, clip: int, *, cap: Fraction, bits: int = 64) -> Bounds:
    """Return bounds, at most 2^-bits apart, of the rate in [0, cap] at which a clipped count has a mean.

    As in Algorithm 4, where noise may move the mean, a mean of 0 or less has the rate 0, and a mean of psi_C(cap) or
    more has the rate `cap`. Every comparison of the mean with psi_C at a rational rate is certain: e^-rate is refined
    until the two differ. At a rate above 0 they do, as psi_C is irrational (Lindemann).

    Requires: cap > 0.
    Source:   user-level-histograms, Algorithm 4.
    Raises:   InputError as for `clipped_mean`, and unless cap > 0.
    """
    _require(cap, clip)
    if cap == 0:
        raise InputError(given="cap=0", needed="a greatest rate above 0", remedy="take one that no user exceeds")
    if mean <= 0:
        return Fraction(0), Fraction(0)
    if _reaches(mean, cap, clip):
        return cap, cap
    low, high = Fraction(0), cap
    while high - low > Fraction(1, 1 << bits):
        middle = (low + high) / 2
        low, high = (middle, high) if _reaches(mean, middle, clip) else (low, middle)
    return low, high


def _reaches(mean: Fraction, rate: Fraction, clip: int) -> bool:
    """Whether a mean is psi_C(rate) or more, for a rate above 0."""
    bits = BITS
    while True:
        lo, hi = clipped_mean(rate, clip, bits=bits)
        if mean >= hi:
            return True
        if mean < lo:
            return False
        bits *= 2


def debiased(total: Fraction | int, *, users: int, clip: int, cap: Fraction, bits: int = 64) -> Bounds:
    """Return bounds of Algorithm 4's estimate of the users' mean rate, from a released sum of their clipped counts.

    It is a post-processing of the release. Multiplied by the number of users, it estimates the sum of the counts.

    Requires: users >= 1, and a cap that no user's rate exceeds; the estimate is too low where a user's rate does.
    Source:   user-level-histograms, Algorithms 3 and 4: f(x) = min(x, C), and g the inverse of psi_C.
    Raises:   InputError as for `inverse`, and for no users.
    """
    if users < 1:
        raise InputError(given=f"users={users}", needed="at least one", remedy="count the users")
    return inverse(Fraction(total) / users, clip, cap=cap, bits=bits)


def debiased_vector(totals: Sequence[Fraction | int], *, users: int, clip: int, cap: Fraction) -> tuple[Bounds, ...]:
    """Return bounds of each item's mean rate, from the released sums of histograms that were clipped in l1.

    Given the number of a user's items, its independent Poisson counts are multinomial, so clipping to C in l1 keeps
    their proportions: E h_j min(1, C/|h|_1) = (rate_j / rate) psi_C(rate) for the sum of all rates. So the inverse of
    one count's mean is enough, without a search in many dimensions. Sums below 0 count as 0.

    Requires: users whose rates are alike, and a cap that their sum does not exceed.
    Source:   user-level-histograms, Section 5, the second extension to d > 1, which leaves the inverse open.
    Raises:   InputError as for `debiased`.
    """
    kept = [max(Fraction(total), Fraction(0)) for total in totals]
    whole = sum(kept, Fraction(0))
    lo, hi = debiased(whole, users=users, clip=clip, cap=cap)
    return tuple((lo * total / whole, hi * total / whole) if whole else (whole, whole) for total in kept)


def processed_count(
    *, before: Callable[[int], int], after: Callable[[int], Fraction], greatest: int, ratio: Fraction
) -> Callable[[Sequence[int], Coins], Fraction]:
    """Release g of the sum of f over users' counts of one item, with two-sided geometric noise, clamped.

    Requires: f (`before`) from 0 to C, `greatest` at least C for each user, ratio > 1; g (`after`) of the noisy sum.
    Claims:   (C ln ratio, 0)-DP when one user's count is replaced, whatever g is.
    Source:   user-level-histograms, Algorithm 3; with min(x, C) and the identity it clips, with the inverse of psi_C it
              is Algorithm 4.
    """
    noisy = geometric(n=greatest, ratio=ratio)
    return lambda counts, coins: after(int(noisy(sum(before(count) for count in counts), coins)))
