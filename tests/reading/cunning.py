"""Programs whose state differs only in a place where one must know to look: the law of their paths, or none."""

from __future__ import annotations

import codecs
import contextvars
import csv
import fractions
import functools
import logging
import math
import textwrap
import types
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpcert.mechanisms.exact.coins import Coins

LIMIT = 5
LIBRARY: Any = fractions
TEXTS: Any = textwrap
TOOLS: Any = types.ModuleType("tools_of_cunning")
VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("VARIABLE", default=0)
PACKAGE: Any = np
METADATA: Any = np.dtype("i8", metadata={"log": []})


def wait(coins: Coins) -> int:
    while coins.below(2):
        pass
    return 0


class Thing:
    """A class whose own attributes, and those of the class, are assigned to."""

    which: Any = 0
    act: Any = None
    log: ClassVar[list[int]] = []

    def step(self, _: Any) -> int:
        return 1

    @property
    def counted(self) -> int:
        self.which += 1
        return int(self.which)


class Slotted:
    """A class with a slot."""

    __slots__ = ("n",)


SLOT = vars(Slotted)["n"]
LARGEST: Any = functools.partial(max, 0)


class Forged:
    """A class that goes by the name of a library."""

    __module__ = "fractions"
    n = 0


def first(_: Any) -> int:
    return 1


def in_an_attribute_of_a_library(x: Any, coins: Coins) -> Any:
    LIBRARY.counter = 0
    while coins.below(2):
        LIBRARY.counter += 1
    return LIBRARY.counter >= LIMIT


def in_an_attribute_of_a_package_in_a_package(x: Any, coins: Coins) -> Any:
    PACKAGE.linalg.hidden_counter = 0
    while coins.below(2):
        PACKAGE.linalg.hidden_counter += 1
    return PACKAGE.linalg.hidden_counter >= LIMIT


def _put(space: Any, name: str, value: Any) -> None:
    setattr(space, name, value)


def in_an_attribute_of_a_function_of_a_library(x: Any, coins: Coins) -> Any:
    TEXTS.dedent.counter = 0
    while coins.below(2):
        TEXTS.dedent.counter += 1
    return TEXTS.dedent.counter >= LIMIT


def in_an_attribute_of_a_method_of_a_library(x: Any, coins: Coins) -> Any:
    TEXTS.TextWrapper.fill.counter = 0
    while coins.below(2):
        TEXTS.TextWrapper.fill.counter += 1
    return TEXTS.TextWrapper.fill.counter >= LIMIT


def in_an_attribute_with_a_computed_name(x: Any, coins: Coins) -> Any:
    name = "_".join(["hidden", "counter"])
    _put(math, name, 0)
    while coins.below(2):
        _put(math, name, getattr(math, name) + 1)
    return getattr(math, name) >= LIMIT


def in_the_class_of_a_fraction(x: Any, coins: Coins) -> Any:
    half: Any = x / 2
    type(half).hidden_counter = 0
    while coins.below(2):
        type(half).hidden_counter += 1
    return type(half).hidden_counter >= LIMIT


def in_the_class_of_the_coins(x: Any, coins: Coins) -> Any:
    kind: Any = coins.__class__
    kind.hidden_counter = 0
    while coins.below(2):
        kind.hidden_counter += 1
    return kind.hidden_counter >= LIMIT


def in_what_a_fraction_is_made_of(x: Any, coins: Coins) -> Any:
    a: Any = Fraction(1, 3)
    b = [a, a, Fraction(1, 3), Fraction(1, 3)][coins.below(4)]
    wait(coins)
    a._numerator = 2
    return b == Fraction(2, 3)


def in_which_function_of_a_library(x: Any, coins: Coins) -> Any:
    TOOLS.rounded = [math.floor, math.floor, math.ceil, math.ceil][coins.below(4)]
    wait(coins)
    return TOOLS.rounded(1.5)


def in_whether_a_slot_is_there(x: Any, coins: Coins) -> Any:
    kind: Any = Slotted
    kind.n = SLOT
    thing = kind()
    if coins.below(4) == 0:
        del kind.n
    wait(coins)
    return hasattr(kind, "n"), hasattr(thing, "n")


