"""Anonymized histograms: their distance, rounding, and the fake counts that are added and removed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.anonymized_histograms import derivations, distance_derivations, fakes_derivations
from dpcert.proofs.terms import choose, equal, every, size, some
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_anonymized_theorems.py"


def reaches(count: Any, value: Any) -> Any:
    """Return 1 for a count of at least the value, else 0."""
    return choose(count >= value, 1, 0)


def _bit(value: Any) -> Any:
    return some(equal(value, 0), equal(value, 1))


def _one_sign(a: Any, b: Any, total: Any, sizes: Any) -> Any:
    return every(
        sizes >= 0,
        some(equal(total, sizes), equal(total, -sizes)),
        some(equal(a, 0), equal(total, sizes)),
        some(equal(b, 0), equal(total, -sizes)),
    )


_signs = Lemma(
    name="one-sign-step",
    statement="bits that fall, c <= a and d <= b, differ with one sign: a - b and so on in all, and their sizes in all",
    reals=("a", "b", "c", "d", "S", "D"),
    hypotheses={
        "bits": lambda v: every(*(_bit(value) for value in (v.a, v.b, v.c, v.d))),
        "they fall": lambda v: every(v.c <= v.a, v.d <= v.b),
        "so far": lambda v: _one_sign(v.a, v.b, v.S, v.D),
    },
    conclusion=lambda v: _one_sign(v.c, v.d, v.S + (v.c - v.d), v.D + size(v.c - v.d)),
    point={"a": 1, "b": 0, "c": 1, "d": 0, "S": 1, "D": 1},
    mutants=(
        Mutant("rising", without="they fall"),
        Mutant("nothing-so-far", without="so far"),
        Mutant("no-bits", without="bits"),
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
        "A count is the sum over r of bits, 1 where it is at least r, and a cumulative prevalence the sum over labels. "
        "Bits fall with r: by one-sign-step the bits of two counts differ with one sign, so that |x - y| is the sum "
        "over r of their differences. A sum over labels is the same for each labeling, prevalences-of-labeling. "
        "Exchange the sums over labels and values: no labeling is closer than the sum of |phi_r+ - phi'_r+|. With "
        "counts in order bits fall with the label, too, and both are equal. By prevalence-step the sum over r <= n of "
        "|phi_r+ - phi'_r+| is at most that of r |phi_r - phi'_r| and n |phi_(n+1)+ - phi'_(n+1)+|: induction on n."
    ),
    lemmas=(_signs, _second),
    bound_by=f"{TESTS}::test_the_bits_of_counts_are_those_of_the_distances",
    derivation=distance_derivations.DISTANCE,
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
    lemmas=(_parts, _triangle),
    bound_by=f"{TESTS}::test_cumulative_prevalences_of_a_sum_add_up",
    uses=("ah-distance-proved",),
    derivation=(*derivations.PARTS, *fakes_derivations.ADDED),
)


_closest = Lemma(
    name="fakes-closest-first",
    statement="of two choices, c of what costs w <= h and not of what costs w >= h: s costs as much, but for h a count",
    reals=("h", "s", "c", "w"),
    hypotheses={
        "bits": lambda v: every(_bit(v.s), _bit(v.c)),
        "chosen": lambda v: some(equal(v.c, 0), v.w <= v.h),
        "not chosen": lambda v: some(equal(v.c, 1), v.w >= v.h),
    },
    conclusion=lambda v: v.c * v.w + v.h * (v.s - v.c) <= v.s * v.w,
    point={"h": 2, "s": 0, "c": 1, "w": 1},
    mutants=(
        Mutant("any-chosen", without="chosen"),
        Mutant("any-other", without="not chosen"),
        Mutant("no-bits", without="bits"),
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
        "Let h2'' be h2' with k counts t. In the best labeling of h1' against h2 the k labels with fakes cost the sum "
        "of their distances to t; by fakes-closest-first that is no less than the sum for the k closest counts, a "
        "bound h between these and the others. So B = l1(h2, h2'') <= l1(h2, h1') = A. By ah-parts-proved X = l1(h1, "
        "h2') = l1(h1', h2'') <= A + B: fakes-doubled."
    ),
    left=(
        "reading: by ah-distance-proved A is the sum over the best labeling, and B at most that over the labeling in "
        "which only the k closest counts become t. For (8), once with h and M counts T against the histogram with T + "
        "1 removed, once with H^a against H^d."
    ),
    lemmas=(_closest, _doubled),
    bound_by=f"{TESTS}::test_what_is_removed_costs_least_and_is_put_back",
    derivation=fakes_derivations.FAKES,
    uses=("ah-distance-proved", "ah-parts-proved"),
)


THEOREMS: tuple[Theorem, ...] = (
    _DISTANCE,
    _PARTS,
    _FAKES,
)
