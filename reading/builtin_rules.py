"""The rules for built-in functions and types: what each gives for each kind of value."""

import abc
import functools
import math
import operator
import types
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.reading.border import mismatch, name_of, native
from dpcert.reading.containers import rows
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.errors import Act, NotPlain, Refused, Thrown, call_act
from dpcert.reading.floats import functions as near
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import is_named_tuple, written_in_python
from dpcert.reading.objects import attribute, delete_attribute, set_attribute, store
from dpcert.reading.operators import member, same_object, truth
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import find, is_class, is_exception, is_sub, lookup, mro_of, type_of
from dpcert.reading.values import (
    MISSING,
    SCALARS,
    UNSET,
    Bound,
    Class,
    Deque,
    Dict,
    Function,
    Instance,
    List,
    Named,
    Partial,
    Rule,
    Set,
    Super,
    Undecided,
    Value,
    View,
    Wrapped,
)
from dpcert.reading.whitelist import rule, run_native

# -- types


@rule(type)
def _type(m: Any, value: Value, *more: Value) -> Value:
    if more:
        raise Refused("type() with three arguments is not followed; write a class statement")
    return type_of(value)


@rule(isinstance)
def is_instance(m: Any, value: Value, of: Value) -> bool:
    """Whether a value is an instance of a class, as `isinstance` and patterns ask."""
    if isinstance(value, Instance) and type(lookup(m, value.cls, "__class__")) is not types.GetSetDescriptorType:
        raise Refused("a class whose instances give another __class__ is not followed")
    return is_sub(type_of(value), of)


@rule(issubclass)
def _issubclass(m: Any, cls: Value, of: Value) -> Value:
    if not is_class(cls):
        raise Refused("issubclass() is called with what is no class")
    return is_sub(cls, of)


@rule(callable)
def is_callable(m: Any, value: Value) -> bool:
    """Whether a value can be called."""
    if isinstance(value, Instance):
        return lookup(m, value.cls, "__call__") is not MISSING
    if is_class(value) or value.__class__ in (Function, Bound, Rule, Partial) or type(value) in CALLED:
        return True
    if value.__class__ not in SCALARS and value.__class__ not in (Undecided, tuple, List, Dict, Set, Deque, Named):
        raise Refused(f"callable() of a {name_of(type_of(value))} is not followed")
    return False


CALLED = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


@rule(super)
def _super(m: Any, *args: Value) -> Super:
    if len(args) == 2:
        start, owner = args
    else:
        frame = m.frames[-1]
        slots = frame.code.slots
        if args or "__class__" not in slots or not frame.code.positional:
            raise Refused("super() is followed in a method alone")
        owner, cell = frame.locals[0], frame.locals[slots.index("__class__")]
        owner = owner.items[0] if type(owner).__name__ == "Cell" else owner
        if owner is UNSET or not cell.items:
            raise Refused("super() is called where its argument was deleted")
        start = cell.items[0]
    if not is_class(start) or owner is None:
        raise Refused("super() is called with what is no class, or of nothing")
    cls = owner if is_class(owner) and any(base is start for base in mro_of(owner)) else type_of(owner)
    if not any(base is start for base in mro_of(cls)):
        # Python 3.13 says more in its error than Python 3.12.
        raise Refused("super() of an object that is no instance of the class is not followed")
    return Super(start, owner, cls)


@rule(object.__new__)
def _new(m: Any, cls: Value, *args: Value, **keywords: Value) -> Value:
    if not is_class(cls):
        raise Refused("object.__new__ is called with what is no class")
    made = Instance(cls, {})
    if is_exception(cls) or not (type(cls) is Class or written_in_python(cls)) or getattr(cls, ABSTRACT, None):
        raise Refused(f"object.__new__ of {name_of(cls)} is not followed")
    if (args or keywords) and (find(m, made, "__new__") or find(m, made, "__init__") is None):
        raise Refused("object.__new__ is called with more than a class")
    return made


