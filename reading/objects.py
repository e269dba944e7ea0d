"""Classes and attributes: the look-ups of CPython's `object`, `type` and `super`, in records and pinned classes.

Attributes of a host class are read from its own dict, never by `getattr`, so that no host code runs. Attributes that
the program assigned to such a class are in the overlay of the state. A missing attribute is an error of the program
only where the type is known whole.
"""

import functools
import sys
import types
from collections.abc import Callable
from enum import Enum, EnumType
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.reading.border import attribute_text, name_of, throw, twin
from dpcert.reading.errors import Act, Refused, call_act, words
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import FIELDED, FIELDS_OF_ERRORS
from dpcert.reading.numpy import kinds
from dpcert.reading.preludes import FILES, asked
from dpcert.reading.types_of import (
    STANDS_FOR,
    find,
    is_exception,
    is_sub,
    lookup,
    mro_of,
    own_attribute,
    read_space,
    space_of,
    type_of,
)
from dpcert.reading.values import (
    COINS,
    DELETED,
    MISSING,
    TRACEBACK,
    Bound,
    Class,
    Error,
    Function,
    Generator,
    Instance,
    Named,
    Partial,
    Rule,
    Super,
    Value,
    Wrapped,
)

SLOTS_OF_HOST = (types.WrapperDescriptorType, types.MethodDescriptorType, kinds.METHOD)
FIELDS = (types.MemberDescriptorType, types.GetSetDescriptorType)
TYPE_TEXTS = frozenset({"__name__", "__qualname__", "__module__"})
FUNCTION_TEXTS = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})
ERROR_FIELDS = {"args": "args", "__cause__": "cause", "__context__": "context", "__suppress_context__": "suppress"}
UNSEEN = frozenset(
    {"__dict__", "__weakref__", "__code__", "__globals__", "__closure__", "__subclasses__", "__annotations__"}
)


def _unsure(function: Value, *args: Value) -> Act:
    """The call of code that finds an attribute: CPython may or may not add fields to an AttributeError from it."""
    return call_act(function, args).then("unsure")


def is_property(found: Value) -> bool:
    """Whether a class's attribute is a property, of the program or of the host."""
    return type(found) is property or (type(found) is Wrapped and found.kind is property)


def bind(m: Any, found: Value, owner: Value, cls: Value) -> Value:
    """The value of a class's attribute, read from an instance (`owner`), or from the class if `owner` is MISSING."""
    kind = type(found)
    on_class = owner is MISSING
    if kind is types.FunctionType or kind is Function or kind in SLOTS_OF_HOST:
        made = kind is Function and found.code.host.co_filename in FILES and "__wrapped__" not in found.items
        if made and not on_class:
            raise Refused("what a built-in function made is a method; write a function")
        return found if on_class else Bound(found, owner)
    if kind is staticmethod or (kind is Wrapped and found.kind is staticmethod):
        return _inner(m, found)
    if kind is classmethod or (kind is Wrapped and found.kind is classmethod):
        return Bound(_inner(m, found), cls)
    if kind is types.ClassMethodDescriptorType:
        return Bound(found, cls)
    if kind is Instance and (function := find(m, found, "__get__")) is not None:
        return _unsure(Bound(function, found), None if on_class else owner, cls)
    if on_class:
        return found
    if is_property(found):
        getter = m.parts_of_property(found)[0]
        if getter is None:
            raise Refused("a property without a getter is read")
        return _unsure(getter, owner)
    if kind is functools.cached_property:
        function = m.heap.take(found.func, m.pins.number(found), "attribute", "func")
        return asked("cached", function, owner, found.attrname).then("unsure")
    return MISSING if kind in FIELDS else found


def _inner(m: Any, owner: Any) -> Value:
    """The function in a static method or class method."""
    if isinstance(owner, Wrapped):
        return owner.parts[0]
    if type(owner) is classmethod and type(owner.__func__) is not types.FunctionType:
        raise Refused("classmethod is followed on functions")
    return m.heap.take(owner.__func__, m.pins.number(owner), "function")


