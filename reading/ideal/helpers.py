"""The rules for what the prelude of ideal noise leaves to the machine."""

from collections.abc import Callable
from typing import Any

from dpcert.reading import prelude
from dpcert.reading.border import native
from dpcert.reading.containers import rows
from dpcert.reading.domains import written
from dpcert.reading.domains.noise import is_ideal, is_noisy
from dpcert.reading.errors import Refused
from dpcert.reading.ideal import prelude_ideal
from dpcert.reading.ideal.draws import below, draws, position
from dpcert.reading.numpy import prelude_draws
from dpcert.reading.numpy.kinds import GENERATORS
from dpcert.reading.operators import binary
from dpcert.reading.values import Value


def _shaped(m: Any, items: Value, pattern: Value) -> Value:
    from dpcert.reading.numpy.following import cast
    from dpcert.reading.numpy.memory import Call, laid

    seen = Call().to_host(pattern)
    listed = rows(items)
    if listed is None:
        raise Refused("internal: what was drawn is no list")
    return laid([cast(each, seen.dtype) for each in listed], seen)


def _sum(m: Any, row: Value, start: Value) -> Value:
    """A sum of numbers, some of them noisy: in real arithmetic, its order does not matter."""
    items = rows(row) or []
    if not any(map(is_noisy, (start, *items))):
        found = native(sum, (row, start))
        meant = m.world.known.meaning.meant and any(map(is_ideal, (start, *items)))
        return written.sum_of(m.world, [start, *items], found) if meant else found
    for each in items:
        start = binary(m, "add", False, start, each)
    return start


def _below(m: Any, owner: Value, bound: Value) -> int:
    """An integer below a bound, for what is drawn in the prelude of numpy's generators.

    Raises: Ask.
    """
    draws(m, owner, GENERATORS)
    return below(m, bound)


def rules_of_helpers() -> dict[int, Callable[..., Any]]:
    """The rules, by the ids of what they are for."""
    return {
        id(prelude_ideal.position): position,
        id(prelude_ideal.shaped): _shaped,
        id(prelude.native_sum): _sum,
        id(prelude_draws.below): _below,
    }