ABSTRACT = "__abstractmethods__"


@rule(object.__init__)
def _nothing(m: Any, owner: Value, *args: Value, **keywords: Value) -> None:
    if args or keywords:
        raise Refused("object.__init__ is called with more than the instance")


rule(object)(lambda m: Instance(object, {}))
rule(object.__eq__)(lambda m, owner, other: same_object(owner, other) or NotImplemented)
rule(types.SimpleNamespace)(lambda m, **named: Instance(types.SimpleNamespace, named))
rule(property)(lambda m, fget=None, fset=None, fdel=None, doc=None: Wrapped(property, (fget, fset, fdel)))
rule(staticmethod)(lambda m, function: Wrapped(staticmethod, (function,)))


@rule(tuple.__new__)
def new_tuple(m: Any, cls: Value, items: Value = ()) -> Value:
    """A new tuple, or named tuple, of what an iterable gives."""
    if not (is_class(cls) and (cls is tuple or is_named_tuple(cls))):
        raise Refused("tuple.__new__ is followed for tuples and named tuples")
    listed = rows(items)
    if listed is None:
        return asked("tuple_of", cls, items)
    return tuple(listed) if cls is tuple else Named(cls, tuple(listed))


@rule(classmethod)
def _classmethod(m: Any, function: Value) -> Wrapped:
    if function.__class__ not in (Function, types.FunctionType):
        raise Refused("classmethod is followed on functions")
    return Wrapped(classmethod, (function,))


@rule(abc.abstractmethod)
def _abstractmethod(m: Any, function: Value) -> Value:
    if function.__class__ is not Function:
        raise Refused("abstractmethod is followed on functions")
    function.edit()["__isabstractmethod__"] = True
    return function


@rule(functools.partial)
def _partial(m: Any, function: Value, /, *args: Value, **named: Value) -> Partial:
    if not is_callable(m, function):
        raise Refused("partial() is called with what cannot be called")
    if function.__class__ is Partial:
        return Partial(function.function, (*function.args, *args), {**function.keywords, **named})
    return Partial(function, args, named)


# -- attributes


@rule(getattr)
def _getattr(m: Any, owner: Value, name: Value, *default: Value) -> Value:
    if len(default) > 1:
        raise Refused("getattr() is called with arguments that it does not take")
    if name.__class__ is not str:
        raise mismatch(lambda each: getattr(0, each), name)
    try:
        found = attribute(m, owner, name)
    except Thrown as thrown:
        if default and is_sub(thrown.error.cls, AttributeError):
            return default[0]
        raise
    return found.then("default", default[0]) if found.__class__ is Act and default else found


@rule(hasattr)
def _hasattr(m: Any, owner: Value, name: Value) -> Value:
    found = _getattr(m, owner, name, MISSING)
    if found.__class__ is Act:
        return found.then("has")
    return found is not MISSING


@rule(setattr)
def _setattr(m: Any, owner: Value, name: Value, value: Value) -> Value:
    if name.__class__ is not str:
        raise Refused("setattr of a name that is no text")
    return set_attribute(m, owner, name, value)


@rule(delattr)
def _delattr(m: Any, owner: Value, name: Value) -> Value:
    if name.__class__ is not str:
        raise Refused("delattr of a name that is no text")
    return delete_attribute(m, owner, name)


@rule(object.__setattr__)
def _object_setattr(m: Any, owner: Value, name: Value, value: Value) -> Value:
    if not isinstance(owner, Instance) or name.__class__ is not str:
        raise Refused("object.__setattr__ is followed on instances alone, and with texts")
    return store(m, owner, name, value)


# -- numbers and texts


