"""The exceptions that end or interrupt the machine, and the actions of operations without a value at once.

Each exception is a `BaseException` alone: no `except Exception` of a program's or a library's ever stops it.
"""

from __future__ import annotations

from typing import Any

TOO_MANY = "more than"
"""The beginning of a refusal for too many states."""


class Refused(BaseException):
    """The machine does not know an operation whole; the text names the operation, and its line."""

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason, self.place = reason, place
        super().__init__(f"{reason} ({place})" if place else reason)


class Ask(BaseException):
    """A question: in which part of a draw's interval, cut at `cuts`, does the draw lie?

    `draws` has that draw, or the geometric ones that a question of `domains/counts.py` is about, with their `ratios`.
    """

    def __init__(self, draw: Any, cuts: list[int]) -> None:
        self.draw, self.cuts = draw, cuts
        self.draws: tuple[Any, ...] = (draw,)
        self.ratios: tuple[Any, ...] = ()


class Thrown(BaseException):
    """An exception of the program, as a record; with `again` it is raised as it is, without a new context."""

    def __init__(self, error: Any, again: bool = False) -> None:
        self.error, self.again = error, again


class Raises(BaseException):
    """A real operation raised `fault`, which is the program's, on plain values of the types at hand."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault


class NotPlain(BaseException):
    """A value has no plain copy that host code may have; `value` is the part that has none."""

    def __init__(self, value: Any) -> None:
        self.value = value


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as a table is written."""
    return tuple(text.split())


After = tuple[Any, ...] | None


def wrap(inner: After, outer: After) -> After:
    """The use of a value first by `inner` and then by `outer`: the last part of each names the next."""
    return outer if inner is None else (*inner[:-1], wrap(inner[-1], outer))


class Act:
    """An action: "call", "enter", "resume", "throw" or "value", its operands, and what becomes of the value."""

    __slots__ = ("after", "kind", "operands")

    def __init__(self, kind: str, *operands: Any, after: After = None) -> None:
        self.kind, self.operands, self.after = kind, operands, after

    def then(self, kind: str, *data: Any) -> Act:
        """The same action, whose value is then treated as `kind` says."""
        return self.within((kind, *data, None))

    def within(self, after: After) -> Act:
        """The same action, whose value then becomes something else."""
        return Act(self.kind, *self.operands, after=wrap(self.after, after))


def call_act(function: Any, args: tuple[Any, ...], keywords: dict[str, Any] | None = None) -> Act:
    """The call of a function."""
    return Act("call", function, args, keywords or {})
