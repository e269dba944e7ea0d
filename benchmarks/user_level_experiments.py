"""The experiments of user-level histograms, Section 6: `python benchmarks/user_level_experiments.py`.

Writes the plots into docs/figures/ and the tables into docs/papers/user-level-experiments.md, which says what each
method is, and which data stand in for the paper's. Needs `pip install "dpcert[experiments]"`. This is measurement by
floats and seeded randomness: no verdict rests on it.
"""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from tables import ROOT, filled, keep, table
from user_level_data import DATA, SEED, USERS, WORDS, Array, functions, histograms

mpl.use("Agg")
import matplotlib.pyplot as plt

REPETITIONS = 20
EPSILON, DELTA = 1.0, 1e-6
CHOICE_EPSILON, CHOICE_DELTA = 0.1, 1e-7
COUNT_EPSILON, COUNT_GREATEST = 0.1, 30
SPARSITY, GREATEST, STEPS = 64, 200.0, 200
SIZES = (10, 30, 100, 300)
ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
REPEATS = 50
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5)


class Users(NamedTuple):
    """What the choice of a threshold sees of users: their l2 norms and their weights, and eta."""

    norms: Array
    weights: Array
    eta: float


def scale() -> float:
    """Return sigma for C = 1: the classical Gaussian mechanism's, at the sensitivity sqrt(2) of replaced histograms."""
    return math.sqrt(2) * math.sqrt(2 * math.log(1.25 / DELTA)) / EPSILON


def users_of(rows: Array) -> Users:
    """Return norms and weights of the users, and eta for the Gaussian noise on so many counts."""
    norms = np.sqrt((rows.astype(float) ** 2).sum(axis=1))
    weights = np.divide(rows.sum(axis=1), norms, out=np.zeros_like(norms), where=norms > 0)
    return Users(norms, weights, rows.shape[1] * scale() * math.sqrt(2 / math.pi))


def slope(users: Users, threshold: float) -> float:
    """Return U' to the right of a threshold."""
    return users.eta - float(users.weights[users.norms > threshold].sum())


def best(users: Users) -> float:
    """Return the greatest norm from which on the users weigh eta or more, 0 where there is none: Theorem 4.2."""
    order = np.argsort(-users.norms)
    reached = np.nonzero(np.cumsum(users.weights[order]) >= users.eta)[0]
    return float(users.norms[order][reached[0]]) if reached.size else 0.0


def capped(users: Users) -> Users:
    """Return the users with weights of at most sqrt(s)."""
    return users._replace(weights=np.minimum(users.weights, math.sqrt(SPARSITY)))


def rho() -> float:
    """Return the zero-concentrated parameter that gives the threshold's epsilon at its delta: r + 2 sqrt(r ln(1/d))."""
    log = math.log(1 / CHOICE_DELTA)
    return (math.sqrt(log + CHOICE_EPSILON) - math.sqrt(log)) ** 2


def exact_choice(users: Users, rng: np.random.Generator) -> float:
    """Return the best threshold as it is, which is not private."""
    return best(users)


def count_quantile(users: Users, rng: np.random.Generator) -> float:
    """Return the norm above which about eta users are, as if all weights were 1, by the exponential mechanism."""
    return private_quantile(users._replace(weights=np.ones_like(users.weights)), 1.0, rng)


def weighted_quantile(users: Users, rng: np.random.Generator) -> float:
    """Return the threshold of Theorem 4.2's rule, by the exponential mechanism, weights capped at sqrt(s)."""
    return private_quantile(capped(users), math.sqrt(SPARSITY), rng)


def private_quantile(users: Users, most: float, rng: np.random.Generator) -> float:
    """Draw a threshold of a grid, with probability in proportion to exp(-epsilon distance/(2 most))."""
    grid = np.geomspace(0.5, GREATEST, 200)
    order = np.argsort(users.norms)
    sums = np.concatenate([[0.0], np.cumsum(users.weights[order])])
    whole, norms = sums[-1], users.norms[order]
    above = whole - sums[np.searchsorted(norms, grid, side="right")]
    from_on = whole - sums[np.searchsorted(norms, grid, side="left")]
    far = np.maximum(np.maximum(above - users.eta, users.eta - from_on), 0)
    chances = np.exp(-CHOICE_EPSILON * (far - far.min()) / (2 * most))
    return float(rng.choice(grid, p=chances / chances.sum()))


