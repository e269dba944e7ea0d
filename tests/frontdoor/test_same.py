"""`dpcert same` and `dpcert.same`: verified exactly where two programs have one law on each input."""

import random
import secrets
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pytest

import dpcert
from dpcert import Coins, Refuted, Undecided

PROGRAMS = """
    def halves(n, coins):
        return coins.below(2 * n) // 2

    def whole(n, coins):
        return coins.below(n)

    def as_float(n, coins):
        return float(coins.below(n))

    def one_more(n, coins):
        return coins.below(n + 1)

    def drawn(n, rng):
        return int(rng.integers(n))

    LIMIT = 3

    @target(guarantee=PureDP(1), inputs=[1, 2], neighbours="any")
    def claimed(n, coins):
        return coins.below(n)

    @target(guarantee=PureDP(1), inputs=[1, 2], neighbours="any", params={"k": [1]})
    def with_params(n, coins, k):
        return coins.below(n)
"""


def below(n: int, coins: Coins) -> int:
    return coins.below(n)


def leaning(n: int, coins: Coins) -> int:
    return coins.below(10**9 * n + 1) % n


def numbers(n: int, coins: Coins) -> int:
    return n * n


def squares(n: int, coins: Coins) -> int:
    return sum(range(1, 2 * n, 2))


def alone(n: int) -> int:
    return n * n


@pytest.fixture
def same(inside: Callable[..., Any], workers_inside: None, write: Callable[..., Path]) -> Callable[..., Any]:
    path = write("programs.py", PROGRAMS)

    def run(first: str, second: str, *options: str) -> Any:
        other = second if second == "randomized-response" else f"{path}:{second}"
        return inside("same", f"{path}:{first}", other, *options)

    return run


@pytest.mark.points(9)
@pytest.mark.parametrize(("first", "second"), [*product(["halves", "whole", "one_more", "as_float"], repeat=2)])
def test_verified_exactly_where_the_laws_are_one(same: Any, first: str, second: str) -> None:
    done = same(first, second, "--inputs", "[1, 2]", "--json")
    equal = first == second or {first, second} == {"halves", "whole"}
    (result,) = done.document["results"]
    assert (done.status, result["verdict"]) == ((0, "verified") if equal else (1, "refuted"))
    assert "one law on each input" in result["claim"]["sentence"]
    if not equal:
        assert result["worst"]["event_size"] == 1
        assert result["worst"]["a"]["tuple"][1] == result["worst"]["b"]["tuple"][1]


def test_inputs_of_a_target_are_taken_and_a_mechanism_is_named(same: Any) -> None:
    assert same("halves", "claimed").status == 0
    assert same("one_more", "claimed").status == 1
    done = same("one_more", "randomized-response")
    assert done.status == 1
    assert "randomized-response" in done.out


def test_delta_is_the_total_variation(same: Any) -> None:
    assert same("whole", "one_more", "--inputs", "[1]", "--delta", "1/2").status == 0
    assert same("whole", "one_more", "--inputs", "[1]", "--delta", "0.499").status == 1


@pytest.mark.parametrize(
    ("first", "second", "options", "said"),
    [
        ("halves", "whole", (), "inputs to compare on"),
        ("halves", "hole", ("--inputs", "[1]"), "did you mean 'whole'"),
        ("halves", "drawn", ("--inputs", "[1]"), "two programs that draw from the same"),
        ("halves", "LIMIT", ("--inputs", "[1]"), "a function, a target or a Dist"),
        ("halves", "with_params", ("--inputs", "[1]"), "wrap it in one that gives the parameters"),
        ("halves", "whole", ("--inputs", "3"), "a JSON list of inputs"),
        ("halves", "whole", ("--inputs", "[1"), "needed: JSON"),
    ],
)
def test_bad_input_is_one_line(same: Any, first: str, second: str, options: tuple[str, ...], said: str) -> None:
    assert said in same(first, second, *options).refusal()


def test_bad_names_are_one_line(inside: Any, write: Any) -> None:
    path = write("programs.py", PROGRAMS)
    assert "FILE.py:function" in inside("same", str(path), f"{path}:whole").refusal()
    assert "FILE.py:function" in inside("same", f"{path}:whole", str(path)).refusal()


def of_random(n: int, rng: random.Random) -> int:
    return rng.randrange(n)


def of_numpy(n: int, rng: numpy.random.Generator) -> int:
    return int(rng.integers(n))


def of_the_system(n: int) -> int:
    return secrets.randbelow(n)


@pytest.mark.parametrize("sampler", [below, of_random, of_numpy, of_the_system])
def test_a_law_is_compared_with_a_sampler_whatever_that_draws_from(sampler: Any) -> None:
    law = dpcert.Dist.of({0: "1/2", 1: "1/2"})
    assert dpcert.audit(dpcert.same(sampler, law, inputs=[2])).verdict == "verified"
    found = dpcert.audit(dpcert.same(sampler, dpcert.Dist.of({0: "1/2", 1: "1/4", 2: "1/4"}), inputs=[2])).seen.verdict
    assert isinstance(found, Refuted)
    assert found.p_lo - found.q_hi == Fraction(1, 4)
    with pytest.raises(dpcert.InputError, match="a Dist of mass 1"):
        dpcert.same(below, dpcert.Dist.of({0: "1/2"}, tail="1/2"), inputs=[2])


def test_a_difference_of_one_in_many_is_seen() -> None:
    assert dpcert.audit(dpcert.same(below, leaning, inputs=[3])).verdict == "refuted"
    assert dpcert.audit(dpcert.same(below, leaning, inputs=[1])).verdict == "verified"


def test_functions_that_draw_nothing_are_compared() -> None:
    assert dpcert.audit(dpcert.same(numbers, squares, inputs=[0, 1, 5])).verdict == "verified"
    assert dpcert.audit(dpcert.same(numbers, squares, inputs=[-2])).verdict == "refuted"
    with pytest.raises(dpcert.InputError, match="two programs that draw from the same"):
        dpcert.same(numbers, alone, inputs=[0])
    found = dpcert.audit(dpcert.same(alone, alone, inputs=[0])).seen.verdict
    assert isinstance(found, Undecided)  # it may draw where nothing sees it
    with pytest.raises(dpcert.InputError, match="a finite collection of inputs"):
        dpcert.same(numbers, squares, inputs="012")
