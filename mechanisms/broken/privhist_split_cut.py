"""The split of PrivHist without fake counts, each prevalence cut at 0 by itself: nothing carries what was cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, Windows, windows_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_SPLIT_CUT"]


def split_cut(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Cut a negative prevalence at T + 1 to 0, and leave those above as they are, where they are to make up for it."""

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        moved = max(moved, sum(count > windows.threshold + 1 for count in counts) - windows.fakes)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved))
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = split_cut(windows_of(settings))
    return replace(PRIVHIST_SPLIT.build(settings), program=program, closed_form=None)


PRIVHIST_SPLIT_CUT = Mechanism(
    name="privhist-split-cut",
    words="privhist-split with prevalences cut at 0 one by one, and no fake counts",
    source="anonymized-histograms, PrivHist, step 2(c), with the sums of phi^b on both sides",
    parameters=(
        Parameter("T", "1", "the greatest count that is small"),
        Parameter("M", "0", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2"),
        Parameter("nmax", "3", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-split",
    fault="negative prevalences cut at 0 with nothing carried on",
)
