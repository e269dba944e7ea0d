"""FastSample without its uniform count: what is further away than t cannot come, and so tells the count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.fastsample import FASTSAMPLE, cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["FASTSAMPLE_UNMIXED"]


def fastsample_unmixed(*, n: int, epsilon: Fraction, gamma: Fraction) -> Callable[[int, Coins], int]:
    """Release as `fastsample` does, with F' of Algorithm 4.11 alone where its mixture F is meant."""
    k, t = noise_exponent(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma)
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
            if z < max(0, count - t):
                return 0
            if z < count:
                return (powers[t + 1 - (count - z)] << (k * (count - z))) - beyond
            if z < min(count + t, n):
                return d_short - (powers[t - (z - count)] << (k * (z - count + 1))) + beyond
            return d_short

        def cumulative(z: int) -> int:
            return weight * (n + 1) * short_cumulative(z)

        u = coins.below(d) + 1
        low, high = 0, n
        while low < high:
            z = (low + high) // 2
            if u <= cumulative(z):
                high = z
            else:
                low = z + 1
        return low

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = FASTSAMPLE.build(settings)
    epsilon, gamma = inverse(settings, "epsilon"), inverse(settings, "gamma", least=2)
    program = fastsample_unmixed(n=len(meant.inputs) - 1, epsilon=epsilon, gamma=gamma)
    return replace(meant, program=program, closed_form=None)


FASTSAMPLE_UNMIXED = Mechanism(
    name="fastsample-unmixed",
    words="fastsample without the uniform count that it mixes in",
    source="finite-computers, Algorithm 4.11, step 3, with F' for F",
    parameters=(
        Parameter("n", "41", "the greatest count; the noise is cut off at 40"),
        Parameter("epsilon", "1", "1/epsilon is an integer; the claim is epsilon/2"),
        Parameter("gamma", "1/2", "the weight of the uniform count, which is left out"),
    ),
    build=_build,
    expect="refuted",
    twin="fastsample",
    fault="the truncated noise without its mixing",
)
