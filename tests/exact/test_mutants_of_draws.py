"""Evidence that changes of undecided numbers are noticed, each found by `benchmarks/mutants.py` and missed before."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.enumerator import Enumeration

Law = Callable[..., Dist]
Twin = Callable[..., Enumeration]


def test_exact_twin_of_a_comparison_after_a_remainder_of_a_sum(twin: Twin) -> None:
    twin(lambda _, coins: (lambda u: ((u + 1) % 4 == 0, u <= 5))(coins.below(12)))


REMAINDERS: list[Callable[[Any], object]] = [
    lambda u: ((u + 1) % 3, (u - 1) % 3),
    lambda u: (u % 4, u % 6),
    lambda u: (u % 4, (u + 4) % 8),
]


@pytest.mark.parametrize("ask", REMAINDERS)
def test_exact_twin_of_two_remainders(twin: Twin, ask: Callable[[Any], object]) -> None:
    twin(lambda _, coins: ask(coins.below(24)))


def pair_of_remainders(coins: Coins) -> object:
    u = coins.getrandbits(60) + 1
    return u % 4, u % 2


WHOLE: list[tuple[Callable[[Coins], object], Dist]] = [
    (pair_of_remainders, Dist.uniform([(0, 0), (1, 1), (2, 0), (3, 1)])),
    (lambda coins: coins.getrandbits(60) % 2**61 < 2**59, Dist.bernoulli("1/2")),
    (lambda coins: coins.random() < coins.below(4) / 4, Dist.bernoulli("3/8")),
    (lambda coins: round(coins.random() / 4), Dist.point(0)),
]


@pytest.mark.parametrize(("program", "expected"), WHOLE)
def test_what_is_followed_leaves_no_tail(law: Law, program: Callable[[Coins], object], expected: Dist) -> None:
    assert law(program) == expected


FLOATS: list[Callable[[Any], object]] = [
    lambda u: (abs(u / 2 - 1) < 0.6, abs(u / 2 - 1)),
    lambda u: (-(u / 2) < -1, -(u / 2), round(u / 2)),
    lambda u: u / 2 - 2**1000 < 0,
]


@pytest.mark.parametrize("ask", FLOATS)
def test_exact_twin_of_steps_of_floats(twin: Twin, ask: Callable[[Any], object]) -> None:
    twin(lambda _, coins: ask(coins.below(5)))


def test_a_float_of_few_integers_of_a_large_draw_is_decided_by_them(law: Law) -> None:
    expected = Dist.uniform([str(n / 3) for n in range(32)])
    assert law(lambda coins: str((coins.getrandbits(40) >> 35) / 3)) == expected


def test_a_float_of_more_bits_than_random_has_is_compared_as_a_whole(law: Law) -> None:
    count = 2**59 - 32  # the next integer's half is rounded up to 2^58
    assert [u / 2 < 2.0**58 for u in (count - 1, count)] == [True, False]
    assert law(lambda coins: coins.getrandbits(60) / 2 < 2.0**58) == Dist.bernoulli(Fraction(count, 2**60))


def test_a_function_of_the_machine_is_compared_where_random_is_whole(law: Law) -> None:
    answers = [math.log1p(k * 2.0**-53) < 0.5 for k in (0, 2**53 - 1)]
    assert answers == [True, False]
    found = law(lambda coins: math.log1p(coins.random()) < 0.5)
    assert found.prob(True).denominator <= 2**53
    count = int(found.prob(True) * 2**53)
    assert [math.log1p(k * 2.0**-53) < 0.5 for k in (count - 1, count)] == [True, False]
