"""The checker alone accepts what is exported, and rejects every change of it; its rules refuse what they must."""

import ast
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcert.proofs import checker
from dpcert.proofs.checker import Rejected
from dpcert.proofs.export import certificates, certified, document, stated
from dpcert.proofs.registry import THEOREMS
from dpcert.proofs.sums import SUMS
from dpcert.proofs.theorem import Lemma, mutated, said
from dpcert.run.claims import write_proofs

LEMMAS = {lemma.name: lemma for theorem in THEOREMS.values() for lemma in theorem.lemmas}
SOURCE = Path(checker.__file__).read_text("utf-8")


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """Everything that is exported, as the checker reads it."""
    written: dict[str, Any] = json.loads(json.dumps(document(THEOREMS, THEOREMS)))
    return written


def test_it_imports_two_modules_and_is_short() -> None:
    tree = ast.parse(SOURCE)
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "fractions", "json"}
    assert "__import__" not in SOURCE
    assert len(SOURCE.splitlines()) <= 800


def decided_alone(folder: Path, text: str) -> str:
    """Return what a checker in a folder says of an export, by itself and without what is installed."""
    command = [sys.executable, "-I", "-S", str(folder / "checker.py")]
    found = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout


def test_it_accepts_alone_what_a_theorem_rests_on(tmp_path: Path) -> None:
    (tmp_path / "checker.py").write_text(SOURCE)
    part = document(["keep-heavy-sparse-proved"], THEOREMS)
    said = decided_alone(tmp_path, json.dumps(part))
    assert said.startswith(f"accepted: {len(part['theorems'])} theorems, ")


@pytest.mark.nightly
def test_it_accepts_the_export_alone(tmp_path: Path) -> None:
    write_proofs(tmp_path)
    said = decided_alone(tmp_path, (tmp_path / "proofs.json").read_text())
    assert said.startswith(f"accepted: {len(THEOREMS) + 1} theorems, ")


def changed(certificate: list[Any]) -> Iterator[list[Any]]:
    """Yield certificates that differ from this one in one place."""
    if certificate[0] == "case":
        yield ["case", certificate[1], certificate[2], ["sum", [], []]]
        yield ["case", certificate[1], ["sum", [], []], certificate[3]]
        for place in (2, 3):
            for part in changed(certificate[place]):
                yield [*certificate[:place], part, *certificate[place + 1 :]]
        return
    _, products, multiples = certificate
    for place, (coefficient, facts, squares) in enumerate(products):
        for other in (["-1", facts, squares], [f"{coefficient}1", facts, squares], None):
            rest = [] if other is None else [other]
            yield ["sum", [*products[:place], *rest, *products[place + 1 :]], multiples]
    for place, (_, fact) in enumerate(multiples):
        yield ["sum", products, [*multiples[:place], *multiples[place + 1 :]]]
        yield ["sum", products, [*multiples[:place], [[["7", {"x": 1}]], fact], *multiples[place + 1 :]]]
    yield ["sum", [], []]


def needed(lemma: Lemma) -> checker.Proof:
    """Return what the certificate of a lemma shows to be contradictory."""
    step = checker.Step(*(said(lemma)[field] for field in ("name", "for", "given", "then")))
    return checker.Proof(step, step.given, step.then, [], {})


