"""Calls: what a call does, until a frame is to be entered or a value is there."""

import types
from enum import EnumType
from typing import Any

from dpcert.reading.border import mismatch, name_of, thrown
from dpcert.reading.containers import METHODS
from dpcert.reading.domains.coins import decide
from dpcert.reading.errors import Act, Refused, Thrown
from dpcert.reading.imports import GENERATORS, is_error, is_named_tuple, key_of, refuse_library, written_in_python
from dpcert.reading.preludes import FILES
from dpcert.reading.types_of import find, is_class, is_exception, is_sub, lookup, mro_of, type_of
from dpcert.reading.values import (
    MISSING,
    SCALARS,
    UNSET,
    Bound,
    Class,
    Dict,
    Error,
    Frame,
    Function,
    Instance,
    Partial,
    Rule,
    Types,
    Undecided,
    Value,
    Wrapped,
)
from dpcert.reading.whitelist import KEYWORDS, RULES, call_method, check_arity

DESCRIPTORS = (types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
Keywords = dict[str, Value]


def resolve(m: Any, function: Value, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The value of a call, or the action that is left of it: to enter a frame, to resume a generator.

    Raises: Ask and Thrown; Refused for what is not in the table.
    """
    return resolved(m, _once(m, function, args, keywords))


def resolved(m: Any, result: Value) -> Value:
    """A result, where it is a call, as far as it can be had before the operands are gone."""
    while result.__class__ is Act and result.kind == "call":
        found = _once(m, *result.operands)
        if found.__class__ is Act:
            result = found if result.after is None else found.within(result.after)
        else:
            return found if result.after is None else Act("value", found, after=result.after)
    return result


def _once(m: Any, function: Value, args: tuple[Value, ...], keywords: Keywords) -> Value:
    while function.__class__ is Bound:
        function, args = function.function, (function.owner, *args)
    kind = function.__class__
    if kind is Function:
        return Act("enter", _frame_of(m, function, args, keywords))
    own = m.tables.rules.get(id(function))
    if own is not None:
        return _by_rule(m, own, function, args, keywords, all_keywords=True)
    rule = RULES.get(id(function))
    if rule is not None:
        return _by_rule(m, rule, function, args, keywords)
    if kind is types.FunctionType:
        return Act("enter", _frame_of_host(m, function, args, keywords))
    if kind is Rule:
        return call_method(m, function.owner, function.name, args, keywords)
    if is_class(function):
        return _instantiate(m, function, args, keywords)
    return _rarely(m, function, args, keywords)


def _by_rule(
    m: Any, rule: Any, function: Any, args: tuple[Value, ...], keywords: Keywords, *, all_keywords: bool = False
) -> Value:
    allowed = None if all_keywords else KEYWORDS.get(id(function), frozenset())
    if keywords and allowed is not None and not keywords.keys() <= allowed:
        raise Refused(f"{getattr(function, '__name__', 'a function')} is called with keywords that are not followed")
    try:
        return rule(m, *args, **keywords)
    except TypeError:
        check_arity(rule, getattr(function, "__name__", "a function"), (m, *args), keywords)
        raise


def _rarely(m: Any, function: Value, args: tuple[Value, ...], keywords: Keywords) -> Value:
    kind = function.__class__
    if kind is Partial:
        return Act("call", function.function, (*function.args, *args), {**function.keywords, **keywords})
    if isinstance(function, Instance):
        call = lookup(m, function.cls, "__call__")
        if call is MISSING:
            raise mismatch(lambda each: each(), function)
        if type(call) not in (Function, types.FunctionType):
            raise Refused("a __call__ that is not a function is not followed")
        return Act("call", call, (function, *args), keywords)
    if kind is Types and isinstance(function.of, type) and not written_in_python(function.of):
        return Act("call", function.of, args, keywords)
    if kind is Wrapped and function.kind is staticmethod:
        return Act("call", function.parts[0], args, keywords)
    if kind in DESCRIPTORS:
        return _descriptor(m, function, args, keywords)
    if kind in SCALARS or kind in METHODS or kind is tuple or kind is Undecided:
        raise mismatch(lambda each: each(), function)
    name = getattr(function, "__qualname__", getattr(function, "__name__", kind.__name__))
    raise Refused(f"a call of {name} is not followed; write it in Python, or call it outside of the program")


def _descriptor(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """A method of a built-in class that is called through the class: `str.upper(text)`, `Exception.__init__(self)`."""
    name, home = function.__name__, function.__objclass__
    if args and type(args[0]) is Error and issubclass(home, BaseException):
        if name == "__init__" and not keywords and (home is StopIteration) == is_sub(args[0].cls, StopIteration):
            args[0].args = args[1:]
            return None
        if name == "__repr__" or (name == "__str__" and home in (BaseException, KeyError)):
            twin = "error_shown" if name == "__repr__" else "error_text" if home is BaseException else "key_text"
            return Act("call", m.prelude(twin), (args[0],), {})
    if args and is_class(type_of(args[0])) and any(base is home for base in mro_of(type_of(args[0]))):
        found = lookup(m, type_of(args[0]), name)
        if found is function or (home is not object and type(found) is types.FunctionType):  # the tables know but one
            return call_method(m, args[0], name, args[1:], keywords)
    raise Refused(f"{function.__qualname__} is not followed")


# -- frames


def _frame_of(m: Any, function: Function, args: tuple[Value, ...], keywords: Keywords) -> Frame:
    defaults = function.keyword_defaults
    named = dict(defaults.pairs()) if defaults is not None else {}
    slots = bind_arguments(function.code, function.qualname, function.defaults or (), named, args, keywords)
    slots[function.code.free :] = function.cells
    return Frame(function.code, function.space, slots)


def _frame_of_host(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Frame:
    refuse_library(function.__module__, function.__qualname__)
    number = m.pins.number(function)
    pin = m.pins.pin(function.__code__, number, "code")
    space = m.pins.pin(function.__globals__, number, "globals")
    code = m.pins.code(m.pins.objects[pin])
    if len(args) == code.positional and not (keywords or code.keyword_only or code.star or code.keywords):
        slots = [*args, *[UNSET] * (len(code.slots) - len(args))]
    else:
        keyword = function.__kwdefaults__ or {}
        named = {name: m.heap.take(part, number, "keyword", name) for name, part in keyword.items()}
        slots = bind_arguments(code, function.__qualname__, m.defaults_of(function) or (), named, args, keywords)
    for place, cell in enumerate(function.__closure__ or ()):
        slots[code.free + place] = m.heap.take(cell, number, "cell", place)
    return Frame(code, space, slots)


def bind_arguments(
    code: Any, name: str, defaults: tuple[Value, ...], named: Keywords, args: tuple[Value, ...], keywords: Keywords
) -> list[Value]:
    """The local variables of a function that is called.

    Raises: Thrown with CPython's own TypeError.
    """
    count, total = code.positional, code.positional + code.keyword_only
    slots: list[Value] = [UNSET] * len(code.slots)
    slots[: min(len(args), count)] = args[:count]
    rest, at_fault = args[count:], len(args) > count and not code.star
    extra: Keywords = {}
    only = code.host.co_posonlyargcount
    for key, value in keywords.items():
        place = code.slots.index(key, only, total) if key in code.slots[only:total] else -1
        at_fault |= (place < 0 and not code.keywords) or (place >= 0 and slots[place] is not UNSET)
        if place < 0:
            extra[key] = value
        else:
            slots[place] = value
    _fill_defaults(code, slots, defaults, named)
    if at_fault or any(each is UNSET for each in slots[:total]):
        if code.host.co_filename in FILES:
            raise Refused(f"{name.lstrip('_').split('.')[0]} is called with arguments that it does not take")
        raise _call_error(code.host, name, len(defaults), tuple(named), len(args), tuple(keywords))
    if code.star:
        slots[total] = tuple(rest)
    if code.keywords:
        slots[total + code.star] = Dict({key: (key, value) for key, value in extra.items()})
    return slots


def _fill_defaults(code: Any, slots: list[Value], defaults: tuple[Value, ...], named: Keywords) -> None:
    first = code.positional - len(defaults)
    for place, value in enumerate(defaults, first):
        if slots[place] is UNSET:
            slots[place] = value
    for place in range(code.positional, code.positional + code.keyword_only):
        if slots[place] is UNSET and code.slots[place] in named:
            slots[place] = named[code.slots[place]]


def _call_error(
    host: types.CodeType, name: str, defaults: int, named: tuple[str, ...], args: int, keywords: tuple[str, ...]
) -> Thrown:
    """The TypeError of CPython for a call of a function with this signature, which does nothing."""
    empty = (lambda: None).__code__
    count = host.co_argcount + host.co_kwonlyargcount + bool(host.co_flags & 4) + bool(host.co_flags & 8)
    stub = empty.replace(
        co_argcount=host.co_argcount,
        co_posonlyargcount=host.co_posonlyargcount,
        co_kwonlyargcount=host.co_kwonlyargcount,
        co_varnames=host.co_varnames[:count],
        co_nlocals=count,
        co_flags=empty.co_flags | host.co_flags & 12,
        co_name=host.co_name,
        co_qualname=name,
    )
    function = types.FunctionType(stub, {}, host.co_name, (None,) * defaults)
    function.__kwdefaults__ = dict.fromkeys(named)
    function.__qualname__ = name
    try:
        function(*(None,) * args, **dict.fromkeys(keywords))
    except TypeError as fault:
        return thrown(fault)
    raise Refused("internal: a call binds on CPython and not here")


# -- instances


def _instantiate(m: Any, cls: Value, args: tuple[Value, ...], keywords: Keywords) -> Value:
    if isinstance(cls, EnumType):
        return _member(m, cls, args, keywords)
    _check_class(m, cls)
    new = lookup(m, cls, "__new__")
    new = m.heap.take(new.__func__, m.pins.number(new), "function") if type(new) is staticmethod else new
    new = new.parts[0] if type(new) is Wrapped and new.kind is staticmethod else new
    if type(new) in (Function, types.FunctionType):
        return Act("call", m.prelude("make"), (cls, new, args, Dict({k: (k, v) for k, v in keywords.items()})), {})
    if type(new) is not types.BuiltinFunctionType:
        raise Refused(f"__new__ of {name_of(cls)}, which is no function, is not followed")
    if is_exception(cls):
        if is_sub(cls, StopIteration) and lookup(m, cls, "__init__") is not vars(StopIteration)["__init__"]:
            raise Refused(f"{name_of(cls)} has an __init__ of its own, and a value that C code sets")
        found: Instance = Error(cls, args)
    else:
        found = Instance(cls, {})
    return initialised(m, found, args, keywords)


def initialised(m: Any, found: Instance, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """A new instance, once its `__init__` has run."""
    init = find(m, found, "__init__")
    if init is not None:
        return Act("call", init, (found, *args), keywords).then("instance", found)
    if type(found) is Error:
        if keywords:
            raise Refused("an exception is made with keywords, and has no __init__ of its own")
    elif args or keywords:
        shown = type(name_of(found.cls), (), {})
        raise mismatch(lambda: shown(*(None,) * len(args), **dict.fromkeys(keywords)))
    return found


def _check_class(m: Any, cls: Value) -> None:
    """Refuse a class whose instances are not known whole."""
    name = name_of(cls)
    if lookup(m, cls, "__del__") is not MISSING:
        raise Refused(f"{name} has __del__, which runs when nobody sees it; close it by hand")
    if type(cls) is Class:
        return
    if type(cls).__call__ is not type.__call__:
        raise Refused(f"the metaclass of {name} acts when it is called")
    if not (written_in_python(cls) or is_error(cls) or is_named_tuple(cls) or cls in GENERATORS):
        raise Refused(f"a {cls.__module__}.{name} is not followed; make it before the program, or write it in Python")
    if getattr(cls, "__abstractmethods__", None):
        raise mismatch(lambda: object.__new__(cls))


def _member(m: Any, cls: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The member of an enum with a value."""
    if len(args) == 1 and not keywords and cls.__call__.__func__ is EnumType.__call__:
        wanted = decide(args[0]) if args[0].__class__ is Undecided else args[0]
        if type(wanted) is cls:
            return wanted
        if wanted.__class__ in SCALARS:
            for name, member in cls._member_map_.items():
                taken = m.heap.take(member._value_, m.pins.number(cls), "member_value", name)
                if taken.__class__ in SCALARS and key_of(taken) == key_of(wanted):
                    return m.heap.take(member, m.pins.number(cls), "static_member", name)
    raise Refused(f"{cls.__name__}(...) is followed for the value of a member alone")
