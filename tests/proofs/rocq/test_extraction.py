"""The kernel's decision is what Rocq extracts, by a translation of few rules that refuses all else."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.kernel import decision
from dpcert.proofs.rocq import extraction, gate, record

INT = {"what": "type:glob", "name": "z", "args": []}
X, Y = ({"what": "expr:rel", "name": name} for name in "xy")
ONE = {"what": "expr:constructor", "name": "XH", "args": []}


def made(name: str, inner: object) -> dict[str, object]:
    return {"what": "expr:constructor", "name": name, "args": [inner]}


def call(name: str, *given: object) -> dict[str, object]:
    return {"what": "expr:apply", "func": {"what": "expr:global", "name": name}, "args": [*given]}


def module(body: object, **more: object) -> str:
    """Return an extraction in which each function is of one integer, and has this body."""
    kind = {"what": "type:arrow", "left": INT, "right": INT}
    value = {"what": "expr:lambda", "argnames": ["x"], "body": body}
    terms = [{"what": "decl:term", "name": name, "type": kind, "value": value} for name in extraction.FUNCTIONS]
    return json.dumps({"declarations": [{**each, **more} for each in terms]})


def branch(name: str, names: list[str], body: object) -> dict[str, object]:
    return {"what": "case", "pat": {"what": "pat:constructor", "name": name, "argnames": names}, "body": body}


def loop(given: str) -> dict[str, object]:
    again = call("verifies", {"what": "expr:rel", "name": given})
    pair = {
        "what": "expr:case",
        "expr": {"what": "expr:rel", "name": "p"},
        "cases": [branch("Pair", ["v", "w"], again)],
    }
    return {"what": "expr:case", "expr": X, "cases": [branch("Nil", [], X), branch("Cons", ["p", "rest"], pair)]}


def test_the_kernel_decides_by_what_the_gate_has_extracted() -> None:
    assert list(extraction.changed(record.record())) == []
    assert Path(decision.__file__).read_text("utf-8").startswith(extraction.HEAD)


def test_caught_a_decision_that_is_not_the_extracted_one() -> None:
    kept = {**record.record(), "extracted": record.hashes({extraction.MODULE: "another"})}
    assert list(extraction.changed(kept)) == ["audit/kernel/decision.py is not as the gate has extracted it"]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (X, "x"),
        (call("*", X, call("+", X, X)), "x * (x + x)"),
        (call("-", call("-", X, X), X), "(x - x) - x"),
        (call("+", X, made("Zneg", made("XI", ONE))), "x + -3"),
        (call("+", X, made("Zpos", made("XO", made("XI", ONE)))), "x + 6"),
        (call("verifies", call("<", X, X)), "verifies(x < x)"),
    ],
)
def test_an_expression_keeps_its_structure(body: object, shown: str) -> None:
    assert f"return {shown}\n" in extraction.python(module(body))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (Y, "no rule"),  # a name that is bound nowhere
        ({"what": "expr:magic"}, "no rule"),
        ({"what": "expr:constructor", "name": "S", "args": []}, "no rule"),
        ({"what": "expr:case", "expr": X, "cases": [branch("True", [], X)]}, "no rule"),
        (loop("rest"), "passes more"),  # nothing else goes on changed
        (loop("v"), "passes more"),  # it does not go on with the rest
    ],
)
def test_caught_what_has_no_rule(body: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        extraction.python(module(body))


def test_caught_a_type_without_a_rule_and_a_function_that_is_missing() -> None:
    with pytest.raises(ValueError, match="no rule for the type nat"):
        extraction.python(module(X, type={"what": "type:arrow", "left": {**INT, "name": "nat"}, "right": INT}))
    with pytest.raises(ValueError, match="Rocq extracted no refutes"):
        extraction.python(json.dumps({"declarations": []}))


@pytest.mark.nightly
def test_a_changed_definition_is_extracted_changed(tmp_path: Path) -> None:
    if shutil.which("coqc") is None:
        return
    texts: dict[str, Any] = gate.on_disk(gate.HERE)
    old = "x * v - y * w in"
    assert old in texts["definitions/Decision"]
    texts["definitions/Decision"] = texts["definitions/Decision"].replace(old, "x * v - y * w + w in")
    for name in ("definitions/Laws", "definitions/Programs", "definitions/Decision"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.v").write_text(texts[name], "utf-8")
        gate.run(["coqc", "-q", "-Q", ".", "DP", f"{name}.v"], tmp_path)
    (tmp_path / "Ask.v").write_text(extraction.SCRIPT, "utf-8")
    gate.run(["coqc", "-q", "-Q", ".", "DP", "Ask.v"], tmp_path)
    now, kept = (
        extraction.python((tmp_path / "decision.json").read_text("utf-8")),
        Path(decision.__file__).read_text("utf-8"),
    )
    assert now != kept
    assert now.replace("((x * v) - (y * w)) + w", "(x * v) - (y * w)") == kept
