"""Evidence for laws at the resolution of the machine: counts of draws, found by themselves with plain floats."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.floats import plain_random
from dpcert.reading.paths.enumerator import enumerate_law

ALL = 1 << 53
WINDOW = 4000


def counted(holds: Callable[[float], bool]) -> int:
    """How many of the 2^53 values of random() satisfy a question that turns within one window of draws."""
    first, last = holds(plain_random(0)), holds(plain_random(ALL - 1))
    assert first != last
    lo, hi = 0, ALL - 1
    while hi - lo > 1:
        middle = (lo + hi) // 2
        lo, hi = (middle, hi) if holds(plain_random(middle)) == first else (lo, middle)
    low, high = max(0, lo - WINDOW), min(ALL, lo + WINDOW)
    inside = sum(holds(plain_random(k)) for k in range(low, high))
    assert holds(plain_random(low)) == first or low == 0
    return inside + (low if first else ALL - high)


@pytest.mark.parametrize("rate", [0.5, 1.0, 0.1, 2.0**-20])
@pytest.mark.parametrize("c", [-0.5, -1.0, -3.25, -0.001])
def test_exact_count_of_a_logarithm(rate: float, c: float) -> None:
    found = enumerate_law(lambda _, coins: math.log(1.0 - coins.random()) / rate < c / rate, None)
    assert found.law.prob(True) * ALL == counted(lambda u: math.log(1.0 - u) / rate < c / rate)
    assert found.leaves <= 4


@pytest.mark.parametrize("c", [1.0000001, 1.5, 2.0, 2.7])
def test_exact_count_of_an_exponential(c: float) -> None:
    found = enumerate_law(lambda _, coins: math.exp(coins.random()) <= c, None)
    assert found.law.prob(True) * ALL == counted(lambda u: math.exp(u) <= c)


def geometric(alpha: float) -> Callable[[None, Coins], int]:
    def sample(_: None, coins: Coins) -> int:
        return math.floor(math.log(1.0 - coins.random()) / math.log(alpha))

    return sample


def test_exact_law_of_a_float_geometric_ends_where_the_draws_do() -> None:
    law = enumerate_law(geometric(0.5), None).law
    assert law.tail == 0
    assert [law.prob(k) for k in range(4)] == [Fraction(1, 2 << k) for k in range(4)]
    assert law.prob(53) == Fraction(1, ALL)
    assert law.prob(54) == 0


@pytest.mark.nightly
@pytest.mark.parametrize("alpha", [0.9, 1 / 3])
def test_exact_law_of_a_float_geometric_is_that_of_counts(alpha: float) -> None:
    law = enumerate_law(geometric(alpha), None).law

    def reached(k: int) -> int:
        return counted(lambda u: math.log(1.0 - u) / math.log(alpha) >= k)

    most = max(law.outcomes())
    assert most == math.floor(math.log(2.0**-53) / math.log(alpha))
    for k in (1, 2, 7, most):
        assert sum(law.prob(j) for j in range(k, most + 1)) * ALL == reached(k)


def test_the_real_function_is_that_of_every_edge() -> None:
    law = enumerate_law(geometric(0.8), None).law
    edge = ALL
    for k in range(40):
        edge -= int(law.prob(k) * ALL)
        just_above, just_below = (1.0 - plain_random(ALL - edge + i) for i in (-1, 0))
        assert math.floor(math.log(just_above) / math.log(0.8)) == k
        assert math.floor(math.log(just_below) / math.log(0.8)) == k + 1


def test_a_logarithm_of_zero_has_its_own_probability() -> None:
    law = enumerate_law(lambda _, coins: math.log(coins.random()) < -1.0, None).law
    raised = [outcome for outcome in law.outcomes() if not isinstance(outcome, bool)]
    assert [law.prob(outcome) for outcome in raised] == [Fraction(1, ALL)]


def test_exact_law_of_a_snapped_laplace() -> None:
    def snapped(x: float, coins: Coins) -> float:
        sign = 1 if coins.below(2) else -1
        u = coins.random()
        noisy = x + sign * math.log(1.0 - u)
        return min(max(0.5 * math.floor(noisy / 0.5 + 0.5), -4.0), 4.0)

    found = enumerate_law(snapped, 0.3)
    assert found.law.tail == 0
    assert set(found.law.outcomes()) == {k / 2 for k in range(-8, 9)}

    def at_most(u: float) -> bool:
        return 0.5 * math.floor((0.3 + math.log(1.0 - u)) / 0.5 + 0.5) <= -1.0

    below = sum(found.law.prob(k / 2) for k in range(-8, -1))
    assert below * 2 * ALL == counted(at_most)


def test_the_assumption_names_the_functions_and_the_machine() -> None:
    found = enumerate_law(lambda _, coins: math.log(coins.random() + 1.0) < math.exp(-1.0), None)
    assert len(found.assumptions) == 1
    assert "math.log lies within 8 units in the last place of the true value" in found.assumptions[0]
    assert "Python 3." in found.assumptions[0]
    assert enumerate_law(lambda _, coins: math.sqrt(coins.random()) < 0.5, None).assumptions == ()
