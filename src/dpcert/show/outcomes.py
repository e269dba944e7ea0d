"""Outcomes given as JSON, spelt for a person and as Python source; classes are named, never looked up."""

import cmath
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import MAX_SHOWN, Raised, show
from dpcert.mechanisms.forms import from_json, to_json

MAX_SOURCE = 2000
MAX_BITS = 4000
MODULES = ("decimal", "fractions", "numpy")
"""The modules that an expression may name beside `dpcert`."""


def shown(outcome: Any) -> str:
    """Return an outcome given as JSON in a few characters."""
    text = _words(outcome)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


def _words(outcome: Any) -> str:
    if not isinstance(outcome, dict):
        return show(outcome)
    ((kind, body),) = outcome.items()
    match kind, body:
        case "enum", str():
            return ".".join(body.split(".")[-2:])
        case (("dataclass" | "namedtuple"), {"type": str(name), "fields": list(fields)}):
            return f"{name.split('.')[-1]}({', '.join(f'{field}={_words(part)}' for field, part in fields)})"
        case "raised", {"type": name, "args": list(args)}:
            named = [f"{field}={_words(part)}" for field, part in body.get("fields", ())]
            return f"raises {name}({', '.join(filter(None, (_listed(args), *named)))})"
        case "numpy", dict():
            value = _numpy(body)
            return f"np.ndarray of {body['dtype']} ({body['data'][:40]})" if value is None else show(value)
        case "tuple", list():
            return f"({_listed(body)}{',' if len(body) == 1 else ''})"
        case "list", list():
            return f"[{_listed(body)}]"
        case "dict", list():
            return f"{{{', '.join(f'{_words(key)}: {_words(part)}' for key, part in body)}}}"
        case "set", [_, *_]:
            return f"{{{_listed(body)}}}"
        case (("set" | "frozenset"), list()):
            return f"{kind}({_listed(body)})"
    return show(from_json(outcome))


def _listed(parts: list[Any]) -> str:
    return ", ".join(map(_words, parts[: MAX_SHOWN // 3 + 1]))  # that many fill a line


def _numpy(body: Mapping[str, Any]) -> Any:
    """Return the numpy scalar or array that JSON describes; None where numpy is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    dtype, shape = numpy.dtype(body.get("char", body["dtype"])), body["shape"]
    data = bytes.fromhex(body["data"])
    value = numpy.ndarray(shape or (), dtype, data or bytes(1))
    return value[()] if shape is None else value


def source(outcome: Any, home: str | None = None) -> str | None:
    """Return a Python expression for an outcome given as JSON; None where it would be long or cannot be written.

    Classes are named where they are those of the module `home`, in which the expression is to stand.
    """
    try:
        text = _expression(outcome, home)
    except (InputError, LookupError):
        return None
    return text if len(text) <= MAX_SOURCE else None


def _expression(outcome: Any, home: str | None) -> str:
    """Return an expression for an outcome, which Python evaluates with `dpcert` and those of MODULES that it names.

    Raises: LookupError where there is none; InputError where the JSON is of no outcome.
    """
    if not isinstance(outcome, dict):
        if type(outcome) is int and outcome.bit_length() > MAX_BITS:
            raise LookupError(outcome)
        return repr(outcome)
    ((kind, body),) = outcome.items()
    match kind, body:
        case "enum", str():
            return _own(body, home)
        case (("dataclass" | "namedtuple"), {"type": str(name), "fields": list(fields)}):
            named = (f"{field}={_expression(part, home)}" for field, part in fields)
            return f"{_own(name, home)}({', '.join(named)})"
        case "raised", {"type": name, "args": list(args)}:
            pairs = "".join(f"({field!r}, {_expression(part, home)}), " for field, part in body.get("fields", ()))
            more = f", ({pairs})" if pairs else ""
            return f"{Raised.__module__}.Raised({name!r}, {_sequence(args, home, '()')}{more})"
        case "numpy", dict():
            return _of_numpy(body)
        case "tuple", list():
            return _sequence(body, home, "()")
        case "list", list():
            return _sequence(body, home, "[]")
        case (("set" | "frozenset"), list()):
            return f"{kind}({_sequence(body, home, '[]')})"
        case "dict", list():
            return f"dict([{', '.join(_sequence(pair, home, '()') for pair in body)}])"
    value = from_json(outcome)
    match value:
        case Fraction() if max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS:
            return f"fractions.Fraction({value.numerator}, {value.denominator})"
        case float() if not math.isnan(value):
            return repr(value) if math.isfinite(value) else f"float('{value}')"
        case complex() if cmath.isfinite(value):
            return f"complex({value.real!r}, {value.imag!r})"
        case Decimal():
            return f"decimal.{value!r}"
        case str() | bytes():
            return repr(value)
    raise LookupError(kind)


def _sequence(parts: list[Any], home: str | None, brackets: str) -> str:
    comma = "," if brackets == "()" and len(parts) == 1 else ""
    return f"{brackets[0]}{', '.join(_expression(part, home) for part in parts)}{comma}{brackets[1]}"


def _own(name: str, home: str | None) -> str:
    """Return the name of a class, or of a member of it, within the module `home`.

    Raises: LookupError where it is of another module.
    """
    own = None if home is None else re.fullmatch(rf"(?:.*\.)?{re.escape(home)}\.(.+)", name)
    if own is None or "<" in name:
        raise LookupError(name)
    return own[1]


def _of_numpy(body: Mapping[str, Any]) -> str:
    """Return an expression for a numpy scalar or array.

    Raises: LookupError where there is none, as for dates, and for an array of another layout than numpy gives it.
    """
    value = _numpy(body)
    if value is None or value.dtype.kind not in "biufcSU" or not value.dtype.isnative:
        raise LookupError(body["dtype"])
    plain = value.tolist()
    text = f"numpy.{type(value).__name__}({plain!r})"
    again = type(value)(plain) if body["shape"] is None else None
    if again is None:
        import numpy

        text, again = f"numpy.array({plain!r}, {body['dtype']!r})", numpy.array(plain, body["dtype"])
    if "inf" in text or "nan" in text or to_json(again) != {"numpy": body}:
        raise LookupError(text)
    return text
