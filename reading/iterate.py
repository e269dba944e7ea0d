"""Iterators over built-in sequences, ranges and dicts: a place in a source, no more."""

from collections import OrderedDict
from enum import EnumType
from typing import Any

from dpcert.reading.border import mismatch, throw
from dpcert.reading.containers import set_rows
from dpcert.reading.domains.deferred import forced
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import extent, find
from dpcert.reading.values import (
    MISSING,
    Deque,
    Dict,
    Draw,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Set,
    Undecided,
    Value,
    View,
)

SEQUENCES = {List: "list", tuple: "tuple", str: "str", bytes: "bytes"}


def iterator(m: Any, value: Value) -> Value:
    """The value of `iter(value)`, or the call that finds it.

    Raises: Thrown with CPython's TypeError; Refused for the order of a set.
    """
    kind = value.__class__
    if kind in SEQUENCES:
        return Iter(SEQUENCES[kind], value)
    if kind is range:
        return Iter("range", value.step, value.start, extent(value))
    if kind is Generator or kind is Iter:
        return value
    if kind is Dict:
        return Iter("keys", value, 0, len(value.items))
    if kind is View:
        return Iter(value.kind, value.source, 0, len(value.source.items))
    return _rarely(m, value)


def _rarely(m: Any, value: Value) -> Value:
    match value:
        case Deque():
            return Iter("deque", value, 0, len(value.items))
        case Set():
            return Iter("set", value, 0, len(set_rows(value)))
        case Named():
            return Iter("tuple", value.items)
        case Instance() if (function := find(m, value, "__iter__")) is not None:
            return call_act(function, (value,)).then("iterator")
        case Instance() if find(m, value, "__getitem__") is not None:
            return asked("by_items", value)
        case Instance():
            raise mismatch(iter, value)
    if isinstance(value, EnumType) and type(value) is EnumType:
        members = [value._member_map_[name] for name in value._member_names_]
        pin = m.pins.number(value)
        return Iter("members", tuple([m.heap.take(each, pin, "static_member", each._name_) for each in members]))
    if (other := foreign(value)) is not None:
        other.begin(value)
        own = other.own(m, value)
        return Iter("foreign", value) if own is None else Iter("own", List(own))
    raise mismatch(iter, value)


def step(it: Iter) -> Value:
    """The next item of an iterator, or MISSING; it moves on.

    Raises: Thrown where the dict changed its size; Refused where what comes next is not known.
    """
    if it.source is None:
        return MISSING
    if it.kind == "range":
        return _step_range(it)
    if it.kind.split()[0] in ("keys", "values", "items", "deque", "set"):
        return _step_dict(it)
    if it.kind.split()[0] == "foreign":
        return _step_foreign(it)
    if it.kind == "own":  # what was given is told no more
        return take(it.source) if it.source.items else end(it)
    items = it.source.items if it.source.__class__ is List else it.source
    if it.kind in ("reversed", "backwards"):
        place, it.place = it.place, it.place - 1
        return items[place] if 0 <= place < len(items) else end(it)
    if it.place >= len(items):
        return end(it)
    it.place += 1
    return items[it.place - 1]


def end(it: Iter) -> Value:
    """The end of an iterator, which lets go of its source."""
    it.source, it.place = None, -1
    return MISSING


def take(rows: List) -> Value:
    """The last value of rows of values with their counts, which is removed: of draws of one law any is the next.

    Raises: Ask where the value is computed now.
    """
    value, count = rows.items[-1]
    if count <= 1:
        value = forced(value)
        rows.edit().pop()
        return value
    rows.edit()[-1] = value, count - 1
    return Undecided(Draw(value.draw.lo, value.draw.hi, value.draw.kind), value.chain)


def _step_foreign(it: Iter) -> Value:
    other = foreign(it.source)
    found = MISSING if other is None or it.place < 0 else other.item(it.source, it.place)
    if other is not None:
        it.place += -other.pace if it.kind == "foreign reversed" else other.pace
    return end(it) if found is MISSING else found


def _step_range(it: Iter) -> Value:
    if it.count == 0:
        it.place = 0
        return MISSING
    it.count -= 1
    it.place += it.source
    return it.place - it.source


def _step_dict(it: Iter) -> Value:
    source = it.source
    if it.count < 0 or len(source.items) != it.count or (it.kind == "deque" and it.changes != source.changes):
        if getattr(source, "kind", None) is OrderedDict:
            raise Refused("an OrderedDict is changed while it is iterated over; iterate over list(...) of it")
        it.count = -1
        what = {"deque": "deque mutated", "set": "Set changed size"}.get(it.kind, "dictionary changed size")
        raise throw(RuntimeError, f"{what} during iteration")
    if it.changes != source.changes:
        raise Refused("a dict or set is changed while it is iterated over; iterate over list(...) of it")
    if not 0 <= it.place < it.count:
        return MISSING if it.kind == "deque" else end(it)
    place, it.place = it.place, it.place + (-1 if it.kind.endswith("reversed") else 1)
    if it.kind in ("deque", "set"):
        return source.items[place] if it.kind == "deque" else next(iter(source.items.values()))
    key, part = source.items[source.order()[place]]
    kind = it.kind.split()[0]
    return key if kind == "keys" else part if kind == "values" else (key, part)


def reverse(m: Any, value: Value) -> Value:
    """The value of `reversed(value)`, or the call that finds it."""
    kind = value.__class__
    if kind is List:
        return Iter("reversed", value, len(value.items) - 1)
    if kind in (tuple, str, bytes):
        return Iter("backwards", value, len(value) - 1)
    if kind is range:
        return Iter("range", -value.step, value.start + value.step * (extent(value) - 1), len(value))
    if kind is Named:
        return Iter("backwards", value.items, len(value.items) - 1)
    if kind in (Dict, View):
        source, what = (value, "keys") if kind is Dict else (value.source, value.kind)
        return Iter(f"{what} reversed", source, len(source.items) - 1, len(source.items))
    if isinstance(value, Instance):
        return asked("reversed_of", value)
    if (other := foreign(value)) is not None:
        count = other.length(value)
        if count.__class__ is not int:
            raise Refused(f"reversed of {other.name} is not followed")
        return Iter("foreign reversed", value, count - 1)
    raise mismatch(reversed, value)
