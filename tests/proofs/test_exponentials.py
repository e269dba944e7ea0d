"""What the theorems on exponentials take as given and conclude, at numbers of the mechanisms."""

from fractions import Fraction
from math import factorial
from typing import Any

import pytest

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.finite_computers.mixing import greatest_distance


def response_gap(ratio: Any) -> Any:
    """Return the gap of randomized response at e^(epsilon/2) = ratio."""
    return (ratio - 1) / (ratio + 1)


@pytest.mark.parametrize("inverse", [1, 2, 3, 5, 8, 1000])
def test_the_range_is_that_of_the_samplers(inverse: int) -> None:
    epsilon = Fraction(1, inverse)
    t = Fraction(1, 2 ** noise_exponent(epsilon))
    low, high = enclose(lambda x: 2 * (1 + x).log(), t)
    assert epsilon / 4 < t <= epsilon / 2
    assert Fraction(4, 9) * epsilon < low <= high <= epsilon
    assert 4 * t / (2 + t) <= low <= high <= 2 * t


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2)])
def test_the_gap_is_that_of_mixing(ratio: Fraction) -> None:
    assert response_gap(ratio) == greatest_distance(ratio=ratio, gamma=Fraction(1, 2), least=Fraction(1))
    low, _ = enclose(lambda two: response_gap((two / 2).exp()), 2)
    assert low >= Fraction(1, 3)


def test_the_factorial_step_is_that_of_the_numbers() -> None:
    for n in range(1, 30):
        here, there = (Fraction(factorial(m), (m + 1) ** m) for m in (n, n + 1))
        w = (1 + Fraction(1, n + 1)) ** (n + 1)
        assert there == here / w
        assert w < enclose(lambda one: one.exp(), 1)[0]
        assert here >= Fraction(1, 3**n)


@pytest.mark.parametrize("x", [Fraction(1, 100), Fraction(1, 2), Fraction(3, 4)])
def test_the_exponentials_are_within_their_first_terms(x: Fraction) -> None:
    e, squared = (enclose(lambda t: t.exp(), t)[0] for t in (x, 2 * x))
    assert 1 + x <= e
    assert 1 + 2 * x + 2 * x**2 + Fraction(4, 3) * x**3 <= squared
    assert (1 - x) * squared >= 1
