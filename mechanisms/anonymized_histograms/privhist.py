"""PrivHist: an anonymized histogram and its total, from a private total, a private split, and post-processing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms import parameters
from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.anonymized_histograms.inputs import in_cells
from dpcert.mechanisms.anonymized_histograms.postprocess import (
    Prevalences,
    high_privacy_histogram,
    low_privacy_histogram,
)
from dpcert.mechanisms.anonymized_histograms.smoothing import (
    finished_smoothing,
    noisy_smoothed,
    noisy_smoothed_law,
    smoothing_windows,
)
from dpcert.mechanisms.anonymized_histograms.split import Parts, Windows, finished, split, split_law
from dpcert.mechanisms.anonymized_histograms.total import finished_total, noisy_total, noisy_total_law
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

MOST_TOTALS = 1_000
"""The most totals N whose branches are computed one by one."""

Stage = tuple[int, Parts | None, tuple[int, ...]]
"""The cell of N, the cells of the split, and those of the smoothed prevalences; None and () for absent parts."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The steps of PrivHist at one N: the windows of the split, and for small epsilon the boundaries with theirs."""

    windows: Windows
    boundaries: tuple[int, ...]
    smoothing: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class PrivhistLayout:
    """PrivHist with e^(epsilon/3) = `ratio` for all histograms of at most `most` people.

    `total` has the cells of N: 0, each number below `most`, and from there on the longest runs of N with one branch.
    `branches` has the branch of each cell except 0. T and M come from min(N, cap), where `cap` is the least N >= most
    with T >= most.
    """

    ratio: Fraction
    most: int
    cap: int
    total: Cells
    branches: Mapping[int, Branch]

    @classmethod
    def of(cls, *, ratio: Fraction, most: int) -> PrivhistLayout:
        """Return the layout for a ratio above 1 and at most 50 people: T' is at least 52 where epsilon <= 1.

        So no noisy large count is a boundary at or below `most`, and the boundaries that matter follow from N.

        Raises: InputError for a cap above MOST_TOTALS.
        """
        if parameters.threshold(MOST_TOTALS, ratio) < most:
            raise InputError(
                given=f"nmax={most} with e^(epsilon/3) = {ratio}",
                needed=f"T >= nmax at N = {MOST_TOTALS}: nmax^2 <= {MOST_TOTALS} min(epsilon, 1)",
                remedy="lower nmax, or raise epsilon",
            )
        cap = max(most, 1)
        while parameters.threshold(cap, ratio) < most:
            cap += 1
        low_privacy = parameters.is_low_privacy(ratio)
        branches: dict[int, Branch] = {}
        last: tuple[int, int, tuple[int, ...]] | None = None
        for n in range(1, cap + 1):
            every = () if low_privacy else parameters.boundaries(n, ratio, ())
            marks = tuple(sorted({min(s, max(most, 1)) for s in every}))
            found = parameters.threshold(n, ratio), parameters.fakes(n, ratio), marks
            if n <= most or found != last:
                branches[n] = Branch(
                    Windows.of(ratio=ratio, threshold=found[0], fakes=found[1], most=most),
                    marks,
                    smoothing_windows(ratio=ratio, boundaries=marks, most=most),
                )
            last = found
        return cls(ratio, most, cap, Cells(ratio, 0, most, tuple(branches)), branches)


def stage(layout: PrivhistLayout) -> Callable[[Sequence[int], Coins], Stage]:
    """Release the cells of all noisy numbers of PrivHist: N, the split, and for small epsilon the smoothed prevalences.

    Requires: inputs are lists of counts >= 1, in any order, of at most the layout's people.
    Claims:   (epsilon, 0)-DP for sorted-l1 neighbours, epsilon = 3 ln(ratio), and 2 ln(ratio) where epsilon > 1, which
              leaves the third part out.
    Source:   anonymized-histograms, PrivHist, steps 1 to 4, H1 to H4; Theorem 1.
    """
    totals = noisy_total(layout.total)
    splits = {n: split(branch.windows) for n, branch in layout.branches.items()}
    smooths = {n: noisy_smoothed(branch.smoothing, branch.boundaries) for n, branch in layout.branches.items()}

    def release(counts: Sequence[int], coins: Coins) -> Stage:
        n = totals(counts, coins)
        if n not in splits:
            return n, None, ()
        return n, splits[n](counts, coins), smooths[n](counts, coins)

    return release


def privhist(layout: PrivhistLayout) -> Callable[[Sequence[int], Coins], tuple[Prevalences, int]]:
    """Release an anonymized histogram in the compact format, and N, from the cells and coins alone.

    T and M come from min(N, cap), which is N wherever they affect an outcome of `stage`.

    Requires: as `stage`.
    Claims:   (epsilon, 0)-DP for sorted-l1 neighbours: everything after `stage` is post-processing. N has no bound; N =
              0 comes with the empty histogram.
    Source:   anonymized-histograms, PrivHist whole.
    """
    cells = stage(layout)
    finish_total = finished_total(layout.total)
    finish_split = {n: finished(branch.windows) for n, branch in layout.branches.items()}
    finish_smooth = {
        n: finished_smoothing(ratio=layout.ratio, windows=branch.smoothing) for n, branch in layout.branches.items()
    }
    low_privacy = parameters.is_low_privacy(layout.ratio)

    def release(counts: Sequence[int], coins: Coins) -> tuple[Prevalences, int]:
        cell, parts, smooth = cells(counts, coins)
        if parts is None:
            return (), 0
        total = finish_total(cell, coins)
        small, large = finish_split[cell](parts, coins)
        if low_privacy:
            windows = layout.branches[cell].windows
            histogram = low_privacy_histogram(small, large, threshold=windows.threshold, fakes=windows.fakes)
            return histogram, total
        boundaries = parameters.boundaries(total, layout.ratio, large)
        noisy = finish_smooth[cell](smooth, len(boundaries), coins)
        return high_privacy_histogram(noisy, boundaries), total

    return release


def stage_law(layout: PrivhistLayout) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `stage` in closed form: the law of the cell of N, and after each cell independent parts."""
    totals = noisy_total_law(layout.total)
    splits = {n: split_law(branch.windows) for n, branch in layout.branches.items()}
    smooths = {n: noisy_smoothed_law(branch.smoothing, branch.boundaries) for n, branch in layout.branches.items()}

    def law(counts: Sequence[int]) -> Dist:
        def after(n: int) -> Dist:
            if n not in splits:
                return Dist.point((n, None, ()))
            return splits[n](counts).product(smooths[n](counts)).map(lambda pair: (n, *pair))

        return totals(counts).bind(after)

    return law


def layout_of(settings: Mapping[str, str]) -> PrivhistLayout:
    """Return the layout of the parameters epsilon and nmax.

    Raises: InputError for one out of range.
    """
    ratio = parameters.share(Epsilon.of(settings["epsilon"]))
    return PrivhistLayout.of(ratio=ratio, most=integer(settings, "nmax", least=0, greatest=30))


def _build(settings: Mapping[str, str]) -> Instance:
    layout = layout_of(settings)
    return in_cells(layout.most, stage(layout), stage_law(layout), epsilon=Epsilon.of(settings["epsilon"]))


PRIVHIST = Mechanism(
    name="privhist",
    words="an anonymized histogram and its total: private total, split at T, noise, post-processing",
    source="anonymized-histograms, PrivHist, Theorem 1",
    parameters=(
        Parameter(
            "epsilon", "ln(8)", "in three equal shares; e^(epsilon/3) is held to 16 binary places unless rational"
        ),
        Parameter("nmax", "3", "the greatest number of people audited"),
    ),
    build=_build,
)
