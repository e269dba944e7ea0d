"""What classes and modules hold under a name: in their own dicts, and in the overlay of the state."""

from __future__ import annotations

import types
from typing import Any

from dpcert.reading.errors import Refused
from dpcert.reading.types_of import mro_of, type_of
from dpcert.reading.values import (
    DELETED,
    MISSING,
    Class,
    Function,
    Instance,
    Value,
)


def read_space(m: Any, number: int, name: str) -> Value:
    """What a namespace of the host holds under a name, as the program left it; MISSING if nothing."""
    if m.over:
        found = m.over.get((number, name), MISSING)
        if found is not MISSING:
            return MISSING if found is DELETED else found
    space = m.pins.objects[number]
    if name not in space:
        return MISSING
    return m.heap.take(space[name], number, "item", name)


def space_of(m: Any, owner: Any) -> int:
    """The pin of the dict of a module or class of the host."""
    return int(m.pins.pin(vars(owner) if type(owner) is types.ModuleType else owner, m.pins.number(owner), "namespace"))


def own_attribute(m: Any, cls: Value, name: str) -> Value:
    """What a class itself holds under a name, or MISSING."""
    if type(cls) is Class:
        return cls.items.get(name, MISSING)
    number = m.pins.number(cls)
    if m.over:
        found = m.over.get((number, name), MISSING)
        if found is not MISSING:
            return MISSING if found is DELETED else found
    stored = vars(cls)
    return m.heap.take(stored[name], number, "static", name) if name in stored else MISSING


def lookup(m: Any, cls: Value, name: str, after: Value = None) -> Value:
    """What the first class in the order of a class holds under a name, or MISSING; only behind `after` if given."""
    skipping = after is not None
    for base in mro_of(cls):
        if skipping:
            skipping = base is not after
            continue
        found = own_attribute(m, base, name)
        if found is not MISSING:
            return found
    return MISSING


def find(m: Any, value: Value, name: str) -> Value:
    """The function of the program that a value's class has under a special name, or None: the host's do not count."""
    cls = value.cls if isinstance(value, Instance) else type_of(value)
    for base in mro_of(cls):
        if type(base) is Class or m.pins.is_python(base):
            found = own_attribute(m, base, name)
            if found is not MISSING:
                return _special(found, name)
    return None


def _special(found: Value, name: str) -> Value:
    """A special method, which is looked up on the class and called with the instance.

    Raises: Refused for one that is no plain function, as a static method or None; only `__hash__` may be None.
    """
    if type(found) in (Function, types.FunctionType) or (found is None and name == "__hash__"):
        return found
    raise Refused(f"{name} that is no plain function is not followed")
