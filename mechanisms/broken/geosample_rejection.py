"""GeoSample that draws again while the noisy count leaves its range: what is kept depends on the count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOSAMPLE_REJECTION"]


def geosample_rejection(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release a count plus noise, drawn until it is in [0, n], where one draw and a clamp are meant."""
    shifted = geosample(n=2 * n, k=k)

    def release(count: int, coins: Coins) -> int:
        def attempt(again: bool, coins: Coins) -> bool | Done[int]:
            noisy = count + shifted(n, coins) - n
            return Done(noisy) if 0 <= noisy <= n else again

        return coins.loop(True, attempt)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    return replace(GEOSAMPLE.build(settings), program=geosample_rejection(n=n, k=k), closed_form=None)


GEOSAMPLE_REJECTION = Mechanism(
    name="geosample-rejection",
    words="geosample that draws again until the noisy count is in its range",
    source="finite-computers, Algorithm 4.5, with rejection for its clamp",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="drawing again for clamping",
)
