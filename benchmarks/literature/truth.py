"""The least epsilon of each mechanism of the benchmark over its input pairs, exact or enclosed, with an event.

In `benchmarks/`, `python -m literature.truth` prints the table that stands in docs/findings/literature-benchmark.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from dpcert.mechanisms.adapters.balls import Bounds
from literature import laws
from literature.events import ArrayEvent, below, bits, equal
from literature.exponentials import (
    Total,
    enclosed,
    exponential_below,
    exponential_density,
    laplace_below,
    laplace_density,
    log_ratio,
)
from literature.needs import ALL, HALF, INFINITE, PAIRS, Truth, greatest, known, one
from literature.registry import BENCHMARK
from literature.samplers import bloom
from literature.sparse import sparse_vectors


def truths() -> dict[str, Truth]:
    """Return the truth of each mechanism, in the order of the benchmark."""
    found = {truth.name: truth for truth in (*noisy_numbers(), *counts(), *noisy_maxima(), *sparse_vectors())}
    return {name: found[name] for name in BENCHMARK}


def chances_of_small(count: int, scale: Fraction) -> tuple[Total, Total]:
    """Return the chance that `count` Laplace numbers around 1 are all 1 or less, and that of those around 2."""
    return one(HALF**count), one(HALF**count, -count / scale)


def noisy_numbers() -> Iterator[Truth]:
    """Yield the mechanisms that release numbers with noise: by Laplace densities, and sums of independent ones."""
    yield known("Laplace", "1/10", 1, below(1, "<= 1"), *chances_of_small(1, Fraction(10)))
    yield known("LaplaceParallel", "1/10", 1, below(1, "all <= 1"), *chances_of_small(20, Fraction(200)))
    yield known("NoisyHist1", "1/10", 1, below(1, "first <= 1", first=1), *chances_of_small(1, Fraction(10)))
    yield known("NoisyHist2", "10", 1, below(1, "first <= 1", first=1), *chances_of_small(1, Fraction(1, 10)))
    yield known("PrefixSum", "1", 5, below(1, "every step <= 1", steps=True), *chances_of_small(10, Fraction(10)))
    yield known("ReportNoisyMax3", "1/4", 5, below(1, "<= 1"), *chances_of_small(5, Fraction(20)))


def counts() -> Iterator[Truth]:
    """Yield the mechanisms whose laws are finite: fractions, and for the snapping mechanism multiples of 2^-1074."""
    p, q = Fraction(9, 17), Fraction(8, 17)
    ratio = log_ratio(one(p), one(q))
    yield Truth("TruncatedGeometric", "ln(9/8)", ratio, ((0,), (1,)), equal(0, "0"), one(p), one(q), ALL)
    found = {x: laws.snapped(x) for x in (0, 1, 2)}
    ratios = [
        log_ratio(one(found[x][value]), one(found[y][value]))
        for x, y in ((1, 0), (0, 1), (1, 2), (2, 1))
        for value in found[x]
    ]
    bounds = max(low for low, _ in ratios), max(high for _, high in ratios)
    p, q = found[1][16.0], found[0][16.0]
    yield Truth("LaplaceFixed", None, bounds, ((1,), (0,)), equal(16, "16"), one(p), one(q), PAIRS, approached=True)
    for name, keep in (("OneTimeRAPPOR", Fraction(21, 40)), ("RAPPOR", Fraction(41, 80))):
        filters = bloom(0), bloom(1)
        differ = sum(a != b for a, b in zip(*filters, strict=True))
        p, q = keep**differ, (1 - keep) ** differ
        text = f"{differ} ln({keep / (1 - keep)})"
        yield Truth(name, text, log_ratio(one(p), one(q)), ((0,), (1,)), bits(*filters), one(p), one(q), PAIRS)


def noisy_maxima() -> Iterator[Truth]:
    """Yield the forms of report-noisy-max that release an index, and the one whose epsilon is infinite."""
    for name, density, less in (
        ("ReportNoisyMax1", laplace_density, laplace_below),
        ("ReportNoisyMax2", exponential_density, exponential_below),
    ):
        found = {
            x: {i: laws.argmax(x, i, scale=Fraction(20), density=density, below=less) for i in range(5)}
            for x in {x for pair in BENCHMARK[name].pairs for x in pair}
        }
        yield greatest(name, found, lambda index: equal(index, f"index {index}"))
    p = {Fraction(-k, 20): Fraction((-1) ** k * comb(5, k)) for k in range(6)}
    name, event = "ReportNoisyMax4", ArrayEvent("< 2", lambda runs: runs < 2)
    yield Truth(name, INFINITE, None, BENCHMARK[name].pairs[5], event, p, {}, ALL)


def decimal(bounds: Bounds | None, digits: int = 8) -> str:
    """Return the digits of both bounds where they agree, else raise."""
    if bounds is None:
        return INFINITE
    low, high = (f"{float(end):.{digits}f}" for end in bounds)
    if low != high:
        raise ArithmeticError(f"bounds {low} and {high} differ")
    return low


def rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table: name, epsilon exactly, in digits, the pair, the event, its chances, the scope."""
    for truth in truths().values():
        first, second = (" ".join(map(str, x)) for x in truth.pair)
        chances = tuple(f"{float(enclosed(total)[0]):.3g}" for total in (truth.p, truth.q))
        exact = truth.exact or ("enclosed, approached" if truth.approached else "enclosed")
        yield truth.name, exact, decimal(truth.epsilon), first, second, truth.event.words, *chances, truth.scope


def table() -> str:
    """Return the table in Markdown."""
    head = ("mechanism", "least epsilon", "in digits", "x", "y", "event", "p on x", "q on y", "least for")
    lines = [head, ("---",) * len(head), *rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(table())
