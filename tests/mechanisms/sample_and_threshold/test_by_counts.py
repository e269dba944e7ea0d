"""Programs by counts: the law of a person after person, exactly, and a hundred thousand people in seconds."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpcert import Coins, seeded_coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, tally
from dpcert.mechanisms.sample_and_threshold.contact import contacted_histogram, taken_and_shown, taken_at_places
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram
from dpcert.reading.paths.enumerator import enumerate_law

RATE = Fraction(1, 3)


def one_by_one(people: Sequence[int], coins: Coins) -> Bins:
    """Sample people in the order of the list, and hold the counts of all labels."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(RATE.denominator) >= RATE.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    sampled = coins.fold(people, (0,) * 3, sample)
    return tuple((label, count) for label, count in enumerate(sampled) if count >= 2)


def taken_one_by_one(people: Sequence[int], coins: Coins) -> Bins:
    """Take two people, deciding on one after another in the order of the list, and show all labels taken."""

    def take(state: tuple[int, tuple[int, ...]], place: int, coins: Coins) -> tuple[int, tuple[int, ...]]:
        left, taken = state
        if coins.below(len(people) - place) >= left:
            return state
        label = people[place]
        return left - 1, (*taken[:label], taken[label] + 1, *taken[label + 1 :])

    _, taken = coins.fold(range(len(people)), (2, (0,) * 3), take)
    return tuple((label, amount) for label, amount in enumerate(taken) if amount >= 1)


@pytest.mark.parametrize("people", [*product(range(3), repeat=3), (2, 0, 1, 2, 2)])
def test_exact_twin_by_people_in_their_order(people: tuple[int, ...]) -> None:
    program = threshold_histogram(rate=RATE, threshold=2, universe=3)
    assert enumerate_law(program, list(people)).law == enumerate_law(one_by_one, list(people)).law

    def taken(people: Any, coins: Coins) -> Bins:
        return taken_and_shown(tally(people), 2, len(people), 1, coins)

    assert enumerate_law(taken, list(people)).law == enumerate_law(taken_one_by_one, list(people)).law


@pytest.mark.parametrize("people", [(0, 0, 1, 2), (1, 1, 1, 0, 2)])
def test_exact_twin_by_places(people: tuple[int, ...]) -> None:
    counts, n = tally(people), len(people)
    for size in range(n + 1):
        laws = [
            enumerate_law(lambda _, coins, of=of, size=size: of(counts, size, n, 1, coins), 0).law
            for of in (taken_and_shown, taken_at_places)
        ]
        assert laws[0] == laws[1]


@pytest.mark.usefixtures("at_once")
def test_a_hundred_thousand_people_in_seconds() -> None:
    people = [place * place % 1009 for place in range(100_000)]
    coins = seeded_coins(3)
    shown = threshold_histogram(rate=Fraction(1, 10), threshold=5, universe=1009)(people, coins)
    contacted = contacted_histogram(n=100_000, m=10_000, asked=10_500, threshold=5, universe=1009)(people, coins)
    assert len(shown) > 400
    assert len(contacted) > 400
