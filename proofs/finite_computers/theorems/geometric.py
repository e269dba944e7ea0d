"""The scaled distribution functions of GeoSample and FastSample, and the privacy of geometric noise.

K = 2^k and B = K + 1, so that e^(e/2) = B/K. Powers enter as variables: x = (K/B)^j, P = B^(n-1), and so on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import (
    nearby_derivations,
    noise_derivations,
)
from dpcert.proofs.terms import Formula, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
TESTS = "tests/proofs/test_geometric_theorems.py"


def below(K: Any, x: Any) -> Any:
    """Return Pr[Z <= c - j] for two-sided geometric noise, x = (K/B)^j: B/(B + K) x."""
    return (K + 1) / (2 * K + 1) * x


def above(K: Any, x: Any) -> Any:
    """Return Pr[Z <= c + j], x = (K/B)^j: 1 - K/(B + K) x."""
    return 1 - K / (2 * K + 1) * x


def mass(K: Any, x: Any) -> Any:
    """Return Pr[Z = c - j] = Pr[Z = c + j], x = (K/B)^j: (B - K)/(B + K) x."""
    return 1 / (2 * K + 1) * x


SCALE: dict[str, Formula] = {"K": lambda v: v.K >= 1}

_middle = Lemma(
    name="geometric-mass-middle",
    statement="Pr[Z <= c] - Pr[Z <= c - 1] is the mass at c, and all mass is 1: both forms agree at c",
    reals=("K",),
    hypotheses=SCALE,
    conclusion=lambda v: every(
        equal(above(v.K, 1) - below(v.K, v.K / (v.K + 1)), mass(v.K, 1)), equal(below(v.K, 1), above(v.K, 1))
    ),
    point={"K": 2},
    mutants=(
        Mutant("from-c-2", conclusion=lambda v: equal(above(v.K, 1) - below(v.K, v.K / (v.K + 2)), mass(v.K, 1))),
    ),
)


_nearer = Lemma(
    name="geometric-noise-step",
    statement="for counts c and c + 1 the masses at z are m and m R or m R and m: within a ratio of R",
    reals=("R", "m"),
    hypotheses={"ratio": lambda v: v.R >= 1, "mass": lambda v: v.m >= 0},
    conclusion=lambda v: every(v.m <= v.R * (v.m * v.R), v.m * v.R <= v.R * v.m),
    point={"R": 2, "m": HALF},
    mutants=(
        Mutant("ratio-below-1", hypotheses={"ratio": lambda v: v.R > 0}),
        Mutant("half-the-ratio", conclusion=lambda v: v.m * v.R <= (v.R + 1) / 2 * v.m),
    ),
)

_PRIVATE = Theorem(
    id="geometric-private-proved",
    statement=(
        "For every ratio R = B/K > 1: two-sided geometric noise of masses proportional to R^-|z - c|, clamped to any "
        "interval, is (ln R, 0)-DP for counts that differ by one."
    ),
    source="finite-computers, Theorem 4.7 i and Algorithm 4.5",
    argument=(
        "|z - c - 1| is |z - c| - 1 for z > c and |z - c| + 1 for z <= c: geometric-noise-step for each z, and so for "
        "each event; on all integers it has the supremum of its partial sums. An event of "
        "clamped counts is one of the noise, clamped-event."
    ),
    lemmas=(_nearer, _middle),
    bound_by=f"{TESTS}::test_clamped_geometric_noise_is_within_its_ratio",
    uses=("post-processing-proved",),
    derivation=(*noise_derivations.GEOMETRIC, *nearby_derivations.CLAMPED),
)


THEOREMS: tuple[Theorem, ...] = (_PRIVATE,)
