"""Evidence that a law by paths says what runs leave behind for later ones: a program may count its calls."""

from __future__ import annotations
import __future__

import array
import contextvars
import enum
import functools
import io
import itertools
import logging
import math
import os
import random
import statistics
import string
import sys
import textwrap
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, getcontext
from fractions import Fraction
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import dpcert
from dpcert import PureDP, target
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.choice import LEFT, UNSEEN, Kept
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import routed


@dataclass
class Tally:
    """An object with state, in a field, in a slot of a class, and on the class."""

    calls: int = 0
    rows: list[int] = field(default_factory=list)
    shared: ClassVar[dict[str, None]] = {"": None}


class Slotted(dict[str, int]):
    """A dict with a slot."""

    __slots__ = ("calls",)

    def __init__(self) -> None:
        self.calls = 0


class Pair(NamedTuple):
    """A class whose fields are read by C code."""

    one: int
    other: int


class Colour(enum.Enum):
    """A member can be given attributes."""

    RED = 1


TALLY, SLOTTED, HIDDEN = Tally(), Slotted(), [0]
LIST: list[int] = []
SEEN: list[int] = []
DICT: dict[str, None] = {"": None}
TABLE, ORDER, COUNTS = defaultdict[str, int](int), OrderedDict.fromkeys("ab"), Counter("a")
QUEUE, SPACE, TURNED = deque([1]), SimpleNamespace(calls=0), deque([1, 2])
BYTES, TYPED, TEXT, VECTOR = bytearray(), array.array("i"), io.StringIO(), np.zeros(2)
NESTED: Any = ({"deep": [set()]},)
TICKS, EVENLY, CONTEXT = itertools.count(), iter(range(10**6)), contextvars.ContextVar("CONTEXT", default=0)
MORE = functools.partial(next, itertools.count())
RATIO, MEAN = Fraction(1, 2), SimpleNamespace(value=0.5)


def numbers() -> Iterator[int]:
    yield from range(10**6)


NUMBERS = numbers()


@functools.cache
def doubled(number: int) -> int:
    return 2 * number


def counted() -> Callable[[], None]:
    calls = 0

    def count() -> None:
        nonlocal calls
        calls += 1

    return count


def rebind() -> None:
    global LIST
    LIST = [*LIST, 1]


def of_default(seen: list[int] = SEEN) -> None:
    seen.append(1)


def renamed() -> None:
    (key,) = DICT
    DICT[f"{key}a"] = DICT.pop(key)


def of_module() -> None:
    import fractions

    fractions.calls = getattr(fractions, "calls", 0) + 1


def of_module_not_loaded() -> None:
    import colorsys

    colorsys.calls = getattr(colorsys, "calls", 0) + 1


def of_metaclass() -> None:
    of_type = type(enum.Enum)
    of_type.calls = getattr(of_type, "calls", 0) + 1


def of_base() -> None:
    base = Fraction.__mro__[1]
    base.calls = getattr(base, "calls", 0) + 1


def of_table() -> None:
    rows = textwrap.TextWrapper.unicode_whitespace_trans
    rows[0] = rows.get(0, 0) + 1


def of_default_in_library() -> None:
    defaults = statistics.quantiles.__kwdefaults__
    defaults["calls"] = defaults.get("calls", 0) + 1


def of_hidden() -> None:
    HIDDEN.append(1)


class Foreign:
    """A class that says it is of this package, and keeps a count in an instance."""

    __module__ = Coins.__module__

    def __init__(self) -> None:
        self.calls = 0


def function_of_no_library() -> Callable[[], None]:
    """A function whose file and module are said to be those of `random`, and whose globals are its own."""
    code = of_hidden.__code__.replace(co_filename=random.__file__)
    return FunctionType(code, {"HIDDEN": [], "__name__": "random"})


@target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any")
def promised(bit: int, coins: Coins) -> int:
    return bit ^ (coins.below(3) == 0)


def of_element(value: int) -> int:
    ELEMENTS.append(value)
    return value


class Ties(ModuleType):
    """A module of a class of its own, which keeps a count in a slot."""

    __slots__ = ("calls",)