def is_slot(member: Any) -> bool:
    """Whether a class's attribute is a slot."""
    return type(member) is types.MemberDescriptorType


def _refuse_hidden(m: Any, owner: Instance, name: str, found: Value) -> None:
    """Refuse an attribute whose slot another attribute of a class hides: a record has one place for both."""
    if is_slot(found) or (found is MISSING and not m.over):
        return
    if any(isinstance(base, type) and is_slot(vars(base).get(name)) for base in mro_of(owner.cls)):
        raise Refused(f"the slot {name} is hidden by another attribute of a class")


def is_data(m: Any, found: Value) -> bool:
    """Whether a class's attribute takes precedence over one that the instance stores."""
    if is_property(found) or type(found) in FIELDS:
        return True
    return type(found) is Instance and any(find(m, found, name) is not None for name in ("__set__", "__delete__"))


# -- reading


def attribute(m: Any, owner: Value, name: str) -> Value:
    """The value of `owner.name`, or the call that finds it.

    Raises: Thrown with CPython's AttributeError; Refused for an owner that is not known whole.
    """
    if name in UNSEEN:
        raise Refused(f"{name} is not followed; name the attributes that are needed")
    read = READ.get(type(owner))
    if read is not None:
        return read(m, owner, name)
    if isinstance(owner, type):
        return _of_class(m, owner, name)
    if isinstance(owner, Enum) and owner is not COINS and owner is not TRACEBACK:
        return _of_member(m, owner, name)
    return m.builtin_attribute(owner, name)


def _of_instance(m: Any, owner: Instance, name: str) -> Value:
    cls = owner.cls
    if id(cls) in STANDS_FOR and name not in ("__next__", "__iter__") and not m.in_prelude():
        raise Refused(f"{name} of a {STANDS_FOR[id(cls)].__name__} is not followed")
    found = lookup(m, cls, name)
    if find(m, owner, "__getattribute__") is not None:
        raise Refused("__getattribute__ is not followed; write __getattr__ or a property")
    if found is not MISSING and is_data(m, found):
        bound = bind(m, found, owner, cls)
        if bound is not MISSING:
            return _or_getattr(m, bound, owner, name)
    if name in owner.items:
        _refuse_hidden(m, owner, name, found)
        return owner.items[name]
    if name == "__class__" and type(found) is types.GetSetDescriptorType:
        return cls
    if type(owner) is Error and (name in ERROR_FIELDS or name in ("__traceback__", "with_traceback", "value")):
        return _of_error(m, owner, name)
    if found is not MISSING and type(found) not in FIELDS:
        return _or_getattr(m, bind(m, found, owner, cls), owner, name)
    if type(owner) is Error and type(found) in FIELDS:
        return _named_field(owner, name)
    return _missing(m, owner, name)


def _or_getattr(m: Any, bound: Value, owner: Instance, name: str) -> Value:
    """A property that raises AttributeError leads to `__getattr__`, where there is one."""
    if type(bound) is Act and (hook := find(m, owner, "__getattr__")) is not None:
        return bound.then("fallback", hook, owner, name)
    return bound


def _missing(m: Any, owner: Instance, name: str) -> Value:
    hook = find(m, owner, "__getattr__")
    if hook is not None:
        return _unsure(hook, owner, name)
    if type(owner.cls) is not Class and owner.cls in kinds.SPARE:
        raise throw(AttributeError, attribute_text(kinds.SPARE[owner.cls](), name), name=name, obj=owner)
    made = _lacking(m, owner, name)
    raise fault_of(owner, name, lambda: getattr(made, name))


def _lacking(m: Any, owner: Instance, name: str) -> Any:
    members = {"__slots__": (name,), "__module__": owner.cls.__module__} if is_slot(lookup(m, owner.cls, name)) else {}
    return bare(owner, **members)


