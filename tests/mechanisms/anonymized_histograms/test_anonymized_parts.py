"""Histograms as partitions, their distance, noise and packing: twins that share no code, and bad input refused."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.anonymized_histograms import packing, sorted_distance
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import (
    Counts,
    anonymized,
    cumulative,
    histograms,
    of_prevalences,
    partition_numbers,
    partitions,
    prevalences,
)
from dpcert.mechanisms.anonymized_histograms.postprocess import remove_closest
from dpcert.mechanisms.exact.errors import InputError


def by_lists(most: int) -> set[Counts]:
    """All histograms of at most so many items, by adding one person at a time."""
    found: set[Counts] = {()}
    for _ in range(most):
        found |= {
            tuple(sorted((*h[:i], h[i] + 1, *h[i + 1 :]), reverse=True)) for h in found for i in range(len(h))
        } | {(*h, 1) for h in found}
    return found


def test_exact_twin_of_all_histograms_by_adding_people() -> None:
    listed = list(histograms(9))
    assert len(set(listed)) == len(listed) == sum(partition_numbers(9))
    assert set(listed) == by_lists(9)
    assert [sum(h) for h in listed] == sorted(sum(h) for h in listed)


def test_known_numbers_of_partitions() -> None:
    numbers = partition_numbers(200)
    assert (numbers[10], numbers[100], numbers[200]) == (42, 190569292, 3972999029388)


def test_exact_twins_of_prevalences_and_cumulative_prevalences() -> None:
    for h in histograms(9):
        top = max(h, default=0)
        assert prevalences(h) == tuple((r, h.count(r)) for r in range(1, top + 1) if r in h)
        assert cumulative(h) == tuple(sum(x >= r for x in h) for r in range(1, top + 1))
        assert h == of_prevalences(reversed(prevalences(h)))


def test_exact_twin_of_the_distance_by_rows_and_by_columns_of_diagrams() -> None:
    every = list(histograms(7))
    for a, b in product(every, repeat=2):
        assert (
            sorted_distance.sorted_l1(a, b)
            == sorted_distance.cumulative_l1(a, b)
            <= sorted_distance.prevalence_l1(a, b)
        )


def test_partitions_with_a_largest_count() -> None:
    assert [set(partitions(6, k)) for k in range(1, 7)] == [
        {h for h in partitions(6) if h[0] <= k} for k in range(1, 7)
    ]


def test_exact_twin_of_the_neighbours_by_the_relation_of_the_kernel() -> None:
    near = RELATIONS["sorted-l1"]
    every = list(histograms(8))
    for h in histograms(7):
        listed = list(sorted_distance.neighbours_of(h))
        assert len(set(listed)) == len(listed)
        assert set(listed) == {g for g in every if near(list(h), list(g))}
        assert all(sorted_distance.sorted_l1(h, g) == 1 for g in listed)


def test_what_is_removed_is_one_of_the_ways_to_remove() -> None:
    for h, k, t in product(histograms(8), range(4), range(1, 5)):
        assert sorted_distance.closest_removed(h, k, t) in sorted_distance.ways_to_remove(h, k, t, zeros=True)
        shipped = of_prevalences(remove_closest(prevalences(h), t, k))
        assert shipped in sorted_distance.ways_to_remove(h, k, t, zeros=False)
        if sum(0 < x < 2 * t for x in h) >= k:
            assert shipped == sorted_distance.closest_removed(h, k, t)


def test_real_distances_extend_the_distance_of_histograms() -> None:
    for a, b in product(histograms(5), repeat=2):
        rows = [list(map(Fraction, cumulative(h))) for h in (a, b)]
        assert sorted_distance.real_l1(*rows) == sorted_distance.sorted_l1(a, b)


@pytest.mark.parametrize("alpha", [Fraction(1, 7), Fraction(2, 3)])
def test_moments_between_a_sum_and_a_sum_with_a_bound_of_its_tail(alpha: Fraction) -> None:
    """Beyond |z| = 60 each term is at most z^2 Pr[z], whose ratio is at most alpha (62/61)^2."""
    law = GeometricMoments(alpha)
    inner = range(-60, 61)
    tail = 2 * law.mass(61) * 61**2 / (1 - alpha * Fraction(62, 61) ** 2)
    for n in (0, 1, 4):
        for found, term in (
            (law.total_mean(n) - n, lambda z, n=n: max(n + z, 0) - n),
            (law.total_error(n), lambda z, n=n: abs(max(n + z, 0) - n)),
            (law.total_square(n), lambda z, n=n: (max(n + z, 0) - n) ** 2),
            (law.mean_size(), lambda z: abs(z)),
            (law.mean_square(), lambda z: z * z),
            (law.excess(n), lambda z, n=n: max(z - n, 0)),
            (law.beyond(n), lambda z, n=n: int(abs(z) > n)),
        ):
            assert abs(found - sum(law.mass(z) * term(z) for z in inner)) <= tail < Fraction(1, 10**6)


@pytest.mark.parametrize("alpha", [0.5, 1, Fraction(0), Fraction(1), Fraction(3, 2), "1/2"])
def test_refused_parameters_of_geometric_noise(alpha: Any) -> None:
    with pytest.raises(InputError):
        GeometricMoments(alpha)


@pytest.mark.parametrize("count", [-1, 1.0, True, "2"])
def test_refused_counts(count: Any) -> None:
    with pytest.raises(InputError, match="ints >= 0"):
        anonymized({"a": 3, "b": count})


@pytest.mark.parametrize(
    ("pairs", "needed"),
    [
        ([(0, 1)], "ints >= 1"),
        ([(True, 1)], "ints >= 1"),
        ([(2, -1)], "ints >= 0"),
        ([(2, 1.0)], "ints >= 0"),
        ([(2, 1), (3, 1), (2, 1)], "at most once"),
    ],
)
def test_refused_prevalences(pairs: Any, needed: str) -> None:
    with pytest.raises(InputError, match=needed):
        of_prevalences(pairs)


def test_capacities_by_trying() -> None:
    for n in range(300):
        assert packing.paper_capacity(n) == max(k for k in range(20) if 4 * k * k + 7 * k <= n)
        assert packing.dense_capacity(n) == max(k for k in range(20) if 2 * k * k <= n + 1)
        assert sum(packing.densely_encoded([1] * packing.dense_capacity(n), n + 1)) == n + 1
        assert sum(packing.encoded([0] * packing.paper_capacity(n), n)) == n


def test_the_codes_by_hand() -> None:
    assert packing.encoded([1, 0], 40) == (10, 10, 9, 7, 4)
    assert (packing.densely_encoded([1, 0], 8), packing.densely_encoded([0, 1], 10)) == ((3, 3, 2), (4, 2, 2, 1, 1))
    assert packing.histogram_least(n=6, ratio=Fraction(2)) == Fraction(2, 5)


def test_refused_codes() -> None:
    with pytest.raises(InputError, match="bits"):
        packing.encoded([2], 11)
    with pytest.raises(InputError, match="fewer bits"):
        packing.encoded([1], 10)
    with pytest.raises(InputError, match="bits"):
        packing.densely_encoded([-1], 10)
    with pytest.raises(InputError, match="fewer bits"):
        packing.densely_encoded([0, 0], 7)
