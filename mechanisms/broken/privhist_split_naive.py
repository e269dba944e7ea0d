"""The split of PrivHist without noise at the cut: how many counts are large is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, Windows, windows_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_SPLIT_NAIVE"]


def split_naive(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Split at T as the counts are, where as many of them are to be moved across as geometric noise says."""

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = sum(count > windows.threshold for count in counts)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved))
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = split_naive(windows_of(settings))
    return replace(PRIVHIST_SPLIT.build(settings), program=program, closed_form=None)


PRIVHIST_SPLIT_NAIVE = Mechanism(
    name="privhist-split-naive",
    words="privhist-split without noise at the cut",
    source="anonymized-histograms, Section 4.2 and Appendix C.1.1, the naive split",
    parameters=(
        Parameter("T", "1", "the greatest count that is small"),
        Parameter("M", "1", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-split",
    fault="a split at T without noise on how many counts are above",
)
