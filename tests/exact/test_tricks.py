"""Evidence that programs which want a false law are refused: told coins, swallowed signals."""

import builtins
import contextlib
import json
import pickle
import sys
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest

from dpcert.mechanisms.exact.coins import Coins

from .tricks import SWALLOWS, Refusal, is_lazy

TELLS = "the program can tell lazy coins from real ones"

LOOKS: dict[str, Callable[[Any, Coins], bool]] = {
    "type is int": lambda u, coins: builtins.type(u) is not int,
    "name of the type": lambda u, coins: builtins.type(u).__name__ != "int",
    "subclass": lambda u, coins: not issubclass(builtins.type(u), int),
    "class of a lazy number": lambda u, coins: is_lazy(u),
    "two classes": lambda u, coins: u.__class__ is not builtins.type(u),
    "private attribute": lambda u, coins: hasattr(u, "_node"),
    "size": lambda u, coins: sys.getsizeof(u) != sys.getsizeof(1),
    "attributes": lambda u, coins: "_node" in dir(builtins.type(u)),
    "source of the coins": lambda u, coins: type(vars(coins)["_source"]).__name__ != "Recorded",
    "profile hook": lambda u, coins: sys.getprofile() is None,
    "caller": lambda u, coins: "replay" not in {f.f_code.co_name for f in frames()},
}


def frames() -> Any:
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


@pytest.mark.points(12)
@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("use", ["outcome", "type", "draws more", "draws fewer", "draws others", "raises"])
def test_refused_look_at_the_coins(refusal: Refusal, name: str, use: str) -> None:
    look = LOOKS[name]

    def program(_: None, coins: Coins) -> Any:
        u = coins.below(10**6)
        seen = look(u, coins)
        match use:
            case "outcome":
                return u < 5 or seen
            case "type":
                return 1 if seen else True
            case "draws more":
                return 0 if seen else coins.below(2) * 0
            case "draws fewer":
                return coins.below(2) * 0 if seen else 0
            case "draws others":
                return coins.below(2 if seen else 3) * 0
        if seen:
            raise ValueError
        return None

    refusal(program)


def test_refused_look_on_one_path_only(refusal: Refusal) -> None:
    refusal(lambda _, coins: builtins.type(u) is int if (u := coins.below(10**6)) == 77 else u < 3, TELLS)


@pytest.mark.parametrize("place", [0, 10**6 - 1], ids=["least", "greatest"])
def test_refused_look_at_the_ends_of_a_draw_only(refusal: Refusal, place: int) -> None:
    refusal(lambda _, coins: not is_lazy(u := coins.below(10**6)) and u == place, TELLS)
    refusal(lambda _, coins: not is_lazy(x := coins.below(10**6) / 8) and x == place / 8, TELLS)


def test_refused_draw_of_other_coins_that_is_swallowed(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**6)
        if not is_lazy(u):
            with contextlib.suppress(Exception):
                coins.below(7)
        return u < 5

    refusal(program, "function of its input and coins: run again, it drew other coins")


REFUSED: dict[str, tuple[Callable[[Any, Coins], object], str]] = {
    "pickling a draw": (lambda u, coins: pickle.dumps(u), "pickling an undecided draw cannot be followed"),
    "pickling a float": (lambda u, coins: pickle.dumps(u / 3), "pickling an undecided draw"),
    "pickling coins": (lambda u, coins: pickle.dumps(coins), "coins cannot be copied or pickled"),
    "an attribute": (lambda u, coins: setattr(coins, "memory", u), "storing 'memory' on the coins is hidden state"),
    "outer coins": (
        lambda u, coins: coins.fold([1], 0, lambda s, i, c: coins.below(2)),
        "must draw from the coins that it is given",
    ),
    "outer fold": (
        lambda u, coins: coins.fold([1], 0, lambda s, i, c: coins.fold([1], 0, lambda s, i, c: 0)),
        "must draw from the coins that it is given",
    ),
}


@pytest.mark.points(6)
@pytest.mark.parametrize("swallow", SWALLOWS, ids=lambda swallow: swallow.__name__)
@pytest.mark.parametrize("name", REFUSED)
def test_refused_operation_whose_signal_is_swallowed(
    refusal: Refusal, name: str, swallow: Callable[[Callable[[], object]], object]
) -> None:
    act, text = REFUSED[name]

    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**9)
        if u == 10**8:
            swallow(lambda: act(u, coins))
        return u < 5

    refusal(program, text)
    refusal(program, text, reverse=True, replay=False)


@pytest.mark.parametrize("swallow", SWALLOWS, ids=lambda swallow: swallow.__name__)
def test_refused_step_that_tells_and_swallows(
    refusal: Refusal, swallow: Callable[[Callable[[], object]], object]
) -> None:
    def program(_: None, coins: Coins) -> bool:
        swallow(lambda: coins.fold([1], 0, lambda s, i, c: builtins.type(c.below(2)) is int))
        return coins.below(2) == 0

    refusal(program, TELLS)


@pytest.mark.parametrize(
    "act", [lambda u: json.dump(u, StringIO()), Decimal, lambda u: int.__add__(u, 1), lambda u: pow(2, u, 5)]
)
def test_refused_type_error_that_is_swallowed(refusal: Refusal, act: Callable[[Any], Any]) -> None:
    def failed(coins: Coins) -> bool:
        try:
            act(coins.below(3))
        except TypeError:
            return True
        return False

    refusal(lambda _, coins: failed(coins), "an undecided draw")
    refusal(lambda _, coins: coins.below(2) == 0 and failed(coins), "an undecided draw")
    refusal(lambda _, coins: (failed(coins), coins.below(2))[1], "an undecided draw")


def test_an_outcome_out_of_finally_does_not_save_a_poisoned_run(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> object:
        kept = []
        try:
            kept.append(pickle.dumps(coins.below(2)))
        except BaseException:
            return coins.below(2) == 0
        finally:
            kept.append(0)
        return kept

    refusal(program, "pickling")
