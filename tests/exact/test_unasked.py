"""Evidence for unasked.py: methods in C of numbers, which take an undecided draw for no number and raise nothing.

Each program of `SILENT` is, at every value but one, as if code in C had not been asked; no replay has that value.
"""

import functools
import json
import operator
import sys
from collections.abc import Callable
from itertools import repeat
from typing import Any

import pytest

from dpcert import Coins, Dist
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.reading.paths import unasked
from dpcert.reading.paths.enumerator import enumerate_law

from .tricks import Refusal, Twin

RARE, MANY = 321, 1000
OPERATOR = ["eq"]
EQUALS = int.__eq__
BOUND = (RARE).__eq__
TABLE = {"eq": [int.__eq__]}
GETTER = operator.attrgetter("real.__eq__")
BY_NAME = "is called by name, which in C takes an undecided draw for no number; write the operator"
NUMBER = "OSError is given a number, and its class depends on it; write int(...) around the draw"


class Number(int):
    """A number with a method in C under another name."""

    same = int.__eq__


NUMBERED = Number(RARE)


class Above(int):
    """A number that asks for a method of its base."""

    def same(self, other: Any) -> Any:
        return super().__eq__(other)


class Asked:
    """What has a property that fails on an undecided draw."""

    def __init__(self, u: Any) -> None:
        self.u = u

    @property
    def index(self) -> int:
        return int.__index__(self.u)


def made(equals: Any) -> Callable[[Any], object]:
    return lambda u: equals(RARE, u) is True


OF_THE_OPERATOR, OF_THE_METHOD = made(operator.eq), made(int.__eq__)


def by_default(u: Any, equals: Any = int.__eq__) -> object:
    return equals(RARE, u) is True


def of_a_family(u: Any) -> object:
    try:
        raise OSError(u, "text")
    except PermissionError:
        return True
    except OSError:
        return False


SILENT: dict[str, tuple[Callable[[Any], object], str]] = {
    "getattr": (lambda u: getattr(RARE, f"__{OPERATOR[0]}__")(u) is True, BY_NAME),
    "getattr of a class": (lambda u: getattr(int, f"__{OPERATOR[0]}__")(RARE, u) is True, BY_NAME),
    "getattr of a draw": (lambda u: getattr(u, f"__{OPERATOR[0]}__")(0.5) is not True and u == RARE, BY_NAME),
    "a name of dir": (lambda u: getattr(RARE, min(each for each in dir(int) if each[2:4] == "eq"))(u) is True, BY_NAME),
    "methodcaller": (lambda u: operator.methodcaller(f"__{OPERATOR[0]}__", u)(RARE) is True, BY_NAME),
    "attrgetter": (lambda u: operator.attrgetter("__" + OPERATOR[0] + "__")(RARE)(u) is True, BY_NAME),
    "a dotted name": (lambda u: operator.attrgetter("real.__eq__")(RARE)(u) is True, BY_NAME),
    "a held attrgetter": (lambda u: GETTER(RARE)(u) is True, BY_NAME),
    "vars": (lambda u: vars(int)[f"__{OPERATOR[0]}__"](RARE, u) is True, BY_NAME),
    "a dict": (lambda u: int.__dict__[f"__{OPERATOR[0]}__"](RARE, u) is True, BY_NAME),
    "past getattr": (lambda u: int.__getattribute__(RARE, f"__{OPERATOR[0]}__")(u) is True, BY_NAME),
    "a method of the base": (lambda u: Above(RARE).same(u) is True, BY_NAME),
    "a global": (lambda u: EQUALS(RARE, u) is True, BY_NAME),
    "a bound method": (lambda u: BOUND(u) is True, BY_NAME),
    "a table": (lambda u: TABLE[OPERATOR[0]][0](RARE, u) is True, BY_NAME),
    "a default": (by_default, BY_NAME),
    "a partial": (functools.partial(lambda equals, u: equals(RARE, u) is True, int.__eq__), BY_NAME),
    "a class": (lambda u: NUMBERED.same(u) is True, BY_NAME),
    "a closure": (lambda u: bool(OF_THE_OPERATOR(u)) or OF_THE_METHOD(u), BY_NAME),
    "map": (lambda u: next(map(EQUALS, repeat(RARE), [u])) is True, BY_NAME),
    "an error's class": (lambda u: isinstance(OSError(u, "text"), PermissionError), NUMBER),
    "an error's handler": (of_a_family, NUMBER),
}


