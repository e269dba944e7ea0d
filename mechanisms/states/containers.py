"""The freezing of values of single types: numbers, containers, functions in C."""

from __future__ import annotations

import ctypes
import functools
import math
import types
from collections import defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.layouts import of_program, own_names
from dpcert.mechanisms.states.tokens import ATOMS, BUILTIN, FALSE, METHOD, PARTIAL, REF, TRUE, Freezing, Ref

FACTORY: Any = vars(defaultdict)["default_factory"]
MOST: Any = vars(deque)["maxlen"]
NAN = "a NaN is kept: it is found in a list or not by which object it is"
BY_VALUE = ATOMS | {bool, float, complex, Fraction, Decimal, range}
HASHES = frozenset({"__hash__", "__eq__"})


def hashed(freezer: Freezing, value: Any, *, placed: bool = False) -> None:
    """Hold that a key is found without running code of the program; and if `placed`, at a place that its value gives.

    Raises: NotRead where it is not.
    """
    kind = type(value)
    if issubclass(kind, (tuple, frozenset)):
        for part in (tuple if issubclass(kind, tuple) else frozenset).__iter__(value):
            hashed(freezer, part, placed=placed)
    own = own_names(kind, HASHES)
    if own:
        raise NotRead(f"a key of type {class_name(kind)} has an {min(own)!r} of its own")
    kept = issubclass(kind, (tuple, frozenset, Lazy)) or kind in BY_VALUE or freezer.world.holds(value)
    if placed and not kept and not freezer.world.constant(value):
        raise NotRead(f"the place of a value of type {class_name(kind)} in a set depends on its address")


def table_of(value: Any) -> tuple[Any, ...]:
    """Return all that decides how a set is ordered, now and later: entries, deleted ones too, and where `pop` begins.

    CPython has them, in this order: entries that are not free, elements, the greatest place, the table, the hash of a
    frozenset, and the place for `pop`. An entry is an object and its hash.
    """
    filled, used, last, table, _, finger = (ctypes.c_ssize_t * 6).from_address(id(value) + object.__basicsize__)
    return filled, used, last, finger, *(ctypes.c_ssize_t * (2 * last + 2)).from_address(table)


def _bool(freezer: Freezing, value: bool) -> None:
    freezer.tokens.append(TRUE if value else FALSE)


def _float(freezer: Freezing, value: float) -> None:
    if value != value:
        raise NotRead(NAN)
    freezer.tokens += (float, value, math.copysign(1.0, value))


def _fraction(freezer: Freezing, value: Fraction) -> None:
    freezer.tokens += (Fraction, value.numerator, value.denominator)


def _written(freezer: Freezing, value: Any) -> None:
    if value.is_nan() if type(value) is Decimal else value != value:
        raise NotRead(NAN)
    freezer.tokens += (type(value), repr(value))


def _tuple(freezer: Freezing, value: tuple[Any, ...]) -> None:
    freezer.tokens += (tuple, len(value))
    freezer.parts(value)


def _sequence(freezer: Freezing, value: Any) -> None:
    if freezer.world.holds(value):
        freezer.tokens += (REF, Ref(value))
    elif not freezer.seen(value):
        freezer.tokens += (type(value), len(value))
        freezer.parts(value)


def _dict(freezer: Freezing, value: dict[Any, Any]) -> None:
    if freezer.world.holds(value):
        freezer.tokens += (REF, Ref(value))
    elif not freezer.seen(value):
        freezer.tokens += (dict, len(value))
        for name, part in value.items():
            hashed(freezer, name)
            freezer.add(name)
            freezer.add(part)


def _set(freezer: Freezing, value: Any) -> None:
    """Add a set that is, entry by entry, the one that is made anew from its elements in their order."""
    if freezer.world.holds(value):
        freezer.tokens += (REF, Ref(value))
        return
    if type(value) is set and freezer.seen(value):
        return
    parts = [*value]
    kind = type(value)
    for part in parts:
        hashed(freezer, part, placed=True)
    if table_of(kind(parts)) != table_of(value):
        raise NotRead("the order of a set depends on its past; keep a list or a dict")
    freezer.tokens += (kind, len(parts))
    freezer.parts(parts)


def unshared(value: bytearray) -> bytes:
    """Return the bytes of a bytearray; raises NotRead where something looks at its memory, so that it cannot grow."""
    try:
        value.append(0)
    except BufferError:
        raise NotRead("something looks at the memory of a bytearray, which cannot grow now") from None
    value.pop()
    return bytes(value)


def _bytearray(freezer: Freezing, value: bytearray) -> None:
    if freezer.world.holds(value):
        freezer.tokens += (REF, Ref(value))
    elif not freezer.seen(value):
        freezer.tokens += (bytearray, unshared(value))


def _range(freezer: Freezing, value: range) -> None:
    freezer.tokens += (range, value.start, value.stop, value.step)


def _method(freezer: Freezing, value: Any) -> None:
    freezer.tokens.append(METHOD)
    freezer.add(value.__func__)
    freezer.add(value.__self__)


def _builtin(freezer: Freezing, value: Any) -> None:
    owner = value.__self__
    if owner is None or isinstance(owner, (types.ModuleType, type)):
        freezer.tokens += (REF, Ref(value))
    elif of_program(type(owner)):
        raise NotRead(f"a method of a built-in type is kept with a value of type {class_name(type(owner))}")
    else:
        freezer.tokens += (BUILTIN, value.__name__)
        freezer.add(owner)


def _partial(freezer: Freezing, value: functools.partial[Any]) -> None:
    if vars(value):
        raise NotRead("a functools.partial keeps attributes")
    if not freezer.seen(value):
        freezer.tokens.append(PARTIAL)
        freezer.parts((value.func, value.args, value.keywords))


def _constant(freezer: Freezing, value: Any) -> None:
    freezer.tokens += (REF, Ref(value))


def add_items(freezer: Freezing, value: Any, base: Any) -> None:
    """Add what an instance of a class that is built on a dict holds."""
    items = [*base.items(value)]
    freezer.tokens.append(len(items))
    for name, part in items:
        hashed(freezer, name)
        freezer.parts((name, part))
    freezer.add(FACTORY.__get__(value) if base is defaultdict else None)


def add_elements(freezer: Freezing, value: Any, base: Any) -> None:
    """Add what an instance of a class that is built on a list or a deque holds."""
    parts = [*base.__iter__(value)]
    freezer.tokens.append(len(parts))
    freezer.parts(parts)
    freezer.add(MOST.__get__(value) if base is deque else None)


FREEZE: dict[type, Callable[[Freezing, Any], None]] = {
    bool: _bool,
    float: _float,
    Fraction: _fraction,
    complex: _written,
    Decimal: _written,
    tuple: _tuple,
    list: _sequence,
    dict: _dict,
    set: _set,
    frozenset: _set,
    bytearray: _bytearray,
    range: _range,
    functools.partial: _partial,
    types.MethodType: _method,
    types.BuiltinFunctionType: _builtin,
    types.MethodDescriptorType: _constant,
    types.WrapperDescriptorType: _constant,
    types.ClassMethodDescriptorType: _constant,
}
