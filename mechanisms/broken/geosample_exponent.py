"""GeoSample with a shifted exponent in the upper half of its cumulative distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOSAMPLE_EXPONENT"]


def geosample_exponent(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release as `geosample` does, but with 2^(k (z - c)) where 2^(k (z - c + 1)) is meant."""
    base = (1 << k) + 1
    d = ((1 << (k + 1)) + 1) * base ** (n - 1)

    def release(count: int, coins: Coins) -> int:
        def cumulative(z: int) -> int:
            f: int
            if z < count:
                f = base ** (n - (count - z)) << (k * (count - z))
            else:
                f = d - (base ** (n - 1 - (z - count)) << (k * (z - count)))
            return f

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
    n, k = settings_of(settings)
    return replace(GEOSAMPLE.build(settings), program=geosample_exponent(n=n, k=k), closed_form=None)


GEOSAMPLE_EXPONENT = Mechanism(
    name="geosample-exponent",
    words="geosample with an exponent shifted by one in the upper half of F",
    source="finite-computers, Algorithm 4.8, step 2, misread",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="k (z - c) for k (z - c + 1) in the exponent",
)
