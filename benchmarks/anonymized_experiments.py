"""PrivHist on large histograms, its error and its time: `python benchmarks/anonymized_experiments.py`.

Writes plots into docs/figures/ and tables into docs/papers/anonymized-experiments.md, which says what is measured.
Needs `pip install "dpcert[experiments]"`. The noise is exact, by the shipped sampler; data, statistics and the rival's
isotonic regression are floats, and no verdict rests on them.
"""

import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from anonymized_data import LISTS, Array, sampled, sorted_counts
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import isotonic_regression
from tables import ROOT, filled, keep, shown, table

from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.postprocess import Prevalences
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, privhist_sampler
from dpcert.mechanisms.coins import seeded_coins, system_coins
from dpcert.mechanisms.exact.coins import Coins

mpl.use("Agg")
import matplotlib.pyplot as plt

SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)
LONGER = (10**8, 10**9)
RATIOS = tuple(map(Fraction, ("101/100", "31/30", "11/10", "25/18", "3/2", "3", "8")))
PRIVHIST, RIVAL = "PrivHist", "noise and isotonic regression"
COLOURS = ("tab:pink", "tab:purple", "tab:blue", "tab:cyan", "tab:green", "tab:orange", "tab:red")
LINES = {PRIVHIST: "-", RIVAL: ":"}
LEAST, TIMED = 0.3, Fraction(25, 18)


class MeanError(NamedTuple):
    """The mean of a number of repetitions, its standard error, and the mean of |N - n|, 0 for the rival."""

    error: float
    spread: float
    total: float


def epsilon(ratio: Fraction) -> float:
    """Return the whole epsilon, three times the logarithm of a step's ratio."""
    return 3 * math.log(ratio)


def rate(n: int, ratio: Fraction) -> float:
    """Return Theorem 1's rate with constant 1, and c = 1/6 where epsilon > 1, the root of e^-epsilon_2."""
    e = epsilon(ratio)
    return math.sqrt(n) * math.exp(-e / 6) if e > 1 else math.sqrt(n / e * math.log(2 / e))


def repetitions(n: int, name: str) -> int:
    """Return how often a method is run on a list of that size."""
    if name == PRIVHIST:
        return 20
    return 20 if n <= 10**5 else 5 if n <= 10**6 else 3


def privhist_errors(histogram: Prevalences, ratio: Fraction, n: int) -> MeanError:
    """Return the error of PrivHist on seeded coins, with the error of its total."""
    release = privhist_sampler(ratio=ratio)
    errors, totals = [], []
    for seed in range(repetitions(n, PRIVHIST)):
        found, total = release(histogram, seeded_coins(seed))
        errors.append(compact_distance(histogram, found))
        totals.append(abs(total - n))
    return MeanError(statistics.fmean(errors), _standard_error(errors), statistics.fmean(totals))


def rival_errors(histogram: Prevalences, ratio: Fraction, n: int) -> MeanError:
    """Return the error of geometric noise of the whole epsilon on each label's count, and isotonic regression.

    The number of labels is given to it for nothing. Its noise is exact as well, its regression is scipy's, in floats.
    """
    counts = sorted_counts(histogram)
    errors = [
        float(np.abs(fitted(counts, ratio, seeded_coins(seed)) - counts).sum()) for seed in range(repetitions(n, RIVAL))
    ]
    return MeanError(statistics.fmean(errors), _standard_error(errors), 0.0)


def fitted(counts: Array, ratio: Fraction, coins: Coins) -> Array:
    """Return what the rival makes of sorted counts: as many, non-increasing integers."""
    noise = geometric_noise(ratio=ratio**3)
    noisy = counts + np.fromiter((noise(coins) for _ in range(counts.size)), np.int64, counts.size)
    nearest: Array = np.floor(isotonic_regression(noisy, increasing=False).x + 0.5)
    return np.maximum(nearest, 0)


def _standard_error(values: Sequence[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values))


Results = dict[tuple[str, str, int, Fraction], MeanError]


