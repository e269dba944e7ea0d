"""What a program may not ask, refused by name: hidden randomness on plain numbers, `type` on undecided ones.

A profile hook sees every Python function, and every C function that Python code calls, however it was imported;
the global generators of `random` and numpy, which C code can reach, are compared before and after.
"""

import gc
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from os.path import dirname, join
from types import (
    BuiltinFunctionType,
    CellType,
    FrameType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

from dpcert.mechanisms.exact import lazy
from dpcert.mechanisms.exact.errors import Unauditable

TIMERS = "time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"
CLOCKS = frozenset(name + unit for name in TIMERS for unit in ("", "_ns"))
ENTROPY = frozenset({"urandom", "getrandom"})
REFUSED_MODULES = {
    **dict.fromkeys(("posix", "nt"), ENTROPY),
    "time": CLOCKS | {"localtime", "gmtime", "ctime", "asctime", "strftime"},
    "_uuid": frozenset({"generate_time_safe", "UuidCreate"}),
    "_thread": frozenset({"start_new_thread", "start_joinable_thread"}),  # the hook does not see other threads
    "sys": frozenset({"setprofile"}),
}
HIDDEN = "hidden randomness"
MOST_HELD = 200_000
"""How many objects are looked at for generators that a program holds."""
DATES = frozenset({"now", "utcnow", "today"})
NOT_OWN = dirname(lazy.__file__), join(dirname(__file__), "floating")
OF_THE_SYSTEM = random.SystemRandom  # while a program runs, the name may mean a stand-in
SEEDED_FROM_SYSTEM = random.Random.seed.__code__
SEEDING = frozenset({SEEDED_FROM_SYSTEM, random.Random.setstate.__code__})
HOLDERS = (
    *(list, tuple, dict, set, frozenset, deque, CellType, MethodType, BuiltinFunctionType),
    *(partial, SimpleNamespace, MappingProxyType, GeneratorType),
)


def forbidden_call(event: str, frame: FrameType, argument: Any) -> str | None:
    """Return the name of the hidden randomness that a profile event shows, or None."""
    if event == "c_call":
        module, name = getattr(argument, "__module__", None), getattr(argument, "__name__", "")
        if module in REFUSED_MODULES and name in REFUSED_MODULES[module]:
            return f"os.{name}" if name in ENTROPY else f"{module}.{name}"
        owner = getattr(argument, "__self__", None)
        if name in DATES and isinstance(owner, type) and issubclass(owner, date):
            return f"datetime.{owner.__name__}.{name}"
        if owner is getattr(random, "_inst", None):
            return f"random.{name}"
    elif event == "call":
        code = frame.f_code
        if code is SEEDED_FROM_SYSTEM and frame.f_locals.get("a") is None:
            return "random.Random() without a seed"
        if code.co_filename == random.__file__:
            owner = frame.f_locals.get("self")
            if owner is getattr(random, "_inst", None):
                return f"random.{code.co_name}"
            if type(owner) is OF_THE_SYSTEM:
                return f"secrets or random.SystemRandom ({code.co_name})"
    return None


def _earlier(event: str, frame: FrameType, argument: Any, seeded: list[Any]) -> str | None:
    """Return the name of a generator that a profile event shows drawing, unless it is among those seeded since.

    However deep it is held: this is not found by looking for it.
    """
    if event == "c_call":
        owner, name = getattr(argument, "__self__", None), getattr(argument, "__name__", "")
        if not isinstance(owner, random.Random) or name not in ("random", "getrandbits"):
            return None
    elif event == "call" and frame.f_code in SEEDING:
        seeded.append(frame.f_locals.get("self"))
        return None
    else:
        return None
    if isinstance(owner, random.SystemRandom) or any(owner is known for known in seeded):
        return None
    return f"a {type(owner).__qualname__} that it keeps between runs"


def _global_generators(held: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the states of the generators that all code shares, and of those that are held, by name."""
    states: dict[str, Any] = {"the random module": random.getstate()}
    if numpy := sys.modules.get("numpy"):
        state = numpy.random.get_state(legacy=False)
        name, inner = "numpy.random, or imports it while it runs", state["state"]
        states[name] = inner["key"].tobytes(), inner["pos"], state["has_gauss"]
    for i, item in enumerate(held):
        states[f"a {type(item).__qualname__} that it keeps between runs (number {i + 1})"] = _state(item)
    return states


@contextmanager
def refuse_hidden_randomness() -> Iterator[None]:
    """Run the body and raise if it called for randomness other than its coins, a clock, or what would hide them.

    A profiler that was active sees nothing of the body and goes on after it.

    Raises: Unauditable naming the first such call, or where the active profiler could not be put back.
    """
    found: list[str] = []
    seeded: list[Any] = []

    def hook(frame: FrameType, event: str, argument: Any) -> None:
        name = forbidden_call(event, frame, argument) or _earlier(event, frame, argument, seeded)
        if name is not None and frame.f_globals is not globals():
            found.append(name)

    put_back, collecting = _profiler(), gc.isenabled()
    gc.disable()  # its callbacks are not the program's
    sys.setprofile(hook)
    try:
        yield
    finally:
        if sys.getprofile() is not hook:
            found.append("sys.setprofile, or a profiler of its own")
        sys.setprofile(None)
        put_back()
        if collecting:
            gc.enable()
    _refuse(found)


def _profiler() -> Callable[[], object]:
    """Return what sets the active profiler again: `sys.setprofile` takes no profiler that is written in C.

    Raises: Unauditable for one that is neither callable nor has a method `enable`, as that of cProfile has.
    """
    active: Any = sys.getprofile()
    if active is None or callable(active):
        return lambda: sys.setprofile(active)
    if callable(enable := getattr(active, "enable", None)):
        return lambda: enable()
    kind = f"{type(active).__module__}.{type(active).__qualname__}"
    raise Unauditable(f"the active profiler, a {kind}, could not be put back after a watched run; audit without it")


@contextmanager
def refuse_shared_generators(spaces: Iterable[dict[str, Any]] = (), program: object = None) -> Iterator[None]:
    """Run the body and raise if it used a generator that all code shares, even through C code.

    So it does for generators that were made before, and are held by the program or what is in the globals given.

    Raises: Unauditable naming the generator, also where the body raises it without a name.
    """
    held = _held_generators(spaces, program)
    before = _global_generators(held)
    try:
        yield
    except Unauditable as error:
        if HIDDEN not in str(error):
            _refuse(_changed(before, held))
        raise
    _refuse(_changed(before, held))


def _changed(before: dict[str, Any], held: list[Any]) -> list[str]:
    return [name for name, state in _global_generators(held).items() if before.get(name) != state]


def _held_generators(spaces: Iterable[dict[str, Any]], program: object) -> list[Any]:
    """Return the generators that modules hold: in globals, containers, closures, defaults, classes and instances."""
    spaces = list(spaces)
    own = {space.get("__name__") for space in spaces}
    pending: deque[Any] = deque([program, *(value for space in spaces for value in list(space.values()))])
    seen: dict[int, Any] = {}
    while pending and len(seen) < MOST_HELD:
        item = pending.popleft()  # what is near first
        if id(item) in seen or (not gc.is_tracked(item) and _state(item) is None):
            continue
        seen[id(item)] = item
        kind = type(item)
        if kind is FunctionType:
            if item.__module__ in own:
                pending += [item.__defaults__, item.__kwdefaults__, item.__closure__, item.__dict__]
        elif issubclass(kind, HOLDERS):
            pending += (part for part in gc.get_referents(item) if not isinstance(part, ModuleType))
        elif isinstance(item, type) or kind.__module__ in own:
            pending += gc.get_referents(item) if kind.__module__ in own else []
            pending += vars(item).values() if isinstance(item, type) and item.__module__ in own else []
    return [item for item in seen.values() if _state(item) is not None]


def _state(item: Any) -> Any:
    """Return the state of a generator of `random` or numpy, None for anything else and for those of the system."""
    if isinstance(item, random.Random):
        return item.getstate() if type(item).getstate is random.Random.getstate else None
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not isinstance(item, (numpy.random.Generator, numpy.random.RandomState)):
        return None
    return repr(getattr(item, "bit_generator", getattr(item, "_bit_generator", item)).state)


def _refuse(found: list[str]) -> None:
    if found:
        raise Unauditable(f"{HIDDEN}: the program uses {found[0]}; draw from its coins instead")


class _Guard(type):
    def __call__(cls, *args: Any, **kwds: Any) -> Any:
        if len(args) == 1 and issubclass(type(args[0]), lazy.Lazy):
            args[0]._node.run.poison("type() of an undecided draw cannot be followed; use isinstance")
        found = type(*args, **kwds)
        return cls if found is type else found

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, type)


class GuardedType(metaclass=_Guard):
    """What `type` means to a program on undecided draws: their type is refused, all else is as ever."""


def own_globals(program: object) -> list[dict[str, Any]]:
    """Return the globals of a program's own modules, see `own_modules`, in which `type` is built in."""
    return [space for space in own_modules(program) if "type" not in space]


def own_modules(program: object) -> list[dict[str, Any]]:
    """Return the globals of a program's functions and of the modules in their folders.

    The functions are those reached through closures, defaults, methods, `functools.partial` and `__wrapped__`; the
    standard library, the exact layer, the layer of floats and this module are left out.
    """
    reached: dict[int, Any] = {}
    pending = [program]
    while pending:
        item = pending.pop()
        follow = isinstance(item, (CellType, tuple)) or (callable(item) and not isinstance(item, type))
        if follow and id(item) not in reached:
            reached[id(item)] = item
            method = type(item).__call__ if callable(item) else None
            pending += [*gc.get_referents(item), getattr(item, "__wrapped__", None), method]
    spaces = [function.__globals__ for function in reached.values() if isinstance(function, FunctionType)]
    folders = {_folder(space) for space in spaces} - {"", *NOT_OWN}
    spaces += [vars(module) for module in list(sys.modules.values()) if _folder(vars(module)) in folders]
    own = (space for space in spaces if _folder(space) not in NOT_OWN and space is not globals())
    return [space for space in own if space.get("__name__", "").partition(".")[0] not in sys.stdlib_module_names]


def _folder(space: dict[str, Any]) -> str:
    return dirname(space.get("__file__") or "")


@contextmanager
def bound_type(spaces: list[dict[str, Any]], kind: type) -> Iterator[None]:
    """Run the body with `kind` as the meaning of `type` in the globals given, and restore them."""
    before = [(space, space.get("type")) for space in spaces]
    for space in spaces:
        space["type"] = kind
    try:
        yield
    finally:
        for space, found in reversed(before):  # reversed: a space may be given twice
            space["type"] = found
            if found is None:
                del space["type"]
