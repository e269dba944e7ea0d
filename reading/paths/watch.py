"""Forbidden requests of a program, refused by name: hidden randomness on plain numbers, `type` on undecided ones.

A profile hook sees every Python function, and every C function that Python code calls, however it was imported.
`held.py`, `entropy.py` and `outside.py` see calls by C code. Some code in C takes an undecided draw for no number, and
neither asks nor raises: `guarded` replaces it while draws are undecided.
"""

import _random
import gc
import os
import random
import stat
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cache
from json import encoder
from operator import is_not
from os.path import dirname, join
from types import CellType, CodeType, FrameType, FunctionType, MethodWrapperType, ModuleType, WrapperDescriptorType
from typing import Any, ClassVar, Protocol

from dpcert.mechanisms.exact import lazy
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.paths.binding import Swap
from dpcert.reading.paths.entropy import INTERPRETERS, RANDOM_OF_SSL, refuse_entropy
from dpcert.reading.paths.handled import asking, line_of
from dpcert.reading.paths.held import FILE, Held, identity, refuse_shared_generators
from dpcert.reading.paths.loaded import globals_of
from dpcert.reading.paths.outside import UNSEEDED, Hidden, folders_of, is_library_file, randomness, refuse_outside
from dpcert.reading.paths.unasked import BY_NAME, TAKEN

TIMERS = "time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"
CLOCKS = frozenset(name + unit for name in TIMERS for unit in ("", "_ns"))
ENTROPY = frozenset({"urandom", "getrandom"})
SYSTEM = ENTROPY | {"times", "getloadavg", "read", "readv", "pread", "preadv"}
REFUSED_MODULES = {
    **dict.fromkeys(("posix", "nt"), SYSTEM),
    "time": CLOCKS | {"localtime", "gmtime", "ctime", "asctime", "strftime"},
    "resource": frozenset({"getrusage"}),
    "_ssl": RANDOM_OF_SSL,
    "_uuid": frozenset({"generate_time_safe", "UuidCreate"}),
    "_thread": frozenset({"start_new_thread", "start_joinable_thread"}),  # the hook does not see other threads
    **dict.fromkeys(("_interpreters", "_xxsubinterpreters"), frozenset(INTERPRETERS)),
    "_posixshmem": frozenset({"shm_open"}),
    "sys": frozenset({"setprofile"}),
}
REFUSED_TO_PROGRAMS = {
    **dict.fromkeys(("posix", "nt"), frozenset({"getpid", "getppid"})),
    "_thread": frozenset({"get_ident", "get_native_id"}),
    "gc": frozenset({"get_count", "get_stats", "get_objects"}),
    "sys": frozenset({"getrefcount", "getallocatedblocks"}),
    "_tracemalloc": frozenset({"get_traced_memory"}),
}
"""Functions that libraries may call, since they use them to tell their own objects apart."""
SPOKEN = {"posix": "os", "nt": "os", "_ssl": "ssl"}
ANSWERING = frozenset({"_socket.socket", "_ssl._SSLSocket", "sqlite3.Connection", "sqlite3.Cursor"})
READING = frozenset({"read", "read1", "readall", "readinto", "readinto1", "readline", "readlines", "peek"})
UNWATCHED = (
    "the program set a profiler, or reached the recursion limit, and nothing watched it from there on; write deep "
    "recursion as a loop, and set no profiler"
)
DATES = frozenset({"now", "utcnow", "today"})
NOT_OWN = dirname(lazy.__file__), dirname(__file__), join(dirname(dirname(__file__)), "floats")
OF_RANDOM = vars(random)
OF_THE_SYSTEM, OF_PYTHON = random.SystemRandom, random.Random  # a running program may give the names to others
SEEDED_FROM_SYSTEM = random.Random.seed.__code__
SEEDING = frozenset({SEEDED_FROM_SYSTEM, random.Random.setstate.__code__})


