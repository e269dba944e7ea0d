"""clip-threshold-perturbed whose weights are not capped: a user of more items than was assumed moves it too far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.output_perturbation import (
    CLIP_THRESHOLD_PERTURBED,
    Regularized,
    clip_threshold_perturbed,
    regularized_of,
)
from dpcert.mechanisms.user_level.user_weights import Weights

__all__ = ["CLIP_THRESHOLD_DENSE"]


class Trusting(Weights):
    """Weights of users that are taken to have no more items than was assumed."""

    __slots__ = ()

    def of(self, counts: Sequence[int]) -> int:
        """Return a user's weight."""
        return self.uncapped(counts)


def _build(settings: Mapping[str, str]) -> Instance:
    meant, capped = CLIP_THRESHOLD_PERTURBED.build(settings), regularized_of(settings)
    weights = Trusting(capped.weights.norm, capped.weights.sparsity, capped.weights.parts)
    regularized = Regularized(weights=weights, noise=capped.noise, strength=capped.strength, grid=capped.grid)
    program = clip_threshold_perturbed(
        regularized=regularized,
        greatest=regularized.grid * integer(settings, "greatest", least=1),
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), regularized.sensitivity),
    )
    return replace(meant, program=program, closed_form=None)


CLIP_THRESHOLD_DENSE = Mechanism(
    name="clip-threshold-dense",
    words="clip-threshold-perturbed for users that are assumed to have few items",
    source="user-level-histograms, Section 4, sparse users",
    parameters=(
        Parameter("norm", "l2", "which norm of a user's histogram is clipped"),
        Parameter("sparsity", "1", "s, the most items that a user is assumed to have"),
        Parameter("parts", "1", "users are weighed in units of 1/parts"),
        Parameter("noise", "0", "eta, the mean l1 norm of the release's noise for each unit of the threshold"),
        Parameter("strength", "1", "lambda, above 0: the weight of C^2/2 in the objective"),
        Parameter("grid", "1", "thresholds are multiples of 1/grid"),
        Parameter("greatest", "2", "the greatest threshold"),
        Parameter("users", "1", "the number of users, which is known"),
        Parameter("dimension", "4", "the number of items"),
        Parameter("most", "1", "the greatest count of an item that is audited"),
        Parameter("epsilon", "ln(2)", "above 0; what is claimed"),
    ),
    build=_build,
    expect="refuted",
    twin="clip-threshold-perturbed",
    fault="weights that are not capped at the root of the number of items assumed",
)
