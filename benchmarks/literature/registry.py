"""The benchmark by name: each mechanism with its input pairs, its neighbours, and what it claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from literature import plain, samplers
from literature.noise import Array

Vector = tuple[int, ...]
Pair = tuple[Vector, Vector]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A mechanism of the benchmark.

    `sample(x, n, rng)` returns n runs, `plain(x, rng)` one, by the other program. `pairs` are unordered: both orders
    count. `neighbours` is "l1" (one entry changes by 1), "linf" (all may), or "any". `claimed` is the epsilon of the
    claim in `dpcert.Epsilon`'s syntax; `correct` says whether the claim is true, of all neighbours and not only of
    these pairs. `outcome` is "number", "reals", "index", "bits" or "mixed": floats where some are codes.
    """

    name: str
    sample: Callable[[Vector, int, np.random.Generator], Array]
    plain: Callable[[Vector, np.random.Generator], object]
    pairs: tuple[Pair, ...]
    neighbours: str
    claimed: str
    correct: bool
    outcome: str


def l1_pairs(length: int) -> tuple[Pair, ...]:
    """Return ones against (0, ones) and (2, ones)."""
    ones = (1,) * length
    return (ones, (0, *ones[1:])), (ones, (2, *ones[1:]))


def linf_pairs(length: int) -> tuple[Pair, ...]:
    """Return the pairs of `l1_pairs`, and those in which all entries change by one."""
    half, rest = length // 2, length - length // 2
    ones, zeros, twos = (1,) * length, (0,) * length, (2,) * length
    others = ((2, *zeros[1:]), (0, *twos[1:]), (2,) * half + (0,) * rest, twos, zeros)
    sides = ((1,) * half + (0,) * rest, (0,) * half + (1,) * rest)
    return (*l1_pairs(length), *((ones, other) for other in others), sides)


def _power(ratio: Fraction, times: int) -> str:
    return f"ln({ratio**times})"


COUNTS: tuple[Pair, ...] = tuple(((count,), (count + 1,)) for count in range(5))


def _rows() -> tuple[Benchmark, ...]:
    def row(
        name: str, program: str, pairs: tuple[Pair, ...], neighbours: str, claimed: str, correct: bool, outcome: str
    ) -> Benchmark:
        many, one = getattr(samplers, program), getattr(plain, program)
        return Benchmark(name, many, one, pairs, neighbours, claimed, correct, outcome)

    return (
        row("Laplace", "laplace_mechanism", l1_pairs(1), "l1", "1/10", True, "number"),
        row("LaplaceFixed", "laplace_fixed", l1_pairs(1), "l1", "1/10", True, "number"),
        row("TruncatedGeometric", "truncated_geometric", COUNTS, "counts_differ_by_one", "1/10", False, "index"),
        row("NoisyHist1", "noisy_hist_1", l1_pairs(5), "l1", "1/10", True, "reals"),
        row("NoisyHist2", "noisy_hist_2", l1_pairs(5), "l1", "1/10", False, "reals"),
        row("ReportNoisyMax1", "report_noisy_max_1", linf_pairs(5), "linf", "1/10", True, "index"),
        row("ReportNoisyMax2", "report_noisy_max_2", linf_pairs(5), "linf", "1/10", True, "index"),
        row("ReportNoisyMax3", "report_noisy_max_3", linf_pairs(5), "linf", "1/10", False, "number"),
        row("ReportNoisyMax4", "report_noisy_max_4", linf_pairs(5), "linf", "1/10", False, "number"),
        row("SVT1", "svt_1", linf_pairs(10), "linf", "1/10", True, "bits"),
        row("SVT2", "svt_2", linf_pairs(10), "linf", "1/10", True, "bits"),
        row("SVT3", "svt_3", linf_pairs(10), "linf", "1/10", False, "mixed"),
        row("SVT4", "svt_4", linf_pairs(10), "linf", "1/10", False, "bits"),
        row("SVT5", "svt_5", linf_pairs(10), "linf", "1/10", False, "bits"),
        row("SVT6", "svt_6", linf_pairs(10), "linf", "1/10", False, "bits"),
        row("RAPPOR", "rappor", l1_pairs(1), "any", _power(Fraction(41, 39), 8), True, "bits"),
        row("OneTimeRAPPOR", "one_time_rappor", l1_pairs(1), "any", _power(Fraction(21, 19), 8), True, "bits"),
        row("LaplaceParallel", "laplace_parallel", l1_pairs(1), "l1", "1/10", True, "reals"),
        row("SVT34Parallel", "svt_34_parallel", linf_pairs(10), "linf", "1/5", False, "mixed"),
        row("PrefixSum", "prefix_sum", linf_pairs(10), "linf", "1/10", False, "reals"),
        row("NumericalSVT", "numerical_svt", linf_pairs(10), "linf", "1/10", True, "mixed"),
    )


BENCHMARK: dict[str, Benchmark] = {row.name: row for row in _rows()}
"""The 21 mechanisms by the names that the literature gives them, in its order."""
