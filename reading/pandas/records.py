"""The records of values of pandas. This module does not import pandas."""

from typing import Any

from dpcert.reading.values import Record, Value


class Table(Record):
    """A value of plain data: a DataFrame, an Index, a Series of texts. `items` is its form."""

    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items, self.origin = items, None


class Series(Record):
    """A Series of numbers: `values` is their array, and `items` the form of one that is alike, but of ones.

    One that is `shown` may share its memory with others, and is not written to.
    """

    __slots__ = ("items", "shown", "values")

    def __init__(self, items: Any, values: Any) -> None:
        self.items, self.values, self.shown, self.origin = items, values, False, None


class Part(Record):
    """A part of an owner by `groupby`, `loc` or `iloc`; `args` are those of the first, and a column."""

    __slots__ = ("args", "owner", "way")

    def __init__(self, way: str, owner: Value, args: tuple[Value, ...] = ()) -> None:
        self.way, self.owner, self.args, self.origin = way, owner, args, None
