"""Inequalities of finite-computers in exponentials and logarithms, from the first terms of their series."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import bound_derivations
from dpcert.proofs.terms import every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_exponentials.py"

_tilde = Lemma(
    name="rational-epsilon-range",
    statement="4/9 epsilon < 2 l <= epsilon for l = ln(1 + t), epsilon/4 < t <= epsilon/2, from 2t/(2 + t) <= l <= t",
    reals=("epsilon", "t", "l"),
    hypotheses={
        "epsilon": lambda v: every(v.epsilon > 0, v.epsilon <= 1),
        "t is 2^-k": lambda v: every(4 * v.t > v.epsilon, 2 * v.t <= v.epsilon),
        "logarithm": lambda v: every(v.l <= v.t, v.l * (2 + v.t) >= 2 * v.t),
    },
    conclusion=lambda v: every(9 * 2 * v.l > 4 * v.epsilon, 2 * v.l <= v.epsilon),
    point={"epsilon": 1, "t": HALF, "l": Fraction(41, 100)},
    mutants=(
        Mutant("epsilon-2", hypotheses={"epsilon": lambda v: every(v.epsilon > 0, v.epsilon <= 2)}),
        Mutant("t-smaller", hypotheses={"t is 2^-k": lambda v: every(5 * v.t > v.epsilon, 2 * v.t <= v.epsilon)}),
        Mutant("logarithm-free", without="logarithm"),
        Mutant("half", conclusion=lambda v: 2 * 2 * v.l > v.epsilon),
    ),
)

_TILDE = Theorem(
    id="rational-epsilon-proved",
    statement=(
        "For every epsilon in (0, 1] and k = ceil(log2(2/epsilon)): 2 ln(1 + 2^-k) is in (4/9 epsilon, epsilon]."
    ),
    source="finite-computers, Theorems 4.7 and 4.10",
    argument=(
        "2^-k is in (epsilon/4, epsilon/2] for this k. With l = ln(1 + t), e^l = 1 + t is at least 1 + l and at most "
        "(2 + l)/(2 - l) for l < 2, term by term of its series."
    ),
    lemmas=(_tilde,),
    bound_by=f"{TESTS}::test_the_range_is_that_of_the_samplers",
    derivation=bound_derivations.RATIONAL,
)


def response_gap(R: Any) -> Any:
    """Return (R - 1)/(R + 1)."""
    return (R - 1) / (R + 1)


_gap = Lemma(
    name="response-gap",
    statement="(R - 1)/(R + 1) >= epsilon/6 for R = e^(epsilon/2) >= 1 + epsilon/2 and epsilon <= 2",
    reals=("epsilon", "R"),
    hypotheses={
        "epsilon": lambda v: every(v.epsilon > 0, v.epsilon <= 2),
        "exponential": lambda v: 2 + v.epsilon <= 2 * v.R,
    },
    conclusion=lambda v: v.epsilon * (v.R + 1) <= 6 * (v.R - 1),
    point={"epsilon": 1, "R": Fraction(3, 2)},
    mutants=(
        Mutant("epsilon-large", hypotheses={"epsilon": lambda v: v.epsilon > 0}),
        Mutant("exponential-free", without="exponential"),
        Mutant("quarter", conclusion=lambda v: v.epsilon * (v.R + 1) <= 4 * (v.R - 1)),
    ),
)

_GAP = Theorem(
    id="response-gap-proved",
    statement="For every epsilon in (0, 2]: (e^(epsilon/2) - 1)/(e^(epsilon/2) + 1) >= epsilon/6.",
    source="finite-computers, proof of Theorem 4.10 i",
    argument="One lemma, with e^t >= 1 + t, of its series.",
    lemmas=(_gap,),
    bound_by=f"{TESTS}::test_the_gap_is_that_of_mixing",
    derivation=bound_derivations.GAP,
)

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


THEOREMS: tuple[Theorem, ...] = (_TILDE, _GAP, _FACTORIAL)
