"""User-level histograms: how far the minimizer of a regularized error bound moves when one user is replaced."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, every, size
from dpcert.proofs.theorem import Lemma, Mutant, Point, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_user_level_theorems.py"


def moves_at_most(weight: Any, strength: Any) -> Any:
    """Return w_max/lambda, the most by which the minimizer moves.

    Source: user-level-histograms, Lemma A.1.
    """
    return weight / strength


SLOPES: dict[str, Formula] = {
    "strength": lambda v: v.strength > 0,
    "order": lambda v: v.d > v.c,
    "c minimizes": lambda v: v.at_c >= 0,
    "the slope rises": lambda v: v.at_d >= v.at_c + v.strength * (v.d - v.c),
    "d minimizes": lambda v: v.other_at_d <= 0,
    "one user": lambda v: size(v.at_d - v.other_at_d) <= v.weight,
}
POINT: Point = {"strength": 1, "weight": 1, "c": 0, "d": HALF, "at_c": 0, "at_d": HALF, "other_at_d": 0}

_moves = Lemma(
    name="minimizer-moves",
    statement=(
        "minimizers c < d of F and G, whose slopes differ by at most w and rise by lambda at least: d - c <= w/lambda"
    ),
    reals=("strength", "weight", "c", "d", "at_c", "at_d", "other_at_d"),
    hypotheses=SLOPES,
    conclusion=lambda v: v.strength * (v.d - v.c) <= v.weight,
    point=POINT,
    mutants=(
        Mutant("not-a-minimizer", without="c minimizes"),
        Mutant("slope-may-fall", without="the slope rises"),
        Mutant("another-minimizer", without="d minimizes"),
        Mutant("two-users", hypotheses={"one user": lambda v: size(v.at_d - v.other_at_d) <= 2 * v.weight}),
        Mutant("half", conclusion=lambda v: 2 * v.strength * (v.d - v.c) <= v.weight),
    ),
)
_share = Lemma(
    name="slopes-of-one-user",
    statement="a user's slope is from -w to 0 before what all have in common, so replacing one changes it by at most w",
    reals=("weight", "old", "new", "rest"),
    hypotheses={
        "old": lambda v: every(v.old >= -v.weight, v.old <= 0),
        "new": lambda v: every(v.new >= -v.weight, v.new <= 0),
    },
    conclusion=lambda v: size((v.rest + v.old) - (v.rest + v.new)) <= v.weight,
    point={"weight": 1, "old": -1, "new": 0, "rest": 3},
    mutants=(
        Mutant("old-heavier", without="old"),
        Mutant("half", conclusion=lambda v: 2 * size((v.rest + v.old) - (v.rest + v.new)) <= v.weight),
        Mutant(
            "signed",
            hypotheses={"new": lambda v: every(v.new >= -v.weight, v.new <= v.weight)},
        ),
    ),
)

_PERTURBED = Theorem(
    id="minimizer-sensitivity-proved",
    statement=(
        "For all users, weights w_i <= w_max, eta >= 0 and lambda > 0: replacing one user moves the minimizer of sum_i "
        "w_i max(nu_i - C, 0) + eta C + (lambda/2) C^2 over C >= 0 by at most w_max/lambda."
    ),
    source="user-level-histograms, Lemma A.1",
    argument=(
        "Take slopes to the right, and let d > c, else there is nothing to show or the two change places. At the "
        "minimizer c the slope to the right is at least 0. Just left of d > 0 the other slope is at most 0; between c "
        "and there the slope rises by lambda for each unit: minimizer-moves, as the place left of d tends to it. The "
        "slopes of the two sums differ by slopes-of-one-user."
    ),
    left="analysis: slopes at a minimizer, from one side",
    lemmas=(_moves, _share),
    bound_by=f"{TESTS}::test_the_sensitivity_is_that_of_the_mechanism",
)

THEOREMS: tuple[Theorem, ...] = (_PERTURBED,)
