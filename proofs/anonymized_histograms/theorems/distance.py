"""Anonymized histograms: their distance, rounding, and the fake counts that are added and removed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.anonymized_histograms import derivations
from dpcert.proofs.terms import choose, equal, least, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_anonymized_theorems.py"


def top_step(x: Any, y: Any, r: Any) -> Any:
    """Return [x = r] - [y = r]: the difference at the value r of two matched counts that are at most r."""
    return choose(equal(x, r), 1, 0) - choose(equal(y, r), 1, 0)


_exchange = Lemma(
    name="sorted-exchange",
    statement="two counts matched in order are together no farther apart than matched crosswise",
    reals=("a", "b", "x", "y"),
    hypotheses={"first in order": lambda v: v.a >= v.b, "second in order": lambda v: v.x >= v.y},
    conclusion=lambda v: size(v.a - v.x) + size(v.b - v.y) <= size(v.a - v.y) + size(v.b - v.x),
    point={"a": 3, "b": 1, "x": 2, "y": 0},
    mutants=(
        Mutant("first-in-any-order", without="first in order"),
        Mutant("second-in-any-order", without="second in order"),
        Mutant(
            "strictly",
            conclusion=lambda v: size(v.a - v.x) + size(v.b - v.y) < size(v.a - v.y) + size(v.b - v.x),
        ),
    ),
)


_lowered = Lemma(
    name="sorted-top-lowered",
    statement="lowering counts of the greatest value r to r - 1 takes |[x = r] - [y = r]| from |x - y|",
    reals=(),
    integers=("x", "y", "r"),
    hypotheses={"x up to r": lambda v: v.x <= v.r, "y up to r": lambda v: v.y <= v.r},
    conclusion=lambda v: equal(
        size(v.x - v.y),
        size(least(v.x, v.r - 1) - least(v.y, v.r - 1)) + size(top_step(v.x, v.y, v.r)),
    ),
    point={"x": 4, "y": 2, "r": 4},
    mutants=(
        Mutant("x-beyond", without="x up to r"),
        Mutant("y-beyond", without="y up to r"),
        Mutant(
            "nothing-lost",
            conclusion=lambda v: equal(size(v.x - v.y), size(least(v.x, v.r - 1) - least(v.y, v.r - 1))),
        ),
    ),
)


_one_sign = Lemma(
    name="sorted-one-sign",
    statement="of counts matched in order, none differs at the greatest value upwards where another differs downwards",
    reals=(),
    integers=("x", "y", "u", "w", "r"),
    hypotheses={
        "first in order": lambda v: v.x >= v.u,
        "second in order": lambda v: v.y >= v.w,
        "first up to r": lambda v: v.x <= v.r,
        "second up to r": lambda v: v.y <= v.r,
    },
    conclusion=lambda v: top_step(v.x, v.y, v.r) * top_step(v.u, v.w, v.r) >= 0,
    point={"x": 4, "y": 3, "u": 4, "w": 1, "r": 4},
    mutants=(
        Mutant("first-in-any-order", without="first in order"),
        Mutant("second-in-any-order", without="second in order"),
        Mutant("first-beyond", without="first up to r"),
        Mutant("second-beyond", without="second up to r"),
    ),
)


_second = Lemma(
    name="prevalence-step",
    statement="the difference at r is at most that of the prevalences of r and what those above r differ by in all",
    reals=("c", "d", "p", "q", "S"),
    hypotheses={"above r": lambda v: size(v.c - v.d) <= v.S},
    conclusion=lambda v: size((v.c + v.p) - (v.d + v.q)) <= v.S + size(v.p - v.q),
    point={"c": 3, "d": 1, "p": 0, "q": 2, "S": 2},
    mutants=(
        Mutant("anything-above", without="above r"),
        Mutant("equal-prevalences", conclusion=lambda v: size((v.c + v.p) - (v.d + v.q)) <= v.S),
    ),
)


_DISTANCE = Theorem(
    id="ah-distance-proved",
    statement=(
        "For all histograms h, h': the least L1 distance over all labelings, the sum of |n_(i) - n'_(i)| and the sum "
        "of |phi_r+ - phi'_r+| are equal, and at most the sum of r |phi_r - phi'_r|."
    ),
    source="anonymized-histograms, Lemmas 1 and 4",
    argument=(
        "Two datasets with labels out of order are not brought apart by exchanging two counts (sorted-exchange); "
        "finitely many exchanges sort them. With counts in order and r the greatest, sorted-top-lowered, summed over "
        "the labels, takes the sum of |[x = r] - [y = r]| from the distance; by sorted-one-sign all terms have one "
        "sign, so that this is |phi_r+ - phi'_r+|. Lowered counts are in order, and lowering changes no phi_s+ for s "
        "< r: induction down to r = 0. By prevalence-step, from r down, |phi_r+ - phi'_r+| is at most the sum of "
        "|phi_s - phi'_s| over s >= r; summed over r, each s occurs s times."
    ),
    left="induction: finitely many exchanges, counts lowered, prevalences",
    lemmas=(_exchange, _lowered, _one_sign, _second),
    bound_by=f"{TESTS}::test_the_steps_at_the_greatest_value_are_those_of_the_distances",
)


_parts = Lemma(
    name="parts-at-one-value",
    statement="sums differ by at most what the terms differ by",
    reals=("a", "b", "c", "d"),
    hypotheses={},
    conclusion=lambda v: size((v.a + v.b) - (v.c + v.d)) <= size(v.a - v.c) + size(v.b - v.d),
    point={"a": 1, "b": 2, "c": 2, "d": 0},
    mutants=(
        Mutant("equal", conclusion=lambda v: equal(size(v.a + v.b - v.c - v.d), size(v.a - v.c) + size(v.b - v.d))),
        Mutant("first-alone", conclusion=lambda v: size((v.a + v.b) - (v.c + v.d)) <= size(v.a - v.c)),
    ),
)


_triangle = Lemma(
    name="triangle-at-one-value",
    statement="a detour is no shorter",
    reals=("a", "b", "c"),
    hypotheses={},
    conclusion=lambda v: size(v.a - v.c) <= size(v.a - v.b) + size(v.b - v.c),
    point={"a": 1, "b": 5, "c": 2},
    mutants=(
        Mutant("first-leg", conclusion=lambda v: size(v.a - v.c) <= size(v.a - v.b)),
        Mutant("difference", conclusion=lambda v: size(v.a - v.c) <= size(v.a - v.b) - size(v.b - v.c)),
    ),
)


_PARTS = Theorem(
    id="ah-parts-proved",
    statement=(
        "For all histograms: l1(h1 + h2, h1' + h2') <= l1(h1, h1') + l1(h2, h2'), the triangle inequality holds, and "
        "counts added to both histograms leave the distance as it is."
    ),
    source="anonymized-histograms, Lemma 3 and Appendix B",
    argument=(
        "By ah-distance-proved the distance is the sum over r of |phi_r+ - phi'_r+|, and phi_r+ of a sum of "
        "histograms is the sum of theirs. Sum parts-at-one-value and triangle-at-one-value over r; what is added to "
        "both cancels at each r."
    ),
    left="prevalences of a sum of histograms",
    lemmas=(_parts, _triangle),
    bound_by=f"{TESTS}::test_cumulative_prevalences_of_a_sum_add_up",
    uses=("ah-distance-proved",),
    derivation=derivations.PARTS,
)


_closest = Lemma(
    name="fakes-closest-first",
    statement="to move a count that is closer to t in place of another one costs no more",
    reals=("rest", "c", "d", "t"),
    hypotheses={"closer": lambda v: size(v.c - v.t) <= size(v.d - v.t)},
    conclusion=lambda v: v.rest + size(v.c - v.t) <= v.rest + size(v.d - v.t),
    point={"rest": 3, "c": 0, "d": 3, "t": 1},
    mutants=(
        Mutant("any", without="closer"),
        Mutant("smaller", hypotheses={"closer": lambda v: v.c <= v.d}),
    ),
)


_doubled = Lemma(
    name="fakes-doubled",
    statement="with the fakes put back, a detour by h2 and the nearest histogram with fakes give a factor of 2",
    reals=("X", "A", "B"),
    hypotheses={"detour": lambda v: v.X <= v.A + v.B, "nearest": lambda v: v.B <= v.A},
    conclusion=lambda v: v.X <= 2 * v.A,
    point={"X": 2, "A": 1, "B": 1},
    mutants=(
        Mutant("no-detour", without="detour"),
        Mutant("not-nearest", without="nearest"),
        Mutant("smaller-constant", conclusion=lambda v: Fraction(199, 100) * v.A >= v.X),
    ),
)


_FAKES = Theorem(
    id="ah-fakes-proved",
    statement=(
        "For all h1, h2, k and t, zeros being counts: with h1' = h1 and k counts t, h2' = h2 without the k counts "
        "closest to t, ties broken at will, l1(h1, h2') <= 2 l1(h1', h2); used twice, l1(h, H^e) <= 4 l1(H^a, H^d)."
    ),
    source="anonymized-histograms, Lemma 6 and (8)",
    argument=(
        "Let h2'' be h2' with k counts t. In the best labeling (ah-distance-proved) of any g with k counts t against "
        "h2, those k labels have some k counts of h2, zeros among them, and cost the sum of their distances to t; by "
        "fakes-closest-first, one count at a time, no less than the k closest ones, which is l1(h2, h2''). So B = "
        "l1(h2, h2'') <= l1(h2, h1') = A. By ah-parts-proved X = l1(h1, h2') = l1(h1', h2'') <= A + B: "
        "fakes-doubled. For (8), once with h and M counts T against the histogram with T + 1 removed, once with H^a "
        "against H^d."
    ),
    left="order: a best labeling, one count at a time",
    lemmas=(_closest, _doubled),
    bound_by=f"{TESTS}::test_what_is_removed_costs_least_and_is_put_back",
    uses=("ah-distance-proved", "ah-parts-proved"),
)


_rounding = Lemma(
    name="rounding-one-number",
    statement="an integer k within 1/2 of y is at most twice as far from the integer x as y is",
    reals=("y",),
    integers=("x", "k"),
    hypotheses={"nearest": lambda v: size(v.y - v.k) <= HALF},
    conclusion=lambda v: size(v.x - v.k) <= 2 * size(v.x - v.y),
    point={"x": 1, "k": 3, "y": Fraction(8, 3)},
    mutants=(
        Mutant("any-integer", without="nearest"),
        Mutant("smaller-constant", conclusion=lambda v: size(v.x - v.k) <= Fraction(199, 100) * size(v.x - v.y)),
        Mutant("farther", hypotheses={"nearest": lambda v: size(v.y - v.k) <= Fraction(51, 100)}),
    ),
)


_ROUNDING = Theorem(
    id="ah-rounding-proved",
    statement=(
        "For all integers x_i and reals y_i, y^_i nearest: the sum of |x_i - y^_i| is at most twice that of |x_i - "
        "y_i|."
    ),
    source="anonymized-histograms, Lemma 5",
    argument="Sum rounding-one-number over i. At a half both nearest integers are covered.",
    left="a sum, term by term",
    lemmas=(_rounding,),
    bound_by=f"{TESTS}::test_the_nearest_integers_are_within_a_half",
)


THEOREMS: tuple[Theorem, ...] = (
    _DISTANCE,
    _PARTS,
    _FAKES,
    _ROUNDING,
)
