"""Clipped histograms, for all clips: their norms, the distance of two of them, and noise on their sum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import equal, every, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.user_level import derivations

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_clipping_theorems.py"


def reaches(entry: Any, count: Any, size_of_all: Any, most: Any) -> Any:
    """Whether an entry is at most count most/size, without division; for l2 all four are squares."""
    return entry * size_of_all <= count * most


def step_l1(a: Any, b: Any) -> Any:
    """Return what one item adds to the l1 distance of two histograms."""
    return size(a - b)


def step_l2(a: Any, b: Any) -> Any:
    """Return what one item adds to the square of the l2 distance of two histograms."""
    return (a - b) * (a - b)


_norm = Lemma(
    name="clipped-norm-step",
    statement="one more entry that is rounded down keeps the sum of entries at most the counts' share of the clip",
    reals=("A", "H", "a", "h", "s", "K"),
    hypotheses={
        "so far": lambda v: reaches(v.A, v.H, v.s, v.K),
        "rounded down": lambda v: reaches(v.a, v.h, v.s, v.K),
    },
    conclusion=lambda v: reaches(v.A + v.a, v.H + v.h, v.s, v.K),
    point={"A": 1, "H": 2, "a": 1, "h": 2, "s": 4, "K": 2},
    mutants=(
        Mutant("nothing-so-far", without="so far"),
        Mutant("rounded-up", hypotheses={"rounded down": lambda v: reaches(v.a, v.h, v.s, v.K + 1)}),
    ),
)

_whole = Lemma(
    name="clipped-norm",
    statement="a clipped histogram's sum of entries is at most K",
    reals=("A", "s", "K"),
    hypotheses={
        "all counts": lambda v: reaches(v.A, v.s, v.s, v.K),
        "clipped": lambda v: v.s > 0,
    },
    conclusion=lambda v: v.A <= v.K,
    point={"A": 2, "s": 4, "K": 2},
    mutants=(Mutant("nobody", without="clipped"), Mutant("any-counts", without="all counts")),
)

_l1 = Lemma(
    name="clipped-distance-l1-step",
    statement="one more item keeps the l1 distance at most the sum of both norms",
    reals=("D", "A", "B", "a", "b"),
    hypotheses={
        "so far": lambda v: v.D <= v.A + v.B,
        "no negative entries": lambda v: every(v.a >= 0, v.b >= 0),
    },
    conclusion=lambda v: v.D + step_l1(v.a, v.b) <= (v.A + v.a) + (v.B + v.b),
    point={"D": 1, "A": 1, "B": 1, "a": 2, "b": 0},
    mutants=(
        Mutant("negative", without="no negative entries"),
        Mutant("nothing-so-far", without="so far"),
        Mutant("one-norm", conclusion=lambda v: v.D + step_l1(v.a, v.b) <= v.A + v.B + v.a),
    ),
)

_l2 = Lemma(
    name="clipped-distance-l2-step",
    statement="one more item keeps the square of the l2 distance at most the sum of both squared norms",
    reals=("D", "A", "B", "a", "b"),
    hypotheses={
        "so far": lambda v: v.D <= v.A + v.B,
        "no negative entries": lambda v: every(v.a >= 0, v.b >= 0),
    },
    conclusion=lambda v: v.D + step_l2(v.a, v.b) <= (v.A + v.a * v.a) + (v.B + v.b * v.b),
    point={"D": 1, "A": 1, "B": 1, "a": 2, "b": 0},
    mutants=(
        Mutant("negative", without="no negative entries"),
        Mutant("nothing-so-far", without="so far"),
        Mutant("one-norm", conclusion=lambda v: v.D + step_l2(v.a, v.b) <= v.A + v.B + v.a * v.a),
    ),
)

_both = Lemma(
    name="clipped-distance",
    statement="two norms of at most K allow 2 K; in l2, of squares",
    reals=("D", "A", "B", "K"),
    hypotheses={
        "distance": lambda v: v.D <= v.A + v.B,
        "norms": lambda v: every(v.A <= v.K, v.B <= v.K),
    },
    conclusion=lambda v: v.D <= 2 * v.K,
    point={"D": 4, "A": 2, "B": 2, "K": 2},
    mutants=(
        Mutant("unclipped", without="norms"),
        Mutant("once", conclusion=lambda v: v.D <= v.K),
        Mutant("strictly", conclusion=lambda v: v.D < 2 * v.K),
    ),
)

_one = Lemma(
    name="clipped-distance-one-item",
    statement="two numbers in [0, K] are at most K apart",
    reals=("a", "b", "K"),
    hypotheses={
        "no negative entries": lambda v: every(v.a >= 0, v.b >= 0),
        "norms": lambda v: every(v.a <= v.K, v.b <= v.K),
    },
    conclusion=lambda v: step_l1(v.a, v.b) <= v.K,
    point={"a": 2, "b": 0, "K": 2},
    mutants=(Mutant("negative", without="no negative entries"), Mutant("unclipped", without="norms")),
)

_DISTANCE = Theorem(
    id="clipped-distance-proved",
    statement=(
        "For all C > 0, g >= 1 and histograms of any number of counts >= 0: clipped in l1 or l2 to C and rounded down, "
        "in units of 1/g, they have norm at most g C; two of them are at most 2 g C apart in l1, sqrt(2) g C in l2, "
        "and g C where there is one item."
    ),
    source="user-level-histograms, Algorithm 1",
    argument=(
        "Norms: for |h| > C an entry a of count h_j has a |h|_1 <= g C h_j, in l2 a^2 |h|_2^2 <= (g C)^2 h_j^2. Sum "
        "over the items, s the norm, or its square, and K = g C, or its square: clipped-norm ends it. For |h| <= C "
        "the entries are g h_j. Distances: sums over the items as in clipped-distance-l1-step and "
        "clipped-distance-l2-step, then clipped-distance with K = g C in l1 and (g C)^2 in l2; one item: "
        "clipped-distance-one-item."
    ),
    lemmas=(_norm, _whole, _l1, _l2, _both, _one),
    bound_by=f"{TESTS}::test_the_steps_are_those_of_clipped_histograms",
    derivation=derivations.CLIPPED,
)


def released(R: Any, G: Any, H: Any) -> Any:
    """Return the mass of an end of the stage times that of an outcome drawn beyond it, at distances of G and H.

    G = R^-j for a sum j below the end, H = R^-i for an outcome i beyond it.
    """
    return G * R / (R + 1) * (1 - 1 / R) * H


def noise(R: Any, x: Any) -> Any:
    """Return the mass of two-sided geometric noise at a distance of which x = R^-distance."""
    return (R - 1) / (R + 1) * x


_chain = Lemma(
    name="clipped-sum-chain",
    statement="one more unit between two sums multiplies the ratio of an event's probabilities by at most R",
    reals=("R", "G", "p", "q", "t"),
    hypotheses={
        "ratio": lambda v: v.R >= 1,
        "one unit": lambda v: v.p <= v.R * v.q,
        "units so far": lambda v: v.q <= v.G * v.t,
    },
    conclusion=lambda v: v.p <= v.R * v.G * v.t,
    point={"R": 2, "G": 4, "p": 2, "q": 1, "t": 1},
    mutants=(
        Mutant("no-step", without="one unit"),
        Mutant("no-induction", without="units so far"),
        Mutant("no-more", conclusion=lambda v: v.p <= v.G * v.t),
    ),
)

_finish = Lemma(
    name="clipped-sum-finish",
    statement="an end of the stage and what is drawn beyond it have together the mass of noise without ends",
    reals=("R", "G", "H"),
    hypotheses={"ratio": lambda v: v.R > 1},
    conclusion=lambda v: equal(released(v.R, v.G, v.H), noise(v.R, v.G * v.H)),
    point={"R": 2, "G": HALF, "H": HALF},
    mutants=(
        Mutant("other-ratio", conclusion=lambda v: equal(released(v.R, v.G, v.H), noise(v.R + 1, v.G * v.H))),
        Mutant("forgetful", conclusion=lambda v: equal(released(v.R, v.G, v.H), noise(v.R, v.H))),
    ),
)

_PRIVATE = Theorem(
    id="clipped-sum-private-proved",
    statement=(
        "For all C > 0, g >= 1, numbers of users and items, and r > 1: the sum of histograms clipped in l1, with "
        "two-sided geometric noise of ratio r on each item, clamped to where sums are or not, is (s ln r, 0)-DP when a "
        "user is replaced, s = floor(g C) for one item and 2 floor(g C) for more."
    ),
    source="user-level-histograms, Algorithm 1",
    argument=(
        "By clipped-distance-proved, and as entries are integers, two sums are s units apart or fewer: all other "
        "users' entries cancel, one-user-replaced. Item by item these units are gone, item-on-the-way, and only one "
        "item moves in each, item-at-next-unit and one-gap-holds. Each unit moves one item's sum by one: one-unit, "
        "with the ratio of geometric-private-proved, clamped or not; units-apart joins s of them. At an end j above "
        "the sum the stage has mass r^-j r/(r + 1), and with probability (1 - 1/r) r^-i it is taken i beyond, whatever "
        "the sum; by clipped-sum-finish that is noise without ends."
    ),
    lemmas=(_chain, _finish),
    bound_by=f"{TESTS}::test_the_stage_and_what_is_beyond_it_are_the_noise",
    uses=("clipped-distance-proved", "geometric-private-proved", "post-processing-proved"),
    derivation=derivations.CHAIN,
)

THEOREMS: tuple[Theorem, ...] = (_DISTANCE, _PRIVATE)
