"""Order statistics of counts that nobody holds, drawn level by level, and the reduced form of KeepHeavy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import heavy_order_derivations, order_derivations
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
    uses=("order-statistics-proved",),
    derivation=(*heavy_order_derivations.PLACES, *order_derivations.SPARSE),
)


THEOREMS: tuple[Theorem, ...] = (
    _ORDERS,
    _SPARSE,
)
