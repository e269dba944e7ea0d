"""Each check of finite-computers finds a fault: with one of the functions it rests on put wrong, it does not hold."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.broken.keep_heavy_sparse import continuous_order_statistics
from dpcert.mechanisms.broken.pure_sparse_histogram import pure_sparse_histogram_unmixed
from dpcert.mechanisms.broken.sparse_histogram import sparse_histogram_ceiling, sparse_histogram_draws
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.accuracy import per_query, worst
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram
from dpcert.mechanisms.finite_computers.compact_costs import Costs
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, NoisyZero
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, KEEP_HEAVY_SPARSE, keep_heavy_law
from dpcert.mechanisms.finite_computers.lower_bounds import ErrorLowerBounds
from dpcert.mechanisms.finite_computers.ordsample import ordsample
from dpcert.proofs.check import checks_in
from dpcert.proofs.finite_computers.checks import (
    accuracy,
    approximation,
    compact,
    counts,
    empty_bin,
    heavy,
    histograms,
    introduction,
    lower_bounds,
    noise,
    orders,
    preliminaries,
    sizes,
    sparse,
    sparse_errors,
)
from dpcert.proofs.finite_computers.checks.introduction import best_private, beyond_bracket
from dpcert.proofs.finite_computers.checks.sparse_errors import heavy_per_query

from .faults import Wrap, always, given, plus, times


def half(true: Callable[..., int]) -> Callable[..., int]:
    """Half of the function's value, rounded down."""
    return lambda *a, **k: true(*a, **k) // 2


def mirrored(true: Callable[..., Any]) -> Callable[..., Any]:
    """A sampler that gives n less its count."""

    def built(**k: Any) -> Callable[..., int]:
        program = true(**k)
        return lambda count, coins: k["n"] - program(count, coins)

    return built


def higher(true: Callable[..., ErrorLowerBounds]) -> Callable[..., ErrorLowerBounds]:
    """A lower bound that asks for more than holds."""
    return lambda **k: ErrorLowerBounds(99, 5 * true(**k).packing + 3)


def lower(true: Callable[..., ErrorLowerBounds]) -> Callable[..., ErrorLowerBounds]:
    """A lower bound that asks for nothing."""
    return lambda **k: ErrorLowerBounds(0, 0)


def short(true: Callable[..., NoisyZero]) -> Callable[..., NoisyZero]:
    """A noisy zero from a random number of ten bits, whatever is asked."""
    return lambda **k: NoisyZero(1, 1024, lambda z: 512 * (z + 1))


def exact_counts(true: Callable[..., Any]) -> Callable[..., Any]:
    """A law of counts without noise."""
    return lambda **k: Dist.point


def without_noise(true: Callable[..., Any]) -> Callable[..., Any]:
    """A histogram whose counts are without noise."""
    return lambda **k: true(**{**k, "law": Dist.point})


def more_noise(true: Callable[..., Any]) -> Callable[..., Any]:
    """Keep-heavy with the noise of k = 3, whatever is asked."""
    return lambda **k: true(**{**k, "law": geosample_law(n=k["n"], k=3)})


def fewer(true: Callable[..., Any]) -> Callable[..., Any]:
    """Rows of all values that are one shorter."""
    return lambda values, repeat: true(values, repeat=max(1, repeat - 1))


def wider(true: Callable[..., EmptyBin]) -> Callable[..., EmptyBin]:
    """An empty-bin sampler of one number more."""
    return lambda zero, d0: true(zero, d0 + 1)


