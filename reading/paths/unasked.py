"""Methods in C of numbers, which take an undecided draw for no number, and neither ask it nor raise an error.

`int.__eq__(5, u)` is `NotImplemented` for an undecided draw u, whatever it is. So a program on undecided draws may not
call such a method by its name: where its code names one, computes the name, or holds one that was found before.
"""

import dis
import gc
import sys
from collections import deque
from functools import partial
from itertools import takewhile
from operator import attrgetter, methodcaller
from types import (
    CellType,
    CodeType,
    FrameType,
    FunctionType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Any

from dpcert.mechanisms.exact.lazy import ARITHMETIC, COMPARISONS
from dpcert.reading.paths.held import identity

BY_NAME = frozenset(f"__{side}{name}__" for name in ARITHMETIC.split() for side in ("", "r")) | {
    f"__{name}__" for name in COMPARISONS.split()
}
"""Methods of `int` with an operand."""
TAKEN = "is called by name, which in C takes an undecided draw for no number; write the operator"
ASKING = frozenset({"attrgetter", "methodcaller"})
"""Functions in C that ask for an attribute by its name; `getattr` is looked at when it is called (`watch.py`)."""
REACHING = frozenset({"__getattribute__", "getattr_static", "getmembers", "getmembers_static"})
"""Functions that reach the methods of a class past `getattr`; and these do so of a class of numbers."""
SHOWING, CLASSES = frozenset({"vars", "__dict__"}), frozenset({"int", "float", "bool", "__class__", "__mro__", "mro"})
NUMBERED = frozenset({"OSError", "IOError", "EnvironmentError"})
"""Classes in C of which the number that they are given chooses a subclass, where it is an `int`."""
LOADS = {"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"} | {dis.opname[code] for code in dis.hasconst}
"""Instructions of attributes, and of constants: a later version returns one by an instruction of its own."""
CALLED = frozenset({"LOAD_ATTR", "LOAD_GLOBAL", "LOAD_METHOD", "LOAD_NAME"})
PLAIN = frozenset({"LOAD_CONST", "LOAD_FAST", "KW_NAMES"})
FILLING = frozenset({"CACHE", "EXTENDED_ARG", "PRECALL", "PUSH_NULL"})
METHODS = MethodWrapperType, WrapperDescriptorType
NO_NUMBERS = frozenset({object, type, str, bytes, list, tuple, dict, set, frozenset})
HOLDERS = list, tuple, dict, set, frozenset, deque, CellType, MethodType, partial, SimpleNamespace, MappingProxyType
NO_PROGRAMS = sys.stdlib_module_names | {"dpcert", "numpy", "scipy", "pandas"}
MOST_HELD = 200_000
"""The number of objects that are searched for what the code of one function holds; with more, it may hold any."""


def method_of(frame: FrameType) -> str | None:
    """Return what the code of a frame asks for or holds, in words, that takes a draw for no number; or None."""
    name = names_method(frame.f_code) or _holds(frame)
    return name if name is None or name.endswith("draw") else f"{name} {TAKEN}"


def names_method(code: CodeType) -> str | None:
    """Return the name of a method of numbers that code asks for by name, or what may ask for one; or None."""
    texts = {part for each in code.co_consts if type(each) is str for part in each.split(".")}
    names = {*code.co_names}
    if names & REACHING:
        return f"what {min(names & REACHING)} shows"
    if names.isdisjoint(BY_NAME | ASKING | NUMBERED | SHOWING) and BY_NAME.isdisjoint(texts):
        return None
    made = [each for each in dis.get_instructions(code) if each.opname not in FILLING]
    for i, each in enumerate(made):
        if each.opname in LOADS and (found := BY_NAME.intersection(str(each.argval).split("."))):
            return min(found)
        name = each.argval if each.opname in CALLED else None
        if name in CLASSES and (made[i - 1].argval == "vars" or made[i + 1].argval == "__dict__"):
            return f"what a dict of {name} shows"
        if name in ASKING and not _is_given_text(made[i + 1 :]):
            return f"what {name} is given"
        called = each.opname == "LOAD_GLOBAL" and (each.arg or 0) & 1  # with room for what a call needs
        if name in NUMBERED and called and not made[i + 1].opname.startswith(("LOAD_CONST", "CALL")):
            return f"{name} is given a number, and its class depends on it; write int(...) around the draw"
    return None


def _is_given_text(following: list[dis.Instruction]) -> bool:
    """Whether a function is called at once with a text and plain loads."""
    given = list(takewhile(lambda each: each.opname in PLAIN, following))
    call = following[len(given)].opname if len(given) < len(following) else ""
    return bool(given) and type(given[0].argval) is str and given[0].opname == "LOAD_CONST" and call.startswith("CALL")


def _holds(frame: FrameType) -> str | None:
    """Return the name of a method of numbers that variables of a frame hold, or globals that its code names."""
    names, spaces = frame.f_code.co_names, [frame.f_globals]
    for space in spaces:  # and those of modules that are found there
        found = (space.get(name) for name in names)
        spaces += [vars(each) for each in found if type(each) is ModuleType and not _is_known(each.__name__, spaces)]
    values = [space.get(name) for space in spaces for name in names]
    pending = deque([*values, *frame.f_locals.values()])
    seen: dict[int, Any] = {}
    while pending:
        item = pending.popleft()
        if identity(item) in seen:
            continue
        if len(seen) == MOST_HELD:
            return f"one of the more than {MOST_HELD:,} objects that its names reach"
        kind = type(item)
        if (name := _method(item, kind)) is not None:
            return name
        if issubclass(kind, HOLDERS):
            seen[identity(item)] = item
            pending += gc.get_referents(item)
        elif kind is FunctionType:
            seen[identity(item)] = item
            pending += (item.__defaults__, item.__kwdefaults__, item.__closure__, item.__dict__)
        elif issubclass(kind, type):
            seen[identity(item)] = item
            pending += [part for each in item.__mro__ if not _of_library(each) for part in vars(each).values()]
        elif not _of_library(kind):
            seen[identity(item)] = item
            pending += [kind, *gc.get_referents(item)]
    return None


def _is_known(name: str, spaces: list[dict[str, Any]]) -> bool:
    return name.partition(".")[0] in NO_PROGRAMS or any(space.get("__name__") == name for space in spaces)


def _of_library(kind: Any) -> bool:
    return str(kind.__module__).partition(".")[0] in NO_PROGRAMS


def _method(item: Any, kind: type) -> str | None:
    if kind is attrgetter or kind is methodcaller:
        texts = (text for text in item.__reduce__()[1] if type(text) is str)
        return next((text for text in texts if not BY_NAME.isdisjoint(text.split("."))), None)
    if kind not in METHODS or item.__name__ not in BY_NAME:
        return None
    owner = item.__objclass__ if kind is WrapperDescriptorType else type(item.__self__)
    return None if owner in NO_NUMBERS else f"{owner.__name__}.{item.__name__}"
