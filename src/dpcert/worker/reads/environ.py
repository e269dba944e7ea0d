"""A watch on the environment: the variables that user code reads, and whether it reads all of them."""

import functools
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

WITH_TWO = ("__contains__", "__eq__", "__getitem__", "__ne__", "__or__", "__ror__", "get", "pop", "setdefault")
READS = (*WITH_TWO, "__iter__", "__len__", "__repr__", "__reversed__", "copy", "items", "keys", "popitem", "values")
"""The methods of a dictionary that reveal its content."""


def watch_environment(
    by_user: Callable[[FrameType | None], bool], asked: Callable[[str], None], whole: Callable[[str], None]
) -> None:
    """Call `asked` with each variable that user code reads in `os.environ`, and `whole` with words for a whole reading.

    `by_user` says of a frame whether it is user code's. The watch lasts as long as the process. A reading of the
    system's own copy of the environment, below `os`, counts as a reading of the whole.
    """

    class Watched(os._Environ[str]):
        """The environment, which reports the readings of user code."""

        def __getitem__(self, key: str) -> str:
            if by_user(sys._getframe(1)):
                asked(os.fsdecode(key))  # `os.environb` has bytes
            return super().__getitem__(key)

        def __iter__(self) -> Any:
            if by_user(sys._getframe(1)):
                whole("the whole environment")
            return super().__iter__()

    os.environ.__class__ = Watched
    if os.supports_bytes_environ:
        vars(os)["environb"].__class__ = Watched
    name = "posix" if "posix" in sys.modules else "nt"

    def told(real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def read(*args: Any, **kwds: Any) -> Any:
            if by_user(sys._getframe(1)):
                whole(f"{name}.environ")
            return real(*args, **kwds)

        return read

    below = type("Below", (dict,), {method: told(getattr(dict, method)) for method in READS})
    module = vars(sys.modules[name])
    module["environ"] = below(module["environ"])
