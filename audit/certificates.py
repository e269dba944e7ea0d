"""Certificates as texts: JSON without floats, repeated keys and long integers. The kernel judges their content."""

from __future__ import annotations

import json
from typing import Any

from dpcert.audit.kernel.certificate import Certificate, Malformed

MAX_BYTES = 64 << 20
"""How long a text is read at most."""
MAX_EMBEDDED = 1 << 20
"""How many bytes of laws a certificate embeds at most, in all."""
DIGITS = 18


def text_of(certificate: Certificate) -> str:
    """Return a certificate as JSON, numbers in hexadecimal."""
    return json.dumps(certificate.as_data(), indent=1, sort_keys=True) + "\n"


def certificate_of(text: str | bytes) -> Certificate:
    """Return the certificate that a JSON text spells out, every field present, known and of its type.

    Raises: Malformed, in one line.
    """
    return Certificate.from_data(strict_json(text, "certificate"))


def strict_json(text: str | bytes, what: str) -> Any:
    """Return the value of a JSON text; `what` names the value in an error.

    Raises: Malformed for a text that is too long or no JSON, floats, long integers and repeated keys.
    """
    if len(text) > MAX_BYTES:
        raise Malformed(f"a {what} of {len(text)} bytes: at most {MAX_BYTES} are read")

    def refuse(number: str) -> Any:
        raise ValueError(f"the number {number[:40]}: a {what} has no floats")

    try:
        text = text.decode() if isinstance(text, bytes) else text
        return json.loads(
            text, parse_int=_small, parse_float=refuse, parse_constant=refuse, object_pairs_hook=_each_once
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not a {what}: {error}") from None


def schema_of(text: bytes) -> str:
    """Return the schema that a JSON text names; empty for what names none."""
    try:
        data = strict_json(text, "certificate")
    except Malformed:
        return ""
    return str(data.get("schema")) if isinstance(data, dict) else ""


def _small(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"an integer of {len(text)} digits: numbers are written in hexadecimal text")
    return int(text)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object repeats a key")
    return found
