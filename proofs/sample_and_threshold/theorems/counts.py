"""Sample-and-threshold: the ratio of two binomial probabilities, and where it is at most e^epsilon."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.sample_and_threshold import derivations
from dpcert.proofs.terms import Formula, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_sampled_counts_theorems.py"


def binomial_ratio(k: Any, v: Any, p: Any) -> Any:
    """Return k (1 - p)/(k - v), Pr[Bin(k, p) = v] over Pr[Bin(k - 1, p) = v], for v < k.

    Source: sample-and-threshold, Lemma 1, corrected.
    """
    return k * (1 - p) / (k - v)


def cut_off(E: Any, p: Any) -> Any:
    """Return q = 1 - (1 - p)/E: counts above k q are in the worst event.

    Source: sample-and-threshold, Section 3.1.
    """
    return 1 - (1 - p) / E


SAMPLE: dict[str, Formula] = {
    "rate": lambda v: every(v.p > 0, v.p < 1),
    "count": lambda v: every(v.v >= 0, v.k > v.v),
}

_ratio = Lemma(
    name="binomial-ratio",
    statement="from C(k, v) (k - v) = k C(k - 1, v): c w (1 - p) = ratio * d w for w = p^v (1 - p)^(k-1-v)",
    reals=("k", "v", "p", "c", "d", "w"),
    hypotheses={**SAMPLE, "binomials": lambda v: equal(v.c * (v.k - v.v), v.k * v.d)},
    conclusion=lambda v: equal(v.c * v.w * (1 - v.p), binomial_ratio(v.k, v.v, v.p) * (v.d * v.w)),
    point={"k": 4, "v": 2, "p": HALF, "c": 6, "d": 3, "w": Fraction(1, 8)},
    mutants=(
        Mutant("any-numbers", without="binomials"),
        Mutant(
            "as-printed",
            conclusion=lambda v: equal(v.c * v.w * (1 - v.p), (1 - v.p) / (v.k - v.v) * (v.d * v.w)),
        ),
    ),
)

_RATIO = Theorem(
    id="binomial-ratio-proved",
    statement="For every p in (0, 1) and 0 <= v < k: Pr[Bin(k, p) = v] = k (1 - p)/(k - v) Pr[Bin(k - 1, p) = v].",
    source="sample-and-threshold, Lemma 1, corrected",
    argument=(
        "binomial-ratio with c = C(k, v), d = C(k - 1, v); k!/(v! (k - v)!) (k - v) = k (k - 1)!/(v! (k - 1 - v)!)."
    ),
    lemmas=(_ratio,),
    bound_by=f"{TESTS}::test_the_ratio_is_that_of_the_laws",
    derivation=derivations.RATIO,
)

_within = Lemma(
    name="ratio-within-epsilon",
    statement="the ratio is at most E where v <= k q, q = 1 - (1 - p)/E, and its inverse is where E (1 - p) >= 1",
    reals=("E", "k", "v", "p"),
    hypotheses={
        "epsilon": lambda v: v.E * (1 - v.p) >= 1,
        **SAMPLE,
        "v is at most k q": lambda v: v.v * v.E <= v.k * (v.E - (1 - v.p)),
    },
    conclusion=lambda v: every(
        v.k * (1 - v.p) <= v.E * (v.k - v.v),
        v.k - v.v <= v.E * v.k * (1 - v.p),
    ),
    point={"E": 2, "k": 4, "v": 2, "p": HALF},
    mutants=(
        Mutant("v-beyond", without="v is at most k q"),
        Mutant("epsilon-too-small", hypotheses={"epsilon": lambda v: v.E >= 1}),
        Mutant("one-beyond", hypotheses={"v is at most k q": lambda v: (v.v - 1) * v.E <= v.k * (v.E - (1 - v.p))}),
    ),
)
_beyond = Lemma(
    name="ratio-beyond-epsilon",
    statement="and above E where v > k q, so that just those counts are in the worst event",
    reals=("E", "k", "v", "p"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        **SAMPLE,
        "v is above k q": lambda v: v.v * v.E > v.k * (v.E - (1 - v.p)),
    },
    conclusion=lambda v: v.k * (1 - v.p) > v.E * (v.k - v.v),
    point={"E": 2, "k": 4, "v": Fraction(7, 2), "p": HALF},
    mutants=(
        Mutant("from-k-q", hypotheses={"v is above k q": lambda v: v.v * v.E >= v.k * (v.E - (1 - v.p))}),
        Mutant("any-v", without="v is above k q"),
    ),
)

_REDUCTION = Theorem(
    id="sampled-count-reduction",
    statement=(
        "For every p, k >= 1 and epsilon with e^-epsilon <= 1 - p: Pr[Bin(k, p) = v] > e^epsilon Pr[Bin(k - 1, p) = v] "
        "just for the counts v > k q, q = 1 - e^-epsilon (1 - p), and in the other order for none. So thresholding at "
        "tau is (epsilon, Pr[Bin(k, p) >= tau and Bin(k, p) > k q])-close for k and k - 1."
    ),
    source="sample-and-threshold, the reduction in the proof of Theorem 2",
    argument=(
        "For v < k by binomial-ratio-proved, ratio-within-epsilon and ratio-beyond-epsilon; v = k has probability 0 "
        "for k - 1, and k > k q. The outcome below the threshold joins counts; by tails-grow-proved its probability "
        "is larger for k - 1, below-falls, and in that order the ratio of each joined count is at most E: below-joined."
    ),
    lemmas=(_within, _beyond),
    bound_by=f"{TESTS}::test_the_worst_event_is_that_of_the_laws",
    uses=("binomial-ratio-proved", "tails-grow-proved", "ah-probability-proved"),
    derivation=derivations.REDUCTION,
)

THEOREMS: tuple[Theorem, ...] = (_RATIO, _REDUCTION)
