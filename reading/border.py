"""The border to the host: what host code may receive, and what may come back.

Host code receives a fresh copy of plain values, made here, and nothing else: no record, no set, no object of a user's
class, nothing that can be called. What it gives back is copied again. So a call of the host touches nothing of the
machine, and an exception that it raises is what CPython raises for these plain values.
"""

from abc import ABC, ABCMeta
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from decimal import Decimal, localcontext
from enum import Enum
from types import MethodType, SimpleNamespace
from typing import Any

from numpy.linalg import LinAlgError

from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import NotPlain, Refused, Thrown
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import (
    KNOWN_ERRORS,
    SIMPLE_ERRORS,
    check_scalar,
    is_error,
    is_named_tuple,
    key_of,
    written_in_python,
)
from dpcert.reading.numpy import kinds
from dpcert.reading.types_of import type_of
from dpcert.reading.values import (
    COINS,
    SCALARS,
    Bound,
    Class,
    Deque,
    Dict,
    Error,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Set,
    Slice,
    Undecided,
    Value,
    View,
)

NOTHING = nullcontext()


def to_host(value: Value) -> Any:
    """A plain copy of a value: scalars, and tuples, lists, dicts and slices of these.

    Raises: Ask where a number is undecided; NotPlain for all else, sets among it.
    """
    kind = value.__class__
    if kind in SCALARS:
        return value
    if kind is Undecided:
        return domain.decide(value)
    if kind is tuple:
        return tuple([to_host(part) for part in value])
    if kind is List:
        return [to_host(part) for part in value.items]
    if kind is Dict and value.kind is dict:
        return {to_host(key): to_host(part) for key, part in value.pairs()}
    if kind is Slice:
        return slice(to_host(value.start), to_host(value.stop), to_host(value.step))
    if (other := foreign(value)) is not None:
        return other.to_host(value)
    raise NotPlain(value)


def from_host(result: Any) -> Value:
    """What host code gave back, as a value of the machine.

    Raises: Refused for a result of a type that is not known whole.
    """
    kind = type(result)
    if kind in SCALARS:
        return check_scalar(result)
    if kind is tuple:
        return tuple([from_host(part) for part in result])
    if kind is list:
        return List([from_host(part) for part in result])
    if kind is dict:
        pairs = [(from_host(key), from_host(part)) for key, part in result.items()]
        return Dict({key_of(key): (key, part) for key, part in pairs})
    raise Refused(f"the host gave back a {kind.__module__}.{kind.__name__}, which is not followed")


def native(function: Callable[..., Any], args: tuple[Value, ...], keywords: dict[str, Value] | None = None) -> Value:
    """The result of a function of the table on plain copies of its arguments.

    Raises: Thrown with the exception that it raises; Ask, NotPlain and Refused as `to_host` and `from_host` do.
    """
    plain = [to_host(each) for each in args]
    named = {name: to_host(each) for name, each in keywords.items()} if keywords else {}
    try:
        # an operation on decimals sets flags in its context, which no later call is to see
        with localcontext() if Decimal in map(type, plain) or function is Decimal else NOTHING:
            result = function(*plain, **named)
    except Exception as fault:
        raise thrown(fault) from None
    return from_host(result)


def thrown(fault: Exception) -> Thrown:
    """An exception that the host raised on plain values, as one of the program.

    Raises: Refused for one that holds more than its arguments.
    """
    return Thrown(_error_of(fault))


def _error_of(fault: BaseException) -> Error:
    if type(fault) not in SIMPLE_ERRORS and type(fault) is not LinAlgError:
        words = "; make the array one of floats first" if type(fault).__name__ == "UFuncTypeError" else ""
        raise Refused(f"{type(fault).__name__} is raised, which holds more than its arguments: {fault}{words}")
    found = Error(type(fault), tuple([from_host(each) for each in fault.args]))
    found.cause = None if fault.__cause__ is None else _error_of(fault.__cause__)
    found.context = None if fault.__context__ is None else _error_of(fault.__context__)
    found.suppress = fault.__suppress_context__
    return found


def error(cls: type[BaseException], *args: Value, **named: Value) -> Error:
    """A new exception of a built-in class; `named` are the fields that the class keeps in C."""
    found = Error(cls, args)
    found.named = tuple(named.items())
    return found


def throw(cls: type[BaseException], *args: Value, **named: Value) -> Thrown:
    """What is raised to throw a new exception in the program."""
    return Thrown(error(cls, *args, **named))


