"""Print where the bounds of sample-and-threshold hold for counts of any size: `python benchmarks/printed_bounds.py`.

`--threshold N` is the greatest threshold (20 for one bin, 8 for people who move), `--moves` takes the latter.
Exact arithmetic; docs/explanation/all-counts.md has the table.
"""

from __future__ import annotations

import argparse
from fractions import Fraction

from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import ParameterPoint, compared

RATES = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 6), Fraction(1, 4), Fraction(1, 2))
FACTORS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))


def points(most: int) -> list[ParameterPoint]:
    """Return the box: each rate p, each threshold up to the greatest, and e^epsilon = 1, 3/2, 2, 4 times 1/(1 - p)."""
    return [
        ParameterPoint(threshold, rate, factor / (1 - rate))
        for threshold in range(1, most + 1)
        for rate in RATES
        for factor in FACTORS
    ]


def main() -> None:
    """Print a row for each bound: at how many points it holds, fails, is open, and the first one where it fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", action="store_true")
    parser.add_argument("--threshold", type=int)
    given = parser.parse_args()
    most = given.threshold or (8 if given.moves else 20)
    print("| bound | holds | fails | open | first failure |\n|---|---|---|---|---|")
    for name, answers in compared(points(most), moves=given.moves).items():
        first = "none"
        if answers["fails"]:
            at = answers["fails"][0]
            first = f"tau = {at.threshold}, p = {at.rate}, e^epsilon = {at.ratio}"
        numbers = " | ".join(str(len(answers[answer])) for answer in ("holds", "fails", "open"))
        print(f"| {name} | {numbers} | {first} |")


if __name__ == "__main__":
    main()
