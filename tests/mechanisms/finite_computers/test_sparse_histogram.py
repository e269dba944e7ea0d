"""Sparse and pure sparse histograms: program, closed form and keep-heavy; claims, refusals, and runs at real size."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

import pytest

from dpcert import ApproxDP, Coins, Dist, Epsilon, Refuted, Report, Verified, seeded_coins
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample, approx_ordsample_law
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy_law
from dpcert.mechanisms.finite_computers.mixing import greatest_distance, mixed
from dpcert.mechanisms.finite_computers.ordsample import ordsample_law, scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import (
    PURE_SPARSE_HISTOGRAM,
    pure_distance,
    pure_sparse_histogram,
    random_histogram,
    random_histogram_law,
    random_histogram_least,
)
from dpcert.mechanisms.finite_computers.sparse_histogram import (
    SPARSE_HISTOGRAM,
    precision,
    sparse_histogram,
    sparse_histogram_law,
)
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.reading.paths.enumerator import enumerate_law

from ..histograms import built

SMALL = [
    {"n": "1", "universe": "3"},
    {"n": "1", "universe": "4", "epsilon": "1"},
    {"n": "1", "universe": "3", "sampler": "fastsample", "gamma": "1/10"},
]
BOTH = pytest.mark.parametrize("mechanism", [SPARSE_HISTOGRAM, PURE_SPARSE_HISTOGRAM], ids=lambda one: one.name)


def closed(instance: Instance, people: Sequence[int]) -> Dist:
    assert instance.closed_form is not None
    return instance.closed_form(people)


def from_closed_form(instance: Instance, epsilon: object, delta: object) -> Report:
    """Audit the closed form, which the tests here hold equal to the program's law."""
    subject = Subject(
        "sparse",
        instance.program,
        instance.inputs,
        RELATIONS["substitute"],
        closed_form=instance.closed_form,
        law_source="closed-form",
    )
    return decide(subject, ApproxDP(epsilon, delta), again=subject.digests)


@pytest.mark.points(3)
@BOTH
@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_twin_program_and_closed_form_on_every_list(mechanism: Mechanism, settings: dict[str, str]) -> None:
    instance = built(mechanism, settings)
    bounds = set()
    for people in instance.inputs:
        found = enumerate_law(instance.program, people, draws=True).law
        assert found.map(lambda outcome: outcome[0]) == closed(instance, people)
        assert found.tail == 0
        bounds |= {drawn for _, drawn in found.outcomes()}
    assert len(bounds) == 1


@pytest.mark.points(1)
@BOTH
def test_twin_program_and_closed_form_where_the_number_of_labels_differs(mechanism: Mechanism) -> None:
    instance = built(mechanism, {})
    bounds = set()
    for people in ([3, 3], [1, 4]):
        found = enumerate_law(instance.program, people, draws=True).law
        assert found.map(lambda outcome: outcome[0]) == closed(instance, people)
        bounds |= {drawn for _, drawn in found.outcomes()}
    assert len(bounds) == 1


@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 6), (2, 5), (2, 6)])
def test_twin_with_exact_order_statistics_it_is_keep_heavy(n: int, universe: int) -> None:
    sampler = Sampler.of({"n": str(n), "epsilon": "1/2", "sampler": "geosample", "gamma": "1/100"})
    cumulative = scaled_cumulative(sampler.law(0), n)
    exact = sparse_histogram_law(
        n=n, universe=universe, law=sampler.law, order_statistics=ordsample_law(cumulative=cumulative)
    )
    other = keep_heavy_law(n=n, universe=universe, law=sampler.law)
    for people in ([1] * n, [2, *[0] * (n - 1)]):
        assert exact(people) == other(people)


@pytest.mark.parametrize("delta", [Fraction(1), Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**9)])
@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 5), (2, 5)])
def test_the_distance_to_keep_heavy_is_within_delta(n: int, universe: int, delta: Fraction) -> None:
    """Theorem 6.8 i."""
    sampler = Sampler.of({"n": str(n), "epsilon": "1/2", "sampler": "geosample", "gamma": "1/100"})
    cumulative, s = scaled_cumulative(sampler.law(0), n), precision(n=n, universe=universe, delta=delta)
    sparse = sparse_histogram_law(
        n=n, universe=universe, law=sampler.law, order_statistics=approx_ordsample_law(cumulative=cumulative, s=s)
    )
    exact = keep_heavy_law(n=n, universe=universe, law=sampler.law)
    for people in ([0] * n, [0, *[1] * (n - 1)]):
        assert sparse(people) != exact(people) or delta < Fraction(1, 10**6)
        assert sparse(people).total_variation(exact(people)) <= delta


@pytest.mark.nightly
def test_verified_at_the_theorems_epsilon_and_delta_and_refuted_below_the_exact_ones() -> None:
    instance = built(SPARSE_HISTOGRAM, {})
    assert instance.epsilon == Epsilon.ln(Fraction(25, 16))
    assert instance.delta == Fraction(41, 16) / 1000
    report = from_closed_form(instance, instance.epsilon, instance.delta)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 200
    assert report.delta_lo == report.delta_hi
    assert 0 < report.delta_hi < instance.delta / 50
    assert isinstance(from_closed_form(instance, instance.epsilon, report.delta_hi).verdict, Verified)
    below = report.delta_hi * Fraction(999_999, 1_000_000)
    assert isinstance(from_closed_form(instance, instance.epsilon, below).verdict, Refuted)
    assert isinstance(from_closed_form(instance, instance.epsilon, 0).verdict, Refuted)


