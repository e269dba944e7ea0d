"""Order statistics of counts that nobody holds, drawn level by level, and the sparse forms of KeepHeavy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import order_derivations
from dpcert.proofs.terms import Formula, equal, every, implies, least
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_order_theorems.py"


def capped(drawn: Any, cap: Any, taken: Any) -> Any:
    """Return min(Y, cap - taken), how many of Y counts at a level are among the greatest."""
    return least(drawn, cap - taken)


_level = Lemma(
    name="level-share",
    statement="a count up to v, with probability S = F(v)/d, is v with the share 1 - F(v-1)/F(v), else up to v - 1",
    reals=("S", "F", "G", "d"),
    hypotheses={"F": lambda v: v.F > 0, "S": lambda v: equal(v.S * v.d, v.F)},
    conclusion=lambda v: every(equal(v.S * (1 - v.G / v.F) * v.d, v.F - v.G), equal(v.S * (v.G / v.F) * v.d, v.G)),
    point={"S": HALF, "F": 2, "G": 1, "d": 4},
    mutants=(
        Mutant("another-share", without="S"),
        Mutant("of-all", conclusion=lambda v: equal((1 - v.G / v.F) * v.d, v.F - v.G)),
    ),
)
_capped = Lemma(
    name="capped-level",
    statement="with the capped number of one level more, as many are taken as are there, up to the cap",
    reals=("N", "S", "C", "Y"),
    hypotheses={"so far": lambda v: equal(v.C, least(v.S, v.N)), "level": lambda v: v.Y >= 0},
    conclusion=lambda v: equal(v.C + capped(v.Y, v.N, v.C), least(v.S + v.Y, v.N)),
    point={"N": 3, "S": 1, "C": 1, "Y": 4},
    mutants=(
        Mutant("nothing-so-far", without="so far"),
        Mutant("negative", without="level"),
        Mutant("not-capped", conclusion=lambda v: equal(v.C + v.Y, least(v.S + v.Y, v.N))),
    ),
)

_ORDERS = Theorem(
    id="order-statistics-proved",
    statement=(
        "For every n, d, F non-decreasing from [0, n] to 1, ..., d with F(n) = d and m >= n + 1: of m independent "
        "counts with distribution function F/d, those at most v are v with probability 1 - F(v-1)/F(v) each, whatever "
        "those above v; with how many are at each level, capped so that n + 1 are taken in all, come the n + 1 "
        "greatest: OrdSample has their law."
    ),
    source="finite-computers, Proposition 6.6 and its proof",
    argument=(
        "From n down, a count is decided level by level, at v with level-share's probability: by induction it is at v "
        "with (F(v) - F(v-1))/d. Of those left, independent, a binomial number is at v. Up to each level as many are "
        "taken as there are, n + 1 at most, by induction with capped-level: these are the greatest."
    ),
    left=(
        "reading: of the counts left at a level each is at it with the same probability, whatever the others, so a "
        "binomial number is."
    ),
    lemmas=(_level, _capped),
    bound_by=f"{TESTS}::test_levels_are_those_of_ordsample",
    derivation=order_derivations.LEVELS,
)

_SIZES: dict[str, Formula] = {"sizes": lambda v: every(v.a >= 0, v.e >= 0, v.n >= 0)}

_reduced = Lemma(
    name="reached-by-fewer",
    statement="at most n of a labels that occur and e that do not reach a count iff a and min(n + 1, e) are at most n",
    reals=(),
    integers=("n", "a", "e"),
    hypotheses=_SIZES,
    conclusion=lambda v: every(
        implies(v.a + v.e <= v.n, v.a + least(v.e, v.n + 1) <= v.n),
        implies(v.a + least(v.e, v.n + 1) <= v.n, v.a + v.e <= v.n),
    ),
    point={"n": 1, "a": 0, "e": 3},
    mutants=(
        Mutant("sizes-negative", without="sizes"),
        Mutant("n-of-them", conclusion=lambda v: implies(v.a + least(v.e, v.n) <= v.n, v.a + v.e <= v.n)),
    ),
)

_SPARSE = Theorem(
    id="keep-heavy-sparse-proved",
    statement=(
        "For every n, data set, number of labels from 2n + 1 on and sampler: KH', from noisy counts of the labels that "
        "occur and the n + 1 greatest of the others, given to labels drawn uniformly, has the law of KeepHeavy."
    ),
    source="finite-computers, Proposition 6.5",
    argument=(
        "A label is kept if at most n reach its noisy count, which by reached-by-fewer the n + 1 greatest of the "
        "labels that do not occur decide; one of these that is kept is among their n greatest, kept-among-greatest. "
        "The labels that have them are uniform, as all counts of labels that do not occur are independent and alike, "
        "so that to exchange two neighbours changes no probability, neighbours-exchanged; and those counts have "
        "OrdSample's law."
    ),
    left="order: every order of labels comes of exchanges of neighbours.",
    lemmas=(_reduced,),
    bound_by=f"{TESTS}::test_reduced_counts_keep_the_same_labels",
    uses=("order-statistics-proved", "keep-heavy-proved"),
    derivation=order_derivations.SPARSE,
)

_joint = Lemma(
    name="second-step-event",
    statement="p x - q y is x (p - q), an event of the first steps, and at most q e where x - y <= e",
    reals=("p", "q", "x", "y", "e"),
    hypotheses={"laws": lambda v: v.q >= 0, "second steps": lambda v: v.x - v.y <= v.e},
    conclusion=lambda v: v.p * v.x - v.q * v.y <= v.x * (v.p - v.q) + v.q * v.e,
    point={"p": HALF, "q": HALF, "x": HALF, "y": HALF, "e": 0},
    mutants=(
        Mutant("laws-negative", without="laws"),
        Mutant("second-free", without="second steps"),
        Mutant("first-free", conclusion=lambda v: v.p * v.x - v.q * v.y <= v.q * v.e),
    ),
)
_precision = Lemma(
    name="sparse-precision",
    statement="n levels of at most m (n + 2) q are at most delta for 1/q = (n^2 + 2n) X/delta, from n^2 to (n + 1)^2 X",
    reals=("q", "delta", "D"),
    integers=("n", "m", "X"),
    hypotheses={
        "precision": lambda v: equal(v.q * (v.n * v.n + 2 * v.n) * v.X, v.delta),
        "sizes": lambda v: every(v.n >= 1, v.m <= v.X, v.q > 0, v.X >= 1),
        "levels": lambda v: v.n * (v.m * (v.n + 2) * v.q) >= v.D,
    },
    conclusion=lambda v: every(
        v.delta >= v.D,
        v.q * v.n * v.n * v.X <= v.delta,
        v.delta <= v.q * (v.n + 1) * (v.n + 1) * v.X,
    ),
    point={"q": TENTH, "delta": Fraction(3, 5), "D": Fraction(3, 5), "n": 1, "m": 2, "X": 2},
    mutants=(
        Mutant("any-precision", without="precision"),
        Mutant("more-labels", hypotheses={"sizes": lambda v: every(v.n >= 1, v.q > 0, v.X >= 1)}),
        Mutant("far", without="levels"),
        Mutant("strictly", conclusion=lambda v: v.delta > v.D),
    ),
)

_APPROXIMATE = Theorem(
    id="sparse-histogram-proved",
    statement=(
        "For every n, number of labels from 2n + 1 on, 1/delta a positive integer and M that is (epsilon/2, 0)-DP for "
        "counts that differ by one: Algorithm 6.20 is within m (n^2 + 2n)/s of OrdSample, SparseHistogram within delta "
        "of KH' on every list, and (epsilon, (e^epsilon + 1) delta)-DP."
    ),
    source="finite-computers, Proposition 6.19 and Theorem 6.8",
    argument=(
        "The events of two steps differ by at most those of the first and of the second ones: second-step-event, "
        "summed: two-steps-event. So n levels add up, levels-add-up, each within m (n + 2)/s by "
        "rounded-binomials-proved, whatever the levels before: sparse-precision. What is released is a map of the "
        "order statistics and of draws that are alike (distance-proved), weighed alike. KH' has the law of KeepHeavy, "
        "which is (epsilon, 0)-DP: closeness-proved."
    ),
    lemmas=(_joint, _precision),
    bound_by=f"{TESTS}::test_levels_are_those_of_ordsample",
    uses=(
        "rounded-binomials-proved",
        "distance-proved",
        "keep-heavy-sparse-proved",
        "keep-heavy-proved",
        "closeness-proved",
    ),
    derivation=(*order_derivations.STEPS, *order_derivations.LEVELS_TOGETHER),
)

_gap = Lemma(
    name="pure-gap",
    statement="epsilon (E + 1) <= 3 (E - 1) for epsilon up to 1, as e^epsilon >= 1 + epsilon + epsilon^2/2",
    reals=("E", "epsilon"),
    hypotheses={
        "epsilon": lambda v: every(v.epsilon > 0, v.epsilon <= 1),
        "exponential": lambda v: 1 + v.epsilon + v.epsilon * v.epsilon / 2 <= v.E,
    },
    conclusion=lambda v: v.epsilon * (v.E + 1) <= 3 * (v.E - 1),
    point={"E": 2, "epsilon": HALF},
    mutants=(
        Mutant("exponential-too-small", hypotheses={"exponential": lambda v: v.E >= 1}),
        Mutant("third", conclusion=lambda v: v.epsilon * (v.E + 1) <= v.E - 1),
    ),
)
_pure = Lemma(
    name="pure-mixing",
    statement="delta <= epsilon/3 b, b at most beta times the least probability, meets (3.1) and is at most beta",
    reals=("E", "epsilon", "beta", "b", "delta"),
    hypotheses={
        "gap": lambda v: every(v.E >= 1, v.epsilon <= 1, v.epsilon * (v.E + 1) <= 3 * (v.E - 1)),
        "beta": lambda v: every(v.beta > 0, v.beta <= 1),
        "b": lambda v: every(v.b >= 0, v.b <= v.beta),
        "delta": lambda v: every(v.delta >= 0, 3 * v.delta <= v.epsilon * v.b),
    },
    conclusion=lambda v: every(v.delta * (1 - v.beta) * (v.E + 1) <= (v.E - 1) * v.b, v.delta <= v.beta),
    point={"E": 2, "epsilon": HALF, "beta": HALF, "b": TENTH, "delta": Fraction(1, 60)},
    mutants=(
        Mutant("no-gap", without="gap"),
        Mutant("delta-large", without="delta"),
        Mutant("b-large", hypotheses={"b": lambda v: v.b >= 0}),
    ),
)

_PURE = Theorem(
    id="pure-sparse-proved",
    statement=(
        "For every n, number |X| of labels from 2n + 1 on, 1/epsilon and 1/beta positive integers and M that is "
        "(epsilon/2, 0)-DP for counts that differ by one: SparseHistogram within delta = epsilon/3 beta (3 |X|)^-n of "
        "KH', mixed at weight beta with the histogram of n uniform labels and n uniform counts, is (epsilon, 0)-DP, "
        "and within 2 beta of KeepHeavy, whose accuracy it has but for that."
    ),
    source="finite-computers, Theorem 6.10",
    argument=(
        "n distinct pairs of a label and a count, of which those with count 0 fill up, give every histogram of at most "
        "n labels. Of j pairs still wanted the next draw is one with probability j/((n + 1) |X|): wanted-draws, so "
        "that it has probability n!/((n + 1) |X|)^n at least, and (3 |X|)^-n by factorial-proved. By pure-gap and "
        "pure-mixing that is the condition of mixing-proved, and delta at most beta; so all is within 2 beta by "
        "closeness-proved, and keep-heavy-proved has KeepHeavy's accuracy."
    ),
    lemmas=(_gap, _pure),
    bound_by=f"{TESTS}::test_every_histogram_is_as_probable_as_stated",
    uses=("sparse-histogram-proved", "mixing-proved", "factorial-proved", "closeness-proved", "keep-heavy-proved"),
    derivation=order_derivations.PURE,
)

THEOREMS: tuple[Theorem, ...] = (_ORDERS, _SPARSE, _APPROXIMATE, _PURE)
