"""Functions in C that make random bytes, threads or processes, or are a library's: refused on every run.

No audit event tells of them, and the profiler of `watch.py` sees one run of a leaf, and no call that C code makes. So
what the names mean is exchanged for functions that take notice.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial, wraps
from types import BuiltinFunctionType
from typing import Any

from dpcert.reading.paths.outside import notice, randomness

RANDOM_OF_SSL = frozenset({"RAND_bytes", "RAND_priv_bytes", "RAND_pseudo_bytes", "RAND_add", "RAND_status"})
SYSTEM = {"urandom": "os.urandom", "getrandom": "os.getrandom"}
SSL = {name: f"ssl.{name}" for name in RANDOM_OF_SSL}
THREADS = {name: f"_thread.{name}" for name in ("start_new_thread", "start_new", "start_joinable_thread")}
RUNS = ("create", "run_string", "run_func", "exec", "call")
INTERPRETERS = {name: f"another interpreter ({name})" for name in RUNS}
NAMES: dict[str, dict[str, str]] = {
    "os": SYSTEM,
    "posix": SYSTEM,
    "random": {"_urandom": "secrets or random.SystemRandom"},
    "ssl": SSL,
    "_ssl": SSL,
    "uuid": {"_generate_time_safe": "uuid.uuid1"},
    "_uuid": {"generate_time_safe": "uuid.uuid1"},
    "threading": {f"_{name}": words for name, words in THREADS.items()},
    "_thread": THREADS,
    "_interpreters": INTERPRETERS,
    "_xxsubinterpreters": INTERPRETERS,  # its name before 3.13
    "_posixsubprocess": {"fork_exec": "another process (_posixsubprocess.fork_exec)"},
}
"""What is exchanged: a module, a name in it, and what is said of a program that calls it."""


@contextmanager
def refuse_entropy(spaces: Iterable[dict[str, Any]]) -> Iterator[None]:
    """Run the body with these functions exchanged, in their modules and in the globals given.

    Raises: in what calls one, Hidden; what watches the outside refuses the program for it.
    """
    exchanged = [*_exchanged(spaces)]
    before = [(space, name, space[name]) for space, name, _ in exchanged]
    of_libraries = _libraries()
    for space, name, watched in exchanged:
        space[name] = watched
    for kind in of_libraries:
        kind.__call__ = _called
    try:
        yield
    finally:
        for kind in of_libraries:
            del kind.__call__
        for space, name, real in reversed(before):
            space[name] = real


def _exchanged(spaces: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Yield globals, a name in them, and what it is to mean."""
    meant: dict[Any, Any] = {}
    for module, names in NAMES.items():
        space = vars(sys.modules[module]) if module in sys.modules else {}
        for name, words in names.items():
            real = space.get(name)
            if isinstance(real, BuiltinFunctionType):
                meant.setdefault(real, _watched(real, words))
                yield space, name, _watched(real, words)
    for space in spaces:
        for name, value in space.items():
            if type(value) is BuiltinFunctionType and value in meant:
                yield space, name, meant[value]
            elif type(value) is partial and type(value.func) is BuiltinFunctionType and value.func in meant:
                yield space, name, partial(meant[value.func], *value.args, **value.keywords)


@cache
def _watched(real: Any, words: str) -> Callable[..., Any]:
    @wraps(real)
    def watched(*args: Any, **kwds: Any) -> Any:
        notice(randomness(words), sys._getframe(1))
        return real(*args, **kwds)

    return watched


def watched_of(real: Any) -> list[Callable[..., Any]]:
    """Return the functions that a function in C is exchanged for."""
    return [_watched(real, words) for words in ("os.urandom", "secrets or random.SystemRandom")]


def _libraries() -> list[Any]:
    """Return the types of the functions that `ctypes` found in libraries, if it is imported."""
    ctypes: Any = sys.modules.get("_ctypes")
    kinds = [] if ctypes is None else ctypes.CFuncPtr.__subclasses__()
    return [kind for kind in kinds if "__call__" not in vars(kind)]


def _called(function: Any, *args: Any) -> Any:
    notice(randomness("a function in C that ctypes found in a library"), sys._getframe(1))
    ctypes: Any = sys.modules["_ctypes"]
    return ctypes.CFuncPtr.__call__(function, *args)
