"""Inequalities on totals, sizes and marginals: for every n, every histogram, and every chain of steps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.anonymized_histograms import derivations
from dpcert.proofs.terms import every, positive_part
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_anonymized_theorems.py"


def cut_total(total: Any, noise: Any) -> Any:
    """Return max(n + z, 0)."""
    return positive_part(total + noise)


_numbers = Lemma(
    name="split-numbers",
    statement="T prevalences and L counts above T, T^2 <= n < (T + 1)^2 and L (T + 1) <= n, have (T + L)^2 <= 4 n",
    reals=(),
    integers=("n", "T", "L"),
    hypotheses={
        "T is the root": lambda v: every(v.T >= 0, v.n >= v.T * v.T, v.n < (v.T + 1) * (v.T + 1)),
        "large counts": lambda v: every(v.L >= 0, v.n >= v.L * (v.T + 1)),
    },
    conclusion=lambda v: 4 * v.n >= (v.T + v.L) * (v.T + v.L),
    point={"n": 5, "T": 2, "L": 1},
    mutants=(
        Mutant("T-free", without="T is the root"),
        Mutant("L-free", without="large counts"),
        Mutant("three", conclusion=lambda v: 3 * v.n >= (v.T + v.L) * (v.T + v.L)),
    ),
)
_step = Lemma(
    name="distinct-step",
    statement="a count greater than one that is at least i is at least i + 1",
    reals=(),
    integers=("i", "a", "b"),
    hypotheses={"rank": lambda v: v.a >= v.i, "greater": lambda v: v.b > v.a},
    conclusion=lambda v: v.b >= v.i + 1,
    point={"i": 1, "a": 1, "b": 2},
    mutants=(Mutant("equal", hypotheses={"greater": lambda v: v.b >= v.a}), Mutant("no-rank", without="rank")),
)
_root = Lemma(
    name="distinct-root",
    statement="t (t + 1) <= 2 n makes t^2 <= 2 n",
    reals=("t", "n"),
    hypotheses={"counts": lambda v: v.t >= 0, "items": lambda v: v.t * (v.t + 1) <= 2 * v.n},
    conclusion=lambda v: v.t * v.t <= 2 * v.n,
    point={"t": 2, "n": 3},
    mutants=(
        Mutant("items-free", without="items"),
        Mutant("all", conclusion=lambda v: v.t * v.t <= Fraction(3, 2) * v.n),
    ),
)
_SIZES = Theorem(
    id="ah-sizes-proved",
    statement=(
        "For every histogram of n items: T = floor(sqrt(n)) prevalences and the counts above T are together at most "
        "2 sqrt(n) numbers; and t different counts have t (t + 1)/2 <= n, hence t <= sqrt(2n)."
    ),
    source="anonymized-histograms, Sections 3.1 and 4.2",
    argument=(
        "L counts above T hold at least L (T + 1) of the items: split-numbers. The i-th of t different counts in "
        "order is at least i by distinct-step, so that they hold at least 1 + ... + t items; distinct-root."
    ),
    lemmas=(_numbers, _step, _root),
    bound_by=f"{TESTS}::test_the_numbers_are_those_of_histograms",
    derivation=derivations.DISTINCT,
)


_failing = Lemma(
    name="excess-where-it-fails",
    statement="an outcome's excess is at most its mass, and 0 where p <= E q",
    reals=("E", "p", "q"),
    hypotheses={"masses": lambda v: every(v.p >= 0, v.q >= 0), "epsilon": lambda v: v.E >= 1},
    conclusion=lambda v: positive_part(v.p - v.E * v.q) <= v.p,
    point={"E": 2, "p": HALF, "q": 0},
    mutants=(
        Mutant("negative", without="masses"),
        Mutant("half", conclusion=lambda v: positive_part(v.p - v.E * v.q) <= HALF * v.p),
    ),
)
_PROBABILITY = Theorem(
    id="ah-probability-proved",
    statement=(
        "For every epsilon >= 0 and delta: where (1) holds, outcome by outcome, with probability at least 1 - delta "
        "under both laws of every pair of neighbours, the mechanism is (epsilon, delta)-DP."
    ),
    source="anonymized-histograms, Section 2.1, corrected",
    argument=(
        "By excess-where-it-fails the excess is at most the mass of the outcomes where (1) fails. On countably many "
        "outcomes an event has the supremum of its partial sums."
    ),
    lemmas=(_failing,),
    bound_by=f"{TESTS}::test_the_excess_is_at_most_the_mass_where_it_fails",
    derivation=derivations.PROBABILITY,
)

_mixture = Lemma(
    name="ratio-of-shares",
    statement="a share w >= 0 of masses within a ratio of E is within it",
    reals=("E", "w", "p", "q"),
    hypotheses={"share": lambda v: v.w >= 0, "ratio": lambda v: v.p <= v.E * v.q},
    conclusion=lambda v: v.w * v.p <= v.E * (v.w * v.q),
    point={"E": 2, "w": HALF, "p": HALF, "q": HALF},
    mutants=(Mutant("share-negative", without="share"), Mutant("ratio-free", without="ratio")),
)
_DEPENDENT = Theorem(
    id="ah-dependent-proved",
    statement=(
        "For steps X_1 = f_1(x, Z_1), X_i = f_i(X_(i-1), Z_i) with finitely many outcomes and independent Z_i: no "
        "ratio of the marginals of X_i is above the greatest one given Z_1, ..., Z_(i-1), and none of X_n above that "
        "of X_i; so where for all neighbours some step i has no ratio above e^epsilon given the noises before it, X_n "
        "is (epsilon, 0)-DP."
    ),
    source="anonymized-histograms, Theorem 3 and Appendix C.2",
    argument=(
        "The marginal of X_i sums ratio-of-shares over the noises before. For X_n ratio-of-shares is summed over the "
        "outcomes of X_i, w being the probability of the map."
    ),
    left=(
        "reading: the noises before step i have one law for both data sets; X_n is a map of X_i and later noises, "
        "whose law does not depend on the data."
    ),
    lemmas=(_mixture,),
    bound_by=f"{TESTS}::test_chains_are_mixtures_of_their_noises",
    derivation=derivations.DEPENDENT,
)

THEOREMS: tuple[Theorem, ...] = (_SIZES, _PROBABILITY, _DEPENDENT)
