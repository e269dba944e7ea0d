"""What the theorem on compact histograms says of a release's law is so of the closed form that programs are held to."""

from collections import Counter
from fractions import Fraction

import pytest

from dpcert.mechanisms.finite_computers.compact_costs import costs
from dpcert.mechanisms.finite_computers.compact_histogram import counts_of
from dpcert.mechanisms.finite_computers.hash_family import BinaryFamily
from dpcert.proofs.finite_computers.checks.compact import CASES, CompactCase


@pytest.mark.parametrize("case", CASES[::3], ids=str)
def test_releases_are_products_of_counts(case: CompactCase) -> None:
    """Two neighbours' probabilities have the ratio of those of two labels' counts: M's where they occur, else M0's."""
    family, empty = BinaryFamily(0, case.universe), case.bin()
    noisy, zero, known = case.count_law(), case.bin().law(), case.law()
    laws = {tuple(people): known(people) for people in case.people()}
    found = costs(n=case.n, law=noisy, zero=zero)
    for one, other in case.neighbours():
        counts, others = Counter(one), Counter(other)
        (less,), (more,) = counts - others, others - counts
        for row, p in laws[tuple(one)].items():
            read = dict(counts_of(row, range(case.universe), family=family, empty=empty))

            def chance(label: int, count: int, read: dict[int, int] = read) -> Fraction:
                return (noisy(count) if count else zero).prob(read[label])

            m, q = chance(less, counts[less]), chance(less, counts[less] - 1)
            x, h = chance(more, others[more] - 1), chance(more, others[more])
            assert p * q * h == laws[tuple(other)].prob(row) * m * x
            assert m <= found.apart * found.above * q
            assert x <= found.apart * found.below * h
