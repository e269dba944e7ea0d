"""Inequalities of finite-computers in exponentials and logarithms, from the first terms of their series."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import bound_derivations
from dpcert.proofs.terms import every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_exponentials.py"


def response_gap(R: Any) -> Any:
    """Return (R - 1)/(R + 1)."""
    return (R - 1) / (R + 1)


_factorial = Lemma(
    name="factorial-step",
    statement="from n to n + 1 n!/(n+1)^n is divided by w = (1 + 1/(n+1))^(n+1) <= 3, and 3^-n by 3",
    reals=("x", "y", "w"),
    hypotheses={
        "at n": lambda v: every(v.y > 0, v.x >= v.y),
        "w": lambda v: every(v.w > 1, v.w <= 3),
    },
    conclusion=lambda v: v.x / v.w >= v.y / 3,
    point={"x": HALF, "y": Fraction(1, 3), "w": Fraction(9, 4)},
    mutants=(
        Mutant("not-at-n", without="at n", counterexample={"x": 0, "y": 1, "w": 2}),
        Mutant("w-4", hypotheses={"w": lambda v: every(v.w > 1, v.w < 4)}),
        Mutant("halves", conclusion=lambda v: v.x / v.w >= v.y / 2),
    ),
)

_FACTORIAL = Theorem(
    id="factorial-proved",
    statement="For every n >= 1: n!/(n + 1)^n >= 3^-n.",
    source="finite-computers, Section 6.2",
    argument=(
        "Induction on n: 1 >= 1; (n+1)!/(n+2)^(n+1) = n!/(n+1)^n ((n+1)/(n+2))^(n+1), and (1 + 1/m)^m <= 3, as (1 + "
        "1/m)^j <= 1 + j/m + (j/m)^2 for j <= m."
    ),
    lemmas=(_factorial,),
    bound_by=f"{TESTS}::test_the_factorial_step_is_that_of_the_numbers",
    derivation=bound_derivations.FACTORIAL,
)


THEOREMS: tuple[Theorem, ...] = (_FACTORIAL,)
