"""Theorems as data: queries with their certificates, and derivations, for `proofs/checker.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from dpcert.proofs import checker
from dpcert.proofs.check import CheckResult
from dpcert.proofs.sums import SUMS
from dpcert.proofs.theorem import Theorem, script

Certificate = list[Any]


@cache
def certificates() -> Mapping[str, Certificate]:
    """Return the certificates of queries by the names of their lemmas, and of steps, as in `keys-grow/grow/base`."""
    found: dict[str, Certificate] = json.loads(files("dpcert.proofs").joinpath("certificates.json").read_text("utf-8"))
    return found


def in_order(names: Iterable[str], theorems: Mapping[str, Theorem]) -> list[Theorem]:
    """Return theorems with all that they use, each after what it uses."""
    found: dict[str, Theorem] = {}

    def visit(name: str) -> None:
        if name not in found:
            for used in theorems[name].uses:
                visit(used)
            found[name] = theorems[name]

    for name in names:
        visit(name)
    return list(found.values())


def as_data(theorem: Theorem, kept: Mapping[str, Certificate]) -> dict[str, Any]:
    """Return a theorem as the checker reads it; a certificate that is missing is an empty list."""
    return {
        "id": theorem.id,
        "statement": theorem.statement,
        "argument": theorem.argument,
        "uses": [SUMS.id, *theorem.uses] if theorem is not SUMS else [],
        "queries": [
            {"name": lemma.name, "script": script(lemma), "certificate": kept.get(lemma.name, [])}
            for lemma in theorem.lemmas
        ],
        "derivation": [
            {
                **step,
                "proofs": {
                    part: {**proof, "certificate": kept.get(f"{theorem.id}/{step['name']}/{part}", [])}
                    for part, proof in step["proofs"].items()
                },
            }
            for step in theorem.derivation
        ],
    }


def document(names: Iterable[str], theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    """Return theorems, with all that they use, as the checker reads them."""
    found = [SUMS, *(theorem for theorem in in_order(names, theorems) if theorem is not SUMS)]
    return {"schema": checker.SCHEMA, "theorems": [as_data(theorem, certificates()) for theorem in found]}


def certified(theorem: Theorem, theorems: Mapping[str, Theorem]) -> CheckResult:
    """Return whether the checker accepts a theorem's queries and derivation, what it uses being taken as stated."""
    try:
        sums_accepted()
    except checker.Rejected as fault:
        return CheckResult(False, f"certificate: {fault}")
    steps = {used.id: dict(stated(used)) for used in [SUMS, *in_order(theorem.uses, theorems)]}
    for name in theorem.uses:
        steps[name] = {
            key: step for used in [SUMS, *in_order([name], theorems)] for key, step in steps[used.id].items()
        }
    try:
        checker.check_theorem(as_data(theorem, certificates()), steps)
    except (checker.Rejected, ValueError, IndexError, KeyError, TypeError) as fault:
        return CheckResult(False, f"certificate: {fault}")
    return CheckResult(True)


@cache
def sums_accepted() -> bool:
    """Return that the checker accepts what all derivations may use of sums.

    Raises: checker.Rejected if it does not.
    """
    checker.check_theorem(as_data(SUMS, certificates()), {})
    return True


def stated(theorem: Theorem) -> Iterator[tuple[str, checker.Step]]:
    """Yield what the lemmas and steps of a theorem state, unproved."""
    for lemma in theorem.lemmas:
        yield lemma.name, checker.step_of_query(lemma.name, script(lemma))
    for step in theorem.derivation:
        given = [checker.one(text) for text in step["given"]]
        yield step["name"], checker.Step(step["name"], step["for"], given, checker.one(step["then"]))
