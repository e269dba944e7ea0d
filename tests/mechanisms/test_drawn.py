"""Binomial numbers bit by bit or by one word, and numbers of the system: the laws that they should have, exactly."""

from collections import Counter
from fractions import Fraction

import pytest

from dpcert import Coins, Dist, seeded_coins, summarize
from dpcert.mechanisms.coins import system_number, unmerged
from dpcert.mechanisms.drawn import bit_by_bit, by_word, coin_by_coin
from dpcert.reading.paths.enumerator import enumerate_law

RATES = [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(7, 10), Fraction(1, 100)]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("alone", "bits"), [(0, 2), (0, 3), (1, 3), (2, 4)])
def test_exact_twin_of_a_coin_for_each_person(rate: Fraction, alone: int, bits: int) -> None:
    for count in range(4):
        law = enumerate_law(bit_by_bit(rate, alone=alone, bits=bits), count).law
        assert law == Dist.binomial(count, rate)
        assert law == enumerate_law(coin_by_coin(rate), count).law


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("word", [0, 1, 3, 16])
def test_exact_twin_by_one_word(rate: Fraction, word: int) -> None:
    """In a short word several ends of F have the same bits, and the rest of U tells them apart."""
    for count in range(6):
        assert enumerate_law(by_word(rate, word=word), count).law == Dist.binomial(count, rate)
    assert enumerate_law(by_word(rate, word=word, few=1), 2).law == Dist.binomial(2, rate)


def test_caught_a_rest_that_is_not_drawn() -> None:
    words = by_word(Fraction(1, 3), word=1)
    assert enumerate_law(lambda count, coins: words(count, Halved(coins)), 2).law != Dist.binomial(2, Fraction(1, 3))


class Halved:
    """Coins whose second number is always 0."""

    def __init__(self, coins: Coins) -> None:
        self.coins, self.drawn = coins, 0

    def below(self, bound: int) -> int:
        self.drawn += 1
        return self.coins.below(bound) if self.drawn == 1 else 0


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 256, 257, 1000])
def test_exact_twin_numbers_of_the_system_are_uniform(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    size = ((bound - 1).bit_length() + 7) // 8
    found: Counter[int] = Counter()
    for first in range(256**size):
        given = iter([first.to_bytes(size, "little"), bytes(size)])  # where the first is refused, 0
        asked = []
        monkeypatch.setattr(
            "dpcert.mechanisms.coins.urandom", lambda n, given=given, asked=asked: asked.append(n) or next(given)
        )
        number = system_number(bound)
        if len(asked) == 1:
            found[number] += 1
        assert set(asked) == {size}
    assert sorted(found) == list(range(bound))
    assert len(set(found.values())) == 1


def test_what_was_summarized_has_its_law_without_it() -> None:
    merged = summarize(lambda count, coins: coins.below(3) + count)
    assert enumerate_law(unmerged(merged), 2).law == enumerate_law(merged, 2).law


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
