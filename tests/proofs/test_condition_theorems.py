"""The formulas on reporting probabilities are those of the mechanism's recurrence and rates."""

from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.proofs.weighted_sampling.checks.frequencies import integral_delta

RATIOS = (Fraction(11, 10), Fraction(2), Fraction(5))
DELTAS = (Fraction(1, 2), Fraction(1, 7), Fraction(1, 100))


def growth_ratio(delta: Fraction, q: Fraction, after: Fraction) -> Fraction:
    """Return (q_(i+1) - delta)/q_i, the ratio of (20)."""
    return (after - delta) / q


def silence_ratio(delta: Fraction, q: Fraction, after: Fraction) -> Fraction:
    """Return (1 - q_i - delta)/(1 - q_(i+1)), the ratio of (25)."""
    return (1 - q - delta) / (1 - after)


def test_the_conditions_are_those_of_the_recurrence() -> None:
    for ratio, delta, a, b in product(RATIOS, DELTAS, range(1, 12), range(1, 12)):
        q, after = Fraction(a, 12), Fraction(b, 12)
        if q <= after:
            x, found = reporting_probabilities(q=[q, after], ratio=ratio, delta=delta)
            bound = growth_ratio(delta, x, after) <= ratio and silence_ratio(delta, x, after) <= ratio
            assert (found == after) is bound


def test_the_symmetry_is_that_of_the_mechanism() -> None:
    for ratio, length in product(RATIOS, range(1, 5)):
        delta = integral_delta(ratio, length)
        pi = [Fraction(0), *reporting_probabilities(q=[Fraction(1)] * (2 * length + 1), ratio=ratio, delta=delta)]
        assert ratio**length * delta * (ratio + 1) == ratio - 1 + 2 * delta
        assert pi[length] == (1 - delta) / (1 + ratio)
        assert all(pi[i] + pi[2 * length + 1 - i] == 1 for i in range(2 * length + 2))
        assert pi[2 * length] == 1 - delta


def test_the_bound_is_above_the_mechanism() -> None:
    for ratio, delta in product(RATIOS, DELTAS):
        pi = reporting_probabilities(q=[Fraction(1)] * 30, ratio=ratio, delta=delta)
        assert pi[0] == delta
        assert all(p <= delta * (ratio**i - 1) / (ratio - 1) for i, p in enumerate(pi, 1))


def test_the_moments_are_those_of_a_law() -> None:
    for g, q in product((1, 2, 7), (Fraction(1, 10), Fraction(1, 2), Fraction(1))):
        law = Dist.of({0: 1 - q, 1: q})
        mean = law.expectation(lambda kept, g=g, q=q: kept * g / q)
        assert mean == g
        assert law.expectation(lambda kept, g=g, q=q: (kept * g / q - g) ** 2) == g * g * (1 / q - 1)


def test_the_moments_of_two_keys_are_those_of_their_law() -> None:
    for q, r, g, h in product((Fraction(1, 3), Fraction(1)), (Fraction(1, 2), Fraction(9, 10)), (1, 4), (2, 3)):
        law = Dist.of({0: 1 - q, 1: q}).product(Dist.of({0: 1 - r, 1: r}))

        def total(kept: tuple[int, int], g: int = g, h: int = h, q: Fraction = q, r: Fraction = r) -> Fraction:
            return 3 * kept[0] * g / q - kept[1] * h / r

        assert law.expectation(total) == 3 * g - h
        variance = 9 * g * g * (1 / q - 1) + h * h * (1 / r - 1)
        assert law.expectation(lambda kept, mean=3 * g - h: (total(kept) - mean) ** 2) == variance


def test_the_first_frequency_is_reported_with_delta() -> None:
    for ratio, delta in product((Fraction(3, 2), Fraction(3)), (Fraction(1, 2), Fraction(1, 100))):
        (first,) = reporting_probabilities(q=[Fraction(1)], ratio=ratio, delta=delta)
        assert first == delta
        assert first * (1 / delta) == 1
        assert first * (1 / delta) ** 2 - 1 == 1 / delta - 1


def test_without_privacy_all_keys_are_reported() -> None:
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(10)):
        assert set(reporting_probabilities(q=[Fraction(1)] * 9, ratio=ratio, delta=Fraction(1))) == {1}
