"""Lower bounds by packing: an event of one input keeps probability some rows away, and disjoint events add up."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import counting_derivations
from dpcert.proofs.terms import equal
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_closeness_theorems.py"


def kept_by_one_row(shrink: Any, delta: Any, before: Any) -> Any:
    """Return e^-epsilon (p - delta): how probable an event of probability p stays, one row away."""
    return shrink * (before - delta)


_kept = Lemma(
    name="kept-by-one-row",
    statement="x <= E y + delta makes y at least (x - delta)/E, g = 1/E",
    reals=("E", "g", "delta", "x", "y"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "g": lambda v: equal(v.E * v.g, 1),
        "private": lambda v: v.x <= v.E * v.y + v.delta,
    },
    conclusion=lambda v: v.y >= kept_by_one_row(v.g, v.delta, v.x),
    point={"E": 2, "g": HALF, "delta": TENTH, "x": HALF, "y": HALF},
    mutants=(
        Mutant("not-private", without="private"),
        Mutant("any-g", without="g"),
        Mutant("all", conclusion=lambda v: v.y >= v.g * v.x),
    ),
)

_PACKING = Theorem(
    id="packing-proved",
    statement=(
        "For every (epsilon, delta)-DP histogram, epsilon > 0, and m >= 0: an event of probability p on one input has, "
        "m rows away, at least e^(-m epsilon) p - delta (e^-epsilon + ... + e^(-m epsilon)), and this sum of powers is "
        "at most 1/epsilon. Of N events that have together at most s in the mean, N times the least is at most s."
    ),
    source="finite-computers, proofs of Theorems 7.1 and 7.2",
    argument=(
        "Induction on m by kept-by-one-row. (E - 1)(E^-1 + ... + E^-m) = 1 - E^-m, and E - 1 >= epsilon, of the "
        "series. The sum of the events' probabilities is at least N times the least."
    ),
    lemmas=(_kept,),
    bound_by=f"{TESTS}::test_the_packing_is_that_of_the_bounds",
    derivation=counting_derivations.PACKING,
)

THEOREMS: tuple[Theorem, ...] = (_PACKING,)
