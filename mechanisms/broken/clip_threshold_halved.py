"""clip-threshold-perturbed with noise for half the sensitivity of the minimizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.output_perturbation import (
    CLIP_THRESHOLD_PERTURBED,
    PARAMETERS,
    clip_threshold_perturbed,
    regularized_of,
)

__all__ = ["CLIP_THRESHOLD_HALVED"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant, regularized = CLIP_THRESHOLD_PERTURBED.build(settings), regularized_of(settings)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), max(regularized.sensitivity // 2, 1))
    program = clip_threshold_perturbed(
        regularized=regularized,
        greatest=regularized.grid * integer(settings, "greatest", least=1),
        ratio=ratio,
    )
    return replace(meant, program=program, closed_form=None)


CLIP_THRESHOLD_HALVED = Mechanism(
    name="clip-threshold-halved",
    words="clip-threshold-perturbed with half the noise",
    source="user-level-histograms, Algorithm 2, Lemma A.1",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="clip-threshold-perturbed",
    fault="noise for half the sensitivity of the minimizer",
)
