"""The formulas on counts and distances are those of lists and of laws."""

from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.proofs.finite_computers.theorems.counting import occurs


def test_counts_are_sums_over_rows() -> None:
    for people in product(range(3), repeat=4):
        counts = [sum(label == row for row in people) for label in range(3)]
        assert counts == [people.count(label) for label in range(3)]
        assert sum(counts) == 4 >= sum(map(occurs, counts)) == len(set(people))


def test_the_distance_is_that_of_laws() -> None:
    laws = [
        Dist.of({0: Fraction(a, 4), 1: Fraction(b, 4), 2: Fraction(4 - a - b, 4)})
        for a in range(5)
        for b in range(5 - a)
    ]
    for p, q in product(laws, repeat=2):
        parts = [p.prob(z) - q.prob(z) for z in range(3)]
        assert p.total_variation(q) == sum(max(x, Fraction(0)) for x in parts) == sum(map(abs, parts)) / 2
