"""Programs whose state differs only in a place where one must know to look: the law of their paths, or none."""

from __future__ import annotations

import contextvars
import enum
import fractions
import functools
import math
import operator
import types
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dpcert.mechanisms.exact.coins import Coins

LIMIT = 5
COUNT = [0]
OTHER: Any = types.ModuleType("other_of_cunning")  # a module of the user's
vars(OTHER)["COUNT"] = COUNT
LIBRARY: Any = fractions
TOOLS: Any = types.ModuleType("tools_of_cunning")
VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("VARIABLE", default=0)
PACKAGE: Any = np
METADATA: Any = np.dtype("i8", metadata={"log": []})


def wait(coins: Coins) -> int:
    while coins.below(2):
        pass
    return 0


def _zero() -> None:
    COUNT[0] = 0


def _bump() -> None:
    COUNT[0] += 1


def _computed(name: str) -> Any:
    COUNT[0] = COUNT[0] + 1 if name == "more" else 0
    return COUNT[0]


def _there(function: Any) -> Callable[..., Any]:
    return types.FunctionType(function.__code__, vars(OTHER))


vars(OTHER).update(zero=_there(_zero), bump=_there(_bump), __getattr__=_there(_computed))


@functools.lru_cache(maxsize=2)
def remembered(n: int) -> list[int]:
    return [n]


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


class Sly(Thing):
    """A class that gives another method from time to time."""

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return second if name == "step" and object.__getattribute__(self, "which") else found


class Slotted:
    """A class with a slot."""

    __slots__ = ("n",)


SLOT = vars(Slotted)["n"]


class Forged:
    """A class that goes by the name of a library."""

    __module__ = "fractions"
    n = 0


class Kept(enum.Enum):
    """A member with a list."""

    A: ClassVar[list[int]] = []


class Pair(NamedTuple):
    """A tuple that is never equal to anything but itself, by identity."""

    n: int

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


class Same:
    """All of its instances are equal."""

    n = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    __hash__ = object.__hash__


class Missing:
    """A class that counts what is asked and is not there."""

    asked = 0

    def __getattr__(self, name: str) -> int:
        self.asked += 1
        return self.asked


class Over(Exception):
    """An exception that carries a count."""

    def __init__(self, n: int) -> None:
        self.n = n


def first(_: Any) -> int:
    return 1


def second(_: Any) -> int:
    return 2


# -- on modules, classes and functions


def in_an_attribute_of_a_library(x: Any, coins: Coins) -> Any:
    LIBRARY.counter = 0
    while coins.below(2):
        LIBRARY.counter += 1
    return LIBRARY.counter >= LIMIT


def in_an_attribute_of_a_library_imported_inside(x: Any, coins: Coins) -> Any:
    import fractions as kept

    held: Any = kept
    held.hidden_counter = 0
    while coins.below(2):
        held.hidden_counter += 1
    return held.hidden_counter >= LIMIT


def in_an_attribute_of_a_package_in_a_package(x: Any, coins: Coins) -> Any:
    PACKAGE.linalg.hidden_counter = 0
    while coins.below(2):
        PACKAGE.linalg.hidden_counter += 1
    return PACKAGE.linalg.hidden_counter >= LIMIT


def _put(space: Any, name: str, value: Any) -> None:
    setattr(space, name, value)


def in_an_attribute_with_a_computed_name(x: Any, coins: Coins) -> Any:
    name = "_".join(["hidden", "counter"])
    _put(math, name, 0)
    while coins.below(2):
        _put(math, name, getattr(math, name) + 1)
    return getattr(math, name) >= LIMIT


def in_an_attribute_that_is_taken_away(x: Any, coins: Coins) -> Any:
    import fractions as kept

    held: Any = kept
    held.hidden_counter = 0
    try:
        while coins.below(2):
            held.hidden_counter += 1
        return held.hidden_counter >= LIMIT
    finally:
        del held.hidden_counter


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


def in_a_module_asked_by_a_computed_name(x: Any, coins: Coins) -> Any:
    getattr(OTHER, "".join(["ze", "ro"]))()
    while coins.below(2):
        getattr(OTHER, "".join(["bu", "mp"]))()
    return bool(getattr(OTHER, "".join(["CO", "UNT"]))[0] >= LIMIT)


def in_a_list_asked_by_a_computed_name(x: Any, coins: Coins) -> Any:
    kept = getattr(OTHER, "".join(["CO", "UNT"]))
    kept[0], kept = 0, None
    while coins.below(2):
        getattr(OTHER, "".join(["CO", "UNT"]))[0] += 1
    return bool(getattr(OTHER, "".join(["CO", "UNT"]))[0] >= LIMIT)


def in_what_a_module_computes(x: Any, coins: Coins) -> Any:
    found = OTHER.reset
    while coins.below(2):
        found = OTHER.more >= LIMIT
        found = False
    return found or OTHER.more > LIMIT


def in_which_function_of_a_library(x: Any, coins: Coins) -> Any:
    TOOLS.rounded = [math.floor, math.floor, math.ceil, math.ceil][coins.below(4)]
    wait(coins)
    return TOOLS.rounded(1.5)


