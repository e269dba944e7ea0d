"""Bundles: the certificates of a theorem's premises in one file, with the theorem's conclusion."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from dpcert.audit.certificates import data_of, strict_json
from dpcert.audit.kernel.certificate import Certificate, Malformed
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.registry import files_of
from dpcert.audit.sources import source_digests
from dpcert.audit.unbounded.theorem import UnboundedClaim, Unfounded
from dpcert.audit.unbounded.theorems import THEOREMS
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import from_hex, hex_text
from dpcert.worker.codec import Unfit, decode, encode
from dpcert.worker.results import write_text

SCHEMA = "dpcert.bundle/4"
Schema = Annotated[str, lambda text: text == SCHEMA]
Source = Annotated[str, lambda text: text in ("program", "closed-form")]


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a bundle's JSON; delta is in hexadecimal."""

    schema: Schema
    theorem: str
    target: str
    parameters: dict[str, str]
    epsilon: str
    delta: str
    neighbours: str
    law_source: Source
    sentence: str
    hints: dict[str, Any]
    assumptions: list[str]
    sources: dict[str, str]
    premises: list[Any]


@dataclass(frozen=True, slots=True)
class Bundle:
    """The conclusion, the hints that name the premises, and a certificate of each premise, in order.

    `sources` has the SHA-256 of each file of the theorem. The hints are JSON data in the form of the theorem about the
    mechanism, if there is one.
    """

    claim: UnboundedClaim
    theorem: str
    sentence: str
    hints: dict[str, Any]
    assumptions: tuple[str, ...]
    premises: tuple[Certificate, ...]
    sources: dict[str, str]

    def to_text(self) -> str:
        """Return the bundle as JSON, numbers in hexadecimal."""
        fields = Fields(
            schema=SCHEMA,
            theorem=self.theorem,
            target=self.claim.mechanism,
            parameters=dict(self.claim.parameters),
            epsilon=str(self.claim.guarantee.epsilon),
            delta=hex_text(self.claim.guarantee.delta),
            neighbours=self.claim.neighbours,
            law_source=self.claim.law_source,
            sentence=self.sentence,
            hints=self.hints,
            assumptions=list(self.assumptions),
            sources=self.sources,
            premises=[data_of(premise) for premise in self.premises],
        )
        return json.dumps(encode(fields), indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_text(cls, text: bytes) -> Bundle:
        """Return the bundle that a JSON text spells out, every field present, known and of its type.

        Raises: Malformed, in one line.
        """
        data = strict_json(text, "bundle")
        if not isinstance(data, dict):
            raise Malformed("not a bundle: an object was needed")
        try:
            fields: Fields = decode(Fields, data)
            delta = from_hex(fields.delta, "delta")
            # Another form of the same epsilon would make another sentence of the same claim.
            if str(Epsilon.of(fields.epsilon)) != fields.epsilon or not 0 <= delta <= 1:
                raise Malformed("not a bundle: an epsilon in its shortest form and a delta in [0, 1] needed")
            theorem = THEOREMS.get(fields.target)
            if theorem is not None:
                theorem.check_hints(fields.hints)
        except (InputError, Unfit, Unfounded) as error:
            raise Malformed(f"not a bundle: {error}") from None
        claim = UnboundedClaim(
            mechanism=fields.target,
            parameters=fields.parameters,
            guarantee=ApproxDP(fields.epsilon, delta),
            neighbours=fields.neighbours,
            law_source=fields.law_source,
        )
        return cls(
            claim=claim,
            theorem=fields.theorem,
            sentence=fields.sentence,
            hints=fields.hints,
            assumptions=tuple(fields.assumptions),
            premises=tuple(map(Certificate.from_data, fields.premises)),
            sources=fields.sources,
        )


def theorem_sources() -> dict[str, str]:
    """Return the SHA-256 of each file that a verdict by theorem rests on, beside the files of its premises."""
    return source_digests(files_of("theorem"), None)


def write_bundle(folder: Path, bundle: Bundle) -> Path:
    """Write a bundle into a folder, whole or not at all, and return its path.

    Raises: InputError where the folder cannot be written.
    """
    name = hashlib.sha256(bundle.sentence.encode()).hexdigest()[:8]
    claim = bundle.claim
    words = "-".join([claim.mechanism, *(f"{key}={value}" for key, value in claim.parameters.items())])
    return write_text(folder, f"{words}-{claim.neighbours}-bundle-{name}", bundle.to_text())
