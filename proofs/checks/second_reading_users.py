"""Checks of what a second reading of user-level-histograms found beside the first: asides with a claim in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, factorial

from dpcert.mechanisms.user_level.debiasing import poisson_mass
from dpcert.proofs.check import Finding, first

__all__ = ["SECOND_READING_USERS", "clipped_error", "share_spread"]


def binomial_mass(n: int, p: Fraction, k: int) -> Fraction:
    """Return Pr[Bin(n, p) = k]."""
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def poisson_near_binomial() -> Finding:
    """The statistical distance of Bin(n, x/n) and Poi(x) is at most x^2/n, and falls as n grows."""

    def witnesses() -> Iterator[str]:
        for rate in map(Fraction, ("1/4", "1", "5/2")):
            distances = []
            for n in (3, 6, 12, 24, 48):
                low = high = Fraction(0)
                for k in range(n + 1):
                    least, most = poisson_mass(rate, k)
                    mass = binomial_mass(n, rate / n, k)
                    low, high = low + max(mass - most, Fraction(0)), high + max(mass - least, Fraction(0))
                distances.append((low, high))
                if high > rate**2 / n:
                    yield f"rate {rate}, n = {n}"
            if any(later[1] >= sooner[0] for sooner, later in pairwise(distances)):
                yield f"rate {rate}: the distance does not fall"

    return first(witnesses())


def clipped_error(counts: Sequence[int], clip: int, noise: Fraction) -> Fraction:
    """Return what is lost by clipping at `clip`, and the mean size of noise in proportion to it: U of one item."""
    return sum(max(count - clip, 0) for count in counts) + noise * clip


def fixed_quantile_poor() -> Finding:
    """For every quantile below 1 some data make U at it more than 50 times its least; so does the greatest count."""

    def witnesses() -> Iterator[str]:
        for parts, great in product((2, 4, 10), (10, 1000)):
            for noise in (Fraction(1), Fraction(5)):
                n = parts * 100 * int(noise)
                for share in range(1, parts):
                    zeros = n * share // parts
                    counts = [0] * zeros + [great] * (n - zeros)
                    least = min(clipped_error(counts, clip, noise) for clip in (0, great))
                    if clipped_error(counts, counts[zeros - 1], noise) <= 50 * least:
                        yield f"quantile {share}/{parts} of {n} users, counts 0 and {great}"
            lone = [0] * 9 + [great]
            if clipped_error(lone, great, Fraction(51)) <= 50 * clipped_error(lone, 0, Fraction(51)):
                yield f"the greatest count, {great}"

    return first(witnesses())


def share_spread(users: int, alpha: int) -> Fraction:
    """Return the expected variance of the rates, n times the shares of a Dirichlet law with all parameters alpha.

    A share is Beta(alpha, (n - 1) alpha); its moments are ratios of factorials.
    """

    def moment(k: int) -> Fraction:
        whole = users * alpha
        return Fraction(
            factorial(alpha + k - 1) * factorial(whole - 1), factorial(alpha - 1) * factorial(whole + k - 1)
        )

    return users**2 * moment(2) - (users * moment(1)) ** 2


def closer_with_alpha() -> Finding:
    """The rates' expected variance is (n - 1)/(n alpha + 1), which falls as alpha grows."""
    return first(
        f"n = {users}, alpha = {alpha}"
        for users, alpha in product((2, 3, 10, 40), range(1, 30))
        if share_spread(users, alpha) != Fraction(users - 1, users * alpha + 1)
        or share_spread(users, alpha + 1) >= share_spread(users, alpha)
    )


SECOND_READING_USERS: Mapping[str, Callable[[], Finding]] = {
    "poisson-near-binomial": poisson_near_binomial,
    "fixed-quantile-poor": fixed_quantile_poor,
    "dirichlet-closer": closer_with_alpha,
}
