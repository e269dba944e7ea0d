"""Section 8 of weighted-sampling: bounds against exact values, witnesses by hand, and checks that find faults."""

from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import mpmath
import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.weighted_sampling.gains import laplace_reporting, zipf_frequencies
from dpcert.mechanisms.weighted_sampling.pws_estimators import maximum_likelihood, moments
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.weighted_sampling.checks import (
    baseline_priority,
    performance,
    performance_estimates,
    performance_sampled,
    threshold_sampling,
)
from dpcert.proofs.weighted_sampling.checks.performance import GRID, bounds

from .faults import Wrap, always, plus, times

RATIOS = [Fraction(11, 10), Fraction(3, 2), Fraction(3)]
DELTAS = [Fraction(1), Fraction(1, 3), Fraction(1, 1000)]


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1, 10), Fraction(1)])
def test_exact_twin_of_the_bounds_of_e(epsilon: Fraction) -> None:
    low, high = bounds(epsilon)
    with mpmath.workdps(30):
        true = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        assert mpmath.mpf(low.numerator) / low.denominator < true < mpmath.mpf(high.numerator) / high.denominator
    assert high - low == Fraction(1, 10**7)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("delta", DELTAS)
def test_exact_twin_of_reporting_between_its_bounds(ratio: Fraction, delta: Fraction) -> None:
    exact = (
        reporting_probabilities(q=[Fraction(1)] * 40, ratio=ratio, delta=delta),
        laplace_reporting(imax=40, ratio=ratio, delta=delta),
    )
    for values, grid in zip(exact, (performance._grid_reporting, performance._grid_laplace), strict=True):
        low, high = (grid(ratio, delta, 40, up=up) for up in (False, True))
        assert all(a <= value * GRID <= b for a, value, b in zip(low, values, high, strict=True))
        assert max(b - a for a, b in zip(low, high, strict=True)) < 10**4 * (1 + ratio**10)


def test_exact_twin_of_the_sampled_gain_by_mpmath() -> None:
    """Equation (51) with Laplace noise, and every sampled key reported: the bound is above, by less than 15 %."""
    tau, epsilon, most = 0.001, 0.1, 3000
    frequencies = zipf_frequencies(keys=10**5, alpha=Fraction(2), most=most)
    with mpmath.workdps(30):
        least = 1 + mpmath.log(1000) / epsilon
        ours = theirs = mpmath.mpf(0)
        for i, count in enumerate(frequencies, 1):
            far = mpmath.exp(-epsilon * abs(i - least))
            mixed = far * mpmath.exp(-tau * least) - mpmath.exp(-tau * i)
            late = 1 - far / 2 - epsilon * mpmath.exp(-tau * i) / (2 * (epsilon + tau))
            late += epsilon / (2 * (epsilon - tau)) * mixed
            early = far / 2 * (1 - epsilon / (epsilon + tau) * mpmath.exp(-tau * least))
            ours += count * (1 - mpmath.exp(-tau * i))
            theirs += count * (late if i >= least else early)
        found = performance_sampled._sampled_gain(Fraction(2), Fraction(1, 1000))
        assert ours / theirs < found.numerator / mpmath.mpf(found.denominator) < 1.02 * ours / theirs


def test_the_witness_against_a_falling_bias_by_hand() -> None:
    """E = 2, delta = 1/5, tau = 1/4: rows 4/5 1/5; 1/2 0 3/10 ... as Algorithm 4 has them, and their mean at 4."""
    rows = discrete_rows(q=[Fraction(min(i, 4), 4) for i in range(1, 13)], ratio=Fraction(2), delta=Fraction(1, 5))
    estimates = maximum_likelihood(rows=rows, g=lambda i: i)
    assert 1 - rows[1][0] == Fraction(1, 5)
    assert 1 - rows[2][0] == Fraction(1, 2)  # q_2, below 2/5 + 1/5
    law = Dist.of([((j, a), p) for j, (a, p) in enumerate(zip(estimates, rows[4], strict=False))])
    assert law.expectation(lambda outcome: outcome[1]) - 4 == Fraction(11, 78)
    assert moments(row=rows[4], estimates=estimates, meant=4).bias == Fraction(11, 78)


