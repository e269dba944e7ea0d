"""What a program can reach from some values, as a key: equal keys mean that nothing reachable differs.

Values are taken by exact type, as in the registry of outcomes (`exact/outcome.py`). What can be changed in place is
numbered when it is first met, so that two names of one list differ from two equal lists. Functions stand for their
code, closure, defaults, attributes, and the globals that their code names; classes for their attributes. The standard
library and a few large libraries are taken to keep no state of their own. What is not known is refused.
"""

from __future__ import annotations

import functools
import re
import sys
import sysconfig
import types
from collections import deque
from collections.abc import Callable, Iterable
from enum import EnumType
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Affine, FloorDiv, Lazy, LazyInt, Node
from dpcert.mechanisms.exact.outcome import class_name, key
from dpcert.mechanisms.frames.bytecode import Analysis, analyse, nested
from dpcert.mechanisms.frames.errors import NotCaptured

__all__ = ["Home", "Walk", "is_library"]

MAX_TOKENS = 20_000
MAX_DEPTH = 60
LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "joblib", "pandas"})
OURS = (
    "dpcert.mechanisms.exact",
    "dpcert.mechanisms.frames",
    "dpcert.mechanisms.floating",
    "dpcert.mechanisms.watch",
    "dpcert.audit.coverage",
)
# Of a class, what every class has or what a decorator of the standard library leaves.
CLASS_NOISE = frozenset(
    [
        "__module__",
        "__qualname__",
        "__doc__",
        "__dict__",
        "__weakref__",
        "__annotations__",
        "__slots__",
        "__match_args__",
        "__abstractmethods__",
        "_abc_impl",
        "__orig_bases__",
        "__parameters__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__firstlineno__",
        "__static_attributes__",
        "__type_params__",
        "__hash__",
        "__annotate__",
        "__annotations_cache__",
    ]
)
DESCRIPTORS = (
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
HEAP_TYPE = 1 << 9
MEMBER = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})  # of a member of an enum
MISSING = object()
STANDARD = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})


@functools.cache
def is_library(name: object) -> bool:
    """Whether a module, by name, is taken to keep no state: the standard library, numpy and its kin, this package's."""
    text = name if type(name) is str else ""
    top = text.partition(".")[0]
    if top in sys.stdlib_module_names | LIBRARIES:
        return _as_installed(getattr(sys.modules.get(top), "__file__", None), top)
    return text.startswith(OURS)


def _as_installed(file: object, top: str) -> bool:
    """Whether a module's file is where the standard library or installed packages are, and none of the user's."""
    if type(file) is not str:
        return True
    installed = not {"site-packages", "dist-packages"}.isdisjoint(Path(file).parts)
    return installed or (top not in LIBRARIES and file.startswith(STANDARD))


class Home:
    """What all captures of one enumeration share: analyses by code object, names, layouts of classes."""

    def __init__(self) -> None:
        self.alive: list[Any] = []  # tokens hold the addresses of these
        self.analyses: dict[types.CodeType, Analysis] = {}
        self.names: dict[types.CodeType, tuple[str, ...]] = {}
        self.layouts: dict[type, tuple[types.MemberDescriptorType, ...] | str] = {}
        self.ids: set[int] = set()
        self.by_address: dict[int, Analysis] = {}
        self.trusted: set[str] = set()  # names that lie on stacks, taken to mean what they meant when they were loaded
        self.stored: set[str] = set()  # names of attributes that executed code assigns to

    def analysis(self, code: types.CodeType) -> Analysis:
        """Return the analysis of a code object, made once."""
        found = self.by_address.get(id(code))
        if found is None:
            found = self.by_address[id(code)] = analyse(code)  # keeps the code object alive
        return found

    def address(self, value: Any) -> int:
        """Return a number that no other object ever gets, for an object that is kept alive from now on."""
        if id(value) not in self.ids:
            self.ids.add(id(value))
            self.alive.append(value)
        return id(value)

    def names_of(self, code: types.CodeType) -> tuple[str, ...]:
        """Return the names that a code object and those in it may look up, in texts as well."""
        found = self.names.get(code)
        if found is None:
            names: dict[str, None] = {}
            for each in nested(code):
                names.update(dict.fromkeys(each.co_names))
                names.update({text: None for text in each.co_consts if type(text) is str and text.isidentifier()})
            found = self.names[code] = tuple(names)
        return found

    def layout(self, kind: type) -> tuple[types.MemberDescriptorType, ...] | str:
        """Return the slots of a class written in Python on nothing but `object`, else why it is none."""
        found = self.layouts.get(kind)
        if found is None:
            found = self.layouts[kind] = _layout(kind)
        return found