def bare(owner: Instance, **members: Any) -> Any:
    """A host instance of a class of the same name, with these members alone."""
    return type(name_of(owner.cls), (), members)()


def fault_of(owner: Value, name: str, attempt: Callable[[], None]) -> Any:
    """CPython's error for an attempt on a twin of a value."""
    try:
        attempt()
    except AttributeError as fault:
        fields = {"name": name, "obj": owner} if fault.name is not None else {}
        return throw(AttributeError, *fault.args, **fields)
    except TypeError as fault:
        return throw(TypeError, *fault.args)
    return Refused(f"{name} of a {type(owner).__name__} is assigned to or deleted")


def _of_error(m: Any, owner: Error, name: str) -> Value:
    if name in ERROR_FIELDS:
        return getattr(owner, ERROR_FIELDS[name])
    if name == "__traceback__":
        raise Refused("the traceback of an exception is not followed")
    if name == "with_traceback":
        return Rule(name, owner)
    if is_sub(owner.cls, StopIteration):
        return owner.args[0] if owner.args else None
    return _missing(m, owner, name)


def _named_field(owner: Error, name: str) -> Value:
    """A field that a built-in class of exceptions keeps in C."""
    fields = {"name", "obj"} if is_sub(owner.cls, AttributeError) else {"name"}
    known = dict(owner.named)
    if name in fields and any(is_sub(owner.cls, each) for each in FIELDED) and "unsure" not in known:
        return known.get(name)
    raise Refused(f"{name} of {name_of(owner.cls)} is not followed; use its args")


def _of_class(m: Any, owner: Value, name: str) -> Value:
    if isinstance(owner, EnumType) and name in owner._member_map_ and (m.pins.number(owner), name) not in m.over:
        member = owner._member_map_[name]
        return m.heap.take(member, m.pins.number(owner), "static_member", name)
    meta = type(owner) if type(owner) is not Class else type
    if name in TYPE_TEXTS:
        return _text_of_class(m, owner, name)
    if name in ("__mro__", "__bases__"):
        return mro_of(owner) if name == "__mro__" else (owner.bases if type(owner) is Class else owner.__bases__)
    if name == "__doc__":
        found = own_attribute(m, owner, name)
        return None if found is MISSING else _on_class(m, owner, name, found)
    if name == "__class__":
        return meta
    found = lookup(m, owner, name)
    if found is not MISSING:
        return _on_class(m, owner, name, found)
    if not hasattr(meta, name) and not isinstance(owner, EnumType):
        raise throw(AttributeError, f"type object {name_of(owner)!r} has no attribute {name!r}", name=name, obj=owner)
    raise Refused(f"{name} of the class {name_of(owner)} is not followed")


def _on_class(m: Any, owner: Value, name: str, found: Value) -> Value:
    """The value of a class's attribute, unless it is a field in C."""
    bound = bind(m, found, MISSING, owner)
    if type(bound) in FIELDS:
        raise Refused(f"{name} of the class {name_of(owner)} is not followed")
    return bound


def _text_of_class(m: Any, owner: Value, name: str) -> Value:
    if type(owner) is Class:
        return owner.items["__module__"] if name == "__module__" else getattr(owner, name.strip("_"))
    found = own_attribute(m, owner, name) if name == "__module__" else MISSING
    return getattr(owner, name) if found is MISSING else found


def _of_member(m: Any, owner: Enum, name: str) -> Value:
    """An attribute of a member of an enum: its name, its value, one that it stores, or one of its class."""
    stored = {"name": "_name_", "value": "_value_"}.get(name, name)
    if name == "__class__":
        return type(owner)
    found = lookup(m, type(owner), name)
    if stored in vars(owner) and type(found) is not property:
        pin = m.pins.pin(vars(owner), m.pins.number(owner), "namespace")
        return m.heap.take(vars(owner)[stored], pin, "item", stored)
    if found is MISSING:
        return m.builtin_attribute(owner, name)
    bound = bind(m, found, owner, type(owner))
    if bound is MISSING or (type(bound) is Bound and type(bound.function) in SLOTS_OF_HOST):
        raise Refused(f"{name} of a member of an enum is not followed; use its value")
    return bound


