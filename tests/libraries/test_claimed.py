"""The laws that samplers of libraries are held to, a second way, and a sampler that is nearly right."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from libraries.subjects.claimed import discrete_gaussian, discrete_laplace

import dpcert
from dpcert.mechanisms.exact.coins import Coins

NEAR = Fraction(1, 10**25)


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(3, 2)])
@pytest.mark.parametrize(
    ("law", "exponent"), [(discrete_laplace, lambda k, x: k / x), (discrete_gaussian, lambda k, x: k * k / (2 * x))]
)
def test_a_claimed_law_is_that_of_its_ratios(
    law: Callable[[Fraction], dpcert.Dist], exponent: Callable[[int, Fraction], Fraction], scale: Fraction
) -> None:
    found = law(scale)
    for k in range(1, 9):
        lo, hi = dpcert.Epsilon.of(exponent(k, scale)).exp_bounds(200)
        assert found.prob(k) == found.prob(-k)
        assert abs(found.prob(0) - found.prob(k) * lo) < NEAR * hi
    assert sum(found.prob(k) for k in found.outcomes()) == 1


def test_caught_a_sampler_with_one_more_sign_for_zero() -> None:
    """A discrete Laplace number with a free sign has 0 twice; one that draws again has it once."""
    law = dpcert.Dist.of({0: "1/3", 1: "1/3", -1: "1/3"})

    def with_one_zero(value: int, coins: Coins) -> int:
        return coins.below(3) - 1

    def with_two_zeros(value: int, coins: Coins) -> int:
        return coins.below(2) * (1 if coins.below(2) else -1)

    assert dpcert.audit(dpcert.same(with_one_zero, law, inputs=[0])).verdict == "verified"
    assert dpcert.audit(dpcert.same(with_two_zeros, law, inputs=[0])).verdict == "refuted"
