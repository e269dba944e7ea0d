"""A parameter `rng` without an annotation is the generator whose methods the code takes, and the verdict says so."""

import random
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from dpcert.targets.taken import COINS, ONLY_RANDOM, RANDOM, RNG, asked_of, taken

LIBRARY = """
def flip(bit, epsilon, rng):
    return rng.choices([bit, 1 - bit], weights=[3, 1])[0]


def draw(bit, rng):
    return bit if rng.integers(4) else 1 - bit


class Answerer:
    def __init__(self, rng):
        self._rng = rng

    def ask(self, bit):
        return bit if self._rng.randrange(4) else 1 - bit
"""
CHECKS = """
    import library

    claim = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**claim)
    def wrapped(bit, rng):
        return library.flip(bit, 1, rng)

    @target(**claim)
    def of_numpy(bit, rng):
        return library.draw(bit, rng)

    @target(**claim)
    def held(bit, rng):
        return library.Answerer(rng).ask(bit)

    @target(**claim)
    def later(bit, rng):
        return answer(bit, rng)

    def answer(bit, rng):
        return bit if rng.getrandbits(2) else 1 - bit

    @target(**claim)
    def another_name(bit, source):
        return bit if source.integers(4) else 1 - bit
"""


def test_the_names_are_those_of_random_that_numpy_has_not() -> None:
    of_numpy = {*dir(numpy.random.Generator), *dir(numpy.random.RandomState)}
    own = {name for name in dir(random.Random) if name[0] != "_"} - of_numpy
    assert (own - {"VERSION", "getstate", "setstate"}) | {"binomialvariate"} == ONLY_RANDOM  # of 3.12 on


@pytest.mark.usefixtures("workers_inside")
def test_real_code_is_wrapped_and_the_verdict_says_which_generator_it_got(inside: Any, write: Any) -> None:
    write("library.py", LIBRARY, head="")
    path = write("checks.py", CHECKS)
    results = {name: inside("audit", f"{path}:{name}", "--json").document["results"][0] for name in WHERE}
    assert {result["verdict"] for result in results.values()} == {"verified"}
    for name, where in WHERE.items():
        said = [text for text in results[name]["assumptions"] if " asks for one" in text]
        assert said == ([f"{where} asks for one; an annotation says so for certain"] if where else [])


WHERE = {
    "wrapped": "rng is a random.Random, as .choices (library.py, line 3)",
    "of_numpy": None,
    "held": "rng is a random.Random, as .randrange (library.py, line 15)",
    "later": "rng is a random.Random, as .getrandbits (checks.py, line 26)",
    "another_name": "source is a numpy Generator, as .integers (checks.py, line 30)",
}


def both(bit: int, rng: Any) -> int:
    return int(rng.choices([0, 1])[0] + rng.integers(2))


def of_a_frame(frame: Any, rng: Any) -> Any:
    return frame.sample(3), rng.random()


def of_a_module(bit: int, rng: Any) -> Any:
    return numpy.random.randint(3), rng.random()


def closing() -> Callable[..., Any]:
    def helper(rng: Any) -> float:
        return float(rng.gauss(0, 1))

    return lambda value, rng: value + helper(rng)


def of_old_numpy(bit: int, rng: Any) -> Any:
    return rng.randint(2)


@pytest.mark.parametrize("function", [both, of_a_frame, of_a_module, of_old_numpy])
def test_code_that_asks_for_more_or_for_none_gets_a_generator_of_numpy(function: Any) -> None:
    assert asked_of(function, "rng") is None
    function.__annotations__.pop("rng", None)
    assert taken(function) == RNG


OTHERS: dict[str, Callable[..., Any]] = {
    RNG: lambda bit, gen: bit + gen.laplace() + gen.random(),
    RANDOM: lambda bit, gen: bit + gen.gauss(0, 1),
    COINS: lambda bit, gen: bit + gen.below(2) + gen.laplace(),
}


@pytest.mark.parametrize("takes", OTHERS)
def test_under_another_name_the_methods_alone_decide(takes: str) -> None:
    assert taken(OTHERS[takes]) == takes
    assert taken(lambda bit, source: bit + source.gauss(0, 1)) == COINS  # which have it, as random.Random has


def test_what_a_function_closes_over_is_read_and_an_annotation_decides() -> None:
    function = closing()
    assert taken(function) == RANDOM
    function.__annotations__["rng"] = numpy.random.Generator
    assert taken(function) == RNG
