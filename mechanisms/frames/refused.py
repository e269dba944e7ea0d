"""Code that could see or change what a captured state leaves out, refused by name or by instruction."""

from __future__ import annotations

import builtins
import dis
import types
from os.path import basename
from typing import Any

from dpcert.mechanisms.frames.bytecode import Item, imported, nested, stored
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.walk import Home, is_library

__all__ = ["examine"]

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
    ]
)
STORE_GLOBAL, DELETE_GLOBAL = dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]
SINGLES = (None, True, False, Ellipsis, NotImplemented)


def examine(home: Home, code: types.CodeType, space: dict[str, Any]) -> None:
    """Refuse a function that was executed, if it asks or does what a captured state cannot tell.

    Raises: NotCaptured naming the function and the word or the instruction.
    """
    if is_library(space.get("__name__")):
        return
    where = f"{basename(code.co_filename)}:{code.co_firstlineno}, in {code.co_qualname}"
    if code.co_name == "__del__":
        raise NotCaptured(f"{where}: a finalizer runs at times that the state does not tell")
    for inner in nested(code):
        found = NAMES.intersection(inner.co_names) | NAMES.intersection(
            text for text in inner.co_consts if type(text) is str and text.startswith("__")
        )
        if found:
            raise NotCaptured(f"{where}: {min(found)!r} reaches what a captured state leaves out")
        home.stored |= stored(inner)
        if home.stored & home.trusted:
            name = min(home.stored & home.trusted)
            raise NotCaptured(f"{where}: {name!r} is assigned to, and called where its value lies on the stack")
        stores = inner.co_code[::2]
        if STORE_GLOBAL in stores or DELETE_GLOBAL in stores:
            raise NotCaptured(f"{where}: it assigns to a global")
        for name in imported(inner):
            if not is_library(name):
                raise NotCaptured(f"{where}: it imports {name!r}, whose state a captured state leaves out")
        for a, b in home.analysis(inner).compared:
            if not (_single(a, space) or _single(b, space)):
                raise NotCaptured(f"{where}: it asks whether two values are one object")


def _single(item: Item, space: dict[str, Any]) -> bool:
    """Whether an item is one object by its meaning: None and its kin, a class, a function, a module, `object()`."""
    if item[0] == "const":
        return any(item[1] is single for single in SINGLES)
    if item[0] == "global":
        value = space.get(item[1], getattr(builtins, item[1], None))
        return isinstance(value, (type, types.FunctionType, types.ModuleType)) or type(value) is object
    return item[0] == "attr" and item[1][0] == "global" and isinstance(space.get(item[1][1]), type)
