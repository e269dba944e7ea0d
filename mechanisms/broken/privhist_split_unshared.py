"""The split of PrivHist with two noises at the cut: what leaves T is not what comes to T + 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, Windows, windows_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_SPLIT_UNSHARED"]


def split_unshared(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Move noisy numbers of counts out of T and into T + 1, drawn apart where both are to be one number."""

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        above = sum(count > windows.threshold for count in counts)
        moved = windows.moved.cell(above, coins)
        taken = windows.moved.cell(above, coins)
        lower = windows.part(counts, taken)[: windows.threshold]
        upper = windows.part(counts, moved)[windows.threshold :]
        small = tuple(cells.cell(centre, coins) + moved - taken for cells, centre in lower)
        return moved, small, tuple(cells.cell(centre, coins) for cells, centre in upper)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = split_unshared(windows_of(settings))
    return replace(PRIVHIST_SPLIT.build(settings), program=program, closed_form=None)


PRIVHIST_SPLIT_UNSHARED = Mechanism(
    name="privhist-split-unshared",
    words="privhist-split with two noises at the cut",
    source="anonymized-histograms, PrivHist, step 2(b), misread",
    parameters=(
        Parameter("T", "1", "the greatest count that is small"),
        Parameter("M", "1", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-split",
    fault="noise at T drawn apart from that at T + 1",
)
