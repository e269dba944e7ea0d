"""What a run leaves behind for the runs after it, in objects that are there before it.

A verdict is on a function of the input and the coins. A program that counts its calls is none, and may answer as one
for more calls than an audit makes. So all that a program reaches by the names in its code is compared before and after
its runs. A table says of which types all parts are read. An object of another type is named, and taken to stay as it
is.
"""

from __future__ import annotations

import _random
import array
import builtins
import collections
import datetime
import decimal
import functools
import gc
import io
import random
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from operator import is_
from pathlib import PurePath
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.held import identity, numpys_generators
from dpcert.reading.paths.keeping import keeping
from dpcert.reading.paths.loaded import globals_of
from dpcert.reading.paths.outside import is_library_file, is_standard

MOST = 200_000
"""The number of objects that are read."""
SCALARS = frozenset({int, float, complex, bool, str, bytes, type(None)})
PLAIN: frozenset[Any] = SCALARS | {
    *(range, types.CodeType, type(...), type(NotImplemented), decimal.Decimal, re.Pattern, typing.TypeVar),
    *(datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
    *(types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType),
    *(types.MethodDescriptorType, types.ClassMethodDescriptorType, type(vars(collections.abc.Sized)["_abc_impl"])),
    type(vars(collections.namedtuple("Pair", "a b"))["a"]),
}
"""Types whose instances never change. The data of an abstract class is read with the class."""
FIXED: frozenset[Any] = frozenset(
    {
        *(types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType, types.MappingProxyType),
        *(types.GenericAlias, types.UnionType, slice, tuple, frozenset),
    }
)
"""Types whose instances hold the same objects always, those that the garbage collector sees in them."""
HOLDERS = FIXED | {types.CellType, types.SimpleNamespace, functools.partial, staticmethod, classmethod, property}
"""These, and others that hold what it sees."""
IMPORTS = frozenset({"__import__", "import_module", "modules"})
"""Names by which code may import a module whose name it has as a text."""
LOOKS_UP = IMPORTS | {
    *("globals", "locals", "vars", "eval", "exec", "getattr", "attrgetter"),
    *("__dict__", "__globals__", "f_globals", "f_locals", "get_objects", "get_referrers", "inspect"),
}
"""Names by which code may look up others that it does not say."""
Reader = Callable[[Any], Iterable[Any]]
State = tuple[list[list[Any]], list[dict[str, Any]]]
ABSTRACT: Any = sys.modules["_abc"]
NOTES = frozenset({"__warningregistry__", "__slotnames__"})
"""Names under which Python notes in modules and classes, for itself, which warnings it gave and how it copies them."""
HEAP, IMMUTABLE = 1 << 9, 1 << 8
"""Flags of types: of those that are not built in, and of those of C code that nobody may change."""
DPCERT = __name__.partition(".")[0]
WORD = re.compile(r"[^\W\d]\w*")
ABSENT: Any = object()


def _nothing(thing: Any) -> Iterable[Any]:
    return ()


def _of_function(function: Any) -> list[Any]:
    parts = [function.__code__, function.__name__, function.__qualname__, function.__doc__, function.__defaults__]
    keywords, annotations = function.__kwdefaults__ or {}, function.__annotations__
    closure = function.__closure__ or ()
    return [*parts, *closure, *keywords, *keywords.values(), *annotations, *annotations.values()]


def _of_class(cls: Any) -> Iterator[Any]:
    yield from (*cls.__bases__, cls.__name__, cls.__qualname__)
    if "_abc_impl" in vars(cls):
        yield from sorted(map(repr, ABSTRACT._get_dump(cls)[0]))  # the classes registered with it


def _of_memory(file: Any) -> Iterable[Any]:
    return () if file.closed else (file.getvalue(), file.tell())


def _of_array(values: Any) -> Iterator[Any]:
    yield from (values.base, repr((values.shape, values.strides, values.dtype, values.flags.writeable)))
    yield from values.ravel().tolist() if values.dtype.hasobject else (values.tobytes(),)


BASES: dict[type, Reader] = {
    **dict.fromkeys((object, int, float, complex, str, bytes, _random.Random), _nothing),
    **dict.fromkeys((*io.StringIO.__mro__, *io.BytesIO.__mro__), _nothing),
    **dict.fromkeys((io.StringIO, io.BytesIO), _of_memory),
    **{base: base.__iter__ for base in (list, tuple, set, frozenset, collections.deque)},
    types.GenericAlias: gc.get_referents,
    dict: lambda table: (*dict.keys(table), *dict.values(table)),
    collections.defaultdict: lambda table: (table.default_factory,),
    collections.OrderedDict: collections.OrderedDict.__iter__,
    bytearray: lambda row: (bytes(row),),
    array.array: lambda row: (row.typecode, row.tobytes()),
    type(functools.lru_cache(repr)): lambda function: function.cache_info(),
    types.FunctionType: _of_function,
    type: _of_class,
}
"""Types of C code, each with the parts that an instance has by it, beside its attributes. The state of a generator is
compared by `held.py`.
"""


@functools.cache
def _known(numpy: Any) -> dict[type, Reader]:
    """Return BASES with numpy's types, if numpy is imported."""
    if numpy is None:
        return BASES
    scalars = {base for kind in numpy.sctypeDict.values() if kind is not numpy.void for base in kind.__mro__}
    plain = (*scalars, type(numpy.mean), *numpys_generators())
    types_of = (numpy.dtype, *(base for kind in numpy.sctypeDict.values() for base in type(numpy.dtype(kind)).__mro__))
    texts: dict[type, Reader] = dict.fromkeys(types_of, lambda dtype: (repr(dtype),))
    return {**texts, **dict.fromkeys(plain, _nothing), numpy.ndarray: _of_array, numpy.ufunc: gc.get_referents, **BASES}


class Left:
    """What a program's runs may see of the runs before. It is searched anew only where something changed since.

    It is compared across one run, too: many runs may count until they are where they began.
    """

    def __init__(self) -> None:
        self._begin: list[Any] = []
        self._classes: set[type] = set()
        self._search = _Search([])
        self._before = self._search.read()
        self._by_one: set[str] | None = None

    def begin(self, program: object, spaces: list[dict[str, Any]], value: Any) -> None:
        """Note what a program reaches; `spaces` are the globals of its own modules, and `value` is its input."""
        begin, self._by_one = [program, *spaces], None
        if fresh := not _equal(begin, self._begin) or self.late():
            self._begin, self._search, self._classes = begin, _Search(spaces), set()
        classes = self._search.classes(value)
        if fresh or not classes <= self._classes:
            self._classes |= classes
            self._search = _Search(spaces)
            self._search.run(program, self._classes)
            self._before = self._search.read()

    def late(self) -> bool:
        """Whether a run loaded modules that the code names: the search does not know them, and is to begin anew."""
        return not self._search.loaded() <= self._search.modules

    @contextmanager
    def one_run(self) -> Iterator[None]:
        """Compare before and after the body, where no run was compared since `begin`."""
        if self._by_one is None:
            before = self._search.read()
            yield
            self._by_one = self._search.changed(before)
        else:
            yield

    def changed(self) -> list[str]:
        """Return the names by which the program reaches objects that have other parts than before."""
        found = self._search.changed(self._before) | (self._by_one or set())
        if found:
            self._begin = []
        return sorted(found)

    def unknown(self) -> list[str]:
        """Return the names by which it reaches objects that may change unseen, each with its type."""
        return sorted(self._search.unknown)


class _Search:
    """The search for all that a program reaches by the names in its code, and by `type`; then by the other names of its
    modules, where it may look up names. An object that only these reach is compared as far as its parts are read.
    """

    def __init__(self, spaces: list[dict[str, Any]]) -> None:
        self.own = {space["__name__"] for space in spaces if "__name__" in space}
        self.globals = {*map(identity, spaces)}
        self.program = spaces
        self.modules: set[str] = set()  # those that the code names
        self.spaces: list[tuple[dict[str, Any], str]] = [(vars(builtins), "builtins")]  # where names are sought
        self.placed = {identity(vars(builtins))}
        self.tables: list[tuple[Any, str]] = []  # the names of a library's classes and functions
        self.looked: list[tuple[Any, str]] = []
        self.unknown: set[str] = set()
        self.names: set[str] = set()
        self.spelt: set[str] = set()  # those that are no words of a text
        self.seen: dict[int, Any] = {}
        self.readers: dict[type, Callable[[Any], list[Any]] | None] = {}

    def run(self, program: Any, classes: Iterable[type]) -> None:
        """Find all that is reached from a program, and by `type` from its coins and inputs, which are of `classes`."""
        self.follow(program, "the program")
        for cls in (Coins, random.Random, *classes):
            self.follow(cls, f"{cls.__module__.rpartition('.')[2]}.{cls.__qualname__}")
        known, asked, spaces, tables = -1, set[str](), 0, 0
        while known != len(self.seen):
            known = len(self.seen)
            for module in sorted(self.loaded()):  # a function may import it
                self.follow(sys.modules[module], module)
            for name, item in self.of_ours():
                self.follow(item, f"{DPCERT}.{name}")
            for space in self.program:
                if str(space.get("__name__")).rpartition(".")[2] in self.names:
                    self.space(space)
            names = self.names.copy()
            spaces = self.ask(self.spaces, names, names - asked, spaces)
            tables = self.ask(self.tables, names, names - asked, tables)
            asked = names
        by_code = self.unknown.copy()
        for space in self.program if self.names & LOOKS_UP else ():
            self.space(space)
            for name, value in list(space.items()):
                if value is not vars(builtins):
                    self.follow(value, f"{self.name(space)}.{name}")
        self.unknown, self.modules = by_code, self.loaded()

    def ask(self, places: list[tuple[Any, str]], names: set[str], fresh: set[str], known: int) -> int:
        """Follow what names mean in places, in the first `known` only those that are fresh. Return how many places
        there were.
        """
        found = places.copy()
        for number, (space, where) in enumerate(found):
            for name in sorted((fresh if number < known else names) & space.keys()):
                self.follow(space[name], f"{where}.{name}")
        return len(found)

    def loaded(self) -> set[str]:
        """Return the loaded modules that the code names."""
        return (self.names if self.names & IMPORTS else self.spelt) & sys.modules.keys()

    def of_ours(self) -> Iterator[tuple[str, Any]]:
        """Yield the public names of this package in code that names it, which has them of other modules when asked."""
        homes = vars(sys.modules[DPCERT])["HOMES"] if DPCERT in self.spelt else {}
        for home, names in homes.items():
            space = globals_of(sys.modules.get(f"{DPCERT}.{home}"))
            yield from ((name, space[name]) for name in names.split() if name in self.spelt and name in space)

    def classes(self, value: Any) -> set[type]:
        """Return the program's own classes of which there are instances in an input."""
        found, pending, seen = set(), [value], set[int]()
        while pending:
            item = pending.pop()
            kind = type(item)
            if kind not in PLAIN and not isinstance(item, type) and identity(item) not in seen:
                seen.add(identity(item))
                found.add(kind)
                pending += self.parts(item)
        return {kind for kind in found if kind.__flags__ & HEAP and not self.is_library(kind)}

    def read(self) -> State:
        """Return the parts of all objects, and what names in modules mean."""
        return [self.parts(item) for item, _ in self.looked], [dict(space) for space, _ in self.spaces]

    def changed(self, before: State) -> set[str]:
        """Return the names of all that is not as it was before."""
        rows = zip(self.looked, before[0], strict=True)
        found = {name for (item, name), parts in rows if not _equal(self.parts(item), parts)}
        for (space, where), names in zip(self.spaces, before[1], strict=True):
            if not (_equal([*space.values()], [*names.values()]) and [*space] == [*names]):
                pairs = [(name, space.get(name, ABSENT), names.get(name, ABSENT)) for name in space | names]
                other = {name for name, now, then in pairs if not _equal([now], [then])}
                found |= {f"{where}.{name}" for name in other - (NOTES - self.names)}
        return found

    def follow(self, first: Any, name: str) -> None:
        """Note an object and all that it holds, each by the name given."""
        pending = [first]
        while pending:
            item = pending.pop()
            kind = type(item)
            if kind in PLAIN or identity(item) in self.seen:
                continue
            if len(self.seen) >= MOST:
                self.unknown.add(f"objects beyond the first {MOST:,}")
                return
            self.seen[identity(item)] = item
            if issubclass(kind, types.ModuleType):
                self.space(globals_of(item))
            if kind is types.ModuleType or (isinstance(item, type) and item.__flags__ & IMMUTABLE):
                continue
            if isinstance(item, (types.FunctionType, type)) and self.is_library(item):
                self.keeps(item, name)
                self.looked.append((item, name))
                if vars(item):
                    self.tables.append((vars(item), name))  # the names in the code lead on
                pending += (kind, *item.__mro__) if isinstance(item, type) else item.__closure__ or ()
            elif (read := self.reader(kind)) is None:
                self.unknown.add(f"{name} ({kind.__module__}.{kind.__qualname__})")
            else:
                if kind not in FIXED:
                    self.looked.append((item, name))
                elif kind is types.BuiltinFunctionType:
                    self.keeps(item, name)
                pending += read(item)
                if kind is types.FunctionType:
                    spelt = {*_names(item.__code__)}
                    self.spelt |= spelt
                    self.names.update(spelt, _words(item.__code__))
                    self.space(item.__globals__)

    def keeps(self, item: Any, name: str) -> None:
        """Note a function or class of a library that may keep something which no name leads to."""
        if (module := keeping(item)) is not None:
            self.unknown.add(f"the state of {module} ({name})")

    def is_library(self, item: Any) -> bool:
        """Whether a function or class is a library's or ours, and no program's. What it says of itself decides nothing:
        the module must hold the class by its name, and the function its globals.
        """
        function = type(item) is types.FunctionType
        name = str(item.__globals__.get("__name__") if function else item.__module__)
        space = globals_of(sys.modules.get(name))
        if identity(space) in self.globals:
            return False
        if function:
            ours = name.partition(".")[0] == DPCERT
            return space is item.__globals__ and (ours or is_library_file(item.__code__.co_filename))
        return _found(space, item.__qualname__) is item

    def space(self, space: dict[str, Any]) -> None:
        """Let the names in the code lead to the globals of a module."""
        if identity(space) not in self.placed:
            self.placed.add(identity(space))
            self.spaces.append((space, self.name(space)))

    def name(self, space: dict[str, Any]) -> str:
        """Return the name of a module by its globals, of the program's own that of its file."""
        file = PurePath(space.get("__file__") or "").stem if identity(space) in self.globals else ""
        return file or str(space.get("__name__", ""))

    def parts(self, item: Any) -> list[Any]:
        """Return what an object holds, in order."""
        read = self.reader(type(item))
        return [] if read is None else read(item)

    def reader(self, kind: type) -> Callable[[Any], list[Any]] | None:
        """Return how all parts of an instance are read; None where some of them may be hidden."""
        if kind not in self.readers:
            self.readers[kind] = gc.get_referents if kind in HOLDERS else self.by_bases(kind)
        return self.readers[kind]

    def by_bases(self, kind: type) -> Callable[[Any], list[Any]] | None:
        """Return how an instance is read by the classes that its own inherits."""
        known = _known(sys.modules.get("numpy"))
        made = [base for base in kind.__mro__ if base not in known]
        if not all(map(self.is_made, made)):
            return None
        bases = [known[base] for base in kind.__mro__ if base in known and known[base] is not _nothing]
        slots = [each for base in made for each in vars(base).values() if type(each) is types.MemberDescriptorType]
        stored = [vars(base)["__dict__"] for base in kind.__mro__ if "__dict__" in vars(base)]
        attributes = [each for each in stored if type(each) is types.GetSetDescriptorType][-1:]

        def read(thing: Any) -> list[Any]:
            found = [kind, *chain.from_iterable([base(thing) for base in bases])]
            for each in attributes:
                table = each.__get__(thing)
                pairs = dict.items(table) if isinstance(table, dict) else table.items()
                found += [part for pair in pairs if pair[0] not in NOTES or pair[0] in self.names for part in pair]
            for slot in slots:
                with suppress(AttributeError):
                    found.append(slot.__get__(thing))
            return found

        return read

    def is_made(self, cls: type) -> bool:
        """Whether a class is made by Python code of the program, of the standard library or of this package."""
        if cls.__module__ in self.own:
            return bool(cls.__flags__ & HEAP)
        file = str(globals_of(sys.modules.get(cls.__module__)).get("__file__"))
        ours = cls.__module__.partition(".")[0] == DPCERT or is_standard(file)
        return cls.__flags__ & (HEAP | IMMUTABLE) == HEAP and ours and file.endswith(".py")


def _found(space: Any, path: str) -> Any:
    """Return what a name with dots means in a module's globals, by dictionaries alone; None where it means nothing."""
    first, _, rest = path.partition(".")
    item = space.get(first)
    return _found(vars(item), rest) if rest and isinstance(item, type) else None if rest else item


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and those in it."""
    yield code
    for each in code.co_consts:
        if type(each) is types.CodeType:
            yield from _codes(each)


def _names(code: types.CodeType) -> Iterable[str]:
    """Return the names in a code object."""
    return chain.from_iterable(each.co_names for each in _codes(code))


def _words(code: types.CodeType) -> Iterator[str]:
    """Yield the words of the texts in a code object, by which it may ask for a name."""
    for each in chain.from_iterable(each.co_consts for each in _codes(code)):
        if type(each) is str:
            yield from WORD.findall(each)


def _equal(items: list[Any], others: list[Any]) -> bool:
    """Whether two lists hold the same objects in the same order, or equal scalars, of floats to the bit."""
    if len(items) != len(others):
        return False
    return all(map(is_, items, others)) or all(map(_same, items, others))


def _same(item: Any, other: Any) -> bool:
    if item is other:
        return True
    kind = type(item)
    return kind in SCALARS and kind is type(other) and (repr(item) == repr(other) if kind in FLOATS else item == other)


FLOATS = frozenset({float, complex})
