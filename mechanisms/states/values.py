"""Visits of values: numbers, texts and containers, undecided numbers, and coins."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Affine, FloorDiv, LazyInt
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.outcome import class_name, key
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.visitor import Visitor

NAN = "NaN is found in a list or not by which object it is"


def visit_atom(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a number that is one by its value."""
    if isinstance(value, (float, complex)) and value != value:
        raise NotRead(NAN)
    try:
        walk.tokens.append(key(value))
    except Unauditable as error:
        raise NotRead(str(error)) from None


def visit_range(walk: Visitor, value: range, depth: int) -> None:
    """Visit a range."""
    walk.tokens += ("range", value.start, value.stop, value.step)


def visit_pattern(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a regular expression."""
    walk.tokens += ("pattern", value.pattern, value.flags)


def visit_parts(walk: Visitor, value: Iterable[Any], depth: int) -> None:
    """Visit what a container holds, in order."""
    parts = list(value)
    walk.tokens += (type(value), len(parts))
    for part in parts:
        walk.visit(part, depth)


def visit_sequence(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a list or a deque."""
    if not walk.seen(value):
        visit_parts(walk, value, depth)
        if type(value) is deque:
            walk.tokens.append(value.maxlen)


def visit_bytearray(walk: Visitor, value: bytearray, depth: int) -> None:
    """Visit bytes that can be changed."""
    if not walk.seen(value):
        walk.tokens += (bytearray, bytes(value))


def visit_dict(walk: Visitor, value: dict[Any, Any], depth: int) -> None:
    """Visit a dict, in its order."""
    if not walk.seen(value):
        walk.tokens += (dict, len(value))
        for name, part in list(value.items()):
            walk.visit(name, depth)
            walk.visit(part, depth)


def visit_set(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a set."""
    if not walk.seen(value):
        visit_parts(walk, value, depth)


def visit_part_of_tuple(walk: Visitor, value: Any, kind: type, depth: int) -> None:
    """Visit a named tuple."""
    if type(getattr(kind, "_fields", None)) is not tuple or kind.__basicsize__ != tuple.__basicsize__:
        raise NotRead(f"a value of type {class_name(kind)} cannot be told whole")
    if getattr(value, "__dict__", None):
        raise NotRead(f"a value of type {class_name(kind)} keeps attributes")
    walk.visit(kind, depth)
    walk.tokens += ("named", walk.home.address(kind))
    visit_parts(walk, tuple.__getitem__(value, slice(None)), depth)


def visit_numpy(walk: Visitor, value: Any) -> None:
    """Visit a scalar or an array of numpy."""
    numpy = sys.modules["numpy"]
    if type(value) is numpy.ndarray:
        if walk.seen(value):
            return
        if value.base is not None or not value.flags.owndata:
            raise NotRead("an array of numpy shares its memory")
        walk.tokens += ("array", value.strides, bool(value.flags.writeable))
    elif bool(value != value):
        raise NotRead(NAN)
    visit_atom(walk, value, 0)


def visit_lazy(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a number that is undecided."""
    node = value._node
    if node.count() == 1:
        walk.visit(value._image(node.least()), depth + 1)
    elif type(value) is LazyInt and value._span() == 1:
        walk.visit(value._bounds()[0], depth + 1)
    elif type(value) is LazyInt and all(type(f) in (Affine, FloorDiv) for f in value._maps):
        walk.undecided = True
        walk.tokens += ("undecided", tuple(tuple(f) for f in value._maps))
        visit_node(walk, node, depth + 1)
    else:
        raise NotRead("an undecided float is kept; ask what it must decide before the next draw")


def visit_node(walk: Visitor, node: Node, depth: int) -> None:
    """Visit what is left undecided of a draw."""
    if walk.seen(node):
        return
    if node.radix:
        walk.tokens += ("digits", node.radix, node.shift)
        visit_node(walk, node.high, depth + 1)
        visit_node(walk, node.low, depth + 1)
    else:
        walk.tokens += ("interval", node.lo, node.hi)


def visit_coins(walk: Visitor, value: Coins, depth: int) -> None:
    """Visit the coins."""
    if value is not walk.coins:
        raise NotRead("other coins than the program's are kept")
    walk.tokens += (Coins, len(vars(value)))
    for name, part in vars(value).items():
        if name != "_source":
            walk.tokens.append(name)
            walk.visit(part, depth)
