"""GeoSample that draws no more bits than its count needs: the size of the draw tells the count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import gcd

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOSAMPLE_SHORT_DRAW"]


def geosample_short_draw(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release as `geosample` does, its distribution in lowest terms: a draw below d/g where below d is meant."""
    base = (1 << k) + 1
    d = ((1 << (k + 1)) + 1) * base ** (n - 1)

    def release(count: int, coins: Coins) -> int:
        def cumulative(z: int) -> int:
            f: int
            if z < count:
                f = base ** (n - (count - z)) << (k * (count - z))
            else:
                f = d - (base ** (n - 1 - (z - count)) << (k * (z - count + 1)))
            return f

        g = gcd(d, *map(cumulative, range(n)))
        u = coins.below(d // g) + 1
        low, high = 0, n
        while low < high:
            z = (low + high) // 2
            if u <= cumulative(z) // g:
                high = z
            else:
                low = z + 1
        return low

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    meant = GEOSAMPLE.build(settings)
    program = geosample_short_draw(n=n, k=k)
    return replace(meant, program=program, closed_form=None, observes="outcome and draws")


GEOSAMPLE_SHORT_DRAW = Mechanism(
    name="geosample-short-draw",
    words="geosample that reduces its distribution to lowest terms and draws fewer bits; the draws are observed",
    source="finite-computers, Algorithm 4.8, step 1, with a d for each count",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="a draw whose size depends on the count",
)