def descent(users: Users, rng: np.random.Generator) -> float:
    """Return the mean of the thresholds of noisy gradient descent on U, all users at each of its steps."""
    users = capped(users)
    noise = math.sqrt(SPARSITY) * math.sqrt(STEPS / (2 * rho()))
    steepest = math.sqrt(max(users.eta, float(users.weights.sum()) - users.eta) ** 2 + noise**2)
    threshold, total = GREATEST / 2, 0.0
    for _ in range(STEPS):
        total += threshold
        moved = slope(users, threshold) + rng.normal(0, noise)
        threshold = min(max(threshold - GREATEST / (steepest * math.sqrt(STEPS)) * moved, 0.0), GREATEST)
    return max(total / STEPS, 0.5)


def perturbed(factor: float) -> Callable[[Users, np.random.Generator], float]:
    """Return Algorithm 2 at so many times the lambda that Corollary 4.4 balances."""

    def choose(users: Users, rng: np.random.Generator) -> float:
        users = capped(users)
        strength = factor * math.sqrt(2 * users.norms.size * SPARSITY / CHOICE_EPSILON) / GREATEST
        low, high = 0.0, GREATEST
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(users, middle) + strength * middle < 0 else (low, middle)
        noise = rng.laplace(0, math.sqrt(SPARSITY) / (strength * CHOICE_EPSILON))
        return float(min(max(high + noise, 0.5), GREATEST))

    return choose


def median(users: Users, rng: np.random.Generator) -> float:
    """Return the median norm, which is not private."""
    return float(np.median(users.norms[users.norms > 0]))


class ThresholdRule(NamedTuple):
    """A way to choose a threshold: its name and look."""

    name: str
    colour: str
    line: str
    choose: Callable[[Users, np.random.Generator], float]


METHODS = (
    ThresholdRule("best threshold (not private)", "black", "-", exact_choice),
    ThresholdRule("median norm (not private)", "0.6", ":", median),
    ThresholdRule("quantile of counts", "tab:orange", "-", count_quantile),
    ThresholdRule("quantile of weights", "tab:green", "-", weighted_quantile),
    ThresholdRule("descent (DP-SGD)", "tab:blue", "-", descent),
    ThresholdRule("output perturbation", "tab:red", "-", perturbed(1.0)),
    ThresholdRule("output perturbation, lambda/10", "tab:red", "--", perturbed(0.1)),
)


def release_loss(rows: Array, threshold: float, rng: np.random.Generator) -> float:
    """Return the l1 error of the clipped sum with Gaussian noise, relative to the sum."""
    norms = np.sqrt((rows.astype(float) ** 2).sum(axis=1))
    factor = np.minimum(1.0, np.divide(threshold, norms, out=np.ones_like(norms), where=norms > 0))
    noisy = (rows * factor[:, None]).sum(axis=0) + rng.normal(0, scale() * threshold, rows.shape[1])
    return float(np.abs(noisy - rows.sum(axis=0)).sum() / rows.sum())


Results = dict[tuple[str, int, str], tuple[float, float, float, float]]


def thresholds() -> Results:
    """Return by data, number of items and method the mean loss and its standard error, and those of the threshold."""
    results: Results = {}
    for name, size in product(DATA, SIZES):
        rows = histograms(name, size)
        users = users_of(rows)
        for place, method in enumerate(METHODS):
            pairs = []
            for repetition in range(REPETITIONS):
                rng = np.random.default_rng([SEED, DATA.index(name), size, place, repetition])
                chosen = method.choose(users, rng)
                pairs.append((release_loss(rows, chosen, rng) if chosen else 1.0, chosen))
            values = np.array(pairs)
            spread = values.std(axis=0, ddof=1) / math.sqrt(REPETITIONS)
            results[name, size, method.name] = (values[:, 0].mean(), spread[0], values[:, 1].mean(), spread[1])
    return results


