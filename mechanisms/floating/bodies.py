"""What the classes of stand-ins do: the methods of generators, on coins, tried first on a throw-away generator."""

from __future__ import annotations

import operator
import os
import random
import sys
from collections.abc import Callable
from copy import copy
from decimal import Decimal
from fractions import Fraction
from functools import partial
from types import FunctionType
from typing import Any, NoReturn

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.generator import refuse
from dpcert.mechanisms.floating.scalars import scalar

STATE = frozenset({"seed", "getstate", "setstate", "get_state", "set_state", "bit_generator", "spawn"})
"""The names that fix a generator's draws, or show those to come."""
PLAIN = (int, bool, float, complex, str, bytes, bytearray, Fraction, Decimal, type, range, type(None), type(...))
CONTAINERS = (list, tuple, set, frozenset)
UNIFORM = frozenset({"random", "random_sample"})
SEED = 0
URANDOM, RANDOM, SYSTEM = os.urandom, random.Random, random.SystemRandom
SLOTS = ("_coins", "_trial", "_draws", "_title", "_used")


def fixed(coins: Coins, name: str) -> NoReturn:
    """End the run, naming the program's line: `name` fixes the draws of a generator, or shows them."""
    why = "fixes what is drawn, or shows what will be, and coins cannot be fixed"
    refuse(coins, name, why, "leave it out, or pass the generator in as a parameter called rng")


def decided(value: Any) -> Any:
    """Return an argument with the undecided numbers in it decided."""
    if is_lazy(value):
        return value._decide()
    kind = type(value)
    return kind(map(decided, value)) if kind in CONTAINERS and any(map(_has_lazy, value)) else value


def _has_lazy(value: Any) -> bool:
    return is_lazy(value) or (type(value) in CONTAINERS and any(map(_has_lazy, value)))


def _is_plain(value: Any) -> bool:
    """Whether an argument reads the same each time: no methods of the program's own are called for it."""
    if isinstance(value, CONTAINERS):
        return type(value) in CONTAINERS and all(map(_is_plain, value))
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray, numpy.dtype)):
        return type(value).__module__.startswith("numpy") and not getattr(value, "dtype", value).hasobject
    return type(value) in PLAIN


def seedless(args: tuple[Any, ...], kwds: dict[str, Any], name: str) -> bool:
    """Whether a call gives no seed, or None, in the way that the real class takes it."""
    given = [*args, *kwds.values()]
    return not given or (len(given) == 1 and given[0] is None and kwds.keys() <= {name})


def _method(real: type, name: str) -> Callable[..., Any]:
    is_uniform = name in UNIFORM

    def method(self: Any, /, *args: Any, **kwds: Any) -> Any:
        if is_uniform and not (args or kwds):  # which is accepted, and is a float
            self._used(self._coins)
            return self._coins.random()
        return _call(self, name, args, kwds)

    method.__name__ = name
    method.__qualname__ = f"{real.__name__}.{name}"
    return method


