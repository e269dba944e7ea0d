"""Measures the sampling audit on the literature's benchmark: for each mechanism epsilon from below, runs and seconds.

`PYTHONPATH=benchmarks python -m literature.measure [NAME...]` prints a row for each as it is measured, as JSON. All
runs count, those of the search too, and all seconds, from the first run to the bound.
"""

from __future__ import annotations

import json
import math
import os
import time
from dataclasses import asdict, dataclass

import click

from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.relations import relation
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.sampler import Batched
from literature.registry import BENCHMARK, Benchmark

CONFIDENCE = "0.9"
RUNS = 24_000_000
SHARE, ENTRIES = 0.3, 4_000_000


@dataclass(frozen=True, slots=True)
class MeasuredEpsilon:
    """What was found of one mechanism: epsilon is at least so much, at CONFIDENCE."""

    name: str
    epsilon: float
    runs: int
    seconds: float
    a: list[int]
    b: list[int]
    event: str
    counts: list[int]
    processor_seconds: float


def claim_of(benchmark: Benchmark) -> Claim:
    """Return the claim of epsilon 0 on the benchmark's pairs: what it would need is what is measured."""
    inputs = list(dict.fromkeys(vector for pair in benchmark.pairs for vector in pair))
    pairs = {frozenset(pair) for pair in benchmark.pairs}
    near = relation(lambda a, b: frozenset((tuple(a), tuple(b))) in pairs)
    return Claim(benchmark.name, (), tuple(inputs), near, PureDP("0"))


def measured(
    name: str, *, runs: int, seed: int | None, jobs: int, bits: bool, entries: int = ENTRIES
) -> MeasuredEpsilon:
    """Return the greatest lower bound found of epsilon at delta = 0, from so many runs in all.

    The last bits of floats are looked at with `bits` alone: the benchmark is about real numbers.
    """
    benchmark = BENCHMARK[name]
    claim, start, own = claim_of(benchmark), time.monotonic(), time.process_time()
    source = Batched(benchmark.sample, claim.inputs, seed=seed, jobs=jobs)
    search = Search(share=SHARE, entries=entries, events=1, bits=bits, stop=False)
    found = sample_claim(claim, source, confidence=CONFIDENCE, most_runs=runs, seed=seed, search=search)
    seconds, worst = time.monotonic() - start, found.worst
    if worst is None:
        raise ValueError(f"{name}: no event")
    return MeasuredEpsilon(
        name,
        math.log(found.epsilon_lo.ratio),
        found.runs,
        seconds,
        list(worst.a),
        list(worst.b),
        worst.event.words(),
        [worst.counts.x, worst.counts.n, worst.counts.y, worst.counts.m],
        time.process_time() - own,
    )


@click.command()
@click.argument("names", nargs=-1)
@click.option("--runs", default=RUNS, show_default=True, help="Runs in all, those of the search too.")
@click.option("--seed", type=int, help="Of the random numbers; by default they are fresh.")
@click.option("--jobs", default=os.cpu_count() or 1, help="Threads.")
@click.option("--bits", is_flag=True, help="Look at the last bits of floats too.")
@click.option("--entries", default=ENTRIES, show_default=True, help="Numbers that a search looks at at once.")
def main(names: tuple[str, ...], runs: int, seed: int | None, jobs: int, bits: bool, entries: int) -> None:
    """Measure the named mechanisms, or all."""
    for name in names or BENCHMARK:
        row = measured(name, runs=runs, seed=seed, jobs=jobs, bits=bits, entries=entries)
        click.echo(json.dumps(asdict(row)))


if __name__ == "__main__":
    main()
