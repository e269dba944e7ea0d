"""The experiments of sample-and-threshold, Section 5: `python benchmarks/sampling_experiments.py`.

Writes plots and all numbers into docs/figures/, and tables into docs/papers/sampling-experiments.md, which describes
each method and its assumptions. Needs `pip install "dpcert[experiments]"`. This is measurement by floats and seeded
randomness: no verdict rests on it.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from tables import ROOT, filled, keep, table
from wordfreq import get_frequency_dict

from dpcert.mechanisms.sample_and_threshold.all_counts import least_threshold
from dpcert.proofs.sample_and_threshold.checks.experiments import ALPHA, DELTA, bucket, least_noise

mpl.use("Agg")
import matplotlib.pyplot as plt

CLIENTS, REPETITIONS, SEED = 10**6, 10, 2022
SIZES = tuple(2**j for j in (6, 8, 10, 12, 14))
EPSILONS = tuple(Fraction(j, 10) for j in range(1, 11))
DATA = ("Binomial", "Geometric", "Words")
GRID = 10_000
PAPER_THRESHOLD = 20

Array = np.ndarray[Any, np.dtype[Any]]


class Setting(NamedTuple):
    """What all repetitions at one epsilon share: the rate, the thresholds, and the noise of a shuffled client."""

    epsilon: float
    rate: float
    threshold: int
    noise: float
    printed_noise: float | None


class FrequencyEstimator(NamedTuple):
    """A method's name and look, and its estimate of how many of the sampled clients are in each bucket."""

    name: str
    colour: str
    line: str
    estimate: Callable[[Array, Setting, np.random.Generator], Array | None]


@cache
def setting(epsilon: Fraction) -> Setting:
    """Return the parameters at an epsilon: a rate of at most alpha (1 - e^-epsilon), a multiple of 1/GRID."""
    rate = Fraction(math.floor(ALPHA * (1 - math.exp(-epsilon)) * GRID), GRID)
    ratio = Fraction(math.floor(math.exp(epsilon) * GRID), GRID)
    least = least_threshold(rate=rate, ratio=ratio, delta=DELTA)
    assert least is not None
    mean = CLIENTS * float(rate)
    fewest = math.floor(mean - 6 * math.sqrt(mean))
    flips = 50 * math.log(2 / DELTA) / float(epsilon) ** 2
    printed = 1 - flips / fewest if 2 * flips <= fewest else None
    return Setting(float(epsilon), float(rate), least, least_noise(clients=fewest, epsilon=float(epsilon)), printed)


def population(name: str, size: int) -> Array:
    """Return how many of the clients are in each of the buckets, from a seed of its own."""
    rng = np.random.default_rng([SEED, DATA.index(name), size])
    if name == "Binomial":
        return np.bincount(rng.binomial(size, 0.5, CLIENTS) % size, minlength=size)
    if name == "Geometric":
        mass = (1 - 1 / math.sqrt(size)) ** np.arange(size)
        return rng.multinomial(CLIENTS, mass / mass.sum())
    words = get_frequency_dict("en", wordlist="small")
    mass = np.array(list(words.values()))
    drawn = rng.multinomial(CLIENTS, mass / mass.sum())
    return np.bincount([bucket(word, size) for word in words], weights=drawn, minlength=size).astype(int)


def thresholded(sample: Array, least: int) -> Array:
    """Return the counts that reach the threshold, 0 for the others."""
    return np.where(sample >= least, sample, 0)


def central(sample: Array, at: Setting, rng: np.random.Generator) -> Array:
    """Return the counts, each with two-sided geometric noise of parameter e^-epsilon."""
    up, down = rng.geometric(1 - math.exp(-at.epsilon), (2, sample.size))
    return sample + up - down


def shuffled(sample: Array, at: Setting, rng: np.random.Generator) -> Array:
    """Return the counts, each with the centred sum of one Bernoulli bit a client, of the least sufficient noise."""
    clients = int(sample.sum())
    return sample + rng.binomial(clients, at.noise, sample.size) - clients * at.noise


def shuffled_printed(sample: Array, at: Setting, rng: np.random.Generator) -> Array | None:
    """Return the counts with Balcer and Cheu's Bernoulli noise, 0 where no more ones than clients are seen."""
    if at.printed_noise is None:
        return None
    clients = int(sample.sum())
    ones = sample + rng.binomial(clients, at.printed_noise, sample.size)
    return np.where(ones > clients, ones - clients * at.printed_noise, 0)


