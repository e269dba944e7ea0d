"""Evidence for coins.py: the same programs run on system, seeded and recorded coins; refused arguments."""

import copy
import pickle
import random
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Coins, Dist, Done, InputError, Unauditable, seeded_coins, summarize, system_coins
from dpcert.mechanisms.exact.coins import Plain, Recorded
from dpcert.reading.paths.enumerator import Enumeration, enumerate_law

Twin = Callable[..., Enumeration]
Law = Callable[..., Dist]

PROGRAMS: dict[str, Callable[[Coins], Any]] = {
    "below": lambda coins: coins.below(7),
    "bernoulli": lambda coins: coins.bernoulli("1/3"),
    "getrandbits": lambda coins: coins.getrandbits(3),
    "randrange": lambda coins: coins.randrange(2, 20, 5),
    "randint": lambda coins: coins.randint(-1, 1),
    "choice": lambda coins: coins.choice("abc"),
    "sample": lambda coins: tuple(coins.sample(range(4), 2)),
    "sampled with counts": lambda coins: tuple(coins.sample("ab", 2, counts=[2, 1])),
    "dice": lambda coins: int(coins.random() * 6),
    "choices": lambda coins: coins.choices("ab", weights=[3, 1], k=2),
    "fold": lambda coins: coins.fold(range(3), 0, lambda s, i, c: s + i * c.below(2)),
    "loop": lambda coins: coins.loop(0, lambda s, c: Done(s) if s > 2 or c.below(2) else s + 1),
    "summarize": lambda coins: summarize(lambda c: c.below(3) + c.below(3))(coins),
    "plain loop": lambda coins: next(n for n in range(200) if coins.below(2)),
}


@pytest.mark.points(12)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("make", [system_coins, lambda: seeded_coins(3)])
def test_system_and_seeded_coins_draw_outcomes_of_the_law(law: Law, name: str, make: Callable[[], Coins]) -> None:
    outcomes = law(PROGRAMS[name])
    coins = make()
    seen = {repr(PROGRAMS[name](coins)) for _ in range(300)}
    assert seen <= {repr(outcome) for outcome in outcomes.outcomes()}
    assert len(seen) > 1


def test_seeded_coins_repeat_themselves_and_system_coins_do_not() -> None:
    draws = [[seeded_coins(seed).getrandbits(64) for _ in range(2)] for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    assert system_coins().getrandbits(128) != system_coins().getrandbits(128)
    assert 0 <= system_coins().random() < 1
    assert len(system_coins().randbytes(5)) == 5


def test_coins_are_a_system_random_of_one_class_everywhere(law: Law) -> None:
    assert law(lambda coins: (isinstance(coins, random.SystemRandom), type(coins) is Coins)) == Dist.point((True, True))
    assert type(system_coins()) is type(seeded_coins(0)) is type(Coins(Recorded([]))) is Coins


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_shuffle_is_exactly_uniform(twin: Twin, n: int) -> None:
    def program(items: list[int], coins: Coins) -> list[int]:
        coins.shuffle(items)
        return items

    items = list(range(n))
    found = twin(program, items)
    assert found.law == Dist.uniform([list(order) for order in permutations(range(n))])
    assert items == list(range(n))


@pytest.mark.parametrize("k", range(5))
def test_a_sample_is_exactly_uniform(twin: Twin, k: int) -> None:
    found = twin(lambda _, coins: coins.sample("abcd", k), None)
    assert found.law == Dist.uniform([list(order) for order in permutations("abcd", k)])


def test_the_standard_library_draws_without_a_rejection_tail() -> None:
    found = enumerate_law(lambda _, coins: coins.randrange(10**20) < 5, None, draws=True)
    assert found.law == Dist.from_weights([((True, (10**20,)), 5), ((False, (10**20,)), 10**20 - 5)], 10**20)


@given(st.fractions(0, 1, max_denominator=10**6))
def test_bernoulli_is_exact(law: Law, p: Fraction) -> None:
    assert law(lambda coins: coins.bernoulli(p)) == Dist.bernoulli(p)
    assert law(lambda coins: coins.bernoulli(str(p))) == Dist.bernoulli(p)


@pytest.mark.parametrize("p", [0.5, "2", "-1/3", 2, True, None, float("nan"), "half"])
def test_refused_probabilities(p: object) -> None:
    with pytest.raises(InputError) as caught:
        seeded_coins(0).bernoulli(p)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bound", [0, -1, 2.0, "7", None, Fraction(3)])
def test_refused_bounds(bound: Any) -> None:
    for coins in (system_coins(), seeded_coins(0), Coins(Recorded([]))):
        with pytest.raises(InputError, match="below"):
            coins.below(bound)
    with pytest.raises(ValueError, match="non-negative"):
        seeded_coins(0).getrandbits(-1)


def test_a_refused_argument_is_an_outcome_of_the_law(law: Law) -> None:
    found = law(lambda coins: coins.below(coins.below(2)))
    assert found.prob(0) == Fraction(1, 2)
    assert len(found) == 2


def test_true_is_the_bound_one() -> None:
    assert seeded_coins(0).below(True) == 0


def test_an_undecided_bound_is_decided(twin: Twin) -> None:
    twin(lambda _, coins: coins.below(coins.below(3) + 1) + coins.randrange(coins.below(2) + 1))


@pytest.mark.parametrize("make", [system_coins, lambda: seeded_coins(3), lambda: Coins(Recorded([]))])
@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps, lambda coins: setattr(coins, "x", 1)])
def test_coins_hold_no_state_and_are_not_copied(make: Callable[[], Coins], act: Callable[[Coins], object]) -> None:
    with pytest.raises(Unauditable):
        act(make())


def test_seeding_does_nothing_and_gauss_keeps_its_second_value() -> None:
    coins = seeded_coins(3)
    first = coins.below(1 << 64)
    coins = seeded_coins(3)
    coins.seed(99)
    assert coins.below(1 << 64) == first
    coins.gauss(0.0, 1.0)
    kept = coins.gauss_next
    assert kept is not None
    assert coins.gauss(0.0, 1.0) == kept


def test_recorded_coins_repeat_a_run_and_notice_another() -> None:
    source = Recorded([(6, 4), (2, 1)])
    coins = Coins(source)
    assert coins.below(6) == 4
    assert not source.exhausted()
    with pytest.raises(Unauditable, match="drew other coins"):
        Coins(source).below(3)
    assert source.fault is not None
    source = Recorded([(1 << 53, 1 << 52)])
    assert Coins(source).random() == 0.5
    assert source.exhausted()
    for bound in (1, 2):
        with pytest.raises(Unauditable, match="drew other coins"):
            Coins(source).below(bound)


def test_caught_a_replay_that_draws_once_more_a_number_with_one_value(refusal: Callable[..., str]) -> None:
    runs: list[int] = []

    def program(_: object, coins: Coins) -> int:
        runs.append(0)
        return coins.below(1) if len(runs) > 1 else 0

    refusal(program, "drew other coins")


def test_the_end_of_a_loop_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Done(1).__setattr__("value", 2)


def test_random_is_k_over_2_to_the_53() -> None:
    asked: list[int] = []

    def draw(bound: int) -> int:
        asked.append(bound)
        return bound - 1

    assert Coins(Plain(draw)).random() == 1 - 2.0**-53
    assert Coins(Plain(draw)).randbytes(2) == b"\xff\xff"
    assert asked == [1 << 53, 1 << 16]
