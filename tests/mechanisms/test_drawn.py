"""Binomial numbers bit by bit: the law of a coin for each person, exactly."""

from fractions import Fraction

import pytest

from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.drawn import bit_by_bit, coin_by_coin
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.enumerator import enumerate_law

RATES = [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(7, 10), Fraction(1, 100)]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("alone", "bits"), [(0, 2), (0, 3), (1, 3), (2, 4)])
def test_exact_twin_of_a_coin_for_each_person(rate: Fraction, alone: int, bits: int) -> None:
    for count in range(4):
        law = enumerate_law(bit_by_bit(rate, alone=alone, bits=bits), count).law
        assert law == Dist.binomial(count, rate)
        assert law == enumerate_law(coin_by_coin(rate), count).law


def test_caught_a_bit_taken_for_the_other_side() -> None:
    """With the sides of a bit exchanged where the rate's bit is 1, the law is another one."""

    def wrong(count: int, coins: Coins) -> int:
        sampled, left, rest = 0, count, 2
        for _ in range(2):
            ones = coins.below(1 << left).bit_count()
            rest *= 2
            if rest >= 3:
                sampled, left, rest = sampled + ones, ones, rest - 3
            else:
                left -= ones
        return sampled + sum(coins.below(3) < rest for _ in range(left))

    assert enumerate_law(wrong, 2).law != Dist.binomial(2, Fraction(2, 3))
    assert enumerate_law(bit_by_bit(Fraction(2, 3), alone=0, bits=2), 2).law == Dist.binomial(2, Fraction(2, 3))


def test_many_people_are_near_the_mean() -> None:
    draw, seeded = bit_by_bit(Fraction(1, 10)), seeded_coins(2)
    found = [draw(10**4, seeded) for _ in range(400)]
    assert abs(sum(found) / 400 - 1000) < 6 * 30 / 20
    spread = sum((one - 1000) ** 2 for one in found) / 400
    assert 600 < spread < 1300
