"""The table of the built-in functions and methods that the machine knows. All others are refused by name.

A row is one of three: a function of the host that runs on plain copies (`NATIVE`, `NATIVE_METHODS`), a rule of the
machine (`RULES`, `METHODS`), or a twin in the prelude, which is interpreted (`TWINS`).
"""

from __future__ import annotations

import cmath
import inspect
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from enum import EnumType
from fractions import Fraction
from string import Formatter
from types import FunctionType
from typing import Any

from dpcert.reading.border import attribute_text, error, mismatch, name_of, native, throw, twin
from dpcert.reading.containers import METHODS, get_item, rows, set_item
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Act, NotPlain, Refused, call_act, words
from dpcert.reading.foreign import foreign
from dpcert.reading.iterate import iterator, step
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.following import cast, dtype_of
from dpcert.reading.numpy.memory import Call
from dpcert.reading.operators import compare, contains
from dpcert.reading.types_of import find, is_exception, is_iterable, lookup, type_of
from dpcert.reading.values import (
    MISSING,
    SCALARS,
    UNSET,
    Bound,
    Deque,
    Dict,
    Error,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Rule,
    Set,
    Undecided,
    Value,
    View,
    Wrapped,
)

RULES: dict[int, Callable[..., Any]] = {}
KEPT: list[Any] = []  # the objects that RULES names by id: while they live, nothing else has their ids
KEYWORDS: dict[int, frozenset[str] | None] = {}  # the keywords that a rule takes as CPython's function does; None: all

TEXT_METHODS = (
    "capitalize casefold center count encode endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit "
    "isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition removeprefix "
    "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title "
    "upper zfill"
)
NATIVE_METHODS: dict[type, frozenset[str]] = {
    str: frozenset(TEXT_METHODS.split()),
    bytes: frozenset(words("count decode endswith find hex index join lower replace split startswith strip upper")),
    int: frozenset(words("bit_length bit_count to_bytes as_integer_ratio conjugate is_integer")),
    float: frozenset(["is_integer", "hex", "as_integer_ratio", "conjugate"]),
    complex: frozenset({"conjugate"}),
    Fraction: frozenset(["limit_denominator", "as_integer_ratio", "is_integer", "conjugate"]),
    Decimal: frozenset(words("quantize normalize to_integral_value is_zero is_signed copy_abs copy_negate adjusted")),
    range: frozenset({"count", "index"}),
}
NATIVE_METHODS[bool] = NATIVE_METHODS[int]
for _kind in kinds.SCALARS:
    _bases = [base for base in _kind.__mro__ if base in NATIVE_METHODS]
    _own = kinds.METHODS if _kind in kinds.NUMBERS else frozenset({"item", "tolist"})
    NATIVE_METHODS[_kind] = _own.union(*[NATIVE_METHODS[base] for base in _bases])
FIELDS: dict[type, frozenset[str]] = {
    int: frozenset(["real", "imag", "numerator", "denominator"]),
    float: frozenset({"real", "imag"}),
    complex: frozenset({"real", "imag"}),
    Fraction: frozenset(["real", "imag", "numerator", "denominator"]),
    Decimal: frozenset({"real", "imag"}),
    range: frozenset({"start", "stop", "step"}),
}
FIELDS[bool] = FIELDS[int]
FIELDS |= dict.fromkeys(kinds.SCALARS, kinds.FIELDS)
MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs "
    "factorial floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf isqrt lcm ldexp lgamma log log10 log1p "
    "log2 modf nextafter perm pow prod radians remainder sin sinh sqrt tan tanh trunc ulp"
)
NATIVE: tuple[Any, ...] = (
    *(getattr(math, name) for name in MATH.split() if hasattr(math, name)),
    *(cmath.exp, cmath.sqrt, cmath.phase),
    *(chr, ord, bin, hex, oct, ascii, divmod, pow),
)


