"""Rounded binomial laws, for all sizes: Proposition 6.17, and the levels of Proposition 6.19."""

from __future__ import annotations

from fractions import Fraction

from dpcert.proofs.finite_computers import binomial_derivations, nearby_derivations
from dpcert.proofs.terms import every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_rounding_theorems.py"


_coin = Lemma(
    name="coin-difference",
    statement="a weight times a difference is at most the weight times what bounds the difference",
    reals=("w", "x", "d"),
    hypotheses={
        "weight": lambda v: v.w >= 0,
        "bound": lambda v: every(v.d >= v.x, v.d >= -v.x),
    },
    conclusion=lambda v: every(v.w * v.x <= v.w * v.d, -(v.w * v.x) <= v.w * v.d),
    point={"w": HALF, "x": -TENTH, "d": TENTH},
    mutants=(
        Mutant("weight-negative", without="weight"),
        Mutant("far", without="bound"),
        Mutant("signed", hypotheses={"bound": lambda v: v.d >= v.x}),
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
        "One coin more makes of two laws their mixes by p and by r, so that they differ by at most twice the rates' "
        "difference more, in l1, by coin-difference: m coins in m steps, and an event has half of that. Rounding moves "
        "t numbers, and with them the rest at the cap, by what Proposition 6.15 has. rate-rounded-down; both add "
        "up, distances-add-up, by binomial-distance."
    ),
    lemmas=(_coin, _sum),
    bound_by=f"{TESTS}::test_rounded_binomials_are_within_the_parts",
    derivation=(*binomial_derivations.BINOMIAL, *nearby_derivations.DISTANCES),
)

THEOREMS: tuple[Theorem, ...] = (_BINOMIAL,)
