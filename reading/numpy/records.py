"""The records of numpy's arrays. This module does not import numpy, for a program without it needs none."""

from typing import Any

from dpcert.reading.values import Record, Value


class Buffer(Record):
    """The memory of arrays, which views share: elements of one type, which `dtype` names.

    `items` are the bytes where all elements are plain, else a list of values of the machine, each of that type.
    `written` says of one that was imported that the program changed it.
    """

    __slots__ = ("dtype", "items", "written")

    def __init__(self, items: Any, dtype: str, origin: int | None = None) -> None:
        self.items, self.dtype, self.origin, self.written = items, dtype, origin, False

    def put(self, items: Any) -> None:
        """Replace the content."""
        self.items, self.written = items, self.origin is not None


class Array(Record):
    """An array: a way to look at a buffer; `strides` and `offset` count elements, not bytes."""

    __slots__ = ("base", "offset", "shape", "strides", "writeable")

    def __init__(
        self, base: Buffer, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0, writeable: bool = True
    ) -> None:
        self.base, self.shape, self.strides, self.offset = base, shape, strides, offset
        self.writeable, self.origin = writeable, None


class Deferred(Record):
    """An element of an array that is not computed yet: an operation on operands, in the type of `code`."""

    __slots__ = ("code", "operands", "operation")

    def __init__(self, operation: str, code: str, operands: tuple[Value, ...]) -> None:
        self.operation, self.code, self.operands, self.origin = operation, code, operands, None
