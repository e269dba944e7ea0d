"""The power of the sampling audit: how often too little noise is refuted, and after how many runs.

`python benchmarks/sampling_power.py --write docs/figures` writes the table's rows to standard output and the picture
to docs/figures/sampling-power.svg.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.kernel.neighbours import relation
from dpcert.audit.sampling.decide import Search, sample_claim
from dpcert.audit.sampling.sampler import Batched

PARTS = (0.50, 0.70, 0.80, 0.90, 0.95, 0.97, 0.98, 0.99, 1.0)
RUNS = 400_000
REPETITIONS = 10
EPSILON = 1.0
COLOURS = {"Laplace": "#1f77b4", "geometric": "#d62728", "ten Laplaces": "#2ca02c"}


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
class Point:
    """Of REPETITIONS audits so many refuted, after so many runs in the middle one."""

    name: str
    part: float
    refuted: int
    runs: int


def measured(name: str, part: float, *, repetitions: int = REPETITIONS, runs: int = RUNS) -> Point:
    """Return what audits of the claim (1, 0) at confidence 0.999 find; the last bits of floats are not looked at."""
    claim = Claim(name, (), (0, 1), relation("any"), PureDP("1"))
    mechanism = MECHANISMS[name]

    def batch(x: int, n: int, rng: np.random.Generator) -> Any:
        return mechanism(x, n, rng, part)

    found = [
        sample_claim(claim, Batched(batch, (0, 1), seed=seed), most_runs=runs, seed=seed, search=Search(bits=False))
        for seed in range(repetitions)
    ]
    return Point(name, part, sum(one.refuted for one in found), int(np.median([one.runs for one in found])))


def picture(points: list[Point], repetitions: int) -> str:
    """Return the curves as SVG: how often, over the part of the noise."""
    left, top, width, height = 50, 20, 480, 240

    def x(part: float) -> float:
        return left + (part - 0.5) / 0.5 * width

    def y(rate: float) -> float:
        return top + (1 - rate) * height

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 130} {top + height + 50}" '
        'font-family="sans-serif" font-size="12" fill="#666">',
        "<title>How often a sampling audit refutes, over the part of the noise that there is</title>",
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        lines.append(f'<path d="M{left} {y(tick):.1f}h{width}" stroke="#999" stroke-width="0.5"/>')
        lines.append(f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        lines.append(f'<text x="{x(tick):.1f}" y="{top + height + 18}" text-anchor="middle">{tick:g}</text>')
    lines.append(
        f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">noise, of what it should be</text>'
    )
    for i, (name, colour) in enumerate(COLOURS.items()):
        own = [(x(point.part), y(point.refuted / repetitions)) for point in points if point.name == name]
        path = " ".join(f"{'L' if j else 'M'}{a:.1f} {b:.1f}" for j, (a, b) in enumerate(own))
        lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in own]
        lines.append(f'<text x="{left + width + 12}" y="{top + 14 + 20 * i}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


@click.command()
@click.option("--write", type=click.Path(file_okay=False, path_type=Path), help="Folder for the picture.")
def main(write: Path | None) -> None:
    """Measure all and print the table's rows."""
    points: list[Point] = []
    for part in PARTS:
        row = [measured(name, part) for name in MECHANISMS]
        cells = " | ".join(f"{point.refuted} of {REPETITIONS}, {point.runs:,}" for point in row)
        click.echo(f"| {part:.2f} | {cells} |")
        points += row
    if write is not None:
        (write / "sampling-power.svg").write_text(picture(points, REPETITIONS), "utf-8")


if __name__ == "__main__":
    main()
