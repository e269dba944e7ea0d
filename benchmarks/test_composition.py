"""Composition 10, 100 and 10,000 times, beside the float privacy-loss distribution of `dp-accounting`.

Randomized response at epsilon 1/100, whose ratio is irrational, and a pair of binomial laws of 100 outcomes, whose
ratios are on no lattice. Timed is all from the pair to the delta of the composition at one epsilon; dp-accounting is
given its tables of log-probabilities ready made. Where it is not installed, dpcert is measured alone.
"""

import importlib.util
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import exp, lgamma, log, log1p
from time import process_time
from typing import Any

import pytest

import dpcert
from dpcert.audit.answer import Answer
from dpcert.audit.between import Between
from dpcert.audit.composition import Canonical, Pair, composed
from dpcert.audit.enclosure import Curve
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import binomial
from dpcert.mechanisms.exact.epsilon import Epsilon

BESIDE = ["dp-accounting"] if importlib.util.find_spec("dp_accounting") else []
TIMES = {
    "randomized response": {10: "1/20", 100: "1/2", 10_000: "15/2"},
    "binomial": {10: "1/4", 100: "3/2", 10_000: "20"},
}


@cache
def pair_of(name: str) -> Pair:
    if name == "randomized response":
        return Canonical(Epsilon.of("1/100"), Fraction(0))
    return profile(binomial(99, "1/10").exact(), binomial(98, "1/10").exact())


def log_masses(name: str) -> tuple[dict[int, float], dict[int, float]]:
    """Return the logarithms of the probabilities of the upper and of the lower law."""
    if name == "randomized response":
        low = -log1p(exp(0.01))
        return {0: low + 0.01, 1: low}, {0: low, 1: low + 0.01}
    upper, lower = (
        {k: lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(0.1) + (n - k) * log(0.9) for k in range(n + 1)}
        for n in (99, 98)
    )
    return upper, lower


def by_dp_accounting(name: str, times: int, epsilon: str) -> Callable[[], float]:
    from dp_accounting.pld import privacy_loss_distribution

    (upper, lower), bound = log_masses(name), float(Fraction(epsilon))

    def run() -> float:
        one = privacy_loss_distribution.from_two_probability_mass_functions(lower, upper, symmetric=True)
        return float(one.self_compose(times).get_delta_for_epsilon(bound))

    return run


def logarithm(x: Fraction | float) -> float | None:
    """Return log10 of a number, however small; None for none, and for a float below 0."""
    if isinstance(x, Fraction):
        return (log(x.numerator) - log(x.denominator)) / log(10)
    return log(x) / log(10) if x > 0 else None


@pytest.mark.parametrize("way", ["dpcert", *BESIDE])
@pytest.mark.parametrize(("name", "times"), [(name, times) for name, at in TIMES.items() for times in at])
def test_delta_of_a_composition(benchmark: Any, name: str, times: int, way: str) -> None:
    """From the pair to the delta, at one epsilon, of so many observations of it."""
    epsilon, pair = TIMES[name][times], pair_of(name)
    budget = Epsilon.of(epsilon)

    def by_dpcert() -> Answer:
        curve: Curve = composed([(pair, times)])
        return curve.delta_at(budget)

    run: Callable[[], Answer | float] = by_dpcert if way == "dpcert" else by_dp_accounting(name, times, epsilon)
    found = benchmark.pedantic(run, rounds=7, warmup_rounds=1)
    benchmark.extra_info["epsilon"] = epsilon
    if isinstance(found, Answer):
        assert found.lo is not None
        assert found.hi is not None
        assert 0 < found.lo <= found.hi
        benchmark.extra_info.update(log10=logarithm(found.lo), log10_hi=logarithm(found.hi), method=found.method)
    else:
        benchmark.extra_info.update(log10=logarithm(found), negative=found < 0)


@cache
def disclosed(scope: str) -> dpcert.ClaimProfile | Between[Profile]:
    """Return the profile of sample-threshold at its defaults: on the counts to 30, or on counts of any size."""
    if scope == "counts to 30":
        return dpcert.profile("sample-threshold", kmax=30, options=dpcert.Options(law_source="closed-form"))
    return dpcert.profile_on_all("sample-threshold", rate="1/10", threshold=10)


@pytest.mark.parametrize("times", [30, 10_000])
@pytest.mark.parametrize("scope", ["counts to 30", "all counts"])
def test_epsilon_of_rounds(benchmark: Any, scope: str, times: int) -> None:
    """From the profile to the epsilon of so many rounds at delta = 10^-6, and to their delta at epsilon 1."""
    one, spent, found = disclosed(scope), list[float](), list[Answer]()

    def run() -> None:
        start = process_time()
        together = dpcert.compose([(one, times)])
        found[:] = together.epsilon_at("1e-6"), together.delta_at(1)
        spent.append(process_time() - start)

    benchmark.pedantic(run, rounds=3)
    epsilon, delta = found
    assert epsilon.hi is not None
    assert delta.hi is not None
    assert 0 < epsilon.hi < 50
    benchmark.extra_info.update(processor=min(spent), epsilon=float(epsilon.hi))
