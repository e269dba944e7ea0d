"""The methods of dicts, on records."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from dpcert.reading.border import throw
from dpcert.reading.containers import method, settle_key
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.values import (
    Dict,
    Value,
    View,
)

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
    name, decided = settle_key(m, key)
    if name in owner.items:
        return owner.remove(name)[1]
    if default:
        return default[0]
    raise throw(KeyError, decided)


@method("popitem", Dict)
def _popitem(m: Any, owner: Dict, last: Value = True) -> Value:
    if last is not True:
        raise Refused("popitem(last=False) is not followed; use pop(next(iter(...)))")
    if not owner.items:
        raise throw(KeyError, "dictionary is empty" if owner.kind is OrderedDict else "popitem(): dictionary is empty")
    return tuple(owner.remove(next(reversed(owner.items))))


@method("clear", Dict)
def _dict_clear(m: Any, owner: Dict) -> None:
    owner.changes += 1
    owner.edit().clear()


@method("copy", Dict)
def _dict_copy(m: Any, owner: Dict) -> Dict:
    return Dict(dict(owner.items), owner.kind, owner.factory)


def _view(kind: str) -> Callable[..., Any]:
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
        raise throw(KeyError, decided)
    pair = owner.remove(name)
    owner.edit()[name] = pair
