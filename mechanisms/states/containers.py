"""The freezing of values of single types: numbers, containers, functions in C."""

from __future__ import annotations

import functools
import math
import types
from collections import defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.tokens import BUILTIN, FALSE, METHOD, PARTIAL, REF, TRUE, Freezing, Ref


def _bool(freezer: Freezing, value: bool) -> None:
    freezer.tokens.append(TRUE if value else FALSE)


def _float(freezer: Freezing, value: float) -> None:
    if value != value:
        raise NotRead("a NaN is kept: it is found in a list or not by which object it is")
    freezer.tokens += (float, value, math.copysign(1.0, value))


def _fraction(freezer: Freezing, value: Fraction) -> None:
    freezer.tokens += (Fraction, value.numerator, value.denominator)


def _written(freezer: Freezing, value: Any) -> None:
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
            freezer.add(name)
            freezer.add(part)


def _set(freezer: Freezing, value: Any) -> None:
    """Add a set in its order; how it goes on to be ordered must not depend on more than that."""
    if freezer.world.holds(value):
        freezer.tokens += (REF, Ref(value))
        return
    if type(value) is set and freezer.seen(value):
        return
    parts = [*value]
    kind = type(value)
    if [*map(id, kind(parts))] != [*map(id, parts)] or kind(parts).__sizeof__() != value.__sizeof__():
        raise NotRead("the order of a set depends on its past; keep a list or a dict")
    freezer.tokens += (kind, len(parts))
    freezer.parts(parts)


def _bytearray(freezer: Freezing, value: bytearray) -> None:
    if not freezer.seen(value):
        freezer.tokens += (bytearray, bytes(value))


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


def add_items(freezer: Freezing, value: Any) -> None:
    """Add what an instance of a class that is built on a dict holds."""
    items = [*value.items()]
    freezer.tokens.append(len(items))
    freezer.parts(items)
    freezer.add(value.default_factory if isinstance(value, defaultdict) else None)


def add_elements(freezer: Freezing, value: Any) -> None:
    """Add what an instance of a class that is built on a list or a deque holds."""
    freezer.tokens.append(len(value))
    freezer.parts(value)
    freezer.add(value.maxlen if isinstance(value, deque) else None)


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
