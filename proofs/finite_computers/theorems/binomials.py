"""Rounded binomial laws, for all sizes: Proposition 6.17, and the levels of Proposition 6.19."""

from __future__ import annotations

from fractions import Fraction

from dpcert.proofs.finite_computers import binomial_derivations
from dpcert.proofs.terms import every, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_rounding_theorems.py"

_coin = Lemma(
    name="coin-difference",
    statement="one coin more of rate p or r: laws that differ by d and e differ by their mix, and p - r of both masses",
    reals=("p", "r", "b", "c", "x", "y", "d", "e"),
    hypotheses={
        "rates": lambda v: every(v.r >= 0, v.p >= v.r, v.p <= 1),
        "masses": lambda v: every(v.c >= 0, v.y >= 0),
        "d": lambda v: every(v.d >= v.b - v.c, v.d >= v.c - v.b),
        "e": lambda v: every(v.e >= v.x - v.y, v.e >= v.y - v.x),
    },
    conclusion=lambda v: (
        size((1 - v.p) * v.b + v.p * v.x - ((1 - v.r) * v.c + v.r * v.y))
        <= (1 - v.p) * v.d + v.p * v.e + (v.p - v.r) * (v.c + v.y)
    ),
    point={"p": HALF, "r": HALF, "b": HALF, "c": HALF, "x": TENTH, "y": TENTH, "d": 0, "e": 0},
    mutants=(
        Mutant("rates-exchanged", without="rates"),
        Mutant("masses-negative", without="masses"),
        Mutant("far", without="d"),
        Mutant("far-below", without="e"),
        Mutant(
            "rates-alike",
            conclusion=lambda v: (
                size((1 - v.p) * v.b + v.p * v.x - ((1 - v.r) * v.c + v.r * v.y)) <= (1 - v.p) * v.d + v.p * v.e
            ),
        ),
    ),
)
_sum = Lemma(
    name="binomial-distance",
    statement="m coins, each off by 1/s, and t (m - 1)/s of rounding are (m (t + 1) - t)/s: at most m (n + 2)/s",
    reals=("q", "coins", "rounding"),
    integers=("m", "t", "M", "n"),
    hypotheses={
        "precision": lambda v: v.q >= 0,
        "coins": lambda v: v.coins <= v.m * v.q,
        "rounding": lambda v: v.rounding <= v.t * v.q * (v.m - 1),
        "level": lambda v: every(v.m >= 1, v.m <= v.M, v.t >= 0, v.t <= v.n + 1),
    },
    conclusion=lambda v: every(
        v.coins + v.rounding <= (v.m * (v.t + 1) - v.t) * v.q, v.coins + v.rounding <= v.M * (v.n + 2) * v.q
    ),
    point={"q": TENTH, "coins": TENTH, "rounding": TENTH, "m": 2, "t": 1, "M": 2, "n": 1},
    mutants=(
        Mutant("coins-free", without="coins"),
        Mutant("rounding-free", without="rounding"),
        Mutant("any-cap", hypotheses={"level": lambda v: every(v.m >= 1, v.m <= v.M, v.t >= 0)}),
        Mutant("coins-alone", conclusion=lambda v: v.coins + v.rounding <= v.m * v.q),
    ),
)

_BINOMIAL = Theorem(
    id="rounded-binomials-proved",
    statement=(
        "For every m, q, s >= m, cap t and p <= q: rounding p/q down to a multiple of 1/s moves min(Bin(m, p/q), t) by "
        "at most m/s, and the law of t rounded numbers with the rest at t is within (m (t + 1) - t)/s of it, which for "
        "t <= n + 1 and up to M coins is at most M (n + 2)/s."
    ),
    source="finite-computers, Proposition 6.17 and the proof of Proposition 6.19",
    argument=(
        "With one coin more two binomial laws differ by at most twice the rates' difference more, in l1, by "
        "coin-difference: m coins in m steps, and an event has half of that. Rounding moves t numbers, and with them "
        "the rest at the cap, by what rounded-powers-proved has. binomial-distance."
    ),
    lemmas=(_coin, _sum),
    bound_by=f"{TESTS}::test_rounded_binomials_are_within_the_parts",
    uses=("rounded-powers-proved",),
    derivation=binomial_derivations.BINOMIAL,
)

THEOREMS: tuple[Theorem, ...] = (_BINOMIAL,)
