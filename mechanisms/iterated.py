"""Iterators as outcomes: their type and the items that they give.

A `map` also holds its function and its data, a generator its frame: whoever receives them may look at more than items.
So a law with such outcomes has an assumption.
"""

import builtins
from collections.abc import Iterable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable

ITERATORS: tuple[Any, ...] = iter([]), iter(()), iter(range(1))
KINDS = frozenset({zip, map, filter, enumerate, reversed, GeneratorType, *map(type, ITERATORS)})
"""The iterators that are read, by exact type."""
MOST = 10_000
LOOKED_AT = "of the iterator that is returned its type and its items tell, and nothing that it holds beside"
"""The assumption of a law with such outcomes."""


@dataclass(frozen=True, slots=True)
class Iterated:
    """An iterator of a type by name, and all items that it gives."""

    kind: str
    items: list[Any]


def items_of(value: Any) -> Any:
    """Return an iterator as its type and its items, and any other value as it is.

    Raises: Unauditable where it gives more than MOST items, or raises.
    """
    kind = builtins.type(
        value
    )  # while what ships is audited, `type` of a draw is refused in its modules, and in this one
    if kind not in KINDS:
        return value
    name, items = kind.__name__, []
    try:
        for item in value:
            items.append(item)
            if len(items) > MOST:
                break
    except Unauditable:
        raise
    except Exception as error:
        words = f"its outcome is a {name} that raises {type(error).__name__} after {len(items)} items"
        raise Unauditable(f"{words}; return list(...) of it") from None
    if len(items) > MOST:
        raise Unauditable(f"its outcome is a {name} of more than {MOST:,} items; return list(...) of it")
    return Iterated(name, items)


def assumed_of(outcomes: Iterable[Any]) -> tuple[str, ...]:
    """Return the assumptions on outcomes that are iterators; none where no outcome is one."""
    return (LOOKED_AT,) if any(type(outcome) is Iterated for outcome in outcomes) else ()
