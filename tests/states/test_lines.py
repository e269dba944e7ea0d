"""Evidence that states which were followed as one tell where a state leads by its own integer, and by no other's."""

from __future__ import annotations

from typing import Any

from dpcert.mechanisms.states.segment import Task
from dpcert.mechanisms.states.turns import LEAST, Every, Found, Lines, Released


class Shape:
    """What `Lines` asks of a shape: two integers, at places 1 and 2 of a key."""

    def __init__(self) -> None:
        self.integers = frozenset({1, 2})
        self.opens: dict[Any, Any] = {}
        self.told: list[Any] = []
        self.made: list[Any] = []
        self.inner: list[Any] = []
        self.places: tuple[int, ...] = ()
        self.outer = 1


def tasks(names: list[tuple[Any, ...]]) -> list[Task]:
    return [Task(name, 0, 0) for name in names]


def test_a_line_along_one_integer_tells_nothing_of_states_along_another() -> None:
    alike = True

    def follow(name: tuple[Any, ...], every: Every, members: list[Any]) -> Found | None:
        every.least = 0
        end = next(value for value in name[1:] if type(value) is not int)
        return [("end", Released(end), 0)] if alike else None

    lines, shape = Lines(follow), Shape()
    lines.together(tasks([(shape, a, 7) for a in range(LEAST)]))
    assert lines.found((shape, 3, 7)) is not None
    assert lines.found((shape, 7, 3)) is None
    alike = False
    lines.together(tasks([(shape, a, 8) for a in range(LEAST)]))
    lines.together(tasks([(shape, 5, b) for b in range(LEAST)]))  # now along the other integer
    assert lines.found((shape, 7, 3)) is None
    assert lines.found((shape, 3, 7)) is None
