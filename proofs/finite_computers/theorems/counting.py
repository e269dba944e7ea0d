"""Counts of labels, and the distance of two laws as half the sum of their differences."""

from __future__ import annotations

from typing import Any

from dpcert.proofs.finite_computers import counting_derivations
from dpcert.proofs.terms import choose
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

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


THEOREMS: tuple[Theorem, ...] = (_COUNTS,)
