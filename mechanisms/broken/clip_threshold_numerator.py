"""clip-threshold whose noise is judged by the weights of its choices alone, and not by their sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD, PARAMETERS, clip_threshold
from dpcert.mechanisms.user_level.user_weights import units, weights_of

__all__ = ["CLIP_THRESHOLD_NUMERATOR"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant, weights = CLIP_THRESHOLD.build(settings), weights_of(settings)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), weights.most)
    program = clip_threshold(
        weights=weights,
        noise=units(settings, weights),
        greatest=integer(settings, "greatest", least=1),
        ratio=ratio,
    )
    return replace(meant, program=program, closed_form=None)


CLIP_THRESHOLD_NUMERATOR = Mechanism(
    name="clip-threshold-numerator",
    words="clip-threshold with a ratio for one change of a weight",
    source="user-level-histograms, Lemma 4.1, Theorem 4.2",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="clip-threshold",
    fault="a ratio for the change of a choice's weight, and none for that of the sum of weights",
)
