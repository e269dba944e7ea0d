"""The classes of outcomes: each must be the one that its module holds, and no run may change it.

A reader of an instance sees its class as well: attributes, methods and properties. The audit takes these for the
program's text, which is the same for every input. A class that a run makes or changes could carry secrets. Like the
other watches (`watch.py`), this one only refuses.
"""

import operator
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, canonical, class_name, opened

OPENED = frozenset({"namedtuple", "dataclass", "enum"})
CONTAINERS = frozenset({"tuple", "list", "set", "frozenset", "dict", "raised"}) | OPENED
_FIRST: WeakKeyDictionary[type, dict[str, Any]] = WeakKeyDictionary()
"""The content of each class when an outcome of it was first seen."""


class Carried:
    """Compares the content of the classes of earlier outcomes between the ends of runs. The first law with an outcome
    of a class shows no change in it; the second process begins with another input.
    """

    def __init__(self) -> None:
        self.changed: dict[type, str] = {}
        self._kinds = {base for kind in list(_FIRST) for base in kind.__mro__[:-1]}
        self._first: dict[type, dict[str, Any]] = {}
        self._same: dict[type, list[Any]] = {}

    def look(self) -> None:
        """Take note of what changed since the first look."""
        for kind in self._kinds:
            values = list(vars(kind).values())
            known = self._same.get(kind, ())
            if len(known) == len(values) and all(map(operator.is_, known, values)):
                continue
            carried = dict(_data(kind))
            if (name := _changed(self._first.setdefault(kind, carried), carried)) is not None:
                self.changed.setdefault(kind, name)
            elif all(_lasts(value) for name, value in vars(kind).items() if name in carried):
                self._same[kind] = values


def _lasts(value: Any) -> bool:
    """Whether nothing can change a value while it is the same object."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(_lasts, value))
    return value is None or hasattr(type(value), "__get__") or type(value) in (int, bool, float, str, bytes)


def refuse_passing_classes(outcomes: Iterable[Any], changed: Mapping[type, str]) -> None:
    """Return if each class of the outcomes is found where its name says, carrying what it carried before.

    `changed` names what was seen to change between runs.

    Raises: Unauditable naming the class otherwise.
    """
    seen: dict[Any, None] = {}
    for outcome in outcomes:
        seen.update(dict.fromkeys(_classes(outcome, 0)))
    for kind in seen:
        found = _held(kind) if isinstance(kind, type) else _exception(kind)
        if found is None:
            name = class_name(kind) if isinstance(kind, type) else kind
            raise Unauditable(
                f"the class {name} is not found under its name, and may be another in each run; "
                "define it with a class statement at the top of its module"
            )
        _refuse_changes(found, changed)


def _classes(value: Any, depth: int) -> Iterator[type | str]:
    """Yield the classes of the instances in an outcome, those of exceptions by name."""
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return
    tag, _, parts = opened(value, depth)
    if kind is Raised:
        yield value.name
    elif tag in OPENED:
        yield kind
    if tag in CONTAINERS:
        for part in parts:
            yield from _classes(part, depth + 1)


def _held(kind: type) -> type | None:
    """Return the class if its module binds it, by its own name or another, and no other class of that name."""
    space = vars(sys.modules.get(kind.__module__, object))
    held = _at(space, kind.__qualname__) is kind or any(value is kind for value in list(space.values()))
    return kind if held and _alone(kind, space) else None


def _alone(kind: type, space: Mapping[str, Any]) -> bool:
    """Whether a module binds no other class that has the same name: outcomes of the two would be taken for one."""
    named = [value for value in list(space.values()) if isinstance(value, type) and value is not kind]
    return class_name(kind) not in map(class_name, named)


def _exception(name: str) -> type | None:
    """Return the class of exceptions of this name (see `class_name`), where its module binds it."""
    words = name if "." in name else f"builtins.{name}"
    for at in (at for at, letter in enumerate(words) if letter == "."):
        module = sys.modules.get(words[:at])
        found = _at(vars(module), words[at + 1 :]) if module is not None else None
        if isinstance(found, type) and issubclass(found, BaseException):
            return found if _alone(found, vars(module)) else None
    return None


def _at(space: Any, name: str) -> Any:
    first, *rest = name.split(".")
    found = space.get(first)
    for part in rest:
        found = getattr(found, part, None)
    return found


def _refuse_changes(kind: type, changed: Mapping[type, str]) -> None:
    carried = {name: text for base in kind.__mro__[-2::-1] for name, text in _data(base)}
    first = _FIRST.setdefault(kind, carried)
    name = next((changed[base] for base in kind.__mro__ if base in changed), _changed(first, carried))
    if name is not None:
        raise Unauditable(
            f"the program changes {class_name(kind)}.{name}, which a reader of its outcome sees; "
            "make it a field of the instance"
        )


def _changed(first: dict[str, Any], now: dict[str, Any]) -> str | None:
    return next((name for name in {**first, **now} if not _same(first.get(name), now.get(name))), None)


def _same(first: Any, now: Any) -> bool:
    return first is now or (type(first) is type(now) is bytes and first == now)


def _data(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class itself carries: methods and properties as they are, data that are outcomes as bytes."""
    for name, value in list(vars(kind).items()):
        if hasattr(type(value), "__get__"):
            yield name, value
        elif not (name.startswith("__") or name.endswith("_") or kind in type(value).__mro__):
            with suppress(Unauditable):
                yield name, canonical(value)
