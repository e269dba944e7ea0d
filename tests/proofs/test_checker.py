"""The checker alone accepts what is exported, and rejects every change of it; its rules refuse what they must."""

import ast
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcert.proofs import checker
from dpcert.proofs.checker import Rejected
from dpcert.proofs.export import certificates, certified, document, in_order, stated
from dpcert.proofs.registry import THEOREMS
from dpcert.proofs.sums import SUMS
from dpcert.proofs.theorem import mutated, script
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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "dpcert.proofs/1"}', '{"schema": "x", "theorems": []}'])
def test_what_is_no_document_is_rejected(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        checker.main(text)
    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith("rejected: ")


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


def rejects_changes(name: str, most: int) -> bool:
    """Whether so many changes of a certificate, spread over it, are all rejected."""
    facts = checker.query(script(LEMMAS[name]))
    checker.refuted(facts.copy(), certificates()[name])
    others = list(changed(certificates()[name]))
    assert len(others) > 2
    for other in others[:: -(-len(others) // most)]:
        with pytest.raises((Rejected, IndexError)):
            checker.refuted(facts.copy(), other)
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
        with pytest.raises((Rejected, IndexError)):
            checker.refuted(checker.query(script(mutated(LEMMAS[name], mutant))), certificates()[name])


def rejects_changed_steps(whole: dict[str, Any], each: int) -> bool:
    """Whether changes of steps are rejected, of one step in so many in a row; what a step may name is taken as stated.

    They are: an instance or an end of an induction dropped, no certificate, the opposite of what follows.
    """
    steps: dict[str, dict[str, checker.Step]] = {}
    places = itertools.count()
    for theorem, written in zip([SUMS, *in_order(THEOREMS, THEOREMS)], whole["theorems"], strict=True):
        assert theorem.id == written["id"]
        earlier = {name: step for used in written["uses"] for name, step in steps[used].items()}
        own = dict(stated(theorem))
        earlier |= {lemma.name: own[lemma.name] for lemma in theorem.lemmas}
        for step in written["derivation"]:
            if not next(places) % each:
                checker.check_step(step, earlier)
                for fault, other in faults(step):
                    assert not accepts(other, earlier), f"{theorem.id}, {step['name']}: {fault}"
            earlier[step["name"]] = own[step["name"]]
        steps[theorem.id] = earlier
    return True


def test_changes_of_some_steps_are_rejected(whole: dict[str, Any]) -> None:
    assert rejects_changed_steps(whole, 40)


@pytest.mark.nightly
def test_every_change_of_a_step_is_rejected(whole: dict[str, Any]) -> None:
    assert rejects_changed_steps(whole, 1)


def accepts(step: dict[str, Any], earlier: dict[str, Any]) -> bool:
    """Whether the checker accepts a step after others."""
    try:
        checker.check_step(step, earlier)
    except (Rejected, KeyError, IndexError, ValueError, TypeError):
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
    for i, theorem in enumerate(whole["theorems"]):
        for used in theorem["uses"]:
            rest = [other for other in whole["theorems"][: i + 1] if other["id"] != used]
            with pytest.raises(Rejected):
                checker.check({**whole, "theorems": rest})
            break
    with pytest.raises(Rejected, match="twice"):
        checker.check({**whole, "theorems": whole["theorems"][:1] * 2})


def _step(given: list[str], then: str, using: list[Any], **more: Any) -> dict[str, Any]:
    sorts = {"n": "Int", "x": "Real", "y": "Real", "f": 1, "g": 1}
    proof = {"using": using, "certificate": ["sum", [["1", [len(given) - 1 - ("all" in str(given))], []]], []]}
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
OTHER = checker.Step("all", {"n": "Int", "f": 1}, [checker.one(EVERY)], checker.one("(>= (f n) 0)"))
CLOSED = checker.Step("closed", {"x": "Real", "f": 1}, [], checker.one("(all (k 1 3) (>= (f k) x))"))


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "x"]]), "not an integer: x"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "(/ n 2)"]]), "not an integer: /"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "1/2"]]), "not an integer"),
        (_step([EVERY], "(>= (f n) 0)", [["given", 0, "n"]]), "no contradiction"),
        (_step([EVERY], "(>= (g n) 0)", [["step", "all", {"n": "n", "f": "g"}]]), "all: not known"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "x", "f": "f"}]]), "not an integer: x"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n"}]]), "all: other variables"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n", "f": "x"}]]), "not a function"),
        (_step([EVERY], "(>= (f n) 0)", [["step", "all", {"n": "n", "f": ["i", "j", "i"]}]]), "not a function of 1"),
        (_step([], "(>= x 0)", [["unfold", "x"]]), "nothing to unfold"),
        (_step([], "(>= x 0)", [["unfold", "(pow x y)"]]), "not an integer"),
        (_step([], "(>= x 0)", [["unfold", "(sum (k 1 y) x)"]]), "not an integer"),
        (_step([], "(>= x 0)", [["assume", "(>= x 0)"]]), "not an instance"),
        (_step([], "(>= z 0)", []), "not declared: z"),
        (_step([], "(>= (h x) 0)", []), "not a term: h"),
        (_step([], "(? x 0)", []), "not a formula"),
        (_step(["(> x 0)", "(>= n 0)"], "(> x 0)", [], by=["induction", "n", "0"]), "on no integer"),
        (_step(["(>= n 0)"], "(> x 0)", [], by=["induction", "n", "x"]), "on no integer"),
        (_step(["(>= x 0)"], "(> x 0)", [], by=["induction", "x", "0"]), "on no integer"),
        (_step(["(>= n 1)"], "(> x 0)", [], by=["induction", "n", "0"]), "on no integer"),
        (_step(["(>= n 0)", EVERY], "(> x 0)", [], by=["induction", "n", "0"]), "depends on n"),
        (_step([], "(> x 0)", [], by="faith"), "on no integer"),
        (_step([], "(all (n 1 2) (> (f n) 0))", []), "a variable twice"),
        (_step([], "(> x 0)", [], **{"for": {"+": "Real"}}), "not a name"),
        (_step([], "(> x 0)", [], **{"for": {"x": "Bool"}}), "not a sort"),
        (_step([], "(> x 0)", [], **{"for": {"#0": "Real"}}), "not a name"),
    ],
)
def test_refused_steps(step: dict[str, Any], fault: str) -> None:
    with pytest.raises(Rejected, match=fault):
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
        with pytest.raises((Rejected, IndexError)):
            _check(_induction(given, what, instances, base, step))


