"""What a loop over a list of any length leaves open: the list, what the loop fills, and what counts its turns."""

from __future__ import annotations

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
