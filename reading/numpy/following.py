"""How a call of numpy is followed: by numpy itself on plain values, and on undecided ones as far as it moves them.

What has no rule of its own decides its arguments first, which is always right. Where elements are only moved, numpy
moves their places: it is run on twins, of the same types and layouts, which give the type, the shape and the errors of
the result, and on arrays of places, which say what lies where.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains import deferred
from dpcert.reading.domains.steps import MONOTONE
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.foreign import NO_TABLES
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.memory import Call, code_of, count_of, elements, is_decided, laid, seen
from dpcert.reading.numpy.records import Array, Buffer, Deferred
from dpcert.reading.values import SCALARS, Dict, List, Undecided, Value

Keywords = dict[str, Value]
Followed = Callable[..., Value]
DECIDE = object()
"""What a rule gives that does not know how to follow a call: its arguments are decided."""


def is_undecided(value: Value) -> bool:
    """Whether a value holds a number that is not decided."""
    kind = value.__class__
    if kind is Array:
        return not is_decided(value)
    if kind is tuple or kind is List:
        return any(map(is_undecided, value if kind is tuple else value.items))
    if kind is Dict:
        return any(is_undecided(part) for _, part in value.pairs())
    return kind is Undecided or kind is Deferred


def applied(m: Any, function: Any, rule: Followed | None, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The value of a call of a function of numpy that the tables have; `rule` follows it on undecided values."""
    rule = m.tables.followed.get(id(function), rule)
    if rule is not None and any(map(is_undecided, (*args, *keywords.values()))):
        found = rule(m, function, args, keywords)
        if found is not DECIDE:
            return found
    return Call().result(function, args, keywords)


# -- casts


def code_of_number(value: Value) -> Any:
    """The element type of a number of numpy's, or the class of one of Python's, as numpy promotes them."""
    kind = domain.kind_of(value) if value.__class__ is Undecided else value.__class__
    if kind is bool or issubclass(kind, np.generic):
        return np.dtype(kind)
    return kind


def dtype_of(value: Value) -> Any:
    """The element type that a value names.

    Raises: Thrown with numpy's exception; Refused for one that is not followed.
    """
    found: Any = Call().run(np.dtype, (value,), {})
    code_of(found)
    return found


def is_too_large(value: Value, dtype: Any) -> bool:
    """Whether an integer of Python's is beyond the range of an element type, of which numpy makes an error or more."""
    return dtype.kind in "iu" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max


def cast(value: Value, dtype: Any) -> Value:
    """An element as numpy casts it to another type.

    Raises: Ask where the cast is not monotone, or may wrap.
    """
    if value.__class__ is int and is_too_large(value, dtype):
        raise Refused(f"{value} beside elements of {dtype}, which cannot hold it, is not followed; use a larger type")
    return deferred.cast(value, dtype)


def check_fits(value: Value, dtype: Any) -> None:
    """Decide numbers that an integer type may be too small for: where an element is set by a number that is itself no
    element of an array, numpy makes an error of it, and does not cast.

    Raises: Ask.
    """
    for part in value if value.__class__ is tuple else value.items if value.__class__ is List else ():
        check_fits(part, dtype)
    if dtype.kind in "iu" and value.__class__ is Undecided and value.draw.kind in MONOTONE:
        info = np.iinfo(dtype)
        if domain.compare(value, ">", int(info.max)) or domain.compare(value, "<", int(info.min)):
            domain.must_decide(value)


def element(m: Any, value: Value, dtype: Any) -> Value:
    """A number as an element of an array of a type: a cast of numpy's that has a question is done later."""
    if value.__class__ is Undecided and domain.kind_of(value) not in kinds.SCALARS:
        return cast(value, dtype)  # of numbers of Python's that are too large numpy makes an error
    return later(m, lambda: cast(value, dtype), "cast", dtype, value)


def later(m: Any, find: Callable[[], Value], operation: str, dtype: Any, *operands: Value) -> Value:
    """The element that `find` finds; where it has a question, the operation is kept, if it can be done later."""
    try:
        return find()
    except Ask:
        found = deferred.deferred(operation, dtype.char, *operands) if m.tables is NO_TABLES else None
        if found is None:
            raise
        return found


# -- what is only moved


