"""Exact twins and refused inputs: a function of one draw, cut at its steps."""

import math
import random
from fractions import Fraction

import pytest

from dpcert import Dist, InputError, Unauditable
from dpcert.libraries.steps import Fixed, steps
from dpcert.reading.paths.enumerator import enumerate_law

COUNT = 1 << 12


def noise(k: int) -> int:
    """Return geometric noise in floats from k of 12 bits, as libraries do; at 0 it raises."""
    return math.floor(math.log(k / COUNT) / math.log(0.7))


def restless(k: int) -> int:
    """Return k // 500, but go back and forth within 8 of each step."""
    return k // 500 if 8 <= k % 500 < 492 or k % 2 else (k + 250) // 500 - (k % 500 < 8) * (k > 500)


@pytest.mark.parametrize("function", [noise, restless, lambda k: k > 17, lambda k: "always"])
def test_the_steps_are_those_of_the_function_at_every_k(function: object) -> None:
    cut = steps(function, count=COUNT, pieces=(1,), window=16)
    for k in range(COUNT):
        try:
            expected = function(k)
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)):
                cut.at(k)
        else:
            assert cut.at(k) == expected


def test_the_law_on_coins_is_that_of_all_k_with_the_exception_as_an_outcome() -> None:
    cut = steps(noise, count=COUNT, pieces=(1,), window=4)
    law = enumerate_law(lambda value, coins: value + cut.draw(coins), 5).law
    counted: dict[int, int] = {}
    for k in range(1, COUNT):
        counted[5 + noise(k)] = counted.get(5 + noise(k), 0) + 1
    for outcome, times in counted.items():
        assert law.prob(outcome) == Fraction(times, COUNT)
    assert sum(counted.values()) == COUNT - 1
    assert law.tail == 0


def test_a_function_of_what_is_monotone_is_followed_where_it_is_not_monotone_itself() -> None:
    cut = steps(lambda k: k // 300, count=COUNT, window=2, then=lambda k: (k // 300) % 2)
    assert [cut.at(k) for k in range(COUNT)] == [(k // 300) % 2 for k in range(COUNT)]
    assert enumerate_law(lambda value, coins: cut.draw(coins), 0).law == Dist.of(
        [(bit, Fraction(sum((k // 300) % 2 == bit for k in range(COUNT)), COUNT)) for bit in (0, 1)]
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda k: k >= 530 or 500 <= k < 510,
        lambda k: 100 <= k < 4000,
        lambda k: 0 if k < 2000 else 1 if k < 3000 else 0,
    ],
)
def test_what_is_not_monotone_is_refused_where_its_values_show_it(function: object) -> None:
    with pytest.raises(Unauditable, match="not monotone"):
        steps(function, count=COUNT, window=24)


@pytest.mark.parametrize(("count", "window"), [(0, 1), (5, 0), (-3, 2)])
def test_an_empty_range_is_refused(count: int, window: int) -> None:
    with pytest.raises(InputError, match="both at least 1"):
        steps(lambda k: k, count=count, window=window)


def test_a_second_draw_is_no_outcome() -> None:
    with pytest.raises(Unauditable, match="draws more"):
        steps(lambda k: (source := Fixed(k)).random() + source.random(), count=4)


def test_given_numbers_are_returned_in_order_and_as_the_floats_of_random() -> None:
    source = Fixed(3, 1 << 52, 7)
    assert (source.getrandbits(2), source.random(), source.getrandbits(32)) == (3, 0.5, 7)
    state = random.Random(1)
    k = state.getrandbits(53)
    assert Fixed(k).random() == k / 2**53
