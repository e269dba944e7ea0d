"""Evidence for led generators: what the real ones refuse they refuse alike, and what is not followed ends the run."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcert import Coins, Unauditable, seeded_coins
from dpcert.mechanisms.exact.coins import Plain
from dpcert.reading.led.coins import LedByCoins
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.generators import LAWS
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import routed
from dpcert.reading.replay import replay

TAKES: dict[Any, str] = {np.random.Generator: "rng", np.random.RandomState: "state"}
METHODS = [
    (real, name)
    for real in TAKES
    for name in sorted(vars(real))
    if not name.startswith("_") and type(getattr(real, name)) is kinds.METHOD
]
CALLS: list[tuple[Any, ...]] = [
    (),
    (0.5,),
    (-1.0,),
    ("a",),
    (3, 0.5),
    (0,),
    (None,),
    ([0.5, 0.6],),
    (3, -2),
    (2.5, 1, 7),
]


def led(takes: str, coins: Coins) -> Any:
    """A generator that coins lead."""
    generators = LedByCoins([]).led
    generators.coins = coins
    return generators.generator(takes)


def ended(call: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """How a call ends: the type and the layout of what it gives, or its exception."""
    try:
        found = call(*args)
    except Unauditable:
        return "not followed"
    except Exception as error:
        return type(error), str(error)
    return type(found), getattr(found, "dtype", None), getattr(found, "shape", None)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("real", "name"), METHODS)
def test_exact_twin_of_the_types_and_exceptions_of_a_method(real: Any, name: str) -> None:
    followed = name in LAWS or name == "shuffle"
    answers = []
    for args in CALLS:
        ours = ended(getattr(led(TAKES[real], seeded_coins(1)), name), args)
        theirs = ended(getattr(kinds.SPARE[real](), name), args)
        if ours != "not followed":
            assert ours == theirs, args
        answers.append((ours, theirs))
    assert followed or all(len(theirs) == 2 for ours, theirs in answers if ours != "not followed")


@pytest.mark.parametrize(
    "use",
    [
        lambda rng: rng.bit_generator,
        lambda rng: rng.spawn(1),
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        lambda rng: rng.__reduce__(),
        lambda rng: rng.__getstate__(),
    ],
)
def test_refused_what_shows_or_copies_the_draws(use: Callable[[Any], Any]) -> None:
    with pytest.raises(Unauditable, match="of a generator is not followed"):
        use(led("rng", seeded_coins(1)))


@pytest.mark.parametrize(
    "use", [lambda own: own.seed(3), lambda own: own.getstate(), copy.copy, lambda own: own.seed()]
)
def test_refused_what_seeds_a_generator_of_the_standard_library(use: Callable[[Any], Any]) -> None:
    with pytest.raises(Unauditable, match="of a generator is not followed"):
        use(led("random", seeded_coins(1)))


def test_a_led_generator_is_of_the_real_class() -> None:
    def program(x: int, rng: Any) -> Any:
        own = random.Random()
        return isinstance(rng, np.random.Generator), type(rng) is np.random.Generator, type(own) is random.Random

    assert enumerate_law(routed(program, "rng"), 0).law.prob((True, True, True)) == 1


def test_every_method_that_draws_is_led_or_refused() -> None:
    """No method is inherited that would draw the bits of the real class."""
    for real, takes in TAKES.items():
        own = type(led(takes, Coins(Plain(lambda bound: 0))))
        inherited = [name for name in dir(real) if not name.startswith("__") and name not in vars(own)]
        assert inherited == []


def test_caught_replays_that_draw_by_another_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.reading.led.coins.LAWS", {**LAWS, "laplace": LAWS["logistic"]})
    with pytest.raises(Unauditable, match=r"by the machine, .* when CPython runs it"):
        replay(routed(lambda x, rng: round(rng.laplace(scale=2.0)), "rng"), 0)
