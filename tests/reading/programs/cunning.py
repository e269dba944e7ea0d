"""Programs whose state differs only in a place where one must know to look: the law of their paths, or none."""

from __future__ import annotations

import functools
import math
import types
from fractions import Fraction
from typing import Any, ClassVar

from dpcert.mechanisms.exact.coins import Coins

LIMIT = 5
TOOLS: Any = types.ModuleType("tools_of_cunning")


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


def first(_: Any) -> int:
    return 1


def _put(space: Any, name: str, value: Any) -> None:
    setattr(space, name, value)


def in_an_attribute_with_a_computed_name(x: Any, coins: Coins) -> Any:
    name = "_".join(["hidden", "counter"])
    _put(math, name, 0)
    while coins.below(2):
        _put(math, name, getattr(math, name) + 1)
    return getattr(math, name) >= LIMIT


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


def in_the_name_of_a_function(x: Any, coins: Coins) -> Any:
    first.__name__ = "f"
    while coins.below(2):
        first.__name__ += "x"
    return len(first.__name__) > LIMIT


def in_an_argument_of_a_partial(x: Any, coins: Coins) -> Any:
    LARGEST.__setstate__((max, (0,), {}, {}))
    while coins.below(2):
        LARGEST.__setstate__((max, (LARGEST.args[0] + 1,), {}, {}))
    return LARGEST.args[0] >= LIMIT


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


def second(_: Any) -> int:
    return 2
