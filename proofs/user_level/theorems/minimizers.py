"""User-level histograms: how far the minimizer of a regularized error bound moves when one user is replaced."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import every, positive_part
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.user_level import minimizer_derivations

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_user_level_theorems.py"


def moves_at_most(weight: Any, strength: Any) -> Any:
    """Return w_max/lambda, the most by which the minimizer moves.

    Source: user-level-histograms, Lemma A.1.
    """
    return weight / strength


def hinge(weight: Any, norm: Any, clip: Any) -> Any:
    """Return w max(nu - C, 0), a user's term."""
    return weight * positive_part(norm - clip)


_convex = Lemma(
    name="hinge-is-convex",
    statement="a user's term between c and d is at most that share of its values there",
    reals=("w", "v", "c", "d", "t"),
    hypotheses={"weight": lambda v: v.w >= 0, "share": lambda v: every(v.t >= 0, v.t <= 1)},
    conclusion=lambda v: (
        hinge(v.w, v.v, (1 - v.t) * v.c + v.t * v.d) <= (1 - v.t) * hinge(v.w, v.v, v.c) + v.t * hinge(v.w, v.v, v.d)
    ),
    point={"w": 1, "v": 1, "c": 0, "d": 2, "t": HALF},
    mutants=(
        Mutant("negative-weight", without="weight", counterexample={"w": -1, "v": 1, "c": 0, "d": 2, "t": HALF}),
        Mutant(
            "beyond-d",
            hypotheses={"share": lambda v: v.t >= 0},
            counterexample={"w": 1, "v": 1, "c": 2, "d": 0, "t": 2},
        ),
    ),
)
_squares = Lemma(
    name="growth-of-squares",
    statement="a minimum at c of what is convex and lambda/2 times a square: at d it is more by the square's growth",
    reals=("t", "L", "D", "F", "G", "H"),
    hypotheses={
        "share": lambda v: every(v.t > 0, v.t <= 1),
        "minimum": lambda v: v.F <= v.H,
        "between": lambda v: (1 - v.t) * v.F + v.t * v.G - v.L / 2 * v.t * (1 - v.t) * v.D * v.D >= v.H,
    },
    conclusion=lambda v: v.L / 2 * (1 - v.t) * v.D * v.D <= v.G - v.F,
    point={"t": HALF, "L": 1, "D": 1, "F": 0, "G": 1, "H": Fraction(1, 4)},
    mutants=(
        Mutant("no-minimum", without="minimum"),
        Mutant("not-convex", without="between"),
        Mutant("whole", conclusion=lambda v: v.G - v.F >= v.L / 2 * v.D * v.D),
    ),
)
_moves = Lemma(
    name="minimizer-moves",
    statement="two sums that grow so from c to d and back, and by what one user's term differs: d - c is small",
    reals=("L", "W", "t", "D", "X", "Y"),
    hypotheses={
        "apart": lambda v: v.D > 0,
        "first grows": lambda v: v.L / 2 * (1 - v.t) * v.D * v.D <= v.X,
        "other grows": lambda v: v.L / 2 * (1 - v.t) * v.D * v.D <= v.Y,
        "one user": lambda v: v.X + v.Y <= v.W * v.D,
    },
    conclusion=lambda v: v.L * (1 - v.t) * v.D <= v.W,
    point={"L": 1, "W": 1, "t": HALF, "D": 1, "X": Fraction(1, 4), "Y": Fraction(1, 4)},
    mutants=(
        Mutant("together", without="apart"),
        Mutant("not-a-minimizer", without="first grows"),
        Mutant("another-minimizer", without="other grows"),
        Mutant("two-users", hypotheses={"one user": lambda v: v.X + v.Y <= 2 * v.W * v.D}),
    ),
)
_share = Lemma(
    name="terms-of-one-user",
    statement="from c up to d a term falls by at most w (d - c), so replacing one changes what is between by no more",
    reals=("W", "w", "x", "u", "y", "c", "d"),
    hypotheses={
        "weights": lambda v: every(v.w >= 0, v.w <= v.W, v.u >= 0, v.u <= v.W),
        "order": lambda v: v.d > v.c,
    },
    conclusion=lambda v: (
        (hinge(v.w, v.x, v.d) - hinge(v.u, v.y, v.d)) - (hinge(v.w, v.x, v.c) - hinge(v.u, v.y, v.c))
        <= v.W * (v.d - v.c)
    ),
    point={"W": 1, "w": 1, "x": 1, "u": 1, "y": 2, "c": 0, "d": 1},
    mutants=(
        Mutant(
            "heavier",
            hypotheses={"weights": lambda v: every(v.w >= 0, v.w <= v.W, v.u >= 0)},
            counterexample={"W": 1, "w": 1, "x": 0, "u": 2, "y": 2, "c": 0, "d": 1},
        ),
        Mutant(
            "out-of-order", without="order", counterexample={"W": 1, "w": 1, "x": 2, "u": 0, "y": 0, "c": 1, "d": 0}
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
        "Let d > c; else the two change places. By hinge-is-convex and the square, a sum is at c + t (d - c) at most "
        "its values' mean less (lambda/2) t (1 - t)(d - c)^2. As c is its minimizer, at d it is more by at least "
        "(lambda/2)(1 - t)(d - c)^2, growth-of-squares, and the other sum at c as well. Both together are what "
        "replacing one user changes between c and d, at most w_max (d - c) by terms-of-one-user, "
        "one-user-replaced-between: lambda (1 - t)(d - c) <= w_max by minimizer-moves, for every t > 0, so for one "
        "that is small enough."
    ),
    lemmas=(_convex, _squares, _moves, _share),
    bound_by=f"{TESTS}::test_the_sensitivity_is_that_of_the_mechanism",
    derivation=minimizer_derivations.MINIMIZER,
)

THEOREMS: tuple[Theorem, ...] = (_PERTURBED,)
