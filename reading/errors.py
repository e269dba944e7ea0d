"""What ends or interrupts the machine. None of it is an `Exception`, and a program never sees it."""

from __future__ import annotations

from typing import Any

TOO_MANY = "more than"
"""The beginning of a refusal for too many states."""


class Refused(BaseException):
    """The machine does not know an operation whole; the text says what was met, and where."""

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason, self.place = reason, place
        super().__init__(f"{reason} ({place})" if place else reason)


class Ask(BaseException):
    """A question: in which part of a draw's interval, cut at `cuts`, does the draw lie?"""

    def __init__(self, draw: Any, cuts: list[int]) -> None:
        self.draw, self.cuts = draw, cuts


class Thrown(BaseException):
    """An exception of the program, as a record; with `again` it is raised as it is, without a new context."""

    def __init__(self, error: Any, again: bool = False) -> None:
        self.error, self.again = error, again


class NotPlain(BaseException):
    """A value has no plain copy that host code may have; `value` is the part that has none."""

    def __init__(self, value: Any) -> None:
        self.value = value


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as a table is written."""
    return tuple(text.split())
