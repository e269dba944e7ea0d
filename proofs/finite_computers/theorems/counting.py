"""Counts of labels, and the distance of two laws as half the sum of their differences."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import counting_derivations
from dpcert.proofs.terms import choose, equal, every, positive_part, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_closeness_theorems.py"


def occurs(count: Any) -> Any:
    """Return 1 for a positive count, else 0."""
    return choose(count >= 1, 1, 0)


_positive = Lemma(
    name="positive-count",
    statement="a label that occurs counts at least once",
    reals=(),
    integers=("c",),
    hypotheses={"count": lambda v: v.c >= 0},
    conclusion=lambda v: occurs(v.c) <= v.c,
    point={"c": 1},
    mutants=(
        Mutant("negative", without="count"),
        Mutant("twice", conclusion=lambda v: 2 * occurs(v.c) <= v.c),
    ),
)
_COUNTS = Theorem(
    id="counts-sum-proved",
    statement="For every list of n labels, the counts of all labels sum to n, so that at most n are positive.",
    source="finite-computers, Section 2.2",
    argument="Each row has one label: exchange the sums over rows and labels. A positive count is at least 1.",
    lemmas=(_positive,),
    bound_by=f"{TESTS}::test_counts_are_sums_over_rows",
    derivation=counting_derivations.COUNTS,
)

_halves = Lemma(
    name="positive-half",
    statement="|p - q| is twice the positive part of p - q, less p - q; an event takes at most the positive part",
    reals=("p", "q", "u"),
    hypotheses={"event": lambda v: every(v.u >= 0, v.u <= 1)},
    conclusion=lambda v: every(
        equal(size(v.p - v.q), 2 * positive_part(v.p - v.q) - (v.p - v.q)),
        v.u * (v.p - v.q) <= positive_part(v.p - v.q),
    ),
    point={"p": HALF, "q": 0, "u": 1},
    mutants=(
        Mutant("no-event", without="event"),
        Mutant("once", conclusion=lambda v: equal(size(v.p - v.q), positive_part(v.p - v.q) - (v.p - v.q))),
    ),
)
_HALF = Theorem(
    id="half-distance-proved",
    statement=(
        "For all laws on finitely many outcomes: the greatest difference of an event's probabilities is half the sum "
        "of the outcomes' differences."
    ),
    source="finite-computers, Definition 2.9",
    argument=(
        "By positive-half an event's difference is at most the sum of the positive parts, which the event of all "
        "outcomes with p > q has; as both laws sum to 1, that is half the sum of |p - q|."
    ),
    lemmas=(_halves,),
    bound_by=f"{TESTS}::test_the_distance_is_that_of_laws",
    derivation=counting_derivations.HALF_DISTANCE,
)

THEOREMS: tuple[Theorem, ...] = (_COUNTS, _HALF)