def rejects_changes(name: str, most: int) -> bool:
    """Whether so many changes of a certificate, spread over it, are all rejected."""
    proof = needed(LEMMAS[name])
    checker.refuted(proof.facts.copy(), certificates()[name], proof.scope)
    others = list(changed(certificates()[name]))
    assert len(others) > 2
    for other in others[:: -(-len(others) // most)]:
        with pytest.raises(Rejected):
            checker.refuted(proof.facts.copy(), other, proof.scope)
    return True


@pytest.mark.parametrize("name", LEMMAS)
def test_changes_of_a_certificate_are_rejected(name: str) -> None:
    assert rejects_changes(name, 5)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LEMMAS)
def test_every_change_of_a_certificate_is_rejected(name: str) -> None:
    assert rejects_changes(name, 10**6)


@pytest.mark.parametrize("name", LEMMAS)
def test_no_certificate_proves_a_mutant_of_its_lemma(name: str) -> None:
    for mutant in LEMMAS[name].mutants:
        proof = needed(mutated(LEMMAS[name], mutant))
        with pytest.raises(Rejected):
            checker.refuted(proof.facts, certificates()[name], proof.scope)


def rejects_changed_steps(whole: dict[str, Any], each: int) -> bool:
    """Whether changes of steps are rejected, of one step in so many in a row; what a step may name is taken as stated.

    They are: an instance or an end of an induction dropped, no certificate, the opposite of what follows.
    """
    own = {name: step for theorem in [SUMS, *THEOREMS.values()] for name, step in stated(theorem)}
    earlier: dict[str, checker.Step] = {}
    for place, step in enumerate(step for theorem in whole["theorems"] for step in theorem["steps"]):
        if not place % each:
            checker.check_step(step, earlier)
            for fault, other in faults(step):
                assert not accepts(other, earlier), f"{step['name']}: {fault}"
        earlier[step["name"]] = own[step["name"]]
    return True


def test_changes_of_some_steps_are_rejected(whole: dict[str, Any]) -> None:
    assert rejects_changed_steps(whole, 50)


@pytest.mark.nightly
def test_every_change_of_a_step_is_rejected(whole: dict[str, Any]) -> None:
    assert rejects_changed_steps(whole, 1)


def accepts(step: dict[str, Any], earlier: dict[str, Any]) -> bool:
    """Whether the checker accepts a step after others."""
    try:
        checker.check_step(step, earlier)
    except (Rejected, *checker.FAULTS):
        return False
    return True


def faults(step: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is changed in a step, and the step that is no longer proved."""
    for part, proof in step["proofs"].items():
        for k in range(len(proof["using"])):
            using = [*proof["using"][:k], *proof["using"][k + 1 :]]
            yield f"{part} without {proof['using'][k]}", put(step, part, {**proof, "using": using})
        yield f"{part} without a certificate", put(step, part, {**proof, "certificate": ["sum", [], []]})
        yield f"no {part}", {**step, "proofs": {other: p for other, p in step["proofs"].items() if other != part}}
    yield "an opposite", {**step, "then": f"(not {step['then']})"}
    if step["by"] != "query":
        yield "an induction from 1 less", {**step, "by": [*step["by"][:2], "-1"]}
        yield "no induction", {**step, "by": "query"}


def put(step: dict[str, Any], part: str, proof: dict[str, Any]) -> dict[str, Any]:
    return {**step, "proofs": {**step["proofs"], part: proof}}


def test_a_theorem_without_what_it_uses_is_rejected(whole: dict[str, Any]) -> None:
    keys = document(["keep-heavy-sparse-proved"], THEOREMS)["theorems"]
    checker.check({**whole, "theorems": keys})
    with pytest.raises(Rejected, match="not proved before"):
        checker.check({**whole, "theorems": keys[1:]})
    with pytest.raises(Rejected, match="twice"):
        checker.check({**whole, "theorems": keys[:1] * 2})


def _step(given: list[str], then: str, using: list[Any], **more: Any) -> dict[str, Any]:
    sorts = {"n": "Int", "x": "Real", "y": "Real", "f": 1, "g": 1}
    proof = {"using": using, "certificate": ["sum", [["1", [0], []]], []]}
    return {"name": "s", "for": sorts, "given": given, "then": then, "by": "query", "proofs": {"query": proof}, **more}


def _check(step: dict[str, Any], *earlier: checker.Step) -> None:
    checker.check_step(step, {each.name: each for each in earlier})


def test_a_step_of_one_query() -> None:
    sums: list[Any] = [["1", [0], []], ["1", [1], []], ["1", [], []]]
    proof = {"using": [], "certificate": ["sum", sums, []]}
    _check(_step(["(>= x 1)"], "(>= x 0)", [], proofs={"query": proof}))
    for then in ("(>= y 0)", "(>= x 2)", "(> x 1)"):
        with pytest.raises(Rejected, match="no contradiction"):
            _check(_step(["(>= x 1)"], then, [], proofs={"query": proof}))


EVERY = "(all (k 1 n) (>= (f k) 0))"
OTHER = checker.Step("all", {"n": "Int", "f": 1}, [EVERY], "(>= (f n) 0)")
CLOSED = checker.Step("closed", {"x": "Real", "f": 1}, [], "(all (k 1 3) (>= (f k) x))")


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "x"]]), "not an integer: x"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "(/ n 2)"]]), "not an integer: /"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "0.5"]]), "not an integer"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "n"]]), "no contradiction"),
        (_step([EVERY], "(>= (g n) 0)", [["step", "all", {"n": "n", "f": "g"}]]), "that is not known"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "x", "f": "f"}]]), "not an integer: x"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n"}]]), "not an object with n, f"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n", "f": "x"}]]), "not a list"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n", "f": ["i", "j", "i"]}]]), "not a function of 1"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n", "f": ["n", "n"]}]]), "a name twice: n"),
        (_step([], "(>= x 0)", [["unfold", "x"]]), "nothing to unfold"),
        (_step([], "(>= x 0)", [["unfold", "(pow x y)"]]), "not an integer"),
        (_step([], "(>= x 0)", [["unfold", "(sum (k 1 y) x)"]]), "not an integer"),
        (_step([], "(>= x 0)", [["assume", "(>= x 0)"]]), "not an instance"),
        (_step([], "(>= z 0)", []), "not declared: 'z'"),
        (_step([], "(>= (h x) 0)", []), "not a term: 'h'"),
        (_step([], "(? x 0)", []), "not a formula"),
        (_step(["(> x 0)", "(>= n 0)"], "(> x 0)", [], by=["induction", "n", "0"]), "on no integer"),
        (_step(["(>= n 0)"], "(> x 0)", [], by=["induction", "n", "x"]), "not declared: 'x'"),
        (_step(["(>= x 0)"], "(> x 0)", [], by=["induction", "x", "0"]), "on no integer"),
        (_step(["(>= n 1)"], "(> x 0)", [], by=["induction", "n", "0"]), "on no integer"),
        (_step(["(>= n 0)", EVERY], "(> x 0)", [], by=["induction", "n", "0"]), "depends on n"),
        (_step(["(>= n 0.5)"], "(> x 0)", [], by=["induction", "n", "0.5"]), "not an integer"),
        (_step([], "(> x 0)", [], by="faith"), "not a list"),
        (_step([], "(all (n 1 2) (> (f n) 0))", []), "a name twice"),
        (_step([], "(> x 0)", [], **{"for": {"+": "Real"}}), "not a name"),
        (_step([], "(> x 0)", [], **{"for": {"x": "Bool"}}), "not a sort"),
        (_step([], "(> x 0)", [], **{"for": {"#0": "Real"}}), "not a name"),
    ],
)
def test_refused_steps(step: dict[str, Any], fault: str) -> None:
    with pytest.raises(Rejected, match=re.escape(fault)):
        _check(step, OTHER, CLOSED)


F = "(all (k 1 3) (>= (f k) 0))"


def _induction(given: list[str], then: str, using: list[Any], base: list[Any], step: list[Any]) -> dict[str, Any]:
    """An induction on n from 0, whose step has instances."""
    proofs = {"base": {"using": [], "certificate": base}, "step": {"using": using, "certificate": step}}
    return _step(given, then, [], by=["induction", "n", "0"], proofs=proofs)


def test_an_induction_shows_a_statement_about_all_integers_of_a_range() -> None:
    """n f(k) >= 0 for k = 1, 2, 3: what is said of n is numbered after the givens, and used at k."""
    base: list[Any] = ["sum", [["1", [3], []], ["1", [], []]], []]
    step: list[Any] = ["sum", [["1", [3], []], ["1", [4], []], ["1", [5], []]], []]
    using = [["given", 0, "k"], ["given", 1, "k"]]
    then = "(all (k 1 3) (>= (* n (f k)) 0))"
    _check(_induction(["(>= n 0)", F], then, using, base, step))
    for given, what, instances in (
        (["(>= n 0)", F], then, using[:1]),
        (["(>= n 0)", F], then, [using[0], ["given", 1, "x"]]),
        (["(>= n 0)", F], then.replace("1 3", "1 4"), using),
        (["(>= n 0)", F], then.replace("f k", "g k"), using),
        (["(>= n 0)", F], then.replace(">=", ">"), using),
        (["(>= n 0)", EVERY], then, using),
    ):
        with pytest.raises(Rejected):
            _check(_induction(given, what, instances, base, step))


@pytest.mark.parametrize("then", ["(>= x 0)", "(all (k 1 1) (>= x 0))"])
def test_what_is_given_of_n_is_a_condition_on_what_an_induction_has_shown(then: str) -> None:
    """For n = 0 there is nothing to show where n = 1 is given, and that shows nothing for n = 1."""
    base: list[Any] = ["sum", [["1", [1], []], ["1", [], []]], []]
    using = [["given", 0, "k"]] if "all" in then else []
    for places in itertools.product(range(6), repeat=2):
        step: list[Any] = ["sum", [["1", [place], []] for place in places], []]
        with pytest.raises(Rejected):
            _check(_induction(["(>= n 0)", "(= n 1)"], then, using, base, step))


SCOPE: dict[str, Any] = {"x": "Real", "n": "Int", "m": "Int", "a": "Int", "f": 1, "g": 2, **dict.fromkeys("ij", "Int")}


def _plain(text: str, kind: str, **values: str) -> checker.Term:
    """Return a term with others for its variables, where bound names do not matter."""
    terms = {name: checker.one(value, "term", {**SCOPE, "k": "Int"}) for name, value in values.items()}
    return checker.plain(checker.put(checker.one(text, kind, SCOPE), terms), {})


def test_a_bound_name_captures_nothing() -> None:
    """x stands for (f k) with k free: the k that is bound is another one."""
    assert _plain("(all (k 1 3) (>= (f k) x))", "all", x="(f k)") == _plain(
        "(all (l 1 3) (>= (f l) x))", "all", x="(f k)"
    )
    assert _plain("(all (k 1 3) (>= (f k) x))", "all", x="(f k)") != _plain("(all (k 1 3) (>= (f k) (f k)))", "all")
    function = checker.Function([(place := checker.Bound("i")), ("*", "k", place)])
    put = checker.put(checker.one("(sum (k 1 n) (f k))", "term", SCOPE), {"f": function})
    assert checker.plain(put, {}) == _plain("(sum (l 1 n) (* a l))", "term", a="k")


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("(sum (k 1 n) (f k))", "(sum (l 1 n) (f l))", True),
        ("(sum (k 1 n) (f j))", "(sum (l 1 n) (f l))", False),
        ("(sum (k 1 n) (f k))", "(sum (l 1 n) (f i))", False),
        ("(sum (k 1 n) (f k))", "(sum (k 1 m) (f k))", False),
        ("(sum (k 1 n) (f k))", "(prod (k 1 n) (f k))", False),
        ("(sum (k 1 n) (sum (l 1 n) (f k)))", "(sum (l 1 n) (sum (k 1 n) (f k)))", False),
        ("(sum (k 1 n) (sum (l 1 n) (g k l)))", "(sum (l 1 n) (sum (k 1 n) (g l k)))", True),
        ("(f 1.0)", "(f 1)", True),
        ("(f i)", "i", False),
        ("(f i)", "(g i i)", False),
    ],
)
def test_equal_but_for_bound_names(a: str, b: str, equal: bool) -> None:
    assert (_plain(a, "term") == _plain(b, "term")) is equal
    assert (_facts().term(checker.one(a, "term", SCOPE)) == _facts().term(checker.one(b, "term", SCOPE))) is equal


REALS = dict.fromkeys("xyz", "Real")


def _facts(*formulas: str, integers: str = "") -> checker.Facts:
    facts = checker.Facts(set(integers))
    for formula in formulas:
        facts.add(checker.one(formula, "formula", REALS | dict.fromkeys(integers, "Int")))
    facts.settle()
    return facts


def _known(facts: checker.Facts) -> list[str]:
    return [f"{checker.key(p)} {relation}" for p, relation in facts.list]


def test_what_follows_from_facts() -> None:
    assert _known(_facts("(> x 0)")) == ["1*x^1 >"]
    assert _known(_facts("(> n 0)", integers="n"))[-1] == "-1* 1*n^1 >="
    assert _known(_facts("(> (* 2 n) 1)", integers="n"))[-1] == "-1* 1*n^1 >="
    assert _known(_facts("(>= x 0)", "(not (= x 0))"))[-1] == "1*x^1 >"
    assert _known(_facts("(not (= x 0))", "(<= x 0)"))[-1] == "-1*x^1 >"
    assert _known(_facts("(= x 0)", "(not (= x 0))"))[-1] == "-1* >"
    assert _known(_facts("(or (> x 0) (> y 0))", "(<= x 0)"))[-1] == "1*y^1 >"
    assert _known(_facts("(or (> x 0) (> y 0))")) == []
    assert _known(_facts("(> (ite (> x 0) x y) 0)", "(<= x 0)"))[-1] == "1*y^1 >"
    assert _known(_facts("(> (ite (> x 0) x y) 0)")) == []


def test_a_quotient_has_its_equation_only_where_its_divisor_is_not_0() -> None:
    name = "(1*)/(1*x^1)"
    assert _known(_facts("(> (/ 1 x) 0)")) == [f"1*{name}^1 >"]
    for known in ("(> x 0)", "(< x 0)", "(not (= x 0))"):
        assert any(relation == "=" for _, relation in _facts("(> (/ 1 x) 0)", known).list)
    assert not any(relation == "=" for _, relation in _facts("(> (/ 1 x) 0)", "(>= x 0)").list)


@pytest.mark.parametrize(
    "certificate",
    [
        ["sum", [["0", [0], []]], []],
        ["sum", [["-1", [0], []]], []],
        ["sum", [["1", [1], []]], []],
        ["sum", [["1", [0], []]], [[[["-1", {"x": 1}]], 0]]],
        ["sum", [], [[[["1", {}]], 1]]],
        ["sum", [["1", [], [[["1", {}]]]], ["1", [0], []]], []],
        ["sum", [["1", [0], []]], [[[["-1", {"x": -1}]], 1]]],
        ["case", "(> x 0)", ["sum", [], []]],
        ["faith"],
    ],
)
def test_refused_certificates(certificate: list[Any]) -> None:
    """The facts x > 0 and y = 0 are no contradiction."""
    facts = _facts("(> x 0)", "(= y 0)")
    with pytest.raises(Rejected):
        checker.refuted(facts, certificate, REALS)


def test_a_certificate_that_is_missing_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = next(iter(THEOREMS.values()))
    assert certified(theorem, THEOREMS).holds
    monkeypatch.setattr("dpcert.proofs.export.certificates", dict)
    found = certified(theorem, THEOREMS)
    assert not found.holds
    assert str(found.witness).startswith("certificate: ")


def test_the_steps_on_sums_are_no_theorem_of_a_paper() -> None:
    assert SUMS.id not in THEOREMS
