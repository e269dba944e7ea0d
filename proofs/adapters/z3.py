"""z3: the first opinion on a query, and the search for counterexamples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from dpcert.proofs.adapters.answer import SolverAnswer

SEED = 1
DIGITS = 20
"""The number of correct digits of the fraction that stands for an algebraic number."""


def version() -> str:
    """Return the solver's name and version."""
    return f"z3 {z3.get_version_string()}"


def ask(text: str, seconds: int, *, values: bool = False) -> SolverAnswer:
    """Return z3's answer to an SMT-LIB script, "unknown" when the time is over; with `values`, those of a model."""
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("timeout", seconds * 1000)
    solver.set("random_seed", SEED)
    solver.from_string(text)
    word = str(solver.check())
    if word != "sat" or not values:
        return SolverAnswer(word, {})
    model = solver.model()
    return SolverAnswer(word, {str(name): _fraction(model[name]) for name in model.decls() if name.arity() == 0})


def _fraction(value: Any) -> Fraction:
    if z3.is_algebraic_value(value):
        value = value.approx(DIGITS)
    return Fraction(str(value).replace("?", ""))
