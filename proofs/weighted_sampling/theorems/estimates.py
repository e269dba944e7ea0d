"""Estimates from samples: two keys, the first frequency, and no privacy at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Values, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.weighted_sampling import derivations, order_derivations
from dpcert.proofs.weighted_sampling.recurrence import next_probability

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_condition_theorems.py"


def over_two_keys(v: Values, value: Any) -> Any:
    """Return the mean of a function of u + w or v + x, ..., for u with probability q, else v, and w with r, else x."""
    return (
        v.q * v.r * value(v.u + v.w)
        + v.q * (1 - v.r) * value(v.u + v.x)
        + (1 - v.q) * v.r * value(v.v + v.w)
        + (1 - v.q) * (1 - v.r) * value(v.v + v.x)
    )


def _means(v: Values) -> tuple[Any, Any]:
    return v.q * v.u + (1 - v.q) * v.v, v.r * v.w + (1 - v.r) * v.x


def _squares(v: Values) -> Any:
    return v.q * v.u * v.u + (1 - v.q) * v.v * v.v + v.r * v.w * v.w + (1 - v.r) * v.x * v.x


_two = Lemma(
    name="two-keys",
    statement="of two independent values the means add up, and so do the mean squares where both means are 0",
    reals=("q", "r", "u", "v", "w", "x"),
    hypotheses={},
    conclusion=lambda v: every(
        equal(over_two_keys(v, lambda x: x), _means(v)[0] + _means(v)[1]),
        equal(over_two_keys(v, lambda x: x * x), _squares(v) + 2 * _means(v)[0] * _means(v)[1]),
    ),
    point={"q": HALF, "r": 1, "u": 1, "v": 0, "w": 2, "x": 3},
    mutants=(
        Mutant("one-mean", conclusion=lambda v: equal(over_two_keys(v, lambda x: x), _means(v)[0])),
        Mutant("any-means", conclusion=lambda v: equal(over_two_keys(v, lambda x: x * x), _squares(v))),
    ),
)
_KEYS = Theorem(
    id="two-keys-proved",
    statement=(
        "For two keys, weights L and rates q > 0: the sum of L(x) g(w_x)/q over the sampled keys has the mean sum of "
        "L(x) g(w_x) and the variance sum of L(x)^2 g(w_x)^2 (1/q - 1)."
    ),
    source="weighted-sampling, Equation (9) and what follows it",
    argument=(
        "two-keys for the values L g/q or 0, and for what they are off their means, which are 0, over the four "
        "outcomes of two independent keys; each key's moments are those of inverse-probability-proved, times L and "
        "L^2."
    ),
    lemmas=(_two,),
    bound_by=f"{TESTS}::test_the_moments_of_two_keys_are_those_of_their_law",
    uses=("inverse-probability-proved",),
    derivation=order_derivations.TWO_KEYS,
)

_square = Lemma(
    name="square-of-value",
    statement="a value's square is at least its tangent at 1/delta: p a^2 >= p (2 a/delta - 1/delta^2)",
    reals=("p", "a", "delta"),
    hypotheses={"share": lambda v: v.p >= 0, "delta": lambda v: v.delta > 0},
    conclusion=lambda v: v.p * (v.a * v.a) >= v.p * (2 * v.a / v.delta - 1 / (v.delta * v.delta)),
    point={"p": HALF, "a": 1, "delta": HALF},
    mutants=(
        Mutant("share-negative", without="share"),
        Mutant(
            "steeper", conclusion=lambda v: v.p * (v.a * v.a) >= v.p * (3 * v.a / v.delta - 1 / (v.delta * v.delta))
        ),
    ),
)
_FIRST = Theorem(
    id="first-frequency-proved",
    statement=(
        "For q = 1 and every delta > 0: an unbiased estimate of frequencies, 0 where a key is not reported, has on "
        "frequency 1 the mean 1, 1/delta given a report, and a variance of at least 1/delta - 1, which 1/delta has."
    ),
    source="weighted-sampling, Section 7.1 and Appendix F, corrected",
    argument=(
        "Frequency 1 is reported with probability delta. Sum square-of-value over the reported values: the mean square "
        "is at least 2/delta - 1/delta."
    ),
    lemmas=(_square,),
    bound_by=f"{TESTS}::test_the_first_frequency_is_reported_with_delta",
    derivation=derivations.FIRST,
)

_open = Lemma(
    name="no-privacy",
    statement="for delta = 1 the next probability is 1, and 1 - 1/(2 x) is below 1",
    reals=("E", "a", "x"),
    hypotheses={"epsilon": lambda v: v.E >= 1, "a": lambda v: v.a >= 0, "x": lambda v: v.x >= 1},
    conclusion=lambda v: every(equal(next_probability(v.E, 1, 1, v.a), 1), 1 - 1 / (2 * v.x) < 1),
    point={"E": 2, "a": HALF, "x": 1},
    mutants=(
        Mutant("a-negative", without="a"),
        Mutant("half", conclusion=lambda v: 1 - 1 / (2 * v.x) <= HALF),
    ),
)
_OPEN = Theorem(
    id="no-privacy-proved",
    statement=(
        "For q = 1, delta = 1 and every epsilon >= 0 and i >= 1: pi_i = 1, and phi_i = 1 - e^(-epsilon (i-1))/2 < 1."
    ),
    source="weighted-sampling, Section 8.2",
    argument="One lemma, as pi_(i-1) >= 0.",
    lemmas=(_open,),
    bound_by=f"{TESTS}::test_without_privacy_all_keys_are_reported",
    uses=("keys-grow",),
)

THEOREMS: tuple[Theorem, ...] = (_KEYS, _FIRST, _OPEN)
