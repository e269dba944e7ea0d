"""Several histograms together, and ranges that are read off them: Lemmas 7 to 9, corrected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.sample_and_threshold import range_derivations
from dpcert.proofs.terms import choose, equal, every, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_range_theorems.py"

_many = Lemma(
    name="composed-once-more",
    statement="a delta of at most l delta, and delta more, are at most (l + 1) delta",
    reals=("delta", "D", "more"),
    integers=("l",),
    hypotheses={
        "so far": lambda v: v.l * v.delta >= v.D,
        "one more": lambda v: v.more <= v.D + v.delta,
    },
    conclusion=lambda v: v.more <= (v.l + 1) * v.delta,
    point={"delta": TENTH, "D": TENTH, "more": Fraction(1, 5), "l": 1},
    mutants=(
        Mutant("nothing-so-far", without="so far"),
        Mutant("any-more", without="one more"),
        Mutant("no-more", conclusion=lambda v: v.more <= v.l * v.delta),
    ),
)

_MANY = Theorem(
    id="composition-of-many-proved",
    statement=(
        "For every L and L releases, each (epsilon, delta)-DP whatever the ones before it gave: all together are (L "
        "epsilon, L delta)-DP. The cells of two people in a trie's levels, the first digits of each, are the same "
        "above the level from which their digits differ, and others from there on."
    ),
    source="sample-and-threshold, Lemma 7 and Appendix A",
    argument=(
        "Induction on the number l of releases still to come, after every history: the first of them adds epsilon and "
        "delta by composition-proved, releases-compose. Of a trie's levels who is added is in one cell each, who "
        "moves in two from where the digits differ; what is read off the levels is a map, post-processing-proved."
    ),
    lemmas=(_many,),
    bound_by=f"{TESTS}::test_many_releases_need_what_the_steps_add_up_to",
    uses=("composition-proved", "post-processing-proved"),
    derivation=(*range_derivations.MANY, *range_derivations.DIGITS),
)


def shown(count: Any, threshold: Any) -> Any:
    """Return what is shown of a sampled count: the count from the threshold on, else 0."""
    return choose(count >= threshold, count, 0)


def one_more(rate: Any, off: Any) -> Any:
    """Return the mean square about the mean, from that of a sample that is off by `off`, once one person more is
    sampled or not.
    """
    return (1 - rate) * (off - rate) * (off - rate) + rate * (off + 1 - rate) * (off + 1 - rate)


def exceeded(off: Any, most: Any) -> Any:
    """Return `most` if the square of what a sample is off by is above it, else 0."""
    return choose(off * off > most, most, 0)


_person = Lemma(
    name="sampled-one-more",
    statement="one person more, sampled at rate p, adds p (1 - p) to the mean square about the mean",
    reals=("p", "a"),
    hypotheses={},
    conclusion=lambda v: equal(one_more(v.p, v.a), v.a * v.a + v.p * (1 - v.p)),
    point={"p": HALF, "a": 1},
    mutants=(
        Mutant("p", conclusion=lambda v: equal(one_more(v.p, v.a), v.a * v.a + v.p)),
        Mutant("nothing", conclusion=lambda v: equal(one_more(v.p, v.a), v.a * v.a)),
    ),
)
_loss = Lemma(
    name="cell-loss",
    statement="a threshold takes from 0 to tau - 1 of a cell's sampled count",
    reals=(),
    integers=("n", "tau"),
    hypotheses={"count": lambda v: v.n >= 0, "threshold": lambda v: v.tau >= 1},
    conclusion=lambda v: every(shown(v.n, v.tau) <= v.n, v.n <= shown(v.n, v.tau) + (v.tau - 1)),
    point={"n": 2, "tau": 3},
    mutants=(
        Mutant("negative", without="count"),
        Mutant("no-threshold", without="threshold"),
        Mutant("less", conclusion=lambda v: v.n <= shown(v.n, v.tau) + (v.tau - 2)),
    ),
)
_far = Lemma(
    name="far-at-most",
    statement="a square is at least the bound that it is above, or 0",
    reals=("a", "most"),
    hypotheses={},
    conclusion=lambda v: exceeded(v.a, v.most) <= v.a * v.a,
    point={"a": 1, "most": HALF},
    mutants=(
        Mutant("squares-not", conclusion=lambda v: exceeded(v.a, v.most) <= v.a),
        Mutant("twice", conclusion=lambda v: 2 * exceeded(v.a, v.most) <= v.a * v.a),
    ),
)
_range = Lemma(
    name="range-error",
    statement="what is shown of a sample that is off by at most r, and loses at most B, is off by at most B + r",
    reals=("W", "u", "r", "B", "S"),
    hypotheses={
        "near": lambda v: every(v.r >= 0, (v.W - v.u) * (v.W - v.u) <= v.r * v.r),
        "loss": lambda v: every(v.S <= v.W, v.W <= v.S + v.B),
    },
    conclusion=lambda v: size(v.S - v.u) <= v.B + v.r,
    point={"W": 3, "u": 2, "r": 1, "B": 1, "S": 2},
    mutants=(
        Mutant("far", without="near"),
        Mutant("any-loss", without="loss"),
        Mutant("no-loss", conclusion=lambda v: size(v.S - v.u) <= v.r),
    ),
)

_RANGES = Theorem(
    id="range-accuracy-proved",
    statement=(
        "For every rate p, threshold tau >= 1, n people, m = n p > 0, L levels of branching beta, range of a prefix "
        "and c > 0: the sum of the counts shown of the range's cells is the mean number of its people sampled, up to L "
        "(beta - 1)(tau - 1) + c sqrt(m), except with probability 1/c^2."
    ),
    source="sample-and-threshold, Lemma 9, corrected",
    argument=(
        "Each person of the range is in one of its cells, in one level, and is sampled there at rate p: k people have "
        "the variance k p (1 - p) <= m, by sampled-one-more and induction, and Chebyshev's bound is far-at-most, "
        "weighed; what is off by more than r = c sqrt(m) is so in square by more than c^2 m, range-off. The cells are "
        "as many as the digits of the range's end sum to, L (beta - 1) at most, and cell-loss holds for each; "
        "range-error."
    ),
    left=(
        "reading: a range of prefixes is at each level as many cells as the digit of its end says; each of its people "
        "is in one of them and sampled with probability p, whatever the others."
    ),
    lemmas=(_person, _loss, _far, _range),
    bound_by=f"{TESTS}::test_ranges_are_sums_of_sampled_cells",
    derivation=range_derivations.RANGES,
)

THEOREMS: tuple[Theorem, ...] = (_MANY, _RANGES)
