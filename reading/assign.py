"""Assigning and deleting attributes: on instances as `object` does, on what the host holds in the overlay."""

from __future__ import annotations

import sys
import types
from enum import Enum
from typing import Any

from dpcert.reading.border import name_of, throw, twin
from dpcert.reading.errors import Act, Refused, call_act, words
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import FIELDS_OF_ERRORS
from dpcert.reading.numpy import kinds
from dpcert.reading.objects import ERROR_FIELDS, FIELDS, bare, fault_of, is_property
from dpcert.reading.types_of import find, is_exception, lookup, mro_of, own_attribute, read_space, space_of, type_of
from dpcert.reading.values import COINS, DELETED, MISSING, TRACEBACK, Class, Error, Function, Instance, Value

FIXED = frozenset(
    words("__class__ __dict__ __code__ __bases__ __mro__ __kwdefaults__ __name__ __qualname__ __slots__ __del__")
)


def set_attribute(m: Any, owner: Value, name: str, value: Value) -> Value:
    """Do `owner.name = value`: None, or the call that does it."""
    if isinstance(owner, Instance):
        function = find(m, owner, "__setattr__")
        if function is not None:
            return call_act(function, (owner, name, value)).then("instance_none")
        return store(m, owner, name, value)
    if name in FIXED and not (type(owner) is Function and name in ("__name__", "__qualname__")):
        raise Refused(f"{name} is assigned to")
    if name in FIELDS_OF_ERRORS and is_exception(owner):
        raise Refused(f"{name} of a class of exceptions is assigned to")
    if name == "__defaults__" and not (value is None or value.__class__ is tuple):
        raise Refused("__defaults__ is set to what is no tuple")
    if type(owner) is Function:
        return _set_on_function(owner, name, value)
    if isinstance(owner, type) and issubclass(owner, tuple):
        raise Refused("an attribute of a named tuple's class is assigned to")
    if type(owner) is Class:
        owner.edit()[name] = value
        return None
    if isinstance(owner, (types.ModuleType, types.FunctionType, type)):
        m.over[_place(m, owner), name] = value
        return None
    raise _cannot_set(owner, name)


def _cannot_set(owner: Value, name: str) -> Any:
    """The error of CPython for an attribute that cannot be set."""
    if foreign(owner) is not None:
        return Refused(f"{name} of {name_of(type_of(owner))} is assigned to; make a new array")
    if owner is COINS or isinstance(owner, Enum):
        return Refused("an attribute of the coins, or of a member of an enum, is assigned to")
    return fault_of(owner, name, lambda: setattr(twin(owner), name, None))


def _set_on_function(owner: Function, name: str, value: Value) -> None:
    if name == "__defaults__":
        owner.defaults = value
    elif name in ("__name__", "__qualname__"):
        if type(value) is not str:
            raise Refused(f"{name} is set to what is no text")
        setattr(owner, name.strip("_"), value)
    elif name.startswith("__") and name not in ("__wrapped__", "__doc__", "__module__", "__annotations__"):
        raise Refused(f"{name} of a function is assigned to")
    else:
        owner.edit()[name] = value


def _place(m: Any, owner: Any) -> int:
    """The row under which the overlay keeps attributes of a module, class or function of the host.

    Raises: Refused for what belongs to a library, of which functions are run natively.
    """
    module = owner.__name__ if isinstance(owner, types.ModuleType) else getattr(owner, "__module__", None) or ""
    head = module.split(".")[0]
    if (head in sys.stdlib_module_names and head != "__main__") or head in ("dpcert", "numpy", ""):
        raise Refused(f"an attribute of {owner.__name__}, which belongs to a library, is assigned to")
    if type(owner) is types.ModuleType:
        return space_of(m, owner)
    if isinstance(owner, type) and type(owner).__setattr__ is not type.__setattr__:
        raise Refused(f"the metaclass of {owner.__name__} acts when an attribute is assigned to")
    return int(m.pins.number(owner))


