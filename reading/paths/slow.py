"""What makes the computation of a law slow, in words, for the case that its process is ended before it has one."""

from collections.abc import Callable

NOT_MERGED = "states were not merged: "
PLAINLY = "write that line as plain loops and calls of functions"


class Slow:
    """What a process tells while it computes a law."""

    def __init__(self) -> None:
        self.tell: Callable[[str, str], None] = lambda why, remedy: None  # both empty once nothing is to be told


SLOW = Slow()
