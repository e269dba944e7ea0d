"""The libraries that are assumed to keep no state, while nobody adds to them: the standard one, a few large ones."""

from __future__ import annotations

import functools
import random
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpcert.mechanisms.floating.bodies import SPACE_OF_SYSTEM
from dpcert.mechanisms.floating.stand_ins import is_stand_in, real
from dpcert.mechanisms.states.names import GETTERS, SETTERS

LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "joblib", "pandas"})
KEPT = "dpcert.mechanisms.floating", "dpcert.mechanisms.entropy"
"""Modules of this package whose instances are taken to keep no state, either."""
OURS = (
    "dpcert.targets",
    "dpcert.audit.coverage",
    "dpcert.audit.kernel",
    "dpcert.audit.relations",
    "dpcert.mechanisms.exact",
    "dpcert.mechanisms.states",
    "dpcert.mechanisms.watch",
    *KEPT,
)
WITHIN_OURS = tuple(f"{name}." for name in OURS)
HEAP_TYPE, IMMUTABLE = 1 << 9, 1 << 8
ABSENT = object()
STANDARD = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
STANDARD_ONES = (
    "abc array base64 binascii bisect builtins cmath collections contextlib copy csv dataclasses datetime "
    "decimal difflib dpcert enum fractions functools hashlib heapq hmac io itertools json keyword math numbers "
    "operator random re reprlib secrets statistics string struct textwrap time types typing unicodedata uuid warnings "
    "zlib"
)
OPEN = LIBRARIES.union(STANDARD_ONES.split())
"""Modules whose functions and classes a program may use while its states are merged, without a leading underscore.

Those of any other may keep something, or show what no state tells: which objects are one, addresses, sizes, frames.
"""
LEFT_OUT = {
    "abc": "register update_abstractmethods",
    "builtins": "__import__ breakpoint compile dir eval exec globals id input locals open vars",
    "copy": "deepcopy",
    "csv": "field_size_limit register_dialect unregister_dialect",
    "decimal": "BasicContext DefaultContext ExtendedContext getcontext localcontext setcontext",
    "functools": "cache cached_property lru_cache singledispatch singledispatchmethod update_wrapper wraps",
    "io": "FileIO open open_code",
    "numpy": "errstate fromfile loadtxt memmap printoptions save savetxt savez set_printoptions "
    "set_string_function setbufsize seterr seterrcall tofile",
    "operator": "is_ is_not",
    "reprlib": "Repr aRepr recursive_repr",
    "string": "Formatter",
    "time": "tzset",
    "typing": "clear_overloads get_overloads overload",
    "warnings": "catch_warnings filterwarnings resetwarnings simplefilter",
}
"""What these have for that all the same, by module."""
ASKING = GETTERS | SETTERS
"""Functions that take the name of an attribute; only calls by their own names show which."""
DESCRIBED = frozenset(
    {
        types.BuiltinFunctionType,
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        types.MethodWrapperType,
        types.ClassMethodDescriptorType,
    }
)
"""Types of functions in C."""
ANY = "*"
"""Stands for every name, where one is computed."""


@functools.cache
def is_library(name: object) -> bool:
    """Whether a module, by name, is taken to keep no state: the standard library, numpy and its kin, this package's."""
    text = name if type(name) is str else ""
    top = text.partition(".")[0]
    if top in sys.stdlib_module_names | LIBRARIES:
        return _as_installed(getattr(sys.modules.get(top), "__file__", None), top)
    return text in OURS or text.startswith(WITHIN_OURS)


def _as_installed(file: object, top: str) -> bool:
    """Whether a module's file is where the standard library or installed packages are, and none of the user's."""
    if type(file) is not str:
        return True
    installed = not {"site-packages", "dist-packages"}.isdisjoint(Path(file).parts)
    return installed or (top not in LIBRARIES and file.startswith(STANDARD))


def of_library(space: dict[str, Any]) -> bool:
    """Whether globals are those of a module of a library, and not of a function that goes by its name."""
    if space is SPACE_OF_SYSTEM:
        return True
    names = space.get("__name__"), getattr(space.get("__spec__"), "name", None)  # some go by another module's name
    return any(is_library(name) and getattr(sys.modules.get(str(name)), "__dict__", None) is space for name in names)


def is_theirs(code: types.CodeType, space: dict[str, Any]) -> bool:
    """Whether code is a library's: with the globals of a module, and in its file or of one of its classes."""
    if not of_library(space) or space is SPACE_OF_SYSTEM:
        return space is SPACE_OF_SYSTEM
    file = code.co_filename
    return file.startswith("<frozen") or file == space.get("__file__") or code in _made_for(space)


def _made_for(space: dict[str, Any]) -> list[types.CodeType]:
    """Return the code of the methods of a module's classes, some of which was made from a text."""
    kinds = [each for each in space.values() if isinstance(each, type) and each.__module__ == space["__name__"]]
    return [part.__code__ for each in kinds for part in vars(each).values() if type(part) is types.FunctionType]


def class_of_library(kind: type) -> bool:
    """Whether a class is one that a library has by its own name, or has no attributes that could be assigned to."""
    if not kind.__flags__ & HEAP_TYPE:
        return True
    return is_library(kind.__module__) and found_by_name(kind)


