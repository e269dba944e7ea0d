"""z3: the search for a point at which formulas hold."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import z3

Formula = Callable[[Any], Any]
SEED = 1
SECONDS = 60
DIGITS = 20
"""The number of correct digits of the fraction that stands for an algebraic number."""


def point(names: Sequence[str], given: Sequence[Formula], fails: Formula | None) -> Any:
    """Search real numbers of these names at which all that is given holds, and `fails` does not, if it is there.

    Returns None where z3 has shown that there is no such point, "unknown" where it does not know, and else what it has
    found: a fraction for each name, which is near where the number itself is none.
    """
    context = z3.Context()
    values = SimpleNamespace(**{name: z3.Real(name, context) for name in names})
    solver = z3.Solver(ctx=context)
    solver.set("timeout", SECONDS * 1000)
    solver.set("random_seed", SEED)
    solver.add(*(formula(values) for formula in given))
    if fails is not None:
        solver.add(z3.Not(fails(values)))
    word = str(solver.check())
    if word != "sat":
        return None if word == "unsat" else "unknown"
    model = solver.model()
    return {name: _fraction(model.eval(getattr(values, name), model_completion=True)) for name in names}


def _fraction(value: Any) -> Fraction:
    if z3.is_algebraic_value(value):
        value = value.approx(DIGITS)
    return Fraction(str(value).replace("?", ""))
