"""GeoSample that clamps its noise but not the noisy count: its far ends tell the count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOSAMPLE_UNCLAMPED"]


def geosample_unclamped(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release a count plus noise clamped to [-n, n], where that sum clamped to [0, n] is meant."""
    shifted = geosample(n=2 * n, k=k)

    def release(count: int, coins: Coins) -> int:
        return count + shifted(n, coins) - n

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    return replace(GEOSAMPLE.build(settings), program=geosample_unclamped(n=n, k=k), closed_form=None)


GEOSAMPLE_UNCLAMPED = Mechanism(
    name="geosample-unclamped",
    words="geosample that adds bounded noise and does not clamp the sum",
    source="finite-computers, Algorithm 4.5, without its clamp",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="no clamp of the noisy count to [0, n]",
)
