"""Processor time and memory of releases at size: `python benchmarks/sizes_of_releases.py` prints a table.

Zipf words: a million people over a hundred thousand labels, by default; `--people N --labels N` for others.
"""

from __future__ import annotations

import argparse
import random
import resource
from collections.abc import Callable
from fractions import Fraction
from time import process_time

from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.finite_computers.basic_histogram import tally
from dpcert.mechanisms.sample_and_threshold.contact import contacted_histogram
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.mechanisms.user_level.private_threshold import all_distances
from dpcert.mechanisms.user_level.user_weights import UserWeights


def words(people: int, labels: int) -> list[int]:
    """Return so many labels, about as often as Zipf's law says; the same ones every time."""
    source = random.Random(1)
    return [min(labels - 1, int(source.paretovariate(1.05))) for _ in range(people)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10**6)
    parser.add_argument("--labels", type=int, default=10**5)
    arguments = parser.parse_args()
    data, coins = words(arguments.people, arguments.labels), system_coins()
    few = data[: arguments.people // 10]
    contacted = contacted_histogram(
        n=len(few), m=len(few) // 10, asked=len(few) // 8, threshold=20, universe=arguments.labels
    )
    sampled = threshold_counts(rate=Fraction(1, 10), threshold=20)
    users = [tuple(data[20 * user : 20 * user + 20]) for user in range(arguments.people // 200)]
    weights = UserWeights("l2", 20, 10)
    runs: dict[str, Callable[[], object]] = {
        f"sample-threshold-histogram, {len(data):,} people": lambda: sampled(tally(data), coins),
        f"contacted-histogram, {len(few):,} people": lambda: contacted(few, coins),
        f"clip-threshold to 400, {len(users):,} users": lambda: all_distances(users, 400, weights=weights, noise=100),
    }
    print("| release | processor time | memory of the process so far |\n|---|---|---|")
    for name, run in runs.items():
        start = process_time()
        run()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"| {name} | {process_time() - start:.1f} s | {peak:,} MiB |", flush=True)


if __name__ == "__main__":
    main()
