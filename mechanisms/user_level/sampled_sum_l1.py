"""Clipped sums of a Poisson sample of users: less noise for one epsilon, as nobody knows who is in the sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import isqrt
from typing import Any, TypeVar

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, probability, rational_ratio
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    MAX_WRITTEN,
    clipped_sum_l1,
    clipped_sum_l1_law,
    ratio_within,
    sums_of,
)
from dpcert.mechanisms.user_level.clipping import Clip, Users, clip_l1, sensitivity_l1, users_domain

User = TypeVar("User")
BITS = 128


def sampled_users(users: Iterable[User], *, rate: Fraction, coins: Coins) -> Iterator[User]:
    """Yield each user with probability `rate`, by coins of its own."""
    some, all_ = rate.numerator, rate.denominator
    return (user for user in users if coins.below(all_) < some)


def sampled_sum_l1(
    *, rate: Fraction, clipped: Clip, dimension: int, greatest: int, ratio: Fraction
) -> Callable[[Users, Coins], tuple[int, ...]]:
    """Release `clipped_sum_l1` of a sample in which each user is with probability `rate`.

    Requires: 0 < rate < 1, and as `clipped_sum_l1`.
    Claims:   (`outer_epsilon`, 0)-DP when one user is replaced; tight. At an outcome let A be its probability without
              the user, B and B' with the one or the other record. With s the greatest quotient of the laws of two sums
              between which a user is left out, B <= s A and A <= s B', and for one item B <= s B' as well. The sample
              shows (1 - rate) A + rate B against (1 - rate) A + rate B', whose quotient for B > B' is greatest where A
              and B' are least: A = B/s, and B' = B/s^2, or B/s for one item.
    Source:   user-level-histograms, Algorithm 1, on a sample; the bound is this project's.
    """
    release = clipped_sum_l1(clipped=clipped, dimension=dimension, greatest=greatest, ratio=ratio)
    return lambda users, coins: release(tuple(sampled_users(users, rate=rate, coins=coins)), coins)


def sampled_sum_l1_law(
    *, rate: Fraction, clipped: Clip, dimension: int, greatest: int, ratio: Fraction
) -> Callable[[Users], Dist]:
    """Return the law of `sampled_sum_l1` in closed form: the mixture over all samples."""
    law = clipped_sum_l1_law(clipped=clipped, dimension=dimension, greatest=greatest, ratio=ratio)

    def mixed(users: Users) -> Dist:
        def part(taken: tuple[bool, ...]) -> tuple[Fraction, Dist]:
            chance = rate ** sum(taken) * (1 - rate) ** (len(users) - sum(taken))
            return chance, law(tuple(user for user, there in zip(users, taken, strict=True) if there))

        return Dist.mix(part(taken) for taken in product((False, True), repeat=len(users)))

    return mixed


def outer_epsilon(step: Fraction, rate: Fraction, *, dimension: int) -> Epsilon:
    """Return the least epsilon of a sample, for `step` the greatest quotient of laws when one user is left out.

    It is ln((1 - rate + rate s)/(1 - rate + rate/s)), and ln(1 - rate + rate s) for one item.
    """
    top = 1 - rate + rate * step
    return Epsilon.ln(top if dimension == 1 else top / (1 - rate + rate / step))


def inner_step(epsilon: Epsilon, rate: Fraction, *, dimension: int) -> Fraction:
    """Return a step of which `outer_epsilon` is at most epsilon: the root of a quadratic equation, a little lower.

    Claims: for one item exact where e^epsilon is rational, and for more where the root is too.
    """
    whole = rational_ratio(epsilon)
    if dimension == 1:
        return 1 + (whole - 1) / rate
    middle = (1 - rate) * (whole - 1)
    square = middle**2 + 4 * rate**2 * whole
    root = Fraction(isqrt((square.numerator << 2 * BITS) // square.denominator), 1 << BITS)
    return (middle + root) / (2 * rate)


def noise_within(epsilon: Epsilon, rate: Fraction, *, dimension: int, clip: Fraction, grid: int) -> Fraction:
    """Return the ratio of noise with which a sample of the sum is within epsilon.

    Raises: InputError, as `ratio_within`.
    """
    units = sensitivity_l1(dimension=1, clip=clip, grid=grid)
    return ratio_within(Epsilon.ln(inner_step(epsilon, rate, dimension=dimension)), units)


def _build(settings: Mapping[str, str]) -> Instance:
    sums, rate = sums_of(settings), probability(settings, "rate")
    (inputs, assumptions), asked = sums.scope(), Epsilon.of(settings["epsilon"])
    sums.require_outcomes(sums.greatest + 1)
    ratio = noise_within(asked, rate, dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    step = ratio ** sensitivity_l1(dimension=1, clip=sums.clip, grid=sums.grid)
    parts: dict[str, Any] = {
        "rate": rate,
        "clipped": partial(clip_l1, clip=sums.clip, grid=sums.grid),
        "dimension": sums.dimension,
        "greatest": sums.greatest,
        "ratio": ratio,
    }
    return Instance(
        program=sampled_sum_l1(**parts),
        closed_form=sampled_sum_l1_law(**parts),
        inputs=inputs,
        neighbours="replace-user",
        epsilon=outer_epsilon(step, rate, dimension=sums.dimension) if step.numerator <= MAX_WRITTEN else asked,
        assumptions=assumptions,
        domain=users_domain(users=sums.users, dimension=sums.dimension),
    )


SAMPLED_SUM_L1 = Mechanism(
    name="sampled-sum-l1",
    words="clipped-sum-l1 of a Poisson sample of the users, when a user is replaced",
    source="user-level-histograms, Algorithm 1, on a sample",
    parameters=(
        Parameter("rate", "1/4", "the probability with which each user is in the sample"),
        *CLIPPED_SUM_L1.parameters,
    ),
    build=_build,
)
