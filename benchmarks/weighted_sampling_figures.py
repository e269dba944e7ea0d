"""The figures of weighted-sampling, Section 8: `python benchmarks/weighted_sampling_figures.py --out docs/figures`.

Writes each plot as PNG with its numbers as CSV beside it, and the tables into docs/papers/weighted-sampling-figures.md,
which says what each figure shows and what stood in for what. Needs `pip install "dpcert[experiments]"`. These are
closed forms evaluated in floats, no simulation and no verdict; at small parameters they are held against the exact code
first.
"""

import argparse
import csv
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from tables import ROOT, filled, table
from weighted_sampling_data import DATA, every, ppswor, reported, share, words
from weighted_sampling_formulas import (
    Array,
    agree,
    baseline,
    baseline_ppswor,
    baseline_priority,
    moments,
    threshold,
)

from dpcert.mechanisms.weighted_sampling.gains import expected_reports, laplace_reporting
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.proofs.weighted_sampling.checks.performance import bounds

mpl.use("Agg")
import matplotlib.pyplot as plt

ESTIMATED_DELTA = 2.0**-20
RATES = (1.0, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6)
EPSILONS = (0.5, 0.25, 0.1)
SELECTED, EACH = 200, 1000
PWS, SBH, LEAST, PLAIN = "PWS", "SbH", "SbH, least threshold", "not private"
COLOURS = {PWS: "tab:blue", SBH: "tab:orange", LEAST: "tab:orange", PLAIN: "tab:green"}

Line = tuple[str, Sequence[float], Sequence[float], dict[str, Any]]
"""A line of a panel: its name, its x and y, and how it is drawn."""


def draw(
    out: Path, number: str, panels: Sequence[tuple[str, str, str, Sequence[Line]]], *, log: str = "", columns: int = 2
) -> None:
    """Write a figure of panels (title, x label, y label, lines) as PNG, and its lines as CSV."""
    high = -(-len(panels) // columns)
    figure, grid = plt.subplots(high, columns, figsize=(5.2 * columns, 3.7 * high), squeeze=False)
    for panel, (title, x_label, y_label, lines) in zip(grid.flat, panels, strict=False):
        for name, x, y, look in lines:
            panel.plot(x, y, label=name, linewidth=1.4, **{"color": COLOURS.get(name), **look})
        panel.set_title(title, fontsize=10)
        panel.set_xlabel(x_label)
        panel.set_ylabel(y_label)
        if "x" in log:
            panel.set_xscale("log")
        if "y" in log and "ratio" not in y_label and "bias" not in y_label:
            panel.set_yscale("log")
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8)
    for panel in grid.flat[len(panels) :]:
        panel.axis("off")
    figure.tight_layout()
    figure.savefig(out / f"weighted-sampling-{number}.png", dpi=90, metadata={"Software": None})
    plt.close(figure)
    with (out / f"weighted-sampling-{number}.csv").open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerow(("panel", "line", "x", "y"))
        for title, _, _, lines in panels:
            for name, x, y, _ in lines:
                written.writerows((title, name, f"{a:.6g}", f"{b:.6g}") for a, b in thinned(x, y))


