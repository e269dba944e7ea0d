"""Evidence that programs which want a false law are refused: told coins, swallowed signals, hidden state."""

import builtins
import contextlib
import functools
import itertools
import json
import pickle
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Enumeration, Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Lazy

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]
Law = Callable[..., Dist]
Program = Callable[[Any, Coins], Any]

TELLS = "the program can tell lazy coins from real ones"
NO_FUNCTION = "no function of its input and coins"
KEPT = "the program kept a draw from an earlier run"


# -- looking at the coins


def is_lazy(u: Any) -> bool:
    return issubclass(builtins.type(u), Lazy)


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
    "caller": lambda u, coins: "_replay" not in {f.f_code.co_name for f in frames()},
}


def frames() -> Any:
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


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


# -- swallowing what would end the run


def swallow_exceptions(act: Callable[[], object]) -> object:
    try:
        return act()
    except Exception:
        return None


def swallow_everything(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException:
        return None


def swallow_in_finally(act: Callable[[], object]) -> object:
    try:
        try:
            return act()
        finally:
            raise KeyError("instead")
    except KeyError:
        return None


def suppress(act: Callable[[], object]) -> object:
    with contextlib.suppress(BaseException):
        return act()
    return None


def replace(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException as error:
        raise ValueError("mine") from error


def leave(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException:
        sys.exit(0)


def in_a_generator(act: Callable[[], object]) -> object:
    def generator() -> Any:
        with contextlib.suppress(BaseException):
            yield act()

    return next(generator(), None)


SWALLOWS = [
    swallow_exceptions,
    swallow_everything,
    swallow_in_finally,
    suppress,
    replace,
    leave,
    in_a_generator,
]
REFUSED: dict[str, tuple[Callable[[Any, Coins], object], str]] = {
    "pickling a draw": (lambda u, coins: pickle.dumps(u), "pickling an undecided draw cannot be followed"),
    "pickling a float": (lambda u, coins: pickle.dumps(u / 3), "pickling an undecided draw"),
    "pickling coins": (lambda u, coins: pickle.dumps(coins), "coins cannot be copied or pickled"),
    "an attribute": (
        lambda u, coins: setattr(coins, "memory", u),
        "storing 'memory' on the coins is hidden state",
    ),
    "outer coins": (
        lambda u, coins: coins.fold([1], 0, lambda s, i, c: coins.below(2)),
        "must draw from the coins that it is given",
    ),
    "outer fold": (
        lambda u, coins: coins.fold([1], 0, lambda s, i, c: coins.fold([1], 0, lambda s, i, c: 0)),
        "must draw from the coins that it is given",
    ),
}


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


@pytest.mark.parametrize("act", [json.dumps, Decimal, lambda u: int.__add__(u, 1), lambda u: pow(2, u, 5)])
def test_a_swallowed_type_error_is_caught_where_it_matters(
    refusal: Refusal, twin: Twin, act: Callable[[Any], Any]
) -> None:
    def failed(coins: Coins) -> bool:
        try:
            act(coins.below(3))
        except TypeError:
            return True
        return False

    refusal(lambda _, coins: failed(coins), TELLS)
    refusal(lambda _, coins: coins.below(2) == 0 and failed(coins), TELLS)
    twin(lambda _, coins: (failed(coins), coins.below(2))[1])


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


# -- state between runs


def test_refused_hidden_counters(refusal: Refusal) -> None:
    for period in (2, 3, 5):
        counter = itertools.count()

        def program(_: None, coins: Coins, counter: Any = counter, period: int = period) -> bool:
            return coins.below(2) == 0 and next(counter) % period == 0

        refusal(program, NO_FUNCTION)


@pytest.mark.parametrize("ask", [lambda u, n: u < 5 + n, lambda u, n: n == 0 and u < 5])
@pytest.mark.parametrize("replay", [False, True])
def test_refused_counter_that_asks_other_questions(
    refusal: Refusal, ask: Callable[[Any, int], bool], replay: bool
) -> None:
    counter = itertools.count()

    def program(_: None, coins: Coins) -> int:
        return 7 + 0 * bool(ask(coins.below(10**6), next(counter)))

    refusal(program, "function of its input and coins: run again, it met other decisions", replay=replay)


def test_refused_counter_of_draws(refusal: Refusal) -> None:
    counter = itertools.count()

    def program(_: None, coins: Coins) -> int:
        for _ in range(next(counter)):
            coins.below(2)
        return 0

    refusal(program, "function of its input and coins: run again, it drew")


def test_a_memory_of_the_first_outcome_shows_in_reverse_order() -> None:
    def digest(reverse: bool) -> str:
        memory: list[bool] = []

        def program(_: None, coins: Coins) -> bool:
            memory.append(coins.below(10) < 5)
            return memory[0]

        return enumerate_law(program, None, reverse=reverse).law.digest()

    assert digest(False) != digest(True)


def test_a_memory_of_the_first_input_shows_in_reverse_order() -> None:
    def laws(values: list[int]) -> dict[int, str]:
        memory: list[int] = []

        def program(value: int, coins: Coins) -> int:
            memory.append(value)
            return coins.below(2) + memory[0]

        return {value: enumerate_law(program, value).law.digest() for value in values}

    assert laws([0, 1]) != laws([1, 0])


@pytest.mark.parametrize("swallow", SWALLOWS, ids=lambda swallow: swallow.__name__)
@pytest.mark.parametrize("kind", ["draw", "float", "coins"])
def test_refused_draws_and_coins_kept_from_an_earlier_run(
    refusal: Refusal, swallow: Callable[[Callable[[], object]], object], kind: str
) -> None:
    kept: list[Any] = []

    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**9)
        kept.append({"draw": u, "float": u / 8, "coins": coins}[kind])
        if len(kept) > 1:
            swallow(lambda: kept[0].below(2) if kind == "coins" else kept[0] < 10**6)
        return u < 5

    refusal(program, "" if swallow is leave else KEPT)


def test_refused_draw_kept_from_another_enumeration(refusal: Refusal) -> None:
    kept: list[Any] = []

    def program(_: None, coins: Coins) -> bool:
        return kept[0] < 5

    with pytest.raises(Unauditable):
        enumerate_law(lambda _, coins: kept.append(coins.below(10**9)) or object(), 0)
    refusal(program, KEPT)


def test_refused_state_in_a_mutable_default(refusal: Refusal) -> None:
    shared: list[int] = []

    def program(_: None, coins: Coins, seen: list[int] = shared) -> int:
        seen.append(1)
        return len(seen) + coins.below(2)

    refusal(program, NO_FUNCTION)


def test_refused_state_on_the_function_itself(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> bool:
        first = not hasattr(program, "ran")
        vars(program)["ran"] = True
        return first and coins.below(2) == 0

    refusal(program, NO_FUNCTION)


def test_a_cache_of_a_pure_function_is_allowed(twin: Twin) -> None:
    @functools.lru_cache
    def square(n: int) -> int:
        return n * n

    twin(lambda _, coins: square(coins.below(4)) + square(coins.below(3)))


def test_refused_address_of_an_object(refusal: Refusal) -> None:
    keep: list[object] = []

    def program(_: None, coins: Coins) -> int:
        keep.append(object())
        return id(keep[-1]) + coins.below(2)

    refusal(program, NO_FUNCTION)


# -- wrong numbers


def test_a_changed_draw_never_makes_a_whole_law(law: Law) -> None:
    def program(coins: Coins) -> bool:
        u = coins.below(4)
        if is_lazy(u):
            vars_of(u).lo = 2
        return u < 2

    assert law(program).tail == Fraction(1, 2)


def vars_of(u: Any) -> Any:
    return object.__getattribute__(u, "_node")


def test_never_mass_for_what_was_not_explored() -> None:
    def program(_: None, coins: Coins) -> int:
        try:
            return hash(coins.below(10**30))
        except BaseException:
            return 5

    found = enumerate_law(program, None, limits=Limits(max_runs=10))
    assert (found.law.tail, len(found.law)) == (Fraction(1), 0)
