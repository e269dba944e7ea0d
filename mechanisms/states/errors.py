"""The error of a program, or of a part of it, that cannot be followed by its states, and what makes a reading slow."""

from collections.abc import Callable

from dpcert.mechanisms.exact.errors import DpcertError


class NotRead(DpcertError):
    """What cannot be followed by states; one line says where and why, and paths are enumerated."""


class TooMany(NotRead):
    """Says that a program has more states than are followed."""


class Slow:
    """What a process tells while it computes a law, for the case that it is ended before it has one."""

    def __init__(self) -> None:
        self.tell: Callable[[str, str], None] = lambda why, remedy: None  # both empty once nothing is to be told


SLOW = Slow()


def internal(error: BaseException) -> str:
    """Return the words for an error that is this layer's own."""
    return f"an internal error of dpcert.mechanisms.states: {type(error).__name__}: {error}"
