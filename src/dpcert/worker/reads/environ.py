"""Which variables of the environment user code asks for, and whether it asks for all of them."""

import functools
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

WITH_TWO = ("__contains__", "__eq__", "__getitem__", "__ne__", "__or__", "__ror__", "get", "pop", "setdefault")
READS = (*WITH_TWO, "__iter__", "__len__", "__repr__", "__reversed__", "copy", "items", "keys", "popitem", "values")
"""The methods of a dictionary that tell what it holds."""


def watch_environment(
    by_user: Callable[[FrameType | None], bool], asked: Callable[[str], None], whole: Callable[[str], None]
) -> None:
    """Tell `asked` each variable that user code asks `os.environ` for, and `whole` in words what is asked for as one.

    `by_user` says of a frame whether it is user code's. It stays so as long as the process. To read the system's own
    copy of the environment, below `os`, is to ask for the whole.
    """

    class Watched(os._Environ[str]):
        """The environment, which tells what user code asks it for."""

        def __getitem__(self, key: str) -> str:
            if by_user(sys._getframe(1)):
                asked(os.fsdecode(key))  # of `os.environb` they are bytes
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
