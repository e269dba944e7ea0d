"""Certificates as texts: JSON without floats, repeated keys and long integers. The kernel judges their content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.certificate import Certificate, Malformed, embed
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import hex_text

MAX_BYTES = 64 << 20
"""How long a text is read at most."""
MAX_EMBEDDED = 1 << 20
"""How many bytes of laws a certificate embeds at most, in all."""
MAX_KEPT = 64 << 20
"""How many bytes of laws are kept at most beside a certificate, in all."""
SUMMED = "the far outcomes of loops that count their turns are summed, as geometric series (docs/reference/machine.md)"
"""The assumption of a law in which series are single outcomes; its other outcomes are no texts."""
NEVER = "it never returns an outcome"
"""How the reason begins of a program that raises on each input."""
EMPTY = "the scope is empty"
"""How the reason begins of a claim without a pair of neighbours."""
OF_FUNCTION = "refuted for a function of the outcome"
"""How the note begins of a witness whose event is no set of outcomes."""
DIGITS = 18


def text_of(certificate: Certificate) -> str:
    """Return a certificate as JSON, numbers in hexadecimal."""
    return json.dumps(data_of(certificate), indent=1, sort_keys=True) + "\n"


def data_of(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as JSON data, numbers in hexadecimal."""
    data = {field.name: getattr(certificate, field.name) for field in fields(certificate)}
    return {name: hex_text(value) if isinstance(value, Fraction) else value for name, value in data.items()}


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
        # A long decimal takes CPython quadratic time, and a float is no number that a claim may rest on.
        return json.loads(
            text, parse_int=_small, parse_float=refuse, parse_constant=refuse, object_pairs_hook=_each_once
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not a {what}: {error}") from None


def schema_of(text: bytes) -> str:
    """Return the schema that a JSON text names; empty where it names none."""
    try:
        data = strict_json(text, "certificate")
    except Malformed:
        return ""
    return str(data.get("schema", "")) if isinstance(data, dict) else ""


def _small(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"an integer of {len(text)} digits: numbers are written in hexadecimal text")
    return int(text)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object repeats a key")
    return found


class Embedding:
    """The laws as a certificate embeds them; none are kept once they exceed so many bytes in all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.laws: dict[int, Any] | None = {}
        self.size = 0

    def add(self, position: int, law: Law) -> None:
        """Keep the law on the input at a position."""
        if self.laws is None or position in self.laws or not self.most:
            return
        if self.size + sum(weight.bit_length() // 4 for _, _, weight in law.weights()) <= self.most:
            self.laws[position] = embed(law)
            self.size += len(json.dumps(self.laws[position]))
        if position not in self.laws or self.size > self.most:
            self.laws = None

    def whole(self) -> list[Any] | None:
        """Return all laws in order, None where they are too long for a certificate."""
        if self.laws is None or self.size > MAX_EMBEDDED:
            return None
        return [self.laws[i] for i in range(len(self.laws))]


def embedded(laws: Mapping[int, Law]) -> Mapping[int, Any]:
    """Return laws as a certificate embeds them, by position; none where they exceed MAX_KEPT bytes."""
    kept = Embedding(MAX_KEPT)
    for position, law in laws.items():
        kept.add(position, law)
    return kept.laws or {}
