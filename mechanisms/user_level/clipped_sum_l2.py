"""Clipped sums in l2: the sum of the users' clipped histograms, with discrete Gaussian noise on each count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import floor, isqrt
from typing import Any

from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, with_defaults
from dpcert.mechanisms.user_level.clipped_sum_l1 import LATTICE, Sums, sums_of
from dpcert.mechanisms.user_level.clipping import (
    Clip,
    Users,
    clip_l2,
    clipped_sum,
    histograms,
    shifts,
    square_sensitivity_l2,
    users_domain,
)
from dpcert.mechanisms.user_level.discrete_gaussian import CutGaussian, discrete_gaussian

DIGITS = 3
_BITS = 128


def clipped_sum_l2(
    *,
    clipped: Clip,
    dimension: int,
    noise: Callable[[Coins], int],
    summed: Callable[..., tuple[int, ...]] = clipped_sum,
) -> Callable[[Any, Coins], tuple[int, ...]]:
    """Release the sum of the clipped histograms with independent noise on each count.

    Requires: with `discrete_gaussian` noise of variance z^2 s, for s = `square_sensitivity_l2`, any number of users;
              `summed` is `clipped_sum`, or `sparse_clipped_sum` with users as it takes them.
    Claims:   1/(2 z^2)-zCDP when one user is replaced (Canonne, Kamath, Steinke 2020, Section 2), and (epsilon,
              delta)-DP for the delta of the worst of finitely many shifts, `shift_delta`.
    Source:   user-level-histograms, Algorithm 1, with discrete Gaussian noise.
    """

    def release(users: Any, coins: Coins) -> tuple[int, ...]:
        return tuple([entry + noise(coins) for entry in summed(users, clipped=clipped, dimension=dimension)])

    return release


def clipped_sum_l2_law(*, clipped: Clip, dimension: int, noise: CutGaussian) -> Callable[[Users], Dist]:
    """Return the law of `clipped_sum_l2` with cut noise in closed form: the product of its counts' laws."""

    def product_law(users: Users) -> Dist:
        first, *rest = (noise.law(entry) for entry in clipped_sum(users, clipped=clipped, dimension=dimension))
        return first.product(*rest)

    return product_law


def shift_delta(noise: CutGaussian, shift: Sequence[int], ratio: Fraction) -> Fraction:
    """Return the sum over x of max(0, p(x - v) - ratio p(x)) for the joint law p of independent noise and a shift v.

    Entries of v that are 0 cancel. One order is enough: the noise is symmetric, so that v and -v give the same.

    Requires: ratio >= 1.
    """
    pairs = [(ratio.denominator, ratio.numerator)]
    total = 1
    for step in map(abs, shift):
        if step:
            moved = [
                (weight, noise.weights[i + step] if i + step < len(noise.weights) else 0) for i, weight in _at(noise)
            ]
            pairs = [(p * x, q * y) for p, q in pairs for x, y in moved]
            total *= noise.total
    return Fraction(sum(p - q for p, q in pairs if p > q), total * ratio.denominator)


def _at(noise: CutGaussian) -> list[tuple[int, int]]:
    return list(enumerate(noise.weights))


@dataclass(frozen=True, slots=True)
class GaussianNoise:
    """Discrete Gaussian noise as the parameters sigma, depth and reach fit it to a sensitivity, in units of 1/grid."""

    variance: Fraction
    depth: int
    reach: int
    method: str

    def law(self) -> CutGaussian:
        """Return its law."""
        return CutGaussian.of(variance=self.variance, depth=self.depth, reach=self.reach)

    def program(self) -> Callable[[Coins], int]:
        """Return its sampler: for `draw`, one long draw by its law; for `chains`, the sampler with its chains cut.

        Raises: InputError for another method.
        """
        match self.method:
            case "draw":
                return self.law().draw()
            case "chains":
                return discrete_gaussian(variance=self.variance, depth=self.depth, reach=self.reach)
        raise InputError(given=f"method={self.method}", needed="draw or chains", remedy="set one of these")


def noise_of(settings: Mapping[str, str], *, square: int) -> GaussianNoise:
    """Return the noise of the textual parameters for a square of the sensitivity.

    Raises: InputError for sigma or reach not above 0, or too great a reach.
    """
    sigma, reach = exact(settings["sigma"], "sigma"), exact(settings["reach"], "reach")
    for name, value in (("sigma", sigma), ("reach", reach)):
        if not 0 < value <= 10**6:
            raise InputError(given=f"{name}={settings[name]}", needed="a number above 0", remedy='write "1" or "3/2"')
    variance = sigma * sigma * square
    return GaussianNoise(
        variance=variance,
        depth=integer(settings, "depth", least=1, greatest=100),
        reach=isqrt(floor(reach * reach * variance)),
        method=settings["method"],
    )


def least_delta(sums: Sums, noise: CutGaussian, epsilon: Epsilon) -> Fraction:
    """Return a delta, of three digits, that is enough for every replacement of one of the audited users by another."""
    clipped = partial(clip_l2, clip=sums.clip, grid=sums.grid)
    between = shifts(map(clipped, histograms(dimension=sums.dimension, most=sums.most)))
    ratio = epsilon.exp_bounds(_BITS)[0]
    return Fraction(decimal_hi(max(shift_delta(noise, shift, ratio) for shift in between), DIGITS))


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    inputs, assumptions = sums.scope()
    square = square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    noise = noise_of(settings, square=square)
    sums.require_outcomes(2 * noise.reach + 1)
    law, epsilon = noise.law(), Epsilon.of(settings["epsilon"])
    clipped = partial(clip_l2, clip=sums.clip, grid=sums.grid)
    return Instance(
        program=clipped_sum_l2(clipped=clipped, dimension=sums.dimension, noise=noise.program()),
        closed_form=clipped_sum_l2_law(clipped=clipped, dimension=sums.dimension, noise=law),
        inputs=inputs,
        neighbours="replace-user",
        epsilon=epsilon,
        delta=least_delta(sums, law, epsilon) if settings["delta"] == "least" else exact(settings["delta"], "delta"),
        assumptions=assumptions,
        domain=users_domain(users=sums.users, dimension=sums.dimension),
    )


PARAMETERS = (
    *with_defaults(LATTICE, most="1"),
    Parameter("sigma", "1", "the noise's deviation over the sensitivity, which is sqrt(2) C for two items or more"),
    Parameter("epsilon", "2", "the epsilon of the claim"),
    Parameter("delta", "least", "the delta of the claim; least, for what the audited replacements need, rounded up"),
    Parameter("depth", "20", "how many coins of a chain are flipped at most; the series of e^-x ends there"),
    Parameter("reach", "7/2", "how many deviations the noise reaches at most"),
    Parameter("method", "draw", "draw, for one long draw of the noise, or chains, for the sampler by its coins"),
)

CLIPPED_SUM_L2 = Mechanism(
    name="clipped-sum-l2",
    words="the sum of histograms clipped in l2, each count with discrete Gaussian noise, when a user is replaced",
    source="user-level-histograms, Algorithm 1, l2 with the discrete Gaussian of Canonne, Kamath, Steinke 2020",
    parameters=PARAMETERS,
    build=_build,
)
