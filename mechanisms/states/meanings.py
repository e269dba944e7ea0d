"""Visits of the parts of programs: functions, the names in their code, classes, modules and instances."""

from __future__ import annotations

import types
from contextlib import suppress
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.layouts import base_of, layout
from dpcert.mechanisms.states.library import class_of_library, is_constant, is_library, of_library, sets
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
    _refuse_setter(value)
    walk.visit(value.__defaults__, depth)
    walk.visit(value.__kwdefaults__, depth)
    if value.__dict__:
        visit_dict(walk, value.__dict__, depth)
    for cell in value.__closure__ or ():
        visit_cell(walk, cell, depth)
    if not of_library(value.__globals__):
        visit_names(walk, value.__code__, value.__globals__, depth)


def visit_cell(walk: Visitor, cell: types.CellType, depth: int) -> None:
    """Visit what a closure holds."""
    if walk.seen(cell):
        return
    with suppress(ValueError):  # it is empty
        walk.visit(cell.cell_contents, depth)


def visit_names(walk: Visitor, code: types.CodeType, space: dict[str, Any], depth: int) -> None:
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
    for module in home.imports_of(code):
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
                if not library:
                    home.modules.add(value.__name__)
                there = home.address(vars(value))
                if not (library and known) and _add_space(spaces, there, vars(value), library):
                    pending.append(there)
            if value is MISSING or (address, name) in walk.named:
                continue
            if is_constant(value):
                _refuse_setter(value)
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


def _refuse_setter(value: Any) -> None:
    if sets(value):
        raise NotRead(
            f"'{value.__module__}.{value.__name__}' sets what a library keeps, which a captured state leaves out"
        )


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
    if not class_of_library(type(value)):
        visit_class(walk, type(value), depth)
    for base in value.__mro__[:-1]:
        if base is not value and not class_of_library(base):
            visit_class(walk, base, depth)
    if class_of_library(value):
        return
    for name, part in list(vars(value).items()):
        if name not in CLASS_NOISE:
            walk.visit(part, depth)


def visit_member(walk: Visitor, value: Any, kind: type, depth: int) -> None:
    """Visit a member of an enum."""
    if not MEMBER.issuperset(vars(value)):
        raise NotRead(f"a member of {class_name(kind)} keeps attributes")
    walk.visit(value._value_, depth)
    visit_class(walk, kind, depth)


def visit_module(walk: Visitor, value: types.ModuleType, depth: int) -> None:
    """Visit a module of a library."""
    if not is_library(value.__name__):
        raise NotRead("a module is kept as a value")


def visit_builtin(walk: Visitor, value: Any, depth: int) -> None:
    """Visit a function in C, and what it is a method of."""
    _refuse_setter(value)
    owner = value.__self__
    if owner is not None and type(owner) is not types.ModuleType:
        walk.visit(owner, depth)


def visit_method(walk: Visitor, value: types.MethodType, depth: int) -> None:
    """Visit a method and what it is bound to."""
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
