"""The faults of privhist, and of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dpcert.mechanisms.anonymized_histograms.geometric_cells import clamped
from dpcert.mechanisms.anonymized_histograms.inputs import step_ratio
from dpcert.mechanisms.anonymized_histograms.privhist import PRIVHIST, Stage, layout_of
from dpcert.mechanisms.anonymized_histograms.smoothing import (
    PRIVHIST_SMOOTHED,
    boundaries_of,
    noisy_smoothed,
    smoothing_windows,
)
from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Parts, split, windows_of
from dpcert.mechanisms.anonymized_histograms.total import PRIVHIST_TOTAL, noisy_total
from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected, integer

privhist_total_fault = FaultsOf(PRIVHIST_TOTAL)
privhist_split_fault = FaultsOf(PRIVHIST_SPLIT, defaults={"T": "1", "nmax": "2"})
privhist_smoothed_fault = FaultsOf(PRIVHIST_SMOOTHED)
privhist_fault = FaultsOf(PRIVHIST)


@privhist_total_fault(
    "privhist-total-empty",
    source="anonymized-histograms, PrivHist, step 1, misread",
    fault="no noise on the total of the empty histogram",
    edit=("noisy if len(counts) > 0 else 0", "noisy"),
    defaults={"nmax": "2"},
    expected=Expected([], [1], [0], "1", "1/3"),
)
def privhist_total_empty(settings: Settings) -> Callable[[Sequence[int], Coins], int]:
    """privhist-total that answers the empty histogram without noise"""
    most = integer(settings, "nmax", least=0, greatest=30)
    cells = clamped(ratio=step_ratio(settings)[1], low=0, high=most)

    def release(counts: Sequence[int], coins: Coins) -> int:
        noisy = cells.cell(sum(counts), coins)
        return noisy if len(counts) > 0 else 0

    return release


@privhist_split_fault(
    "privhist-split-naive",
    source="anonymized-histograms, Section 4.2 and Appendix C.1.1, the naive split",
    fault="a split at T without noise on how many counts are above",
    edit=(
        "sum(count > windows.threshold for count in counts)",
        "windows.moved.cell(sum(count > windows.threshold for count in counts), coins)",
    ),
    expected=Expected([1], [2], [(0, (0,), (2,))], "1/3", "0"),
)
def privhist_split_naive(settings: Settings) -> Callable[[Sequence[int], Coins], Parts]:
    """privhist-split without noise at the cut"""
    windows = windows_of(settings)

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = sum(count > windows.threshold for count in counts)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved))
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


@privhist_split_fault(
    "privhist-split-unshared",
    source="anonymized-histograms, PrivHist, step 2(b), misread",
    fault="noise at T drawn apart from that at T + 1",
    edit=("taken = windows.moved.cell(above, coins)", "taken = moved"),
    expected=Expected([1], [2], [(0, (2,), (2,))], "4/27", "1/27"),
)
def privhist_split_unshared(settings: Settings) -> Callable[[Sequence[int], Coins], Parts]:
    """privhist-split with two noises at the cut"""
    windows = windows_of(settings)

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        above = sum(count > windows.threshold for count in counts)
        moved = windows.moved.cell(above, coins)
        taken = windows.moved.cell(above, coins)
        lower = windows.part(counts, taken)[: windows.threshold]
        upper = windows.part(counts, moved)[windows.threshold :]
        small = tuple(cells.cell(centre, coins) + moved - taken for cells, centre in lower)
        return moved, small, tuple(cells.cell(centre, coins) for cells, centre in upper)

    return release


@privhist_split_fault(
    "privhist-split-cut",
    source="anonymized-histograms, PrivHist, step 2(c), with the sums of phi^b on both sides",
    fault="negative prevalences cut at 0 with nothing carried on",
    edit=("max(moved, sum(count > windows.threshold + 1 for count in counts) - windows.fakes)", "moved"),
    defaults={"M": "0", "nmax": "3"},
    expected=Expected([2], [3], [(0, (0,), ())], "1/9", "0"),
)
def privhist_split_cut(settings: Settings) -> Callable[[Sequence[int], Coins], Parts]:
    """privhist-split with prevalences cut at 0 one by one, and no fake counts"""
    windows = windows_of(settings)

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        moved = max(moved, sum(count > windows.threshold + 1 for count in counts) - windows.fakes)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved))
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


@privhist_split_fault(
    "privhist-split-nonzero",
    source="anonymized-histograms, Section 4.1, an incorrect algorithm, on prevalences",
    fault="noise on the prevalences that are not 0, and on no other",
    edit=("if r in counts", "if r > 0"),
    defaults={"T": "2"},
    expected=Expected([], [1], [(0, (), ())], "2/3", "0"),
)
def privhist_split_nonzero(settings: Settings) -> Callable[[Sequence[int], Coins], Parts]:
    """privhist-split with noise on non-zero prevalences alone"""
    windows = windows_of(settings)

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        rows = windows.part(counts, moved)
        lower = [row for r, row in enumerate(rows[: windows.threshold], 1) if r in counts]
        noisy = tuple(cells.cell(centre, coins) for cells, centre in [*lower, *rows[windows.threshold :]])
        return moved, noisy[: len(lower)], noisy[len(lower) :]

    return release


@privhist_split_fault(
    "privhist-split-occurring",
    source="anonymized-histograms, Section 4.1, an incorrect algorithm, on counts",
    fault="noise on the large counts that occur, and on no other",
    edit=(
        "many = windows.threshold + sum(count > windows.threshold for count in counts)",
        "many = windows.threshold + len(windows.large)",
    ),
    expected=Expected([1], [2], [(0, (0,), ())], "2/9", "0"),
)
def privhist_split_occurring(settings: Settings) -> Callable[[Sequence[int], Coins], Parts]:
    """privhist-split with noise on the large counts that occur alone"""
    windows = windows_of(settings)

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        many = windows.threshold + sum(count > windows.threshold for count in counts)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved)[:many])
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


@privhist_smoothed_fault(
    "privhist-smoothed-plain",
    source="anonymized-histograms, step H4, with phi^v for its cumulative sums",
    fault="noise for one changed number on prevalences that are not cumulative",
    edit=("if low < r <= high", "if low < r"),
    defaults={"S": "1,2", "nmax": "2"},
    expected=Expected([1], [2], [(1, 0)], "2/9", "1/18"),
)
def privhist_smoothed_plain(settings: Settings) -> Callable[[Sequence[int], Coins], tuple[int, ...]]:
    """privhist-smoothed with prevalences that are not cumulative"""
    boundaries, most = boundaries_of(settings), integer(settings, "nmax", least=0, greatest=30)
    windows = smoothing_windows(ratio=step_ratio(settings)[1], boundaries=boundaries, most=most)

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        centres = []
        for low, high in zip([0, *boundaries], boundaries, strict=False):
            within = {r: many for r, many in Counter(counts).items() if low < r <= high}
            centres.append(sum(many * (min(r, high) - low) for r, many in within.items()))
        return tuple(cells.cell(centre, coins) for cells, centre in zip(windows, centres, strict=True))

    return release


@privhist_fault(
    "privhist-true-total",
    source="anonymized-histograms, PrivHist, step 2, misread",
    fault="T and M computed from the true total for the noisy one",
    edit=("max(sum(counts), 1)", "n"),
    defaults={"nmax": "2"},
    expected=Expected([1], [2], [(1, (0, (0,), (2,)), ())], "2/27", "0"),
)
def privhist_true_total(settings: Settings) -> Callable[[Sequence[int], Coins], Stage]:
    """privhist with T and M of the true total"""
    layout = layout_of(settings)
    totals = noisy_total(layout.total)
    splits = {n: split(branch.windows) for n, branch in layout.branches.items()}
    smooths = {n: noisy_smoothed(branch.smoothing, branch.boundaries) for n, branch in layout.branches.items()}

    def release(counts: Sequence[int], coins: Coins) -> Stage:
        n = totals(counts, coins)
        if n not in splits:
            return n, None, ()
        total = max(sum(counts), 1)
        return n, splits[total](counts, coins), smooths[total](counts, coins)

    return release