def local(sample: Array, at: Setting, rng: np.random.Generator) -> Array:
    """Return the counts as Hadamard response estimates them, each client reporting one row of the matrix."""
    order = 1 << int(sample.size).bit_length()
    rows = np.repeat(np.arange(1, sample.size + 1), sample)
    reports = rng.integers(0, order, rows.size)
    wanted = rng.random(rows.size) < 1 / (1 + math.exp(-at.epsilon))
    wrong = (parities(order)[rows & reports] == 0) != wanted
    reports = np.where(wrong, reports ^ (rows & -rows), reports)
    return transformed(np.bincount(reports, minlength=order))[1 : sample.size + 1] / math.tanh(at.epsilon / 2)


@cache
def parities(order: int) -> Array:
    """Return the parity of the number of ones of 0 to order - 1, for a power of two."""
    found = np.zeros(1, dtype=np.int8)
    while found.size < order:
        found = np.concatenate([found, 1 - found])
    return found


def transformed(values: Array) -> Array:
    """Return the Walsh-Hadamard transform."""
    step = 1
    while step < values.size:
        pairs = values.reshape(-1, 2, step)
        values = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        step *= 2
    return values


METHODS = (
    FrequencyEstimator("all zero", "0.6", ":", lambda sample, at, rng: np.zeros(sample.size)),
    FrequencyEstimator("local (Hadamard response)", "tab:red", "-", local),
    FrequencyEstimator("shuffle (printed noise)", "tab:orange", "--", shuffled_printed),
    FrequencyEstimator("shuffle (least noise)", "tab:orange", "-", shuffled),
    FrequencyEstimator("central (discrete Laplace)", "tab:green", "-", central),
    FrequencyEstimator(
        "threshold, tau = 20", "tab:blue", "-", lambda sample, at, rng: thresholded(sample, PAPER_THRESHOLD)
    ),
    FrequencyEstimator(
        "threshold, least tau", "tab:blue", "--", lambda sample, at, rng: thresholded(sample, at.threshold)
    ),
)


