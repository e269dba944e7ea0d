"""The error of a debiased clipped count, and how far the clipped count's is above it: Theorems 5.1 and 5.2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import every, greatest, least, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.user_level import debiasing_derivations

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_debiasing_theorems.py"


def clamped(y: Any, top: Any) -> Any:
    """Return a number put back into [0, top]."""
    return least(greatest(y, 0), top)


_near = Lemma(
    name="debiased-nearer",
    statement="an estimate that is off by at most 1/kappa of what its clamped mean is, is so of the mean",
    reals=("kappa", "y", "top", "s", "z", "x"),
    hypotheses={
        "kappa": lambda v: v.kappa >= 0,
        "s": lambda v: every(v.s >= 0, v.s <= v.top),
        "slope": lambda v: v.kappa * size(v.z - v.x) <= size(clamped(v.y, v.top) - v.s),
    },
    conclusion=lambda v: v.kappa * v.kappa * (v.z - v.x) * (v.z - v.x) <= (v.y - v.s) * (v.y - v.s),
    point={"kappa": HALF, "y": 2, "top": 1, "s": HALF, "z": 1, "x": HALF},
    mutants=(
        Mutant("slope-free", without="slope"),
        Mutant("s-outside", without="s"),
        Mutant(
            "half",
            conclusion=lambda v: 2 * v.kappa * v.kappa * (v.z - v.x) * (v.z - v.x) <= (v.y - v.s) * (v.y - v.s),
        ),
    ),
)
_gap = Lemma(
    name="debiased-gap",
    statement="b less a deviation of mean W and mean square Q <= r^2, W^2 <= Q, has a mean square of at most (b + r)^2",
    reals=("b", "r", "W", "Q"),
    hypotheses={
        "sizes": lambda v: every(v.b >= 0, v.r >= 0),
        "mean square": lambda v: v.r * v.r >= v.Q,
        "mean": lambda v: v.W * v.W <= v.Q,
    },
    conclusion=lambda v: v.Q - 2 * v.b * v.W + v.b * v.b <= (v.b + v.r) * (v.b + v.r),
    point={"b": HALF, "r": HALF, "W": -HALF, "Q": HALF * HALF},
    mutants=(
        Mutant("any-mean", without="mean"),
        Mutant("any-square", without="mean square"),
        Mutant("no-bias", conclusion=lambda v: v.Q - 2 * v.b * v.W + v.b * v.b <= v.b * v.b + v.r * v.r),
    ),
)

_DEBIASED = Theorem(
    id="debiasing-proved",
    statement=(
        "For all rates x_i <= Lambda of mean x and variance V, every law of y, and every psi with psi(0) = 0 that over "
        "[0, Lambda] has slopes from kappa > 0 on and from each x up to Lambda is at most its tangent, and at least "
        "that less M/2 times the square of the distance: the estimate psi^-1 of y clamped to [0, psi(Lambda)] has "
        "E(estimate - x)^2 <= kappa^-2 (Var y + (psi(x) - E y)^2). For E y the mean of psi(x_i), psi(x) - E y is from "
        "0 to (V/2) M, and E(y - x)^2 - E(estimate - x)^2 >= (x - E y)^2 - (b + r)^2, b = x - psi^-1(E y), r^2 = "
        "kappa^-2 Var y."
    ),
    source="user-level-histograms, Theorems 5.1 and 5.2, Equation 3, reconstructed",
    argument=(
        "debiased-nearer, weighed over the values of y, whose mean square about any number is the variance and the "
        "square of the mean's distance. The bounds by tangents, summed over the users. The estimate deviates from "
        "psi^-1(E y) by at most r in mean square: debiased-gap. For psi_C = E min(Poi, C) calculus has kappa = "
        "Pr[Poi(Lambda) <= C - 1] and M = max Pr[Poi = C - 1] over rates up to Lambda, which is no part of the "
        "statement."
    ),
    left="measure: sums of squares over countably many values are suprema of finite ones.",
    lemmas=(_near, _gap),
    bound_by=f"{TESTS}::test_the_bounds_are_those_of_whole_laws",
    derivation=debiasing_derivations.DEBIASED,
)

THEOREMS: tuple[Theorem, ...] = (_DEBIASED,)
