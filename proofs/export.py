"""Theorems as data: steps with their certificates, for `proofs/checker.py`. A lemma is a step that a query proves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from dpcert.proofs import checker
from dpcert.proofs.check import CheckResult
from dpcert.proofs.sums import SUMS
from dpcert.proofs.theorem import Theorem, said

Certificate = list[Any]


@cache
def certificates() -> Mapping[str, Any]:
    """Return the certificates of queries by the names of their lemmas, and of steps, as in `THEOREM/grow/base`.

    `THEOREM/grow/point` is the point of a step that the theorem states.
    """
    found: dict[str, Any] = json.loads(files("dpcert.proofs").joinpath("certificates.json").read_text("utf-8"))
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


def steps_of(theorem: Theorem, kept: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield lemmas and steps as the checker reads them; a certificate that is missing is an empty list."""
    for lemma in theorem.lemmas:
        proof = {"using": [], "certificate": kept.get(lemma.name, [])}
        yield {**said(lemma), "by": "query", "proofs": {"query": proof}}
    for step in theorem.derivation:
        proofs = {
            part: {**proof, "certificate": kept.get(f"{theorem.id}/{step['name']}/{part}", [])}
            for part, proof in step["proofs"].items()
        }
        yield {**step, "proofs": proofs}


def statement(theorem: Theorem) -> list[str]:
    """Return the names of the steps and lemmas that no other of the theorem's steps uses: they are its statement."""
    proofs = [proof for step in theorem.derivation for proof in step["proofs"].values()]
    used = {instance[1] for proof in proofs for instance in proof["using"] if instance[0] == "step"}
    return [step["name"] for step in steps_of(theorem, {}) if step["name"] not in used]


def as_data(theorem: Theorem, kept: Mapping[str, Any], proved: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a theorem as the checker reads it, without the very steps that are proved before."""
    steps = [step for step in steps_of(theorem, kept) if (proved or {}).get(step["name"]) != _says(step)]
    points: dict[str, Any] = {lemma.name: {k: _text(x) for k, x in lemma.point.items()} for lemma in theorem.lemmas}
    points |= {step["name"]: kept.get(f"{theorem.id}/{step['name']}/point") for step in theorem.derivation}
    own = {step["name"] for step in steps}
    states = {name: points[name] for name in statement(theorem) if name in own}
    return {"id": theorem.id, "steps": steps, "states": states}


def _says(step: Mapping[str, Any]) -> Any:
    return step["for"], step["given"], step["then"]


def _text(value: Any) -> str:
    """Return a number as a term: n, or (/ n d), or the opposite of one."""
    numerator, denominator = abs(value).as_integer_ratio()
    size = f"(/ {numerator} {denominator})" if denominator > 1 else str(numerator)
    return f"(- {size})" if value < 0 else size


def document(names: Iterable[str], theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    """Return theorems, with all that they use, as the checker reads them."""
    written: list[dict[str, Any]] = []
    proved: dict[str, Any] = {}
    for theorem in [SUMS, *in_order(names, theorems)]:
        written.append(as_data(theorem, certificates(), proved))
        proved |= {step["name"]: _says(step) for step in written[-1]["steps"]}
    return {"schema": checker.SCHEMA, "theorems": written}


def certified(theorem: Theorem, theorems: Mapping[str, Theorem]) -> CheckResult:
    """Return whether the checker accepts a theorem's queries and derivation, what it uses being taken as stated."""
    below = [SUMS, *in_order(theorem.uses, theorems)]
    said_below = {step["name"]: _says(step) for used in below for step in steps_of(used, {})}
    try:
        sums_accepted()
        proved = {name: step for used in below for name, step in stated(used)}
        checker.check_theorem(as_data(theorem, certificates(), said_below), proved)
    except (checker.Rejected, *checker.FAULTS) as fault:
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
    for step in steps_of(theorem, {}):
        yield step["name"], checker.Step(step["name"], step["for"], step["given"], step["then"])
