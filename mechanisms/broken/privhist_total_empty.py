"""The noisy total of PrivHist with an early answer for the empty histogram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.anonymized_histograms.inputs import step_ratio
from dpcert.mechanisms.anonymized_histograms.total import PRIVHIST_TOTAL
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["PRIVHIST_TOTAL_EMPTY"]


def noisy_total_empty(cells: Cells) -> Callable[[Sequence[int], Coins], int]:
    """Release 0 at once for the empty histogram, where its total is to be as noisy as any other."""

    def release(counts: Sequence[int], coins: Coins) -> int:
        noisy = cells.cell(sum(counts), coins)
        return noisy if len(counts) > 0 else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    most = integer(settings, "nmax", least=0, greatest=30)
    program = noisy_total_empty(clamped(ratio=step_ratio(settings)[1], low=0, high=most))
    return replace(PRIVHIST_TOTAL.build(settings), program=program, closed_form=None)


PRIVHIST_TOTAL_EMPTY = Mechanism(
    name="privhist-total-empty",
    words="privhist-total that answers the empty histogram without noise",
    source="anonymized-histograms, PrivHist, step 1, misread",
    parameters=(
        Parameter("epsilon", "ln(2)", "epsilon_1"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-total",
    fault="no noise on the total of the empty histogram",
)
