"""GeoSample that raises where the noisy count leaves its range, with the true count in the message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOSAMPLE_RAISES"]


def geosample_raises(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release a count plus noise; outside [0, n] raise ValueError, where a clamp is meant."""
    shifted = geosample(n=2 * n, k=k)

    def clamp(noisy: int, count: int) -> int:
        if not 0 <= noisy <= n:
            raise ValueError(f"{count} with noise {noisy - count} is outside 0..{n}")
        return noisy

    def release(count: int, coins: Coins) -> int:
        return clamp(count + shifted(n, coins) - n, count)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    return replace(GEOSAMPLE.build(settings), program=geosample_raises(n=n, k=k), closed_form=None)


GEOSAMPLE_RAISES = Mechanism(
    name="geosample-raises",
    words="geosample that raises an error with the true count in it instead of clamping",
    source="finite-computers, Algorithm 4.5, with a check for its clamp",
    parameters=(
        Parameter("n", "2", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="an exception that names the true count",
)