def heaviest(values: Array, rng: np.random.Generator) -> set[int]:
    """Return the heaviest tenth of the buckets, those above 0, ties in a random order."""
    order = np.lexsort((rng.random(values.size), values))[::-1][: values.size // 10]
    return {int(place) for place in order if values[place] > 0}


def measured(name: str, size: int) -> Iterator[tuple[tuple[str, int, Fraction, str], tuple[float, ...]]]:
    """Yield for each epsilon and method the mean and standard error, of the absolute error and of the recall."""
    truth = population(name, size)
    top = heaviest(truth, np.random.default_rng([SEED, size]))
    for epsilon in EPSILONS:
        at = setting(epsilon)
        found: dict[str, list[tuple[float, float]]] = {method.name: [] for method in METHODS}
        for repetition in range(REPETITIONS):
            rng = np.random.default_rng(
                [SEED, DATA.index(name), size, epsilon.numerator, epsilon.denominator, repetition]
            )
            sample = rng.binomial(truth, at.rate)
            for method in METHODS:
                estimate = method.estimate(sample, at, rng)
                if estimate is not None:
                    error = float(np.abs(estimate / at.rate - truth).mean()) / CLIENTS
                    found[method.name].append((error, len(heaviest(estimate, rng) & top) / len(top)))
        for method, pairs in found.items():
            if pairs:
                values = np.array(pairs)
                spread = values.std(axis=0, ddof=1) / math.sqrt(REPETITIONS)
                yield (name, size, epsilon, method), (values[:, 0].mean(), spread[0], values[:, 1].mean(), spread[1])


Results = dict[tuple[str, int, Fraction, str], tuple[float, ...]]


def plot(results: Results, *, sizes: tuple[int, ...], column: int, label: str, path: str) -> None:
    """Write a grid of panels: sizes from top to bottom, data from left to right, epsilon on each x-axis."""
    figure, panels = plt.subplots(len(sizes), len(DATA), figsize=(11, 3 * len(sizes) + 0.9), sharex=True, squeeze=False)
    for (row, size), (place, name) in product(enumerate(sizes), enumerate(DATA)):
        panel = panels[row][place]
        for method in METHODS:
            if column == 2 and method.name == "all zero":
                continue
            points = [
                (float(e), results[name, size, e, method.name])
                for e in EPSILONS
                if (name, size, e, method.name) in results
            ]
            panel.errorbar(
                [x for x, _ in points],
                [value[column] for _, value in points],
                yerr=[value[column + 1] for _, value in points],
                color=method.colour,
                linestyle=method.line,
                marker=".",
                markersize=4,
                linewidth=1.2,
                label=method.name,
            )
        panel.set_title(f"{name}, B = {size:,}", fontsize=10)
        panel.grid(alpha=0.3)
        if column == 0:
            panel.set_yscale("log")
        else:
            panel.set_ylim(-0.03, 1.03)
        if row == len(sizes) - 1:
            panel.set_xlabel("epsilon")
        if place == 0:
            panel.set_ylabel(label)
    handles, names = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncol=4, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.62 / figure.get_figheight(), 1, 1))
    figure.savefig(ROOT / path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def parameters() -> str:
    """Return the table of rates, thresholds and noises."""
    lines = []
    for epsilon in EPSILONS:
        at = setting(epsilon)
        printed = "none" if at.printed_noise is None else f"{at.printed_noise:.4f}"
        lines.append(
            (float(epsilon), f"{at.rate:.4f}", f"{CLIENTS * at.rate:,.0f}", at.threshold, f"{at.noise:.5f}", printed)
        )
    head = ("epsilon", "rate", "clients sampled", "least tau", "least noise bit", "printed noise bit")
    return table(head, lines)


def numbers(results: Results) -> Iterator[tuple[object, ...]]:
    """Yield all measured means, each with its standard error: errors in clients a bucket, and recalls."""
    for (name, size, epsilon, method), (error, deviation, *recall) in results.items():
        clients = (f"{CLIENTS * value:.1f}" for value in (error, deviation))
        yield (name, size, float(epsilon), method, *clients, *(f"{value:.3f}" for value in recall))


def keep_shares() -> None:
    """Write the share of the most popular bucket, of empty buckets, and of those below the thresholds."""
    lines = []
    for name, size in product(DATA, SIZES):
        truth = population(name, size)
        low = [f"{np.mean(truth * setting(e).rate < PAPER_THRESHOLD):.0%}" for e in (Fraction(1, 10), Fraction(1))]
        lines.append((name, f"{size:,}", f"{truth.max() / CLIENTS:.2%}", f"{np.mean(truth == 0):.0%}", *low))
    head = ("data", "B", "heaviest bucket", "empty buckets", "mean below 20 at epsilon 0.1", "at epsilon 1")
    keep("sampling-shares", head, lines)


def tally(results: Results) -> str:
    """Return the table of the epsilons at which thresholding at 20 errs less than a rival, where not at all of them.

    Raises: ValueError where it errs as much as answering 0 or as the local method; the page says that it never does.
    """
    lines = []
    for name, size in product(DATA, SIZES):
        if len(won(results, name, size, "all zero")) + len(won(results, name, size, "local (Hadamard response)")) < 20:
            raise ValueError(f"on {name}, {size} buckets, thresholding is not the best of the three")
        less = [won(results, name, size, rival) for rival in RIVALS]
        if any(len(each) < len(EPSILONS) for each in less):
            lines.append((name, f"{size:,}", *(", ".join(each).replace(ALL, "all") or "none" for each in less)))
    return table(("data", "B", *(f"below {rival}" for rival in RIVALS)), lines, left=4)


def won(results: Results, name: str, size: int, rival: str) -> list[str]:
    """Return the epsilons at which thresholding at 20 errs less than a rival."""
    mine = "threshold, tau = 20"
    return [f"{float(e):.1f}" for e in EPSILONS if results[name, size, e, mine][0] < results[name, size, e, rival][0]]


RIVALS = ("shuffle (least noise)", "central (discrete Laplace)")
ALL = ", ".join(f"{float(e):.1f}" for e in EPSILONS)


def main() -> None:
    """Measure everything, and write the plots and the tables."""
    results = {key: value for name, size in product(DATA, SIZES) for key, value in measured(name, size)}
    plot(
        results,
        sizes=(64, 1024, 16384),
        column=0,
        label="mean absolute error / n",
        path="docs/figures/sampling-error.png",
    )
    plot(
        results,
        sizes=(256, 4096),
        column=2,
        label="recall of the heaviest tenth",
        path="docs/figures/sampling-recall.png",
    )
    path = ROOT / "docs" / "papers" / "sampling-experiments.md"
    page = path.read_text("utf-8")
    page = filled(page, "parameters", parameters())
    page = filled(page, "tally", tally(results))
    path.write_text(page, "utf-8")
    keep_shares()
    head = ("data", "B", "epsilon", "method", "error", "its standard error", "recall", "its standard error")
    keep("sampling-experiments", head, numbers(results))


if __name__ == "__main__":
    main()
