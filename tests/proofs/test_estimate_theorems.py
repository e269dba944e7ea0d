"""The formulas on estimates are those of laws and of the mechanism's recurrence."""

from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.proofs.terms import Values
from dpcert.proofs.weighted_sampling.theorems.estimates import over_two_keys


def test_the_moments_of_two_keys_are_those_of_their_law() -> None:
    for q, r, g, h in product((Fraction(1, 3), Fraction(1)), (Fraction(1, 2), Fraction(9, 10)), (1, 4), (2, 3)):
        law = Dist.of({0: 1 - q, 1: q}).product(Dist.of({0: 1 - r, 1: r}))
        values = Values(q=q, r=r, u=3 * g / q, v=Fraction(0), w=-h / r, x=Fraction(0))

        def total(kept: tuple[int, int], g: int = g, h: int = h, q: Fraction = q, r: Fraction = r) -> Fraction:
            return 3 * kept[0] * g / q - kept[1] * h / r

        assert over_two_keys(values, lambda x: x) == law.expectation(total) == 3 * g - h
        assert over_two_keys(values, lambda x: x * x) == law.expectation(lambda kept: total(kept) ** 2)


def test_the_first_frequency_is_reported_with_delta() -> None:
    for ratio, delta in product((Fraction(3, 2), Fraction(3)), (Fraction(1, 2), Fraction(1, 100))):
        (first,) = reporting_probabilities(q=[Fraction(1)], ratio=ratio, delta=delta)
        assert first == delta
        assert first * (1 / delta) == 1
        assert first * (1 / delta) ** 2 - 1 == 1 / delta - 1


def test_without_privacy_all_keys_are_reported() -> None:
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(10)):
        assert set(reporting_probabilities(q=[Fraction(1)] * 9, ratio=ratio, delta=Fraction(1))) == {1}
