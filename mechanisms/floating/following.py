"""The meanings of libm's names, `float`, and operators that call them, while a program's draws are undecided."""

from __future__ import annotations

import builtins
import dis
import math
import operator
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from dpcert.mechanisms.binding import ABSENT, Binding, Swap
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.floating.functions import (
    COMPENSATES,
    FOLLOWED,
    SUM,
    as_float,
    is_lazy,
    power,
    reciprocal,
    total,
)
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.floating.numpy_calls import as_array, as_double, clipped, compared, is_array, of_ufunc, rounded
from dpcert.mechanisms.held import identity
from dpcert.mechanisms.loaded import globals_of

NAMED = (BuiltinFunctionType, ModuleType)
NEEDED = "needed as a plain"
MOST_HELD = 1000
"""The greatest length of a container that is searched for a module's functions."""
OTHERS = frozenset({"numpy", "scipy", "dpcert"})
"""Packages whose own modules keep their names; numpy's functions call methods of the numbers."""


class _Callable(type):
    def __call__(cls, *args: Any, **kwds: Any) -> Any:
        if len(args) == 1 and not kwds and is_lazy(args[0]):
            return as_float(args[0])
        return float(*args, **kwds)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, float)

    def __getattr__(cls, name: str) -> Any:
        return getattr(float, name)


class FollowedFloat(metaclass=_Callable):
    """The meaning of `float` in a module that does nothing with it but call it."""


def _module() -> ModuleType:
    found = ModuleType("math", math.__doc__)
    vars(found).update(vars(math))
    vars(found).update({name: followed for name, followed in FOLLOWED.items() if _native(name)})
    return found


def _native(name: str) -> bool:
    """Whether the module `math` has its own function under a name, not a replacement."""
    found = getattr(math, name)
    return type(found) is BuiltinFunctionType and found.__module__ == "math"


def swaps(spaces: Iterable[dict[str, Any]]) -> list[Swap]:
    """Return what to bind in the globals of a program's own modules: `math`, its functions, and `float`."""
    means: dict[int, Any] = {
        identity(getattr(math, name)): followed for name, followed in FOLLOWED.items() if _native(name)
    }
    means[identity(math)] = _module()
    if COMPENSATES:
        means[identity(SUM)] = total
    found: dict[tuple[int, str], Swap] = {}
    for space in spaces:
        if space.get("__name__", "").partition(".")[0] in OTHERS and not _shipped(space):
            continue
        for name, value in space.items():
            if type(value) in NAMED and identity(value) in means:
                found[identity(space), name] = Swap(space, name, means[identity(value)])
        if "float" not in space and _calls_float(space):
            found[identity(space), "float"] = Swap(space, "float", FollowedFloat)
    if COMPENSATES:
        found[0, "sum"] = Swap(vars(builtins), "sum", total)
    if "sumprod" in FOLLOWED and (module := sys.modules.get("statistics")) is not None:
        found[0, "sumprod"] = Swap(vars(module), "sumprod", FOLLOWED["sumprod"])
    return list(found.values())


def _shipped(space: dict[str, Any]) -> bool:
    """Whether a module holds mechanisms of this package."""
    name: str = space.get("__name__", "")
    return name.startswith("dpcert.mechanisms.") and not name.startswith("dpcert.mechanisms.floating.")


def _calls_float(space: dict[str, Any]) -> bool:
    """Whether a module only calls the name `float`; the answer is kept while the module's size is the same."""
    name = space.get("__name__", "")
    if globals_of(sys.modules.get(name)) is space:
        return _module_calls_float(name, len(space))
    return _only_called(space, "float")


@lru_cache(maxsize=1 << 10)
def _module_calls_float(name: str, size: int) -> bool:
    return _only_called(vars(sys.modules[name]), "float")


def _only_called(space: dict[str, Any], name: str) -> bool:
    """Whether the module's bytecode loads the global name, and each time to call it."""
    uses = [_calls(code, name) for code in codes(space) if name in code.co_names]
    return bool(uses) and all(uses)


@lru_cache(maxsize=1 << 12)
def _calls(code: CodeType, name: str) -> bool:
    """Whether code loads the global name only to call it: a load for a call pushes a null beside it."""
    return all(
        instruction.opname == "LOAD_GLOBAL" and bool((instruction.arg or 0) & 1)
        for instruction in dis.get_instructions(code)
        if instruction.argval == name and instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    )


