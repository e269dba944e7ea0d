"""Evidence that calls without end are read no further than their tails may be, and calls with an end to it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.summarise import LEAST, ROUND, tail_bits

LIMITS = Limits(max_tail=Fraction(1, 10**12))


def heads(coins: Coins) -> int:
    """Count heads before the first tail."""
    count = 0
    while coins.below(2):
        count += 1
    return count


def capped(most: int, coins: Coins) -> int:
    """Count heads before the first tail, but no more than so many."""
    for count in range(most):
        if not coins.below(2):
            return count
    return most


def two(x: int, coins: Coins) -> int:
    """Add two counts of heads, the second one by calls from states that may be rare."""
    total = x
    for _ in range(2):
        total += heads(coins)
    return total


def two_capped(most: int, coins: Coins) -> int:
    """Add two counts that end."""
    return capped(most, coins) + capped(most, coins)


def asks_often(x: int, coins: Coins) -> int:
    """Call in each turn of a loop without end."""
    turns = odd = 0
    while coins.below(4):
        turns += 1
        odd ^= heads(coins) & 1
    return x + odd


def test_a_sum_of_counts_without_end_has_its_law_but_for_a_tail_that_is_allowed() -> None:
    found = merged_law(two, 0, limits=LIMITS)
    law = found.law
    assert 0 < law.tail <= LIMITS.max_tail
    for total in range(60):
        probability = Fraction(total + 1, 2 ** (total + 2))
        assert law.prob(total) <= probability <= law.prob(total) + law.tail
    assert merged_law(two, 0, limits=LIMITS, reverse=True).law.digest() == law.digest()


def test_calls_without_end_are_followed_no_further_than_their_tails_may_be() -> None:
    """The tail of the sum is below 10^-12, and not far below."""
    assert merged_law(two, 0, limits=LIMITS).law.tail > LIMITS.max_tail / 10**8


@pytest.mark.parametrize("most", [1, 64])
def test_calls_that_end_are_followed_to_their_end_also_from_rare_states(most: int) -> None:
    law = merged_law(two_capped, most).law
    one = [Fraction(1, 2 ** (count + 1)) for count in range(most)] + [Fraction(1, 2**most)]
    assert law.tail == 0
    for total in (0, most, 2 * most):
        pairs = [(a, total - a) for a in range(most + 1) if 0 <= total - a <= most]
        assert law.prob(total) == sum(one[a] * one[b] for a, b in pairs)


def test_tails_that_are_too_great_in_sum_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.mechanisms.states.summarise.COMMON", 0)
    monkeypatch.setattr("dpcert.mechanisms.states.read.SPARES", (0, 1))
    coarse = merged_law(asks_often, 0, limits=LIMITS).law
    assert coarse.tail > LIMITS.max_tail
    monkeypatch.setattr("dpcert.mechanisms.states.read.SPARES", (0, 1, 48))
    fine = merged_law(asks_often, 0, limits=LIMITS).law
    assert fine.tail <= LIMITS.max_tail
    for outcome in (0, 1):
        assert coarse.prob(outcome) <= fine.prob(outcome) <= coarse.prob(outcome) + coarse.tail


def test_a_call_is_read_to_less_where_its_state_is_rarer_and_never_to_nothing() -> None:
    bits = [tail_bits(100, rarity, 16) for rarity in range(200)]
    assert [max(bits), min(bits)] == [104, LEAST]
    assert all(each % ROUND == 0 for each in bits)
    assert all(100 - rarity < each for rarity, each in enumerate(bits))
    assert {tail_bits(101, rarity, 0) for rarity in range(200)} == {104}
    assert tail_bits((1 << 104).bit_length(), 7, 0) == 104


def test_the_law_of_an_input_with_a_tail_is_the_same_whatever_was_read_before() -> None:
    def ends_for_one(n: int, coins: Coins) -> int:
        return capped(5, coins) + capped(6, coins) if n == 1 else capped(5, coins) + heads(coins)

    alone = {n: merged_law(ends_for_one, n, limits=LIMITS).law for n in (1, 2, 3)}
    assert [law.tail > 0 for law in alone.values()] == [False, True, True]
    for order in ((1, 2, 3), (3, 2, 1), (2, 1, 3)):
        kept = Kept()
        for n in order:
            assert merged_law(ends_for_one, n, limits=LIMITS, kept=kept).law.digest() == alone[n].digest()
