"""Code that could see or change what a captured state omits, refused by name or by instruction."""

from __future__ import annotations

import builtins
import dis
import re
import types
from abc import ABCMeta
from enum import EnumType
from os.path import basename
from typing import Any

from dpcert.mechanisms.states.bytecode import VALUE, Analysis, Item, computed
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.library import (
    ASKING,
    HEAP_TYPE,
    IMMUTABLE,
    LEFT_OUT,
    class_of_library,
    is_library,
    is_theirs,
)
from dpcert.mechanisms.states.methods import owners
from dpcert.mechanisms.states.names import imported, nested, stored

# Names that reach frames, namespaces, addresses, finalizers, or state that is kept outside of Python's objects.
REACHING = (
    "import_module reload modules _getframe _current_frames currentframe f_back f_locals f_globals gi_code gi_frame "
    "cr_frame tb_frame stack exc_info settrace setprofile gettrace getprofile monitoring getrefcount getsizeof intern "
    "setrecursionlimit getrecursionlimit get_referrers get_referents get_objects weakref ref finalize ctypes inspect "
    "tracemalloc gc cell_contents environ getenv putenv ContextVar contextvars threading local socket subprocess "
    "_source _node atexit addaudithook setlocale os posix nt pathlib Path tempfile shelve sqlite3 mmap pickle "
    "marshal read_text write_text read_bytes write_bytes getcwd chdir metadata getLogger resize"
)
NAMES = frozenset(REACHING.split()).union(*(words.split() for words in LEFT_OUT.values()))
DATA = frozenset(["__name__", "__class__", "__context__", "__cause__", "__suppress_context__", "__members__"])
METHODS = (
    "__init__ __new__ __post_init__ __call__ __enter__ __exit__ __iter__ __next__ __len__ __getitem__ __setitem__ "
    "__delitem__ __contains__ __missing__ __getattribute__ __setattr__ __getattr__ __bool__ __int__ __float__ "
    "__index__ __str__ __abs__ __neg__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __floordiv__ "
    "__mod__ __pow__ __lt__ __le__ __gt__ __ge__"
)
PLAIN = DATA.union(METHODS.split())
"""Names with underscores around them that code may ask for; those of methods only to call them."""
BY_INT = (("global", "int"),)
FORMATS = frozenset({"format", "format_map"})
SPECIAL = re.compile("__[a-z_]+__")
# What numbers of the standard library are made of.
INSIDES = frozenset({"_numerator", "_denominator"})
STORE_GLOBAL, DELETE_GLOBAL = dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]
SINGLES = (None, True, False, Ellipsis, NotImplemented)


def place_of(code: types.CodeType) -> str:
    """Return where a code object begins, in words."""
    return f"{basename(code.co_filename)}:{code.co_firstlineno}, in {code.co_qualname}"


def meet(home: Home, code: types.CodeType, space: dict[str, Any]) -> bool:
    """Note a function that begins to be executed, and to which attributes it assigns; whether it is to be examined."""
    if is_theirs(code, space):
        return False
    home.executed[code, home.address(space)] = place_of(code)
    for inner in nested(code):
        home.stored |= stored(inner)
    return True


def examine(home: Home, code: types.CodeType, space: dict[str, Any]) -> None:
    """Refuse a function that was executed if it asks for or does something that a captured state does not show.

    Raises: NotRead naming the function and the word or the instruction.
    """
    where = place_of(code)
    if code.co_name == "__del__":
        raise NotRead(f"{where}: a finalizer runs at times that the state does not tell")
    for inner in nested(code):
        analysis = home.analysis(inner)
        found = _named(analysis)
        if found:
            raise NotRead(f"{where}: {min(found)!r} reaches what a captured state leaves out")
        if computed(analysis, ASKING):
            raise NotRead(f"{where}: it computes the name of an attribute, which may be any")
        if VALUE in owners(analysis, home.of_tuples).values():
            raise NotRead(f"{where}: it asks for a method without calling it, which may show which object a value is")
        if code in home.reaches:
            raise NotRead(f"{where}: {home.reaches[code]}")
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
        for a, b in analysis.compared:
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


def _named(analysis: Analysis) -> set[str]:
    """Return the names that code may not ask for, in texts, which `format` reads, as well."""
    documented = not analysis.code.co_name.startswith("<")  # what comes first then is None, or what documents it
    texts = [text for text in analysis.code.co_consts[documented:] if type(text) is str]
    special = {name for text in texts for name in SPECIAL.findall(text)}
    special |= {name for name, called, *_ in analysis.asked if SPECIAL.fullmatch(name) and not called}
    special -= DATA
    names = {name for name, called, _, owner in analysis.asked if not (called and owner in BY_INT)}
    special |= {name for name in names if SPECIAL.fullmatch(name) and name not in PLAIN}
    special |= {name for name, *_, owner in analysis.asked if name in FORMATS and owner and not _plain_format(owner)}
    return special | (NAMES & {*names, *analysis.code.co_names})


def _plain_format(owner: Item) -> bool:
    """Whether an item is a text that names no attributes and items of what it is to format."""
    return owner[0] == "const" and type(owner[1]) is str and not re.search(r"\{[^{}:!]*[.\[]", owner[1])


def _single(item: Item, space: dict[str, Any], shared: set[str]) -> bool:
    """Whether an item is one object by its meaning: None and its kin, or what `is_single` says so of."""
    if item[0] == "deref":
        return item[1] in shared
    if item[0] == "const":
        return any(item[1] is single for single in SINGLES)
    if item[0] == "global":
        return is_single(space.get(item[1], getattr(builtins, item[1], None)))
    if item[0] != "attr" or item[1][0] != "global":
        return False
    owner = space.get(item[1][1])
    if type(owner) is EnumType:
        return item[2] in owner.__members__
    held: Any = [vars(each)[item[2]] for each in getattr(owner, "__mro__", ()) if item[2] in vars(each)]
    return type(owner) in (type, ABCMeta) and bool(held) and is_single(held[0])
