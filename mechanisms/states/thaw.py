"""States made anew from their keys."""

from __future__ import annotations

import functools
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.states.calls.closures import Exchange, thaw_as_written, thaw_function
from dpcert.mechanisms.states.containers import FACTORY
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.layouts import ELEMENTS, ERROR_PARTS, ITEMS, base_of, layout, quietly
from dpcert.mechanisms.states.reenter import Points
from dpcert.mechanisms.states.runtime import INFOS, UNSET, blank, waiting
from dpcert.mechanisms.states.tokens import (
    AGAIN,
    ARRAY,
    ATOMS,
    BUILTIN,
    COINS,
    ERROR,
    EXHAUSTED,
    FALSE,
    FUNCTION,
    GENERATOR,
    INNER,
    INSTANCE,
    ITERATOR,
    LAZY,
    METHOD,
    NAMED,
    OF_DICT,
    PARTIAL,
    REF,
    RUNNING,
    SCALAR,
    STAND_IN,
    TRUE,
    VIEW,
)


class Thaw:
    """One thaw: a state made anew from its key, for one run."""

    def __init__(
        self,
        key: tuple[Any, ...],
        coins: Coins,
        node: Callable[[int, int], Node],
        exchange: Exchange | None = None,
    ) -> None:
        self.take: Callable[[], Any] = iter(key).__next__
        self.coins = coins
        self.node = node
        self.exchange = exchange
        self.made: list[Any] = []

    def value(self) -> Any:
        """Return the next value of the key."""
        kind = self.take()
        return kind if type(kind) in ATOMS else THAW[kind](self)

    def parts(self, count: int) -> list[Any]:
        return [self.value() for _ in range(count)]

    def keep(self, value: Any) -> Any:
        """Number an object that may be met again."""
        self.made.append(value)
        return value

    def record(self, info: Points, point: int) -> tuple[Any, ...]:
        """Return what a function restores when it is entered again at a point."""
        values = [UNSET] * len(info.names)
        for place in info.places[point]:
            values[place] = self.value()
        return (point, *values)


def _thaw_again(thaw: Thaw) -> Any:
    return thaw.made[thaw.take()]


def _thaw_list(thaw: Thaw) -> Any:
    made: list[Any] = thaw.keep([])
    count = thaw.take()
    for _ in range(count):
        made.append(thaw.value())
    return made


def _thaw_dict(thaw: Thaw) -> Any:
    made: dict[Any, Any] = thaw.keep({})
    for _ in range(thaw.take()):
        name = thaw.value()
        made[name] = thaw.value()
    return made


def _thaw_set(thaw: Thaw) -> Any:
    made: set[Any] = thaw.keep(set())
    made.update(thaw.parts(thaw.take()))
    return made


def _thaw_lazy(thaw: Thaw) -> Any:
    kind, steps = thaw.take(), thaw.take()
    if thaw.take() is AGAIN:
        return kind(thaw.made[thaw.take()], steps.maps)
    return kind(thaw.keep(thaw.node(thaw.take(), thaw.take())), steps.maps)


