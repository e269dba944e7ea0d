"""Distinct labels outside a set: uniform by enumeration, by both samplers, and drawn at real size."""

from fractions import Fraction
from itertools import chain, combinations

import pytest

from dpcert import Coins, InputError, seeded_coins
from dpcert.mechanisms.finite_computers.distinct import distinct_elsewhere, distinct_law, distinct_sample
from dpcert.reading.paths.enumerator import enumerate_law

CASES = [
    (universe, held, amount)
    for universe in range(1, 5)
    for held in chain.from_iterable(combinations(range(universe), size) for size in range(universe))
    for amount in range(universe - len(held) + 1)
]


@pytest.mark.nightly
def test_twin_algorithm_a_3_gives_every_sequence_one_probability_and_tells_by_its_draws() -> None:
    for universe, held, amount in CASES:
        found = enumerate_law(
            lambda _, coins, u=universe, h=held, r=amount: distinct_sample(universe=u, held=h, amount=r, coins=coins),
            None,
            draws=True,
        ).law
        bounds = tuple(universe - len(held) - i for i in range(amount))
        assert found == distinct_law(universe=universe, held=held, amount=amount).map(lambda x, b=bounds: (x, b))


def public(case: tuple[int, tuple[int, ...], int, int], coins: Coins) -> tuple[int, ...]:
    universe, held, amount, wanted = case
    most = universe - amount
    return distinct_elsewhere(universe=universe, held=held, most=most, amount=amount, wanted=wanted, coins=coins)


@pytest.mark.nightly
def test_twin_public_draws_give_the_same_law_whatever_is_held_and_wanted() -> None:
    for universe, held, amount in CASES:
        bounds = tuple(universe - i for i in range(universe))
        for wanted in range(amount + 1):
            found = enumerate_law(public, (universe, held, amount, wanted), draws=True).law
            assert found == distinct_law(universe=universe, held=held, amount=wanted).map(lambda x, b=bounds: (x, b))


def test_the_law_is_uniform_on_the_other_labels() -> None:
    law = distinct_law(universe=5, held=[1, 3], amount=2)
    assert dict(law.items()) == {(a, b): Fraction(1, 6) for a in (0, 2, 4) for b in (0, 2, 4) if a != b}


def test_it_draws_from_2_to_the_64_labels() -> None:
    held = range(0, 2**64, 2**55)
    for found in (
        distinct_sample(universe=2**64, held=held, amount=400, coins=seeded_coins(3)),
        distinct_elsewhere(universe=2**64, held=held, most=600, amount=400, wanted=400, coins=seeded_coins(3)),
    ):
        assert len(set(found)) == 400
        assert not {*found} & {*held}
        assert all(0 <= label < 2**64 for label in found)
        assert max(found) > 2**63


def test_refused_more_labels_than_are_left() -> None:
    with pytest.raises(InputError, match="a universe of at least 6 labels"):
        distinct_sample(universe=5, held=[0, 1, 2], amount=3, coins=seeded_coins(1))
    with pytest.raises(InputError, match="a universe of at least 6 labels"):
        distinct_elsewhere(universe=5, held=[0], most=3, amount=3, wanted=1, coins=seeded_coins(1))
