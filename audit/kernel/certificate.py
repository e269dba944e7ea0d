"""Certificates: a verdict as data that a stranger can re-check against the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError, InputError
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import exact, from_hex
from dpcert.mechanisms.exact.outcome import canonical, show

SCHEMA = "dpcert.certificate/3"
SOURCES = ("paths", "states", "floats", "vectors", "closed-form", "ideal", "theorem")
"""The registry of law sources, by name; `audit/registry.py` knows the files of each."""


class Malformed(DpcertError):
    """The data given is no certificate; nothing was re-computed."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The content of a certificate: positions in `inputs`, digests by SHA-256, the greatest `tail` of a law."""

    schema: str
    target: str
    parameters: dict[str, str]
    epsilon: str
    delta: Fraction
    neighbours: str
    inputs: int
    inputs_digest: str
    observes: str
    law_source: list[str]
    max_runs: int
    max_tail: Fraction
    max_draws: int
    verdict: str
    sentence: str
    pairs: int
    tail: Fraction
    laws: list[str]
    embedded: list[Any] | None
    witness: dict[str, Any] | None
    assumptions: list[str]
    sources: dict[str, str]
    versions: dict[str, str]

    @classmethod
    def from_data(cls, data: object) -> Certificate:
        """Return the certificate that JSON data spell out, every field present, known and of its type.

        Raises: Malformed, in one line.
        """
        if not isinstance(data, dict):
            raise Malformed(f"not a certificate: a JSON {type(data).__name__} where an object was needed")
        _need(data.get("schema", SCHEMA) == SCHEMA, "schema", f"{SCHEMA!r}, or else a new audit,")
        known = [field.name for field in fields(cls)]
        for name in [*data, *known]:
            if name not in known or name not in data:
                raise Malformed(f"{'unknown' if name in data else 'missing'} field {name[:80]!r}")
        try:
            return cls(**_typed(data))
        except InputError as error:
            raise Malformed(f"not a certificate: {error}") from None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _are(value: object, holds: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(map(holds, value))


def _need(condition: bool, field: str, needed: str) -> None:
    if not condition:
        raise Malformed(f"field {field!r}: {needed} needed")


def _typed(data: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(data)
    for name in ("target", "neighbours", "observes", "sentence", "epsilon"):
        _need(_is_text(data[name]), name, "a text")
    _need(str(Epsilon.of(data["epsilon"])) == data["epsilon"], "epsilon", "an epsilon in its shortest form")
    for name in ("inputs", "max_runs", "max_draws", "pairs"):
        _need(_is_count(data[name]), name, "an integer >= 0")
    for name in ("delta", "max_tail", "tail"):
        result[name] = exact(from_hex(data[name], name), name)
        _need(0 <= result[name] <= 1, name, "a number in [0, 1]")
    _need(_is_digest(data["inputs_digest"]), "inputs_digest", "a SHA-256")
    _need(_are(data["law_source"], SOURCES.__contains__), "law_source", f"a list of {', '.join(SOURCES)}")
    _need(data["verdict"] in ("verified", "refuted"), "verdict", "'verified' or 'refuted'")
    for name in ("parameters", "sources", "versions"):
        _need(isinstance(data[name], dict) and all(map(_is_text, data[name].values())), name, "an object of texts")
    _need(_are(data["laws"], _is_digest), "laws", "a list of SHA-256")
    _need(_are(data["assumptions"], _is_text), "assumptions", "a list of texts")
    _need(data["embedded"] is None or isinstance(data["embedded"], list), "embedded", "a list or null")
    witness, refuted = data["witness"], data["verdict"] == "refuted"
    _need((witness is not None) == refuted, "witness", "one for 'refuted', null for 'verified',")
    if witness is not None:
        _need(isinstance(witness, dict) and set(witness) == {"a", "b", "event"}, "witness", "a, b and event")
        _need(_is_count(witness["a"]) and _is_count(witness["b"]), "witness", "two positions")
        _need(_are(witness["event"], _is_digest), "witness", "an event of SHA-256")
    return result


def embed(law: Law) -> dict[str, Any]:
    """Return a law as it stands in a certificate."""
    weights = [[show(outcome), canonical(outcome).hex(), hex(weight)] for _, outcome, weight in law.weights()]
    return {"denominator": hex(law.denominator), "weights": sorted(weights)}
