"""Outcomes are what an adversary can tell apart: a closed registry, by exact type, one identity a value.

`_open` says what an outcome consists of, and all else here follows it: `key` and `canonical` for identity,
`order_key` for the smallest, `fresh` for a copy, `to_json` and `show` for the forms in which it leaves.
"""

import json
import struct
import sys
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from decimal import Context, Decimal, InvalidOperation
from enum import EnumType
from fractions import Fraction
from itertools import islice
from typing import Any

from dpcert.mechanisms.exact.errors import InputError, Unauditable, one_line
from dpcert.mechanisms.exact.number import digits, exact, ratio_text

MAX_DEPTH = 100
"""The most containers that may lie around a container in an outcome."""
MAX_SHOWN = 120
"""The most characters that `show` returns."""

_PLAIN_INT = 10**3999
"""Integers of fewer than 4,000 digits are plain in JSON; CPython refuses to read much longer ones."""
_NUMPY_CODES = frozenset("?bhilqpBHILQPefdFDSUMm")
"""The numpy types whose bytes are their value: no padding (long double, records), no pointers (object)."""
_SETS = frozenset({"set", "frozenset"})
_BASES = (int, float, complex, str, bytes, tuple, list, set, frozenset, dict, Fraction, Decimal)


@dataclass(frozen=True, slots=True)
class Raised:
    """The outcome of a run that an exception of the type `name`, with the arguments `args`, left."""

    name: str
    args: tuple[Any, ...]


def _class_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _bits(value: float) -> int:
    """The bits of a float, NaN payload included, with the sign moved last: 0.0 < -0.0 < 0.5 < 1.0 < NaN."""
    bits = int.from_bytes(struct.pack(">d", value), "big")
    return (bits << 1 & 0xFFFF_FFFF_FFFF_FFFF) | bits >> 63


def _state(value: object) -> dict[str, object]:
    """All attributes that an instance stores, in its `__dict__` and in slots."""
    state: Any = object.__getstate__(value)
    return {**(state[0] or {}), **state[1]} if type(state) is tuple else state or {}