ELEMENTS: list[int] = []
OF_NUMPY, TIES = np.frompyfunc(of_element, 1, 1), Ties("ties")
TIES.calls = 0
OURS = dpcert, dpcert.Dist
FOREIGN, NO_LIBRARY = Foreign(), function_of_no_library()
COUNTS_CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "a list": (lambda: SEEN.append(1), "SEEN"),
    "a global": (rebind, "LIST"),
    "an argument's default": (of_default, "the program"),
    "a variable around": (counted(), "the program"),
    "keys of a dict": (renamed, "DICT"),
    "a defaultdict that is asked": (lambda: TABLE[str(len(TABLE))], "TABLE"),
    "an order": (lambda: ORDER.move_to_end(next(iter(ORDER))), "ORDER"),
    "a Counter": (lambda: COUNTS.update("a"), "COUNTS"),
    "a deque": (lambda: QUEUE.append(1), "QUEUE"),
    "a deque that turns": (lambda: TURNED.rotate(1), "TURNED"),
    "a namespace": (lambda: setattr(SPACE, "calls", SPACE.calls + 1), "SPACE"),
    "a set deep inside": (lambda: NESTED[0]["deep"][0].add(len(NESTED[0]["deep"][0])), "NESTED"),
    "a bytearray": (lambda: BYTES.append(1), "BYTES"),
    "an array": (lambda: TYPED.append(1), "TYPED"),
    "a text in memory": (lambda: TEXT.write("a"), "TEXT"),
    "an element of numpy's": (lambda: VECTOR.__setitem__(0, VECTOR[0] + 1), "VECTOR"),
    "a shape of numpy's": (lambda: setattr(VECTOR, "shape", (1, 2) if VECTOR.ndim == 1 else (2,)), "VECTOR"),
    "an attribute": (lambda: setattr(TALLY, "calls", TALLY.calls + 1), "TALLY"),
    "an attribute of a name that Python notes": (
        lambda: setattr(TALLY, "__slotnames__", getattr(TALLY, "__slotnames__", 0) + 1),
        "TALLY",
    ),
    "a list in an attribute": (lambda: TALLY.rows.append(1), "TALLY"),
    "a class": (lambda: Tally.shared.update({str(len(Tally.shared)): None}), "Tally"),
    "a slot": (lambda: setattr(SLOTTED, "calls", SLOTTED.calls + 1), "SLOTTED"),
    "a member of an enum": (lambda: setattr(Colour.RED, "calls", getattr(Colour.RED, "calls", 0) + 1), "Colour"),
    "a library's class": (lambda: setattr(Fraction, "calls", getattr(Fraction, "calls", 0) + 1), "Fraction"),
    "a library's module": (lambda: setattr(math, "calls", getattr(math, "calls", 0) + 1), "math.calls"),
    "a function": (lambda: setattr(rebind, "calls", getattr(rebind, "calls", 0) + 1), "rebind"),
    "a function's text": (lambda: setattr(rebind, "__doc__", f"{rebind.__doc__}a"), "rebind"),
    "what a library's object hides": (lambda: setattr(RATIO, "_numerator", RATIO.numerator + 1), "RATIO"),
    "a cache": (lambda: doubled(doubled.cache_info().currsize), "doubled"),
    "a module that it imports": (of_module, "fractions.calls"),
    "a module that it loads": (of_module_not_loaded, "colorsys.calls"),
    "a metaclass of a library": (of_metaclass, "enum.Enum"),
    "a base of a library's class": (of_base, "Fraction"),
    "a table on a library's class": (of_table, "textwrap.TextWrapper.unicode_whitespace_trans"),
    "a library's method": (lambda: setattr(string.Formatter.format, "calls", object()), "string.Formatter.format"),
    "a default of a library's function": (of_default_in_library, "statistics.quantiles"),
    "a target": (lambda: setattr(promised, "calls", getattr(promised, "calls", 0) + 1), "promised"),
    "this package": (lambda: setattr(dpcert, "calls", getattr(dpcert, "calls", 0) + 1), "dpcert.calls"),
    "a class of this package": (
        lambda: setattr(dpcert.Dist, "calls", getattr(dpcert.Dist, "calls", 0) + 1),
        "dpcert.Dist",
    ),
    "a class under another's name": (lambda: setattr(FOREIGN, "calls", FOREIGN.calls + 1), "FOREIGN"),
    "a function under another's name": (NO_LIBRARY, "random.HIDDEN"),
    "a function that numpy calls": (lambda: OF_NUMPY(0), "ELEMENTS"),
    "a name that is put together": (lambda: globals()["HID" + "DEN"].append(1), "HIDDEN"),
}
NAMES = ["colorsys"]
NOT_READ: dict[str, tuple[Callable[[], Any], str]] = {
    "a counter": (lambda: next(TICKS), "TICKS (itertools.count)"),
    "an iterator": (lambda: next(EVENLY), "EVENLY (builtins.range_iterator)"),
    "a generator": (lambda: next(NUMBERS), "NUMBERS (builtins.generator)"),
    "a module of a class of its own": (
        lambda: setattr(TIES, "calls", TIES.calls + 1),
        "test_left_by_paths.Ties)",
    ),
    "a method of a counter": (MORE, "(itertools.count)"),
    "a module by a name": (lambda: __import__(NAMES[0]), "the state of builtins (builtins.__import__)"),
    "a setting of the system": (lambda: os.umask(os.umask(0)), "the state of posix (os.umask)"),
    "a variable of the environment": (lambda: os.environ.get("CALLS"), "the state of os (os.environ)"),
    "a feature of Python": (lambda: __future__.division, "the state of __future__ (__future__.division)"),
    "a setting of decimal": (lambda: getcontext().prec, "the state of decimal (test_left_by_paths.getcontext)"),
    "a setting of numpy": (lambda: np.seterr(), "the state of numpy._core._ufunc_config (numpy.seterr)"),
    "a logger": (lambda: logging.getLogger("a"), "the state of logging (logging.getLogger)"),
    "a variable of a context": (lambda: CONTEXT.set(CONTEXT.get() + 1), "CONTEXT (_contextvars.ContextVar)"),
}


