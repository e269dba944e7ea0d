"""Code that could see or change what a captured state omits, refused by name or by instruction."""

from __future__ import annotations

import builtins
import dis
import types
from os.path import basename
from typing import Any

from dpcert.mechanisms.states.bytecode import Item, computed
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.library import ANY, HEAP_TYPE, IMMUTABLE, class_of_library, is_library, of_library
from dpcert.mechanisms.states.names import GETTERS, SETTERS, imported, nested, stored

# Names that reach frames, namespaces, addresses, finalizers, or state that is kept outside of Python's objects.
NAMES = frozenset(
    [
        "eval",
        "exec",
        "compile",
        "globals",
        "locals",
        "vars",
        "dir",
        "id",
        "input",
        "open",
        "breakpoint",
        "__import__",
        "import_module",
        "reload",
        "modules",
        "_getframe",
        "_current_frames",
        "currentframe",
        "f_back",
        "f_locals",
        "f_globals",
        "gi_frame",
        "cr_frame",
        "tb_frame",
        "__traceback__",
        "stack",
        "exc_info",
        "settrace",
        "setprofile",
        "gettrace",
        "getprofile",
        "monitoring",
        "getrefcount",
        "getsizeof",
        "intern",
        "setrecursionlimit",
        "getrecursionlimit",
        "get_referrers",
        "get_referents",
        "get_objects",
        "weakref",
        "ref",
        "finalize",
        "ctypes",
        "inspect",
        "tracemalloc",
        "gc",
        "cell_contents",
        "__closure__",
        "__code__",
        "__globals__",
        "__builtins__",
        "__dict__",
        "environ",
        "getenv",
        "putenv",
        "getcontext",
        "setcontext",
        "localcontext",
        "ContextVar",
        "contextvars",
        "threading",
        "local",
        "socket",
        "subprocess",
        "seterr",
        "errstate",
        "__del__",
        "_source",
        "_node",
        "__reduce_ex__",
        "__reduce__",
        "lru_cache",
        "cache",
        "cached_property",
        "atexit",
        "register",
        "addaudithook",
        "setlocale",
        "is_",
        "is_not",
        "os",
        "posix",
        "nt",
        "pathlib",
        "Path",
        "tempfile",
        "shelve",
        "sqlite3",
        "mmap",
        "pickle",
        "marshal",
        "read_text",
        "write_text",
        "read_bytes",
        "write_bytes",
        "getcwd",
        "chdir",
        "set_printoptions",
        "printoptions",
        "memmap",
        "fromfile",
        "tofile",
        "save",
        "savez",
        "savetxt",
        "loadtxt",
        "metadata",
        "simplefilter",
        "filterwarnings",
        "resetwarnings",
        "catch_warnings",
        "getLogger",
        "update_wrapper",
        "__func__",
        "__annotations__",
        "__dataclass_fields__",
        "__orig_bases__",
        "__parameters__",
        "__type_params__",
        "__weakref__",
        "__subclasses__",
    ]
)
# What numbers of the standard library are made of.
INSIDES = frozenset({"_numerator", "_denominator"})
STORE_GLOBAL, DELETE_GLOBAL = dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]
SINGLES = (None, True, False, Ellipsis, NotImplemented)


def place_of(code: types.CodeType) -> str:
    """Return where a code object begins, in words."""
    return f"{basename(code.co_filename)}:{code.co_firstlineno}, in {code.co_qualname}"


def meet(home: Home, code: types.CodeType, space: dict[str, Any]) -> bool:
    """Note a function that begins to be executed, and to which attributes it assigns; whether it is to be examined."""
    if of_library(space):
        return False
    home.executed[code, home.address(space)] = place_of(code)
    for inner in nested(code):
        home.stored |= stored(inner)
        if computed(home.analysis(inner), SETTERS):
            home.stored.add(ANY)
    return True


def examine(home: Home, code: types.CodeType, space: dict[str, Any]) -> None:
    """Refuse a function that was executed if it asks for or does something that a captured state does not show.

    Raises: NotRead naming the function and the word or the instruction.
    """
    where = place_of(code)
    if code.co_name == "__del__":
        raise NotRead(f"{where}: a finalizer runs at times that the state does not tell")
    for inner in nested(code):
        found = NAMES.intersection(inner.co_names) | NAMES.intersection(
            text for text in inner.co_consts if type(text) is str and text.startswith("__")
        )
        if found:
            raise NotRead(f"{where}: {min(found)!r} reaches what a captured state leaves out")
        if computed(home.analysis(inner), GETTERS):
            home.asks.add(where)
        inside = [name for name in stored(inner) if name in INSIDES or (name[:2] == name[-2:] == "__" and name[2:])]
        if inside:
            raise NotRead(f"{where}: it assigns to {min(inside)!r}, which a captured state leaves out")
        words = home.exchanged()
        if words is not None:
            raise NotRead(f"{where}: {words}")
        stores = inner.co_code[::2]
        if STORE_GLOBAL in stores or DELETE_GLOBAL in stores:
            raise NotRead(f"{where}: it assigns to a global")
        for name in imported(inner):
            if not is_library(name):
                raise NotRead(f"{where}: it imports {name!r}, whose state a captured state leaves out")
        for a, b in home.analysis(inner).compared:
            shared = home.singles.get(inner, set())
            if not (_single(a, space, shared) or _single(b, space, shared)):
                raise NotRead(f"{where}: it asks whether two values are one object")


def is_single(value: Any) -> bool:
    """Whether a value is one object by its meaning: a class, a function, a module, `object()`, a mark of a library."""
    kind = type(value)
    if isinstance(value, (type, types.FunctionType, types.ModuleType)) or kind is object:
        return True
    made = kind.__flags__ & (HEAP_TYPE | IMMUTABLE) == HEAP_TYPE
    return made and class_of_library(kind) and not vars(kind).keys() & {"__eq__", "__slots__"}


def _single(item: Item, space: dict[str, Any], shared: set[str]) -> bool:
    """Whether an item is one object by its meaning: None and its kin, or what `is_single` says so of."""
    if item[0] == "deref":
        return item[1] in shared
    if item[0] == "const":
        return any(item[1] is single for single in SINGLES)
    if item[0] == "global":
        value = space.get(item[1], getattr(builtins, item[1], None))
        return is_single(value)
    return item[0] == "attr" and item[1][0] == "global" and isinstance(space.get(item[1][1]), type)
