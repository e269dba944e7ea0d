"""Jobs and answers as JSON, and back: dataclasses of plain values, decoded strictly by the types of their fields."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints


class Unfit(ValueError):
    """Data that do not have the form of a type."""


def encode(value: object) -> Any:
    """Return a value as JSON data: a dataclass as an object of its fields, a tuple as a list."""
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: encode(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(part) for part in value]
    return value


def decode(kind: Any, data: Any) -> Any:
    """Return the value of a type that JSON data spell out; for a union, of the first member that they fit.

    `Annotated[T, holds]` stands for the values of T for which `holds` is true.

    Raises: Unfit where the data do not fit: a field is missing or unknown, or has another type.
    """
    if kind is Any:
        return data
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _first(parts, data)
    if origin is Annotated and parts[1](value := decode(parts[0], data)):
        return value
    if is_dataclass(kind) or is_dataclass(origin):
        hints = hints_of(origin or kind)
        for name in (*hints, *data) if isinstance(data, dict) else ():
            if name not in hints or name not in data:
                raise Unfit(f"{str(name)[:60]!r} is missing or unknown")
        if isinstance(data, dict):
            return (origin or kind)(**{name: decode(hint, data[name]) for name, hint in hints.items()})
    elif origin in (dict, Mapping) and isinstance(data, dict):
        return {decode(parts[0], key): decode(parts[1], part) for key, part in data.items()}
    elif origin is list and isinstance(data, list):
        return [decode(parts[0], part) for part in data]
    elif origin is tuple and isinstance(data, list):
        kinds = parts[:1] * len(data) if parts[-1] is Ellipsis else parts
        if len(kinds) == len(data):
            return tuple(map(decode, kinds, data))
    elif type(data) is (NoneType if kind is None else kind):
        return data
    elif kind is float and type(data) is int:
        return float(data)
    raise Unfit(f"{str(data)[:60]} where {kind} was needed")


def _first(kinds: tuple[Any, ...], data: Any) -> Any:
    for kind in kinds:
        try:
            return decode(kind, data)
        except Unfit:
            continue
    raise Unfit(f"{str(data)[:60]} where one of {kinds} was needed")


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}
