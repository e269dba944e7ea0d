"""The profile of a pair of binomial laws, beside the float privacy-loss distribution of `dp-accounting`.

Bin(N - 1, 1/10) against Bin(N - 2, 1/10): N outcomes, one order of the pair. Each library is given its laws ready made,
two exact laws or two tables of log-probabilities; or it is given N and 1/10 and makes them, the tables with scipy.
Where dp-accounting is not installed, dpcert is measured alone.
"""

import importlib.util
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import log
from typing import Any

import pytest

from dpcert.audit.answer import Answer
from dpcert.audit.enclosure import profile_at_size
from dpcert.audit.recurrence import binomial
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon

BESIDE = ["dp-accounting", "dp-accounting with tables"] if importlib.util.find_spec("dp_accounting") else []
EPSILONS = {100: "0.2325", 1000: "0.0568", 10_000: "0.01603", 100_000: "0.004719", 1_000_000: "0.0014011"}
"""For each N an epsilon at which delta is about 1e-9."""
LAWS = 10_000
"""The greatest N for which the two laws are built exactly: 82 MB."""


def law(n: int) -> Dist:
    """Return Bin(n, 1/10), exactly."""
    rows, weight = [], 9**n
    for k in range(n + 1):
        rows.append((k, weight))
        weight = weight * (n - k) // ((k + 1) * 9)
    return Dist.from_weights(rows, 10**n)


@cache
def laws(n: int) -> tuple[Dist, Dist]:
    return law(n - 1), law(n - 2)


def log_masses(n: int) -> dict[int, float]:
    """Return the logarithms of the probabilities of Bin(n, 1/10)."""
    from scipy.stats import binom

    return dict(enumerate(binom.logpmf(range(n + 1), n, 0.1).tolist()))


def by_dp_accounting(n: int, epsilon: str, *, tables: bool) -> Callable[[], float]:
    """Return what finds the delta; with `tables`, it makes the two tables of log-probabilities each time."""
    from dp_accounting.pld import privacy_loss_distribution

    bound = float(Fraction(epsilon))
    made = None if tables else (log_masses(n - 2), log_masses(n - 1))

    def run() -> float:
        lower, upper = made or (log_masses(n - 2), log_masses(n - 1))
        found = privacy_loss_distribution.from_two_probability_mass_functions(lower, upper, symmetric=True)
        return float(found.get_delta_for_epsilon(bound))

    return run


def record(benchmark: Any, found: Answer | float) -> None:
    """Keep the answer beside the time."""
    if isinstance(found, Answer):
        assert found.lo is not None
        assert found.hi is not None
        assert 0 < found.lo <= found.hi
        benchmark.extra_info.update(log10=logarithm(found.lo), method=found.method, bits=found.bits)
    else:
        benchmark.extra_info.update(log10=logarithm(found))


def logarithm(x: Fraction | float) -> float | None:
    """Return log10 of a number, however small; None for none."""
    if isinstance(x, Fraction):
        return (log(x.numerator) - log(x.denominator)) / log(10)
    return log(x) / log(10) if x > 0 else None


def ways(n: int) -> list[str]:
    """Return the ways in which the pair of N outcomes is measured."""
    return [*(["laws"] if n <= LAWS else []), "parameters", *BESIDE]


@pytest.mark.parametrize(("n", "way"), [(n, way) for n in EPSILONS for way in ways(n)])
@pytest.mark.parametrize("at", ["1e-9", "1/10"])
def test_delta_of_a_pair(benchmark: Any, n: int, way: str, at: str) -> None:
    """From the pair to its delta at one epsilon."""
    epsilon = EPSILONS[n] if at == "1e-9" else at
    budget = Epsilon.of(epsilon)

    def from_laws() -> Answer:
        return profile_at_size(*laws(n)).delta_at(budget)

    def from_parameters() -> Answer:
        return profile_at_size(binomial(n - 1, "1/10"), binomial(n - 2, "1/10")).delta_at(budget)

    runs: dict[str, Callable[[], Answer | float]] = {"laws": from_laws, "parameters": from_parameters}
    run = runs[way] if way in runs else by_dp_accounting(n, epsilon, tables=way.endswith("tables"))
    record(benchmark, benchmark.pedantic(run, rounds=max(5, min(200, 200_000 // n)), warmup_rounds=1))
    benchmark.extra_info["epsilon"] = epsilon