def _of_module(m: Any, owner: types.ModuleType, name: str) -> Value:
    found = read_space(m, space_of(m, owner), name)
    if found is not MISSING:
        return found
    hook = read_space(m, space_of(m, owner), "__getattr__")
    if hook is not MISSING:
        return _unsure(hook, name)
    text = f"module {owner.__name__!r} has no attribute {name!r}"
    raise throw(AttributeError, text, name=name, obj=owner)


def _of_function(m: Any, owner: Any, name: str) -> Value:
    if name in owner.items:
        return owner.items[name]
    if owner.code.host.co_filename in FILES and not m.in_prelude() and "__wrapped__" not in owner.items:
        raise Refused(f"{name} of what a built-in function made is not followed")
    if name in ("__name__", "__qualname__"):
        return getattr(owner, name.strip("_"))
    if owner.code.host.co_filename in FILES and not m.in_prelude():
        raise Refused(f"{name} of a cache is not followed")
    if name == "__doc__":  # CPython keeps a function's docstring as its first constant
        first = [*owner.code.host.co_consts, None][0]
        return first if type(first) is str else None
    if name in ("__defaults__", "__kwdefaults__"):
        return owner.defaults if name == "__defaults__" else owner.keyword_defaults
    if name == "__module__":
        return read_space(m, owner.space, "__name__")
    return _function_rest(owner, name)


def _function_rest(owner: Any, name: str) -> Value:
    if not hasattr(_function_rest, name):
        raise throw(AttributeError, f"'function' object has no attribute {name!r}", name=name, obj=owner)
    raise Refused(f"{name} of a function is not followed")


def _of_host_function(m: Any, owner: Any, name: str) -> Value:
    number = m.pins.number(owner)
    found = m.over.get((number, name), MISSING)
    if found is not MISSING and found is not DELETED:
        return found
    if found is MISSING:
        if name in FUNCTION_TEXTS:
            return getattr(owner, name)
        if name == "__defaults__":
            return m.defaults_of(owner)
        if name in owner.__dict__:
            pin = m.pins.pin(owner.__dict__, number, "namespace")
            return m.heap.take(owner.__dict__[name], pin, "item", name)
    return _function_rest(owner, name)


def _of_super(m: Any, owner: Super, name: str) -> Value:
    if name == "__class__":
        raise Refused("__class__ of super() is not followed")
    found = lookup(m, owner.cls, name, owner.start)
    if found is MISSING:
        raise throw(AttributeError, f"'super' object has no attribute {name!r}", name=name, obj=owner)
    on_class = owner.owner is owner.cls
    bound = bind(m, found, MISSING if on_class else owner.owner, owner.cls)
    if bound is MISSING:
        raise Refused("a slot is read by super()")
    return bound


def _of_generator(m: Any, owner: Generator, name: str) -> Value:
    if name in ("send", "throw", "close", "__next__", "__iter__"):
        return Rule(name, owner)
    return m.builtin_attribute(owner, name)


def _of_bound(m: Any, owner: Bound, name: str) -> Value:
    if name in ("__self__", "__func__"):
        return owner.owner if name == "__self__" else owner.function
    return attribute(m, owner.function, name)


def _of_partial(m: Any, owner: Partial, name: str) -> Value:
    if name in ("func", "args"):
        return owner.function if name == "func" else owner.args
    raise Refused(f"{name} of a partial is not followed")


def _of_wrapped(m: Any, owner: Any, name: str) -> Value:
    if name in ("setter", "getter", "deleter"):
        return Rule(name, owner)
    raise Refused(f"{name} of a {type(owner).__name__} is not followed")