def _converted(m: Any, host: Any, step: Any, value: Value, *more: Value) -> Value:
    """The result of `int`, `abs` and their like; `step` follows an undecided number, if that can be done."""
    value = member(value)
    if value.__class__ is Undecided and not more and (found := step(value)) is not None:
        return found
    special = isinstance(value, Instance) and not (host is int and more)  # int() of a base is for texts
    name = f"__{host.__name__}__"
    if special and (function := find(m, value, name)) is not None:
        return asked("converted", value, name, host) if host in (int, float) else call_act(function, (value, *more))
    if (other := foreign(value)) is not None:
        return other.convert(m, host, (value, *more))
    return native(host, (value, *more))


def _step(kind: type, name: str) -> Any:
    """The step to a number of a type: none for what is of it."""
    return lambda value: value if domain.is_a(value, kind) else domain.then(value, name)


@rule(int)
def _int(m: Any, value: Value = 0, /, *base: Value, **named: Value) -> Value:
    if named.keys() == {"base"} and not base:
        base = (named["base"],)
    elif named:
        raise Refused("int() is called with arguments that it does not take")
    return _converted(m, int, _step(int, "int"), value, *base)


@rule(round)
def _round(m: Any, value: Value, *digits: Value) -> Value:
    if len(digits) > 1:
        raise Refused("round() is called with arguments that it does not take")
    digits = () if digits and digits[0] is None else digits
    if is_ideal(value) and digits:
        return domain.then(value, "round", *digits)
    if digits and type(digits[0]) is int and digits[0] >= 0 and near.is_followed(value):
        return domain.then(value, "digits", *digits) if domain.kind_of(value) in near.DOUBLES else value
    return _converted(m, round, _step(int, "round"), value, *digits)


rule(float)(lambda m, value=0.0: _converted(m, float, _step(float, "float"), value))
rule(abs)(lambda m, value: _converted(m, abs, near.magnitude, value))
rule(math.floor)(lambda m, value: _converted(m, math.floor, _step(int, "floor"), value))
rule(math.ceil)(lambda m, value: _converted(m, math.ceil, _step(int, "ceil"), value))
rule(math.trunc)(lambda m, value: _converted(m, math.trunc, _step(int, "trunc"), value))
for _host, _of_math in near.of_math().items():
    rule(_host)(_of_math)
rule(bool)(lambda m, value=False: truth(m, value))
rule(repr)(lambda m, value: shown(m, value, "shown"))


@rule(operator.index)
def _index(m: Any, value: Value) -> Value:
    if value.__class__ is Undecided and domain.kind_of(value) is int:
        return value
    return native(operator.index, (member(value),))


def _making(host: Any) -> Any:
    return lambda m, *args, **named: run_native(m, host, tuple(map(member, args)), named)


for _made in (complex, bytes, Fraction, Decimal):
    rule(_made)(_making(_made))


@rule(hash)
def _hash(m: Any, value: Value) -> Value:
    parts = list(value) if value.__class__ is tuple else [value]
    if all(each.__class__ in (int, float, bool, Fraction, Undecided) for each in parts):
        return native(hash, (value,))
    if isinstance(value, Instance) and find(m, value, "__hash__") is not None:
        return asked("hash_of", value)
    if value.__class__ in (List, Dict, Set):
        raise mismatch(hash, value)
    raise Refused("a hash depends on the process; use the value itself")


@rule(str)
def _str(m: Any, value: Value = "", *more: Value) -> Value:
    return native(str, (value, *more)) if more or value.__class__ in SCALARS else shown(m, value, "text")


def shown(m: Any, value: Value, how: str) -> Value:
    """The text of a value, or the call that finds it."""
    if value.__class__ in (Set, Deque, View) or (value.__class__ is Dict and value.kind is not dict):
        return asked("shown", value)
    try:
        return native(str if how == "text" else repr, (value,))
    except NotPlain:
        return asked(how, value)


@rule(format)
def formatted(m: Any, value: Value, spec: Value = "") -> Value:
    """The text of a value in a format, or the call that finds it."""
    if value.__class__ in SCALARS or value.__class__ is Undecided or spec.__class__ is not str:
        return native(format, (value, spec))
    return asked("formatted", value, spec)
