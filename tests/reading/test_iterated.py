"""Iterators as outcomes are told apart by type and items, which is an assumption of what is verified."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.iterated import LOOKED_AT, MOST

CLAIM: dict[str, Any] = {"inputs": [0, 1], "neighbours": "any"}


def noisy(bit: int, coins: dpcert.Coins) -> int:
    return bit if coins.below(4) else 1 - bit


def generated(bit: int, coins: dpcert.Coins) -> Any:
    return (noisy(bit, coins) for _ in range(1))


def audited(program: Callable[[int, dpcert.Coins], Any], epsilon: str = "ln(3)") -> dpcert.Audit:
    return dpcert.audit(dpcert.target(guarantee=dpcert.PureDP(epsilon), **CLAIM)(program))


@pytest.mark.parametrize(
    "program",
    [
        lambda bit, coins: zip([noisy(bit, coins)], strict=True),
        lambda bit, coins: map(str, [noisy(bit, coins)]),
        lambda bit, coins: filter(None, [noisy(bit, coins)]),
        lambda bit, coins: enumerate([noisy(bit, coins)]),
        lambda bit, coins: iter([noisy(bit, coins)]),
        generated,
    ],
)
def test_items_decide_under_an_assumption(program: Callable[[int, dpcert.Coins], Any]) -> None:
    assert audited(program, "ln(2)").verdict == "refuted"
    found = audited(program)
    assert (found.verdict, found.assumptions[1:]) == ("verified", (LOOKED_AT,))


def test_the_assumption_stands_where_draws_are_observed() -> None:
    target = dpcert.target(guarantee=dpcert.PureDP("ln(3)"), **CLAIM)(generated)
    found = dpcert.audit(target, options=dpcert.Options(observes="outcome and draws"))
    assert (found.verdict, LOOKED_AT in found.assumptions) == ("verified", True)


def test_caught_a_type_that_tells_the_input() -> None:
    found = audited(lambda bit, coins: [zip, list][bit]([(noisy(0, coins),)]))
    assert (found.verdict, found.witness.q if found.witness else "") == ("refuted", "0/1")


def test_caught_a_type_without_coins() -> None:
    assert audited(lambda bit, coins: [zip, list][bit]([(1,)])).verdict == "refuted"


def test_a_type_that_tells_the_input_is_seen_in_samples() -> None:
    target = dpcert.target(guarantee=dpcert.PureDP(1), **CLAIM)(lambda bit: [map, filter][bit](bool, [True]))
    assert dpcert.audit(target, method="samples", options=dpcert.Options(samples=2000)).verdict == "refuted"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda bit, coins: map(int, count()), f"a map of more than {MOST:,} items"),
        (
            lambda bit, coins: (1 // (1 - i) for i in range(2)),
            "a generator that raises ZeroDivisionError after 1 items",
        ),
        (lambda bit, coins: (zip([bit]),), "type zip is not in the registry of outcomes"),
    ],
)
def test_what_gives_no_items_is_undecided_by_name(program: Callable[[int, dpcert.Coins], Any], words: str) -> None:
    assert words in str(audited(program).reason)
