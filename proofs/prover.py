"""Proving a theorem: every query by one solver or by two, its point and its mutants by exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from dpcert.proofs.check import CheckResult, first
from dpcert.proofs.theorem import Lemma, Mutant, Theorem, failure, holds, mutated, script

SECONDS = 60
"""The seconds that a solver may take for one query."""

MUTANTS = 2
"""The least number of mutants of a theorem; each lemma has at least one."""

FIRST = ("z3",)
"""The solver that proves by default."""

BOTH = ("z3", "cvc5")
"""That solver and the second opinion."""


def _adapter(solver: str) -> Any:
    return import_module(f"dpcert.proofs.adapters.{solver}")


def versions(solvers: Sequence[str]) -> list[str]:
    """Return the names and versions of solvers."""
    return [_adapter(solver).version() for solver in solvers]


def prove(theorem: Theorem, solvers: Sequence[str] = FIRST) -> CheckResult:
    """Return whether a theorem's own queries are proved, or else the first thing that is missing.

    They are if each of the solvers says "unsat" of every lemma's script, every lemma holds, hypotheses and conclusion,
    at its point, and every mutant is refuted by a point, replayed in exact arithmetic. "unknown" proves nothing. What
    the theorem uses is not proved here.
    """
    return first(_missing(theorem, solvers))


def _missing(theorem: Theorem, solvers: Sequence[str]) -> Iterator[str]:
    if sum(len(lemma.mutants) for lemma in theorem.lemmas) < MUTANTS or not theorem.lemmas:
        yield f"{theorem.id} has less than {MUTANTS} mutants"
    for lemma in theorem.lemmas:
        yield from _missing_of(lemma, solvers)


def _missing_of(lemma: Lemma, solvers: Sequence[str]) -> Iterator[str]:
    if not lemma.mutants:
        yield f"{lemma.name} has no mutant"
    if not holds(lemma, lemma.point):
        yield f"{lemma.name} fails at its own point"
    for mutant in lemma.mutants:
        if not killed(lemma, mutant):
            yield f"{lemma.name}: no counterexample to the mutant {mutant.name}"
    text = script(lemma)
    for solver in solvers:
        word = _adapter(solver).ask(text, SECONDS).word
        if word != "unsat":
            yield f"{lemma.name}: {solver} says {word}"


def killed(lemma: Lemma, mutant: Mutant) -> bool:
    """Whether a point refutes the mutant in exact arithmetic: the one it names, or one that z3 finds."""
    from dpcert.proofs.adapters import z3

    changed = mutated(lemma, mutant)
    if mutant.counterexample is not None:
        return failure(changed, mutant.counterexample)
    answer = z3.ask(script(changed), SECONDS, values=True)
    names = (*changed.reals, *changed.integers)
    return answer.word == "sat" and failure(changed, {name: answer.values.get(name, 0) for name in names})
