"""The faults of fastsample."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.fastsample import FASTSAMPLE, cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(FASTSAMPLE)


@fault(
    "fastsample-unmixed",
    source="finite-computers, Algorithm 4.11, step 3, with F' for F",
    fault="the truncated noise without its mixing",
    edit=("weight * (n + 1) * short_cumulative(z)", "(z + 1) * d_short + (weight - 1) * (n + 1) * short_cumulative(z)"),
    defaults={"n": "41", "epsilon": "1", "gamma": "1/2"},
    names=("n", "epsilon", "gamma"),
    about={"n": "the greatest count; the noise is cut off at 40"},
    expected=Expected(1, 0, [41], f"{2**40}/{5 * 3**40}", "0"),
)
def fastsample_unmixed(settings: Settings) -> Callable[[int, Coins], int]:
    """fastsample without the uniform count that it mixes in"""
    n, epsilon, gamma = (
        integer(settings, "n", least=1),
        inverse(settings, "epsilon"),
        inverse(settings, "gamma", least=2),
    )
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
        return least(0, n, lambda z: u <= cumulative(z))

    return release
