"""The methods of lists, deques, tuples, dicts and sets, on records.

Each rule first decides the values that it must know, and changes a record last, so that a question changes nothing.
Rules see the elements of a set, but never their order. Two sets may have equal elements that a program can distinguish,
such as 1 and True: which one CPython keeps depends on the sizes of its tables, so that rules refuse them.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, KeysView
from fractions import Fraction
from typing import Any

from dpcert.reading.border import mismatch, native, throw, thrown
from dpcert.reading.domains.coins import decide
from dpcert.reading.domains.steps import COMPARED, same
from dpcert.reading.errors import Refused, Thrown, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import key_of
from dpcert.reading.numpy.kinds import whole
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import extent, find, lookup
from dpcert.reading.values import (
    NUMBERS,
    SCALARS,
    Bound,
    Deque,
    Dict,
    Instance,
    Iter,
    List,
    Named,
    Partial,
    Record,
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
    """The name of a value as a key (`key_of`), and the decided value.

    Raises: Ask; Thrown for a value without a hash; Refused for a value with a hash of its own.
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
        any(lookup(m, value.cls, name) is not vars(object)[name] for name in ("__eq__", "__hash__"))
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
    """The result of CPython's own operation on a host row of values: it moves them, and looks into no record.

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
    """The value of `owner[place]`, for a built-in sequence or dict."""
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
        index = index_of(place)
        if type(index) is slice:
            if value.__class__ not in (List, tuple) or kind is Deque:
                raise Refused("a slice is assigned other things than a list or tuple; assign list(...) of it")
            value = rows(value)
        on_row(owner, operator.setitem, index, value, edits=True)
    elif (other := foreign(owner)) is not None:
        other.set_item(m, owner, place, value)
    else:
        raise _without_items(operator.setitem, owner, place, 0)
    return None


def _without_items(function: Callable[..., Any], owner: Value, place: Value, *rest: Value) -> Thrown:
    """The TypeError of an owner whose items are not set or deleted. CPython may look at the index first."""
    if isinstance(place, Instance):
        raise Refused("an instance is an index; use an int")
    return mismatch(function, owner, place, *rest)


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
        raise _without_items(operator.delitem, owner, place)
    return None


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
    """Append all items of an iterable."""
    items = rows(other)
    if items is None:
        return asked("extended" if owner.__class__ is List else "extend", owner, other).then("instance_none")
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
    """The error for a missing key; an OrderedDict's has the parts of a tuple as arguments, and none for None."""
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


# -- the items of iterables


