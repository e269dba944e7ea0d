"""Why the states of a program are not merged."""

from dpcert.mechanisms.exact.errors import DpcertError, one_line


class NotCaptured(DpcertError):
    """The state of a program cannot be captured whole; one line says where and why, and paths are enumerated."""

    def __init__(self, reason: str) -> None:
        super().__init__(one_line(reason))
