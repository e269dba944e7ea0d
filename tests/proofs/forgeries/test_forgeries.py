"""Forgeries: documents that prove a falsehood, or state what no step says. The checker refuses each by name."""

import json
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest

from dpcert.proofs import checker
from dpcert.proofs.export import document
from dpcert.proofs.registry import THEOREMS

FOLDER = Path(__file__).parent

GENUINE = """{"schema": "dpcert.proofs/2", "theorems": [{"id": "halves", "steps": [{"name": "half",
"for": {"x": "Real"}, "given": ["(>= x 1)"], "then": "(>= x 0)", "by": "query", "proofs": {"query": {"using": [],
"certificate": ["sum", [["1", [0], []], ["1", [1], []], ["1", [], []]], []]}}}], "states": {"half": {"x": "1"}}}]}"""
"""x >= 1 implies x >= 0, as x = 1 shows not of nothing."""


def refusal(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return why the checker refuses a document."""
    with pytest.raises(SystemExit) as ended:
        checker.main(text.encode())
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert said.startswith("rejected: ")
    assert said.count("\n") == 1
    return said


def test_the_genuine_document_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    checker.main(GENUINE.encode())
    assert capsys.readouterr().out == "accepted: 1 theorems, 1 steps, of which 1 are the statements\n"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bound-names-itself", "not declared: 'k'"),
        ("condition-captured", "a condition in a sum"),
        ("declared-twice", "a key twice"),
        ("name-spells-monomial", "not a name: 'x^1.y'"),
        ("nested-capture", "a name twice: m"),
        ("placeholder-captured", "not declared: '#0'"),
        ("undeclared-in-given", "not declared: 'k'"),
    ],
)
def test_refused_a_proof_of_a_falsehood(name: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each was accepted once, and proves 0 = 1 or that f(0, 0) = 0 for every f."""
    assert why in refusal((FOLDER / f"{name}.json").read_text(), capsys)


def changed(*pairs: str) -> str:
    """Return the genuine document with texts in it replaced."""
    text = GENUINE
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


NO_STEP = json.dumps({"schema": checker.SCHEMA, "theorems": [{"id": "all", "steps": [], "states": {}}]})
STEP = GENUINE[GENUINE.index('{"name"') : GENUINE.index('], "states"')]
GIVEN, SUM = '["(>= x 1)"]', '["1", [0], []]'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (changed(STEP, f"{STEP}, {STEP}"), "its name is taken"),
        ("", "Expecting value"),
        ("[]", "not an object"),
        (GENUINE + GENUINE, "Extra data"),
        ("\ufeff" + GENUINE, "BOM"),
        (changed("proofs/2", "proofs/1"), "not dpcert.proofs/2"),
        ('{"schema": "dpcert.proofs/2", "theorems": []}', "no theorem"),
        ('{"schema": "dpcert.proofs/2", "theorems": {}}', "not a list"),
        (NO_STEP, "it states nothing"),
        (changed('{"half": {"x": "1"}}', "{}"), "it states nothing"),
        (changed('{"half": {', '{"private": {'), "none of its steps"),
        (changed('"id"', '"statement": "0 = 1", "id"'), "not an object with id, steps, states"),
        (changed('"by"', '"note": "", "by"'), "not an object with name"),
        (changed('"then": "(>= x 0)", ', ""), "not an object with name"),
        (changed('"using": [],\n', ""), "not an object with using"),
        (changed('"theorems"', '"theorems": [], "theorems"'), "a key twice"),
        (changed('"for": {', '"for": {"x": "Int", '), "a key twice"),
        (changed('"x": "1"', '"x": "1", "x": "1"'), "a key twice"),
        (changed('"id": "halves"', '"id": "halves\\n"'), "printable ASCII"),
        (changed('"x": "Real"', '"x": true'), "not a sort"),
        (changed('"x": "Real"', '"x": 1.0'), "not a number such as -3/2: '1.0'"),
        (changed('"x": "Real"', '"x": null'), "not a sort"),
        (changed('"x": "Real"', '"x": 0'), "not a sort"),
        (changed('{"x": "Real"}', '[["x", "Real"]]'), "not an object"),
        (changed('"query", ', '["query"], '), "not enough values"),
        (changed('["1", [], []]', '["1/0", [], []]'), "Fraction(1, 0)"),
        *((changed('["1", [], []]', f"[{x}, [], []]"), "printable ASCII") for x in ("1", "true", "null", '"\\u0661"')),
        *((changed('["1", [], []]', f"[{x}, [], []]"), "number such as") for x in ("1.0", "1e3", "NaN", "Infinity")),
        *(
            (changed('["1", [], []]', f'["{x}", [], []]'), "number such as")
            for x in ("", " 1", "+1", "1_0", "1.5", "1e3", "0x1", "--1", "1/-1", "1/2/3", "nan", "inf", "-")
        ),
        *((changed('["1", [], []]', f'["{x}", [], []]'), "not above 0") for x in ("0", "-0", "-1", "0/5")),
        *((changed(SUM, f'["1", [{x}], []]'), "no number below 2") for x in ("2", "-1", "true", '"0"', "[]", "null")),
        *((changed(SUM, f'["1", [{x}], []]'), "number such as") for x in ("0.0", "-1e0")),
        (changed(SUM, '["1", 0, []]'), "not a list"),
        (changed(SUM, '["1", [0]]'), "not enough values"),
        (changed(SUM, '["1", [0], [], []]'), "too many values"),
        (changed(SUM, '["1", [0], [[["1", {"x": true}]]]]'), "an exponent"),
        (changed(SUM, '["1", [0], [[["1", {"x": -1}]]]]'), "an exponent"),
        (changed(SUM, '["1", [0], [[["1", {"x": 0}]]]]'), "an exponent"),
        (changed('["sum",', '["sum", [],'), "not a certificate"),
        (changed('"using": []', '"using": [["step", "half", {"x": "x"}]]'), "not proved before: half"),
        (changed(GIVEN, "[" * 100_000 + "]" * 100_000), "recursion"),
        (changed("(>= x 1)", "(>= x " + "(- " * 5000 + "1" + ")" * 5000 + ")"), "recursion"),
    ],
)
def test_refused_data(text: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is stated has a proof, each field is there once, and nothing is taken for what it is like."""
    assert why in refusal(text, capsys)


NAMES = "1 1x - #0 k' x; (x) x^1 x.y f(1*x^1) sum[1*;1*;1*] _ x_1 sum prod pow ite all and or not to_real + = <= /"


@pytest.mark.parametrize(
    "name", ["", " ", "x y", "x\u0301", "x\u200b", "x\u2028", "x\u00a0", "x\x00", "\ud800", *NAMES.split(), *"хｘ²ﬁ١"]
)
def test_refused_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A name is of letters and digits of ASCII: it spells no monomial, no operation, no other name."""
    said = refusal(changed('"x": "Real"', f'"x": "Real", {json.dumps(name)}: "Real"'), capsys)
    assert "not a name" in said or "printable ASCII" in said
    with pytest.raises((checker.Rejected, *checker.FAULTS)):
        checker.one(f"(sum ({name} 1 2) 1)", "term", {})


FORMULAS = """
()
(
)
true
x
1
(>= x 1
(>= x 1))
((>= x 1))
(>= x 1) (>= x 1)
(>= x 1) ; so
(>= x 1)\u2028
(>= x\u00a01)
(>= x 1)\t
(≥ x 1)
(>= ｘ 1)
(>= x １)
(>= x ½)
(>= x)
(>= x 1 2)
(= x 1 1)
(!= x 1)
(=> (>= x 1) (>= x 1))
(and)
(not)
(not (>= x 1) (>= x 1))
(and x)
(not x)
(= (>= x 1) (>= x 1))
(>= (>= x 1) 1)
(>= x -1)
(>= x 1e0)
(>= x 1/2)
(>= x .5)
(>= x 1.)
(>= x 1_0)
(>= x 0x1)
(>= x NaN)
(>= (x) 1)
(>= (x 1) 1)
(>= y 1)
(>= (y x) 1)
(>= (+) 1)
(>= (/ x) 1)
(>= (/ x x x) 1)
(>= (pow x) 1)
(>= (ite (>= x 1) x) 1)
(>= (ite x x x) 1)
(>= (to_real x x) 1)
(>= (mod x 2) 1)
(>= (sum (k 1 2)) 1)
(>= (sum (k 1) k) 1)
(>= (sum k 1 2 k) 1)
(>= (sum (1 1 2) 1) 1)
(>= (sum (x 1 2) x) 1)
(>= (sum (k 1 k) 1) 1)
(>= (sum (k k 2) 1) 1)
(>= (+ (sum (k 1 2) k) k) 1)
(>= (sum (k 1 2) (sum (k 1 2) k)) 1)
(>= (sum (k 1 2) (prod (j 1 2) (+ j i))) 1)
(>= (sum (k 1 2) (k 1)) 1)
(>= (sum ((k) 1 2) 1) 1)
(>= (all (k 1 2) k) 1)
(sum (k 1 2) (>= x 1))
(all (k 1 2) x)
(all (x 1 2) (>= x 1))
(all (k 1 2) (all (k 1 2) (>= x 1)))
(all (k 1 j) (all (j 1 2) (>= x 1)))
(or (>= x 1) (all (k 1 2) (>= x 1)))
(not (all (k 1 2) (>= x 1)))
(and (all (k 1 2) (>= x k)) (>= k 1))
"""


@pytest.mark.parametrize("formula", FORMULAS.split("\n"))
def test_refused_formulas(formula: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A formula has operations of the table, with as many parts, of the right kind, and declared names."""
    quoted = json.dumps(formula)
    case = changed('["sum",', f'["case", {quoted}, ["sum",', "[]]}}}", '[]], ["sum", [], []]]}}}')
    for text in (
        changed(GIVEN, f"[{quoted}, {GIVEN[1:]}"),
        changed('"then": "(>= x 0)"', f'"then": {quoted}'),
        case,
    ):
        assert "contradiction" not in refusal(text, capsys)


@pytest.mark.parametrize(
    ("point", "why"),
    [
        ({"x": "0"}, "no example"),
        ({}, "not an object with x"),
        ({"x": "1", "y": "1"}, "not an object with x"),
        ({"x": "y"}, "not declared"),
        ({"x": "x"}, "not declared"),
        ({"x": 1}, "printable ASCII"),
        ({"x": True}, "printable ASCII"),
        ({"x": ["i", "1"]}, "printable ASCII"),
        ({"x": "(/ 1 0)"}, "a term without a value"),
        ({"x": "(/ 0 0)"}, "a term without a value"),
        ({"x": "(pow 2 (- 1))"}, "from 1 to -1"),
        ({"x": "(pow 4 0.5)"}, "from 1 to 1/2"),
        ({"x": "(pow 2 100000)"}, "from 1 to 100000"),
        ({"x": "(sum (k 1 1000000) 1)"}, "from 1 to 1000000"),
        ({"x": "(sum (k 0.5 2) 1)"}, "from 1/2 to 2"),
        ({"x": "(sum (k 1 0) 1)"}, "no example"),
    ],
)
def test_refused_points(point: dict[str, Any], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refusal(changed('{"x": "1"}', json.dumps(point)), capsys)


def test_refused_a_statement_about_nothing() -> None:
    """n < 1 beside n >= 1 proves all; so it does with a range that is empty, before or after."""
    written = document(["order-statistics-proved"], THEOREMS)
    theorem = written["theorems"][-1]
    for name, point in theorem["states"].items():
        (step,) = (step for step in theorem["steps"] if step["name"] == name)
        stated = checker.Step(name, step["for"], step["given"], step["then"])
        checker.require_point(stated, point)
        for formula in ("(< 1 1)", "(all (k 2 1) (= 0 1))", "(all (k 1 2) (all (j k 1) (= 0 0)))"):
            vacuous = [formula, *step["given"]], step["then"]
            for given, then in (vacuous, (step["given"], formula)):
                with pytest.raises(checker.Rejected, match="no example"):
                    checker.require_point(checker.Step(name, step["for"], given, then), point)


X: dict[str, Any] = {"x": "Real", "y": "Real", "n": "Int", "m": "Int", "f": 1}
POWER = {"n": 0, "x": 2, "pow[1*x^1;1*n^1]": 1, "pow[1*x^1;-1* 1*n^1]": 1}
EVERY = "(all (k 1 n) (>= (f k) 0))"


@pytest.mark.parametrize(
    ("given", "then", "using", "values"),
    [
        ([], "(= (/ x x) 1)", [], {"x": 0, "(1*x^1)/(1*x^1)": 5}),
        (["(= y (* x x))"], "(= (/ y x) x)", [], {"x": 0, "y": 0, "(1*y^1)/(1*x^1)": 3}),
        ([], "(= (* 0 (/ 1 0)) 1)", [], {}),
        (["(= (/ 1 0) y)"], "(= y 0)", [], {"(1*)/()": 2, "y": 2}),
        (["(> x 0)"], "(>= x 1)", [], {"x": Fraction(1, 2)}),
        (["(> (/ n 2) 0)"], "(>= (/ n 2) 1)", [], {"n": 1}),
        (["(> (* n x) 0)"], "(>= (* n x) 1)", [], {"n": 1, "x": Fraction(1, 2)}),
        (["(> (f n) 0)"], "(>= (f n) 1)", [], {"f(1*n^1)": Fraction(1, 2)}),
        (["(> (pow n m) 0)"], "(>= (pow n m) 1)", [], {"pow[1*n^1;1*m^1]": Fraction(1, 2)}),
        (["(> (sum (k 1 n) k) 0)"], "(>= (sum (k 1 n) k) 1)", [], {"sum[1*;1*n^1;1*#0^1]": Fraction(1, 2)}),
        (["(>= x 0)", "(>= y 0)"], "(> (* x y) 0)", [], {"x": 0, "y": 0}),
        (["(not (= x 0))"], "(> x 0)", [], {"x": -1}),
        (["(or (> x 0) (> y 0))"], "(> x 0)", [], {"x": 0, "y": 1}),
        (["(not (and (> x 0) (> y 0)))"], "(<= x 0)", [], {"x": 1, "y": 0}),
        (["(= (ite (> x 0) x y) 1)"], "(= x 1)", [], {"x": 0, "y": 1}),
        ([], "(= (pow x (- 1)) 0)", [["unfold", "(pow x (- 1))"]], {"pow[1*x^1;-1*]": 7}),
        ([], "(= (pow 0 0) 0)", [["unfold", "(pow 0 0)"]], {"pow[;-1*]": 7}),
        ([], "(= (pow x n) (* x (pow x (- n 1))))", [["unfold", "(pow x n)"]], POWER),
        ([], "(>= (sum (k 3 1) 1) 1)", [["unfold", "(sum (k 3 1) 1)"]], {"sum[3*;1*;1*]": 0}),
        ([], "(= (sum (k 3 1) 1) (- 1))", [["unfold", "(sum (k 3 1) 1)"]], {"sum[3*;1*;1*]": 0}),
        ([], "(= (prod (k 3 1) 2) 0)", [["unfold", "(prod (k 3 1) 2)"]], {"prod[3*;1*;2*]": 1}),
        ([EVERY], "(>= (f 5) 0)", [["given", 0, "5"]], {"n": 1, "f(5*)": -1}),
        ([EVERY], "(>= (f (+ n 1)) 0)", [["given", 0, "(+ n 1)"]], {"n": 1, "f(1* 1*n^1)": -1}),
        ([EVERY], "(all (j 0 n) (>= (f j) 0))", [["given", 0, "j"]], {"n": 1, "j": 0, "f(1*j^1)": -1}),
    ],
)
def test_what_is_false_is_consistent_with_its_facts(
    given: list[str], then: str, using: list[Any], values: dict[str, Any]
) -> None:
    """At values where the statement fails all facts hold: no certificate shows that they are contradictory."""
    step = checker.Step("false", X, given, then)
    proof = checker.Proof(step, step.given, step.then, using, {})
    proof.facts.settle()
    for p, relation in proof.facts.list:
        value = sum(c * prod(Fraction(values[v]) ** e for v, e in monomial) for monomial, c in p.items())
        assert {">": value > 0, ">=": value >= 0, "=": value == 0}[relation], (checker.key(p), relation)


def test_a_condition_about_what_a_sum_binds_is_not_that_of_another_sum() -> None:
    """The sum of f(j) over j is known to be >= 0; that of f(k) over j, for each k, is not."""
    facts = checker.Facts(set())
    facts.add(checker.one("(>= (sum (j 1 2) (f j)) 0)", "formula", X))
    inner = "(sum (k 1 2) (ite (>= (sum (j 1 2) (f {})) 0) 1 0))"
    assert facts.term(checker.one(inner.format("j"), "term", X)) == facts.term(
        checker.one("(sum (k 1 2) 1)", "term", X)
    )
    with pytest.raises(checker.Rejected, match="a condition in a sum"):
        facts.term(checker.one(inner.format("k"), "term", X))
