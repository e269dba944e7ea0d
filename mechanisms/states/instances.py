"""Instances and generators of random numbers in flat states: those that were there before, by reference, as they stay
as they were; those that the program made, by their class and what they hold, where that is plain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.floating.stand_ins import Made, is_stand_in
from dpcert.mechanisms.states.layouts import base_of, layout
from dpcert.mechanisms.states.library import HEAP_TYPE, IMMUTABLE
from dpcert.mechanisms.states.tokens import ATOMS, Ref, World

OTHER = object()
"""Stands for a value that is not told flat."""
PLAIN = ATOMS | {bool}


class Telling(Protocol):
    """What this asks of the telling of flat states."""

    world: World
    coins: Coins
    met: list[int]
    remade: list[Any]


def _is_instance(kind: Any) -> bool:
    other = issubclass(kind, (Lazy, Coins, BaseException, type, tuple, Ref, Made)) or is_stand_in(kind)
    made = kind.__flags__ & (HEAP_TYPE | IMMUTABLE) == HEAP_TYPE  # from 3.12 on, iterators in C are of heap types, too
    return made and kind is not Fraction and kind.__module__ != "numpy" and not other


is_instance: Callable[[Any], bool] = functools.cache(_is_instance)
"""Whether a type is a class in Python, and not of draws, errors, classes or generators."""


def generator(flat: Telling, value: Any) -> Any:
    """Tell a generator of random numbers."""
    if flat.world.holds(value):
        return value
    if value._coins is not flat.coins or not _draws_alone(value):
        return OTHER
    flat.met.append(id(value))
    return Made(value)


def generator_again(told: Any, flat: Telling, generators: list[Any]) -> Any:
    """Return the generator that was told, or another that draws alike."""
    if type(told) is not Made:
        return told
    flat.remade.append(told.again(flat.coins))
    return flat.remade[-1]


def _draws_alone(value: Any) -> bool:
    """Whether a generator keeps nothing, such as the second number of `gauss`."""
    return all(name == "gauss_next" and part is None for name, part in getattr(value, "__dict__", {}).items())


def kept_nothing(flat: Telling) -> bool:
    """Whether the generators that were made anew for a run keep nothing."""
    return all(map(_draws_alone, flat.remade))


def instance(flat: Telling, value: Any) -> Any:
    """Tell an instance: one that the program made where its class has no slots and its attributes are plain."""
    if flat.world.holds(value):
        return Ref(value)
    kind = type(value)
    if layout(kind) or base_of(kind) or not kind.__dictoffset__ or not flat.world.constant(kind):
        return OTHER
    told: list[Any] = [Ref(kind)]
    for name, part in object.__getattribute__(value, "__dict__").items():
        own = _attribute(flat, part)
        if own is OTHER:
            return OTHER
        told += (name, type(part), own)
    flat.met.append(id(value))
    return tuple(told)


def _attribute(flat: Telling, part: Any) -> Any:
    kind = type(part)
    if kind in PLAIN:
        return part
    if kind is float:
        return part if part > 0 or part < 0 or str(part) == "0.0" else OTHER
    if part is flat.coins:
        return None
    if is_stand_in(kind):
        return generator(flat, part)
    return Ref(part) if is_instance(kind) and flat.world.holds(part) else OTHER


def instance_again(told: Any, flat: Telling, generators: list[Any]) -> Any:
    """Return the instance that was told, or one like it."""
    if type(told) is Ref:
        return told.value
    kind, *parts = told
    made = object.__new__(kind.value)
    own = object.__getattribute__(made, "__dict__")
    for name, each, part in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if each is Coins:
            own[name] = flat.coins
        else:
            own[name] = part.value if type(part) is Ref else generator_again(part, flat, generators)
    return made
