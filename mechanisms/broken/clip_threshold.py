"""The faults of clip-threshold, clip-threshold-perturbed and clip-threshold-descent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Expected, integer
from dpcert.mechanisms.user_level import output_perturbation
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.clipping import Users
from dpcert.mechanisms.user_level.dp_sgd import CLIP_THRESHOLD_DESCENT, clip_threshold_descent, descent_of
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD, clip_threshold, distance
from dpcert.mechanisms.user_level.user_weights import UserWeights, units, weights_of

clip_threshold_fault = FaultsOf(CLIP_THRESHOLD)
clip_threshold_perturbed_fault = FaultsOf(output_perturbation.CLIP_THRESHOLD_PERTURBED)
clip_threshold_descent_fault = FaultsOf(CLIP_THRESHOLD_DESCENT)


@clip_threshold_fault(
    "clip-threshold-exact",
    source="user-level-histograms, Lemma 4.1, Theorem 4.2",
    fault="a threshold chosen without noise",
    edit=("return release", "return CLIP_THRESHOLD.build(settings).program"),
    expected=Expected(((0, 0), (0, 2)), ((0, 2), (0, 2)), [1], "1", "0"),
)
def clip_threshold_exact(settings: Settings) -> Callable[[Users, Coins], int]:
    """the best clipping threshold of these users"""
    weights = weights_of(settings)
    noise, greatest = units(settings, weights), integer(settings, "greatest", least=1)

    def release(users: Users, coins: Coins) -> int:
        return min(range(1, greatest + 1), key=lambda c: distance(users, c, weights=weights, noise=noise))

    return release


@clip_threshold_fault(
    "clip-threshold-numerator",
    source="user-level-histograms, Lemma 4.1, Theorem 4.2",
    fault="a ratio for the change of a choice's weight, and none for that of the sum of weights",
    edit=(
        'ratio_within(Epsilon.of(settings["epsilon"]), weights.most)',
        'ratio_within(Epsilon.of(settings["epsilon"]), 2 * weights.most)',
    ),
    expected=Expected(((0, 2), (0, 0)), ((0, 2), (2, 2)), [1], "2/5", "1/13"),
)
def clip_threshold_numerator(settings: Settings) -> Program:
    """clip-threshold with a ratio for one change of a weight"""
    weights = weights_of(settings)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), weights.most)
    return clip_threshold(
        weights=weights, noise=units(settings, weights), greatest=integer(settings, "greatest", least=1), ratio=ratio
    )


@clip_threshold_perturbed_fault(
    "clip-threshold-halved",
    source="user-level-histograms, Algorithm 2, Lemma A.1",
    fault="noise for half the sensitivity of the minimizer",
    edit=("max(regularized.sensitivity // 2, 1)", "regularized.sensitivity"),
    expected=Expected(((0, 0), (0, 1)), ((0, 1), (0, 1)), [0], "4/5", "1/20"),
)
def clip_threshold_halved(settings: Settings) -> Program:
    """clip-threshold-perturbed with half the noise"""
    regularized = output_perturbation.regularized_of(settings)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), max(regularized.sensitivity // 2, 1))
    return output_perturbation.clip_threshold_perturbed(
        regularized=regularized, greatest=regularized.grid * integer(settings, "greatest", least=1), ratio=ratio
    )


class Trusting(UserWeights):
    """Weights of users that are taken to have no more items than was assumed."""

    __slots__ = ()

    def of(self, counts: Sequence[int]) -> int:
        """Return a user's weight."""
        return self.uncapped(counts)


@clip_threshold_perturbed_fault(
    "clip-threshold-dense",
    source="user-level-histograms, Section 4, sparse users",
    fault="weights that are not capped at the root of the number of items assumed",
    edit=("return self.uncapped(counts)", "return min(self.uncapped(counts), self.most)"),
    place=Trusting,
    defaults={
        "norm": "l2",
        "sparsity": "1",
        "noise": "0",
        "grid": "1",
        "greatest": "2",
        "users": "1",
        "dimension": "4",
        "most": "1",
        "epsilon": "ln(2)",
    },
    expected=Expected(((0, 0, 0, 0),), ((1, 1, 1, 1),), [0], "2/3", "1/6"),
)
def clip_threshold_dense(settings: Settings) -> Program:
    """clip-threshold-perturbed for users that are assumed to have few items"""
    capped = output_perturbation.regularized_of(settings)
    weights = Trusting(capped.weights.norm, capped.weights.sparsity, capped.weights.parts)
    regularized = output_perturbation.Regularized(
        weights=weights, noise=capped.noise, strength=capped.strength, grid=capped.grid
    )
    return output_perturbation.clip_threshold_perturbed(
        regularized=regularized,
        greatest=regularized.grid * integer(settings, "greatest", least=1),
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), regularized.sensitivity),
    )


@clip_threshold_descent_fault(
    "clip-threshold-once",
    source="user-level-histograms, Corollary 4.3",
    fault="an epsilon that each step spends and that is counted once",
    edit=(
        'ratio_within(Epsilon.of(settings["epsilon"]), descent.weights.most)',
        'ratio_within(Epsilon.of(settings["epsilon"]), rounds * descent.weights.most)',
    ),
    expected=Expected(((0, 0), (0, 0)), ((0, 0), (1, 2)), [(1, 0)], "12/25", "3/100"),
)
def clip_threshold_once(settings: Settings) -> Program:
    """clip-threshold-descent with the whole epsilon spent at each step"""
    descent = descent_of(settings)
    rounds = integer(settings, "rounds", least=1)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), descent.weights.most)
    return clip_threshold_descent(descent=descent, rounds=rounds, ratio=ratio)
