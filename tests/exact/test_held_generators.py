"""Evidence that a generator which a program holds between runs is hidden randomness, wherever it is held."""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcert import Coins, Unauditable
from dpcert.reading.paths.enumerator import enumerate_law

Program = Callable[[int, Coins], int]

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


def seeded_anew(x: int, coins: Coins) -> int:
    rng = random.Random(7)
    return x if rng.random() < SELDOM else int(coins.below(2))


def unused(x: int, coins: Coins) -> int:
    return int(coins.below(2))


def closed(rng: Any) -> Program:
    return lambda x, coins: x if rng.random() < SELDOM else int(coins.below(2))


HELD: dict[str, Program] = {
    "in a global": lambda x, coins: x if PYTHONS.random() < SELDOM else int(coins.below(2)),
    "in a global of numpy": lambda x, coins: x if NUMPYS.random() < SELDOM else int(coins.below(2)),
    "in containers": lambda x, coins: x if LISTED["old"][0].random_sample() < SELDOM else int(coins.below(2)),
    "in a class": lambda x, coins: x if Settings.rng.random() < SELDOM else int(coins.below(2)),
    "in an instance": lambda x, coins: x if SETTINGS.own.gauss(0, 1) > 9 else int(coins.below(2)),
    "of bits alone": lambda x, coins: x if BITS.random_raw() < 9 else int(coins.below(2)),
    "around bits": lambda x, coins: x if np.random.Generator(BITS).random() < SELDOM else int(coins.below(2)),
    "spawned from seeds": lambda x, coins: x if SEEDS.spawn(1)[0].generate_state(1)[0] < 9 else int(coins.below(2)),
    "spawned from a generator": lambda x, coins: x if NUMPYS.spawn(1)[0].random() < SELDOM else int(coins.below(2)),
    "in a closure": closed(np.random.default_rng(8)),
}
HELD_DEEP: dict[str, Program] = {
    "in a very deep list": in_a_very_deep_list,
    "behind many others": lambda x, coins: x if WIDE[1][0].random() < SELDOM else int(coins.below(2)),
    "in a queue": lambda x, coins: x if QUEUED[0]["one"].random() < SELDOM else int(coins.below(2)),
    "in a bound function": lambda x, coins: x if NAMED.draw() < SELDOM else int(coins.below(2)),
    "in a bound method": lambda x, coins: x if NAMED.method(0, 1) > 9 else int(coins.below(2)),
}


def refused(program: Program) -> None:
    with pytest.raises(Unauditable, match=r"hidden randomness: the program uses a .* that it keeps between runs"):
        enumerate_law(program, 5)


@pytest.mark.points(3)
@pytest.mark.parametrize("name", HELD)
def test_a_generator_that_is_held_is_refused_however_seldom_it_changes_an_outcome(name: str) -> None:
    refused(HELD[name])


@pytest.mark.points(1)
@pytest.mark.parametrize("name", HELD_DEEP)
def test_a_generator_that_is_held_very_deep_is_refused(name: str) -> None:
    refused(HELD_DEEP[name])


def test_a_generator_that_a_run_seeds_itself_is_no_matter() -> None:
    assert enumerate_law(seeded_anew, 5).law.prob(1) * 2 == 1


def test_a_generator_that_is_held_and_not_used_is_no_matter() -> None:
    assert enumerate_law(unused, 5).law.prob(1) * 2 == 1