def found_by_name(value: Any) -> bool:
    """Whether a class or a function is found by its name in its module, where its stand-in may be for a while."""
    found: Any = sys.modules.get(value.__module__)
    for name in value.__qualname__.split("."):
        found = real(getattr(found, "__dict__", {}).get(name))
    return found is value


def left_out(value: Any, name: str = "") -> str | None:
    """Return why what a library has, by some name or none, is not to be used while states are merged; or None."""
    value = value.__func__ if type(value) is types.MethodType else value
    kind, own, module = type(value), getattr(value, "__name__", ""), "builtins"
    owner = getattr(value, "__self__", None)
    if kind is types.FunctionType:
        if not is_theirs(value.__code__, value.__globals__):
            return None
        module = value.__globals__["__name__"]
    elif isinstance(value, type):
        if not class_of_library(value):
            return None
        module = value.__module__
    elif type(owner) is types.ModuleType:
        module = owner.__name__
    elif isinstance(owner, type):
        return None
    top = module.partition(".")[0].strip("_")
    kept = top not in OPEN and top.partition("_")[0] not in OPEN
    made = any(value is each for each in (types.MethodType, types.FunctionType, types.CodeType))
    of_object = own[:2] == "__" and kind in DESCRIBED and getattr(value, "__objclass__", object) is object
    asks = name != own and (of_object or own in ASKING or own == "__sizeof__")
    if kept or made or asks or own in LEFT_OUT.get(top, "").split():
        return f"'{module}.{own}' sets or shows what a captured state leaves out"
    return None


def is_constant(value: Any) -> bool:
    """Whether what a name means is a library's, or stands for it while draws are undecided."""
    kind = type(value)
    if getattr(value, "__self__", None) is vars(random)["_inst"]:  # watched by others, as all hidden randomness is
        return True
    if kind is types.ModuleType or (kind is types.BuiltinFunctionType and type(value.__self__) is types.ModuleType):
        return True
    if kind is types.FunctionType:
        plain = not (value.__dict__ or value.__closure__)
        theirs = is_theirs(value.__code__, value.__globals__)
        return theirs and (plain or str(value.__globals__["__name__"]).startswith(OURS))
    if isinstance(value, type):
        return class_of_library(value)
    if kind.__module__ == "numpy" and callable(value):  # but no class in Python, nor what wraps the user's functions
        return not kind.__flags__ & HEAP_TYPE and "(vectorized)" not in getattr(value, "__name__", "")
    return kind.__module__.startswith(KEPT) and class_of_library(kind)


@dataclass(slots=True)
class Shelves:
    """The attributes of the modules of libraries and of their classes, as they were when an enumeration began."""

    lives: list[Mapping[str, Any]] = field(default_factory=list)
    before: list[dict[str, Any]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    counts: set[int] = field(default_factory=set)  # of attributes, when no name that is watched was among new ones
    watched: set[str] = field(default_factory=set)
    suspects: list[tuple[str, str, Mapping[str, Any], Any]] = field(default_factory=list)

    @classmethod
    def now(cls) -> Shelves:
        """Return what is there now."""
        found = cls()
        kinds: dict[type, None] = {}
        loaded: list[tuple[str, object]] = [*sys.modules.items()]  # where anything may be put
        for name, module in loaded:
            if isinstance(module, types.ModuleType) and is_library(name):
                found._add(name, vars(module))
                values = found.before[-1].values()
                kinds.update({kind: None for kind in values if isinstance(kind, type) and kind.__flags__ & HEAP_TYPE})
        for kind in kinds:
            if class_of_library(kind) or is_stand_in(kind):
                found._add(kind.__qualname__, vars(kind))
        found.counts.add(sum(map(len, found.lives)))
        return found

    def _add(self, name: str, live: Mapping[str, Any]) -> None:
        self.names.append(name)
        self.lives.append(live)
        self.before.append(dict(live))

    def watch(self, stored: Iterable[str]) -> None:
        """Watch from now on the attributes of some names."""
        for name in set(stored) - self.watched:
            self.watched.add(name)
            self.counts.clear()
            for where, live, before in zip(self.names, self.lives, self.before, strict=True):
                if name in before:
                    self.suspects.append((where, name, live, before[name]))

    def changed(self, *, added: bool) -> str | None:
        """Return where an attribute of a name that is watched is another by now, in words; None where none is.

        With `added` also where it is new. What no code deletes stays, so that one look at the end is enough for it.
        """
        found = [(where, name) for where, name, live, value in self.suspects if live.get(name, ABSENT) is not value]
        if not found and (added or ANY in self.watched):
            count = sum(map(len, self.lives))
            if count not in self.counts or ANY in self.watched:
                found = list(self._differences())
            if not found:
                self.counts.add(count)
        words = "is assigned to, and a library is taken to keep no state"
        return f"{found[0][1]!r} of {found[0][0]!r} {words}" if found else None

    def _differences(self) -> Iterator[tuple[str, str]]:
        everything = ANY in self.watched
        for where, live, before in zip(self.names, self.lives, self.before, strict=True):
            for name in {*live, *before} if everything else self.watched:
                if live.get(name, ABSENT) is not before.get(name, ABSENT) and not (everything and name[:2] == "__"):
                    yield where, name