def forbidden_call(event: str, frame: FrameType, argument: Any) -> str | None:
    """Return the name of the hidden randomness that a profile event shows, or None."""
    if event == "c_call":
        module, name = getattr(argument, "__module__", None), getattr(argument, "__name__", "")
        if module in REFUSED_MODULES and name in REFUSED_MODULES[module]:
            return f"{SPOKEN.get(module, module)}.{name}"
        if module in REFUSED_TO_PROGRAMS and name in REFUSED_TO_PROGRAMS[module]:
            return None if is_library_file(frame.f_code.co_filename) else f"{SPOKEN.get(module, module)}.{name}"
        owner: Any = getattr(argument, "__self__", None)
        if name in READING and isinstance(owner, FILE) and _answers(owner):
            return f"an open device, pipe or connection ({name})"
        kind: Any = type(owner)
        if (answering := _answering(kind)) is not None:
            return f"a {answering} that it keeps open ({name})"
        if name in DATES and isinstance(owner, type) and issubclass(owner, date):
            return f"datetime.{owner.__name__}.{name}"
        if owner is getattr(random, "_inst", None):
            return f"random.{name}"
    elif event == "call" and frame.f_globals is OF_RANDOM:
        code, owner = frame.f_code, frame.f_locals.get("self")
        if code is SEEDED_FROM_SYSTEM and frame.f_locals.get("a") is None:
            return UNSEEDED
        if owner is getattr(random, "_inst", None):
            return f"random.{code.co_name}"
        if type(owner) is OF_THE_SYSTEM:
            return f"secrets or random.SystemRandom ({code.co_name})"
    return None


def _answers(file: Any) -> bool:
    """Whether an open file has no stored content: standard input, or neither a regular file nor the null device."""
    try:
        number = file.fileno()
        found = os.fstat(number)
        nothing = number != 0 and os.path.samestat(found, os.stat(os.devnull))
        return number == 0 or not (nothing or stat.S_ISREG(found.st_mode))
    except (OSError, ValueError, AttributeError):
        return False


@cache
def _answering(kind: Any) -> str | None:
    """Return the name of the type in ANSWERING that a type inherits from, or None."""
    names = (f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__)
    return next((name for name in names if name in ANSWERING), None)


def _is_harmless(function: Any) -> bool:
    """Whether `forbidden_call` and `_earlier` return None for a call of a C function, whoever calls it."""
    owner: Any = getattr(function, "__self__", None)
    kind: Any = type(owner)
    if kind is ModuleType:
        return _of_module(function)
    if kind is type:
        return _of_class(owner, getattr(function, "__module__", None))
    return _of_kind(kind, getattr(function, "__module__", None))


@cache
def _of_module(function: Any) -> bool:
    return function.__module__ not in REFUSED_MODULES and function.__module__ not in REFUSED_TO_PROGRAMS


@cache
def _of_class(kind: Any, module: Any) -> bool:
    return not issubclass(kind, date) and module not in REFUSED_MODULES and module not in REFUSED_TO_PROGRAMS


@cache
def _of_kind(kind: Any, module: Any) -> bool:
    plain = not issubclass(kind, (FILE, type, _random.Random)) and _answering(kind) is None
    return plain and module not in REFUSED_MODULES and module not in REFUSED_TO_PROGRAMS


def _earlier(event: str, frame: FrameType, argument: Any, seeded: list[Any]) -> str | None:
    """Return the name of a generator that draws in a profile event, unless it is in `seeded`; else None.

    The event shows a generator however deep the program holds it: no search is needed.
    """
    if event == "c_call":
        owner, name = getattr(argument, "__self__", None), getattr(argument, "__name__", "")
        if not isinstance(owner, _random.Random) or name not in ("random", "getrandbits"):
            return None
        if not isinstance(owner, OF_PYTHON):
            return f"a {type(owner).__qualname__} of the module _random, whose seed is not seen"
    elif event == "call" and frame.f_globals is OF_RANDOM and frame.f_code in SEEDING:
        seeded.append(frame.f_locals.get("self"))
        return None
    else:
        return None
    if isinstance(owner, OF_THE_SYSTEM) or any(owner is known for known in seeded):
        return None
    return f"a {type(owner).__qualname__} that it keeps between runs"


class Observer(Protocol):
    """Sees each function that a run enters, except functions whose code or globals are in `known`, by `identity`."""

    @property
    def known(self) -> dict[int, Any]: ...

    def enter(self, frame: FrameType) -> None: ...


