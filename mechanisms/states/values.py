"""Visits of values: numbers, containers, arrays of numpy."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Protocol

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home


class Visitor(Protocol):
    """One walk: `named` are the globals that it came to; it may go on from what another walk found."""

    home: Home
    further: bool
    named: set[tuple[int, str]]
    places: list[tuple[Any, str, Any]]  # namespaces, names that code may look up there, and what they mean

    def visit(self, value: Any, depth: int = 0) -> None:
        """Add all that is reachable from a value."""
        ...

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is noted."""
        ...


def visit_atom(walk: Visitor, value: Any, depth: int) -> None:
    """Visit what reaches nothing and cannot be changed; not NaN."""
    if value != value:
        raise NotRead("NaN is found in a list or not by which object it is")


def visit_parts(walk: Visitor, value: Iterable[Any], depth: int) -> None:
    """Visit what a container holds."""
    for part in list(value):
        walk.visit(part, depth)


def visit_changing(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a container that can be changed."""
    if not walk.seen(value):
        visit_parts(walk, value, depth)


def visit_dict(walk: Visitor, value: dict[Any, Any], depth: int) -> None:
    """Visit a dict."""
    if not walk.seen(value):
        for name, part in list(value.items()):
            walk.visit(name, depth)
            walk.visit(part, depth)


def visit_part_of_tuple(walk: Visitor, value: Any, kind: type, depth: int) -> None:
    """Visit a named tuple."""
    if type(getattr(kind, "_fields", None)) is not tuple or kind.__basicsize__ != tuple.__basicsize__:
        raise NotRead(f"a value of type {class_name(kind)} cannot be told whole")
    if getattr(value, "__dict__", None):
        raise NotRead(f"a value of type {class_name(kind)} keeps attributes")
    walk.visit(kind, depth)
    visit_parts(walk, tuple.__getitem__(value, slice(None)), depth)


def visit_numpy(walk: Visitor, value: Any) -> None:
    """Visit a scalar or an array of numpy."""
    numpy = sys.modules["numpy"]
    if type(value) is numpy.ndarray:
        if not walk.seen(value) and (value.base is not None or not value.flags.owndata):
            raise NotRead("an array of numpy shares its memory")
        if value.dtype.hasobject or value.dtype.names or value.dtype.metadata:
            raise NotRead(f"an array of numpy has a dtype that keeps more than a kind of numbers: {value.dtype}")
    elif not isinstance(value, numpy.generic) or isinstance(value, (numpy.void, numpy.object_)):
        raise NotRead(f"a value of type {class_name(type(value))} cannot be told whole")
    else:
        visit_atom(walk, value, 0)
