"""The levels, labels and least probabilities of the theorems on sparse histograms are those of the mechanisms."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial

import pytest

from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.keep_heavy import runner_up
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance, random_histogram_law
from dpcert.mechanisms.finite_computers.sparse_histogram import precision
from dpcert.proofs.finite_computers.theorems.orders import capped


@pytest.mark.parametrize("n", [1, 2, 3])
def test_levels_are_those_of_ordsample(n: int) -> None:
    """Shares of levels multiply to the law of a count; capped numbers of counts at the levels are the greatest ones."""
    law = geosample_law(n=n, k=1)(0)
    F = scaled_cumulative(law, n)
    left = Fraction(1)
    for v in range(n, 0, -1):
        share = Fraction(F[v] - F[v - 1], F[v])
        assert left * share == law.prob(v)
        left *= 1 - share
    assert left == law.prob(0)
    for counts in combinations_with_replacement(range(n + 1), n + 2):
        greatest, taken = sorted(counts, reverse=True)[: n + 1], 0
        for v in range(n, -1, -1):
            level = capped(counts.count(v), n + 1, taken)
            assert level == greatest.count(v)
            taken += level


@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 4), (2, 5)])
def test_reduced_counts_keep_the_same_labels(n: int, universe: int) -> None:
    """The (n + 1)-st greatest of all noisy counts is that of the labels that occur and n + 1 of the others."""
    for occurring in range(1, n + 1):
        for noisy in product(range(n + 1), repeat=universe):
            others = sorted(noisy[occurring:], reverse=True)[: n + 1]
            reduced = [*noisy[:occurring], *others]
            for count in noisy:
                reach = sum(other >= count for other in noisy) <= n
                assert reach == (sum(other >= count for other in reduced) <= n) == (count > runner_up(noisy, n))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("delta", [Fraction(1), Fraction(1, 10), Fraction(1, 1000)])
def test_the_precision_is_that_of_the_mechanism(n: int, delta: Fraction) -> None:
    """n levels, each of m (n + 2)/s, are within delta for the mechanism's s and every number m of labels."""
    for universe in (2 * n + 1, 40):
        s = precision(n=n, universe=universe, delta=delta)
        assert s == (n**2 + 2 * n) * universe / delta
        assert n**2 * universe / delta <= s <= (n + 1) ** 2 * universe / delta
        for m in (1, universe - n, universe):
            assert n * Fraction(m * (n + 2), s) == Fraction(m * (n**2 + 2 * n), s) <= delta


@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 5), (2, 5), (3, 7)])
def test_every_histogram_is_as_probable_as_stated(n: int, universe: int) -> None:
    law = random_histogram_law(n=n, universe=universe)
    least = min(law.prob(outcome) for outcome in law.outcomes())
    assert least == factorial(n) * Fraction(1, (n + 1) * universe) ** n >= Fraction(1, 3 * universe) ** n
    for inverse, beta in product((1, 2, 5), (Fraction(1), Fraction(1, 2), Fraction(1, 10))):
        epsilon = Fraction(1, inverse)
        delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
        ratio = 1 + epsilon + epsilon**2 / 2  # at most e^epsilon
        assert 3 * delta <= epsilon * beta * least
        assert delta * (1 - beta) * (ratio + 1) <= (ratio - 1) * beta * least
