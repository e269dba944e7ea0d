"""The split of PrivHist with noise on the prevalences that are not 0 alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, Windows, windows_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PRIVHIST_SPLIT_NONZERO"]


def split_nonzero(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Add noise to the prevalences of the counts that occur, where that of every count up to T is to be noisy."""

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        rows = windows.part(counts, moved)
        lower = [row for r, row in enumerate(rows[: windows.threshold], 1) if r in counts]
        noisy = tuple(cells.cell(centre, coins) for cells, centre in [*lower, *rows[windows.threshold :]])
        return moved, noisy[: len(lower)], noisy[len(lower) :]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = split_nonzero(windows_of(settings))
    return replace(PRIVHIST_SPLIT.build(settings), program=program, closed_form=None)


PRIVHIST_SPLIT_NONZERO = Mechanism(
    name="privhist-split-nonzero",
    words="privhist-split with noise on non-zero prevalences alone",
    source="anonymized-histograms, Section 4.1, an incorrect algorithm, on prevalences",
    parameters=(
        Parameter("T", "2", "the greatest count that is small"),
        Parameter("M", "1", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2"),
        Parameter("nmax", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="privhist-split",
    fault="noise on the prevalences that are not 0, and on no other",
)
