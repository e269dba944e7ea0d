"""Outcomes given as JSON, spelt for a person and as Python source; classes are named, never looked up."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import MAX_SHOWN, Raised, show
from dpcert.mechanisms.forms import from_json

MAX_SOURCE = 2000
MAX_BITS = 4000


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
        case "numpy", {"dtype": dtype, "shape": shape, "data": str(data)}:
            return f"np.{'generic' if shape is None else 'array'}({data[:40]}, {dtype})"
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


def source(outcome: Any) -> str | None:
    """Return a Python expression for an outcome given as JSON; None where it would be long or needs a class."""
    try:
        text = _expression(from_json(outcome))
    except (InputError, LookupError):
        return None
    return text if len(text) <= MAX_SOURCE else None


def _expression(value: Any) -> str:
    """Return an expression that `import dpcert, fractions` lets Python evaluate to an outcome.

    Raises: LookupError where there is none.
    """
    kind = type(value)
    if value is None or kind is bool or kind is str or kind is bytes:
        return repr(value)
    if kind is int and value.bit_length() <= MAX_BITS:
        return repr(value)
    if kind is float and not math.isnan(value):
        return f"float('{value}')" if math.isinf(value) else repr(value)
    if kind is Fraction and value.denominator.bit_length() <= MAX_BITS:
        return f"fractions.Fraction({_expression(value.numerator)}, {value.denominator})"
    if kind is Raised:
        fields = f", {_expression(value.fields)}" if value.fields else ""
        return f"{Raised.__module__}.Raised({value.name!r}, {_expression(value.args)}{fields})"
    if kind is dict:
        return f"dict({_expression([*value.items()])})"
    if kind is tuple or kind is list:
        inner = ", ".join(map(_expression, value))
        return f"[{inner}]" if kind is list else f"({inner}{',' if len(value) == 1 else ''})"
    if kind is set or kind is frozenset:
        return f"{kind.__name__}({_expression([*value])})"
    raise LookupError(kind)