MUTANTS: list[tuple[ModuleType, str, Wrap, str]] = [
    (approximation, "approx_conv_exp", lambda true: lambda a, i, s: [0] * len(a), "conv_exp_law"),
    (approximation, "approx_bin_law", given(cap=0), "bin_sample_law"),
    (approximation, "approx_bin_law", given(p=0), "bin_sample_distance"),
    (approximation, "approx_ordsample_law", given(s=99_999), "ord_sample_law"),
    (approximation, "approx_bin_law", given(p=0), "ord_sample_distance"),
    (approximation, "convolve", lambda true: lambda a, b: [0, *true(a, b)][:-1], "sums_convolve"),
    (approximation, "distinct_law", given(held=()), "distinct_labels"),
    (approximation, "binomial_law", given(q=720), "binomial_denominators"),
    (approximation, "_iteration", plus(1), "iterations"),
    (approximation, "calls", lambda true: lambda i: i.bit_length(), "recursive_calls"),
    (approximation, "_numbers", times(5), "total_time"),
    (accuracy, "kept_above", lambda true: lambda law, b: true(law, b + 2), "stability_accuracy"),
    (accuracy, "kept_above", lambda true: lambda law, b: true(law, b + 2), "stability_law_read"),
    (accuracy, "fastsample_law", given(epsilon=Fraction(1, 50)), "fastsample_concentrated"),
    (accuracy, "independent", lambda true: worst, "histogram_accuracy"),
    (accuracy, "least_threshold", times(2), "figure_4_threshold"),
    (compact, "count_response", given(weight=7), "law"),
    (compact, "is_irreducible", always(False), "field_check"),
    (compact, "exact_ratio", times(2), "private"),
    (compact, "costs", always(Costs(Fraction(1), Fraction(1), Fraction(1))), "private"),
    (compact, "beyond", always(Fraction(0)), "accuracy"),
    (compact, "product", fewer, "independence"),
    (compact, "costs", always(Costs(Fraction(1), Fraction(1), Fraction(1))), "domains_matched"),
    (compact, "domains", lambda true: lambda **k: (64, true(**k)[1]), "domains_differ"),
    (counts, "geosample_law", exact_counts, "geosample_law_check"),
    (counts, "geosample", given(k=1), "geosample_private"),
    (counts, "geosample", mirrored, "geosample_monotone"),
    (counts, "fastsample_law", given(gamma=Fraction(1, 3)), "fastsample_law_check"),
    (counts, "fastsample", mirrored, "fastsample_monotone"),
    (counts, "fastsample_law", given(epsilon=Fraction(1)), "fastsample_private"),
    (counts, "zero_mass", lambda true: lambda m: (Fraction(1, m), Fraction(1, m)), "irrational_mass"),
    (counts, "four_cases", lambda true: lambda z, c, n, r: Fraction(z >= c), "four-cases-clamped"),
    (counts, "cumulative_zero", lambda true: lambda answers, n: [len(answers)] * (n + 1), "cumulative-at-zero"),
    (empty_bin, "geosample_zero", short, "bits"),
    (empty_bin, "EmptyBin", wider, "empty_map"),
    (empty_bin, "EmptyBin", wider, "empty_ratios"),
    (empty_bin, "EmptyBin", wider, "empty_counts"),
    (empty_bin, "_error", half, "real_parameters"),
    (empty_bin, "_within_five", always(False), "sizes"),
    (heavy, "_border", always(0), "keep_heavy_law_check"),
    (heavy, "keep_heavy_law", more_noise, "keep_heavy_private"),
    (heavy, "_accuracy", always(Fraction(0)), "keep_heavy_accurate"),
    (heavy, "_accuracy", always(Fraction(0)), "lemma_6_3"),
    (heavy, "keep_heavy", lambda true: lambda n, **k: basic_histogram(**k), "output_length"),
    (heavy, "keep_heavy_order", lambda true: KEEP_HEAVY, "order_of_bins_leaks"),
    (heavy, "keep_heavy_sparse_earlier", lambda true: KEEP_HEAVY_SPARSE, "earlier_version_not_private"),
    (heavy, "ordsample", given(cumulative=(1, 2)), "keep_heavy_sparse_law_check"),
    (histograms, "basic_histogram_law", without_noise, "basic_histogram_private"),
    (histograms, "basic_histogram_law", without_noise, "basic_histogram_program"),
    (histograms, "lone_label", times(Fraction(1, 2)), "stability_private"),
    (histograms, "lone_label", times(2), "stability_private"),
    (histograms, "lone_label", times(2), "swapped_singletons"),
    (histograms, "lone_label", times(0), "stability_cases"),
    (histograms, "stability_histogram_law", given(threshold=1), "stability_program"),
    (histograms, "hockey_stick", times(0), "occurring_bins"),
    (lower_bounds, "per_query_least", higher, "per_query_packing"),
    (lower_bounds, "simultaneous_least", higher, "simultaneous_packing"),
    (lower_bounds, "sparse_least", higher, "sparse_packing"),
    (lower_bounds, "sparse_least", higher, "first_bound"),
    (lower_bounds, "log_ceiling", half, "near_optimal"),
    (lower_bounds, "floor", plus(-1), "accurate_sets_disjoint"),
    (noise, "_mass", times(2), "geometric_sums"),
    (noise, "_log_ceiling", plus(1), "geometric_quantiles"),
    (noise, "geometric_law", exact_counts, "geometric_program"),
    (noise, "noise_exponent", plus(1), "rounded_epsilon"),
    (noise, "fastsample_law", given(epsilon=Fraction(1)), "carried_to_bins"),
    (noise, "cutoff", half, "cut_off_mass"),
    (noise, "cutoff", half, "cut-off-step-corrected"),
    (noise, "_mass", times(2), "cut_noise_sums"),
    (noise, "cut_within", times(Fraction(9, 10)), "cut-noise-own-scale"),
    (noise, "logarithm_of", lambda true: lambda n, epsilon, gamma: n / gamma, "cut-off-defined"),
    (orders, "order_statistic_cdf", times(2), "bits_of_the_greatest"),
    (orders, "ordsample", lambda true: continuous_order_statistics, "ordsample_law_check"),
    (orders, "continuous_order_statistics", lambda true: ordsample, "earlier_version_is_wrong"),
    (preliminaries, "accumulate", lambda true: lambda rows: [1 for _ in rows], "inverse_transform"),
    (preliminaries, "lists", lambda true: lambda n, universe: [[0] * (n + 1)], "counts_of_lists"),
    (preliminaries, "greatest_distance", times(2), "mixing_steps"),
    (preliminaries, "rounded_geosample_law", exact_counts, "mixing"),
    (preliminaries, "greatest_distance", times(2), "mixing_tight"),
    (preliminaries, "greatest_distance", times(Fraction(1, 2)), "mixing_tight"),
    (preliminaries, "Fraction", lambda true: lambda a, b=1: true(a, b + 1), "uniform_best"),
    (
        introduction,
        "geometric_law",
        lambda true: lambda n, ratio: true(n=n, ratio=ratio - Fraction(1, 8)),
        "geometric_optimal",
    ),
    (introduction, "laplace_exponent", times(2), "laplace_private"),
    (introduction, "laplace_exponent", times(Fraction(1, 2)), "laplace_private"),
    (introduction, "beyond_bracket", lambda true: lambda step, cells: true(step, cells + 4), "laplace_errors"),
    (introduction, "hockey_stick", times(0), "truncation_leaks"),
    (introduction, "log_ceiling", half, "surviving_bins"),
    (introduction, "log_ceiling", times(3), "surviving_bins"),
    (introduction, "least_threshold", plus(3), "stability_against_laplace"),
    (sizes, "fastsample_zero", short, "histogram_bits"),
    (sizes, "precision", always(2), "sparse_bits"),
    (sizes, "cutoff", always(0), "compact_release_bits"),
    (introduction, "sparse_least", lower, "dense_beats_sparse"),
    (sizes, "geosample_law", given(n=1), "index_sets"),
    (sizes, "histograms", times(10**9), "partial_vectors"),
    (sizes, "histograms", always(2), "partial_vectors"),
    (sizes, "stability_histogram", always(lambda people, coins: ((7, 1),)), "stability_length"),
    (sizes, "geosample_zero", short, "geosample_bits"),
    (sizes, "cutoff", times(2), "cut_off_order"),
    (sizes, "cutoff", half, "cut_off_order"),
    (lower_bounds, "_upper", times(2), "tight"),
    (introduction, "noise_exponent", plus(1), "informal_errors"),
    (sparse, "precision", always(9), "sparse_distance"),
    (sparse, "precision", lambda true: lambda **k: true(**k) ** 2, "smaller_delta"),
    (sparse, "SPARSE_HISTOGRAM", lambda true: sparse_histogram_draws, "sparse_law"),
    (sparse, "SPARSE_HISTOGRAM", lambda true: sparse_histogram_ceiling, "sparse_private"),
    (sparse, "PURE_SPARSE_HISTOGRAM", lambda true: pure_sparse_histogram_unmixed, "pure_private"),
    (sparse, "random_histogram_least", times(2), "random_support"),
    (sparse, "pure_distance", times(1000), "mixing_condition"),
    (sparse, "pure_distance", lambda true: lambda **k: true(**k) ** 4, "distance_bits"),
    (sparse, "log_ceiling", half, "pure_constants"),
    (sparse, "pure_distance", always(Fraction(1)), "precision_above"),
    (sparse, "precision", always(5), "sparse-privacy-step"),
    (sparse_errors, "log_ceiling", half, "heavy_below"),
    (sparse_errors, "log_ceiling", half, "figure_6_geosample"),
]


