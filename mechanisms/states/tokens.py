"""The tokens that keys of states are made of, and what stands in a key by its value or by reference."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Protocol

from dpcert.mechanisms.exact.floats import plain_random

ATOMS = frozenset({int, str, bytes, type(None)})
"""Types whose values stand for themselves in a key: a truth value or a float that equals one has a token before it."""


class Ref:
    """An object by reference; equal to another iff the object is the same."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is Ref and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class Steps:
    """The functions through which a draw is seen, by their values with their types."""

    __slots__ = ("maps", "told")

    def __init__(self, maps: tuple[Any, ...]) -> None:
        self.maps = maps
        self.told = tuple(_told(step) for step in maps)

    def __eq__(self, other: object) -> bool:
        return type(other) is Steps and self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)


class _Token:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


AGAIN, COINS, REF, LAZY, NODE, ITERATOR, OF_DICT, VIEW, ARRAY, SCALAR, NAMED, INSTANCE, FUNCTION, CELL, STAND_IN = (
    _Token(name)
    for name in [
        "again",
        "coins",
        "ref",
        "lazy",
        "node",
        "iterator",
        "of-dict",
        "view",
        "array",
        "scalar",
        "named",
        "instance",
        "function",
        "cell",
        "stand-in",
    ]
)
RUNNING, EXHAUSTED, GENERATOR, METHOD, PARTIAL, BUILTIN, TRUE, FALSE, ERROR, INNER = map(
    _Token, ["running", "exhausted", "generator", "method", "partial", "builtin", "true", "false", "error", "inner"]
)


def _told(step: Any) -> Any:
    """Return what a step does, by value; 1, True and 1.0 differ."""
    if isinstance(step, tuple):
        return (type(step), *map(_told, step))
    if type(step) is float:
        return (float, step.hex())
    return (type(step), Ref(step) if callable(step) else step)


def by_value(step: Any) -> bool:
    """Whether a step is a named tuple of plain numbers and functions, so that its value tells what it does."""
    if isinstance(step, tuple):
        return all(map(by_value, step))
    return type(step) in (int, bool, float, Fraction, str) or step in PLAIN_STEPS


PLAIN_STEPS: frozenset[Any] = frozenset(
    [plain_random, float, int, round, math.floor, math.ceil, math.trunc, int.bit_length]
    + [getattr(operator, name) for name in ["add", "sub", "mul", "truediv", "neg"]]
)


class World(Protocol):
    """What was there before the program ran."""

    def holds(self, value: Any) -> bool:
        """Whether an object was reachable then, and is watched."""
        ...

    def constant(self, value: Any) -> bool:
        """Whether a function, class or module is kept by reference."""
        ...


class Freezing(Protocol):
    """What the freezing of single types of values asks of the freeze that it is part of."""

    tokens: list[Any]
    world: World

    def add(self, value: Any) -> None:
        """Add all that is reachable from a value."""
        ...

    def parts(self, values: Any) -> None:
        """Add values in order."""
        ...

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is numbered, and its number is added."""
        ...
