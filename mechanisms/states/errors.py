"""The error of a program, or of a part of it, that cannot be followed by its states."""

from dpcert.mechanisms.exact.errors import DpcertError


class NotRead(DpcertError):
    """What cannot be followed by states; one line says where and why, and paths are enumerated."""


class Changed(NotRead):
    """Says that a program, or a call, changes what was there before it."""


class Unknown(NotRead):
    """Says that no draws are known with which a call returns a number."""


class TooMany(NotRead):
    """Says that a program has more states than are followed."""


def internal(error: BaseException) -> str:
    """Return the words for an error that is this layer's own."""
    return f"an internal error of dpcert.mechanisms.states: {type(error).__name__}: {error}"