def thinned(x: Sequence[float], y: Sequence[float], most: int = 40) -> Iterable[tuple[float, float]]:
    """Return at most about this many of the points, the first and the last among them."""
    pairs = list(zip(x, y, strict=True))
    step = max(1, len(pairs) // most)
    return [*pairs[:-1:step], pairs[-1]]


def figure_1(out: Path) -> None:
    """Reporting probability by frequency, no sampling."""
    panels = []
    for epsilon, delta, imax in ((0.1, 0.01, 110), (0.01, 1e-6, 3200)):
        i = np.arange(1.0, imax + 1)
        lines: list[Line] = [
            (PWS, i, reported(every, epsilon, delta)(i), {}),
            (SBH, i, baseline(i, epsilon, delta), {}),
            (LEAST, i, baseline(i, epsilon, delta, slack=2), {"linestyle": "--"}),
        ]
        panels.append((f"epsilon = {epsilon}, delta = {delta:g}", "frequency", "reporting probability", lines))
    draw(out, "1", panels)


DELTAS = np.geomspace(1, 1e-8, 33)


def over_delta(names: Sequence[str], epsilon: float = 0.1) -> list[tuple[str, str, str, Sequence[Line]]]:
    """Return the panels of Figures 2 and 3: the ratio, and the shares over delta."""
    found = {
        name: [
            (
                share(name, reported(every, epsilon, delta)),
                share(name, lambda i, delta=delta: baseline(i, epsilon, delta)),
                share(name, lambda i, delta=delta: baseline(i, epsilon, delta, slack=2)),
            )
            for delta in DELTAS
        ]
        for name in names
    }
    ratios: list[Line] = []
    for place, name in enumerate(names):
        look = {"color": f"C{place}"}
        ratios.append((name, DELTAS, [a / b for a, b, _ in found[name]], look))
        ratios.append(
            (f"{name}, least threshold", DELTAS, [a / c for a, _, c in found[name]], {**look, "linestyle": "--"})
        )
    shares = [
        (
            f"{name}, epsilon = {epsilon}",
            "delta",
            "share of keys",
            [
                (PWS, DELTAS, [a for a, _, _ in found[name]], {}),
                (SBH, DELTAS, [b for _, b, _ in found[name]], {}),
                (LEAST, DELTAS, [c for _, _, c in found[name]], {"linestyle": "--"}),
            ],
        )
        for name in names
    ]
    return [("PWS over SbH", "delta", "ratio of reported keys", ratios), *shares]


def figure_4(out: Path) -> None:
    """Reporting probability by frequency under ppswor sampling."""
    epsilon, delta, panels = 0.25, ESTIMATED_DELTA, []
    i = np.arange(1.0, 401)
    for tau in (0.1, 0.01, 0.001, 1e-4):
        lines: list[Line] = [
            (PLAIN, i, ppswor(tau)(i), {}),
            (PWS, i, reported(ppswor(tau), epsilon, delta)(i), {}),
            (SBH, i, baseline_ppswor(i, epsilon, delta, tau), {}),
        ]
        panels.append((f"ppswor, tau = {tau:g}, epsilon = {epsilon}, delta = 2^-20", "frequency", "probability", lines))
    draw(out, "4", panels, log="xy")


TAUS = np.geomspace(1, 1e-5, 31)


def over_tau(names: Sequence[str], epsilon: float, delta: float) -> dict[str, list[tuple[float, float, float]]]:
    """Return for each data set and rate the shares that are sampled, reported by PWS, and by sampled-SbH."""
    return {
        name: [
            (
                share(name, ppswor(tau)),
                share(name, reported(ppswor(tau), epsilon, delta)),
                share(name, lambda i, tau=tau: baseline_ppswor(i, epsilon, delta, tau)),
            )
            for tau in TAUS
        ]
        for name in names
    }


def share_panels(
    shares: dict[str, list[tuple[float, float, float]]], epsilon: float, delta: float
) -> list[tuple[str, str, str, Sequence[Line]]]:
    """Return the panels of shares over tau, one a data set."""
    return [
        (
            f"{name}, ppswor, epsilon = {epsilon}, delta = {delta:g}",
            "tau",
            "share of keys",
            [
                (PLAIN, TAUS, [a for a, _, _ in values], {}),
                (PWS, TAUS, [b for _, b, _ in values], {}),
                (SBH, TAUS, [c for _, _, c in values], {}),
            ],
        )
        for name, values in shares.items()
    ]


def ratio_panel(shares: dict[str, list[tuple[float, float, float]]]) -> tuple[str, str, str, Sequence[Line]]:
    """Return the panel of PWS over sampled-SbH."""
    lines = [
        (name, TAUS, [b / c for _, b, c in values], {"color": f"C{place}"})
        for place, (name, values) in enumerate(shares.items())
    ]
    return ("PWS over sampled-SbH", "tau", "ratio of reported keys", lines)


@cache
def estimated(epsilon: float, tau: float) -> tuple[Array, tuple[Array, Array], tuple[Array, Array]]:
    """Return rates, and bias and variance of PWS and of sampled-SbH, priority sampling, frequencies 0, 1, ..."""
    imax = max(SELECTED, int(2.2 * threshold(epsilon, ESTIMATED_DELTA)))
    q = np.minimum(1, tau * np.arange(2.0 * imax))  # frequencies beyond imax, too, report the values of those below
    ours = moments(q, epsilon, ESTIMATED_DELTA)
    _, bias, variance = baseline_priority(imax, epsilon, ESTIMATED_DELTA, tau)
    return q[: imax + 1], (ours[0][: imax + 1], ours[1][: imax + 1]), (bias, variance)


def errors(epsilon: float, tau: float) -> tuple[float, float, float]:
    """Return the NRMSE of the sum of EACH keys of each frequency up to SELECTED: not private, PWS, sampled-SbH."""
    q, *both = estimated(epsilon, tau)
    i, total = np.arange(1.0, SELECTED + 1), EACH * SELECTED * (SELECTED + 1) / 2
    plain = math.sqrt(EACH * (i**2 * (1 / q[1 : SELECTED + 1] - 1)).sum()) / total
    found = [
        math.sqrt(EACH * variance[1 : SELECTED + 1].sum() + (EACH * bias[1 : SELECTED + 1].sum()) ** 2) / total
        for bias, variance in both
    ]
    return plain, found[0], found[1]


def figure_8(out: Path) -> None:
    """Bias over frequency, and the error of a selection over the rate."""
    biases, nrmse = [], []
    for epsilon in EPSILONS:
        lines: list[Line] = []
        for place, tau in enumerate((1.0, 0.01, 1e-4, 1e-6)):
            _, (bias, _), (theirs, _) = estimated(epsilon, tau)
            i = np.arange(1.0, bias.size)
            lines.append((f"PWS, tau = {tau:g}", i, bias[1:] / i, {"color": f"C{[0, 2, 3, 4][place]}"}))
        lines.append((SBH, i, theirs[1:] / i, {}))
        biases.append((f"priority, epsilon = {epsilon}, delta = 2^-20", "frequency", "bias / frequency", lines))
        found = [errors(epsilon, tau) for tau in RATES]
        nrmse.append(
            (
                f"{EACH:,} keys of each frequency to {SELECTED}, epsilon = {epsilon}",
                "tau",
                "NRMSE",
                [(name, RATES, [one[k] for one in found], {"marker": "."}) for k, name in enumerate((PLAIN, PWS, SBH))],
            )
        )
    draw(out, "8", [*biases, *nrmse], log="x", columns=3)


def figure_9(out: Path) -> None:
    """Variance over squared frequency, and variance."""
    epsilon, panels = 0.25, []
    for squared, tau in product((True, False), (1.0, 0.01, 0.0001)):
        q, (_, ours), (_, theirs) = estimated(epsilon, tau)
        i = np.arange(1.0, ours.size)
        scale, label = (i**2, "variance / frequency^2") if squared else (np.ones_like(i), "variance")
        lines: list[Line] = [(PWS, i, np.maximum(ours[1:], 1e-12) / scale, {}), (SBH, i, theirs[1:] / scale, {})]
        if tau < 1:
            plain = i**2 * (1 / q[1:] - 1)
            lines.insert(0, (PLAIN, i[plain > 0], plain[plain > 0] / scale[plain > 0], {}))
        panels.append((f"priority, tau = {tau:g}, epsilon = {epsilon}, delta = 2^-20", "frequency", label, lines))
    draw(out, "9", panels, log="y", columns=3)


def gains_table() -> str:
    """Return the table of gains in reported keys without sampling."""
    lines = []
    for k in range(9):
        delta, cells = 10.0**-k, []
        for name in DATA:
            ours = share(name, reported(every, 0.1, delta))
            rivals = [share(name, lambda i, s=s, delta=delta: baseline(i, 0.1, delta, slack=s)) for s in (1, 2)]
            cells.append(" / ".join(f"{100 * (ours / rival - 1):.0f} %" for rival in rivals))
        lines.append((f"1e-{k}" if k else "1", *cells))
    return table(("delta", *DATA), lines)


def exact_table() -> str:
    """Return the table of the gains for English words in exact arithmetic, rounded outwards."""
    frequencies, counts = words()
    most, ratios = 400, bounds(Fraction(1, 10))
    keys = [0] * most
    for frequency, count in zip(frequencies, counts, strict=True):
        keys[min(int(frequency), most) - 1] += int(count)
    lines = []
    for k in range(0, 9, 2):
        delta, ours, theirs = Fraction(1, 10**k), [], []
        for ratio, last in zip(ratios, (None, Fraction(1)), strict=True):
            pi = reporting_probabilities(q=[Fraction(1)] * most, ratio=ratio, delta=delta)
            phi = laplace_reporting(imax=most, ratio=ratio, delta=delta)
            for found, law in ((ours, pi), (theirs, phi)):
                # a word of frequency `most` or more counts as one of that frequency, or as certain for upper bounds
                law[-1] = law[-1] if last is None else last
                found.append(expected_reports(frequencies=keys, probabilities=law))
        low, high = 100 * (ours[0] / theirs[1] - 1), 100 * (ours[1] / theirs[0] - 1)
        lines.append(
            (f"1e-{k}" if k else "1", f"{math.floor(low * 100) / 100:.2f} %", f"{math.ceil(high * 100) / 100:.2f} %")
        )
    return table(("delta", "at least", "at most"), lines)


def sampled_table() -> str:
    """Return the table of gains in reported keys over the rate."""
    lines = []
    for tau in (1.0, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4):
        cells = []
        for name in DATA:
            theirs = share(name, lambda i, tau=tau: baseline_ppswor(i, 0.1, 0.001, tau))
            cells.append(f"{100 * (share(name, reported(ppswor(tau), 0.1, 0.001)) / theirs - 1):.0f} %")
        lines.append((f"{tau:g}", *cells))
    return table(("tau", *DATA), lines)


def accuracy_table() -> str:
    """Return the table of the frequencies from which the bias stays within a tenth."""

    def accurate(bias: Array) -> int:
        i = np.arange(bias.size)
        (bad,) = np.nonzero(np.abs(bias) > i / 10)
        return int(bad.max(initial=0)) + 1

    lines = []
    for epsilon in EPSILONS:
        theirs = accurate(estimated(epsilon, 1.0)[2][0])
        ours = [accurate(estimated(epsilon, tau)[1][0]) for tau in RATES]
        lines.append((epsilon, theirs, *(f"{one} ({theirs / one:.1f})" for one in ours)))
    return table(("epsilon", "SbH", *(f"PWS, tau = {tau:g}" for tau in RATES)), lines)


def main() -> None:
    """Check the floats, write the figures and their numbers, and fill the page's tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "figures", help="folder of the figures")
    out = parser.parse_args().out
    agree()
    out.mkdir(parents=True, exist_ok=True)
    figure_1(out)
    draw(out, "2", over_delta(("Zipf 1", "Zipf 2")), log="xy", columns=3)
    draw(out, "3", over_delta(("English words",)), log="xy")
    figure_4(out)
    zipfs = over_tau(("Zipf 1/2", "Zipf 1", "Zipf 2"), 0.1, 0.001)
    draw(out, "5", [*share_panels(zipfs, 0.1, 0.001), ratio_panel(zipfs)], log="xy")
    text = over_tau(("English words",), 0.1, 0.001)
    draw(out, "6", share_panels(text, 0.1, 0.001), log="xy", columns=1)
    draw(out, "7", [ratio_panel(text)], log="x", columns=1)
    figure_8(out)
    figure_9(out)
    if out.resolve() == (ROOT / "docs" / "figures").resolve():
        path = ROOT / "docs" / "papers" / "weighted-sampling-figures.md"
        page = path.read_text("utf-8")
        for name, text_of in (
            ("gains", gains_table),
            ("exact", exact_table),
            ("sampled", sampled_table),
            ("accurate", accuracy_table),
        ):
            page = filled(page, name, text_of())
        path.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
