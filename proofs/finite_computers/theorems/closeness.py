"""Programs close to private ones, FastSample among them; two noisy counts; and arithmetic of Sections 4.2 and 7."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import cut_off_derivations, histogram_derivations, nearby_derivations
from dpcert.proofs.terms import every, greatest, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_closeness_theorems.py"


def close_delta(ratio: Any, distance: Any) -> Any:
    """Return (1 + e^epsilon) delta, which a program within delta of an (epsilon, 0)-DP one needs."""
    return (1 + ratio) * distance


_close = Lemma(
    name="close-to-private",
    statement="x <= E y + (1 + E) d for probabilities x and y within d of a <= E b",
    reals=("E", "d", "a", "b", "x", "y"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "private": lambda v: v.a <= v.E * v.b,
        "x is near": lambda v: size(v.x - v.a) <= v.d,
        "y is near": lambda v: size(v.y - v.b) <= v.d,
    },
    conclusion=lambda v: v.x <= v.E * v.y + close_delta(v.E, v.d),
    point={"E": 2, "d": TENTH, "a": HALF, "b": HALF, "x": HALF, "y": HALF},
    mutants=(
        Mutant("not-private", without="private"),
        Mutant("x-free", without="x is near"),
        Mutant("y-free", without="y is near"),
        Mutant("once", conclusion=lambda v: v.x <= v.E * v.y + v.E * v.d),
    ),
)
_mixed = Lemma(
    name="mixture-distance",
    statement="gamma c + (1 - gamma) x is within gamma + d of a, for x within d of a, all probabilities",
    reals=("gamma", "d", "a", "c", "x"),
    hypotheses={
        "gamma": lambda v: every(v.gamma >= 0, v.gamma <= 1),
        "probabilities": lambda v: every(v.a >= 0, v.a <= 1, v.c >= 0, v.c <= 1),
        "x is near": lambda v: size(v.x - v.a) <= v.d,
    },
    conclusion=lambda v: size(v.gamma * v.c + (1 - v.gamma) * v.x - v.a) <= v.gamma + v.d,
    point={"gamma": HALF, "d": TENTH, "a": HALF, "c": 1, "x": HALF},
    mutants=(
        Mutant("no-probabilities", without="probabilities"),
        Mutant("x-free", without="x is near"),
        Mutant("gamma-alone", conclusion=lambda v: size(v.gamma * v.c + (1 - v.gamma) * v.x - v.a) <= v.gamma),
    ),
)

_CLOSE = Theorem(
    id="closeness-proved",
    statement=(
        "For every epsilon >= 0 and program within delta of an (epsilon, 0)-DP one, in statistical distance on each "
        "input: it is (epsilon, (1 + e^epsilon) delta)-DP; mixed with any law at weight gamma, it is within gamma + "
        "delta of the private one."
    ),
    source="finite-computers, Section 3, before and after Lemma 3.2",
    argument=(
        "An event's probability moves by at most half of the l1 distance, event-has-half: the two lemmas, for every "
        "event."
    ),
    lemmas=(_close, _mixed),
    bound_by=f"{TESTS}::test_rounded_samplers_are_as_close_as_the_lemmas_say",
    derivation=nearby_derivations.CLOSE,
)


def moved_mass(ratio: Any, left: Any) -> Any:
    """Return 2 r^-t/(r + 1), the mass beyond distance t, from r^-t."""
    return 2 * left / (ratio + 1)


_cut = Lemma(
    name="fastsample-cut",
    statement=(
        "the mass 2u/(r + 1) beyond t, u = r^-t <= 1/x, x = 8 (n + 1)(1 - gamma)/(epsilon gamma), meets (3.1) with the "
        "uniform law on n + 1 counts"
    ),
    reals=("r", "u", "E", "epsilon", "gamma", "n"),
    hypotheses={
        "ratio": lambda v: every(v.r >= 1, v.E >= 1),
        "sizes": lambda v: every(v.u >= 0, v.n >= 0, v.gamma > 0, v.gamma < 1, v.epsilon > 0),
        "gap": lambda v: v.epsilon * (v.E + 1) <= 6 * (v.E - 1),
        "t": lambda v: v.u * 8 * (v.n + 1) * (1 - v.gamma) <= v.epsilon * v.gamma,
    },
    conclusion=lambda v: moved_mass(v.r, v.u) * (1 - v.gamma) * (v.E + 1) * (v.n + 1) <= (v.E - 1) * v.gamma,
    point={"r": 2, "u": Fraction(1, 100), "E": 2, "epsilon": 1, "gamma": HALF, "n": 1},
    mutants=(
        Mutant("no-gap", without="gap"),
        Mutant("t-less", without="t"),
        Mutant("ratio-below-1", hypotheses={"ratio": lambda v: every(v.r > 0, v.E >= 1)}),
    ),
)

_FASTSAMPLE = Theorem(
    id="fastsample-private-proved",
    statement=(
        "For every n >= 1 and positive integers 1/epsilon and 1/gamma > 1: FastSample is (epsilon/2, 0)-DP for counts "
        "that differ by one."
    ),
    source="finite-computers, Theorem 4.10 i",
    argument=(
        "With r = 1 + x = e^l, x = 2^-k: by rational-epsilon-proved r is at least w = e^(2 epsilon/9) and at most E = "
        "e^(epsilon/2). The cut-off t has 2 (t + 1) >= (9/epsilon) L, 2^L at least 8 (n + 1)(1 - gamma)/(epsilon "
        "gamma), so that w^t >= 2^L: cut-off. fastsample-cut, whose gap is response-gap-proved, is the condition of "
        "mixing-proved for the mass 2u/(r + 1), u = r^-t, and the least probability 1/(n + 1). By "
        "fastsample-cumulative-proved the law mixes the uniform one with noise of which that mass is moved, "
        "near-below-count, near-above-count and outcomes-near. The noise of ratio r is private by "
        "geometric-private-proved, and r <= E: fastsample-private."
    ),
    lemmas=(_cut,),
    bound_by=f"{TESTS}::test_the_cut_of_fastsample_is_that_of_the_lemma",
    derivation=(*cut_off_derivations.FASTSAMPLE_PRIVATE, *cut_off_derivations.FASTSAMPLE_LAW),
    uses=(
        "rational-epsilon-proved",
        "response-gap-proved",
        "fastsample-cumulative-proved",
        "geometric-private-proved",
        "mixing-proved",
    ),
)

_labels = Lemma(
    name="two-labels",
    statement="one label moves and then the other, each within a ratio of R: within R^2 together",
    reals=("R", "p", "c", "q"),
    hypotheses={
        "ratio": lambda v: v.R >= 1,
        "one label": lambda v: v.p <= v.R * v.c,
        "the other": lambda v: v.c <= v.R * v.q,
    },
    conclusion=lambda v: v.p <= v.R * v.R * v.q,
    point={"R": 2, "p": HALF, "c": HALF, "q": HALF},
    mutants=(
        Mutant("one-free", without="one label"),
        Mutant("other-free", without="the other"),
        Mutant("once", conclusion=lambda v: v.p <= v.R * v.q),
    ),
)

_BASIC = Theorem(
    id="basic-histogram-proved",
    statement=(
        "For every sampler that is (epsilon/2, 0)-DP for counts that differ by one, the basic histogram is (epsilon, "
        "0)-DP for lists that differ in one label."
    ),
    source="finite-computers, Theorem 5.2 i",
    argument=(
        "Lists that differ in one row have counts that differ by what the row adds to each label, "
        "counts-of-neighbours: one more of one label, one less of another. The law of the noisy counts is a product "
        "over the labels. Move one label and then the other: event-of-products for each, two-labels for both."
    ),
    lemmas=(_labels,),
    bound_by=f"{TESTS}::test_a_basic_histogram_is_the_product_of_its_counts",
    derivation=histogram_derivations.TWO_LABELS,
)

_success = Lemma(
    name="success-product",
    statement="(1 - gamma)(1 - (beta - gamma)) >= 1 - beta for 0 <= gamma <= beta",
    reals=("beta", "gamma"),
    hypotheses={"order": lambda v: every(v.gamma >= 0, v.gamma <= v.beta)},
    conclusion=lambda v: (1 - v.gamma) * (1 - (v.beta - v.gamma)) >= 1 - v.beta,
    point={"beta": HALF, "gamma": TENTH},
    mutants=(
        Mutant("gamma-negative", hypotheses={"order": lambda v: v.gamma <= v.beta}),
        Mutant("gamma-above", hypotheses={"order": lambda v: v.gamma >= 0}),
    ),
)
_planted = Lemma(
    name="planted-rows",
    statement="m = ceil(2a) rows are at least 2a, at most 2a + 1, and at most n where 2a < n",
    reals=("a",),
    integers=("m", "n"),
    hypotheses={
        "ceiling": lambda v: every(v.m >= 2 * v.a, v.m < 2 * v.a + 1),
        "small": lambda v: 2 * v.a < v.n,
    },
    conclusion=lambda v: every(v.m >= 2 * v.a, v.m <= 2 * v.a + 1, v.m <= v.n),
    point={"a": Fraction(1, 4), "m": 1, "n": 1},
    mutants=(
        Mutant("no-ceiling", without="ceiling"),
        Mutant("a-large", without="small"),
        Mutant("floor", hypotheses={"ceiling": lambda v: every(v.m <= 2 * v.a, v.m > 2 * v.a - 1)}),
    ),
)
_mean = Lemma(
    name="greater-logarithm",
    statement="the greater of two numbers is at least their mean",
    reals=("u", "w"),
    hypotheses={},
    conclusion=lambda v: greatest(v.u, v.w) >= (v.u + v.w) / 2,
    point={"u": 1, "w": 2},
    mutants=(Mutant("sum", conclusion=lambda v: greatest(v.u, v.w) >= v.u + v.w),),
)

_ARITHMETIC = Theorem(
    id="accuracy-arithmetic-proved",
    statement=(
        "For 0 <= gamma <= beta, (1 - gamma)(1 - (beta - gamma)) >= 1 - beta; for a < n/2, 2a <= ceil(2a) <= min{n, 2a "
        "+ 1}; and max{ln u, ln v} >= ln(u v)/2."
    ),
    source="finite-computers, proofs of Theorems 4.10 ii and 7.2",
    argument="The three lemmas.",
    lemmas=(_success, _planted, _mean),
    bound_by=f"{TESTS}::test_the_planted_rows_are_those_of_the_check",
)

THEOREMS: tuple[Theorem, ...] = (_CLOSE, _FASTSAMPLE, _BASIC, _ARITHMETIC)
