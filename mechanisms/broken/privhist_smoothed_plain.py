"""The smoothing of PrivHist with prevalences that are not cumulative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.anonymized_histograms.inputs import step_ratio
from dpcert.mechanisms.anonymized_histograms.smoothing import PRIVHIST_SMOOTHED, boundaries_of, smoothing_windows
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["PRIVHIST_SMOOTHED_PLAIN"]


def smoothed_plain(
    windows: Sequence[Cells], boundaries: Sequence[int]
) -> Callable[[Sequence[int], Coins], tuple[int, ...]]:
    """Add noise to what each gap holds, where counts above the gap are to add its whole length."""

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        centres = []
        for low, high in zip([0, *boundaries], boundaries, strict=False):
            within = {r: many for r, many in Counter(counts).items() if low < r <= high}
            centres.append(sum(many * (min(r, high) - low) for r, many in within.items()))
        return tuple(cells.cell(centre, coins) for cells, centre in zip(windows, centres, strict=True))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    boundaries, most = boundaries_of(settings), integer(settings, "nmax", least=0, greatest=30)
    windows = smoothing_windows(ratio=step_ratio(settings)[1], boundaries=boundaries, most=most)
    program = smoothed_plain(windows, boundaries)
    return replace(PRIVHIST_SMOOTHED.build(settings), program=program, closed_form=None)


PRIVHIST_SMOOTHED_PLAIN = Mechanism(
    name="privhist-smoothed-plain",
    words="privhist-smoothed with prevalences that are not cumulative",
    source="anonymized-histograms, step H4, with phi^v for its cumulative sums",
    parameters=(
        Parameter("S", "1,2", "the boundaries, ascending, with commas between"),
        Parameter("epsilon", "ln(2)", "epsilon_3"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-smoothed",
    fault="noise for one changed number on prevalences that are not cumulative",
)
