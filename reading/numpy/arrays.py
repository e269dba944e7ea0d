"""What arrays do on the machine: their type, items, operators and attributes, and how those of the host come in."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcert.reading.errors import Refused
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.numpy.memory import Call, dense, elements, fresh, is_plain, look, row_of, seen
from dpcert.reading.numpy.records import Array
from dpcert.reading.values import Value


class Arrays(Foreign):
    """The rules of arrays."""

    name = "an array"

    def type_of(self, value: Array) -> Value:
        """The class of arrays: no array of a subclass is followed."""
        return np.ndarray

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Array:
        """An array of the host, as a look at the buffer of the array that owns its memory.

        Raises: Refused for memory that numpy does not own, and for types that are not followed.
        """
        number = importer.pins.pin(value, parent, step, name)
        owner = value
        while owner.base is not None:
            if type(owner.base) is not np.ndarray:
                raise Refused("an array whose memory another object owns is not followed; copy it")
            number = importer.pins.pin(owner.base, number, "attribute", "base")
            owner = owner.base
        row, _ = dense(owner)
        found = fresh(owner)
        buffer: Any = None if importer.owned else importer.imports.get(number)
        if buffer is None:
            buffer = found.base
            if not importer.owned:
                buffer.origin = number
                importer.imports[number] = buffer
        return seen(value, row, buffer)

    def twin(self, value: Array) -> Any:
        """Numpy's own array of the same type and layout."""
        return Call(twins=True).to_host(value)

    def to_host(self, value: Array) -> Any:
        """A copy of the same layout.

        Raises: Ask where an element is undecided.
        """
        return Call().to_host(value)

    def parts(self, value: Array) -> list[Value]:
        """The elements."""
        return [] if is_plain(value.base) else elements(value)

    def outcome(self, m: Any, value: Array) -> Any:
        """A copy, of the same layout."""
        if not is_plain(value.base):
            raise Refused("an exception escapes that holds an array with undecided numbers")
        return look(value, row_of(value.base)).copy("K")


FOREIGN[Array] = Arrays()
IMPORTED[np.ndarray] = FOREIGN[Array]
