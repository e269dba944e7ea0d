"""Visits of the parts of programs: functions, the names in their code, classes, modules and instances."""

from __future__ import annotations

import types
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.layouts import base_of, layout
from dpcert.mechanisms.states.library import DESCRIBED, class_of_library, is_constant, is_library, left_out, of_library
from dpcert.mechanisms.states.methods import is_method
from dpcert.mechanisms.states.values import Visitor, visit_dict

# Of a class, what every class has or what a decorator of the standard library leaves.
CLASS_NOISE = frozenset(
    [
        "__module__",
        "__qualname__",
        "__doc__",
        "__dict__",
        "__weakref__",
        "__annotations__",
        "__abstractmethods__",
        "_abc_impl",
        "__orig_bases__",
        "__parameters__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__firstlineno__",
        "__static_attributes__",
        "__type_params__",
        "__annotate__",
        "__annotations_cache__",
    ]
)
MEMBER = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})  # of a member of an enum
MISSING = object()


def visit_function(walk: Visitor, value: types.FunctionType, depth: int) -> None:
    """Visit a function: its code, defaults, attributes, closure, and what its names mean unless it is a library's."""
    if walk.seen(value):
        return
    visit_described(walk, value, depth)
    walk.visit(value.__defaults__, depth)
    walk.visit(value.__kwdefaults__, depth)
    if value.__dict__:
        visit_dict(walk, value.__dict__, depth)
    modules = []
    for cell in value.__closure__ or ():
        if (module := _module_in(cell)) is None:
            visit_cell(walk, cell, depth)
        else:
            walk.seen(cell)
            modules.append(module)
    if not of_library(value.__globals__):
        visit_names(walk, value.__code__, value.__globals__, depth, modules)


def _module_in(cell: types.CellType) -> types.ModuleType | None:
    """Return the module that a cell holds, in which names are looked up; None where it holds anything else."""
    with suppress(ValueError):  # it is empty
        return cell.cell_contents if type(cell.cell_contents) is types.ModuleType else None
    return None


def visit_cell(walk: Visitor, cell: types.CellType, depth: int) -> None:
    """Visit what a closure holds."""
    if walk.seen(cell):
        return
    with suppress(ValueError):  # it is empty
        walk.visit(cell.cell_contents, depth)


def visit_names(
    walk: Visitor,
    code: types.CodeType,
    space: dict[str, Any],
    depth: int,
    modules: Iterable[types.ModuleType] = (),
) -> None:
    """Visit what the names of a code object mean among globals, and in the modules and classes found there.

    A name that means a function, a class or a module of a library there is trusted to go on doing so.
    """
    home = walk.home
    if walk.further and (code, home.address(space)) in home.told:
        return  # that walk came to it
    names = home.names_of(code)
    home.tell(code, space)
    spaces: dict[int, tuple[Any, bool]] = {}  # by address, and whether it is a library's
    _add_space(spaces, home.address(space), space, False)
    for name in names:
        value = space.get(name, MISSING)
        if isinstance(value, type) and class_of_library(value):
            _add_space(spaces, home.address(value), vars(value), True)
    for module in (*home.imports_of(code), *modules):
        _add_space(spaces, home.address(vars(module)), vars(module), True)
    pending = list(spaces)
    while pending:
        address = pending.pop(0)
        each, known = spaces[address]
        for name in names:
            value = each.get(name, MISSING)
            walk.places.append((each, name, value))
            if type(value) is types.ModuleType:
                library = is_library(value.__name__)
                there = home.address(vars(value))
                if _add_space(spaces, there, vars(value), library):
                    pending.append(there)
            if value is MISSING or (address, name) in walk.named:
                continue
            if is_constant(value):
                words = left_out(value, name)
                if words is not None:
                    home.reaches.setdefault(code, words)
                if type(value) is types.FunctionType:
                    walk.seen(value)  # its attributes may be assigned to
                for base in value.__mro__ if isinstance(value, type) else ():
                    if _add_space(spaces, home.address(base), vars(base), True):
                        pending.append(home.address(base))
                if not known:
                    home.trusted.add(name)
                continue
            walk.named.add((address, name))
            try:
                walk.visit(value, depth)
            except NotRead as error:
                raise NotRead(f"{name!r}: {error}") from None


