"""Outcomes are what an adversary can tell apart: a closed registry, by exact type, one identity a value.

`opened` gives the parts of an outcome, and all else here follows it: `key` and `canonical` for identity, `fresh` for a
copy, `show` for a line of text. Their JSON and their order are in `mechanisms/forms.py`; the parts of an exception are
in `raised.py`. `docs/explanation/what-verified-means.md` lists the differences that count, and those that do not.
"""

import struct
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from decimal import Context, Decimal
from enum import EnumType
from fractions import Fraction
from itertools import islice
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable, one_line
from dpcert.mechanisms.exact.number import digits, short_text

# The most containers that may lie around a container in an outcome.
MAX_DEPTH = 100
TOO_DEEP = f"an outcome is nested more than {MAX_DEPTH} deep, or contains itself; return a flatter value"
# The most characters that `show` returns.
MAX_SHOWN = 120

# The numpy types whose bytes are their value: no padding (long double, records), no pointers (object).
_NUMPY_CODES = frozenset("?bhilqpBHILQPefdFDSUMm")
SETS = frozenset({"set", "frozenset"})
_BASES = (int, float, complex, str, bytes, tuple, list, set, frozenset, dict, Fraction, Decimal)


@dataclass(frozen=True, slots=True)
class Raised:
    """The outcome of a run that ended with an exception of the type `name`, with the arguments `args`.

    `fields` are the other values that its reader sees, by name (see `raised.py`).
    """

    name: str
    args: tuple[Any, ...]
    fields: tuple[tuple[str, Any], ...] = ()


def class_name(kind: type) -> str:
    """The name of a class, with its module unless it is built in."""
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _bits(value: float) -> int:
    """The bits of a float, NaN payload included, with the sign moved last: 0.0 < -0.0 < 0.5 < 1.0 < NaN."""
    bits = int.from_bytes(struct.pack(">d", value), "big")
    return (bits << 1 & 0xFFFF_FFFF_FFFF_FFFF) | bits >> 63


def _state(value: object) -> dict[str, object]:
    """All attributes that an instance stores, in its `__dict__` and in slots."""
    state: Any = object.__getstate__(value)
    return {**(state[0] or {}), **state[1]} if type(state) is tuple else state or {}