def _of_named(m: Any, owner: Named, name: str) -> Value:
    fields = owner.cls._fields
    found = lookup(m, owner.cls, name)
    if name in fields and type(found).__name__ == "_tuplegetter":
        return owner.items[fields.index(name)]
    if name == "__class__":
        return owner.cls
    if found is MISSING:
        return m.builtin_attribute(owner, name)
    bound = bind(m, found, owner, owner.cls)
    return Rule(name, owner) if type(bound) is Bound and type(bound.function) in SLOTS_OF_HOST else bound


def _of_mark(m: Any, owner: Any, name: str) -> Value:
    if owner is not COINS:
        raise Refused(f"{name} of a traceback is not followed")
    found = lookup(m, Coins, name)
    if type(found) is types.FunctionType:
        return Bound(found, COINS)
    if name == "__class__":
        return m.pins.builtin(Coins)
    if found is MISSING and not hasattr(PLAIN_COINS, name):
        raise throw(AttributeError, f"'Coins' object has no attribute {name!r}", name=name, obj=None)
    raise Refused(f"{name} of the coins is not followed")


PLAIN_COINS = Coins(Recorded([]))  # they show which attributes all coins have


READ: dict[type, Callable[[Any, Any, str], Value]] = {
    Instance: _of_instance,
    Error: _of_instance,
    Class: _of_class,
    types.ModuleType: _of_module,
    Function: _of_function,
    types.FunctionType: _of_host_function,
    Super: _of_super,
    Generator: _of_generator,
    Bound: _of_bound,
    Partial: _of_partial,
    Wrapped: _of_wrapped,
    property: _of_wrapped,
    Named: _of_named,
    type(COINS): _of_mark,
}


# -- assigning and deleting

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
    """CPython's error for an attribute that cannot be set."""
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
    """The number under which the overlay keeps attributes of a module, class or function of the host.

    Raises: Refused for parts of a library whose functions run natively.
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
    if type(found) is Instance and is_data(m, found):
        raise Refused("a descriptor with __delete__ and without __set__ is assigned to")
    if name in ("__class__", "__dict__"):
        raise Refused(f"{name} is assigned to")
    if isinstance(owner, Error) and name in FIELDS_OF_ERRORS:
        return _set_on_error(owner, name, value)
    if type(found) not in FIELDS and not has_dict(owner.cls):
        made = _without_dict(owner)
        raise fault_of(owner, name, lambda: setattr(made, name, None))
    _refuse_hidden(m, owner, name, found)
    owner.edit()[name] = value
    return None


def _without_dict(owner: Instance) -> Any:
    """An object of the host that takes no attributes, as this one, of which Python 3.13 says so."""
    return kinds.SPARE[owner.cls]() if owner.cls in kinds.SPARE else bare(owner, __slots__=())


def _by_property(m: Any, owner: Instance, name: str, function: Value, *value: Value) -> Act:
    """The call of a property's setter with a value, or of its deleter."""
    if function is None:
        raise Refused(f"the property {name} is assigned to or deleted, which it does not let")
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
            made = type(owner.name, (), {}) if type(owner) is Class else twin(owner)
            raise fault_of(owner, name, lambda: delattr(made, name))
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
    if type(found) is Instance and is_data(m, found):
        raise Refused("the deletion of a descriptor's value is not followed")
    if isinstance(owner, Error) and name in FIELDS_OF_ERRORS:
        raise Refused(f"{name} of an exception is deleted")
    if name not in owner.items:
        plain = type(found) not in FIELDS and not has_dict(owner.cls)
        made = _without_dict(owner) if plain else _lacking(m, owner, name)
        raise fault_of(owner, name, lambda: delattr(made, name))
    _refuse_hidden(m, owner, name, found)
    del owner.edit()[name]
    return None