def _open(value: Any, depth: int) -> tuple[str, Any, tuple[object, ...]]:
    """The tag, label and parts of an outcome that is not None, bool, int, str or bytes.

    Claims: two values are the same outcome iff their tags, labels and parts are the same, the parts of a set
            in any order. Labels are made of str, int, bytes, None and tuples.
    Raises: Unauditable for a value outside the registry, or nested deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        problem = f"an outcome is nested more than {MAX_DEPTH} deep, or contains itself"
        raise Unauditable(f"{problem}; return a flatter value")
    kind = type(value)
    if kind is tuple or kind is list or kind is set or kind is frozenset:
        return kind.__name__, "", tuple(value)
    if kind is dict:
        return "dict", "", tuple(part for item in value.items() for part in item)
    if kind is float:
        return "float", _bits(value), ()
    if kind is complex:
        return "complex", (_bits(value.real), _bits(value.imag)), ()
    if kind is Fraction and type(value.numerator) is type(value.denominator) is int:
        return "fraction", (value.denominator, value.numerator), ()
    if kind is Decimal:
        return "decimal", Context(capitals=1).to_sci_string(value), ()
    if kind is Raised:
        return "raised", value.name, value.args
    if issubclass(type(kind), EnumType):
        member = value._name_ if value._name_ is not None else digits(value._value_)
        return "enum", (_class_name(kind), member), ()
    if issubclass(kind, tuple) and type(names := getattr(kind, "_fields", 0)) is tuple and not _state(value):
        return "namedtuple", (_class_name(kind), names), tuple.__getitem__(value, slice(None))
    if is_dataclass(kind) and _holds_fields_only(value, kind):
        state = _state(value)
        names = tuple(field.name for field in fields(kind) if field.name in state)
        return "dataclass", (_class_name(kind), names), tuple(state[name] for name in names)
    numpy: Any = sys.modules.get("numpy")
    if numpy and (kind is numpy.ndarray or (issubclass(kind, numpy.generic) and kind is value.dtype.type)):
        shape = tuple(value.shape) if kind is numpy.ndarray else None
        if value.dtype.char in _NUMPY_CODES:
            return "numpy", (value.dtype.str, shape, value.tobytes()), ()
    raise Unauditable(f"type {_class_name(kind)} is not in the registry of outcomes; {_advice(kind)}")


def _sorted(tag: str, parts: tuple[object, ...]) -> Iterable[object]:
    """The parts in an order that depends on the outcome alone."""
    return sorted(parts, key=canonical) if tag in _SETS else parts


def _holds_fields_only(value: object, kind: type) -> bool:
    """Whether a dataclass instance stores nothing beyond its fields, in attributes or in a built-in base."""
    try:
        object.__new__(kind)
    except TypeError:
        return False
    return _state(value).keys() <= {field.name for field in fields(kind)}


def _advice(kind: type) -> str:
    """What to write instead of a value of a type that is not in the registry."""
    methods = {name for base in kind.__mro__ for name in vars(base)}
    base = next((base.__name__ for base in _BASES if issubclass(kind, base)), "")
    rules = (
        (methods & {"__await__", "__aiter__"}, "await it, and return its result as a plain value"),
        (kind in (bytearray, memoryview), "return bytes(...) of it"),
        (kind.__module__ == "numpy", "return .tolist() or .astype(...) of it, plain numbers or strings"),
        (kind is Fraction, "return Fraction(int(p), int(q))"),
        (base, f"return {base}(...) of it"),
        (methods & {"__next__", "__iter__"}, "return list(...) of it"),
        (is_dataclass(kind), "it stores more than its fields: make them fields, or return a tuple"),
        ("__call__" in methods, "call it, and return its result"),
    )
    plain = "return what is published as numbers, strings, tuples, lists, dicts, or a dataclass of these"
    return next((advice for applies, advice in rules if applies), plain)


def key(value: Any, _depth: int = 0) -> Hashable:
    """A hashable that equals another value's key iff the two are the same outcome; each level has its type.

    Raises: Unauditable for a value outside the registry, or nested deeper than MAX_DEPTH.
    """
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return kind, value
    tag, label, parts = _open(value, _depth)
    if tag in _SETS:  # as a multiset: two NaNs in a set are two elements
        return tag, canonical(value, _depth)
    return tag, label, tuple([key(part, _depth + 1) for part in parts])


def _frame(tag: bytes, chunks: Iterable[bytes]) -> bytes:
    """The tag and the chunks as one byte string: no other tag and chunks give it, or a beginning of it."""
    return b"%s[%b]" % (tag, b"".join([b"%d:%b" % (len(chunk), chunk) for chunk in chunks]))


def int_bytes(n: int) -> bytes:
    """The two's complement of n, big end first, of a length that grows with abs(n)."""
    return n.to_bytes((n.bit_length() + 8) // 8, "big", signed=True)


def canonical(value: Any, _depth: int = 0) -> bytes:
    """Bytes that equal another value's bytes iff the two are the same outcome, in every process.

    Raises: Unauditable as `key` does.
    """
    kind = type(value)
    if kind is int:
        return _frame(b"int", (int_bytes(value),))
    if kind is str:
        return _frame(b"str", (value.encode("utf-8", "surrogatepass"),))
    if kind is bytes:
        return _frame(b"bytes", (value,))
    if kind is bool or value is None:
        return _frame(b"%d" % value if kind is bool else b"none", ())
    tag, label, parts = _open(value, _depth)
    chunks = [canonical(part, _depth + 1) for part in parts]
    return _frame(tag.encode(), [canonical(label), *(sorted(chunks) if tag in _SETS else chunks)])


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
    tag, label, parts = _open(value, _depth)
    natural = order_key(_plain(value)) if tag == "numpy" else ()
    keys = [order_key(part, _depth + 1) for part in parts]
    return size, tag, len(keys), natural, order_key(label), *(sorted(keys) if tag in _SETS else keys)


def _plain(value: Any) -> Any:
    """The Python values of a numpy scalar or array; dates as their integers."""
    return (value.view("i8") if value.dtype.char in "Mm" else value).tolist()


def fresh(value: Any, _depth: int = 0) -> Any:
    """An independent copy of an outcome, with the same key; atoms are returned as they are.

    Claims: sets are rebuilt in canonical order, so that a copy's order of iteration depends on its value (and
            PYTHONHASHSEED) alone; parts that were one object become several.
    Raises: Unauditable as `key` does.
    """
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return value
    tag, label, parts = _open(value, _depth)
    copies = [fresh(part, _depth + 1) for part in _sorted(tag, parts)]
    match tag:
        case "tuple" | "list" | "set" | "frozenset":
            return kind(copies)
        case "dict":
            return dict(zip(copies[::2], copies[1::2], strict=True))
        case "namedtuple":
            return tuple.__new__(kind, copies)
        case "raised":
            return Raised(label, tuple(copies))
        case "dataclass":
            copy = object.__new__(kind)
            for name, part in zip(label[1], copies, strict=True):
                object.__setattr__(copy, name, part)
            return copy
        case "numpy" if label[1] is not None:
            return value.copy()
    return value


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
    tag, label, parts = _open(value, _depth)
    body: Any = [to_json(part, _depth + 1) for part in _sorted(tag, parts)]
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
            body = ".".join(label)
        case "raised":
            body = {"type": label, "args": body}
        case "namedtuple" | "dataclass":
            body = {"type": label[0], "fields": [list(pair) for pair in zip(label[1], body, strict=True)]}
        case "numpy":
            shape = None if label[1] is None else list(label[1])
            body = {"dtype": label[0], "shape": shape, "data": label[2].hex()}
    return {tag: body}


def from_json(obj: Any) -> Any:
    """The outcome of which `obj`, as read by the json module, is `to_json`; no other spelling is accepted.

    Raises: InputError, also for enum, dataclass, namedtuple and numpy, which only a look-up of a name found
            in data could rebuild, and for fractions of more than 100,000 digits.
    """
    value = _decode(obj, 0, lenient=False)
    written = to_json(value)
    if json.dumps(written, sort_keys=True) != json.dumps(obj, sort_keys=True):
        raise InputError(
            given=f"the JSON {show(obj)}", needed="its one form", remedy=f"write {show(written)}"
        )
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
        case "raised", {"type": str(name), "args": list(args)} if len(body) == 2:
            return Raised(name, tuple(values(args)))
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


def show(value: Any, _depth: int = 0) -> str:
    """One printable line of at most MAX_SHOWN characters for an outcome, without calling its own repr.

    Raises: Unauditable for a value outside the registry.
    """
    text = _text(value, _depth)
    text = text if text.isprintable() else one_line(text)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


def _text(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is int:
        return str(value) if value.bit_length() <= 400 else f"<integer of {value.bit_length()} bits>"
    if kind is str or kind is bytes:
        return repr(value[:MAX_SHOWN])
    if kind is bool or value is None or kind is float or kind is complex:
        return repr(value)
    if depth > 10:
        return "..."
    tag, label, parts = _open(value, depth)
    texts = (show(part, depth + 1) for part in _sorted(tag, parts))
    opening = f"{'np.' if tag == 'numpy' else ''}{kind.__qualname__}("
    match tag:
        case "tuple" | "list" | "set":
            opening = {"tuple": "(", "list": "[", "set": "{" if parts else "set("}[tag]
        case "dict":
            opening, texts = "{", (f"{name}: {text}" for name, text in zip(texts, texts, strict=True))
        case "namedtuple" | "dataclass":
            texts = (f"{name}={text}" for name, text in zip(label[1], texts, strict=True))
        case "fraction":
            texts = (show(number) for number in label[::-1])
        case "decimal":
            texts = (repr(text) for text in (label,))
        case "numpy":
            texts = (show(part) for part in (_plain(value), label[0])[: 1 if label[1] is None else 2])
        case "raised":
            opening = f"raises {label}("
        case "enum":
            return f"{kind.__qualname__}.{label[1]}"
    comma = "," if tag == "tuple" and len(parts) == 1 else ""
    inner = ", ".join(islice(texts, MAX_SHOWN // 3 + 1))  # that many fill the line
    return opening + inner + comma + {"(": ")", "[": "]", "{": "}"}[opening[-1]]