def store(m: Any, owner: Instance, name: str, value: Value) -> Value:
    """Do what `object.__setattr__` does: None, or the call that does it."""
    found = lookup(m, owner.cls, name)
    if is_property(found):
        return _by_property(m, owner, name, m.parts_of_property(found)[1], value)
    if type(found) is Instance and (function := find(m, found, "__set__")) is not None:
        return call_act(function, (found, owner, value)).then("instance_none")
    if name in ("__class__", "__dict__"):
        raise Refused(f"{name} is assigned to")
    if isinstance(owner, Error) and name in FIELDS_OF_ERRORS:
        return _set_on_error(owner, name, value)
    if type(found) not in FIELDS and not has_dict(owner.cls):
        made = kinds.SPARE[owner.cls]() if owner.cls in kinds.SPARE else bare(owner, __slots__=())
        raise fault_of(owner, name, lambda: setattr(made, name, None))
    owner.edit()[name] = value
    return None


def _by_property(m: Any, owner: Instance, name: str, function: Value, *value: Value) -> Act:
    """The call of a property's function that sets, to a value, or deletes."""
    if function is None:
        made = bare(owner, **{name: property()})
        raise fault_of(owner, name, lambda: setattr(made, name, None) if value else delattr(made, name))
    return call_act(function, (owner, *value)).then("instance_none")


def has_dict(cls: Value) -> bool:
    """Whether instances of a class take attributes of any name."""
    return any(type(base) is Class or (base is not object and base.__dictoffset__) for base in mro_of(cls))


def _set_on_error(owner: Error, name: str, value: Value) -> None:
    if name == "__traceback__":
        if value is not TRACEBACK:
            raise Refused("the traceback of an exception is assigned to")
        return
    if any(base is StopIteration for base in mro_of(owner.cls)):
        raise Refused(f"{name} of a StopIteration is assigned to")
    if name == "args":
        if value.__class__ is not tuple:
            raise Refused("args of an exception are set to other than a tuple")
        owner.args = value
    elif name in ("__cause__", "__context__") and value is not None and not isinstance(value, Error):
        raise Refused(f"{name} is set to what is no exception")
    else:
        setattr(owner, ERROR_FIELDS[name], value)
        owner.suppress = True if name == "__cause__" else owner.suppress


def delete_attribute(m: Any, owner: Value, name: str) -> Value:
    """Do `del owner.name`: None, or the call that does it."""
    if isinstance(owner, Instance):
        return _delete_stored(m, owner, name)
    if type(owner) in (Class, Function):
        if name.startswith("__"):
            raise Refused(f"{name} is deleted")
        if name not in owner.items:
            raise throw(AttributeError, name, name=name, obj=owner)
        del owner.edit()[name]
        return None
    if isinstance(owner, (types.ModuleType, type)):
        place = _place(m, owner)
        known = read_space(m, place, name) if isinstance(owner, types.ModuleType) else own_attribute(m, owner, name)
        if known is MISSING:
            raise Refused(f"{name} of {owner.__name__} is deleted, which it does not have")
        m.over[place, name] = DELETED
        return None
    raise Refused(f"an attribute of a {type(owner).__name__} is deleted")


def _delete_stored(m: Any, owner: Instance, name: str) -> Value:
    function = find(m, owner, "__delattr__")
    if function is not None:
        return call_act(function, (owner, name)).then("instance_none")
    found = lookup(m, owner.cls, name)
    if is_property(found):
        return _by_property(m, owner, name, m.parts_of_property(found)[2])
    if type(found) is Instance and find(m, found, "__delete__") is not None:
        raise Refused("__delete__ of a descriptor is not followed")
    if isinstance(owner, Error) and name in FIELDS_OF_ERRORS:
        raise Refused(f"{name} of an exception is deleted")
    if name not in owner.items:
        raise fault_of(owner, name, lambda: delattr(bare(owner), name))
    del owner.edit()[name]
    return None
