"""clip-threshold-descent with the noise of one step at each of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.dp_sgd import (
    CLIP_THRESHOLD_DESCENT,
    PARAMETERS,
    clip_threshold_descent,
    descent_of,
)

__all__ = ["CLIP_THRESHOLD_ONCE"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant, descent = CLIP_THRESHOLD_DESCENT.build(settings), descent_of(settings)
    rounds = integer(settings, "rounds", least=1)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), descent.weights.most)
    program = clip_threshold_descent(descent=descent, rounds=rounds, ratio=ratio)
    return replace(meant, program=program, closed_form=None)


CLIP_THRESHOLD_ONCE = Mechanism(
    name="clip-threshold-once",
    words="clip-threshold-descent with the whole epsilon spent at each step",
    source="user-level-histograms, Corollary 4.3",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="clip-threshold-descent",
    fault="an epsilon that each step spends and that is counted once",
)