def rule(*hosts: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the rule for functions or classes of the host."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for host in hosts:
            KEPT.append(host)
            RULES[id(host)] = function
        return function

    return add


def _native_rule(host: Any) -> Callable[..., Any]:
    def run(m: Any, *args: Value, **keywords: Value) -> Value:
        return run_native(m, host, args, keywords)

    return run


def run_native(m: Any, host: Any, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """Run a function of the table; iterators among its arguments are first run to their ends."""
    return _run(m, host, host, args, keywords)


def _run(m: Any, host: Any, again: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """Run a function of the host; `again` is called once an iterator among the arguments is a list.

    Raises: NotPlain where an argument is neither plain nor an iterator.
    """
    try:
        return native(host, args, keywords)
    except NotPlain as unknown:
        value = unknown.value
        place = next((i for i, each in enumerate(args) if each is value), None)
        name = again.name if isinstance(again, Rule) else host.__name__
        iterable = (
            name in CONSUMES
            and keywords.keys() <= ({"start"} if name == "prod" else set())
            and len(args) == 1
            and (value.__class__ in (View, Deque, Named) or is_iterable(m, value))
        )
        if place is not None and iterable:
            return call_act(m.prelude("consumed"), (again, args[:place], value, args[place + 1 :]), keywords)
        if place is not None and name in CONSUMES and value.__class__ is Set and len(value.items) < 2:
            return _run(m, host, again, (*args[:place], List(rows(value) or []), *args[place + 1 :]), keywords)
        raise


CONSUMES = frozenset({"join", "fsum", "prod"})  # the functions that take any iterable of plain values


def native_method(m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """Run a method of the table on a scalar."""

    def called(*plain: Any, **named: Any) -> Any:
        return getattr(owner, name)(*plain, **named)

    if owner.__class__ in kinds.SCALARS:
        return Call().result(called, args, keywords)
    return _run(m, called, Rule(name, owner), args, keywords)


for _host in NATIVE:
    rule(_host)(_native_rule(_host))
    KEYWORDS[id(_host)] = None


def _class_method(cls: type, name: str) -> None:
    def run(m: Any, kind: Value, *args: Value, **named: Value) -> Value:
        if kind is not cls:
            raise Refused(f"{name} of a subclass is not followed")
        return run_native(m, getattr(cls, name), args, named)

    rule(vars(cls)[name])(run)
    KEYWORDS[id(vars(cls)[name])] = None


for _cls, _name in ((int, "from_bytes"), (float, "fromhex"), (bytes, "fromhex")):
    _class_method(_cls, _name)


# -- methods


def call_method(m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """The value of a method of a built-in value, or the action that finds it."""
    if (other := foreign(owner)) is not None:
        return other.call(m, owner, name, args, keywords)
    kind = owner.__class__
    found = METHODS.get(kind, {}).get(name) or (None if isinstance(owner, Instance) else DUNDERS.get(name))
    if found is not None and (name in DUNDERS or hasattr(type_of(owner), name)):
        if keywords and name not in ("sort", "update"):
            raise Refused(f"{name} is called with keywords that are not followed")
        check_arity(found, name, (m, owner, *args), keywords)
        return found(m, owner, *args, **keywords)
    if kind is Undecided:
        return _undecided_method(m, owner, name, args, keywords)
    if kind in SCALARS and name in NATIVE_METHODS.get(kind, ()):
        return native_method(m, owner, name, args, keywords)
    if kind is str and name == "format":
        return _format_text(m, owner, args, keywords)
    raise Refused(f"{name} of a {name_of(type_of(owner))} is not followed")


def check_arity(found: Callable[..., Any], name: str, args: tuple[Any, ...], keywords: dict[str, Value]) -> None:
    """Refuse a call with arguments that a rule does not take: CPython alone knows its error."""
    if not keywords and type(found) is FunctionType and found.__kwdefaults__ is None:
        code, count = found.__code__, len(args)
        least = code.co_argcount - len(found.__defaults__ or ())
        if least <= count <= code.co_argcount and not code.co_kwonlyargcount:
            return
    try:
        inspect.signature(found).bind(*args, **keywords)
    except TypeError:
        raise Refused(f"{name} is called with arguments that it does not take") from None


def _undecided_method(
    m: Any, owner: Undecided, name: str, args: tuple[Value, ...], keywords: dict[str, Value]
) -> Value:
    kind = domain.kind_of(owner)
    if kind in kinds.SCALARS and (own := m.tables.methods.get(name)) is not None:
        return own(m, owner, args, keywords)
    if name in ("item", "tolist") and kind in kinds.SCALARS and not (args or keywords):
        return domain.then(owner, "item")
    if name == "astype" and kind in kinds.SCALARS and len(args) == 1 and not keywords:
        return cast(owner, dtype_of(args[0]))
    if name == "bit_length" and kind is int and min(domain.ends(owner)) >= 0 and not args:
        return domain.then(owner, "bits")
    if name in NATIVE_METHODS.get(kind, ()):
        return native_method(m, domain.decide(owner), name, args, keywords)
    raise Refused(f"{name} of a {kind.__name__} is not followed")


def _format_text(m: Any, owner: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    if any(not field.isidentifier() and not field.isdigit() for _, field, _, _ in Formatter().parse(owner) if field):
        raise Refused("a format that reads attributes or items is not followed")
    return native_method(m, owner, "format", args, keywords)


DUNDERS: dict[str, Callable[..., Any]] = {
    "__len__": lambda m, owner: length(m, owner),
    "__iter__": iterator,
    "__next__": lambda m, owner: next_of(m, owner),
    "__getitem__": lambda m, owner, place: (
        native(operator.getitem, (owner, place)) if owner.__class__ in SCALARS else get_item(m, owner, place)
    ),
    "__setitem__": set_item,
    "__contains__": lambda m, owner, value: contains(m, value, owner),
    "__eq__": lambda m, owner, other: _equal(m, owner, other),
    "__init__": lambda m, owner, *args: _init(owner, args),
}


def _equal(m: Any, owner: Value, other: Value) -> Value:
    if type_of(owner) is not type_of(other) or (owner.__class__ is Dict and owner.kind is not dict):
        raise Refused("a special method is called on values of two types; use the operator")
    return compare(m, "==", owner, other)


def _init(owner: Value, args: tuple[Value, ...]) -> None:
    if owner.__class__ is not Dict or args:
        raise Refused("__init__ of a built-in type is not followed")


def builtin_attribute(m: Any, owner: Value, name: str) -> Value:
    """An attribute of a built-in value: a field, or a method of the table.

    Raises: Thrown with CPython's AttributeError; Refused for an attribute that is not in the table.
    """
    kind = owner.__class__
    if kind is Dict and owner.kind is not dict and type(method := lookup(m, owner.kind, name)) is FunctionType:
        return Bound(method, owner)
    if name == "__class__":
        return type_of(owner)
    if (other := foreign(owner)) is not None:
        return other.attribute(m, owner, name)
    plain_kind = domain.kind_of(owner) if kind is Undecided else kind
    if name in FIELDS.get(plain_kind, ()):
        return Call().result(operator.attrgetter(name), (owner,), {})
    if name == "default_factory" and kind is Dict:
        return owner.factory
    if name == "maxlen" and kind is Deque:
        return owner.limit
    known = name in NATIVE_METHODS.get(plain_kind, ()) or name in METHODS.get(kind, {}) or name in DUNDERS
    if (known or name == "format") and hasattr(type_of(owner), name):
        return Rule(name, owner)
    raise throw(AttributeError, attribute_text(twin(owner), name), name=name, obj=owner)


# -- lengths, iterators, generators


@rule(len)
def length(m: Any, owner: Value) -> Value:
    """The length of a container, or the call that finds it."""
    kind = owner.__class__
    if kind in (tuple, str, bytes, range):
        return native(len, (owner,)) if kind is range else len(owner)
    if kind in (List, Dict, Set, Deque, Named):
        return len(owner.items)
    if kind is View:
        return len(owner.source.items)
    if type(owner) is EnumType:
        return len(owner._member_names_)
    if isinstance(owner, Instance) and (function := find(m, owner, "__len__")) is not None:
        return call_act(m.prelude("length"), (owner, function))
    if (other := foreign(owner)) is not None:
        return other.length(owner)
    raise mismatch(len, owner)


@rule(iter)
def _iter(m: Any, value: Value, *end: Value) -> Value:
    return call_act(m.prelude("call_until"), (value, *end)) if end else iterator(m, value)


@rule(next)
def next_of(m: Any, it: Value, *default: Value) -> Value:
    """The next item of an iterator, its default, or the action that finds it."""
    if len(default) > 1:
        raise Refused("next() is called with arguments that it does not take")
    other = default[0] if default else UNSET
    if it.__class__ is Iter:
        found = step(it)
        if found is MISSING:
            if not default:
                raise throw(StopIteration)
            found = other
        return found
    if it.__class__ is Generator:
        return Act("resume", it, None).then("next", other)
    if isinstance(it, Instance) and (function := find(m, it, "__next__")) is not None:
        return call_act(function, (it,)).then("next", other)
    raise mismatch(next, it)


def _send(m: Any, owner: Generator, value: Value) -> Act:
    if owner.state == "new" and value is not None:
        raise throw(TypeError, "can't send non-None value to a just-started generator")
    return Act("resume", owner, value).then("next", UNSET)


def _throw(m: Any, owner: Generator, kind: Value, value: Value = None, trace: Value = None) -> Act:
    if isinstance(kind, Error):
        return Act("throw", owner, kind).then("next", UNSET)
    if not is_exception(kind) or value is not None or trace is not None:
        raise Refused("throw() of other things than one exception is not followed")
    return call_act(m.prelude("throw_new"), (owner, kind))


METHODS[Generator] = {
    "send": _send,
    "close": lambda m, owner: Act("throw", owner, error(GeneratorExit)).then("close"),
    "throw": _throw,
}
METHODS[Iter] = {}
METHODS[View] = {}
METHODS[Error] = {"with_traceback": lambda m, owner, trace: owner}
METHODS.setdefault(Named, {})


def _with_part(place: int) -> Callable[..., Any]:
    def set_part(m: Any, owner: Any, function: Value) -> Wrapped:
        parts = list(m.parts_of_property(owner))
        parts[place] = function
        return Wrapped(property, tuple(parts))

    return set_part


for _kind in (Wrapped, property):
    METHODS[_kind] = {"getter": _with_part(0), "setter": _with_part(1), "deleter": _with_part(2)}
