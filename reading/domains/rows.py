"""The values that a loop over a list of any length leaves open: that list, lists that it fills, counts of its turns."""

from typing import Any

from dpcert.reading.values import Record, Value, _Listed


class Row(Record):
    """The list of numbers that a program is given; `used` says whether somebody iterates over it."""

    __slots__ = ("used", "world")

    def __init__(self, world: Any) -> None:
        self.world, self.used, self.origin = world, False, None


class Log(_Listed):
    """A list of which nothing is known but what was added since the loop's last turn began."""

    __slots__ = ()

    def __init__(self, items: list[Value]) -> None:
        self.items, self.origin = items, None


class Turns(Record):
    """An integer of which the remainder by `modulus` is known alone."""

    __slots__ = ("modulus", "rest")

    def __init__(self, modulus: int, rest: int) -> None:
        self.modulus, self.rest, self.origin = modulus, rest % modulus, None


class Count(Record):
    """How many numbers the list has."""

    __slots__ = ()

    def __init__(self) -> None:
        self.origin = None


class Column(Record):
    """An array with an entry for each number of the list: that times `scale`, and noise of the entry's own by `terms`,
    which are those of a form."""

    __slots__ = ("scale", "terms")

    def __init__(self, scale: Any, terms: tuple[tuple[int, Any], ...]) -> None:
        self.scale, self.terms, self.origin = scale, terms, None
