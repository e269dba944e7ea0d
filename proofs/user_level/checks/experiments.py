"""Checks of user-level-histograms, Section 6.2: its synthetic experiment made small, with fixed seeds.

The whole experiments are `benchmarks/user_level_experiments.py`. The measurements are floats; no verdict on privacy
rests on them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import factorial
from random import Random

from dpcert.proofs.check import check

USERS, REPETITIONS, EPSILON, CAP = 400, 20, 0.5, 5.0
ALPHAS = (0.3, 3.0, 30.0)


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean distances from the users' mean count, of the noisy clipped mean and of its debiased form."""

    clipped: float
    debiased: float


def poisson(rng: Random, rate: float) -> int:
    """Draw a Poisson count, by inversion."""
    left, mass, count = rng.random(), math.exp(-rate), 0
    while left > mass and count < 1000:
        left -= mass
        count += 1
        mass *= rate / count
    return count


def clipped_mean(rate: float, clip: int) -> float:
    """Return E min(Poi(rate), clip)."""
    mass, total = math.exp(-rate), 0.0
    for k in range(clip):
        total += (clip - k) * mass
        mass *= rate / (k + 1)
    return clip - total


def inverse(mean: float, clip: int) -> float:
    """Return the rate in [0, CAP] at which a clipped count has a mean."""
    low, high = 0.0, CAP
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if clipped_mean(middle, clip) < mean else (low, middle)
    return high


@cache
def losses(alpha: float, clip: int | None) -> Losses:
    """Return the losses at rates that are USERS times a Dirichlet share, of a clip, or the ceil(1/epsilon)-th count."""
    rng = Random(f"{alpha} {clip}")
    totals = [0.0, 0.0]
    for _ in range(REPETITIONS):
        shares = [rng.gammavariate(alpha, 1.0) for _ in range(USERS)]
        scale = USERS / sum(shares)
        counts = [poisson(rng, scale * share) for share in shares]
        at = sorted(counts)[-math.ceil(1 / EPSILON)] if clip is None else clip
        noise = rng.expovariate(EPSILON / at) - rng.expovariate(EPSILON / at)
        mean = (sum(min(count, at) for count in counts) + noise) / USERS
        truth = sum(counts) / USERS
        totals[0] += abs(mean - truth)
        totals[1] += abs(inverse(mean, at) - truth)
    return Losses(totals[0] / REPETITIONS, totals[1] / REPETITIONS)


@check("user-level-debiasing-helps")
def debiasing_helps() -> Iterator[str]:
    """At C = 1 and 2 debiasing loses less, by a factor that grows with alpha, to 5 and 3 at 30."""
    for clip in (1, 2):
        factors = [found.clipped / found.debiased for alpha in ALPHAS for found in [losses(alpha, clip)]]
        if any(a >= b for a, b in pairwise([1.0, *factors])) or factors[-1] < 3 + 2 * (clip == 1):
            yield f"C = {clip}: {factors}"


@check("user-level-no-bias-at-rule")
def rule_leaves_no_bias() -> Iterator[str]:
    """At the rule's threshold debiasing changes the loss by less than a twentieth."""
    return (
        f"alpha = {alpha}: {found}"
        for alpha in ALPHAS
        for found in [losses(alpha, None)]
        if abs(found.clipped - found.debiased) > found.clipped / 20
    )


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


@check("dirichlet-closer")
def closer_with_alpha() -> Iterator[str]:
    """The rates' expected variance is (n - 1)/(n alpha + 1), which falls as alpha grows."""
    return (
        f"n = {users}, alpha = {alpha}"
        for users, alpha in product((2, 3, 10, 40), range(1, 30))
        if share_spread(users, alpha) != Fraction(users - 1, users * alpha + 1)
        or share_spread(users, alpha + 1) >= share_spread(users, alpha)
    )