def clipped_mean(rate: float, clip: int) -> float:
    """Return E min(Poi(rate), clip)."""
    term, total = math.exp(-rate), 0.0
    for k in range(clip):
        total += (clip - k) * term
        term *= rate / (k + 1)
    return clip - total


def inverse(mean: float, clip: int, cap: float) -> float:
    """Return the rate in [0, cap] at which a clipped count has a mean, by bisection."""
    low, high = 0.0, cap
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if clipped_mean(middle, clip) < mean else (low, middle)
    return high


def count_threshold(counts: Array, rng: np.random.Generator) -> int:
    """Return about the ceil(1/epsilon)-th greatest count, by the exponential mechanism of `clip-threshold`."""
    rank = math.ceil(1 / COUNT_EPSILON)
    grid = np.arange(1, COUNT_GREATEST + 1)
    above = (counts[:, None] > grid).sum(axis=0)
    from_on = (counts[:, None] >= grid).sum(axis=0)
    far = np.maximum(np.maximum(above - rank, rank - from_on), 0)
    chances = np.exp(-CHOICE_EPSILON * far / 2)
    return int(rng.choice(grid, p=chances / chances.sum()))


def count_losses(counts: Array, clip: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return how far the clipped and the debiased noisy mean count are from the users' mean count."""
    noisy = np.minimum(counts, clip).sum() + rng.laplace(0, clip / COUNT_EPSILON)
    mean = noisy / counts.size
    cap = 3.0 * clip
    return abs(mean - counts.mean()), abs(inverse(mean, clip, cap) - counts.mean())


Pair = tuple[float, float, float, float]


Choice = Callable[[Array, np.random.Generator], int]

CHOICES: dict[str, Choice] = {
    "C chosen privately": count_threshold,
    "C by the rule (not private)": lambda counts, rng: int(np.sort(counts)[-math.ceil(1 / COUNT_EPSILON)]),
    "C = 2": lambda counts, rng: 2,
    "C = 1": lambda counts, rng: 1,
}


def mixed(choose: Choice) -> dict[float, Pair]:
    """Return by alpha the losses of counts whose Poisson rates are USERS times a Dirichlet share, before and after."""
    found = {}
    for place, alpha in enumerate(ALPHAS):
        pairs = []
        for repetition in range(REPEATS):
            rng = np.random.default_rng([SEED, 3, place, repetition])
            counts = rng.poisson(USERS * rng.dirichlet(np.full(USERS, alpha)))
            pairs.append(count_losses(counts, choose(counts, rng), rng))
        found[alpha] = _pair(pairs)
    return found


def _pair(pairs: Sequence[tuple[float, float]]) -> Pair:
    values = np.array(pairs)
    spread = values.std(axis=0, ddof=1) / math.sqrt(len(pairs))
    return values[:, 0].mean(), spread[0], values[:, 1].mean(), spread[1]


def words() -> Iterator[tuple[str, int, Pair, float]]:
    """Yield for words of the functions, and each clip, the losses before and after, and the mean count."""
    users = functions()
    for word, clip in product(WORDS, (1, 2, 4)):
        counts = np.array([one[word] for one in users])
        rng = np.random.default_rng([SEED, 4, WORDS.index(word), clip])
        yield word, clip, _pair([count_losses(counts, clip, rng) for _ in range(REPEATS)]), float(counts.mean())


def plot_thresholds(results: Results) -> None:
    """Write the relative losses against the number of items."""
    figure, panels = plt.subplots(1, len(DATA), figsize=(11, 4.4), sharex=True)
    for panel, name in zip(panels, DATA, strict=True):
        for method in METHODS:
            values = [results[name, size, method.name] for size in SIZES]
            panel.errorbar(
                SIZES,
                [value[0] for value in values],
                yerr=[value[1] for value in values],
                color=method.colour,
                linestyle=method.line,
                marker=".",
                linewidth=1.2,
                label=method.name,
            )
        panel.set(title=name, xlabel="number of items", xscale="log", yscale="log")
        panel.set_xticks(SIZES, [str(size) for size in SIZES])
        panel.set_yticks(TICKS, [str(tick) for tick in TICKS])
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("l1 error / sum")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncol=4, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.13, 1, 1))
    figure.savefig(ROOT / "docs/figures/user-level-thresholds.png", dpi=100, metadata={"Software": None})
    plt.close(figure)


