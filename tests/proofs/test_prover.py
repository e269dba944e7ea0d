"""What counts as proved: caught false lemmas, empty hypotheses, surviving mutants, and solvers that do not know."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from dpcert.proofs import prover
from dpcert.proofs.adapters import cvc5, z3
from dpcert.proofs.terms import every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem, failure, mutated, script

SQUARE = Lemma(
    name="square-grows",
    statement="x >= 1 makes x^2 at least x",
    reals=("x",),
    hypotheses={"x": lambda v: v.x >= 1},
    conclusion=lambda v: v.x * v.x >= v.x,
    point={"x": 2},
    mutants=(
        Mutant("x-positive", hypotheses={"x": lambda v: v.x > 0}),
        Mutant("strictly", conclusion=lambda v: v.x * v.x > v.x, counterexample={"x": 1}),
    ),
)
THEOREM = Theorem("square", "For every x >= 1, x^2 >= x.", "algebra", "One lemma.", (SQUARE,), "this test")


def _with(**changes: Any) -> Theorem:
    return replace(THEOREM, lemmas=(replace(SQUARE, **changes),))


@pytest.mark.parametrize("solvers", [prover.FIRST, prover.BOTH])
def test_a_theorem_is_proved(solvers: tuple[str, ...]) -> None:
    assert prover.prove(THEOREM, solvers) == prover.CheckResult(True)


@pytest.mark.parametrize(
    ("theorem", "witness"),
    [
        (_with(conclusion=lambda v: v.x * v.x >= v.x + 1), "square-grows: z3 says sat"),
        (_with(hypotheses={"x": lambda v: every(v.x >= 1, v.x < 1)}), "square-grows fails at its own point"),
        (_with(point={"x": 0}), "square-grows fails at its own point"),
        (
            _with(mutants=(*SQUARE.mutants, Mutant("tame", hypotheses={"x": lambda v: v.x >= 2}))),
            "square-grows: no counterexample to the mutant tame",
        ),
        (
            _with(mutants=(*SQUARE.mutants, Mutant("missed", without="x", counterexample={"x": 3}))),
            "square-grows: no counterexample to the mutant missed",
        ),
        (_with(mutants=()), "square has less than 2 mutants"),
        (_with(mutants=SQUARE.mutants[:1]), "square has less than 2 mutants"),
        (replace(THEOREM, lemmas=(SQUARE, replace(SQUARE, mutants=()))), "square-grows has no mutant"),
        (replace(THEOREM, lemmas=()), "square has less than 2 mutants"),
    ],
)
def test_caught(theorem: Theorem, witness: str) -> None:
    assert prover.prove(theorem) == prover.CheckResult(False, witness)


@pytest.mark.parametrize(("module", "name"), [(z3, "z3"), (cvc5, "cvc5")])
@pytest.mark.parametrize("word", ["unknown", "sat", "timeout"])
def test_no_other_word_of_either_solver_proves(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, word: str
) -> None:
    asked = module.ask

    def ask(text: str, seconds: int, **wanted: bool) -> Any:
        return asked(text, seconds, **wanted) if wanted else replace(asked(text, seconds), word=word)

    monkeypatch.setattr(module, "ask", ask)
    assert prover.prove(THEOREM, prover.BOTH) == prover.CheckResult(False, f"square-grows: {name} says {word}")


@pytest.mark.nightly
def test_a_hard_query_is_unknown_when_the_time_is_over() -> None:
    sums = Lemma(
        "cubes",
        "33 is no sum of three cubes",
        (),
        {"large": lambda v: v.a > 10},
        lambda v: v.a**3 + v.b**3 + v.c**3 < 33,
        {"a": 11, "b": -11, "c": 0},
        (),
        ("a", "b", "c"),
    )
    hard = replace(sums, hypotheses={"cubes": lambda v: every(v.a**3 + v.b**3 + v.c**3 >= 33, sums_to_33(v))})
    assert {z3.ask(script(hard), 1).word, cvc5.ask(script(hard), 1).word} == {"unknown"}


def sums_to_33(v: Any) -> Any:
    return v.a**3 + v.b**3 + v.c**3 <= 33


def test_a_counterexample_is_replayed_in_exact_arithmetic() -> None:
    changed = mutated(SQUARE, SQUARE.mutants[0])
    assert failure(changed, {"x": Fraction(1, 2)})
    assert not failure(changed, {"x": 1})
    assert not failure(changed, {"x": -1})


@pytest.mark.parametrize("point", [{}, {"x": 1, "y": 1}, {"y": 1}])
def test_refused_points(point: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a point has one number for each of x"):
        failure(SQUARE, point)


@pytest.mark.parametrize(
    "mutant",
    [
        Mutant("nothing"),
        Mutant("unknown", without="y"),
        Mutant("foreign", hypotheses={"y": lambda v: v.x > 0}),
        Mutant("both", without="x", conclusion=lambda v: v.x > 0),
    ],
)
def test_refused_mutants(mutant: Mutant) -> None:
    with pytest.raises(ValueError, match="must change one thing that is there"):
        mutated(SQUARE, mutant)
