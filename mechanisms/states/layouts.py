"""The layout of instances of classes written in Python, on nothing but `object` or a container."""

from __future__ import annotations

import types
import warnings
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead

ITEMS: frozenset[type] = frozenset({OrderedDict, defaultdict, dict})
ELEMENTS: frozenset[type] = frozenset({deque, list})
CONTAINERS = ITEMS | ELEMENTS


def base_of(kind: type) -> type | None:
    """Return the container that a class is built on, or None."""
    return next((base for base in kind.__mro__ if base in CONTAINERS), None)


def quietly(function: Callable[[], Any]) -> Any:
    """Call what CPython 3.12 warns about, which 3.14 does without."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


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
        if not each.__flags__ & 1 << 9 or "__module__" not in vars(each):
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
