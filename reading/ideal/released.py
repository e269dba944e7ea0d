"""The types of the noisy numbers that a program returns, which a caller sees."""

from collections.abc import Iterator
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.reading.domains.forms import Written, data_of
from dpcert.reading.domains.kinds import type_of
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.numpy.records import Array
from dpcert.reading.values import Dict, Error, Instance, List, Named, Value

Place = tuple[Any, ...]
Kind = tuple[str, Any]
"""The type of a number in words, and all that a caller sees of it: the dtype of an array, its width and its order."""


def types_in(value: Value) -> Iterator[tuple[Place, Kind]]:
    """Yield the place and the type of each noisy number, and array of them, in what a program returns or raises."""
    if is_ideal(value) and isinstance(data_of(value), Written):
        return  # a plain number, which has its type
    if is_ideal(value):
        yield (), (class_name(type_of(data_of(value).kinds)), None)
    elif value.__class__ is Array:
        kind = array_kind(value)
        yield from () if kind is None else (((), kind),)
    else:
        for place, part in _parts(value):
            yield from (((place, *rest), kind) for rest, kind in types_in(part))


def _parts(value: Value) -> Iterator[tuple[Any, Value]]:
    if value.__class__ in (tuple, List, Named):
        yield from enumerate(value if isinstance(value, tuple) else value.items)
    elif value.__class__ is Dict:
        yield from value.pairs()
    elif isinstance(value, Instance):
        yield from value.items.items()
    if isinstance(value, Error):
        yield from ((("args", place), part) for place, part in enumerate(value.args))


def array_kind(value: Array) -> Kind | None:
    """The type of an array that holds noisy numbers, or None."""
    from dpcert.reading.numpy.memory import elements, is_plain, look, row_of

    if is_plain(value.base) or not any(map(is_ideal, elements(value))):
        return None
    pattern = look(value, row_of(value.base)).copy("K")
    order = "F" if pattern.flags.fnc else "C"
    return f"an array of {pattern.dtype} in order {order}", (pattern.dtype.str, pattern.dtype.char, order)
