"""The checks on the worth of PrivHist find a fault: with a function they rest on put wrong, they do not hold."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.anonymized_histograms.postprocess import Prevalences
from dpcert.mechanisms.anonymized_histograms.succinct import items
from dpcert.proofs.anonymized_histograms.checks import estimators as anonymized_estimators
from dpcert.proofs.anonymized_histograms.checks import utility as anonymized_utility
from dpcert.proofs.anonymized_histograms.checks.utility import counted, harmonic
from dpcert.proofs.check import CheckResult

from .faults import Wrap, always, times


def first_lost(true: Callable[..., tuple[list[int], Prevalences]]) -> Callable[..., tuple[list[int], Prevalences]]:
    """A split that leaves a large count out of sight, and adds one."""

    def wrong(*a: Any, **k: Any) -> tuple[list[int], Prevalences]:
        small, large = true(*a, **k)
        return small, (*large, (10**6, 1))

    return wrong


def linear_draws(true: Callable[..., Any]) -> Callable[..., Any]:
    """A count of draws that grows as the items."""
    return lambda n, ratio: n // 100


MUTANTS: list[tuple[ModuleType, str, Wrap, str]] = [
    (anonymized_utility, "expected_error", lambda true: lambda *a, **k: (Fraction(9), Fraction(9)), "error_exact"),
    (anonymized_utility, "expected_error", lambda true: lambda *a, **k: (Fraction(0), Fraction(1)), "error_exact"),
    (anonymized_utility, "smoothing_error", always((Fraction(3), Fraction(4))), "smoothing_exact"),
    (anonymized_utility, "method_error", times(4), "error_growth"),
    (anonymized_utility, "method_error", lambda true: lambda n, ratio: n / 10**4, "error_growth"),
    (anonymized_utility, "rival_error", times(4), "error_compared"),
    (anonymized_utility, "rival_error", times(Fraction(1, 4)), "error_compared"),
    (anonymized_utility, "counted", linear_draws, "draws_growth"),
    (anonymized_utility, "counted", times(20), "draws_counted"),
    (anonymized_utility, "split", first_lost, "draws_counted"),
    (anonymized_utility, "ln_bounds", lambda true: lambda x, bits: true(1 / x, bits), "gap_to_bound"),
    (anonymized_utility, "accounts_exposed", times(2), "guesses_expose"),
    (anonymized_utility, "items", always(10**4), "total_is_noisier"),
    (anonymized_estimators, "combinations", lambda true: lambda xs, size: [tuple(xs)[:1] * size], "coupling"),
    (anonymized_estimators, "geometric_law", lambda true: lambda n, ratio: true(n=n, ratio=ratio + 1), "empty_total"),
    (anonymized_estimators, "sorted_l1", times(3), "resized_sample"),
    (anonymized_estimators, "_farthest", times(2), "sample_size_corrected"),
    (anonymized_estimators, "sorted_l1", lambda true: lambda a, b: true(a, b) // 2, "private_histogram_corrected"),
    (anonymized_estimators, "sorted_l1", lambda true: lambda a, b: true(a, b) // 2, "private_error"),
    (anonymized_estimators, "rarefied_coverage", lambda true: lambda size: true(size=1), "rarefied_unbiased"),
]


@pytest.mark.parametrize(("module", "name", "wrap", "check"), MUTANTS, ids=lambda value: getattr(value, "__name__", ""))
def test_caught_a_fault_in_a_function_that_the_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, wrap: Wrap, check: str
) -> None:
    monkeypatch.setattr(module, name, wrap(getattr(module, name)))
    found: CheckResult = getattr(module, check)()
    assert not found.holds
    assert found.witness


@pytest.mark.parametrize("n", [100, 1234, 10**5])
def test_twin_the_harmonic_histogram_is_its_counts_one_by_one(n: int) -> None:
    top = n // 12
    counts = [top // r for r in range(1, top + 1)]
    found = harmonic(n)
    assert found == tuple((value, counts.count(value)) for value in sorted(set(counts)))
    assert sum(counts) == items(found)


def test_twin_draws_are_counted_one_by_one() -> None:
    """A release of the smallest list draws for the total, for the split, and for each noise: below 400, above 2."""
    assert 2 < counted(100, Fraction(8)) < 400
    assert counted(10**6, Fraction(8)) < 4 * sqrt(10**6)
