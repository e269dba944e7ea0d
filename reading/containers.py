"""The methods of lists, deques, tuples and dicts, on records.

Each rule decides what it must know first, and changes a record last, so that a question leaves all as it was.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from dpcert.reading.border import mismatch, native, throw, thrown
from dpcert.reading.domains.coins import decide
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import key_of
from dpcert.reading.numpy.kinds import whole
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import extent, find
from dpcert.reading.values import (
    SCALARS,
    Bound,
    Deque,
    Dict,
    Instance,
    Iter,
    List,
    Named,
    Partial,
    Rule,
    Set,
    Slice,
    Types,
    Undecided,
    Value,
    View,
)

METHODS: dict[type, dict[str, Callable[..., Any]]] = {}
Method = Callable[..., Any]


def method(names: str, *kinds: type) -> Callable[[Method], Method]:
    """Make a function the rule of some methods of some kinds of records."""

    def add(rule: Method) -> Method:
        for kind in kinds:
            METHODS.setdefault(kind, {}).update(dict.fromkeys(names.split(), rule))
        return rule

    return add


def settle_key(m: Any, value: Value) -> tuple[Any, Value]:
    """What stands for a value as a key, and the value, decided.

    Raises: Ask; Thrown for what has no hash; Refused for what hashes in a way of its own.
    """
    decided = _decided_key(m, value)
    return key_of(decided), decided


def _decided_key(m: Any, value: Value) -> Value:
    kind = value.__class__
    if kind in SCALARS:
        return value
    if kind is Undecided:
        return decide(value)
    if kind is tuple:
        return tuple([_decided_key(m, part) for part in value])
    if kind in (List, Dict, Deque, Slice) or foreign(value) is not None or (kind is Set and not value.frozen):
        raise mismatch(hash, value)
    if kind is Named:
        for part in value.items:
            _decided_key(m, part)
    elif isinstance(value, Instance) and (
        value.cls is SimpleNamespace or find(m, value, "__eq__") or find(m, value, "__hash__")
    ):
        raise Refused("an instance that is compared in its own way is a key; use a tuple of its fields")
    elif isinstance(value, (View, Iter, Bound, Rule, Types, Partial)):
        raise Refused("a method, view or iterator is a key; use a text")
    return value


def refuse_set(value: Value) -> None:
    """Refuse a set that is looked for among keys: CPython looks for a frozenset of its elements instead."""
    if value.__class__ is Set and not value.frozen:
        raise Refused("a set is looked for among keys; make a frozenset of it")


def plain(values: Iterable[Value]) -> bool:
    """Whether all values are scalars."""
    return all(each.__class__ in SCALARS for each in values)


# -- indices


def index_of(value: Value) -> Any:
    """A decided index: an int, or a slice of ints."""
    if value.__class__ is Undecided:
        return whole(decide(value))
    if value.__class__ is Slice:
        return slice(*(index_of(each) for each in (value.start, value.stop, value.step)))
    if value.__class__ in SCALARS:
        return whole(value)
    raise Refused("an index of another type than int is not followed")


def on_row(owner: Value, operation: Callable[..., Any], *args: Any, edits: bool = False) -> Any:
    """What CPython's own operation on a host row of values gives: it moves them, and looks at none that is a record.

    Claims: with `edits` the record is as the operation left the row; where it raises, nothing changed.
    """
    kind = owner.__class__
    if kind is Deque:
        row: Any = deque(owner.items, owner.limit)
    elif kind is List:
        row = owner.items if type(owner.items) is list else list(owner.items)
    else:
        row = owner if kind is tuple else owner.items
    try:
        found = operation(row, *args)
    except Exception as fault:
        raise thrown(fault) from None
    if edits:
        owner.items = row if kind is List else list(row)
    return found


def get_item(m: Any, owner: Value, place: Value) -> Value:
    """What `owner[place]` is, for a built-in sequence or dict."""
    if owner.__class__ is Dict:
        return _dict_item(m, owner, place)
    found = on_row(owner, operator.getitem, index_of(place))
    return (List(found) if owner.__class__ is List else found) if place.__class__ is Slice else found


def _dict_item(m: Any, owner: Dict, place: Value) -> Value:
    name, key = settle_key(m, place)
    found = owner.items.get(name)
    if found is not None:
        return found[1]
    if owner.kind is defaultdict and owner.factory is not None:
        return asked("missing", owner, key, owner.factory)
    if owner.kind is Counter:
        return 0
    raise throw(KeyError, key)


def set_item(m: Any, owner: Value, place: Value, value: Value) -> Value:
    """Do `owner[place] = value`: None, or the call that does it."""
    kind = owner.__class__
    if kind is Dict:
        owner.put(*settle_key(m, place), value)
    elif isinstance(owner, Instance) and (function := find(m, owner, "__setitem__")) is not None:
        return call_act(function, (owner, place, value))
    elif kind is List or kind is Deque:
        _set_place(owner, index_of(place), value)
    elif (other := foreign(owner)) is not None:
        other.set_item(m, owner, place, value)
    else:
        raise mismatch(
            lambda a, b, c: a.__setitem__(b, c) if hasattr(a, "__setitem__") else _store(a), owner, None, None
        )
    return None


def _store(owner: Any) -> None:
    owner[0] = 0


def _set_place(owner: Any, index: Any, value: Value) -> None:
    if type(index) is slice:
        if value.__class__ not in (List, tuple) or owner.__class__ is Deque:
            raise Refused("a slice is assigned other things than a list or tuple; assign list(...) of it")
        value = rows(value)
    on_row(owner, operator.setitem, index, value, edits=True)


def delete_item(m: Any, owner: Value, place: Value) -> Value:
    """Do `del owner[place]`: None, or the call that does it."""
    if isinstance(owner, Instance) and (function := find(m, owner, "__delitem__")) is not None:
        return call_act(function, (owner, place))
    if owner.__class__ is Dict:
        name, key = settle_key(m, place)
        if name in owner.items:
            owner.remove(name)
        elif owner.kind is not Counter:
            raise throw(KeyError, key)
    elif owner.__class__ in (List, Deque):
        on_row(owner, operator.delitem, index_of(place), edits=True)
        if owner.__class__ is Deque:
            owner.changes += 1
    else:
        raise mismatch(_delete, owner)
    return None


def _delete(owner: Any) -> None:
    del owner[0]


# -- lists and deques


def _moving(name: str, places: int) -> Method:
    """The rule of a method that moves values; the first `places` arguments are indices."""

    def rule(m: Any, owner: Any, *args: Value) -> Value:
        decided = [index_of(each) for each in args[:places]]
        size = len(owner.items)
        found = on_row(owner, operator.methodcaller(name, *decided, *args[places:]), edits=name != "copy")
        if owner.__class__ is Deque:
            owner.changes += {"reverse": 0, "copy": 0, "rotate": size > 1, "clear": size > 0}.get(name, 1)
        if name == "copy":
            return List(found) if owner.__class__ is List else Deque(list(found), owner.limit)
        return found

    return rule


for _name, _places in {"append": 0, "insert": 1, "pop": 1, "clear": 0, "copy": 0, "reverse": 0}.items():
    method(_name, List, Deque)(_moving(_name, _places))
for _name, _places in {"appendleft": 0, "popleft": 0, "rotate": 1}.items():
    method(_name, Deque)(_moving(_name, _places))


@method("extend", List, Deque)
def extend(m: Any, owner: Any, other: Value) -> Value:
    """Append all that an iterable gives."""
    items = rows(other)
    if items is None:
        return asked("extend", owner, other)
    on_row(owner, operator.methodcaller("extend", items), edits=True)
    if owner.__class__ is Deque:
        owner.changes += bool(items)
    return None


@method("sort", List)
def _sort(m: Any, owner: List, *, key: Value = None, reverse: Value = False) -> Value:
    if key is None and plain(owner.items) and reverse.__class__ in SCALARS:
        found = native(sorted, (List(list(owner.items)),), {"reverse": reverse})
        owner.edit()[:] = found.items
        return None
    return call_act(m.prelude("sort_in_place"), (owner,), {"key": key, "reverse": reverse})


def _searching(name: str) -> Method:
    def rule(m: Any, owner: Value, value: Value, *bounds: Value) -> Value:
        if plain((value, *bounds)) and plain(owner if owner.__class__ is tuple else owner.items):
            return on_row(owner, operator.methodcaller(name, value, *bounds), edits=name == "remove")
        if owner.__class__ is Deque or any(each.__class__ not in (int, bool) for each in map(index_of, bounds)):
            raise Refused(f"{name}() is followed for plain values in a deque, and between ints in what is no deque")
        return asked(f"{name}_in", owner, value, *bounds)

    return rule


for _name in ("index", "count"):
    method(_name, List, tuple, Deque, Named)(_searching(_name))
method("remove", List)(_searching("remove"))


# -- dicts


@method("get", Dict)
def _get(m: Any, owner: Dict, key: Value, default: Value = None) -> Value:
    found = owner.items.get(settle_key(m, key)[0])
    return default if found is None else found[1]


@method("setdefault", Dict)
def _setdefault(m: Any, owner: Dict, key: Value, default: Value = None) -> Value:
    name, decided = settle_key(m, key)
    if name not in owner.items:
        owner.put(name, decided, default)
    return owner.items[name][1]


@method("pop", Dict)
def _dict_pop(m: Any, owner: Dict, key: Value, *default: Value) -> Value:
    if len(default) > 1:
        raise Refused("pop is called with arguments that it does not take")
    empty = not owner.items and owner.kind is not OrderedDict  # then CPython asks no hash of the key
    name, decided = (None, key) if empty else settle_key(m, key)
    if name in owner.items:
        return owner.remove(name)[1]
    if default:
        return default[0]
    raise _no_key(owner, decided)


def _no_key(owner: Dict, key: Value) -> Any:
    """The error for a key that is not there; an OrderedDict makes its arguments of a tuple, and none of None."""
    if owner.kind is OrderedDict and (key is None or key.__class__ not in SCALARS):
        raise Refused("an OrderedDict lacks a key that is no number or text")
    return throw(KeyError, key)


@method("popitem", Dict)
def _popitem(m: Any, owner: Dict, *last: Value) -> Value:
    if last and (owner.kind is not OrderedDict or last[0] is not True or len(last) > 1):
        raise Refused("popitem(last=False) is not followed; use pop(next(iter(...)))")
    if not owner.items:
        raise throw(KeyError, "dictionary is empty" if owner.kind is OrderedDict else "popitem(): dictionary is empty")
    return tuple(owner.remove(next(reversed(owner.items))))


@method("clear", Dict)
def _dict_clear(m: Any, owner: Dict) -> None:
    owner.changes += 1
    owner.edit().clear()


method("copy", Dict)(lambda m, owner: Dict(dict(owner.items), owner.kind, owner.factory))


def _view(kind: str) -> Method:
    return lambda m, owner: View(owner, kind)


for _name in ("keys", "values", "items"):
    method(_name, Dict)(_view(_name))


@method("update", Dict)
def update(m: Any, owner: Dict, other: Value = (), /, **named: Value) -> Value:
    """Take over the pairs of a dict, or of an iterable of pairs."""
    if other.__class__ is not Dict:
        if other.__class__ is not tuple or other:
            return call_act(m.prelude("update"), (owner, other), named)
        pairs = []
    else:
        pairs = [(name, *pair) for name, pair in other.items.items()]
    for name, key, value in [*pairs, *((name, name, value) for name, value in named.items())]:
        owner.put(name, key, value)
    return None


@method("move_to_end", Dict)
def _move_to_end(m: Any, owner: Dict, key: Value, last: Value = True) -> None:
    if owner.kind is not OrderedDict or last is not True:
        raise Refused("move_to_end is followed for an OrderedDict, to its end")
    name, decided = settle_key(m, key)
    if name not in owner.items:
        raise _no_key(owner, decided)
    pair = owner.remove(name)
    owner.edit()[name] = pair


# -- what is iterated over at once


def rows(value: Value) -> list[Value] | None:
    """All that an iterable gives, where that is known without running code; None where it is not.

    Raises: Refused for the order of a set.
    """
    kind = value.__class__
    if kind is tuple:
        return list(value)
    if kind in (List, Deque, Named):
        return list(value.items)
    if kind is Dict:
        return [key for key, _ in value.pairs()]
    if kind is View:
        return view_rows(value)
    if kind is Set:
        return set_rows(value)
    if kind in (str, bytes):
        return list(value)
    if kind is range and extent(value) < 1_000_000:
        return list(value)
    return None if (other := foreign(value)) is None else other.rows(value)


def view_rows(view: View) -> list[Value]:
    """What a view of a dict gives, in order."""
    pairs = view.source.pairs()
    if view.kind == "items":
        return [tuple(pair) for pair in pairs]
    return [key if view.kind == "keys" else part for key, part in pairs]


def set_rows(value: Set) -> list[Value]:
    """The elements of a set that has an order: of none or of one.

    Raises: Refused for more, whose order is not told.
    """
    if len(value.items) > 1:
        raise Refused("the order of a set is not followed; sort it")
    return list(value.items.values())
