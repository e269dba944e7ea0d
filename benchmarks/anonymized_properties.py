"""Symmetric properties from a private histogram: `python benchmarks/anonymized_properties.py`.

Writes a plot into docs/figures/ and tables into docs/papers/anonymized-experiments.md. Needs
`pip install "dpcert[experiments]"`. Samples are seeded; estimates are exact fractions, their errors floats.
"""

import math
import statistics
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from anonymized_data import DISTRIBUTIONS, Array, of_counts, sampled
from tables import ROOT, filled, keep, table

from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.anonymized_histograms.symmetric import (
    LinearEstimator,
    accounts_exposed,
    distance_to_uniformity,
    entropy_lo,
    private_estimate,
    smoothed_coverage,
    support_share,
)
from dpcert.mechanisms.coins import seeded_coins

mpl.use("Agg")
import matplotlib.pyplot as plt

SEED, REPETITIONS, LABELS = 2019, 20, 1000
SIZES = (10**2, 10**3, 10**4, 10**5, 10**6)
RATIOS = tuple(map(Fraction, ("11/10", "25/18", "3")))
FACTOR = Fraction(2)


class Property(NamedTuple):
    """A symmetric property: its value for a distribution and n samples, and its estimator."""

    value: Callable[[Array, int], float]
    estimator: Callable[[int], LinearEstimator]


def _coverage(mass: Array, n: int) -> float:
    m = (1 + int(FACTOR)) * n
    return float((1 - (1 - mass) ** m).sum()) / m


def _cut(n: int) -> int:
    """Return half the binary logarithm of n t^2/(t - 1), t = 2, as Orlitsky, Suresh and Wu choose it."""
    return max(1, round(math.log2(4 * n) / 2))


PROPERTIES: Mapping[str, Property] = MappingProxyType(
    {
        "entropy": Property(lambda mass, n: float(-(mass * np.log(mass)).sum()), lambda n: entropy_lo()),
        "support size / 1000": Property(lambda mass, n: 1.0, lambda n: support_share(labels=LABELS)),
        "support coverage of 3n": Property(_coverage, lambda n: smoothed_coverage(factor=FACTOR, cut=_cut(n))),
        "distance to uniformity": Property(
            lambda mass, n: float(np.abs(mass - 1 / LABELS).sum()), lambda n: distance_to_uniformity(labels=LABELS)
        ),
    }
)


def errors() -> dict[tuple[str, str, int, Fraction | None], float]:
    """Return the mean absolute errors by property, distribution and size, without privacy (None) and with."""
    found: dict[tuple[str, str, int, Fraction | None], list[float]] = {}
    for (name, mass), n, repetition in product(DISTRIBUTIONS.items(), SIZES, range(REPETITIONS)):
        rng = np.random.default_rng([SEED, n, repetition])
        histogram = of_counts(rng.multinomial(n, mass))
        seen = {ratio: privhist_sampler(ratio=ratio)(histogram, seeded_coins(repetition)) for ratio in RATIOS}
        for words, kind in PROPERTIES.items():
            estimator, value = kind.estimator(n), kind.value(mass, n)
            plain = abs(float(estimator.estimate(histogram, n)) - value)
            found.setdefault((words, name, n, None), []).append(plain)
            for ratio, (released, total) in seen.items():
                private = abs(float(private_estimate(estimator, released, total)) - value)
                found.setdefault((words, name, n, ratio), []).append(private)
    return {key: statistics.fmean(values) for key, values in found.items()}


def words_of(ratio: Fraction | None) -> str:
    """Return how a line or column is called."""
    return "without privacy" if ratio is None else f"epsilon = {3 * math.log(ratio):.2g}"


def plot(errors: dict[tuple[str, str, int, Fraction | None], float], path: str) -> None:
    """Write a panel for each property and distribution: mean absolute error by sample size."""
    figure, panels = plt.subplots(len(PROPERTIES), len(DISTRIBUTIONS), figsize=(11, 12), sharex=True)
    looks: dict[Fraction | None, tuple[str, str]] = {
        None: ("k", "--"),
        **{ratio: (f"C{i}", "-") for i, ratio in enumerate(RATIOS)},
    }
    for (row, words), (place, name) in product(enumerate(PROPERTIES), enumerate(DISTRIBUTIONS)):
        panel = panels[row][place]
        for ratio, (colour, line) in looks.items():
            values = [max(errors[words, name, n, ratio], 1e-6) for n in SIZES]
            panel.plot(SIZES, values, color=colour, linestyle=line, marker=".", label=words_of(ratio))
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_title(f"{words}, {name}", fontsize=10)
        panel.grid(alpha=0.3)
        if place == 0:
            panel.set_ylabel("mean absolute error")
        if row == len(PROPERTIES) - 1:
            panel.set_xlabel("samples n")
    handles, names = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncol=4, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(ROOT / path, dpi=90, metadata={"Software": None})
    plt.close(figure)


def keep_errors(errors: dict[tuple[str, str, int, Fraction | None], float]) -> None:
    """Write the errors at 10^3 and 10^5 samples beside their plot."""
    lines = []
    for words, name, n in product(PROPERTIES, DISTRIBUTIONS, (10**3, 10**5)):
        cells = [f"{errors[words, name, n, ratio]:.2g}" for ratio in (None, *RATIOS)]
        lines.append((words, name, f"{n:,}", *cells))
    keep("anonymized-properties", ("property", "distribution", "n", *map(words_of, (None, *RATIOS))), lines)


def exposed_table() -> str:
    """Return what so many guesses open, of the password-like list, from the data and from one release."""
    histogram = sampled("Passwords", 10**7)
    released = [privhist_sampler(ratio=ratio)(histogram, seeded_coins(1))[0] for ratio in RATIOS]
    lines = []
    for guesses in (1, 3, 10, 100, 1000, 10**4):
        cells = [accounts_exposed(one, guesses) for one in (histogram, *released)]
        lines.append((f"{guesses:,}", *(f"{cell:,}" for cell in cells)))
    return table(("guesses", "data", *map(words_of, RATIOS)), lines)


def main() -> None:
    """Measure everything, and write the plot and the tables."""
    found = errors()
    plot(found, "docs/figures/anonymized-properties.png")
    path = ROOT / "docs" / "papers" / "anonymized-experiments.md"
    keep_errors(found)
    path.write_text(filled(path.read_text("utf-8"), "exposed", exposed_table()), "utf-8")


if __name__ == "__main__":
    main()
