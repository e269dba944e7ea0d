"""The formulas of the theorems on privacy and distance are what the kernel and the mechanisms compute."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.mixing import greatest_distance
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label, stability_histogram_law
from dpcert.proofs.finite_computers.theorems.basics import composed_excess, excess, group_delta

LAWS = [
    Dist.of({0: Fraction(a, 6), 1: Fraction(b, 6), 2: Fraction(6 - a - b, 6)}) for a in range(7) for b in range(7 - a)
]
RATIOS = [Fraction(1), Fraction(3, 2), Fraction(4)]


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_excess_is_that_of_the_kernel(ratio: Fraction) -> None:
    for p, q in product(LAWS, repeat=2):
        assert sum(excess(ratio, p.prob(z), q.prob(z)) for z in range(3)) == hockey_stick(p, q, ratio)
    p, q = LAWS[9], LAWS[13]
    event = {(0, 0), (1, 2), (2, 2)}
    for p, q in product(LAWS[::4], repeat=2):
        both = [law.product(law).prob_of(event.__contains__) for law in (p, q)]
        after = [[sum(law.prob(y) for x, y in event if x == z) for law in (p, q)] for z in range(3)]
        composed = [composed_excess(ratio, ratio, p.prob(z), q.prob(z), *after[z]) for z in range(3)]
        assert sum(composed) == both[0] - ratio * ratio * both[1]


@pytest.mark.parametrize(("ratio", "delta"), [(Fraction(2), Fraction(1, 20)), (Fraction(3, 2), Fraction(1, 10))])
def test_group_privacy_is_met_by_a_chain_of_laws(ratio: Fraction, delta: Fraction) -> None:
    reported = [Fraction(0)]
    while ratio * reported[-1] + delta <= 1:
        reported.append(ratio * reported[-1] + delta)
    laws = [Dist.bernoulli(p) for p in reported]
    assert len(laws) > 3
    assert all(hockey_stick(b, a, ratio) == delta for a, b in pairwise(laws))
    for m, law in enumerate(laws):
        assert hockey_stick(law, laws[0], ratio**m) == group_delta(ratio, delta, ratio**m)


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(7)])
def test_the_mixing_bound_is_that_of_the_mechanism(ratio: Fraction) -> None:
    for gamma, least in product([Fraction(1, 50), Fraction(1, 2)], [Fraction(1, 3), Fraction(1, 100)]):
        bound = greatest_distance(ratio=ratio, gamma=gamma, least=least)
        assert bound * (1 - gamma) * (ratio + 1) == (ratio - 1) * gamma * least


def test_stability_histograms_meet_the_bound() -> None:
    def law(count: int) -> Dist:
        return Dist.of({2: Fraction(1 + count, 4), 0: Fraction(3 - count, 4)})

    shown = lone_label(threshold=1, law=law)
    histogram = stability_histogram_law(threshold=1, law=law)
    assert hockey_stick(histogram((0,)), histogram((1,)), Fraction(10**9)) == shown == Fraction(1, 2)