class HiddenRandomness:
    """Refuses in a body: randomness other than its coins, clocks, and means to hide these.

    An active profiler sees nothing of the body, and goes on after it. Observers see each function that the body enters.
    The context may be entered again, for another body.

    Raises: Unauditable naming the first such call, or where the active profiler could not be put back.
    """

    def __init__(self, *observers: Observer | None) -> None:
        self.found: list[str] = []
        self.seeded: list[Any] = []
        self.hook = self._hook([each for each in observers if each is not None])

    def _hook(self, observers: list[Observer]) -> Callable[..., None]:
        found, seeded = self.found, self.seeded
        known: defaultdict[int, Any] = defaultdict(lambda: None)  # globals with which code needs no look, by the code
        kept: list[CodeType] = []  # so that no other code gets one of their addresses

        def look(frame: FrameType) -> None:
            space, code = names = frame.f_globals, frame.f_code
            unknown = [each for each in observers if each.known.keys().isdisjoint(map(identity, names))]
            for each in unknown:
                each.enter(frame)
            if not unknown:
                known[identity(code)] = space
                kept.append(code)

        def hook(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call":
                if known[identity(frame.f_code)] is not frame.f_globals:
                    look(frame)
                if frame.f_globals is not OF_RANDOM:
                    return
            elif event == "c_call":
                if _is_harmless(argument):
                    return
            else:
                return  # nearly every event: the functions below return None for it
            name = forbidden_call(event, frame, argument) or _earlier(event, frame, argument, seeded)
            if name is not None and frame.f_globals is not globals():
                found.append(name)

        return hook

    def __enter__(self) -> None:
        self.found.clear()
        self.put_back, self.collecting = _profiler(), gc.isenabled()
        gc.disable()  # its callbacks are not the program's
        sys.setprofile(self.hook)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        watching = sys.getprofile() is self.hook
        sys.setprofile(None)
        self.put_back()
        if self.collecting:
            gc.enable()
        self.seeded.clear()
        if kind is None and (self.found or not watching):
            raise randomness(self.found[0]) if self.found else Hidden(UNWATCHED)


def refuse_hidden_randomness(*observers: Observer | None) -> HiddenRandomness:
    """Return a context that raises if its body used hidden randomness; observers see the functions it enters."""
    return HiddenRandomness(*observers)


@contextmanager
def refuse_hidden_sources(
    program: object, spaces: list[dict[str, Any]] | None = None, held: Held | None = None
) -> Iterator[None]:
    """Run the body, in which a program runs often, and raise if a run used anything but its input and its coins.

    `spaces` are the program's `own_modules`, and `held` the objects that it held before, where the caller knows them.

    Raises: Hidden naming a generator that all code shares or that the program holds, a file that is not its own, a
            device, a process, a connection, or a function in C that makes random bytes.
    """
    spaces = own_modules(program) if spaces is None else spaces
    with refuse_outside(folders_of(spaces)), refuse_shared_generators(spaces, program, held), refuse_entropy(spaces):
        yield


def _profiler() -> Callable[[], object]:
    """Return a function that sets the active profiler again: `sys.setprofile` takes no profiler written in C.

    Raises: Unauditable for a profiler that is not callable and has no method `enable`, as cProfile's has.
    """
    active: Any = sys.getprofile()
    if active is None or callable(active):
        return lambda: sys.setprofile(active)
    if callable(enable := getattr(active, "enable", None)):
        return lambda: enable()
    kind = f"{type(active).__module__}.{type(active).__qualname__}"
    raise Unauditable(f"the active profiler, a {kind}, could not be put back after a watched run; audit without it")


class _Guard(type):
    meanings: Mapping[type, type]

    def __call__(cls, *args: Any, **kwds: Any) -> Any:
        if len(args) == 1 and issubclass(type(args[0]), lazy.Lazy):
            args[0]._node.run.poison("type() of an undecided draw cannot be followed; use isinstance")
        if len(args) == 3:  # a class is made, in the caller's module
            args = *args[:2], {"__module__": sys._getframe(1).f_globals.get("__name__"), **args[2]}
        found = type(*args, **kwds)
        return cls if found is type else cls.meanings.get(found, found)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, type)