@pytest.mark.points(36)
@pytest.mark.parametrize(
    ("module", "name", "wrap", "check"),
    MUTANTS,
    ids=[
        f"{module.__name__.rpartition('.')[2]}.{check}-{name}-{i}" for i, (module, name, _, check) in enumerate(MUTANTS)
    ],
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, wrap: Wrap, check: str
) -> None:
    monkeypatch.setattr(module, name, wrap(getattr(module, name)))
    named = vars(module) | {each.id: each for each in checks_in(module)}
    found = named[check]()
    assert not found.holds
    assert found.witness


@pytest.mark.points(3)
@pytest.mark.parametrize(("n", "universe", "k"), [(1, 3, 1), (2, 5, 1), (2, 6, 2), (3, 5, 1)])
def test_exact_twin_of_the_error_of_one_label_from_the_whole_law(n: int, universe: int, k: int) -> None:
    law = geosample_law(n=n, k=k)
    whole = keep_heavy_law(n=n, universe=universe, law=law)
    for count in range(n + 1):
        people = [0] * count + [1] * (n - count)
        seen = per_query([({0: count, 1: n - count}, whole(people))], labels=[0])
        room = sparse_errors._room(n=n, universe=universe, zero=law(0))
        found = sparse_errors._accuracy(n, law, count, room)
        assert [found.beta(a) for a in range(n + 1)] == [seen.beta(a) for a in range(n + 1)]
    lists = [list(row) for row in combinations_with_replacement(range(universe), n)]
    laws = [({x: people.count(x) for x in people}, whole(people)) for people in lists]
    every, some = per_query(laws, labels=range(universe)), heavy_per_query(n=n, universe=universe, law=law)
    assert all(some.beta(a) <= every.beta(a) for a in range(n + 1))


def test_the_bracket_of_the_laplace_tail_narrows() -> None:
    """Pr[|Lap(2)| > 2 ln 2] is 1/2, in cells of width 2 ln(1 + 1/m) the nearest of which are just above and below."""
    for m in (10, 1000):
        step = 1 + Fraction(1, m)
        cells = next(i for i in range(10 * m) if step**i >= 2)
        lo, hi = beyond_bracket(step, cells)
        assert lo <= 1 / step**cells <= hi <= lo * step**2
        assert lo < Fraction(1, 2) < hi * step**2


def test_exact_twin_of_the_least_loss_for_two_counts() -> None:
    """For n = 1 a private mechanism errs by at least 1/(r + 1) on one of two counts: randomized response."""
    assert best_private(Fraction(3), (1, 1), lambda gap: gap) == 2 * Fraction(1, 4)
    assert best_private(Fraction(3), (9, 1), lambda gap: gap) == 1
