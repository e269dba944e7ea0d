"""The methods of lists, dicts, sets, deques and tuples, on records.

Each rule decides what it must know first, and changes a record last, so that a question leaves all as it was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from dpcert.reading.border import mismatch, native, throw
from dpcert.reading.domains.coins import decide
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import key_of
from dpcert.reading.numpy.kinds import whole
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


def get_item(m: Any, owner: Value, place: Value) -> Value:
    """What `owner[place]` is, for a built-in sequence or dict."""
    kind = owner.__class__
    if kind is Dict:
        return _dict_item(m, owner, place)
    items = owner if kind is tuple else owner.items
    found = _at(owner, items, index_of(place))
    if place.__class__ is not Slice:
        return found
    return List(list(found)) if kind is List else tuple(found)


def _at(owner: Value, items: Any, index: Any, assigned: str = "") -> Any:
    if type(index) not in (int, bool, slice):
        raise mismatch(lambda each, other: each[other], owner, index if type(index) in SCALARS else None)
    if owner.__class__ is Deque and type(index) is slice:
        raise throw(TypeError, "sequence index must be integer, not 'slice'")
    try:
        return items[index]
    except IndexError:
        name = {List: f"list{assigned}", tuple: "tuple", Named: "tuple", Deque: "deque"}[owner.__class__]
        raise throw(IndexError, f"{name} index out of range") from None
    except (TypeError, ValueError):
        raise mismatch_or_value(owner, index) from None


def mismatch_or_value(owner: Value, index: Any) -> Any:
    """The error of CPython for a slice of other things than ints."""
    try:
        [][index]
    except (TypeError, ValueError) as fault:
        return throw(type(fault), *fault.args)
    raise Refused("a slice is not followed")


def _dict_item(m: Any, owner: Dict, place: Value) -> Value:
    name, key = settle_key(m, place)
    found = owner.items.get(name)
    if found is not None:
        return found[1]
    if owner.kind is defaultdict and owner.factory is not None:
        return call_act(m.prelude("missing"), (owner, key, owner.factory))
    if owner.kind is Counter:
        return 0
    raise throw(KeyError, key)


def set_item(m: Any, owner: Value, place: Value, value: Value) -> None:
    """Do `owner[place] = value`."""
    kind = owner.__class__
    if kind is Dict:
        owner.put(*settle_key(m, place), value)
    elif kind is List or kind is Deque:
        _set_place(owner, index_of(place), value)
    elif (other := foreign(owner)) is not None:
        other.set_item(m, owner, place, value)
    else:
        raise mismatch(
            lambda a, b, c: a.__setitem__(b, c) if hasattr(a, "__setitem__") else _store(a), owner, None, None
        )


def _store(owner: Any) -> None:
    owner[0] = 0


def _set_place(owner: Any, index: Any, value: Value) -> None:
    if type(index) is slice:
        if value.__class__ not in (List, tuple) or owner.__class__ is Deque:
            raise Refused("a slice is assigned other things than a list or tuple; assign list(...) of it")
        value = rows(value)
    else:
        _at(owner, owner.items, index, " assignment")
    try:
        owner.edit()[index] = value
    except (ValueError, IndexError, TypeError) as fault:
        raise throw(type(fault), *fault.args) from None


def delete_item(m: Any, owner: Value, place: Value) -> None:
    """Do `del owner[place]`."""
    if owner.__class__ is Dict:
        name, key = settle_key(m, place)
        if name in owner.items:
            owner.remove(name)
        elif owner.kind is not Counter:
            raise throw(KeyError, key)
    elif owner.__class__ in (List, Deque):
        index = index_of(place)
        _at(owner, owner.items, index, " assignment")
        if owner.__class__ is Deque:
            owner.changes += 1
        del owner.edit()[index]
    else:
        raise mismatch(_delete, owner)


def _delete(owner: Any) -> None:
    del owner[0]


# -- lists and deques


@method("append", List)
def _append(m: Any, owner: List, value: Value) -> None:
    owner.edit().append(value)


@method("insert", List)
def _insert(m: Any, owner: List, place: Value, value: Value) -> None:
    index = index_of(place)
    if type(index) not in (int, bool):
        raise mismatch(lambda each: [0].insert(each, 0), place)
    owner.edit().insert(index, value)


@method("pop", List)
def _pop(m: Any, owner: List, place: Value = -1) -> Value:
    index = index_of(place)
    if not owner.items:
        raise throw(IndexError, "pop from empty list")
    if type(index) not in (int, bool):
        raise mismatch(lambda each: [0].pop(each), place)
    if not -len(owner.items) <= index < len(owner.items):
        raise throw(IndexError, "pop index out of range")
    return owner.edit().pop(index)


@method("clear", List, Deque)
def _clear(m: Any, owner: Any) -> None:
    if owner.__class__ is Deque:
        owner.changes += bool(owner.items)
    owner.edit().clear()


@method("copy", List)
def _copy_list(m: Any, owner: List) -> List:
    return List(list(owner.items))


@method("reverse", List, Deque)
def _reverse(m: Any, owner: Any) -> None:
    owner.edit().reverse()


@method("extend", List)
def extend(m: Any, owner: List, other: Value) -> Value:
    """Append all that an iterable gives."""
    items = rows(other)
    if items is None:
        return call_act(m.prelude("extend"), (owner, other))
    owner.edit().extend(items)
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
        items = owner if owner.__class__ is tuple else owner.items
        if value.__class__ in SCALARS and plain(items) and plain(bounds) and owner.__class__ is not Deque:
            holder = List(list(items)) if owner.__class__ is List else tuple(items)
            return native(getattr(list if owner.__class__ is List else tuple, name), (holder, value, *bounds))
        if owner.__class__ is Deque and (bounds or not plain((*items, value))):
            raise Refused("index() and count() of a deque are followed for plain values, without bounds")
        return call_act(m.prelude(f"{name}_in"), (owner, value, *bounds))

    return rule


for _name in ("index", "count"):
    method(_name, List, tuple, Deque, Named)(_searching(_name))


@method("remove", List)
def _remove(m: Any, owner: List, value: Value) -> Value:
    if value.__class__ in SCALARS and plain(owner.items):
        place = next((i for i, each in enumerate(owner.items) if each == value), None)
        if place is None:
            raise throw(ValueError, "list.remove(x): x not in list")
        del owner.edit()[place]
        return None
    return call_act(m.prelude("remove_from"), (owner, value))


def _push(owner: Deque, value: Value, left: bool) -> None:
    items = owner.edit()
    owner.changes += 1
    if left:
        items.insert(0, value)
    else:
        items.append(value)
    if owner.limit is not None and len(items) > owner.limit:
        items.pop(-1 if left else 0)


@method("append", Deque)
def _deque_append(m: Any, owner: Deque, value: Value) -> None:
    _push(owner, value, False)


@method("appendleft", Deque)
def _deque_append_left(m: Any, owner: Deque, value: Value) -> None:
    _push(owner, value, True)


@method("extend", Deque)
def _deque_extend(m: Any, owner: Deque, other: Value) -> Value:
    items = rows(other)
    if items is None:
        return call_act(m.prelude("extend"), (owner, other))
    for each in items:
        _push(owner, each, False)
    return None


def _deque_pop(side: int) -> Method:
    def rule(m: Any, owner: Deque) -> Value:
        if not owner.items:
            raise throw(IndexError, "pop from an empty deque")
        owner.changes += 1
        return owner.edit().pop(side)

    return rule


method("pop", Deque)(_deque_pop(-1))
method("popleft", Deque)(_deque_pop(0))


@method("rotate", Deque)
def _rotate(m: Any, owner: Deque, steps: Value = 1) -> None:
    count = index_of(steps)
    if type(count) not in (int, bool):
        raise Refused("a deque is rotated by other than an int")
    items = owner.edit()
    owner.changes += len(items) > 1
    if items:
        turn = count % len(items)
        items[:] = items[-turn:] + items[:-turn] if turn else items


# -- what is iterated over at once


def rows(value: Value) -> list[Value] | None:
    """All that an iterable gives, where that is known without running code; None where it is not.

    Raises: Refused for the order of a set.
    """
    kind = value.__class__
    if kind is tuple:
        return list(value)
    if kind in (List, Deque):
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
