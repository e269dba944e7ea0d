"""The instructions of imports and of `match`."""

from __future__ import annotations

import sys
from typing import Any

from dpcert.reading.actions import Act
from dpcert.reading.containers import rows, settle_key
from dpcert.reading.errors import Refused, Thrown
from dpcert.reading.instructions import acting
from dpcert.reading.lookups import lookup
from dpcert.reading.machine import instruction
from dpcert.reading.objects import attribute
from dpcert.reading.types_of import extent, is_class, is_sub, type_of
from dpcert.reading.values import (
    Deque,
    Dict,
    Frame,
    Instance,
    List,
    Named,
    Value,
)

# -- imports


@instruction("import")
def _import(m: Any, f: Frame, name: str) -> None:
    names, level = f.stack[-1], f.stack[-2]
    if level or name not in sys.modules:
        raise Refused("an import of a module that is not there before the program; import it at the top")
    module = sys.modules[name]
    found = module if names else sys.modules[name.split(".")[0]]
    del f.stack[-2:]
    f.stack.append(m.heap.take(found, -1, "module", found.__name__))


@instruction("import_from")
def _import_from(m: Any, f: Frame, name: str) -> Any:
    try:
        return m.give(f, 0, acting(m, attribute(m, f.stack[-1], name)))
    except Thrown:
        raise Refused(f"{name} cannot be imported") from None


@instruction("refuse")
def _refuse(m: Any, f: Frame, name: str) -> None:
    raise Refused(f"the instruction {name} is not followed")


# -- match


@instruction("get_len")
def _get_len(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    items = value.items if value.__class__ is Named else rows(value) or ()
    f.stack.append(extent(value) if value.__class__ is range else len(items))


@instruction("match_sequence")
def _match_sequence(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    if isinstance(value, Instance):
        raise Refused("a pattern of a sequence is matched with an instance")
    f.stack.append(value.__class__ in (List, tuple, Deque, range, Named))


@instruction("match_mapping")
def _match_mapping(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    if isinstance(value, Instance):
        raise Refused("a pattern of a mapping is matched with an instance")
    f.stack.append(value.__class__ is Dict)


@instruction("match_keys")
def _match_keys(m: Any, f: Frame, arg: Any) -> None:
    keys, owner = f.stack[-1], f.stack[-2]
    found = [owner.items.get(settle_key(m, key)[0]) for key in keys]
    if len({settle_key(m, key)[0] for key in keys}) < len(keys):
        raise Refused("a pattern of a mapping names a key twice")
    f.stack.append(None if any(pair is None for pair in found) else tuple([pair[1] for pair in found if pair]))


@instruction("match_class")
def _match_class(m: Any, f: Frame, count: int) -> None:
    value, cls, names = f.stack[-3:]
    found = None
    if not is_class(cls):
        raise Refused("a pattern of a class names what is no class")
    if is_sub(type_of(value), cls):
        whole = count == 1 and not names and any(cls is each for each in WHOLE)
        found = (value,) if whole else _matched(m, value, cls, names, count)
    del f.stack[-3:]
    f.stack.append(found)


WHOLE = frozenset({bool, bytes, dict, float, frozenset, int, list, set, str, tuple})


def _matched(m: Any, value: Value, cls: Value, names: Any, count: int) -> Any:
    positions = lookup(m, cls, "__match_args__") if count else ()
    if positions.__class__ is not tuple or len(positions) < count or any(type(each) is not str for each in positions):
        raise Refused("a pattern of a class has more positions than the class names")
    if len({*positions[:count], *names}) < count + len(names):
        raise Refused("a pattern of a class names an attribute twice")
    found = []
    for name in (*positions[:count], *names):
        try:
            part = attribute(m, value, name)
        except Thrown as thrown:
            if is_sub(thrown.error.cls, AttributeError):
                return None
            raise
        if part.__class__ is Act:
            raise Refused("a pattern of a class reads a property")
        found.append(part)
    return tuple(found)
