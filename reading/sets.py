"""Sets: their elements, and nothing of their order.

Where two sets have elements that are equal and told apart, such as 1 and True, CPython keeps one of them by the sizes
of its tables: that is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, KeysView
from fractions import Fraction
from typing import Any

from dpcert.reading.border import throw
from dpcert.reading.containers import method, refuse_set, rows, settle_key
from dpcert.reading.domains.steps import COMPARED, same
from dpcert.reading.errors import Refused
from dpcert.reading.preludes import asked
from dpcert.reading.values import NUMBERS, SCALARS, List, Record, Set, Undecided, Value, View

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


def _check(a: dict[Any, Value], b: dict[Any, Value]) -> None:
    """Refuse equal elements that are told apart."""
    for name in a.keys() & b.keys():
        if not _alike(a[name], b[name]):
            raise Refused("two sets have equal elements of different types, such as 1 and True; use one type")


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
    """The elements that an operation on two sets leaves."""
    _check(a, b)
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
"""What changes a set item by item, in place, so that an error leaves what was done before."""


def _is_read_whole(value: Value) -> bool:
    """Whether an iterable is a set, or known, with items that surely have a hash: to read it has no error or effect."""
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
    """The elements of a set in an order of no meaning, for a function that gives the same for every order.

    Raises: Refused unless the elements have one order.
    """
    parts = list(value.items.values())
    if len(parts) > 1 and not one_order(parts):
        raise Refused("elements of a set are compared that may have no order; sort by a key that is a number or a text")
    return List(parts)


def one_order(values: list[Value]) -> bool:
    """Whether values are numbers, or texts, or tuples of one length with such in each place: these have one order."""
    rows = [each if each.__class__ is tuple else (each,) for each in values]
    alike = len({(each.__class__ is tuple, len(row)) for each, row in zip(values, rows, strict=True)}) == 1
    columns = [{each.__class__ for each in column} for column in zip(*rows, strict=False)]
    return alike and all(any(column <= kinds for kinds in (ORDERED, {str}, {bytes})) for column in columns)