def in_which_descriptor_of_a_class(x: Any, coins: Coins) -> Any:
    Thing.act = [str.upper, str.upper, str.lower, str.lower][coins.below(4)]
    wait(coins)
    return Thing.act("Aa")


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


def in_the_text_of_a_function(x: Any, coins: Coins) -> Any:
    first.__doc__ = ""
    while coins.below(2):
        first.__doc__ += "x"
    return len(first.__doc__) >= LIMIT


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


def in_the_defaults_of_a_function(x: Any, coins: Coins) -> Any:
    second.__defaults__ = (0,)
    while coins.below(2):
        second.__defaults__ = (second.__defaults__[0] + 1,)
    return second.__defaults__[0] >= LIMIT


def in_a_cache(x: Any, coins: Coins) -> Any:
    held = remembered(7)
    held.clear()
    while coins.below(2):
        remembered(7).append(1)
    return len(held) >= LIMIT


def in_a_variable_of_the_context(x: Any, coins: Coins) -> Any:
    VARIABLE.set(0)
    while coins.below(2):
        VARIABLE.set(VARIABLE.get() + 1)
    return VARIABLE.get() >= LIMIT


def in_the_filters_of_warnings(x: Any, coins: Coins) -> Any:
    warnings.resetwarnings()
    if coins.below(4) == 0:
        warnings.simplefilter("error")
    wait(coins)
    return len(warnings.filters)


def in_the_metadata_of_a_dtype(x: Any, coins: Coins) -> Any:
    array: Any = np.zeros(1, METADATA)
    array.dtype.metadata["log"].clear()
    while coins.below(2):
        array.dtype.metadata["log"].append(1)
    return len(array.dtype.metadata["log"]) >= LIMIT


def in_a_function_with_the_name_of_a_library(x: Any, coins: Coins) -> Any:
    FORGED[0]()
    while coins.below(2):
        FORGED[1]()
    return FORGED[2]()


def _forged_get() -> bool:
    return COUNT[0] >= LIMIT


FORGED = [
    types.FunctionType(function.__code__, {"__name__": "fractions", "COUNT": COUNT, "LIMIT": LIMIT})
    for function in (_zero, _bump, _forged_get)
]


def in_a_class_with_the_name_of_a_library(x: Any, coins: Coins) -> Any:
    Forged.n = 0
    while coins.below(2):
        Forged.n += 1
    return Forged.n >= LIMIT


def in_the_value_of_a_member(x: Any, coins: Coins) -> Any:
    Kept.A.value.clear()
    while coins.below(2):
        Kept.A.value.append(1)
    return len(Kept.A.value) >= LIMIT


# -- in values that look the same


def in_which_small_nan_it_is(x: Any, coins: Coins) -> Any:
    nan = np.float32("nan")
    chosen = [nan, nan, np.float32("nan"), np.float32("nan")][coins.below(4)]
    kept = [nan]
    wait(coins)
    return chosen in kept


def in_which_pair_it_is(x: Any, coins: Coins) -> Any:
    pair = Pair(1)
    chosen = [pair, pair, Pair(1), Pair(1)][coins.below(4)]
    kept = [pair]
    wait(coins)
    return chosen in kept


def in_which_equal_instance_it_is(x: Any, coins: Coins) -> Any:
    a, b = Same(), Same()
    chosen = [a, a, a, b][coins.below(4)]
    a.n = b.n = 0
    wait(coins)
    chosen.n = 1
    return a.n, a == b


def in_the_type_of_a_number(x: Any, coins: Coins) -> Any:
    value: Any = [1, True, 1.0, 1 + 0j][coins.below(4)]
    wait(coins)
    return value


def in_the_sign_of_zero(x: Any, coins: Coins) -> Any:
    value = [0.0, 0.0, 0.0, -0.0][coins.below(4)]
    wait(coins)
    return math.copysign(1.0, value)


def in_the_order_of_a_frozenset(x: Any, coins: Coins) -> Any:
    many = frozenset([8, 16, 0]) if coins.below(2) else frozenset([0, 16, 8])
    wait(coins)
    return tuple(many)


def in_the_holes_of_a_frozenset(x: Any, coins: Coins) -> Any:
    grown = set(range(40)) if coins.below(2) else set()
    grown |= {0, 15, 31}
    few = frozenset(grown & frozenset([0, 15, 31]))
    grown = set()
    wait(coins)
    return tuple(few | {47, 63})


def in_the_order_of_a_dict(x: Any, coins: Coins) -> Any:
    names = {"a": 1, "b": 2}
    while coins.below(3) == 0:
        names["a"] = names.pop("a")
    return tuple(names)


def in_which_list_it_is(x: Any, coins: Coins) -> Any:
    inner: list[int] = []
    outer = (inner, inner if coins.below(4) == 0 else list(inner))
    wait(coins)
    inner.append(1)
    return len(outer[1])


# -- in what is thrown away, and in what is about to be called


def _closing(log: list[int]) -> Iterator[int]:
    n = 0
    try:
        while True:
            n += 1
            yield n
    finally:
        log.append(n)