def _call(self: Any, name: str, args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
    """Return the draws of a method of numpy's, after the throw-away generator has accepted the arguments."""
    coins, title = self._coins, f"{self._title}.{name}"
    if name == "shuffle" and any(map(_has_lazy, (*args, *kwds.values()))):
        refuse(coins, title, "would put undecided numbers in order", "shuffle a list of plain numbers")
    args, kwds = tuple(map(decided, args)), {key: decided(value) for key, value in kwds.items()}
    for value in (*args, *kwds.values()):
        if not _is_plain(value):
            why = f"is given a {type(value).__name__}, which may answer otherwise each time it is asked"
            refuse(coins, title, why, "write a plain number or a list in its place")
    trial = type(self._trial)(sys.modules["numpy"].random.PCG64(SEED)) if name == "spawn" else self._trial
    tried = tuple(map(copy, args)) if name == "shuffle" else args
    found = getattr(trial, name)(*tried, **{key: copy(value) for key, value in kwds.items()})
    if name in STATE:
        fixed(coins, title)
    law = getattr(self._draws, name, None)
    if law is None:
        refuse(coins, title)
    try:
        draw = law(*args, **kwds)
        self._used(coins)
        return _answer(coins, found, draw)
    except Unauditable:
        raise
    except Exception as error:
        refuse(coins, title, f"makes numbers that are not followed here ({error})", "try other parameters")


def _answer(coins: Coins, found: Any, draw: Callable[[], Any]) -> Any:
    """Return draws in the type in which numpy gave its own, or decided in an array."""
    numpy: Any = sys.modules["numpy"]
    kind = type(found)
    if found is None:
        return draw()
    if kind is numpy.ndarray:
        values = [decided(draw()) for _ in range(found.size)]
        found[...] = numpy.array(values, dtype=found.dtype).reshape(found.shape)
        return found
    value = draw()
    if kind is float or kind is int:
        return value
    if issubclass(kind, numpy.integer):
        return scalar(kind, value)
    return kind(value != 0) if kind is bool or kind is numpy.bool_ else kind(decided(value))


def _stopped(name: str, *, tried: bool = False) -> Any:
    """Return a method that ends the run, if it is `tried` after the throw-away generator has accepted the arguments."""

    def stop(self: Any, *args: Any, **kwds: Any) -> NoReturn:
        if tried and not (name == "seed" and seedless(args, kwds, "a")):
            getattr(self._trial, name)(*map(decided, args), **kwds)
        fixed(self._coins, f"{self._title}.{name}")

    return stop


def body_of(real: type) -> dict[str, Any]:
    """Return the attributes of every stand-in for a class."""

    def missing(self: Any, name: str) -> Any:
        getattr(self._trial, name)
        fixed(self._coins, f"{self._title}.{name}")

    return {
        "__module__": real.__module__,
        "__qualname__": real.__qualname__,
        "__doc__": real.__doc__,
        "__slots__": SLOTS,
        "__dir__": lambda self: [*{*dir(real), *getattr(self, "__dict__", ())}],
        "__getattr__": missing,
        "__init__": _stopped("__init__"),
    }


def numpy_body(real: type) -> dict[str, Any]:
    """Return the attributes of a stand-in for a class of numpy's: its methods on coins."""
    body = body_of(real)
    for name in dir(real):
        if not name.startswith("__"):
            body[name] = _method(real, name) if callable(getattr(real, name)) else property(_stopped(name))
    body.update({name: _stopped(name) for name in ("__getstate__", "__setstate__", "__reduce__", "__reduce_ex__")})

    def assigned(self: Any, name: str, value: Any) -> None:
        setattr(self._trial, name, value)
        fixed(self._coins, f"{self._title}.{name} = ...")

    body["__setattr__"] = assigned
    body["__str__"] = lambda self: str(self._trial)
    body["__repr__"] = lambda self: f"{self._trial} at 0x{id(self):X}"
    return body


def urandom_of(*args: Any, **kwds: Any) -> bytes:
    """Return `os.urandom`, called by C, so that the watch on the program's randomness does not notice it."""
    if len(args) != 1 or kwds:
        return URANDOM(*args, **kwds)
    found: bytes = next(map(URANDOM, args))
    return found


def _system(name: str) -> Any:
    """Return a method of `random.SystemRandom` that asks the system by way of `urandom_of`."""
    real = vars(SYSTEM)[name]
    return FunctionType(real.__code__, SPACE_OF_SYSTEM, name, real.__defaults__)


def _held_to(real: Any, name: str, given: Any) -> None:
    """Refuse a method of one class of generators on an object of another: it draws from bits that nothing seeds."""
    if vars(type(given)).get("_real") is real:
        return
    coins: Any = given if isinstance(given, Coins) else getattr(given, "_coins", None)
    if coins is None:
        getattr(real, name)(given)  # which raises for what is no generator
    why = "is called on a generator of another class, where it draws from bits that nothing seeds"
    refuse(coins, f"{real.__qualname__}.{name}", why, "call the method of the generator itself")


def random_body(real: Any) -> dict[str, Any]:
    """Return the methods of a stand-in for `random.Random` or `SystemRandom`: those that draw, or keep a state.

    All others are the standard library's own code.
    """
    body, secure = body_of(real), real is SYSTEM

    def uniform(self: Any, /, *args: Any, **kwds: Any) -> Any:
        _held_to(real, "random", self)
        if args or kwds:  # which the real ones refuse
            (partial(SYSTEM.random, self) if secure else self._trial.random)(*args, **kwds)
        self._used(self._coins)
        return self._coins.random()

    def bits(self: Any, /, *args: Any, **kwds: Any) -> Any:
        _held_to(real, "getrandbits", self)
        args, kwds = tuple(map(decided, args)), {key: decided(value) for key, value in kwds.items()}
        found = BITS_OF_SYSTEM(self, *args, **kwds) if secure else self._trial.getrandbits(*args, **kwds)
        k = next(iter((*args, *kwds.values())))
        if type(found) is not int or not (isinstance(k, int) or _is_plain(k)):
            why = f"is given a {type(k).__name__}"
            refuse(self._coins, f"{self._title}.getrandbits", why, "write int(...) around it")
        self._used(self._coins)
        return self._coins.below(1 << operator.index(k))

    def below(self: Any, n: Any) -> Any:
        _held_to(real, "_randbelow", self)
        n = decided(n)
        if type(n) is not int or n < 1:
            return real._randbelow_with_getrandbits(self, n)
        self._used(self._coins)
        return self._coins.below(n)

    def some_bytes(self: Any, /, *args: Any, **kwds: Any) -> Any:
        args, kwds = tuple(map(decided, args)), {key: decided(value) for key, value in kwds.items()}
        n = len(BYTES_OF_SYSTEM(self, *args, **kwds))
        self._used(self._coins)
        return self._coins.randbytes(n) if n else b""

    body.update(random=uniform, getrandbits=bits, _randbelow=below)
    kept = {name for name in vars(RANDOM.__base__) if not name.startswith("_")} - {*body, *STATE}
    body.update({name: _stopped(name) for name in kept})  # of other versions of Python, written in C
    if secure:
        body.update(randbytes=some_bytes)
    else:
        body.update({name: _stopped(name, tried=True) for name in ("seed", "getstate", "setstate")})
        body.update({name: _stopped(name) for name in ("__reduce__", "__getstate__")})
    return body


SPACE_OF_SYSTEM = {**vars(random), "_urandom": urandom_of}
"""What names mean in the code of `SystemRandom` that stand-ins execute."""
BITS_OF_SYSTEM, BYTES_OF_SYSTEM = _system("getrandbits"), _system("randbytes")
SYSTEMS_OWN = SYSTEM()
