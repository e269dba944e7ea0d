"""Proving a theorem: every query by both solvers, its point and its mutants by exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from dpcert.proofs.check import CheckResult, first
from dpcert.proofs.theorem import Lemma, Mutant, Theorem, failure, holds, mutated, script

SECONDS = 60
"""The seconds that a solver may take for one query."""

MUTANTS = 2
"""The least number of mutants of a theorem; each lemma has at least one."""


def solvers() -> list[str]:
    """Return the names and versions of the solvers."""
    from dpcert.proofs.adapters import cvc5, z3

    return [z3.version(), cvc5.version()]


def prove(theorem: Theorem) -> CheckResult:
    """Return whether a theorem is proved, or else the first thing that is missing.

    It is proved if both solvers say "unsat" of every lemma's script, every lemma holds, hypotheses and conclusion, at
    its point, and every mutant is refuted by a point, replayed in exact arithmetic. "unknown" proves nothing.
    """
    return first(_missing(theorem))


def _missing(theorem: Theorem) -> Iterator[str]:
    if sum(len(lemma.mutants) for lemma in theorem.lemmas) < MUTANTS or not theorem.lemmas:
        yield f"{theorem.id} has less than {MUTANTS} mutants"
    for lemma in theorem.lemmas:
        yield from _missing_of(lemma)


def _missing_of(lemma: Lemma) -> Iterator[str]:
    from dpcert.proofs.adapters import cvc5, z3

    if not lemma.mutants:
        yield f"{lemma.name} has no mutant"
    if not holds(lemma, lemma.point):
        yield f"{lemma.name} fails at its own point"
    for mutant in lemma.mutants:
        if not killed(lemma, mutant):
            yield f"{lemma.name}: no counterexample to the mutant {mutant.name}"
    text = script(lemma)
    for name, ask in (("z3", z3.ask), ("cvc5", cvc5.ask)):
        word = ask(text, SECONDS).word
        if word != "unsat":
            yield f"{lemma.name}: {name} says {word}"


def killed(lemma: Lemma, mutant: Mutant) -> bool:
    """Whether a point refutes the mutant in exact arithmetic: the one it names, or one that z3 finds."""
    from dpcert.proofs.adapters import z3

    changed = mutated(lemma, mutant)
    if mutant.counterexample is not None:
        return failure(changed, mutant.counterexample)
    answer = z3.ask(script(changed), SECONDS, values=True)
    names = (*changed.reals, *changed.integers)
    return answer.word == "sat" and failure(changed, {name: answer.values.get(name, 0) for name in names})