def each(change: Callable[[Any], Any]) -> Wrap:
    """The function's values, each of them changed."""
    return lambda true: lambda *a, **k: [change(value) for value in true(*a, **k)]


def squared(true: Callable[..., Any]) -> Callable[..., Any]:
    """The maximum-likelihood estimate of the square of the frequency."""
    return lambda *, rows, g: true(rows=rows, g=lambda i: i * i)


FAULTS: list[tuple[ModuleType, str, Wrap, str]] = [
    (threshold_sampling, "sampling_probabilities", each(lambda p: p / 2), "pws_threshold_rates"),
    (threshold_sampling, "sampling_probabilities", each(lambda p: p / 2), "pws_sampling_error"),
    (threshold_sampling, "integral", lambda true: lambda *a: true(*a).times(2), "pws_exponential_ranks"),
    (threshold_sampling, "_estimate", lambda true: lambda q, g, c: true(q, g, c + 1), "pws_inverse_is_only"),
    (threshold_sampling, "_variance", lambda true: lambda law: -true(law), "pws_inverse_not_least"),
    (threshold_sampling, "moments", lambda true: lambda **k: true(**{**k, "meant": k["meant"] + 1}), "pws_support"),
    (performance, "printed_threshold", always(1), "pws_baseline_private"),
    (performance, "least_threshold", lambda true: lambda **k: true(**k) + 1, "pws_baseline_private"),
    (performance, "lone_key", times(2), "pws_baseline_private"),
    (performance, "bounds", lambda true: lambda epsilon: true(epsilon * 2), "pws_figure_1"),
    (performance, "bounds", lambda true: lambda epsilon: true(epsilon * 2), "pws_saturation_quotient"),
    (performance, "bounds", lambda true: lambda epsilon: true(epsilon * 2), "pws_zipf_gains_corrected"),
    (
        performance_sampled,
        "gain_bounds",
        lambda true: lambda alpha, delta: true(alpha, delta * 2),
        "pws_sampled_gains_corrected",
    ),
    (performance, "_grid_laplace", each(lambda p: p * 2), "pws_zipf_shares"),
    (performance_sampled, "sampled_reporting", each(lambda p: p * 9), "pws_sampled_order"),
    (performance_sampled, "sampled_reporting", each(lambda p: p / 9), "pws_sampled_above"),
    (performance_estimates, "maximum_likelihood", squared, "pws_accurate_from"),
    (performance_estimates, "maximum_likelihood", squared, "pws_bias_and_rate"),
    (performance_estimates, "maximum_likelihood", squared, "pws_bias_fades"),
    (performance_estimates, "maximum_likelihood", squared, "pws_bias_in_the_limit"),
    (performance_estimates, "maximum_likelihood", squared, "pws_better_unsampled"),
    (performance_estimates, "maximum_likelihood", squared, "pws_middle_rate"),
    (performance_estimates, "maximum_likelihood", squared, "pws_variance_low"),
    (performance_estimates, "printed_threshold", plus(3), "pws_accurate_from"),
    (
        performance_estimates,
        "sbh_law",
        lambda true: lambda **k: true(**{**k, "q": k["q"][:1] * 99}),
        "pws_baseline_bias_any_rate",
    ),
    (baseline_priority, "_distribution", lambda true: lambda x, y: true(x / 2, y), "pws_baseline_density"),
    (baseline_priority, "against_laplace", lambda true: lambda *a: true(*a).times(2), "pws_baseline_priority_error"),
]


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("module", "name", "wrap", "check"), FAULTS, ids=[f"{check}-{name}" for _, name, _, check in FAULTS]
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, wrap: Wrap, check: str
) -> None:
    assert getattr(module, check)().holds
    monkeypatch.setattr(module, name, wrap(getattr(module, name)))
    assert not getattr(module, check)().holds


def test_caught_rates_that_are_not_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_sampling, "min", lambda one, other: one / 2 + other / 4, raising=False)
    assert not threshold_sampling.pws_proportional_is_best().holds
