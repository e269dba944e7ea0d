"""FastSample: GeoSample with its far ends cut and mixed with the uniform law, so that its numbers stay short."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

PRINTED = "printed"
MAX_BITS = 20_000
"""The greatest number of bits of the draw: beyond it, geosample, which is exact, costs less."""


def cutoff(*, n: int, epsilon: Fraction, gamma: Fraction) -> int:
    """Return t = ceil(9 / (2 epsilon) * ceil(log2(8 (n + 1) (1 - gamma) / (epsilon gamma)))) - 1.

    Source: finite-computers, Algorithm 4.11, step 1.
    """
    ratio = 8 * (n + 1) * (1 - gamma) / (epsilon * gamma)
    logarithm = 0
    while 2**logarithm < ratio:
        logarithm += 1
    product = 9 * logarithm / (2 * epsilon)
    return -(-product.numerator // product.denominator) - 1


def fastsample(*, n: int, epsilon: Fraction, gamma: Fraction, at: int | None = None) -> Callable[[int, Coins], int]:
    """Release a count in [0, n] with truncated geometric noise, mixed with a uniform count, in one draw.

    The noise is cut off at `at`, by default at the `cutoff` that is printed.

    Requires: n >= 1; 1/epsilon and 1/gamma positive integers, gamma < 1; at >= 0; inputs 0..n.
    Claims:   (epsilon/2, 0)-DP for counts that differ by one, at the printed cut-off and at any greater one.
    Source:   finite-computers, Algorithm 4.11 and Theorem 4.10.
    """
    k, t = noise_exponent(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma) if at is None else at
    base = (1 << k) + 1
    powers = [1]
    for _ in range(t + 1):
        powers.append(powers[-1] * base)
    d_short = ((1 << (k + 1)) + 1) * powers[t]
    weight = int(1 / gamma)
    d = (n + 1) * d_short * weight
    beyond = 1 << (k * (t + 1))

    def release(count: int, coins: Coins) -> int:
        def short_cumulative(z: int) -> int:
            """Return d' Pr[truncated noise, clamped, <= z]."""
            if z < max(0, count - t):
                return 0
            if z < count:
                return (powers[t + 1 - (count - z)] << (k * (count - z))) - beyond
            if z < min(count + t, n):
                return d_short - (powers[t - (z - count)] << (k * (z - count + 1))) + beyond
            return d_short

        def cumulative(z: int) -> int:
            return (z + 1) * d_short + (weight - 1) * (n + 1) * short_cumulative(z)

        u = coins.below(d) + 1
        return least(0, n, lambda z: u <= cumulative(z))

    return release


def fastsample_law(*, n: int, epsilon: Fraction, gamma: Fraction, at: int | None = None) -> Callable[[int], Dist]:
    """Return the law of `fastsample` from its description: truncate, clamp, mix.

    Source: finite-computers, Lemma 4.12.
    """
    k, t = noise_exponent(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma) if at is None else at
    base = (1 << k) + 1
    d_short = ((1 << (k + 1)) + 1) * base**t
    side = [base ** (t - distance) << (k * distance) for distance in range(1, t + 1)]

    def law(count: int) -> Dist:
        weights = [(count, d_short - 2 * sum(side))]
        for distance, weight in enumerate(side, 1):
            weights += [(count - distance, weight), (count + distance, weight)]
        clamped = Dist.from_weights(weights, d_short).clamp(0, n)
        return Dist.mix([(1 - gamma, clamped), (gamma, Dist.uniform(n + 1))])

    return law


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=1, greatest=10**5)
    epsilon, gamma = inverse(settings, "epsilon"), inverse(settings, "gamma", least=2)
    k, at = noise_exponent(epsilon), None
    if settings.get("cutoff", PRINTED) != PRINTED:
        at = integer(settings, "cutoff", least=0)
    length = (cutoff(n=n, epsilon=epsilon, gamma=gamma) if at is None else at) * (k + 1)
    if length >= MAX_BITS:
        raise InputError(
            given=f"epsilon={settings['epsilon']}, gamma={settings['gamma']}: a draw of about {length} bits",
            needed=f"fewer than {MAX_BITS} bits",
            remedy="take a greater epsilon, or geosample",
        )
    return Instance(
        program=fastsample(n=n, epsilon=epsilon, gamma=gamma, at=at),
        closed_form=fastsample_law(n=n, epsilon=epsilon, gamma=gamma, at=at),
        inputs=tuple(range(n + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.of(epsilon / 2),
        delta=Fraction(0),
        domain=counts(n),
    )


FASTSAMPLE = Mechanism(
    name="fastsample",
    words="a count in [0, n] with truncated geometric noise, mixed with a uniform count, from one draw",
    source="finite-computers, Algorithm 4.11, Theorem 4.10",
    parameters=(
        Parameter("n", "20", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim is epsilon/2"),
        Parameter("gamma", "1/100", "1/gamma is an integer above 1: the weight of the uniform count"),
        Parameter(
            "cutoff", PRINTED, "where the noise is cut off: printed, or a number; a lower one may not be private"
        ),
    ),
    build=_build,
)
