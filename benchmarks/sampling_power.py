"""The power of the sampling audit: how often too little noise is refuted, and after how many runs.

`python benchmarks/sampling_power.py --write docs/figures` writes the table's rows to standard output and the picture
to docs/figures/sampling-power.png.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import numpy as np

from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.relations import relation
from dpcert.audit.sampling.binomial import lower_limit, upper_limit
from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.sampler import Batched

PARTS = (0.50, 0.70, 0.80, 0.90, 0.95, 0.97, 0.98, 0.99, 1.0)
RUNS = 400_000
AUDITS = 40
EPSILON = 1.0


def laplace(x: int, n: int, rng: np.random.Generator, part: float) -> Any:
    """Return x plus Laplace noise of so much of scale 1."""
    return x + part * rng.laplace(0, 1 / EPSILON, n)


def geometric(x: int, n: int, rng: np.random.Generator, part: float) -> Any:
    """Return x plus a difference of two geometric numbers, of so much of scale 1."""
    stop = 1 - np.exp(-EPSILON / part)
    return x + rng.geometric(stop, n) - rng.geometric(stop, n)


def ten_laplaces(x: int, n: int, rng: np.random.Generator, part: float) -> Any:
    """Return ten noisy answers that share the budget, of so much of scale 10."""
    return x + part * rng.laplace(0, 10 / EPSILON, (n, 10))


MECHANISMS: dict[str, Callable[[int, int, np.random.Generator, float], Any]] = {
    "Laplace": laplace,
    "geometric": geometric,
    "ten Laplaces": ten_laplaces,
}


@dataclass(frozen=True, slots=True)
class MeasuredPower:
    """So many audits refuted, after so many runs in the middle one."""

    name: str
    part: float
    refuted: int
    runs: int


def measured(name: str, part: float, *, confidence: str, audits: int = AUDITS, runs: int = RUNS) -> MeasuredPower:
    """Return what audits of the claim (1, 0) at a confidence find; the last bits of floats are not looked at."""
    claim = Claim(name, (), (0, 1), relation("any"), PureDP("1"))
    mechanism = MECHANISMS[name]

    def batch(x: int, n: int, rng: np.random.Generator) -> Any:
        return mechanism(x, n, rng, part)

    found = [
        sample_claim(
            claim,
            Batched(batch, (0, 1), seed=seed),
            confidence=confidence,
            most_runs=runs,
            seed=seed,
            search=Search(bits=False),
        )
        for seed in range(audits)
    ]
    return MeasuredPower(name, part, sum(one.refuted for one in found), int(np.median([one.runs for one in found])))


def limits(refuted: int, audits: int) -> tuple[float, float]:
    """Return Clopper and Pearson's limits at 0.95 of the chance of a refutation, rounded outwards to 2^-32."""
    alpha = Fraction(1, 40)
    return float(lower_limit(refuted, audits, alpha)), float(upper_limit(refuted, audits, alpha))


def draw(points: list[MeasuredPower], audits: int, path: Path) -> None:
    """Draw how often each mechanism is refuted over the part of the noise, with the limits of each chance."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    for shift, name in enumerate(MECHANISMS):
        own = [point for point in points if point.name == name]
        rates = [point.refuted / audits for point in own]
        ends = [limits(point.refuted, audits) for point in own]
        bars = [
            [r - lo for r, (lo, _) in zip(rates, ends, strict=True)],
            [hi - r for r, (_, hi) in zip(rates, ends, strict=True)],
        ]
        axes.errorbar(
            [point.part + (shift - 1) * 0.002 for point in own], rates, bars, marker="o", capsize=3, label=name
        )
    axes.set_xlabel("noise, of what it should be")
    axes.set_ylabel(f"refuted, of {audits} audits")
    axes.set_ylim(-0.02, 1.02)
    axes.grid(visible=True, alpha=0.4)
    axes.legend()
    figure.savefig(path, dpi=100, metadata={"Software": None})
    pyplot.close(figure)


@click.command()
@click.option("--audits", type=click.IntRange(min=1), default=AUDITS, show_default=True, help="Of each point.")
@click.option("--confidence", default=DEFAULT_CONFIDENCE, show_default=True, help="Of each audit.")
@click.option("--write", type=click.Path(file_okay=False, path_type=Path), help="Folder for the picture.")
def main(audits: int, confidence: str, write: Path | None) -> None:
    """Measure all and print the table's rows."""
    points: list[MeasuredPower] = []
    for part in PARTS:
        row = [measured(name, part, confidence=confidence, audits=audits) for name in MECHANISMS]
        cells = " | ".join(f"{point.refuted} of {audits}, {point.runs:,}" for point in row)
        click.echo(f"| {part:.2f} | {cells} |")
        points += row
    if write is not None:
        draw(points, audits, write / "sampling-power.png")


if __name__ == "__main__":
    main()
