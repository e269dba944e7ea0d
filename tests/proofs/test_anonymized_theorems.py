"""The formulas of the theorems on anonymized histograms are what the code computes, on all small histograms."""

from fractions import Fraction
from itertools import pairwise, product
from math import isqrt

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.packing import bits_least, dense_capacity, densely_encoded, histogram_least
from dpcert.mechanisms.anonymized_histograms.partitions import cumulative, histograms, joined
from dpcert.mechanisms.anonymized_histograms.postprocess import nearest as shipped
from dpcert.mechanisms.anonymized_histograms.sorted_distance import closest_removed, real_l1, sorted_l1, ways_to_remove
from dpcert.mechanisms.dist import Dist
from dpcert.proofs.anonymized_histograms.checks.lower_bounds import flips, hamming, vectors
from dpcert.proofs.anonymized_histograms.checks.properties import nearest
from dpcert.proofs.anonymized_histograms.checks.smoothing import smoothed_prevalences, upper_sums

RATIOS = [Fraction(1), Fraction(3, 2), Fraction(10)]


def padded(a: tuple[int, ...], width: int) -> tuple[int, ...]:
    return (*a, *[0] * (width - len(a)))


def test_cumulative_prevalences_of_a_sum_add_up() -> None:
    for a, b in product(histograms(6), repeat=2):
        width = max(len(cumulative(a)), len(cumulative(b)))
        both = [padded(cumulative(h), width) for h in (a, b)]
        assert cumulative(joined(a, b)) == tuple(x + y for x, y in zip(*both, strict=True))


def test_what_is_removed_costs_least_and_is_put_back() -> None:
    for h, k, t in product(histograms(7), (1, 2, 3), (1, 2, 4)):
        closest = sum(sorted(abs(x - t) for x in (*h, *[0] * k))[:k])
        left = ways_to_remove(h, k, t, zeros=True)
        assert closest_removed(h, k, t) in left
        assert {sorted_l1(h, joined(rest, (t,) * k)) for rest in left} == {closest}


def test_the_nearest_integers_are_within_a_half() -> None:
    for y in (Fraction(i, 12) for i in range(-40, 41)):
        assert set(nearest(y)) == {k for k in range(-5, 6) if abs(y - k) <= Fraction(1, 2)}
        assert shipped(y) in nearest(y)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_bound_on_bits_is_met_by_flips(k: int, ratio: Fraction) -> None:
    table = flips(k, 1 / (1 + ratio))
    for x, y in product(vectors(k), repeat=2):
        assert sum(p * hamming(x, o) for o, p in table[x].items()) == bits_least(k=k, ratio=ratio)
        if hamming(x, y) == 1:
            assert max(table[x][o] / table[y][o] for o in vectors(k)) == ratio


def test_the_packing_is_that_of_the_code() -> None:
    for n in range(1, 33):
        k = dense_capacity(n)
        assert 2 * k * k <= n + 1 < 2 * (k + 1) ** 2
        for ratio in RATIOS:
            assert histogram_least(n=n, ratio=ratio) == 2 * bits_least(k=k, ratio=ratio**2)
        codes = {x: padded(cumulative(densely_encoded(x, n + 1)), n + 2) for x in vectors(k)}
        for x, code in codes.items():
            for i, bit in enumerate(x):
                here = code[2 * i : 2 * i + 2]
                other = codes[(*x[:i], 1 - bit, *x[i + 1 :])]
                assert [a - b for a, b in zip(here, other[2 * i : 2 * i + 2], strict=True)] == (
                    [-1, 1] if bit else [1, -1]
                )
                assert [a for j, a in enumerate(code) if j // 2 != i] == [a for j, a in enumerate(other) if j // 2 != i]


@pytest.mark.parametrize("boundaries", [(1, 4, 9), (2, 3, 8), (5, 6)])
def test_the_cost_of_smoothing_is_the_distance(boundaries: tuple[int, ...]) -> None:
    for low, high in pairwise((0, *boundaries)):
        for r in range(max(low, 1), high + 1):
            smooth = upper_sums(smoothed_prevalences((r,), boundaries), boundaries[-1])
            assert real_l1(smooth, [Fraction(1)] * r) == Fraction(2 * (r - low) * (high - r), high - low)


def test_the_expansion_is_the_inverse() -> None:
    for n, y in product(range(1, 9), range(1, 20)):
        terms = Fraction(1, n), Fraction(n - y, n**2), Fraction((n - y) ** 2, n**2 * y)
        assert sum(terms) == Fraction(1, y)


def test_the_total_is_cut_as_the_mechanism_does() -> None:
    law = GeometricMoments(Fraction(1, 2))
    for n in range(6):
        near = sum(law.mass(z) * abs(max(n + z, 0) - n) for z in range(-n, 60))
        far = n * sum(law.mass(z) for z in range(-200, -n))
        assert abs(near + far - law.total_error(n)) < Fraction(1, 2**40)


def test_the_numbers_are_those_of_histograms() -> None:
    for h in histograms(14):
        n = sum(h)
        root = isqrt(n)
        large, different = sum(count > root for count in h), len(set(h))
        assert large * (root + 1) <= n
        assert (root + large) ** 2 <= 4 * n
        assert different * (different + 1) <= 2 * n


def test_distances_meet_the_inequality_of_cauchy() -> None:
    for a, b in product(histograms(5), repeat=2):
        d = max(len(a), len(b), 1)
        pairs = [(a + (0,) * d)[i] - (b + (0,) * d)[i] for i in range(d)]
        assert sorted_l1(a, b) == sum(map(abs, pairs))
        assert sum(map(abs, pairs)) ** 2 <= d * sum(x * x for x in pairs)


def test_the_excess_is_at_most_the_mass_where_it_fails() -> None:
    laws = [Dist.of({0: Fraction(k, 6), 1: Fraction(6 - k, 6)}) for k in range(7)]
    for p, q, ratio in product(laws, laws, (Fraction(1), Fraction(3, 2), Fraction(4))):
        assert hockey_stick(p, q, ratio) <= sum(p.prob(z) for z in range(2) if p.prob(z) > ratio * q.prob(z))
