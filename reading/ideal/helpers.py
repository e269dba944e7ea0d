"""The rules for what the prelude of ideal noise leaves to the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcert.reading import prelude_ideal
from dpcert.reading.containers import rows
from dpcert.reading.errors import Refused
from dpcert.reading.ideal.draws import position
from dpcert.reading.values import Value


def _shaped(m: Any, items: Value, pattern: Value) -> Value:
    from dpcert.reading.numpy.following import cast
    from dpcert.reading.numpy.memory import Call, laid

    seen = Call().to_host(pattern)
    listed = rows(items)
    if listed is None:
        raise Refused("internal: what was drawn is no list")
    return laid([cast(m, each, seen.dtype) for each in listed], seen)


def rules_of_helpers() -> dict[int, Callable[..., Any]]:
    """The rules, by the ids of what they are for."""
    return {id(prelude_ideal.position): position, id(prelude_ideal.shaped): _shaped}
