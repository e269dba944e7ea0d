"""`dpcert.interactive`: the claim about all sequences of queries is that about every analyst who adapts."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import dpcert
from dpcert import Coins, Refuted
from dpcert.audit.measure import greatest_ratio

ANSWERS = (0, 1)
Strategy = Callable[[tuple[Any, ...]], str]


class Sharpening:
    """Answers more truly once the answer was 1, and what `count` says depends on what was asked before."""

    def __init__(self, bit: int, coins: Coins) -> None:
        self.bit, self.coins, self.sides = bit, coins, 3

    def answer(self) -> int:
        found = self.bit if self.coins.below(self.sides) else 1 - self.bit
        self.sides += found
        return found

    def blunt(self) -> int:
        self.sides -= self.sides > 2
        return self.coins.below(2)


class Telling:
    """Tells of the input by the text of an exception alone."""

    def __init__(self, bit: int, coins: Coins) -> None:
        self.bit = bit

    def answer(self) -> None:
        raise ValueError(f"bit {self.bit}")


class Sulking:
    """Refuses once, and then tells the input."""

    def __init__(self, bit: int, coins: Coins) -> None:
        self.bit, self.asked = bit, False

    def answer(self) -> int:
        if self.asked:
            return self.bit
        self.asked = True
        raise PermissionError("not yet")


class OfGenerator:
    """Draws from a generator that it keeps."""

    def __init__(self, bit: int, rng: random.Random) -> None:
        self.bit, self.rng = bit, rng

    def answer(self) -> int:
        return self.bit ^ (self.rng.randrange(4) == 0)


def claim(ratio: str, depth: int, **rest: Any) -> Callable[..., Any]:
    more = {"queries": ["answer", "blunt"], "inputs": [0, 1], "neighbours": "any", **rest}
    return dpcert.interactive(depth=depth, guarantee=dpcert.PureDP(f"ln({ratio})"), **more)


def strategies(depth: int) -> Iterator[Strategy]:
    """Yield every way of choosing each query by the answers until then."""
    seen = [answers for size in range(depth) for answers in product(ANSWERS, repeat=size)]
    for chosen in product(["answer", "blunt"], repeat=len(seen)):
        yield dict(zip(seen, chosen, strict=True)).__getitem__


def worst(depth: int) -> Fraction:
    """Return the greatest ratio of a transcript over all strategies, by playing each."""

    def law(strategy: Strategy, bit: int) -> dpcert.Dist:
        def play(value: int, coins: Coins) -> tuple[int, ...]:
            asked, answers = Sharpening(value, coins), ()
            for _ in range(depth):
                answers = (*answers, getattr(asked, strategy(answers))())
            return answers

        guarantee, inputs = dpcert.PureDP(0), [0, 1]
        return dpcert.target(guarantee=guarantee, inputs=inputs, neighbours="any")(play).law(bit)

    found = Fraction(1)
    for strategy in strategies(depth):
        laws = [law(strategy, bit) for bit in (0, 1)]
        for p, q in (laws, laws[::-1]):
            ratio, _ = greatest_ratio(p, q)
            assert ratio is not None
            found = max(found, ratio)
    return found


@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_exact_twin_the_least_epsilon_is_that_of_all_strategies(depth: int) -> None:
    ratio = worst(depth)
    assert dpcert.audit(claim(f"{ratio}", depth)(Sharpening)).verdict == "verified"
    found = dpcert.audit(claim(f"{ratio - Fraction(1, 10**9)}", depth)(Sharpening)).seen.verdict
    assert isinstance(found, Refuted)
    assert found.a[1] == found.b[1]
    assert len(found.a[1]) == depth


def test_caught_an_exception_that_tells() -> None:
    found = dpcert.audit(claim("2", 1, queries=["answer"])(Telling)).seen.verdict
    assert isinstance(found, Refuted)
    assert found.event in [((("raised", "ValueError", f"bit {bit}"),),) for bit in (0, 1)]


def test_caught_an_object_that_tells_after_it_refused() -> None:
    assert dpcert.audit(claim("2", 1, queries=["answer"])(Sulking)).verdict == "verified"
    assert dpcert.audit(claim("2", 2, queries=["answer"])(Sulking)).verdict == "refuted"


def test_a_missing_method_is_an_answer_for_all_inputs() -> None:
    assert dpcert.audit(claim("1", 2, queries=["nothing"])(Sharpening)).verdict == "verified"


def test_an_object_may_take_a_generator() -> None:
    assert dpcert.audit(claim("9", 2, queries=["answer"])(OfGenerator)).verdict == "verified"
    assert dpcert.audit(claim("8", 2, queries=["answer"])(OfGenerator)).verdict == "refuted"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"guarantee": dpcert.ApproxDP("1", "1e-6")}, "a PureDP: with a delta it matters"),
        ({"queries": []}, "one at least"),
        ({"depth": 0}, "one at least"),
        ({"depth": 20, "queries": ["one", "two"]}, "at most 20,000"),
        ({"queries": [3]}, "the name of a method"),
        ({"queries": ["not a name"]}, "the name of a method"),
    ],
)
def test_bad_input_is_one_line(changed: dict[str, Any], said: str) -> None:
    given = {"queries": ["answer"], "depth": 2, "guarantee": dpcert.PureDP(1), "inputs": [0, 1], "neighbours": "any"}
    with pytest.raises(dpcert.InputError) as error:
        dpcert.interactive(**{**given, **changed})
    assert said in str(error.value)
    assert "\n" not in str(error.value)