def note_context(thrown: Error, around: Error | None) -> None:
    """Note the exception that is handled as the context of another, and leave no circle."""
    if around is None or around is thrown:
        return
    if thrown.context is not None and thrown.context is thrown.cause:
        raise Refused("an exception with a cause is raised while another is handled")
    each: Error | None = around
    seen: list[Error] = []
    while each is not None and not any(each is one for one in seen):
        seen.append(each)
        if each.context is thrown:
            each.context = None
            break
        each = each.context
    thrown.context = around


def name_of(cls: Value) -> str:
    """The name of a class."""
    return str(cls.name if type(cls) is Class else cls.__name__)


def told_name(value: Value) -> str:
    """The name of a value's type in the errors of operators.

    Raises: Refused for a type in C of a module, whose name there may have the module's before it.
    """
    cls = type_of(value)
    made = type(cls) is Class or written_in_python(cls) or is_error(cls) or is_named_tuple(cls)
    if made or isinstance(value, Enum) or cls.__module__ == "builtins":
        return name_of(cls)
    raise Refused(f"an error tells the name of {cls.__module__}.{name_of(cls)} in its own way")


# -- twins: host values of the same types, which hold nothing


def _generator() -> Any:
    yield None


def twin(value: Value) -> Any:
    """A host value of the type of this one, by its name, on which CPython raises the same TypeError."""
    kind = value.__class__
    if kind in SCALARS:
        return value
    make = TWINS.get(kind)
    if make is not None:
        return make(value)
    if (other := foreign(value)) is not None:
        return other.twin(value)
    cls = type_of(value)
    if cls is SimpleNamespace or cls is object:
        return cls()
    if type(cls) is not Class and cls in KNOWN_ERRORS:
        return BaseException.__new__(cls)
    if kind is Instance or kind is Error or kind is Named or value is COINS:
        return type(name_of(cls), (), {})()
    if isinstance(value, type) and type(value) in (type, ABCMeta):
        return int if type(value) is type else ABC
    if kind in (type(len), type(_generator)):
        return len if kind is type(len) else _generator
    raise Refused(f"an operation on a {name_of(cls)} is not followed")


def _twin_of_iterator(value: Iter) -> Any:
    sources = {"list": [], "tuple": (), "str": "", "bytes": b"", "range": range(1), "keys": {}}
    if value.kind not in sources:
        raise Refused("an operation on an iterator is not followed")
    return iter(sources[value.kind])


TWINS: dict[type, Callable[[Any], Any]] = {
    tuple: lambda value: (),
    List: lambda value: [],
    Deque: lambda value: deque(),
    Dict: lambda value: value.kind(),
    Set: lambda value: frozenset() if value.frozen else set(),
    Function: lambda value: _generator if type_of(value) is type(_generator) else None,
    Generator: lambda value: _generator(),
    Class: lambda value: int,
    Slice: lambda value: slice(None),
    Iter: _twin_of_iterator,
    View: lambda value: getattr({}, value.kind)(),
    Undecided: domain.example,
    Bound: lambda value: MethodType(_generator, 0) if type_of(value).__name__ == "method" else [].append,
}


def mismatch(function: Callable[..., Any], *values: Value) -> Thrown:
    """The TypeError that CPython raises for values of these types.

    Raises: Refused where it raises none: the operation exists, and is not in the table.
    """
    found = ""
    # numpy makes an array of what stands beside its scalar: no twin shows what it does with that
    if not any(map(is_numpys, values)) or all(type_of(value) in SCALARS for value in values):
        twins = [twin(value) for value in values]
        try:
            function(*twins)
        except TypeError as fault:
            return thrown(fault)
        except Exception as fault:
            found = f": {type(fault).__name__}"
    raise Refused(f"{getattr(function, '__name__', function)} of {_kinds(values)} is not followed{found}")


def is_numpys(value: Value) -> bool:
    """Whether a value is a scalar of numpy's, which takes what stands beside it for an array."""
    return (domain.kind_of(value) if value.__class__ is Undecided else value.__class__) in kinds.SCALARS


def refuse_numpys(*values: Value) -> None:
    """Refuse a scalar of numpy's beside what it would make an array of."""
    if any(map(is_numpys, values)):
        raise Refused(f"an operator on {_kinds(values)} is not followed; use float(...) or int(...) of the number")


def _kinds(values: tuple[Value, ...]) -> str:
    return " and ".join(f"a {name_of(type_of(value))}" for value in values)


def attribute_text(owner: Any, name: str) -> str:
    """The text of the AttributeError of CPython for an attribute that a twin lacks.

    Raises: Refused where the twin has it.
    """
    try:
        getattr(owner, name)
    except AttributeError as fault:
        if not hasattr(type(owner), name):
            return str(fault)
    raise Refused(f"{name} of a {type(owner).__name__} is not followed")