def measured() -> Results:
    """Return both methods' errors on every list, at every size and epsilon."""
    results: Results = {}
    for name, n in product(LISTS, SIZES):
        histogram = sampled(name, n)
        for ratio in RATIOS:
            results[PRIVHIST, name, n, ratio] = privhist_errors(histogram, ratio, n)
            results[RIVAL, name, n, ratio] = rival_errors(histogram, ratio, n)
    return results


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """Return the slope of the least-squares line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


Times = dict[tuple[Fraction | None, int], float]
"""Seconds by ratio, None for the rival at TIMED, and size."""


def times() -> Times:
    """Return the best times of releases of Zipf lists on system coins: five of PrivHist, one of the rival."""
    found: Times = {}
    for n in (*SIZES, *LONGER):
        histogram = sampled("Zipf", n)
        for ratio in RATIOS:
            release = privhist_sampler(ratio=ratio)
            found[ratio, n] = min(timed(partial(release, histogram, system_coins())) for _ in range(5))
        if n in SIZES:
            found[None, n] = timed(partial(fitted, sorted_counts(histogram), TIMED, system_coins()))
    return found


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds of the processor a piece of work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def plot_sizes(results: Results, path: str) -> None:
    """Write a panel for each list: error by size, a line for each method and epsilon."""
    figure, panels = plt.subplots(1, len(LISTS), figsize=(11, 4.6), sharey=True)
    for panel, name in zip(panels, LISTS, strict=True):
        for (ratio, colour), method in product(zip(RATIOS, COLOURS, strict=True), (PRIVHIST, RIVAL)):
            points = [results[method, name, n, ratio] for n in SIZES]
            panel.errorbar(
                SIZES,
                [point.error if point.error >= LEAST else math.nan for point in points],
                yerr=[min(point.spread, point.error / 2) for point in points],
                color=colour,
                linestyle=LINES[method],
                marker=".",
                linewidth=1.2,
                label=f"epsilon = {epsilon(ratio):.2g}" if method == PRIVHIST else None,
            )
        panel.plot(SIZES, np.sqrt(SIZES), color="0.6", linestyle="--", linewidth=1, label="sqrt(n)")
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_ylim(LEAST, 3e5)
        panel.set_title(name, fontsize=10)
        panel.set_xlabel("items n")
        panel.grid(alpha=0.3)
    panels[0].plot([], [], color="0.3", linestyle="-", label=PRIVHIST)
    panels[0].plot([], [], color="0.3", linestyle=":", label=RIVAL)
    panels[0].set_ylabel("sorted L1 error, mean")
    _legend(figure, panels[0], columns=5)
    figure.savefig(ROOT / path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def plot_epsilons(results: Results, n: int, path: str) -> None:
    """Write a panel for each list: error by epsilon at one size, beside the theorem's rate."""
    figure, panels = plt.subplots(1, len(LISTS), figsize=(11, 4.3), sharey=True)
    grid = np.geomspace(0.027, 7, 200)
    for panel, name in zip(panels, LISTS, strict=True):
        for method, colour in ((PRIVHIST, "tab:blue"), (RIVAL, "tab:red")):
            points = [results[method, name, n, ratio] for ratio in RATIOS]
            panel.errorbar(
                [epsilon(ratio) for ratio in RATIOS],
                [point.error for point in points],
                yerr=[point.spread for point in points],
                color=colour,
                linestyle=LINES[method],
                marker="o",
                markersize=4,
                label=method,
            )
        curve = [rate(n, Fraction(math.exp(e / 3))) for e in grid]
        panel.plot(
            grid, curve, color="0.6", linestyle="--", linewidth=1, label="rate of Theorem 1, constant 1, c = 1/6"
        )
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_title(f"{name}, n = {n:,}", fontsize=10)
        panel.set_xlabel("epsilon")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("sorted L1 error, mean")
    _legend(figure, panels[0], columns=3)
    figure.savefig(ROOT / path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def plot_times(times: Times, path: str) -> None:
    """Write the time of a release by size, a line for each epsilon, with guides for sqrt(n) and n."""
    figure, panel = plt.subplots(figsize=(8, 4.9))
    sizes = (*SIZES, *LONGER)
    for ratio, colour in zip(RATIOS, COLOURS, strict=True):
        values = [times[ratio, n] for n in sizes]
        panel.plot(sizes, values, color=colour, marker=".", label=f"epsilon = {epsilon(ratio):.2g}")
    panel.plot(SIZES, [times[None, n] for n in SIZES], color="k", linestyle="-.", marker=".", label=RIVAL)
    for power, line, words in ((0.5, "--", "sqrt(n)"), (1.0, ":", "n")):
        guide = [5e-4 * (n / 10**3) ** power for n in sizes]
        panel.plot(sizes, guide, color="0.6", linestyle=line, linewidth=1, label=words)
    panel.set_ylim(3e-4, 10)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("items n")
    panel.set_ylabel("seconds of processor for a release")
    panel.grid(alpha=0.3)
    _legend(figure, panel, columns=4)
    figure.savefig(ROOT / path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def _legend(figure: Figure, panel: Axes, *, columns: int) -> None:
    handles, names = panel.get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncol=columns, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.09 if columns == 3 else 0.13, 1, 1))


