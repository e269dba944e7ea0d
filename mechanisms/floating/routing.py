"""Randomness that code takes from modules, routed to coins: where it is named, and what it means there instead."""

from __future__ import annotations

import os
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.floating.generator import RoutedGenerator, RoutedState, refuse

__all__ = ["places", "routed"]

Meaning = Callable[[Coins], Any]
Place = tuple[dict[str, Any], str, Meaning]
"""A namespace, a name in it, and what it means on coins."""

STATE = frozenset({"seed", "getstate", "setstate", "get_state", "set_state"})
BITS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")
FIXED = "fixes what is drawn, and coins cannot be fixed"
UNSEEDED = "hides where its bits go; call default_rng()"


class _Class(type):
    """Of what stands for a class of generators: calls without a seed are routed, instances are the class's own."""

    real: type
    made: Callable[[], Any]

    def __call__(cls, *args: Any, **kwds: Any) -> Any:
        if any(seed is not None for seed in (*args, *kwds.values())):
            return cls.real(*args, **kwds)
        return cls.made()

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.real)


def _class(real: type, make: Meaning) -> Meaning:
    def meaning(coins: Coins) -> Any:
        return _Class(real.__name__, (), {"real": real, "made": staticmethod(lambda: make(coins))})

    return meaning


def _method(name: str) -> Meaning:
    return lambda coins: getattr(coins, name)


def _numpys(name: str) -> Meaning:
    return lambda coins: getattr(RoutedState(coins), name)


def _refused(name: str, why: str) -> Meaning:
    return lambda coins: lambda *args, **kwds: refuse(coins, name, why)


def _unseeded(name: str) -> Meaning:
    return lambda coins: refuse(coins, name, UNSEEDED)


def _itself(coins: Coins) -> Coins:
    return coins


def _default_rng(real: Callable[..., Any]) -> Meaning:
    return lambda coins: lambda seed=None: RoutedGenerator(coins) if seed is None else real(seed)


def _meanings() -> dict[int, tuple[Any, Meaning]]:
    """Return {id: (function or class, what it means on coins)} for the generators of the standard library and numpy."""
    found: list[tuple[Any, Meaning]] = []
    shared: Any = random
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is shared._inst:
            fixed = _refused(f"random.{name}", FIXED)
            found.append((value, fixed if name in STATE else _method(name)))
    found += [(kind, _class(kind, _itself)) for kind in (random.Random, random.SystemRandom)]
    own: Any = secrets
    found += [(own._sysrand, _itself), (secrets.choice, _method("choice")), (secrets.randbits, _method("getrandbits"))]
    found += [(os.urandom, _method("randbytes"))]
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        names = numpy.random
        for name, value in vars(names).items():
            if getattr(value, "__self__", None) is names.mtrand._rand:
                fixed = _refused(f"numpy.random.{name}", FIXED)
                found.append((value, fixed if name in STATE else _numpys(name)))
        found += [
            (value, _refused(f"numpy.random.{name}", FIXED)) for name in STATE if (value := getattr(names, name, 0))
        ]
        found += [(names.default_rng, _default_rng(names.default_rng))]
        found += [(names.RandomState, _class(names.RandomState, RoutedState))]
        for name in BITS:
            kind = getattr(names, name)
            found.append((kind, _class(kind, _unseeded(f"numpy.random.{name}()"))))
    return {id(value): (value, meaning) for value, meaning in found}


def _of_instance(value: object) -> Meaning | None:
    """Return what a generator that a module holds means on coins."""
    numpy: Any = sys.modules.get("numpy")
    if isinstance(value, random.Random) and not isinstance(value, Coins):
        return _itself
    if numpy is not None and isinstance(value, numpy.random.Generator):
        return RoutedGenerator
    return RoutedState if numpy is not None and isinstance(value, numpy.random.RandomState) else None


def places(spaces: Iterable[dict[str, Any]]) -> list[Place]:
    """Return every name to be routed: of the modules of generators, and of a program's own modules."""
    meanings = _meanings()
    numpy: Any = sys.modules.get("numpy")
    modules = [random, secrets, os, *([numpy.random] if numpy is not None else [])]
    found: list[Place] = []
    own: list[dict[str, Any]] = [module.__dict__ for module in modules]
    for space in [*own, *spaces]:
        for name, value in space.items():
            if space is random.__dict__ and name.startswith("_"):  # what the system's coins draw from themselves
                continue
            meaning = meanings[id(value)][1] if id(value) in meanings else None
            if meaning is None and not any(space is module for module in own):
                meaning = _of_instance(value)
            if meaning is not None:
                found.append((space, name, meaning))
    return found


@contextmanager
def routed(coins: Coins, found: Iterable[Place]) -> Iterator[None]:
    """Run the body with the names meaning what they mean on coins, and restore them."""
    found = list(found)
    before = [(space, name, space[name]) for space, name, _ in found]
    for space, name, meaning in found:
        space[name] = meaning(coins)
    try:
        yield
    finally:
        for space, name, value in reversed(before):
            space[name] = value