class Places(Call):
    """A call on places: each element of an argument is a number, by which `values` has it; 0 is a zero of numpy's."""

    def __init__(self) -> None:
        super().__init__(twins=True)
        self.values: list[Value] = [None]

    def row(self, buffer: Buffer) -> Any:
        """The places of a buffer's elements."""
        known = self.rows.get(id(buffer))
        if known is None:
            whole = elements(Array(buffer, (count_of(buffer),), (1,)))
            row = np.arange(len(self.values), len(self.values) + len(whole))
            self.values += whole
            known = self.rows[id(buffer)] = buffer, row, row.tobytes()
        return known[1]

    def to_host(self, value: Value) -> Any:
        """A value as places: of an array, or in lists of numbers."""
        kind = value.__class__
        if kind is Array:
            return self.array(value)
        if kind is tuple or kind is List:
            parts = [self.to_host(part) for part in (value if kind is tuple else value.items)]
            return tuple(parts) if kind is tuple else parts
        if kind is Undecided or kind in SCALARS:
            self.values.append(value)
            return len(self.values) - 1
        raise Refused("an array is made of other things than numbers")


def moving(*data: str, but: tuple[str, ...] = ("dtype", "casting")) -> Followed:
    """The rule of a function that moves the elements of its parameters `data`, and of numpy's zero, to new places.

    All other arguments are decided; `but` are parameters that say of which type the result is, not what lies where.
    """

    def rule(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
        names = names_of(function, args, keywords)
        if names is None or any(name in ("out", "like", "where") for name in keywords):
            return DECIDE
        strict, twins, places = Call(), Call(twins=True), Places()
        shown: list[Any] = []
        moved: list[Any] = []
        for name, each in zip(names, args, strict=True):
            shown.append(twins.to_host(each) if name in data else strict.to_host(each))
            moved.append(places.to_host(each) if name in data else None if name in but else strict.to_host(each))
        named = {name: (twins if name in data else strict).to_host(each) for name, each in keywords.items()}
        put = {
            name: places.to_host(keywords[name]) if name in data else each
            for name, each in named.items()
            if name not in but
        }
        pattern = twins.run_hosts(function, shown, named)
        if isinstance(pattern, np.ndarray):
            given = [each for name, each in zip(names, args, strict=True) if name in data]
            check_fits((*given, *(each for name, each in keywords.items() if name in data)), pattern.dtype)
        return _placed(m, pattern, places.run_hosts(function, moved, put), twins, places.values)

    return rule


def names_of(function: Any, args: tuple[Value, ...], keywords: Keywords) -> list[str] | None:
    """The names of the parameters that positional arguments are given for; None where numpy does not say them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
        inspect.signature(function).bind(*args, **keywords)
    except (TypeError, ValueError):
        return None
    names: list[str] = []
    for place in range(len(args)):
        several = next((each for each in parameters[: place + 1] if each.kind is each.VAR_POSITIONAL), None)
        names.append((several or parameters[place]).name)
    return names


def _placed(m: Any, pattern: Any, where: Any, twins: Call, values: list[Value]) -> Value:
    """A result of the pattern's type and layout, with the elements whose places `where` has."""
    if isinstance(pattern, (list, tuple)):
        parts = [_placed(m, each, other, twins, values) for each, other in zip(pattern, where, strict=True)]
        return tuple(parts) if type(pattern) is tuple else List(parts)
    if isinstance(pattern, np.ndarray):
        for buffer, row, _ in twins.rows.values():
            if pattern.base is row:
                return seen(pattern, row, buffer)
        code_of(pattern.dtype)
        if not isinstance(where, np.ndarray) or where.shape != pattern.shape:
            raise Refused("internal: numpy moves places to another shape")
        zero = pattern.dtype.type(0)
        places = where.ravel().tolist()
        return laid([element(m, values[place], pattern.dtype) if place else zero for place in places], pattern)
    if isinstance(pattern, np.generic):
        return cast(deferred.forced(values[int(where)]), pattern.dtype) if where else pattern.dtype.type(0)
    return twins.from_host(pattern)


def shaped(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """Follow a function whose result tells of the types and shapes of its arguments alone."""
    twins = Call(twins=True)
    return twins.from_host(twins.run(function, args, keywords))


asarray = moving("a")


def listed(m: Any, value: Value) -> Value:
    """A list or tuple as the array that numpy makes of it; all else as it is."""
    if value.__class__ in (List, tuple):
        return applied(m, np.asarray, asarray, (value,), {})
    return value
