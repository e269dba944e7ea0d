"""Programs close to private ones, FastSample among them; two noisy counts; and arithmetic of Sections 4.2 and 7."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import histogram_derivations, nearby_derivations
from dpcert.proofs.terms import every, size
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


THEOREMS: tuple[Theorem, ...] = (
    _CLOSE,
    _BASIC,
)