def of_words() -> None:
    """The text of this function names a module: signal."""


QUIET: dict[str, Callable[[], Any]] = {
    "a word of a text": of_words,
    "constants": lambda: (RATIO + 1, Decimal("0.1"), Colour.RED.value, math.pi, DICT, SEEN),
    "libraries": lambda: (math.sqrt(4), statistics.mean([1, 2]), np.sum([1, 2]), np.float64(1) + np.pi),
    "a named tuple": lambda: Pair(1, 2).one,
    "objects of its own": lambda: (Tally(1).rows.append(1), Slotted().update(a=1), next(itertools.count())),
    "a change that is undone": lambda: (SEEN.append(1), SEEN.pop()),
    "a text that is made anew": lambda: setattr(MEAN, "value", float("0.5")),
}


def program_of(act: Callable[[], Any]) -> Callable[[int, Coins], int]:
    """A bit with noise, beside which the program acts."""

    def program(bit: int, coins: Coins) -> int:
        act()
        return bit ^ (coins.below(4) == 0)

    return program


def assumed(act: Callable[[], Any], kept: Kept | None = None) -> list[str]:
    return [*enumerate_law(program_of(act), 1, kept=kept).assumptions]


@pytest.mark.parametrize("name", COUNTS_CALLS)
def test_a_run_that_counts_the_calls_leaves_its_count_behind(name: str) -> None:
    act, said = COUNTS_CALLS[name]
    kept = Kept()
    try:
        first, again = assumed(act, kept), assumed(act, kept)
    finally:
        for module in math, Fraction, Fraction.__mro__[1], sys.modules[Fraction.__module__], type(enum.Enum), *OURS:
            vars(module).get("calls") and delattr(module, "calls")
    assert first == again
    assert [each.startswith(LEFT) and said in each for each in first] == [True]


def test_a_run_that_counts_the_calls_in_the_environment_leaves_its_count_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CALLS", "")
    left, state = assumed(lambda: os.environ.update(CALLS=os.environ["CALLS"] + "a"))
    assert left.startswith(LEFT)
    assert "os.environ" in left
    assert state.startswith(UNSEEN)


@pytest.mark.parametrize("name", NOT_READ)
def test_an_object_that_may_change_unseen_is_named(name: str) -> None:
    act, said = NOT_READ[name]
    (only,) = assumed(act)
    assert only.startswith(UNSEEN)
    assert only.endswith(said)


@pytest.mark.parametrize("name", QUIET)
def test_a_run_that_leaves_all_as_it_was_has_no_assumption(name: str) -> None:
    assert assumed(QUIET[name]) == []


@dataclass(frozen=True)
class Row:
    """An input whose class a program reaches by `type`."""

    bit: int
    calls: ClassVar[int] = 0


def test_the_classes_of_the_input_and_the_coins_are_looked_at() -> None:
    def of_input(row: Any, coins: Coins) -> int:
        type(row).calls += 1
        return int(row.bit) ^ (coins.below(4) == 0)

    def of_coins(bit: int, coins: Any) -> bool:
        type(coins).calls = getattr(type(coins), "calls", 0) + 1
        return bit ^ (coins.below(4) == 0)

    assert enumerate_law(of_input, Row(1)).assumptions == (f"{LEFT}test_left_by_paths.Row",)
    try:
        assert enumerate_law(of_coins, 1).assumptions == (f"{LEFT}coins.Coins",)
    finally:
        del Coins.calls


def test_what_leads_generators_is_not_left_behind() -> None:
    program = routed(lambda count, rng: count + rng.laplace(), "rng")
    assert not [each for each in enumerate_law(program, 1).assumptions if each.startswith((LEFT, UNSEEN))]
