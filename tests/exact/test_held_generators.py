"""Evidence that a generator which a program holds between runs is hidden randomness, wherever it is held."""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.paths.enumerator import enumerate_law

PYTHONS = random.Random(7)
NUMPYS = np.random.default_rng(7)
LISTED = {"old": [np.random.RandomState(7)]}
BITS = np.random.PCG64()
SEEDS = np.random.SeedSequence()
SELDOM = 1e-9


class Settings:
    """Settings that hold a generator."""

    rng: ClassVar[Any] = np.random.default_rng(7)

    def __init__(self) -> None:
        self.own = random.Random(7)


SETTINGS = Settings()


def in_a_global(x: int, coins: Coins) -> int:
    return x if PYTHONS.random() < SELDOM else int(coins.below(2))


def in_a_global_of_numpy(x: int, coins: Coins) -> int:
    return x if NUMPYS.random() < SELDOM else int(coins.below(2))


def in_containers(x: int, coins: Coins) -> int:
    return x if LISTED["old"][0].random_sample() < SELDOM else int(coins.below(2))


def in_a_class(x: int, coins: Coins) -> int:
    return x if Settings.rng.random() < SELDOM else int(coins.below(2))


def in_an_instance(x: int, coins: Coins) -> int:
    return x if SETTINGS.own.gauss(0, 1) > 9 else int(coins.below(2))


def of_bits_alone(x: int, coins: Coins) -> int:
    return x if BITS.random_raw() < 9 else int(coins.below(2))


def around_bits(x: int, coins: Coins) -> int:
    return x if np.random.Generator(BITS).random() < SELDOM else int(coins.below(2))


def spawned_from_seeds(x: int, coins: Coins) -> int:
    return x if SEEDS.spawn(1)[0].generate_state(1)[0] < 9 else int(coins.below(2))


def spawned_from_a_generator(x: int, coins: Coins) -> int:
    return x if NUMPYS.spawn(1)[0].random() < SELDOM else int(coins.below(2))


def _closed(rng: Any) -> Callable[[int, Coins], int]:
    def in_a_closure(x: int, coins: Coins) -> int:
        return x if rng.random() < SELDOM else int(coins.below(2))

    return in_a_closure


def _nested(deep: int) -> Any:
    """A list of lists, with many more beside them, and a generator at the bottom."""
    found: Any = [random.Random(7)]
    for _ in range(deep):
        found = [found]
    return [[[i] for i in range(1_000)], found]


DEEP: list[Any] = []
WIDE: list[Any] = []
QUEUED = deque([OrderedDict(one=random.Random(7))])
NAMED = SimpleNamespace(draw=np.random.default_rng(7).random, method=random.Random(7).gauss)


@pytest.fixture(scope="module", autouse=True)
def large() -> Iterator[None]:
    """Fill the large lists for these tests alone: every law looks through what the modules of its folder hold."""
    DEEP[:], WIDE[:] = _nested(30_000), [[[i] for i in range(30_000)], [random.Random(7)]]
    yield
    DEEP.clear()
    WIDE.clear()


def in_a_very_deep_list(x: int, coins: Coins) -> int:
    found = DEEP[1]
    while type(found) is list:
        found = found[0]
    return x if found.random() < SELDOM else int(coins.below(2))


def behind_many_others(x: int, coins: Coins) -> int:
    return x if WIDE[1][0].random() < SELDOM else int(coins.below(2))


def in_a_queue(x: int, coins: Coins) -> int:
    return x if QUEUED[0]["one"].random() < SELDOM else int(coins.below(2))


def in_a_bound_function(x: int, coins: Coins) -> int:
    return x if NAMED.draw() < SELDOM else int(coins.below(2))


def in_a_bound_method(x: int, coins: Coins) -> int:
    return x if NAMED.method(0, 1) > 9 else int(coins.below(2))


def seeded_anew(x: int, coins: Coins) -> int:
    rng = random.Random(7)
    return x if rng.random() < SELDOM else int(coins.below(2))


def unused(x: int, coins: Coins) -> int:
    return int(coins.below(2))


@pytest.mark.points(3)
@pytest.mark.parametrize(
    "program",
    [
        *(in_a_global, in_a_global_of_numpy, in_containers, in_a_class, in_an_instance),
        *(of_bits_alone, around_bits, spawned_from_seeds, spawned_from_a_generator),
        _closed(np.random.default_rng(8)),
    ],
)
def test_a_generator_that_is_held_is_refused_however_seldom_it_changes_an_outcome(
    program: Callable[[int, Coins], int],
) -> None:
    with pytest.raises(Unauditable, match=r"hidden randomness: the program uses a .* that it keeps between runs"):
        enumerate_law(program, 5)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    "program", [in_a_very_deep_list, behind_many_others, in_a_queue, in_a_bound_function, in_a_bound_method]
)
def test_a_generator_that_is_held_very_deep_is_refused(program: Callable[[int, Coins], int]) -> None:
    with pytest.raises(Unauditable, match=r"hidden randomness: the program uses a .* that it keeps between runs"):
        enumerate_law(program, 5)


def test_a_generator_that_a_run_seeds_itself_is_no_matter() -> None:
    assert enumerate_law(seeded_anew, 5).law.prob(1) * 2 == 1


def test_a_generator_that_is_held_and_not_used_is_no_matter() -> None:
    assert enumerate_law(unused, 5).law.prob(1) * 2 == 1
