"""Iterators as outcomes: their type and the items that they give. That is enough to refute, and never to verify.

A `map` also holds its function and its data, a generator its frame: whoever receives them may look at more than items.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable

ITERATORS: tuple[Any, ...] = iter([]), iter(()), iter(range(1))
KINDS = frozenset({zip, map, filter, enumerate, reversed, GeneratorType, *map(type, ITERATORS)})
"""The iterators that are read, by exact type."""
MOST = 10_000
LOOKED_AT = "of an iterator the type and the items are looked at, and not what it holds beside; return list(...) of it"
"""Why a claim on a program that returns an iterator is not verified."""


@dataclass(frozen=True, slots=True)
class Iterated:
    """An iterator of a type by name, and all items that it gives."""

    kind: str
    items: list[Any]


def read(value: Any, settle: Callable[[Any], Any]) -> Any:
    """Return an iterator as its type and its settled items, and any other value as it is.

    Raises: Unauditable where it gives more than MOST items, or raises.
    """
    if type(value) not in KINDS:
        return value
    name, items = type(value).__name__, []
    try:
        for item in value:
            items.append(settle(item))
            if len(items) > MOST:
                raise Unauditable(f"its outcome is a {name} of more than {MOST:,} items; return list(...) of it")
    except Exception as error:
        if isinstance(error, Unauditable):
            raise
        words = f"its outcome is a {name} that raises {type(error).__name__} after {len(items)} items"
        raise Unauditable(f"{words}; return list(...) of it") from None
    return Iterated(name, items)
