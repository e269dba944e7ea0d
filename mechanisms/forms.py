"""The forms of an outcome outside the exact layer: its JSON, and its place in an order from small to large."""

import json
import struct
import sys
from collections.abc import Hashable, Iterable
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.exact.outcome import (
    MAX_DEPTH,
    SETS,
    Raised,
    canonical,
    in_order,
    key,
    opened,
    plain_numpy,
    show,
)

_PLAIN_INT = 10**3999
"""Integers of fewer than 4,000 digits are plain in JSON; CPython refuses to read much longer ones."""


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return outcomes in order, equal ones merged.

    Raises: Unauditable for a value outside the registry.
    """
    seen: dict[Hashable, Any] = {}
    for value in values:
        seen.setdefault(key(value), value)
    return tuple(seen.values())


def order_key(value: Any, _depth: int = 0) -> tuple[Any, ...]:
    """A key of one total order of outcomes: shorter encodings first, then by type, then as is natural.

    Claims: 0 < 1 < -1 < 2 < 10 < 1000; a prefix of a string or list comes first; equal iff the same outcome;
            no two values of unlike types are compared.
    Raises: Unauditable as `key` does.
    """
    size = len(canonical(value, _depth))
    kind = type(value)
    if kind is int:
        return size, "int", abs(value), value < 0
    if kind is str or kind is bytes or kind is bool or value is None:
        return size, kind.__name__, value
    tag, label, parts = opened(value, _depth)
    natural = order_key(plain_numpy(value)) if tag == "numpy" else ()
    keys = [order_key(part, _depth + 1) for part in parts]
    return size, tag, len(keys), natural, order_key(label), *(sorted(keys) if tag in SETS else keys)


def _float_text(value: float) -> str:
    """The shortest text that `float.fromhex` reads back as this float; a NaN by its bits."""
    return f"nan:0x{struct.pack('>d', value).hex()}" if value != value else _short(value.hex())


def _short(text: str) -> str:
    mantissa, point, exponent = text.partition("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + point + exponent


def _float_value(text: str) -> float:
    """The float of which `text` is `_float_text`, or its `.hex()`."""
    nan = text[6:] if text.startswith("nan:0x") else ""
    value: float = struct.unpack(">d", int(nan, 16).to_bytes(8))[0] if nan else float.fromhex(text)
    if _float_text(value) != _short(text):
        raise ValueError("not the hexadecimal form of a float")
    return value


def to_json(value: Any, _depth: int = 0) -> Any:
    """The one JSON form of an outcome: None, bool, int and str plainly, the rest as objects with one key.

    Claims: `from_json` inverts it, except for classes and numpy. Sets are in canonical order.
    Raises: Unauditable as `key` does.
    """
    kind = type(value)
    if kind is bool or value is None:
        return value
    if kind is int:
        return value if -_PLAIN_INT < value < _PLAIN_INT else {"int": hex(value)}
    if kind is str:
        data = value.encode("utf-8", "surrogatepass")
        return value if value.encode("utf-8", "replace") == data else {"str": data.hex()}
    if kind is bytes:
        return {"bytes": value.hex()}
    tag, label, parts = opened(value, _depth)
    body: Any = [to_json(part, _depth + 1) for part in in_order(tag, parts)]
    match tag:
        case "dict":
            body = [list(pair) for pair in zip(body[::2], body[1::2], strict=True)]
        case "float":
            body = _float_text(value)
        case "complex":
            body = [_float_text(value.real), _float_text(value.imag)]
        case "fraction":
            body = ratio_text(value)
        case "decimal":
            body = label
        case "enum":
            body = ".".join(label[:2])
        case "raised":
            name, *names = label
            split = len(body) - len(names)
            fields = [list(pair) for pair in zip(names, body[split:], strict=True)]
            body = {"type": name, "args": body[:split]} | ({"fields": fields} if fields else {})
        case "namedtuple" | "dataclass":
            body = {"type": label[0], "fields": [list(pair) for pair in zip(label[1], body, strict=True)]}
        case "numpy":
            shape = None if label[1] is None else list(label[1])
            body = {"dtype": label[0], "shape": shape, "data": label[2].hex()}
            char, order = label[3]
            body |= {"order": "F"} if order == "F" else {}
            body |= {"char": char} if sys.modules["numpy"].dtype(label[0]).char != char else {}  # as of np.longlong
    return {tag: body}


def from_json(obj: Any) -> Any:
    """The outcome of which `obj`, as read by the json module, is `to_json`; no other spelling is accepted.

    Raises: InputError, also for enum, dataclass, namedtuple and numpy, which only a look-up of a name found
            in data could rebuild, and for fractions of more than 100,000 digits.
    """
    value = _decode(obj, 0, lenient=False)
    written = to_json(value)
    if json.dumps(written, sort_keys=True) != json.dumps(obj, sort_keys=True):
        raise InputError(given=f"the JSON {show(obj)}", needed="its one form", remedy=f"write {show(written)}")
    return value


def lenient_json(obj: Any) -> Any:
    """The value that plain JSON stands for: arrays are lists, an object with one key is as in `to_json`.

    Raises: InputError, for a JSON float too: it is not the number that it prints as.
    """
    return _decode(obj, 0, lenient=True)


def _decode(obj: Any, depth: int, *, lenient: bool) -> Any:
    kind = type(obj)
    if obj is None or kind is bool or kind is str or (kind is int and -_PLAIN_INT < obj < _PLAIN_INT):
        return obj
    needed = "null, true, false, a string, an integer of less than 4,000 digits, or an object with one key"
    remedy = 'write it as in {"tuple": [1, 2]} or {"int": "0x1f"}'
    if depth > MAX_DEPTH:
        needed, remedy = f"an outcome nested at most {MAX_DEPTH} deep", "write a flatter value"
    elif kind is list and lenient:
        return [_decode(part, depth + 1, lenient=True) for part in obj]
    elif kind is float:
        needed = "a float is not the number it prints as"
        remedy = f'write {{"float": "{_float_text(obj)}"}}, or {{"fraction": "1/10"}} for an exact number'
    elif kind is dict and len(obj) == 1:
        ((tag, body),) = obj.items()
        try:
            return _decode_tagged(tag, body, depth, lenient=lenient)
        except InputError:
            raise
        except (ValueError, TypeError, ArithmeticError):
            needed = f"a body that fits the key {show(tag)}"
            remedy = "write what to_json writes; elements and keys are hashable and differ"
    raise InputError(given=f"the JSON {show(obj)}", needed=needed, remedy=remedy)


def _decode_tagged(tag: str, body: Any, depth: int, *, lenient: bool) -> Any:
    """The value of {tag: body}; ValueError, TypeError or ArithmeticError where the body does not fit."""

    def values(items: list[Any]) -> list[Any]:
        return [_decode(item, depth + 1, lenient=lenient) for item in items]

    match tag, body:
        case "tuple", list():
            return tuple(values(body))
        case "list", list():
            return values(body)
        case (("set" | "frozenset"), list()):
            members = {"set": set, "frozenset": frozenset}[tag](values(body))
            if len(members) == len(body):
                return members
        case "dict", list() if all(type(pair) is list for pair in body):
            entries = dict(values(pair) for pair in body)
            if len(entries) == len(body):
                return entries
        case "raised", {"type": str(name), "args": list(args)} if body.keys() <= {"type", "args", "fields"}:
            fields = [(field, *values([part])) for field, part in body.get("fields", ())]
            if all(type(field) is str for field, _ in fields):
                return Raised(name, tuple(values(args)), tuple(fields))
        case "int", str():
            return int(body, 0)
        case "str", str():
            return bytes.fromhex(body).decode("utf-8", "surrogatepass")
        case "bytes", str():
            return bytes.fromhex(body)
        case "float", str():
            return _float_value(body)
        case "complex", [str(real), str(imag)]:
            return complex(_float_value(real), _float_value(imag))
        case "fraction", str():
            return exact(body, "fraction")
        case "decimal", str():
            return Decimal(body, Context(traps=[InvalidOperation]))
        case (("enum" | "dataclass" | "namedtuple" | "numpy"), _):
            needed = "a value that can be rebuilt without looking up a name found in data"
            raise InputError(given=f'the JSON key "{tag}"', needed=needed, remedy="give the value in code")
    raise ValueError("the body does not fit the key")