def codes(space: dict[str, Any]) -> Iterator[CodeType]:
    """Yield the code of a module's functions: its globals, the classes it defines, and what its containers hold."""
    pending: list[Any] = list(space.values())
    seen: set[int] = {identity(space)}
    while pending:
        item = pending.pop()
        if identity(item) in seen:
            continue
        seen.add(identity(item))
        if type(item) is CodeType:
            yield item
            pending += item.co_consts
        elif type(item) is FunctionType and item.__globals__ is space:
            pending.append(item.__code__)
        elif isinstance(item, type) and item.__module__ == space.get("__name__"):
            pending += vars(item).values()
        elif type(item) in (staticmethod, classmethod, property):
            pending.append(getattr(item, "__func__", None) or getattr(item, "fget", None))
        elif type(item) in (list, tuple, dict) and len(item) <= MOST_HELD:
            pending += item.values() if type(item) is dict else item
        elif type(wrapped := getattr(item, "__dict__", {}).get("__wrapped__")) is FunctionType:
            pending.append(wrapped)


def _pow(x: Any, y: Any, modulus: Any = None) -> Any:
    if modulus is not None or not _plain(y):
        return operator.pow(x._decide(), y) if modulus is None else pow(x._decide(), y, modulus)
    return power(x, y, "float ** float", operator.pow)


def _rpow(y: Any, x: Any) -> Any:
    return power(x, y, "float ** float", operator.pow) if _plain(x) else operator.pow(x, y._decide())


def _round(x: Any, digits: Any = None) -> Any:
    plain = digits is None or type(x._image(x._node.least())) is float
    return ROUND(x, digits) if plain else rounded(x, digits)


def _rtruediv(x: Any, c: Any) -> Any:
    return reciprocal(c, x) if _plain(c) else operator.truediv(c, x._decide())


def _needed(x: Any, draw: str, kind: str) -> None:
    """Give up the path as `Lazy` does, and name the program's line."""
    run, span = x._node.run, x._span()
    if span > run.settings.limits.max_runs:
        bits = (span - 1).bit_length()
        run.give_up(f"{draw} with {bits} undecided bits was {NEEDED} {kind}, at {running_line()}")


def _plain(value: Any) -> bool:
    """Whether a value is a constant that operators of floats take."""
    return type(value) is float or (type(value) is int and abs(value) < 1 << 1000)


def plain_compare(x: Any, other: Any, op: Any) -> Any:
    """Return op(x, other) for an undecided float and a number, or an array of doubles."""
    return compared(x, other, op) if is_array(other) else SCALAR(x, as_double(other), op)


def plain_step(x: Any, other: Any, op: Any, swap: bool = False) -> Any:
    """Return op(x, other), or where it is swapped op(other, x), for an undecided float and a number."""
    return STEP(x, as_double(other), op, swap)


SCALAR, STEP, ROUND = LazyFloat._compare, LazyFloat._step, LazyFloat.__round__
Operators = tuple[tuple[type, str, Any], ...]
OPERATORS: Operators = (
    (Lazy, "__array_ufunc__", of_ufunc),
    (Lazy, "__array__", as_array),
    (Lazy, "_needed", _needed),
    (LazyFloat, "_compare", plain_compare),
    (LazyFloat, "_step", plain_step),
    (LazyFloat, "round", rounded),
    (LazyFloat, "clip", clipped),
    (LazyFloat, "__round__", _round),
    (LazyFloat, "__pow__", _pow),
    (LazyFloat, "__rpow__", _rpow),
    (LazyFloat, "__rtruediv__", _rtruediv),
)


def _noted(kind: type, name: str, method: Any, asked: list[str]) -> Any:
    """Return an operator that notes that it was asked, and leaves its place to what it stands for."""

    def first(*args: Any, **kwds: Any) -> Any:
        asked.append(name)
        setattr(kind, name, method)
        return method(*args, **kwds)

    return first


@contextmanager
def followed(operators: Operators = OPERATORS) -> Iterator[list[str]]:
    """Run the body with operators of undecided floats followed; restore them afterwards.

    Yields the names of those that are asked. `_needed` only gives paths up, which makes no outcome likelier.
    """
    methods = [(kind, name, vars(kind).get(name, ABSENT)) for kind, name, _ in operators]
    asked: list[str] = []
    for kind, name, method in operators:
        setattr(kind, name, method if name == "_needed" else _noted(kind, name, method, asked))
    try:
        yield asked
    finally:
        for kind, name, method in methods:
            if method is ABSENT:
                delattr(kind, name)
            else:
                setattr(kind, name, method)


@contextmanager
def following(swaps: Iterable[Swap], operators: Operators = OPERATORS) -> Iterator[None]:
    """Run the body with the names bound and operators of undecided floats followed; restore both afterwards."""
    with followed(operators), Binding(swaps):
        yield
