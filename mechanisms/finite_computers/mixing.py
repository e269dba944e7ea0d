"""Mixing: a nearly private program becomes private by releasing something else with a small probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TypeVar

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.geosample import distribution, geosample_law, noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

X = TypeVar("X")
R = TypeVar("R")


def mixed(program: Callable[[X, Coins], R], other: Callable[[Coins], R], gamma: Fraction) -> Callable[[X, Coins], R]:
    """Release the outcome of a program, or, with probability gamma, of another program without input.

    Both always run, so neither the draws nor the time disclose which outcome is released.

    Requires: 1/gamma an integer above 1.
    Claims:   (ln ratio, 0)-DP where every law of `program` is within `greatest_distance` of one of a
              (ln ratio, 0)-DP mechanism whose outcomes `other` can all release.
    Source:   finite-computers, Algorithm 3.1 and Lemma 3.2.
    """
    weight = int(1 / gamma)

    def release(value: X, coins: Coins) -> R:
        meant, instead = program(value, coins), other(coins)
        return instead if coins.below(weight) == 0 else meant

    return release


def mixed_law(law: Callable[[X], Dist], other: Dist, gamma: Fraction) -> Callable[[X], Dist]:
    """Return the law of `mixed` from the laws of its two programs."""
    return lambda value: Dist.mix([(1 - gamma, law(value)), (gamma, other)])


def greatest_distance(*, ratio: Fraction, gamma: Fraction, least: Fraction) -> Fraction:
    """Return the right side of (3.1): mixing makes (ln ratio, 0)-DP any program this close to such a mechanism.

    `least` is the least probability that the other program gives to any outcome; distances are total variation.

    Requires: ratio >= 1; 0 < gamma < 1.
    Source:   finite-computers, Lemma 3.2 i.
    """
    return (ratio - 1) / (ratio + 1) * gamma / (1 - gamma) * least


def rounded_geosample(*, n: int, k: int, bits: int) -> Callable[[int, Coins], int]:
    """Release as `geosample` does, with its distribution function rounded down to multiples of 2^-bits.

    Requires: n >= 1, k >= 1, bits >= 1; inputs 0..n.
    Claims:   within `rounding_distance` of geosample; not private by itself, as far counts are never released.
    Source:   finite-computers, Section 3, step 2, applied to Algorithm 4.8.
    """
    d, cumulative = distribution(n=n, k=k)

    def release(count: int, coins: Coins) -> int:
        u = coins.below(1 << bits) + 1
        return least(0, n, lambda z: u <= (cumulative(count, z) << bits) // d)

    return release


def rounded_geosample_law(*, n: int, k: int, bits: int) -> Callable[[int], Dist]:
    """Return the law of `rounded_geosample`: sums of geosample's probabilities, rounded down."""
    exactly = geosample_law(n=n, k=k)

    def law(count: int) -> Dist:
        whole = exactly(count)
        sums = accumulate(weight for _, _, weight in whole.weights())
        below = [0, *((total << bits) // whole.denominator for total in sums)]
        return Dist.from_weights(((z, b - a) for z, (a, b) in enumerate(pairwise(below))), 1 << bits)

    return law


def rounding_distance(*, n: int, k: int, bits: int) -> Fraction:
    """Return the greatest total variation between `geosample` and `rounded_geosample` on any count."""
    exactly, rounded = geosample_law(n=n, k=k), rounded_geosample_law(n=n, k=k, bits=bits)
    return max(exactly(count).total_variation(rounded(count)) for count in range(n + 1))


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=1, greatest=100)
    bits = integer(settings, "bits", least=1, greatest=4096)
    k, gamma = noise_exponent(inverse(settings, "epsilon")), inverse(settings, "gamma", least=2)
    ratio, least = 1 + Fraction(1, 1 << k), Fraction(1, n + 1)
    distance = rounding_distance(n=n, k=k, bits=bits)
    if distance > greatest_distance(ratio=ratio, gamma=gamma, least=least):
        odds = greatest_distance(ratio=ratio, gamma=Fraction(1, 2), least=least) / distance
        most = int(1 + odds)
        raise InputError(
            given=f"gamma={settings['gamma']} with n={n}, epsilon={settings['epsilon']}, bits={bits}",
            needed="a distance that mixing makes up for (finite-computers, Lemma 3.2)",
            remedy=f"set gamma={ratio_text(Fraction(1, most))}, or raise bits" if most > 1 else "raise bits",
        )
    return Instance(
        program=mixed(rounded_geosample(n=n, k=k, bits=bits), lambda coins: coins.below(n + 1), gamma),
        closed_form=mixed_law(rounded_geosample_law(n=n, k=k, bits=bits), Dist.uniform(n + 1), gamma),
        inputs=tuple(range(n + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.ln(ratio),
        delta=Fraction(0),
        domain=counts(n),
    )


MIXING = Mechanism(
    name="mixing",
    words="geosample from a draw of few bits, mixed with a uniform count to be private all the same",
    source="finite-computers, Algorithm 3.1, Lemma 3.2",
    parameters=(
        Parameter("n", "8", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim is that of geosample"),
        Parameter("bits", "16", "geosample's probabilities are rounded to multiples of 2^-bits"),
        Parameter("gamma", "1/100", "1/gamma is an integer above 1: the weight of the uniform count"),
    ),
    build=_build,
)
