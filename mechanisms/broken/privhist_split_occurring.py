"""The split of PrivHist with noise on the large counts that are there alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, Windows, windows_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_SPLIT_OCCURRING"]


def split_occurring(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Add noise to the large counts that occur, where as many are to be noisy as the noisy number says."""

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        many = windows.threshold + sum(count > windows.threshold for count in counts)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved)[:many])
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = split_occurring(windows_of(settings))
    return replace(PRIVHIST_SPLIT.build(settings), program=program, closed_form=None)


PRIVHIST_SPLIT_OCCURRING = Mechanism(
    name="privhist-split-occurring",
    words="privhist-split with noise on the large counts that occur alone",
    source="anonymized-histograms, Section 4.1, an incorrect algorithm, on counts",
    parameters=(
        Parameter("T", "1", "the greatest count that is small"),
        Parameter("M", "1", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-split",
    fault="noise on the large counts that occur, and on no other",
)