def opened(value: Any, depth: int) -> tuple[str, Any, tuple[object, ...]]:
    """The tag, label and parts of an outcome that is not None, bool, int, str or bytes.

    Claims: two values are the same outcome iff their tags, labels and parts are the same, the parts of a set
            in any order. Labels are made of str, int, bytes, None and tuples.
    Raises: Unauditable for a value outside the registry, or nested deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise Unauditable(TOO_DEEP)
    kind = type(value)
    if kind is tuple or kind is list or kind is set or kind is frozenset:
        return kind.__name__, "", tuple(value)
    if kind is dict:
        return "dict", "", tuple(part for item in value.items() for part in item)
    if kind is float or kind is complex:
        return kind.__name__, _bits(value) if kind is float else (_bits(value.real), _bits(value.imag)), ()
    if kind is Fraction and type(value.numerator) is type(value.denominator) is int:
        return "fraction", (value.denominator, value.numerator), ()
    if kind is Decimal:
        return "decimal", Context(capitals=1).to_sci_string(value), ()
    if kind is Raised:
        named, held = zip(*value.fields, strict=True) if value.fields else ((), ())
        return "raised", (value.name, *named), (*value.args, *held)
    if issubclass(type(kind), EnumType):
        member = value._name_ if value._name_ is not None else digits(value._value_)
        state = {name: part for name, part in _state(value).items() if name == "_value_" or not name.endswith("_")}
        shown = dict(by_type(name, part, depth + 1) for name, part in state.items())
        return "enum", (class_name(kind), member, *shown), (*shown.values(),)
    if issubclass(kind, tuple) and type(names := getattr(kind, "_fields", 0)) is tuple and not _state(value):
        return "namedtuple", (class_name(kind), names), tuple.__getitem__(value, slice(None))
    if is_dataclass(kind) and _holds_fields_only(value, kind):
        state = _state(value)
        names = tuple(field.name for field in fields(kind) if field.name in state)
        return "dataclass", (class_name(kind), names), tuple(state[name] for name in names)
    numpy: Any = sys.modules.get("numpy")
    if numpy and (kind is numpy.ndarray or (issubclass(kind, numpy.generic) and kind is value.dtype.type)):
        shape = tuple(value.shape) if kind is numpy.ndarray else None
        if value.dtype.char in _NUMPY_CODES and value.dtype.metadata is None:
            order = value.dtype.char + ("F" if value.flags.fnc else "C")
            return "numpy", (value.dtype.str, shape, value.tobytes(), order), ()
    raise Unauditable(f"type {class_name(kind)} is not in the registry of outcomes; {_advice(kind)}")


def by_type(name: str, value: Any, depth: int) -> tuple[str, Any]:
    """The name and the value of a part or, where the value is no outcome, `type(name)` and the name of its class."""
    try:
        key(value, depth)
    except Unauditable:
        return f"type({name})", class_name(type(value))
    return name, value


def in_order(tag: str, parts: tuple[object, ...]) -> Iterable[object]:
    """The parts in an order that depends on the outcome alone."""
    return sorted(parts, key=canonical) if tag in SETS else parts


def _holds_fields_only(value: object, kind: type) -> bool:
    """Whether a dataclass instance stores nothing beyond its fields, in attributes or in a built-in base."""
    try:
        object.__new__(kind)
    except TypeError:
        return False
    return _state(value).keys() <= {field.name for field in fields(kind)}


def _advice(kind: type) -> str:
    """The remedy for a value of a type that is not in the registry."""
    methods = {name for base in kind.__mro__ for name in vars(base)}
    base = next((base.__name__ for base in _BASES if issubclass(kind, base)), "")
    rules = (
        ("_decide" in methods, "a draw kept from another run, as in a global, is hidden state: draw it in each run"),
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
    if kind is tuple and _depth <= MAX_DEPTH:
        return "tuple", "", tuple([(int, part) if type(part) is int else key(part, _depth + 1) for part in value])
    tag, label, parts = opened(value, _depth)
    if tag in SETS:  # as a multiset: two NaNs in a set are two elements
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
    if kind is int:  # `_frame` written out, since most outcomes are made of these
        return b"int[%d:%b]" % (len(data := int_bytes(value)), data)
    if kind is tuple and _depth <= MAX_DEPTH:  # as below, its label being ""
        return _frame(b"tuple", [b"str[0:]", *[canonical(part, _depth + 1) for part in value]])
    if kind is str:
        return _frame(b"str", (value.encode("utf-8", "surrogatepass"),))
    if kind is bytes:
        return _frame(b"bytes", (value,))
    if kind is bool or value is None:
        return _frame(b"%d" % value if kind is bool else b"none", ())
    tag, label, parts = opened(value, _depth)
    chunks = [canonical(part, _depth + 1) for part in parts]
    return _frame(tag.encode(), [canonical(label), *(sorted(chunks) if tag in SETS else chunks)])


def plain_numpy(value: Any) -> Any:
    """The Python values of a numpy scalar or array; dates as their integers."""
    return (value.view("i8") if value.dtype.char in "Mm" else value).tolist()


def fresh(value: Any, *, replace: Callable[[Any, int], Any] | None = None, depth: int = 0) -> Any:
    """An independent copy of an outcome, with the same key; atoms are returned as they are.

    Where `replace(part, depth)` returns another object for a part that is no tuple or list, this object stands for it.

    Claims: sets are rebuilt in canonical order, so that a copy's order of iteration depends on its value (and
            PYTHONHASHSEED) alone; parts that were one object become several.
    Raises: Unauditable as `key` does.
    """
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return value
    if (kind is tuple or kind is list) and depth <= MAX_DEPTH:
        return kind([part if type(part) is int else fresh(part, replace=replace, depth=depth + 1) for part in value])
    if replace is not None and (other := replace(value, depth)) is not value:
        return other
    tag, label, parts = opened(value, depth)
    copies = list(in_order(tag, tuple([fresh(part, replace=replace, depth=depth + 1) for part in parts])))
    match tag:
        case "set" | "frozenset":
            return kind(copies)
        case "dict":
            return dict(zip(copies[::2], copies[1::2], strict=True))
        case "namedtuple":
            return tuple.__new__(kind, copies)
        case "raised":
            name, *names = label
            args = len(copies) - len(names)
            return Raised(name, tuple(copies[:args]), tuple(zip(names, copies[args:], strict=True)))
        case "dataclass":
            copy = object.__new__(kind)
            for name, part in zip(label[1], copies, strict=True):
                object.__setattr__(copy, name, part)
            return copy
        case "numpy" if label[1] is not None:
            return value.copy(label[3][-1])
    return value


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
        return short_text(value)
    if kind is str or kind is bytes:
        return repr(value[:MAX_SHOWN])
    if kind is bool or value is None or kind is float or kind is complex:
        return repr(value)
    if depth > 10:
        return "..."
    tag, label, parts = opened(value, depth)
    texts = (show(part, depth + 1) for part in in_order(tag, parts))
    brackets = {"tuple": "(", "list": "[", "set": "{" if parts else "set(", "dict": "{"}
    opening = brackets.get(tag, f"{'np.' if tag == 'numpy' else ''}{kind.__qualname__}(")
    match tag:
        case "dict":
            texts = (f"{name}: {text}" for name, text in zip(texts, texts, strict=True))
        case "namedtuple" | "dataclass":
            texts = (f"{name}={text}" for name, text in zip(label[1], texts, strict=True))
        case "fraction" | "decimal":
            texts = (show(part) for part in (label[::-1] if tag == "fraction" else [label]))
        case "numpy":
            texts = (show(part) for part in (plain_numpy(value), label[0])[: 1 if label[1] is None else 2])
        case "raised":
            opening, unnamed = f"raises {label[0]}(", len(parts) - len(label) + 1
            names = *[""] * unnamed, *(f"{name}=" for name in label[1:])
            texts = (name + text for name, text in zip(names, texts, strict=True))
        case "enum":
            return f"{kind.__qualname__}.{label[1]}"
    comma = "," if tag == "tuple" and len(parts) == 1 else ""
    inner = ", ".join(islice(texts, MAX_SHOWN // 3 + 1))  # that many fill the line
    return opening + inner + comma + {"(": ")", "[": "]", "{": "}"}[opening[-1]]
