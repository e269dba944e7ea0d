"""Evidence for `dpcert.redirect`: code without an injection point has the law that its coins give it."""

import os
import random
import secrets
from collections.abc import Callable
from fractions import Fraction
from os import urandom
from random import SystemRandom, randint
from secrets import randbelow
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

import dpcert
from dpcert import Dist, InputError, Unauditable
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import at

OWN = np.random.default_rng()
OWN_STATE = np.random.RandomState()
OWN_RANDOM = random.Random()
QUARTER = Dist.bernoulli("1/4")

ROUTED: dict[str, Callable[[Any], Any]] = {
    "random.random": lambda x: random.random() < 0.25,
    "random.randint": lambda x: randint(1, 4) == x,
    "random.randrange": lambda x: random.randrange(4) == x,
    "random.choice": lambda x: random.choice([0, 1, 2, 3]) == x,
    "random.getrandbits": lambda x: random.getrandbits(2) == x,
    "random.uniform": lambda x: random.uniform(0.0, 4.0) < x,
    "random.Random": lambda x: random.Random().random() < 0.25,
    "random.SystemRandom": lambda x: random.SystemRandom().random() < 0.25,
    "SystemRandom by name": lambda x: SystemRandom().randrange(4) == x,
    "a Random of the module": lambda x: OWN_RANDOM.random() < 0.25,
    "secrets.randbelow": lambda x: secrets.randbelow(4) == x,
    "randbelow by name": lambda x: randbelow(4) == x,
    "secrets.choice": lambda x: secrets.choice([0, 1, 2, 3]) == x,
    "secrets.randbits": lambda x: secrets.randbits(2) == x,
    "secrets.token_bytes": lambda x: secrets.token_bytes(1)[0] < 64,
    "os.urandom": lambda x: os.urandom(1)[0] < 64,
    "urandom by name": lambda x: urandom(1)[0] < 64,
    "numpy.random.random": lambda x: np.random.random() < 0.25,
    "numpy.random.rand": lambda x: np.random.rand() < 0.25,
    "numpy.random.uniform": lambda x: np.random.uniform(0.0, 4.0) < x,
    "numpy.random.randint": lambda x: np.random.randint(4) == x,
    "numpy.random.RandomState": lambda x: np.random.RandomState().random_sample() < 0.25,
    "a RandomState of the module": lambda x: OWN_STATE.random_sample() < 0.25,
    "numpy.random.default_rng": lambda x: np.random.default_rng().random() < 0.25,
    "default_rng by name": lambda x: default_rng().integers(4) == x,
    "a Generator of the module": lambda x: OWN.random() < 0.25,
}


def test_a_function_that_takes_more_than_it_is_given_is_routed_too() -> None:
    @dpcert.redirect()
    def rest(x: int, *more: int, by: int = 4, **others: int) -> bool:
        return random.randrange(by) == x and not more

    assert enumerate_law(rest, 1).law.prob(True) == Fraction(1, 4)
    found = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours="any")(rest)
    assert (found.takes, found.law(1).prob(True)) == ("coins", Fraction(1, 4))


REFUSED: dict[str, Callable[[Any], Any]] = {
    "random.seed": lambda x: random.seed(3),
    "random.getstate": lambda x: random.getstate(),
    "numpy.random.seed": lambda x: np.random.seed(3),
    "numpy.random.normal": lambda x: np.random.normal(),
    "numpy.random.Generator.normal": lambda x: OWN.normal(),
    "random.Random with a seed": lambda x: random.Random(5).random(),
    "Random.random": lambda x: random.Random.random(random.SystemRandom()),  # which is 0.0 always
    "SystemRandom.getrandbits": lambda x: random.SystemRandom.getrandbits(random.Random(), 2),
    "numpy.random.default_rng with a seed": lambda x: default_rng(seed=5).random(),
    "numpy.random.PCG64()": lambda x: np.random.PCG64(),
}


REASONS = {
    "numpy.random.normal": "normal is no inverse transform of uniform draws",
    "numpy.random.Generator.normal": "normal is no inverse transform of uniform draws",
    "random.getstate": "getstate of a Random is not followed",
    "numpy.random.PCG64()": "PCG64 is not followed",
    "Random.random": "a method of a generator is called on something else",
    "SystemRandom.getrandbits": "a method of a generator is called on something else",
}


@pytest.mark.points(6)
@pytest.mark.parametrize("name", ROUTED)
def test_exact_law_of_routed_code(name: str) -> None:
    before = random.getstate(), np.random.get_state(legacy=False)["state"]["pos"]
    function = ROUTED[name]
    assert enumerate_law(dpcert.redirect(lambda x: bool(function(x))), 1).law == QUARTER
    assert (random.getstate(), np.random.get_state(legacy=False)["state"]["pos"]) == before


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_routed_is_refused_by_name(name: str) -> None:
    with pytest.raises(Unauditable) as caught:
        enumerate_law(dpcert.redirect(REFUSED[name]), 1)
    assert REASONS.get(name, "seeded draws what its seed says") in str(caught.value)


def test_code_that_is_not_routed_is_refused_as_ever() -> None:
    with pytest.raises(Unauditable, match="hidden randomness: the program uses random"):
        enumerate_law(lambda x, coins: random.random() < 0.25, 1)


def test_names_mean_what_they_meant_after_a_run_and_after_an_error() -> None:
    originals = random.random, os.urandom, np.random.laplace, random.Random, OWN

    @dpcert.redirect()
    def fails(x: int) -> int:
        random.random()
        raise KeyError(x)

    assert enumerate_law(fails, 1).law.tail == 0
    assert (random.random, os.urandom, np.random.laplace, random.Random, OWN) == originals
    assert isinstance(OWN_RANDOM, random.Random)


def test_a_parameter_named_rng_gets_a_generator_on_the_coins() -> None:
    @dpcert.redirect
    def release(x: int, rng: Any, *, scale: float = 4.0) -> bool:
        return bool(rng.uniform(0.0, scale) < x)

    assert enumerate_law(release, 1).law == QUARTER
    assert enumerate_law(at(release, {"scale": 2.0}), 1).law == Dist.bernoulli("1/2")


def test_a_target_of_redirected_code_samples_and_has_a_law() -> None:
    @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    @dpcert.redirect()
    def respond(bit: int) -> int:
        return bit if random.random() < 0.75 else 1 - bit

    assert respond.takes == "coins"
    assert respond.sample(1) in (0, 1)
    assert respond.law(1).prob(1) == Fraction(3, 4)
    assert dpcert.audit(respond).verdict == "verified"


@pytest.mark.parametrize("what", [3, "f", int])
def test_refused_input_that_is_no_function(what: object) -> None:
    with pytest.raises(InputError, match="a function"):
        dpcert.redirect(what)
