"""The formulas on totals, sizes and chains are those of PrivHist, of histograms, and of the chains that are checked."""

from fractions import Fraction
from itertools import product
from math import isqrt

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import histograms
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.mechanisms.dist import Dist
from dpcert.proofs.anonymized_histograms.checks.dependent import NOISES, chains
from dpcert.proofs.anonymized_histograms.theorems.inequalities import cut_total


def test_the_total_is_cut_as_the_mechanism_does() -> None:
    law = GeometricMoments(Fraction(1, 2))
    for n in range(6):
        near = sum(law.mass(z) * abs(cut_total(n, z) - n) for z in range(-n, 60))
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


def test_chains_are_mixtures_of_their_noises() -> None:
    for chain in list(chains(2))[::7]:
        for x in (0, 1):
            whole, parts = chain.law(x, 2), [chain.law(x, 2, (z,)) for z in (0, 1)]
            weights = NOISES[0]
            for outcome in (0, 1):
                mixed = sum(w * part.get(outcome, 0) for w, part in zip(weights, parts, strict=True))
                assert Fraction(mixed, sum(weights) * sum(parts[0].values())) == Fraction(
                    whole.get(outcome, 0), sum(whole.values())
                )