def _left(log: list[int], coins: Coins) -> int:
    held = [_closing(log)]
    next(held[0])
    if coins.below(4) == 0:
        next(held[0])
    return wait(coins)


def in_a_generator_that_is_thrown_away(x: Any, coins: Coins) -> Any:
    log: list[int] = []
    _left(log, coins)
    return log[0]


def _unset(thing: Thing, coins: Coins) -> int:
    thing.which = 0
    return wait(coins)


def in_what_an_instance_gave(x: Any, coins: Coins) -> Any:
    sly = Sly()
    sly.which = [0, 0, 0, 1][coins.below(4)]
    return sly.step(_unset(sly, coins))


def _exchanged(thing: Thing, coins: Coins) -> int:
    type.__setattr__(type(thing), "act", first)
    return wait(coins)


def in_what_was_assigned_another_way(x: Any, coins: Coins) -> Any:
    thing: Any = Thing
    thing.act = [first, first, first, second][coins.below(4)]
    return thing.act(_exchanged(thing(), coins))


def in_what_a_computed_name_exchanged(x: Any, coins: Coins) -> Any:
    kind: Any = Thing
    kind.act = [first, first, first, second][coins.below(4)]
    return kind.act(_swapped(kind, "".join(["a", "ct"]), coins))


def _swapped(kind: Any, name: str, coins: Coins) -> int:
    setattr(kind, name, first)
    return wait(coins)


# -- in exceptions, and programs that catch what is not theirs


def _over(coins: Coins) -> None:
    n = 0
    while coins.below(2):
        n = (n + 1) % 3
    raise Over(n)


def in_an_exception(x: Any, coins: Coins) -> Any:
    try:
        _over(coins)
    except Over as error:
        kept = error
    wait(coins)
    return kept.n


def in_a_group_of_exceptions(x: Any, coins: Coins) -> Any:
    n = 0
    try:
        try:
            _over(coins)
        except Over as error:
            raise ExceptionGroup("both", [error, ValueError(error.n)]) from None
    except* Over as group:
        n = sum(each.n for each in group.exceptions if isinstance(each, Over))
    except* ValueError:
        n += 1
    wait(coins)
    return n


def in_a_loop_that_catches_all(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        try:
            if coins.below(2):
                return n
            n = (n + 1) % 3
        except Exception:
            n = -1


def in_a_loop_that_ends_anyway(x: Any, coins: Coins) -> Any:
    n = 0
    try:
        while coins.below(2):
            n = (n + 1) % 3
    finally:
        n += 10
        wait(coins)
    return n


def in_a_loop_that_returns_in_the_end(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        try:
            n = (n + 1) % 3
            if coins.below(2):
                raise Over(n)
        except Over as error:
            n = error.n
            return n + int(coins.below(2))
        finally:
            n += 3


# -- as other programs have it, to be merged


def of_a_match(x: Any, coins: Coins) -> Any:
    state: Any = ("start", 0)
    while True:
        match state, int(coins.below(3)):
            case ("start", n), 0:
                state = ("more", n + 1)
            case ("more", n), 1 if n < 3:
                state = ("start", n)
            case (name, n), 2:
                return name, n


def of_a_walrus(x: Any, coins: Coins) -> Any:
    n = 0
    while (m := int(coins.below(4))) > 1:
        n = (n + m) % 3
    return n, m


def of_deleted_names(x: Any, coins: Coins) -> Any:
    n = 1
    while coins.below(2):
        m = n + 1
        del n
        n = m % 3
        del m
    return n


def of_stars(x: Any, coins: Coins) -> Any:
    def loop(*args: int, coins: Coins, **kwds: int) -> int:
        n = sum(args)
        while coins.below(2):
            n = (n + kwds["by"]) % 4
        return n

    step = {"by": 1}
    a = loop(*(1, 2), coins=coins, **step)
    return a, loop(a, coins=coins, by=2)


def of_a_property(x: Any, coins: Coins) -> Any:
    thing = Thing()
    while coins.below(2) and thing.counted < LIMIT:
        pass
    return int(thing.which)


def of_what_is_missing(x: Any, coins: Coins) -> Any:
    missing = Missing()
    while coins.below(2) and missing.anything < LIMIT:
        pass
    return missing.asked


def of_a_memo(x: Any, coins: Coins) -> Any:
    kept: dict[int, int] = {}

    def known(n: int, memo: dict[int, int] = kept) -> int:
        if n not in memo:
            memo[n] = len(memo)
        return memo[n]

    n = 0
    while coins.below(2):
        n = known(int(coins.below(2)))
    return n


def of_a_coroutine(x: Any, coins: Coins) -> Any:
    async def once(n: int) -> int:
        return n + 1

    n = 0
    while coins.below(2):
        try:
            once(n).send(None)
        except StopIteration as end:
            n = end.value % 3
    return n


def of_an_identity(x: Any, coins: Coins) -> Any:
    chosen = None if coins.below(2) else False
    wait(coins)
    return chosen is None, operator.index(3)