@pytest.mark.nightly
def test_pure_is_verified_without_a_delta_and_refuted_below_its_least_epsilon() -> None:
    instance = built(PURE_SPARSE_HISTOGRAM, {})
    assert (instance.epsilon, instance.delta) == (Epsilon.of("1/2"), 0)
    report = from_closed_form(instance, instance.epsilon, 0)
    assert isinstance(report.verdict, Verified)
    laws = {tuple(people): dict(closed(instance, people).items()) for people in instance.inputs}
    ratio = max(
        p / laws[b][outcome]
        for a, b in product(laws, laws)
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1
        for outcome, p in laws[a].items()
    )
    assert report.epsilon_hi == Epsilon.ln(ratio)
    assert isinstance(from_closed_form(instance, Epsilon.ln(ratio), 0).verdict, Verified)
    assert isinstance(from_closed_form(instance, Epsilon.ln(ratio - Fraction(1, 10**9)), 0).verdict, Refuted)


@pytest.mark.points(1)
@BOTH
@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_verified_from_the_program(audit: Any, mechanism: Mechanism, settings: dict[str, str]) -> None:
    report = audit(mechanism, settings)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0


def test_the_claims_hold_with_the_draws_observed() -> None:
    for mechanism in (SPARSE_HISTOGRAM, PURE_SPARSE_HISTOGRAM):
        instance = built(mechanism, SMALL[0])
        subject = Subject(
            mechanism.name, instance.program, instance.inputs, RELATIONS["substitute"], observes="outcome and draws"
        )
        report = decide(subject, ApproxDP(instance.epsilon, instance.delta), again=subject.digests)
        assert isinstance(report.verdict, Verified)


def test_twin_pure_is_the_mixture_of_algorithm_3_1() -> None:
    instance = built(SPARSE_HISTOGRAM, SMALL[0])

    def other(coins: Coins) -> Any:
        return random_histogram([(coins.below(3), coins.below(2))])

    plain = mixed(instance.program, other, Fraction(1, 10))
    pure = pure_sparse_histogram(n=1, universe=3, sparse=instance.program, weight=10)
    for people in instance.inputs:
        assert enumerate_law(pure, people).law == enumerate_law(plain, people).law


@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 5), (2, 5), (3, 7)])
def test_twin_random_histograms(n: int, universe: int) -> None:
    law = random_histogram_law(n=n, universe=universe)
    assert (law.tail, len(law)) == (0, sum(comb(universe, r) * n**r for r in range(n + 1)))
    least = min(p for _, p in law.items())
    assert least == random_histogram_least(n=n, universe=universe)
    assert least == Fraction(factorial(n), ((n + 1) * universe) ** n) >= Fraction(1, (3 * universe) ** n)
    if n < 3:
        drawn = product(product(range(universe), range(n + 1)), repeat=n)
        by_hand = Counter(tuple(sorted((x, z) for x, z in dict(row).items() if z)) for row in drawn)
        assert law == Dist.from_weights(by_hand.items(), ((n + 1) * universe) ** n)


@pytest.mark.parametrize("n", [1, 2, 5, 30])
@pytest.mark.parametrize("inverse", [1, 2, 7, 500])
@pytest.mark.parametrize("weight", [2, 100, 10**6])
def test_the_chosen_distance_is_one_that_mixing_makes_up_for(n: int, inverse: int, weight: int) -> None:
    """Equation (3.1) with the exact least probability."""
    epsilon, beta, universe = Fraction(1, inverse), Fraction(1, weight), 2 * n + 1
    delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
    least = random_histogram_least(n=n, universe=universe)
    ratio = Epsilon.of(epsilon).exp_bounds(128)[0]
    assert delta <= greatest_distance(ratio=ratio, gamma=beta, least=least)
    assert (1 / delta).denominator == 1


@pytest.mark.parametrize("sampler", ["geosample", "fastsample"])
def test_it_runs_over_2_to_the_64_labels(sampler: str) -> None:
    """A label of half the people is always released, and 2^64 empty bins never take its place."""
    n, universe = 300, 2**64
    settings = {"n": str(n), "epsilon": "1/2", "sampler": sampler, "gamma": f"1/{100 * universe}"}
    noise = Sampler.of(settings)
    cumulative = scaled_cumulative(noise.law(0), n)
    people = [7] * (n * 9 // 10) + [universe - 1 - i for i in range(n // 10)]
    delta = pure_distance(n=n, universe=universe, epsilon=Fraction(1, 2), beta=Fraction(1, 100))
    for distance in (Fraction(1, 10**6), delta):
        s = precision(n=n, universe=universe, delta=distance)
        sparse = sparse_histogram(
            n=n, universe=universe, sampler=noise.program, order_statistics=approx_ordsample(cumulative=cumulative, s=s)
        )
        bins = sparse(people, seeded_coins(11))
        assert list(bins) == sorted(bins)
        assert len(bins) <= n
        assert 200 < dict(bins)[7] <= n
        pure = pure_sparse_histogram(n=n, universe=universe, sparse=sparse, weight=100)
        assert len(pure(people, seeded_coins(12))) <= n