def lists_table() -> str:
    """Return what the lists of 10^7 items look like."""
    lines = []
    for name, n in product(LISTS, (10**5, 10**7)):
        histogram = sampled(name, n)
        labels, top = sum(many for _, many in histogram), histogram[-1][0]
        once = dict(histogram).get(1, 0)
        large = sum(many for r, many in histogram if r > math.isqrt(n))
        lines.append((name, f"{n:,}", f"{labels:,}", f"{once:,}", len(histogram), f"{top:,}", large))
    head = ("list", "n", "labels", "labels seen once", "distinct counts t", "greatest count", "counts above sqrt(n)")
    return table(head, lines)


def keep_errors(results: Results) -> None:
    """Write the errors at the two greatest sizes, with standard errors, the quotients by the rate, and the slopes."""
    lines = []
    for name, ratio in product(LISTS, RATIOS):
        ours = [results[PRIVHIST, name, n, ratio] for n in SIZES]
        theirs = [results[RIVAL, name, n, ratio] for n in SIZES]
        cells = [f"{one.error:,.0f} ± {one.spread:,.0f}" for one in (ours[2], ours[-1], theirs[2], theirs[-1])]
        quotient = f"{ours[-1].error / rate(SIZES[-1], ratio):.2f}"
        slopes = [f"{slope(SIZES[1:], [one.error for one in rows[1:]]):.2f}" for rows in (ours, theirs)]
        lines.append((name, f"{epsilon(ratio):.3g}", *cells, quotient, *slopes, f"{ours[-1].total:.2f}"))
    head = (
        "list",
        "epsilon",
        "PrivHist, n = 10^5",
        "PrivHist, n = 10^7",
        "rival, n = 10^5",
        "rival, n = 10^7",
        "PrivHist / rate at 10^7",
        "slope, PrivHist",
        "slope, rival",
        "mean of abs(N - n) at 10^7",
    )
    keep("anonymized-error", head, lines)


def times_table(times: Times) -> str:
    """Return the times and their growth from 10^5 on."""
    sizes = (*SIZES, *LONGER)
    lines = []
    for ratio in RATIOS:
        values = [times[ratio, n] for n in sizes]
        growth = f"{slope(sizes[2:], values[2:]):.2f}"
        lines.append((f"{epsilon(ratio):.3g}", *(shown(value) for value in values), growth))
    rival = [times[None, n] for n in SIZES]
    lines.append((RIVAL, *map(shown, rival), *["" for _ in LONGER], f"{slope(SIZES[2:], rival[2:]):.2f}"))
    return table(("epsilon", *(f"n = 10^{round(math.log10(n))}" for n in sizes), "slope from 10^5 on"), lines)


def main() -> None:
    """Measure everything, or with the argument `times` the times alone, and write the plots and the tables."""
    taken, path = times(), ROOT / "docs" / "papers" / "anonymized-experiments.md"
    plot_times(taken, "docs/figures/anonymized-time.png")
    path.write_text(filled(path.read_text("utf-8"), "times", times_table(taken)), "utf-8")
    if sys.argv[1:] == ["times"]:
        return
    results = measured()
    plot_sizes(results, "docs/figures/anonymized-error.png")
    plot_epsilons(results, 10**6, "docs/figures/anonymized-epsilon.png")
    keep_errors(results)
    path.write_text(filled(path.read_text("utf-8"), "lists", lists_table()), "utf-8")


if __name__ == "__main__":
    main()
