"""The formulas on close programs are those of rounded samplers, of FastSample, and of basic histograms."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert import Dist, Epsilon
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least


def rounded(law: Dist, steps: int) -> Dist:
    """A law with every probability rounded down to a multiple of 1/steps, what is left over at 0."""
    kept = {z: Fraction(int(p * steps), steps) for z, p in law.items()}
    return Dist.of({**kept, 0: kept.get(0, Fraction(0)) + 1 - sum(kept.values())})


@pytest.mark.parametrize("steps", [4, 16, 256])
def test_rounded_samplers_are_as_close_as_the_lemmas_say(steps: int) -> None:
    law, uniform = geosample_law(n=3, k=1), Dist.uniform(range(4))
    ratio, gamma = Fraction(3, 2), Fraction(1, 10)
    for count in range(3):
        pair = [law(count), law(count + 1)]
        near = [rounded(each, steps) for each in pair]
        distance = max(a.total_variation(b) for a, b in zip(pair, near, strict=True))
        assert hockey_stick(*near, ratio) <= (1 + ratio) * distance
        assert hockey_stick(*reversed(near), ratio) <= (1 + ratio) * distance
        mixed = Dist.mix([(gamma, uniform), (1 - gamma, near[0])])
        assert mixed.total_variation(pair[0]) <= gamma + near[0].total_variation(pair[0])


def test_a_basic_histogram_is_the_product_of_its_counts() -> None:
    law = geosample_law(n=2, k=1)
    whole = basic_histogram_law(universe=2, law=law)
    for people in ([0, 0], [0, 1], [1, 1]):
        counts = [law(people.count(label)) for label in range(2)]
        assert sorted(p for _, p in whole(people).items()) == sorted(
            a * b for a, b in product(*([p for _, p in each.items()] for each in counts))
        )


def kept(ratio: Fraction, delta: Fraction, probability: Fraction, m: int) -> Fraction:
    """How probable an event stays m rows away."""
    for _ in range(m):
        probability = (probability - delta) / ratio
    return probability


def test_the_packing_is_that_of_the_bounds() -> None:
    """The least a of the packing is the first at which an event 2a + 1 rows away may have beta, no more."""
    for ratio, delta, beta in product(
        (Fraction(9, 8), Fraction(3)), (Fraction(0), Fraction(1, 1000)), (Fraction(1, 3), Fraction(1, 1000))
    ):
        least = per_query_least(epsilon=Epsilon.ln(ratio), delta=delta, beta=beta, n=200).packing
        open_at = next(a for a in range(101) if 2 * a >= 200 or kept(ratio, delta, 1 - beta, 2 * a + 1) <= beta)
        assert least == open_at
        powers = sum(ratio**-i for i in range(1, 8))
        assert kept(ratio, delta, 1 - beta, 7) == ratio**-7 * (1 - beta) - delta * powers


def test_the_distance_is_that_of_laws() -> None:
    laws = [
        Dist.of({0: Fraction(a, 4), 1: Fraction(b, 4), 2: Fraction(4 - a - b, 4)})
        for a in range(5)
        for b in range(5 - a)
    ]
    for p, q in product(laws, repeat=2):
        parts = [p.prob(z) - q.prob(z) for z in range(3)]
        assert p.total_variation(q) == sum(max(x, Fraction(0)) for x in parts) == sum(map(abs, parts)) / 2
