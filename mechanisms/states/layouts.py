"""The layout of instances of classes written in Python, on nothing but `object` or a container."""

from __future__ import annotations

import functools
import sys
import types
import warnings
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.library import HEAP_TYPE, class_of_library

ITEMS: frozenset[type] = frozenset({OrderedDict, defaultdict, dict})
ELEMENTS: frozenset[type] = frozenset({deque, list})
CONTAINERS = ITEMS | ELEMENTS


PLAIN_MAPS = frozenset({dict, set, frozenset, defaultdict, Counter})
"""Types whose iterators and views are told by what they are of, and made again from it."""
ITERATES = frozenset(f"__{name}__" for name in ("iter", "reversed", "len", "getitem"))
COMPARES = frozenset(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "hash"))


def base_of(kind: type) -> Any:
    """Return the container that a class is built on, or None; its methods are called, and none of the class's own."""
    return next((base for base in kind.__mro__ if base in CONTAINERS), None)


def of_program(kind: type) -> bool:
    """Whether a class may have methods of the program's: it is written in Python, and no library's."""
    return bool(kind.__flags__ & HEAP_TYPE) and not class_of_library(kind)


def own_names(kind: type, names: frozenset[str]) -> set[str]:
    """Return which of some names a class, or a base of it that is no library's, has in its own way."""
    return {name for each in kind.__mro__ if of_program(each) for name in names & vars(each).keys()}


def quietly(function: Callable[[], Any]) -> Any:
    """Call what CPython 3.12 warns about, which 3.14 does without."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


@functools.cache
def _scalars() -> frozenset[type]:
    numpy = sys.modules["numpy"]
    kinds = [numpy.dtype(code).type for code in numpy.typecodes["All"]]
    return frozenset(each for each in kinds if issubclass(each, (numpy.bool_, numpy.number))) - {numpy.timedelta64}


def is_scalar(kind: type) -> bool:
    """Whether a type is one of numpy's numbers, of which the type and the bytes are all."""
    return kind.__module__ == "numpy" and kind in _scalars()


def is_plain_dtype(value: Any) -> bool:
    """Whether a dtype is the one that numpy has for the type of a number: no metadata, order, unit or fields."""
    return is_scalar(value.type) and value is sys.modules["numpy"].dtype(value.type)


_LAYOUTS: dict[type, tuple[types.MemberDescriptorType, ...] | str] = {}


def layout(kind: type) -> tuple[types.MemberDescriptorType, ...]:
    """Return the slots of a class written in Python, on nothing but `object` or a container.

    Raises: NotRead where its instances keep state that cannot be seen, or do something when they are thrown away.
    """
    found = _LAYOUTS.get(kind)
    if found is None:
        found = _LAYOUTS[kind] = _layout(kind)
    if isinstance(found, str):
        raise NotRead(found)
    return found


def _layout(kind: type) -> tuple[types.MemberDescriptorType, ...] | str:
    words = f"a value of type {class_name(kind)} keeps state that cannot be seen"
    if hasattr(kind, "__del__"):
        return f"a value of type {class_name(kind)} does something when it is thrown away"
    base: Any = base_of(kind) or object
    slots: list[types.MemberDescriptorType] = []
    for each in kind.__mro__[: kind.__mro__.index(base)]:
        in_c = type(vars(each).get("__new__")) is types.BuiltinFunctionType
        if not each.__flags__ & HEAP_TYPE or in_c or "__module__" not in vars(each):
            return words
        slots += [member for member in vars(each).values() if type(member) is types.MemberDescriptorType]
    if kind is base:
        return ()
    has_dict = kind.__dictoffset__ > 0 and not base.__dictoffset__
    size = (
        base.__basicsize__
        + 8 * len(slots)
        + 8 * has_dict
        + 8 * (kind.__weakrefoffset__ > 0 and not base.__weakrefoffset__)
    )
    if kind.__basicsize__ != size or kind.__itemsize__ != base.__itemsize__:
        return words
    return tuple(slots)


ERROR_PARTS = tuple(vars(BaseException)[name] for name in ("args", "__cause__", "__context__", "__suppress_context__"))
"""What an error keeps beside its attributes, in the order in which it is set again."""


def tell_error(kind: type) -> None:
    """Hold that errors of a class keep no more than `ERROR_PARTS`, attributes, and where they were raised.

    Raises: NotRead where they do.
    """
    base = next(each for each in kind.__mro__ if not each.__flags__ & 1 << 9)
    slots = any("__slots__" in vars(each) for each in kind.__mro__ if each.__flags__ & 1 << 9)
    if base.__basicsize__ != BaseException.__basicsize__ or slots or hasattr(kind, "__del__"):
        raise NotRead(f"an error of type {class_name(kind)} keeps state that cannot be seen")