def _layout(kind: type) -> tuple[types.MemberDescriptorType, ...] | str:
    slots = []
    for base in kind.__mro__[:-1]:
        if not base.__flags__ & HEAP_TYPE or "__module__" not in vars(base):
            return f"a value of type {class_name(kind)} keeps state that cannot be seen"
        slots += [member for member in vars(base).values() if type(member) is types.MemberDescriptorType]
    size = object.__basicsize__ + 8 * len(slots) + 8 * (kind.__dictoffset__ > 0) + 8 * (kind.__weakrefoffset__ > 0)
    if kind.__basicsize__ != size or kind.__itemsize__:
        return f"a value of type {class_name(kind)} keeps state that cannot be seen"
    return tuple(slots)


class Walk:
    """One walk: `tokens` tell all that was visited; `objects` are those that can be changed, in order of discovery."""

    def __init__(self, home: Home, coins: Coins) -> None:
        self.home = home
        self.coins = coins
        self.tokens: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.objects: list[Any] = []
        self.undecided = False
        self.named: set[tuple[int, str]] = set()

    def key(self) -> tuple[Any, ...]:
        """Return what was visited so far."""
        return tuple(self.tokens)

    def visit(self, value: Any, depth: int = 0) -> None:
        """Add all that is reachable from a value.

        Raises: NotCaptured for what is not known, or too much.
        """
        if len(self.tokens) > MAX_TOKENS:
            raise NotCaptured(f"more than {MAX_TOKENS} values are reachable")
        if depth > MAX_DEPTH:
            raise NotCaptured("values are nested too deep")
        kind = type(value)
        if kind is int or kind is str or kind is bool or kind is bytes or value is None:
            self.tokens += (kind, value)
            return
        how = VISITS.get(kind)
        if how is not None:
            how(self, value, depth + 1)
        elif issubclass(kind, Lazy):
            self._lazy(value, depth)
        elif value is Ellipsis or value is NotImplemented:
            self.tokens.append(kind)
        elif isinstance(kind, EnumType):
            self._member(value, kind, depth + 1)
        elif issubclass(kind, type):
            self._class(value, depth + 1)
        elif issubclass(kind, tuple):
            self._part_of_tuple(value, kind, depth + 1)
        elif kind.__module__ == "numpy":
            self._numpy(value)
        else:
            self._instance(value, kind, depth + 1)

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is numbered, and its number is added."""
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
            return False
        self.tokens += ("again", number)
        return True

    # -- values

    def _atom(self, value: Any, depth: int) -> None:
        if isinstance(value, (float, complex)) and value != value:
            raise NotCaptured("NaN is found in a list or not by which object it is")
        try:
            self.tokens.append(key(value))
        except Unauditable as error:
            raise NotCaptured(str(error)) from None

    def _range(self, value: range, depth: int) -> None:
        self.tokens += ("range", value.start, value.stop, value.step)

    def _pattern(self, value: Any, depth: int) -> None:
        self.tokens += ("pattern", value.pattern, value.flags)

    def _parts(self, value: Iterable[Any], depth: int) -> None:
        parts = list(value)
        self.tokens += (type(value), len(parts))
        for part in parts:
            self.visit(part, depth)

    def _sequence(self, value: Any, depth: int) -> None:
        if not self.seen(value):
            self._parts(value, depth)
            if type(value) is deque:
                self.tokens.append(value.maxlen)

    def _bytearray(self, value: bytearray, depth: int) -> None:
        if not self.seen(value):
            self.tokens += (bytearray, bytes(value))

    def _dict(self, value: dict[Any, Any], depth: int) -> None:
        if not self.seen(value):
            self.tokens += (dict, len(value))
            for name, part in list(value.items()):
                self.visit(name, depth)
                self.visit(part, depth)

    def _set(self, value: Any, depth: int) -> None:
        raise NotCaptured("the order of a set depends on its past; keep a list or a dict")

    def _part_of_tuple(self, value: Any, kind: type, depth: int) -> None:
        if type(getattr(kind, "_fields", None)) is not tuple or kind.__basicsize__ != tuple.__basicsize__:
            raise NotCaptured(f"a value of type {class_name(kind)} cannot be told whole")
        if getattr(value, "__dict__", None):
            raise NotCaptured(f"a value of type {class_name(kind)} keeps attributes")
        self.visit(kind, depth)
        self.tokens += ("named", self.home.address(kind))
        self._parts(tuple.__getitem__(value, slice(None)), depth)

    def _numpy(self, value: Any) -> None:
        numpy = sys.modules["numpy"]
        if type(value) is numpy.ndarray:
            if self.seen(value):
                return
            if value.base is not None or not value.flags.owndata:
                raise NotCaptured("an array of numpy shares its memory")
            self.tokens += ("array", value.strides, bool(value.flags.writeable))
        self._atom(value, 0)

    def _lazy(self, value: Any, depth: int) -> None:
        node = value._node
        if node.count() == 1:
            self.visit(value._image(node.least()), depth + 1)
        elif type(value) is LazyInt and value._span() == 1:
            self.visit(value._bounds()[0], depth + 1)
        elif type(value) is LazyInt and all(type(f) in (Affine, FloorDiv) for f in value._maps):
            self.undecided = True
            maps = [(f.scale, f.shift) if type(f) is Affine else (f.divisor,) for f in value._maps]
            self.tokens += ("undecided", tuple(maps))
            self._node(node, depth + 1)
        else:
            raise NotCaptured("an undecided float is kept; ask what it must decide before the next draw")

    def _node(self, node: Node, depth: int) -> None:
        if self.seen(node):
            return
        if node.radix:
            self.tokens += ("digits", node.radix, node.shift)
            self._node(node.high, depth + 1)
            self._node(node.low, depth + 1)
        else:
            self.tokens += ("interval", node.lo, node.hi)

    def _coins(self, value: Coins, depth: int) -> None:
        if value is not self.coins:
            raise NotCaptured("other coins than the program's are kept")
        self.tokens.append(Coins)
        for name, part in vars(value).items():
            if name != "_source":
                self.tokens.append(name)
                self.visit(part, depth)

    # -- functions, classes, modules, instances

    def _function(self, value: types.FunctionType, depth: int) -> None:
        if self.seen(value):
            return
        code = value.__code__
        self.tokens += ("function", self.home.address(code), self.home.address(value.__globals__))
        self.visit(value.__defaults__, depth)
        self.visit(value.__kwdefaults__, depth)
        if value.__dict__:
            self._dict(value.__dict__, depth)
        for cell in value.__closure__ or ():
            self._cell(cell, depth)
        if not is_library(value.__globals__.get("__name__")):
            self._names(code, value.__globals__, depth)

    def _cell(self, cell: types.CellType, depth: int) -> None:
        if self.seen(cell):
            return
        try:
            content = cell.cell_contents
        except ValueError:
            self.tokens.append("empty")
        else:
            self.visit(content, depth)

    def _names(self, code: types.CodeType, space: dict[str, Any], depth: int) -> None:
        """Visit what the names of a code object mean among globals, and in the modules and classes found there."""
        names = self.home.names_of(code)
        spaces: list[tuple[int, Any]] = [(self.home.address(space), space)]
        for name in names:
            value = space.get(name, MISSING)
            if type(value) is types.ModuleType or (isinstance(value, type) and is_library(value.__module__)):
                spaces.append((self.home.address(value), vars(value)))
        for address, each in spaces:
            for name in names:
                value = each.get(name, MISSING)
                if type(value) is types.ModuleType and not is_library(value.__name__):
                    place = self.home.address(value), vars(value)
                    if all(place[0] != known for known, _ in spaces):
                        spaces.append(place)
                if value is MISSING or _constant(value) or (address, name) in self.named:
                    continue
                self.named.add((address, name))
                self.tokens += ("name", name)
                try:
                    self.visit(value, depth)
                except NotCaptured as error:
                    raise NotCaptured(f"{name!r}: {error}") from None

    def _class(self, value: type, depth: int) -> None:
        if self.seen(value):
            return
        self.tokens += ("class", self.home.address(value))
        if not is_library(type(value).__module__):
            self._class(type(value), depth)
        for base in value.__mro__[:-1]:
            if base is not value and not is_library(base.__module__):
                self._class(base, depth)
        if is_library(value.__module__):
            return
        for name, part in list(vars(value).items()):
            if name not in CLASS_NOISE and not isinstance(part, DESCRIPTORS):
                self.tokens.append(name)
                self.visit(part, depth)

    def _member(self, value: Any, kind: type, depth: int) -> None:
        if not MEMBER.issuperset(vars(value)):
            raise NotCaptured(f"a member of {class_name(kind)} keeps attributes")
        self.tokens += ("enum", self.home.address(kind), value._name_, key(value))
        self._class(kind, depth)

    def _module(self, value: types.ModuleType, depth: int) -> None:
        if not is_library(value.__name__):
            raise NotCaptured("a module is kept as a value")
        self.tokens += ("module", self.home.address(value))

    def _builtin(self, value: Any, depth: int) -> None:
        owner = value.__self__
        if owner is None or type(owner) is types.ModuleType:
            self.tokens += ("builtin", self.home.address(value))
        else:
            self.tokens += ("builtin", value.__qualname__)
            self.visit(owner, depth)

    def _descriptor(self, value: Any, depth: int) -> None:
        self.tokens += ("descriptor", value.__name__, self.home.address(value.__objclass__))

    def _method(self, value: types.MethodType, depth: int) -> None:
        self.tokens.append("method")
        self.visit(value.__func__, depth)
        self.visit(value.__self__, depth)

    def _wrapped(self, value: Any, depth: int) -> None:
        self.tokens.append(type(value))
        self.visit(value.__func__, depth)

    def _property(self, value: property, depth: int) -> None:
        self.tokens.append("property")
        for part in (value.fget, value.fset, value.fdel):
            self.visit(part, depth)

    def _partial(self, value: Any, depth: int) -> None:
        if not self.seen(value):
            self.tokens.append("partial")
            for part in (value.func, value.args, value.keywords, value.__dict__):
                self.visit(part, depth)

    def _instance(self, value: Any, kind: type, depth: int) -> None:
        if self.seen(value):
            return
        if kind is object:
            self.tokens.append("object")
            return
        layout = self.home.layout(kind)
        if isinstance(layout, str):
            raise NotCaptured(layout)
        self.tokens.append("instance")
        self._class(kind, depth)
        for slot in layout:
            try:
                part = slot.__get__(value, kind)
            except AttributeError:
                self.tokens.append("unset")
            else:
                self.visit(part, depth)
        if kind.__dictoffset__:
            own = object.__getattribute__(value, "__dict__")
            self.tokens.append(len(own))
            for name, part in list(own.items()):
                self.tokens.append(name)
                try:
                    self.visit(part, depth)
                except NotCaptured as error:
                    raise NotCaptured(f"{name!r} of a {kind.__qualname__}: {error}") from None


def _constant(value: Any) -> bool:
    """Whether what a name means is a library's, or stands for it while draws are undecided."""
    kind = type(value)
    if kind is types.ModuleType or (kind is types.BuiltinFunctionType and type(value.__self__) is types.ModuleType):
        return True
    if kind is types.FunctionType:
        space = value.__globals__.get("__name__")
        return is_library(space) and (not (value.__dict__ or value.__closure__) or space.startswith(OURS))
    if isinstance(value, type):
        return is_library(value.__module__)
    if kind.__module__ == "numpy" and callable(value):  # but no class in Python, nor what wraps the user's functions
        return not kind.__flags__ & HEAP_TYPE and "(vectorized)" not in getattr(value, "__name__", "")
    return kind.__module__.startswith(OURS[2:])


VISITS: dict[type, Callable[[Walk, Any, int], None]] = {
    float: Walk._atom,
    complex: Walk._atom,
    Fraction: Walk._atom,
    range: Walk._range,
    re.Pattern: Walk._pattern,
    tuple: Walk._parts,
    frozenset: Walk._parts,
    list: Walk._sequence,
    deque: Walk._sequence,
    bytearray: Walk._bytearray,
    dict: Walk._dict,
    set: Walk._set,
    Coins: Walk._coins,
    types.FunctionType: Walk._function,
    types.BuiltinFunctionType: Walk._builtin,
    types.MethodWrapperType: Walk._builtin,
    types.MethodType: Walk._method,
    types.ModuleType: Walk._module,
    types.CellType: Walk._cell,
    staticmethod: Walk._wrapped,
    classmethod: Walk._wrapped,
    property: Walk._property,
    functools.partial: Walk._partial,
    **dict.fromkeys(DESCRIPTORS, Walk._descriptor),
}
