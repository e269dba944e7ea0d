"""Rounded powers of a law, for all powers and precisions: Algorithm 6.16 and Proposition 6.15."""

from __future__ import annotations

from fractions import Fraction

from dpcert.proofs.finite_computers import power_derivations, rounding_derivations
from dpcert.proofs.terms import every, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_rounding_theorems.py"

_joint = Lemma(
    name="joint-difference",
    statement="p x and q y differ by at most d x + q e, for p and q within d, x and y within e",
    reals=("p", "q", "x", "y", "d", "e"),
    hypotheses={
        "factors": lambda v: every(v.x >= 0, v.q >= 0),
        "p is near": lambda v: every(v.d >= v.p - v.q, v.d >= v.q - v.p),
        "x is near": lambda v: every(v.e >= v.x - v.y, v.e >= v.y - v.x),
    },
    conclusion=lambda v: size(v.p * v.x - v.q * v.y) <= v.d * v.x + v.q * v.e,
    point={"p": HALF, "q": HALF, "x": HALF, "y": TENTH, "d": 0, "e": HALF},
    mutants=(
        Mutant("factors-negative", without="factors"),
        Mutant("p-free", without="p is near"),
        Mutant("x-free", without="x is near"),
        Mutant("one-part", conclusion=lambda v: size(v.p * v.x - v.q * v.y) <= v.d * v.x),
    ),
)
_power = Lemma(
    name="rounding-power",
    statement="errors of at most t r (i - 1), doubled, and t r more, are at most t r (2 i - 1) and t r 2 i",
    reals=("t", "r", "i", "e", "more"),
    hypotheses={
        "sizes": lambda v: every(v.t >= 0, v.r >= 0),
        "so far": lambda v: v.e <= v.t * v.r * (v.i - 1),
        "more": lambda v: v.more <= 2 * v.e + v.t * v.r,
    },
    conclusion=lambda v: every(v.more <= v.t * v.r * (2 * v.i - 1), v.more <= v.t * v.r * (2 * v.i)),
    point={"t": 2, "r": TENTH, "i": 2, "e": TENTH, "more": HALF * HALF},
    mutants=(
        Mutant("nothing-so-far", without="so far"),
        Mutant("any-more", without="more"),
        Mutant("not-doubled", conclusion=lambda v: v.more <= v.t * v.r * v.i),
    ),
)

_ROUNDING = Theorem(
    id="rounded-powers-proved",
    statement=(
        "For every s, t, i >= 1 and vector a of t integers >= 0 with sum at most s: the result of Algorithm 6.16 is "
        "such a vector too, and over s within t (i - 1)/s, in l1, of the first t numbers of the i-fold convolution of "
        "a/s; its first numbers depend on those of a alone."
    ),
    source="finite-computers, Proposition 6.15 i to iii",
    argument=(
        "The sum of a convolution is at most the product of the sums; convolutions differ by at most d y + X e summed, "
        "by joint-difference. So the error at most doubles where a vector is squared, and does not grow where a is "
        "multiplied on; rounding adds 1/s for each number. Induction along the binary digits of i. The first numbers "
        "of a convolution depend on the first of both factors: convolution-of-first."
    ),
    lemmas=(_joint, _power),
    bound_by=f"{TESTS}::test_levels_are_those_of_the_algorithm",
    derivation=(*rounding_derivations.CONVOLVED, *rounding_derivations.LEVEL, *power_derivations.CHAIN),
)

THEOREMS: tuple[Theorem, ...] = (_ROUNDING,)