def plot_debiasing(errors: dict[str, dict[float, Pair]]) -> None:
    """Write the losses before and after debiasing against alpha."""
    figure, panels = plt.subplots(1, len(errors), figsize=(13, 3.8), sharex=True, sharey=True)
    for panel, (title, losses) in zip(panels, errors.items(), strict=True):
        for column, name, colour in ((0, "clipped", "tab:orange"), (2, "debiased", "tab:blue")):
            panel.errorbar(
                ALPHAS,
                [losses[alpha][column] for alpha in ALPHAS],
                yerr=[losses[alpha][column + 1] for alpha in ALPHAS],
                color=colour,
                linestyle="-" if column == 0 else "--",
                marker=".",
                label=name,
            )
        panel.set(title=title, xlabel="alpha", xscale="log", yscale="log")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("mean |estimate - mean count|")
    panels[0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/figures/user-level-debiasing.png", dpi=100, metadata={"Software": None})
    plt.close(figure)


def keep_losses(results: Results) -> None:
    """Write the losses and thresholds beside their plot."""
    lines = []
    for name, size in product(DATA, SIZES):
        for method in METHODS:
            loss, spread, chosen, apart = results[name, size, method.name]
            lines.append((name, size, method.name, f"{loss:.3f} ± {spread:.3f}", f"{chosen:.1f} ± {apart:.1f}"))
    keep("user-level-thresholds", ("data", "items", "threshold", "l1 error / sum", "C"), lines)


def data_table() -> str:
    """Return the table of what the data are like."""
    lines = []
    for name, size in product(DATA, SIZES):
        rows = histograms(name, size)
        held, users = (rows > 0).sum(axis=1), users_of(rows)
        lines.append(
            (
                name,
                size,
                f"{rows.shape[0]:,}",
                f"{rows.sum():,}",
                f"{np.median(held):.0f}",
                f"{np.mean(held > SPARSITY):.1%}",
                f"{users.weights.max():.2f}",
                f"{users.eta:,.0f}",
            )
        )
    head = ("data", "items", "users", "sum of counts", "median items a user", "above s", "greatest weight", "eta")
    return table(head, lines)


def keep_debiased(errors: dict[str, dict[float, Pair]]) -> None:
    """Write the errors before and after debiasing beside their plot."""
    lines = []
    for title, losses in errors.items():
        for alpha in ALPHAS:
            before, spread, after, apart = losses[alpha]
            lines.append((title, alpha, f"{before:.4f} ± {spread:.4f}", f"{after:.4f} ± {apart:.4f}"))
    keep("user-level-debiasing", ("threshold", "alpha", "clipped", "debiased"), lines)


def keep_words() -> None:
    """Write the errors for single words."""
    lines = [
        (word, clip, f"{mean:.3f}", f"{before:.4f} ± {spread:.4f}", f"{after:.4f} ± {apart:.4f}")
        for word, clip, (before, spread, after, apart), mean in words()
    ]
    keep("user-level-words", ("word", "C", "mean count", "clipped", "debiased"), lines)


def main() -> None:
    """Measure everything, and write the plots and the tables."""
    results, losses = thresholds(), {title: mixed(choose) for title, choose in CHOICES.items()}
    plot_thresholds(results)
    plot_debiasing(losses)
    keep_losses(results)
    keep_debiased(losses)
    keep_words()
    path = ROOT / "docs" / "papers" / "user-level-experiments.md"
    page = path.read_text("utf-8")
    version = ".".join(map(str, sys.version_info[:3]))
    page = filled(page, "version", f"Python {version}: {len(functions()):,} functions.")
    page = filled(page, "data", data_table())
    path.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