def _thaw_iterator(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    make, count, more = thaw.take(), thaw.take(), thaw.take()
    made = make.value(*thaw.parts(count))
    if more:
        state = thaw.value()
        quietly(lambda: made.__setstate__(state)) if type(made).__module__ == "itertools" else made.__setstate__(state)
    thaw.made[place] = made
    return made


def _thaw_of_dict(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    kind, left = thaw.take(), thaw.take()
    if left < 0:
        made: Iterator[Any] = iter({} if kind != "set" else set())
        next(made, None)
    else:
        owner = thaw.value()
        made = iter(getattr(owner, kind)() if kind != "set" else owner)
        for _ in range(len(owner) - left):
            next(made)
    thaw.made[place] = made
    return made


def _thaw_array(thaw: Thaw) -> Any:
    numpy = sys.modules["numpy"]
    kind, shape, order, writeable, content = (thaw.take() for _ in range(5))
    made = numpy.frombuffer(content, dtype=kind).reshape(shape, order=order).copy(order=order)
    made.flags.writeable = writeable
    return thaw.keep(made)


def _thaw_scalar(thaw: Thaw) -> Any:
    kind, content = thaw.take(), thaw.take()
    return sys.modules["numpy"].frombuffer(content, dtype=kind)[0]


def _thaw_instance(thaw: Thaw) -> Any:
    kind = thaw.take().value
    base = base_of(kind)
    if base in ELEMENTS:
        place = len(thaw.made)
        thaw.made.append(None)
        parts, most = thaw.parts(thaw.take()), thaw.value()
        made = base.__new__(kind)
        base.__init__(made, parts) if base is list else base.__init__(made, parts, most)
        thaw.made[place] = made
    else:
        made = thaw.keep((base or object).__new__(kind))
    if base in ITEMS:
        parts = thaw.parts(2 * thaw.take())
        for name, part in zip(parts[::2], parts[1::2], strict=True):
            base.__setitem__(made, name, part)
        factory = thaw.value()
        if base is defaultdict:
            FACTORY.__set__(made, factory)
    for slot in layout(kind):
        part = thaw.value()
        if part is not UNSET:
            slot.__set__(made, part)
    for _ in range(thaw.take()):
        name = thaw.take()
        object.__getattribute__(made, "__dict__")[name] = thaw.value()
    return made


def _thaw_error(thaw: Thaw) -> Any:
    made = thaw.keep(BaseException.__new__(thaw.take().value))
    for part in ERROR_PARTS:
        part.__set__(made, thaw.value())
    object.__getattribute__(made, "__dict__").update(thaw.value())
    return made


def _thaw_generator(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    point = thaw.take()
    function = thaw.value()
    info = INFOS[function.__code__]
    if thaw.take() != info.number:
        raise NotRead("a generator is not what it was")
    record = thaw.record(info, point)
    made = thaw.made[place] = waiting(function, record)
    return made


def _thaw_running(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    made = thaw.made[place] = blank(thaw.value())
    return made


def _thaw_exhausted(thaw: Thaw) -> Any:
    made: Any = (each for each in "")
    next(made, None)
    made.__name__, made.__qualname__ = thaw.take(), thaw.take()
    return thaw.keep(made)


def _thaw_method(thaw: Thaw) -> Any:
    function = thaw.value()
    return types.MethodType(function, thaw.value())


def _thaw_partial(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    function, args, keywords = thaw.parts(3)
    made: Any = functools.partial(function, *args)
    thaw.made[place] = made
    made.__setstate__((function, args, keywords, None))
    return made


def _thaw_builtin(thaw: Thaw) -> Any:
    name = thaw.take()
    return getattr(thaw.value(), name)


def _thaw_named(thaw: Thaw) -> Any:
    kind = thaw.take().value
    return tuple.__new__(kind, thaw.parts(thaw.take()))


def _thaw_float(thaw: Thaw) -> Any:
    value = thaw.take()
    thaw.take()
    return value


def _thaw_coins(thaw: Thaw) -> Any:
    kept = thaw.value()
    if kept is not None:
        thaw.coins.gauss_next = kept
    return thaw.coins


def _thaw_stand_in(thaw: Thaw) -> Any:
    made = thaw.keep(thaw.take().again(thaw.coins))
    for _ in range(thaw.take()):
        name = thaw.take()
        vars(made)[name] = thaw.value()
    return made


def _thaw_view(thaw: Thaw) -> Any:
    kind = thaw.take()
    return getattr(thaw.value(), kind)()


THAW: dict[Any, Callable[[Thaw], Any]] = {
    float: _thaw_float,
    Fraction: lambda thaw: Fraction(thaw.take(), thaw.take()),
    complex: lambda thaw: complex(thaw.take()),
    Decimal: lambda thaw: Decimal(thaw.take()[9:-2]),
    tuple: lambda thaw: tuple(thaw.parts(thaw.take())),
    list: _thaw_list,
    dict: _thaw_dict,
    set: _thaw_set,
    frozenset: lambda thaw: frozenset(thaw.parts(thaw.take())),
    bytearray: lambda thaw: thaw.keep(bytearray(thaw.take())),
    range: lambda thaw: range(thaw.take(), thaw.take(), thaw.take()),
    AGAIN: _thaw_again,
    COINS: _thaw_coins,
    TRUE: lambda thaw: True,
    FALSE: lambda thaw: False,
    REF: lambda thaw: thaw.take().value,
    LAZY: _thaw_lazy,
    ITERATOR: _thaw_iterator,
    OF_DICT: _thaw_of_dict,
    VIEW: _thaw_view,
    ARRAY: _thaw_array,
    SCALAR: _thaw_scalar,
    NAMED: _thaw_named,
    INSTANCE: _thaw_instance,
    ERROR: _thaw_error,
    FUNCTION: thaw_function,
    INNER: thaw_as_written,
    RUNNING: _thaw_running,
    EXHAUSTED: _thaw_exhausted,
    GENERATOR: _thaw_generator,
    METHOD: _thaw_method,
    PARTIAL: _thaw_partial,
    BUILTIN: _thaw_builtin,
    STAND_IN: _thaw_stand_in,
}