@pytest.mark.parametrize("name", SILENT)
def test_refused_method_in_c_of_an_undecided_draw(refusal: Refusal, name: str) -> None:
    holds, words = SILENT[name]
    refusal(lambda _, coins: bool(holds(coins.below(MANY))), "test_unasked.py:", words)


@pytest.mark.parametrize("name", ["getattr", "a global", "a table", "an error's handler"])
def test_without_the_watch_such_a_law_is_false(name: str) -> None:
    holds, _ = SILENT[name]
    assert exact_law(lambda _, coins: bool(holds(coins.below(MANY))), None).law == Dist.uniform(1).map(lambda _: False)


def test_refused_count_of_turns_that_a_computed_name_tells() -> None:
    def program(_: object, coins: Coins) -> int:
        turns = 0
        while coins.below(2):
            turns += 1
        return -1 if getattr(5000, f"__{OPERATOR[0]}__")(turns) is True else turns

    assert enumerate_law(program, None, sums=True).ends is None


def test_refused_tracer_that_is_stopped(refusal: Refusal) -> None:
    def program(_: object, coins: Coins) -> bool:
        u = coins.below(MANY)
        sys.settrace(None)
        try:
            return int.__eq__(RARE, u) is True
        except TypeError:
            return False

    refusal(program, "a tracer was set or stopped while the program ran")


FAR_DOWN: list[Any] = [[] for _ in range(30)] + [[int.__eq__]]


def far_down(_: object, coins: Coins) -> bool:
    u = coins.below(MANY)
    try:
        return FAR_DOWN[len(FAR_DOWN) - 1][0](RARE, u) is True
    except TypeError:
        return False


def test_more_objects_than_are_searched_are_refused(refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal(far_down, "int.__eq__ is called by name")
    monkeypatch.setattr(unasked, "MOST_HELD", 20)
    refusal(far_down, "one of the more than 20 objects that its names reach is called by name")


def test_a_constant_that_is_returned_is_a_name() -> None:
    """It is returned by one instruction from Python 3.12 on."""
    assert unasked.names_method((lambda: "int.__eq__").__code__) == "__eq__"


def to_json(_: object, coins: Coins) -> bool:
    return json.dumps([coins.below(MANY), coins.below(1) / 2], default=lambda each: 0) == f"[{RARE}, 0.0]"


def computed_of_plain_numbers(_: object, coins: Coins) -> int:
    u = int(coins.below(9))
    return int(getattr(u, f"__{OPERATOR[0]}__")(5)) + coins.below(2)


def sorted_by_attributes(_: object, coins: Coins) -> list[Any]:
    rows = sorted((3, 1, 2), key=operator.attrgetter("real"))
    return [*rows, operator.methodcaller("bit_length")(coins.below(4))]


def shown(_: object, coins: Coins) -> object:
    return {name: int(part) for name, part in vars(Asked(coins.below(3))).items()}, len(Asked(1).__dict__)


def asked_for(_: object, coins: Coins) -> int:
    return int(getattr(Asked(coins.below(3)), "u", 9)) + hasattr(coins, "nothing")


def in_a_handler(n: object, coins: Coins) -> int:
    try:
        raise ValueError(n)
    except ValueError:
        kept = sum(coins.below(2) for _ in range(9)) % 2
    try:
        raise KeyError
    except KeyError as error:
        while kept and coins.below(2):
            kept -= 1
        return kept + len(error.args)


@pytest.mark.parametrize(
    "program",
    [to_json, computed_of_plain_numbers, sorted_by_attributes, shown, asked_for],
    ids=lambda each: each.__name__,
)
def test_exact_twin_of_a_program_that_computes_names(twin: Twin, program: Callable[..., Any]) -> None:
    twin(program)


def test_an_error_that_the_reader_raises_again_is_none_of_a_draw() -> None:
    found = enumerate_law(in_a_handler, None)
    assert found.law == exact_law(in_a_handler, None).law
    assert "states" in found.sources