@pytest.mark.parametrize("then", ["(>= x 0)", "(all (k 1 1) (>= x 0))"])
def test_what_is_given_of_n_is_a_condition_on_what_an_induction_has_shown(then: str) -> None:
    """For n = 0 there is nothing to show where n = 1 is given, and that shows nothing for n = 1."""
    base: list[Any] = ["sum", [["1", [1], []], ["1", [], []]], []]
    using = [["given", 0, "k"]] if "all" in then else []
    for places in itertools.product(range(6), repeat=2):
        step: list[Any] = ["sum", [["1", [place], []] for place in places], []]
        with pytest.raises((Rejected, IndexError)):
            _check(_induction(["(>= n 0)", "(= n 1)"], then, using, base, step))


def test_a_bound_name_captures_nothing() -> None:
    """x stands for (f k) with k free: the k that `closed` binds is another one."""
    found = checker.put(checker.one("(all (k 1 3) (>= (f k) x))"), {"x": checker.one("(f k)")})
    assert found == ["all", ["k'", "1", "3"], [">=", ["f", "k'"], ["f", "k"]]]
    function = checker.put(checker.one("(sum (k 1 n) (f k))"), {"f": ("of", ["i"], checker.one("(* k i)"))})
    assert function == ["sum", ["k'", "1", "n"], ["*", "k", "k'"]]
    twice = checker.put(checker.one("(sum (k 1 n) (* k a))"), {"a": "k", "k'": "5"})
    assert twice == ["sum", ["k''", "1", "n"], ["*", "k''", "k"]]


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("(all (k 1 n) (f k))", "(all (j 1 n) (f j))", True),
        ("(all (k 1 n) (f j))", "(all (j 1 n) (f j))", False),
        ("(all (k 1 n) (f k))", "(all (j 1 n) (f k))", False),
        ("(all (k 1 n) (f k))", "(all (k 1 m) (f k))", False),
        ("(all (k 1 n) (all (j 1 n) (f k)))", "(all (j 1 n) (all (k 1 n) (f k)))", False),
        ("(all (k 1 n) (all (j 1 n) (f j)))", "(all (k 1 n) (all (k 1 n) (f k)))", True),
        ("(f k)", "f", False),
        ("(f k)", "(f k k)", False),
    ],
)
def test_equal_but_for_bound_names(a: str, b: str, equal: bool) -> None:
    assert checker.same(checker.one(a), checker.one(b)) is equal
    assert checker.same(checker.one(b), checker.one(a)) is equal


def _facts(*formulas: str, integers: str = "") -> checker.Facts:
    names = dict.fromkeys(("x", "y", "z", *integers), 0)
    facts = checker.Facts(set(integers), names)
    for formula in formulas:
        facts.add(checker.one(formula))
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
        checker.refuted(facts, certificate)


@pytest.mark.parametrize(
    "script", ["(assert (> x 0))", "(check-sat) (define-fun f () Real 1.0)", "(declare-const x Bool)"]
)
def test_refused_scripts(script: str) -> None:
    with pytest.raises(Rejected):
        checker.query(script)


@pytest.mark.parametrize("text", ["(", ")", "x y", "", "()"])
def test_refused_terms(text: str) -> None:
    with pytest.raises(Rejected):
        checker.one(text)


def test_a_certificate_that_is_missing_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert certified(THEOREMS["keys-grow"], THEOREMS).holds
    monkeypatch.setattr("dpcert.proofs.export.certificates", dict)
    found = certified(THEOREMS["keys-grow"], THEOREMS)
    assert not found.holds
    assert str(found.witness).startswith("certificate: ")


def test_the_steps_on_sums_are_no_theorem_of_a_paper() -> None:
    assert SUMS.id not in THEOREMS