class GuardedType(metaclass=_Guard):
    """Replaces `type` for a program on undecided draws: their type is refused, all other uses are unchanged.

    `meanings` are the other types that are replaced, too.
    """

    meanings: ClassVar[Mapping[type, type]] = {}


def guarded_getattr(value: Any, name: str, *default: Any) -> Any:
    """Replace `getattr` for undecided draws: refuse to get a number's method in C, by its name, on such a draw."""
    found = getattr(value, name, *default)
    if name not in BY_NAME:
        return found
    _refuse_undecided(value, name)
    return _Method(found, name) if type(found) in (MethodWrapperType, WrapperDescriptorType) else found


class _Method:
    """A number's method in C, which refuses undecided operands."""

    __slots__ = ("called", "name")

    def __init__(self, called: Callable[..., Any], name: str) -> None:
        self.called = called
        self.name = name

    def __call__(self, *args: Any) -> Any:
        for each in args:
            _refuse_undecided(each, self.name)
        return self.called(*args)


def _refuse_undecided(value: Any, name: str) -> None:
    if issubclass(type(value), lazy.Lazy):
        value._node.run.poison(f"{line_of(asking(sys._getframe(2)))}: {name} {TAKEN}")


def _encoder(markers: Any, default: Callable[[Any], Any], *rest: Any) -> Any:
    """Replace json's encoder in C for undecided draws: it would call `default` on a draw, as on no number."""

    def decided(value: Any) -> Any:
        return value._decide() if issubclass(type(value), lazy.Lazy) else default(value)

    return IN_C(markers, decided, *rest)


IN_C: Any = vars(encoder)["c_make_encoder"]


def own_modules(program: object) -> list[dict[str, Any]]:
    """Return the globals of a program's functions and of the modules in their folders.

    The functions are those reached through closures, defaults, methods, `functools.partial` and `__wrapped__`; the
    standard library, the exact layer, the layer of floats and this folder are left out.
    """
    reached: dict[int, Any] = {}
    pending = [program]
    while pending:
        item = pending.pop()
        follow = isinstance(item, (CellType, tuple)) or (callable(item) and not isinstance(item, type))
        if follow and identity(item) not in reached:
            reached[identity(item)] = item
            method = type(item).__call__ if callable(item) else None
            pending += [*gc.get_referents(item), getattr(item, "__wrapped__", None), method]
    spaces = [function.__globals__ for function in reached.values() if isinstance(function, FunctionType)]
    folders = {_folder(space) for space in spaces} - {"", *NOT_OWN}
    spaces += [space for folder in sorted(folders) for space in LOADED.in_folder(folder)]
    spaces = [*{identity(space): space for space in spaces}.values()]
    own = (space for space in spaces if _folder(space) not in NOT_OWN)
    return [space for space in own if space.get("__name__", "").partition(".")[0] not in sys.stdlib_module_names]


def _folder(space: dict[str, Any]) -> str:
    file = space.get("__file__")
    return dirname(file) if isinstance(file, str) else ""


class Loaded:
    """The globals of the loaded modules by folder, kept since each law asks for them, and few load another module."""

    def __init__(self) -> None:
        self._modules: list[object] = []
        self._spaces: dict[str, list[dict[str, Any]]] = {}

    def in_folder(self, folder: str) -> list[dict[str, Any]]:
        """Return the globals of the modules in a folder, in the order in which they were loaded."""
        modules: list[object] = list(sys.modules.values())
        if len(modules) != len(self._modules) or any(map(is_not, modules, self._modules)):
            self._modules, self._spaces = modules, {}
            for space in map(globals_of, modules):
                self._spaces.setdefault(_folder(space), []).append(space)
        return self._spaces.get(folder, [])


LOADED = Loaded()


def guarded(spaces: list[dict[str, Any]]) -> list[Swap]:
    """Return the swaps of `type` and `getattr` in the globals given, and of json's encoder, for undecided draws."""
    types = [Swap(space, "type", GuardedType) for space in spaces if "type" not in space]
    names = [
        Swap(space, name, guarded_getattr)
        for space in spaces
        for name in {"getattr", *(name for name, value in space.items() if value is getattr)}
        if space.get(name, getattr) is getattr
    ]
    return [*types, *names, *([Swap(vars(encoder), "c_make_encoder", _encoder)] if IN_C is not None else [])]
