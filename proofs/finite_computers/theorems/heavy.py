"""KeepHeavy, for every sampler: its privacy, which labels it keeps, and its accuracy."""

from __future__ import annotations

from typing import Any

from dpcert.proofs.finite_computers import heavy_derivations, heavy_order_derivations
from dpcert.proofs.terms import choose, every, size, some
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

TESTS = "tests/proofs/theorems/test_heavy_theorems.py"


def reaches(noisy: Any, other: Any) -> Any:
    """Return 1 if a noisy count is at least another one, else 0."""
    return choose(noisy >= other, 1, 0)


def occurs(count: Any) -> Any:
    """Return 1 for a count above 0, else 0."""
    return choose(count > 0, 1, 0)


def shown(kept: Any, noisy: Any) -> Any:
    """Return the count that is read off a release: the noisy one of a label that is kept, else 0."""
    return choose(kept > 0, noisy, 0)


_reach = Lemma(
    name="heavy-reached-by-occurring",
    statement="where noisy counts are within a of the counts, only labels that occur reach one of count above 2a",
    reals=("a", "c", "z", "count", "noisy"),
    hypotheses={
        "counts": lambda v: v.c >= 0,
        "heavy": lambda v: v.count > 2 * v.a,
        "near": lambda v: every(size(v.z - v.c) <= v.a, size(v.noisy - v.count) <= v.a),
    },
    conclusion=lambda v: reaches(v.z, v.noisy) <= occurs(v.c),
    point={"a": 1, "c": 2, "z": 3, "count": 3, "noisy": 2},
    mutants=(
        Mutant("not-heavy", without="heavy"),
        Mutant("far", without="near"),
        Mutant("above-a", hypotheses={"heavy": lambda v: v.count > v.a}),
        Mutant(
            "not-negative-alone",
            hypotheses={"near": lambda v: every(v.z - v.c <= v.a, v.noisy - v.count <= v.a)},
        ),
    ),
)
_error = Lemma(
    name="heavy-error",
    statement="a label that is kept, or of a count up to 2a, is shown within 2a where its noisy count is within a",
    reals=("a", "c", "z", "kept"),
    hypotheses={
        "counts": lambda v: v.c >= 0,
        "near": lambda v: size(v.z - v.c) <= v.a,
        "light or kept": lambda v: some(v.kept > 0, v.c <= 2 * v.a),
    },
    conclusion=lambda v: size(shown(v.kept, v.z) - v.c) <= 2 * v.a,
    point={"a": 1, "c": 2, "z": 3, "kept": 0},
    mutants=(
        Mutant("far", without="near"),
        Mutant("heavy-lost", without="light or kept"),
        Mutant("within-a", conclusion=lambda v: size(shown(v.kept, v.z) - v.c) <= v.a),
    ),
)

_HEAVY = Theorem(
    id="keep-heavy-proved",
    statement=(
        "For every n, number of labels, list of n labels and sampler M: where M is (epsilon/2, 0)-DP for counts that "
        "differ by one, KeepHeavy is (epsilon, 0)-DP. Where all noisy counts are within a2 of the counts, each label "
        "of count above 2 a2 is above the (n+1)-st greatest, so that it is kept. If that fails with probability at "
        "most beta, each label of count above 2 a2 that M has within a1 but with probability beta is shown within a1 "
        "but with 2 beta, and all labels within 2 a2 but with beta. KeepHeavy keeps at most n labels."
    ),
    source="finite-computers, Theorem 6.2 and Lemma 6.3, corrected",
    argument=(
        "Privacy: KeepHeavy maps the noisy counts of all labels, of which the laws of two differ. Labels whose noisy "
        "counts reach that of a label of count above 2 a2 occur, by heavy-reached-by-occurring, and at most n do: so "
        "that it is above the (n + 1)-st greatest, which n + 1 reach: reached-by-few-is-kept. A label is shown "
        "otherwise than its noisy count only outside that event, and heavy-error holds within it. At most n counts are "
        "above the (n + 1)-st greatest."
    ),
    lemmas=(_reach, _error),
    bound_by=f"{TESTS}::test_kept_labels_are_those_that_few_reach",
    uses=("post-processing-proved", "basic-histogram-proved", "counts-sum-proved"),
    derivation=(*heavy_derivations.HEAVY, *heavy_order_derivations.KEPT),
)

THEOREMS: tuple[Theorem, ...] = (_HEAVY,)
