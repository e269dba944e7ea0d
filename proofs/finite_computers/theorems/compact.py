"""Compact histograms, for every sampler and every field: their privacy and their accuracy from that of each count."""

from __future__ import annotations

from fractions import Fraction

from dpcert.proofs.finite_computers import compact_derivations
from dpcert.proofs.terms import Formula, equal, every, some
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
TESTS = "tests/proofs/theorems/test_compact_theorems.py"

RATIOS: dict[str, Formula] = {
    "ratios": lambda v: every(v.R >= 1, v.A >= 1),
    "probabilities": lambda v: every(v.m1 >= 0, v.m0 >= 0, v.z >= 0),
    "one less": lambda v: some(equal(v.q, v.m0), equal(v.q, v.z)),
}

_leaves = Lemma(
    name="compact-one-less",
    statement="a count's probability m1 is at most R A times that of one less: m0, or the empty bin's z with m0 <= A z",
    reals=("R", "A", "m1", "m0", "z", "q"),
    hypotheses={
        **RATIOS,
        "private": lambda v: v.m1 <= v.R * v.m0,
        "empty bin": lambda v: v.m0 <= v.A * v.z,
    },
    conclusion=lambda v: v.m1 <= v.R * v.A * v.q,
    point={"R": 2, "A": 2, "m1": HALF, "m0": HALF, "z": THIRD, "q": THIRD},
    mutants=(
        Mutant("not-private", without="private"),
        Mutant("other-bin", without="empty bin"),
        Mutant("another-law", without="one less"),
        Mutant("without-A", conclusion=lambda v: v.m1 <= v.R * v.q),
        Mutant("without-R", conclusion=lambda v: v.m1 <= v.A * v.q),
    ),
)
_enters = Lemma(
    name="compact-one-more",
    statement="that of one less, m0 or z with z <= A m0, is at most R A times that of the count, m1",
    reals=("R", "A", "m1", "m0", "z", "q"),
    hypotheses={
        **RATIOS,
        "private": lambda v: v.m0 <= v.R * v.m1,
        "empty bin": lambda v: v.z <= v.A * v.m0,
    },
    conclusion=lambda v: v.q <= v.R * v.A * v.m1,
    point={"R": 2, "A": 2, "m1": HALF, "m0": HALF, "z": THIRD, "q": THIRD},
    mutants=(
        Mutant("not-private", without="private"),
        Mutant("other-bin", without="empty bin"),
        Mutant("another-law", without="one less"),
        Mutant("without-A", conclusion=lambda v: v.q <= v.R * v.m1),
        Mutant("without-R", conclusion=lambda v: v.q <= v.A * v.m1),
    ),
)
_product = Lemma(
    name="compact-two-labels",
    statement="two independent counts within ratios of R and S are within R S together",
    reals=("R", "S", "p", "q", "x", "y"),
    hypotheses={
        "ratios": lambda v: every(v.R >= 1, v.S >= 1),
        "probabilities": lambda v: every(v.p >= 0, v.q >= 0, v.x >= 0, v.y >= 0),
        "one label": lambda v: v.p <= v.R * v.q,
        "the other": lambda v: v.x <= v.S * v.y,
    },
    conclusion=lambda v: v.p * v.x <= v.R * v.S * (v.q * v.y),
    point={"R": 2, "S": 3, "p": HALF, "q": HALF, "x": HALF, "y": HALF},
    mutants=(
        Mutant("one-free", without="one label"),
        Mutant("other-free", without="the other"),
        Mutant("one-ratio", conclusion=lambda v: v.p * v.x <= v.R * (v.q * v.y)),
    ),
)

_COMPACT = Theorem(
    id="compact-private-proved",
    statement=(
        "For every M that is (e1/2, 0)-DP for counts that differ by one, M0 whose probabilities are at most e^e2 times "
        "those of M at 0, which are at most e^e3 times those of M0, number of labels and of field elements: the "
        "compact histogram is (e1 + e2 + e3, 0)-DP."
    ),
    source="finite-computers, Theorem 8.3 i to iii",
    argument=(
        "On the labels that occur in either of two neighbouring lists, n + 1 at most, the coefficients have "
        "independent values, that of a label with its count's probability by M, or M0 if it does not occur, spread "
        "evenly over the elements that M0 maps to the count. The labels common to both lists have weights from 0 to 1, "
        "weight-of-others and event-with-others. All but two factors cancel: compact-one-less, compact-one-more and "
        "compact-two-labels."
    ),
    left=(
        "counting: through n + 1 points goes one polynomial of degree up to n, over any field, so that the values "
        "there are independent where the polynomial is drawn by them."
    ),
    lemmas=(_leaves, _enters, _product),
    bound_by=f"{TESTS}::test_releases_are_products_of_counts",
    derivation=compact_derivations.COMPACT,
)

THEOREMS: tuple[Theorem, ...] = (_COMPACT,)
