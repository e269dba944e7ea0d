"""clip-threshold without its noise: the best threshold of these users, as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import Users
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD, PARAMETERS, distance
from dpcert.mechanisms.user_level.user_weights import Weights, units, weights_of

__all__ = ["CLIP_THRESHOLD_EXACT"]


def best_threshold(*, weights: Weights, noise: int, greatest: int) -> Callable[[Users, Coins], int]:
    """Choose the threshold with the least distance, where one at random is meant."""

    def release(users: Users, coins: Coins) -> int:
        return min(range(1, greatest + 1), key=lambda c: distance(users, c, weights=weights, noise=noise))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant, weights = CLIP_THRESHOLD.build(settings), weights_of(settings)
    noise, greatest = units(settings, weights), integer(settings, "greatest", least=1)
    return replace(
        meant,
        program=best_threshold(weights=weights, noise=noise, greatest=greatest),
        closed_form=None,
    )


CLIP_THRESHOLD_EXACT = Mechanism(
    name="clip-threshold-exact",
    words="the best clipping threshold of these users",
    source="user-level-histograms, Lemma 4.1, Theorem 4.2",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="clip-threshold",
    fault="a threshold chosen without noise",
)