def visit_described(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a function, or a method in C, which may be called by any name."""
    words = left_out(value)
    if words is not None:
        raise NotRead(words)


def _add_space(spaces: dict[int, tuple[Any, bool]], address: int, space: Any, library: bool) -> bool:
    """Add a namespace; whether it was not there."""
    if address in spaces:
        return False
    spaces[address] = space, library
    return True


def visit_class(walk: Visitor, value: type, depth: int) -> None:
    """Visit a class, its class, its bases and their attributes, as far as they are no library's."""
    if walk.seen(value):
        return
    if class_of_library(value):
        visit_described(walk, value, depth)
        return
    if issubclass(value, type) or not class_of_library(type(value)):
        raise NotRead(f"{class_name(value)} is a metaclass, or has one of the program's, which runs when it is told")
    for base in value.__mro__[:-1]:
        if base is not value and not class_of_library(base):
            visit_class(walk, base, depth)
    if issubclass(value, tuple):
        walk.home.of_tuples.update(name for name, part in vars(value).items() if callable(part))
    if any(map(is_method, vars(value).get("__match_args__", ()))):
        raise NotRead(f"a pattern of {class_name(value)} may ask a number or a text for a method")
    for name, part in list(vars(value).items()):
        if name not in CLASS_NOISE and not (type(part) in DESCRIBED and left_out(part, name) is None):
            walk.visit(part, depth)


def visit_member(walk: Visitor, value: Any, kind: type, depth: int) -> None:
    """Visit a member of an enum."""
    if not MEMBER.issuperset(object.__getattribute__(value, "__dict__")):
        raise NotRead(f"a member of {class_name(kind)} keeps attributes")
    if not walk.seen(value):
        walk.visit(value._value_, depth)
        visit_class(walk, kind, depth)


def visit_module(walk: Visitor, value: types.ModuleType, depth: int) -> None:
    """Visit a module that is not found by its name."""
    raise NotRead(f"the module {value.__name__!r} is kept as a value; import it where it is used")


def visit_builtin(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a function in C, and what it is a method of."""
    visit_described(walk, value, depth)
    owner = value.__self__
    if owner is not None and type(owner) is not types.ModuleType:
        walk.visit(owner, depth)


def visit_method(walk: Visitor, value: types.MethodType, depth: int) -> None:
    """Visit a method and what it is bound to."""
    visit_described(walk, value, depth)
    if not is_constant(value.__func__):
        walk.visit(value.__func__, depth)
    walk.visit(value.__self__, depth)


def visit_stand_in(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a generator on the coins of the reading, with what it keeps between draws; or a class of such."""
    if not walk.seen(value) and not isinstance(value, type):
        for part in getattr(value, "__dict__", {}).values():
            walk.visit(part, depth)


def visit_wrapped(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a static method or a method of a class."""
    walk.visit(value.__func__, depth)


def visit_property(walk: Visitor, value: property, depth: int) -> None:
    """Visit the functions of a property."""
    for part in (value.fget, value.fset, value.fdel):
        walk.visit(part, depth)


def visit_partial(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a function with some of its arguments."""
    if not walk.seen(value):
        for part in (value.func, value.args, value.keywords, value.__dict__):
            walk.visit(part, depth)


def visit_instance(walk: Visitor, value: Any, kind: type, depth: int) -> None:
    """Visit an instance of a class that is written in Python: its slots and attributes."""
    if walk.seen(value) or kind is object:
        return
    if base_of(kind) is not None:
        raise NotRead(f"a value of type {class_name(kind)} keeps state that cannot be seen")
    slots = layout(kind)
    visit_class(walk, kind, depth)
    for slot in slots:
        with suppress(AttributeError):  # it is unset
            walk.visit(slot.__get__(value, kind), depth)
    if kind.__dictoffset__:
        own = object.__getattribute__(value, "__dict__")
        for name, part in list(own.items()):
            try:
                walk.visit(part, depth)
            except NotRead as error:
                raise NotRead(f"{name!r} of a {kind.__qualname__}: {error}") from None
