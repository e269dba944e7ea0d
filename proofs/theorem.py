"""A theorem for all parameters: its queries, a point at which each has its hypotheses, and the mutants that fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Condition, Formula, Term, Values, every

Point = Mapping[str, Fraction | int]
"""A value for each variable of a lemma."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A lemma changed in one place, which must fail.

    Either the hypothesis named `without` is dropped, or `hypotheses` replaces those of its names, or `conclusion`
    stands for the lemma's own. `counterexample` is a point at which it fails; where it is None, a solver looks for one.
    """

    name: str
    without: str | None = None
    hypotheses: Mapping[str, Formula] | None = None
    conclusion: Formula | None = None
    counterexample: Point | None = None


@dataclass(frozen=True, slots=True)
class Lemma:
    """One query: for all values of its variables, the hypotheses imply the conclusion.

    `reals` and `integers` are the variables; `point` gives each a value at which all hypotheses hold.
    """

    name: str
    statement: str
    reals: tuple[str, ...]
    hypotheses: Mapping[str, Formula]
    conclusion: Formula
    point: Point
    mutants: tuple[Mutant, ...]
    integers: tuple[str, ...] = ()


KINDS = ("analysis", "counting", "measure", "order", "reading")
"""What is left as prose: calculus; how many things there are; outcomes without masses; what comes first; and which
functions of a step are those of the mechanism, where its definition does not say so at once.
"""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A statement for all parameters: its lemmas are the queries, `derivation` has the steps that lead from them to the
    statement, and `argument` explains these in words. `left` is what neither a lemma nor a step checks, in full: its
    kind, of `KINDS`, a colon, and the reasoning. `uses` names the theorems that it rests on. `bound_by` names the test
    that compares the theorem's formula, by `==`, with the law of the mechanism that it is about.
    """

    id: str
    statement: str
    source: str
    argument: str
    lemmas: tuple[Lemma, ...]
    bound_by: str
    uses: tuple[str, ...] = ()
    derivation: tuple[Mapping[str, Any], ...] = ()
    left: str = ""


def mutated(lemma: Lemma, mutant: Mutant) -> Lemma:
    """Return the lemma with the mutant's one change.

    Raises: ValueError for a mutant that names no hypothesis of the lemma, or changes not one thing.
    """
    replaced = mutant.hypotheses or {}
    named = {*replaced, *([] if mutant.without is None else [mutant.without])}
    if [mutant.without is None, not replaced, mutant.conclusion is None].count(False) != 1 or not named <= set(
        lemma.hypotheses
    ):
        raise ValueError(f"mutant {mutant.name} of {lemma.name} must change one thing that is there")
    kept = {name: formula for name, formula in lemma.hypotheses.items() if name != mutant.without}
    return Lemma(
        f"{lemma.name}-{mutant.name}",
        lemma.statement,
        lemma.reals,
        {**kept, **replaced},
        mutant.conclusion or lemma.conclusion,
        lemma.point,
        (),
        lemma.integers,
    )


def _at(lemma: Lemma, point: Point) -> Values:
    names = (*lemma.reals, *lemma.integers)
    if set(point) != set(names) or any(Fraction(point[name]).denominator != 1 for name in lemma.integers):
        raise ValueError(f"{lemma.name}: a point has one number for each of {', '.join(names)}, integers for integers")
    return Values(**{name: Fraction(point[name]) for name in names})


def hypotheses_hold(lemma: Lemma, point: Point) -> bool:
    """Whether all hypotheses hold at the point, in exact arithmetic."""
    values = _at(lemma, point)
    return all(_truth(formula(values)) for formula in lemma.hypotheses.values())


def holds(lemma: Lemma, point: Point) -> bool:
    """Whether the hypotheses and the conclusion hold at the point, in exact arithmetic."""
    return hypotheses_hold(lemma, point) and _truth(lemma.conclusion(_at(lemma, point)))


def failure(lemma: Lemma, point: Point) -> bool:
    """Whether the point refutes the lemma: the hypotheses hold there and the conclusion does not, exactly."""
    return hypotheses_hold(lemma, point) and not _truth(lemma.conclusion(_at(lemma, point)))


def _truth(value: object) -> bool:
    if type(value) is not bool:
        raise TypeError(f"a formula came out as a {type(value).__name__}: compare fractions, combine by every and some")
    return value


def said(lemma: Lemma) -> dict[str, Any]:
    """Return what a lemma says, as `proofs/checker.py` reads a step: its variables, formulas as SMT-LIB 2."""
    sorts = {**dict.fromkeys(lemma.reals, "Real"), **dict.fromkeys(lemma.integers, "Int")}
    values = Values(**{name: Term(name, integer=sort == "Int") for name, sort in sorts.items()})
    given = [_text(formula(values)) for formula in lemma.hypotheses.values()]
    return {"name": lemma.name, "for": sorts, "given": given, "then": _text(lemma.conclusion(values))}


def _text(condition: object) -> str:
    found = every(condition)
    return found.text if isinstance(found, Condition) else str(found).lower()


def script(lemma: Lemma) -> str:
    """Return the lemma as an SMT-LIB 2 script that is unsatisfiable exactly if the lemma holds."""
    logic = "QF_NIRA" if lemma.reals and lemma.integers else "QF_NIA" if lemma.integers else "QF_NRA"
    step = said(lemma)
    lines = [f"; {lemma.name}: {lemma.statement}", f"(set-logic {logic})"]
    lines += [f"(declare-const {name} {sort})" for name, sort in step["for"].items()]
    for name, text in zip(lemma.hypotheses, step["given"], strict=True):
        lines += [f"; {name}", f"(assert {text})"]
    return "\n".join([*lines, "; not so", f"(assert (not {step['then']}))", "(check-sat)", ""])
