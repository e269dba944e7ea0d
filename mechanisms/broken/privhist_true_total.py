"""PrivHist with the threshold T and the fakes M of the true total."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.privhist import PRIVHIST, Plan, Stage, plan_of
from dpcert.mechanisms.anonymized_histograms.smoothing import noisy_smoothed
from dpcert.mechanisms.anonymized_histograms.split import split
from dpcert.mechanisms.anonymized_histograms.total import noisy_total
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_TRUE_TOTAL"]


def stage_true_total(plan: Plan) -> Callable[[Sequence[int], Coins], Stage]:
    """Split by T and M of n, where they are to be those of the noisy N."""
    totals = noisy_total(plan.total)
    splits = {n: split(branch.windows) for n, branch in plan.branches.items()}
    smooths = {n: noisy_smoothed(branch.smoothing, branch.boundaries) for n, branch in plan.branches.items()}

    def release(counts: Sequence[int], coins: Coins) -> Stage:
        n = totals(counts, coins)
        if n not in splits:
            return n, None, ()
        total = max(sum(counts), 1)
        return n, splits[total](counts, coins), smooths[total](counts, coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = stage_true_total(plan_of(settings))
    return replace(PRIVHIST.build(settings), program=program, closed_form=None)


PRIVHIST_TRUE_TOTAL = Mechanism(
    name="privhist-true-total",
    words="privhist with T and M of the true total",
    source="anonymized-histograms, PrivHist, step 2, misread",
    parameters=(
        Parameter("epsilon", "ln(8)", "in three equal shares"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist",
    fault="T and M computed from the true total for the noisy one",
)