def rows(value: Value) -> list[Value] | None:
    """All items of an iterable, where they are known without running code; else None.

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
    """The items of a view of a dict, in order."""
    pairs = view.source.pairs()
    if view.kind == "items":
        return [tuple(pair) for pair in pairs]
    return [key if view.kind == "keys" else part for key, part in pairs]


def set_rows(value: Set) -> list[Value]:
    """The elements of a set that has at most one.

    Raises: Refused for more, since their order is not known.
    """
    if len(value.items) > 1:
        raise Refused("the order of a set is not followed; sort it")
    return list(value.items.values())


# -- sets

ORDERED = frozenset({int, bool, float, Fraction, Undecided})


def make_set(m: Any, values: Iterable[Value], frozen: bool = False) -> Set:
    """A new set of values; of equal ones the first stays."""
    items: dict[Any, Value] = {}
    for each in values:
        name, decided = settle_key(m, each)
        items.setdefault(name, decided)
    return Set(items, frozen)


def _alike(a: Value, b: Value) -> bool:
    if a.__class__ is tuple and b.__class__ is tuple:
        return len(a) == len(b) and all(map(_alike, a, b))
    if a.__class__ in NUMBERS and b.__class__ in NUMBERS:
        return same(a, b)
    return (
        a is b
        or (a.__class__ in SCALARS and a.__class__ is b.__class__)
        or (isinstance(a, Record) and isinstance(b, Record))
    )


def elements(m: Any, value: Value) -> dict[Any, Value] | None:
    """The elements of a set, or of an iterable that is known; None where code must run."""
    if value.__class__ is Set:
        found: dict[Any, Value] = dict(value.items)
        return found
    listed = rows(value)
    return None if listed is None else make_set(m, listed).items


def _or(a: dict[Any, Value], b: dict[Any, Value]) -> dict[Any, Value]:
    return {**b, **a}


OPERATIONS: dict[str, Callable[[dict[Any, Value], dict[Any, Value]], dict[Any, Value]]] = {
    "or": _or,
    "and": lambda a, b: {name: each for name, each in a.items() if name in b},
    "sub": lambda a, b: {name: each for name, each in a.items() if name not in b},
    "xor": lambda a, b: {name: each for name, each in _or(a, b).items() if (name in a) != (name in b)},
}
NAMES = {"union": "or", "intersection": "and", "difference": "sub", "symmetric_difference": "xor"}


def combined(name: str, a: dict[Any, Value], b: dict[Any, Value]) -> dict[Any, Value]:
    """The elements that an operation on two sets leaves.

    Raises: Refused for equal elements that a program can distinguish.
    """
    if not all(_alike(a[name], b[name]) for name in a.keys() & b.keys()):
        raise Refused("two sets have equal elements of different types, such as 1 and True; use one type")
    return OPERATIONS[name](a, b)


def compared(sign: str, a: dict[Any, Value], b: dict[Any, Value]) -> bool:
    """The answer of a comparison of two sets: by their keys."""
    return bool(COMPARED[sign](a.keys(), b.keys()))


def keys_of(value: Value) -> dict[Any, Value] | None:
    """The elements of a set or of the keys of a dict; None for all else."""
    if value.__class__ is Set:
        return dict(value.items)
    if value.__class__ is View and value.kind == "keys":
        return {name: key for name, (key, _) in value.source.items.items()}
    return None


CHANGING = frozenset({"union", "difference"})
"""Operations that change a set item by item, in place: an error leaves the changes made before it."""


def _is_read_whole(value: Value) -> bool:
    """Whether reading an iterable has no error or effect: a set, or known items that surely have a hash."""
    return value.__class__ is Set or all(map(_has_hash, rows(value) or [value]))


def _has_hash(value: Value) -> bool:
    return all(map(_has_hash, value)) if value.__class__ is tuple else value.__class__ in (*SCALARS, Undecided)


def _operation(name: str, called: str, in_place: bool) -> Callable[..., Any]:
    def rule(m: Any, owner: Set, *others: Value) -> Value:
        if name == "symmetric_difference" and len(others) != 1:
            raise Refused(f"{called} is called with other than one argument")
        twin = "set_common" if name == "intersection" else "set_changed" if in_place and name in CHANGING else None
        if twin is not None and not all(map(_is_read_whole, others)):
            return asked(twin, owner, called, *others)
        found = dict(owner.items)
        for other in others:
            more = elements(m, other)
            if more is None:
                return asked("set_with", owner, called, *others)
            found = combined(NAMES[name], found, more)
        if not in_place:
            return Set(found, owner.frozen)
        replace(owner, found)
        return None

    return rule


def replace(owner: Set, found: dict[Any, Value]) -> None:
    """Give a set other elements."""
    items = owner.edit()
    items.clear()
    items.update(found)


for _name in NAMES:
    _updating = "update" if _name == "union" else f"{_name}_update"
    method(_name, Set)(_operation(_name, _name, False))
    method(_updating, Set)(_operation(_name, _updating, True))


@method("add", Set)
def _add(m: Any, owner: Set, value: Value) -> None:
    name, decided = settle_key(m, value)
    owner.edit().setdefault(name, decided)


@method("discard", Set)
def _discard(m: Any, owner: Set, value: Value) -> None:
    refuse_set(value)
    name, _ = settle_key(m, value)
    owner.edit().pop(name, None)


@method("remove", Set)
def _remove(m: Any, owner: Set, value: Value) -> None:
    refuse_set(value)
    name, decided = settle_key(m, value)
    if name not in owner.items:
        raise throw(KeyError, decided)
    del owner.edit()[name]


method("clear", Set)(lambda m, owner: owner.edit().clear())
method("copy", Set)(lambda m, owner: Set(dict(owner.items), owner.frozen))


@method("pop", Set)
def _pop(m: Any, owner: Set) -> Value:
    if len(owner.items) > 1:
        raise Refused("which element a set pops is not followed; use a list")
    if not owner.items:
        raise throw(KeyError, "pop from an empty set")
    return owner.edit().popitem()[1]


def _relation(compute: Any) -> Callable[..., Any]:
    def rule(m: Any, owner: Set, other: Value) -> Value:
        more = elements(m, other) if _is_read_whole(other) else None
        if more is None:
            raise Refused("a set is compared with an iterator, or with what may have no hash; make a set of it")
        return compute(owner.items.keys(), more.keys())

    return rule


for _name, _compute in {"issubset": operator.le, "issuperset": operator.ge, "isdisjoint": KeysView.isdisjoint}.items():
    method(_name, Set)(_relation(_compute))


def ordered(value: Set) -> List:
    """The elements of a set in an arbitrary order, for a function whose result is the same for every order.

    Raises: Refused unless the elements have one order.
    """
    parts = list(value.items.values())
    if len(parts) > 1 and not one_order(parts):
        raise Refused("elements of a set are compared that may have no order; sort by a key that is a number or a text")
    return List(parts)


def one_order(values: list[Value]) -> bool:
    """Whether values have one order: they are numbers, or texts, or tuples of one length with such in each place."""
    rows = [each if each.__class__ is tuple else (each,) for each in values]
    alike = len({(each.__class__ is tuple, len(row)) for each, row in zip(values, rows, strict=True)}) == 1
    columns = [{each.__class__ for each in column} for column in zip(*rows, strict=False)]
    return alike and all(any(column <= kinds for kinds in (ORDERED, {str}, {bytes})) for column in columns)
