"""The noisy total of PrivHist: the number of people with two-sided geometric noise, clamped at 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.anonymized_histograms.inputs import in_cells, step_ratio
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer


def noisy_total(cells: Cells) -> Callable[[Sequence[int], Coins], int]:
    """Release the cell of n + Z, n the sum of the counts.

    Requires: inputs are lists of counts that sum to one of the centres of the cells.
    Claims:   (epsilon_1, 0)-DP for sorted-l1 neighbours, e^epsilon_1 the ratio of the cells: n differs by one.
    Source:   anonymized-histograms, PrivHist, step 1; Lemma 7.
    """
    return lambda counts, coins: cells.cell(sum(counts), coins)


def finished_total(cells: Cells) -> Callable[[int, Coins], int]:
    """Return N = max(n + Z, 0) from its cell; no input is needed, and N has no bound."""
    return lambda cell, coins: max(cells.within(cell, coins), 0)


def noisy_total_law(cells: Cells) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `noisy_total` in closed form."""
    return lambda counts: Dist.from_weights(*cells.weights(sum(counts)))


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, ratio = step_ratio(settings)
    most = integer(settings, "nmax", least=0, greatest=30)
    cells = clamped(ratio=ratio, low=0, high=most)
    return in_cells(most, noisy_total(cells), noisy_total_law(cells), epsilon=epsilon)


PRIVHIST_TOTAL = Mechanism(
    name="privhist-total",
    words="the noisy total of PrivHist: the sum of the counts with geometric noise",
    source="anonymized-histograms, PrivHist, step 1, Lemma 7",
    parameters=(
        Parameter("epsilon", "ln(2)", "epsilon_1; e^epsilon_1 is held to 64 binary places where it is irrational"),
        Parameter("nmax", "9", "the greatest number of people audited"),
    ),
    build=_build,
)