def in_the_text_of_a_class(x: Any, coins: Coins) -> Any:
    Thing.__doc__ = ""
    while coins.below(2):
        Thing.__doc__ += "x"
    return len(Thing.__doc__) >= LIMIT


def in_the_annotations_of_a_function(x: Any, coins: Coins) -> Any:
    first.__annotations__["n"] = 0
    while coins.below(2):
        first.__annotations__["n"] += 1
    return first.__annotations__["n"] >= LIMIT


def in_the_name_of_a_function(x: Any, coins: Coins) -> Any:
    first.__name__ = "f"
    while coins.below(2):
        first.__name__ += "x"
    return len(first.__name__) > LIMIT


def in_a_variable_of_the_context(x: Any, coins: Coins) -> Any:
    VARIABLE.set(0)
    while coins.below(2):
        VARIABLE.set(VARIABLE.get() + 1)
    return VARIABLE.get() >= LIMIT


def in_the_metadata_of_a_dtype(x: Any, coins: Coins) -> Any:
    array: Any = np.zeros(1, METADATA)
    array.dtype.metadata["log"].clear()
    while coins.below(2):
        array.dtype.metadata["log"].append(1)
    return len(array.dtype.metadata["log"]) >= LIMIT


def in_a_class_with_the_name_of_a_library(x: Any, coins: Coins) -> Any:
    Forged.n = 0
    while coins.below(2):
        Forged.n += 1
    return Forged.n >= LIMIT


def in_an_argument_of_a_partial(x: Any, coins: Coins) -> Any:
    LARGEST.__setstate__((max, (0,), {}, {}))
    while coins.below(2):
        LARGEST.__setstate__((max, (LARGEST.args[0] + 1,), {}, {}))
    return LARGEST.args[0] >= LIMIT


def in_the_limit_of_a_table(x: Any, coins: Coins) -> Any:
    csv.field_size_limit(1 << 20)
    while coins.below(2):
        csv.field_size_limit(csv.field_size_limit() + 1)
    return csv.field_size_limit() >= (1 << 20) + LIMIT


def in_the_name_of_a_level(x: Any, coins: Coins) -> Any:
    logging.addLevelName(77, "0")
    while coins.below(2):
        logging.addLevelName(77, str(int(logging.getLevelName(77)) + 1))
    return int(logging.getLevelName(77)) >= LIMIT


def in_what_handles_an_error_of_a_text(x: Any, coins: Coins) -> Any:
    ways = [codecs.ignore_errors, *[codecs.lookup_error(name) for name in ("replace", "strict")]]
    SETTING("cunning", ways[0])
    while coins.below(2):
        SETTING("cunning", ways[min(ways.index(codecs.lookup_error("cunning")) + 1, 2)])
    return codecs.lookup_error("cunning") is ways[2]


SETTING = codecs.register_error


def in_an_iterator_that_a_generator_shares(x: Any, coins: Coins) -> Any:
    items = iter(range(6))
    odd = (each for each in items if coins.below(3))
    first = next(odd)
    other = items if coins.below(2) else iter(range(first + 1, 6))
    wait(coins)
    return next(odd), next(other)


def in_an_attribute_of_a_function_made(x: Any, coins: Coins) -> Any:
    def step() -> int:
        return 1

    if coins.below(2):
        vars_of: Any = step
        vars_of.count = 5
    wait(coins)
    return getattr(step, "count", 0)


def of_a_variable_that_may_be_unset(x: Any, coins: Coins) -> Any:
    for i in range(3):
        if coins.below(2):
            shown = i
            if shown == 2 and coins.below(2):
                return "end"
    try:
        return shown
    except UnboundLocalError:
        return "unset"


def by_attribute(coins: Coins) -> int:
    own = vars(by_attribute)
    while coins.below(2):
        own["calls"] += 1
    return int(own["calls"] >= LIMIT)


def in_an_attribute_of_a_call(x: Any, coins: Coins) -> Any:
    vars(by_attribute)["calls"] = 0
    return by_attribute(coins), by_attribute(coins)


def second(_: Any) -> int:
    return 2
