"""Conditions on sampling rates and reporting probabilities: ratios, their fall, symmetry, and inverse probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Values, equal, every, implies
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.weighted_sampling.theorems.structure import STRICT

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_condition_theorems.py"


def growth_ratio(delta: Any, q: Any, after: Any) -> Any:
    """Return (q_(i+1) - delta)/q_i, the ratio of (20)."""
    return (after - delta) / q


def silence_ratio(delta: Any, q: Any, after: Any) -> Any:
    """Return (1 - q_i - delta)/(1 - q_(i+1)), the ratio of (25)."""
    return (1 - q - delta) / (1 - after)


def report_bound(ratio: Any, delta: Any, before: Any) -> Any:
    """Return (16), the most that privacy of a report allows."""
    return ratio * before + delta


def silence_bound(ratio: Any, delta: Any, before: Any) -> Any:
    """Return (17), the most that privacy of silence allows."""
    return 1 + (before + delta - 1) / ratio


_cross = Lemma(
    name="constraints-cross-once",
    statement="(16) is (17) exactly where x (1 + E) = 1 - delta",
    reals=("E", "delta", "x"),
    hypotheses={"epsilon": STRICT["epsilon"]},
    conclusion=lambda v: every(
        implies(
            equal(report_bound(v.E, v.delta, v.x), silence_bound(v.E, v.delta, v.x)),
            equal(v.x * (1 + v.E), 1 - v.delta),
        ),
        implies(
            equal(v.x * (1 + v.E), 1 - v.delta),
            equal(report_bound(v.E, v.delta, v.x), silence_bound(v.E, v.delta, v.x)),
        ),
    ),
    point={"E": 2, "delta": TENTH, "x": Fraction(3, 10)},
    mutants=(
        Mutant("epsilon-0", hypotheses={"epsilon": lambda v: v.E >= 1}),
        Mutant(
            "printed-first-order",
            conclusion=lambda v: equal(report_bound(v.E, v.delta, v.x), silence_bound(v.E, v.delta, v.x)),
        ),
    ),
)
_quotient = Lemma(
    name="constraints-quotient-grows",
    statement="(16) over (17) is not greater at x than at a greater y, where (17) is above 0",
    reals=("E", "delta", "x", "y"),
    hypotheses={
        **STRICT,
        "in order": lambda v: every(v.x >= 0, v.y >= v.x),
        "above 0": lambda v: 1 + (v.x + v.delta - 1) / v.E > 0,
    },
    conclusion=lambda v: (
        (v.E * v.x + v.delta) * (1 + (v.y + v.delta - 1) / v.E)
        <= (v.E * v.y + v.delta) * (1 + (v.x + v.delta - 1) / v.E)
    ),
    point={"E": 2, "delta": TENTH, "x": TENTH, "y": HALF},
    mutants=(
        Mutant("out-of-order", hypotheses={"in order": lambda v: v.x >= 0}),
        Mutant("epsilon-negative", hypotheses={"epsilon": lambda v: v.E > 0}),
    ),
)

_CROSSING = Theorem(
    id="constraints-cross",
    statement=(
        "For every epsilon > 0 and delta: (16) and (17) are equal exactly at pi = (1 - delta)/(1 + E), and (16) over "
        "(17) does not fall as pi grows."
    ),
    source="weighted-sampling, Appendix A, after Lemma A.1",
    argument="The two lemmas.",
    lemmas=(_cross, _quotient),
    bound_by="tests/proofs/test_weighted_structure.py::test_the_constraints_are_those_of_the_mechanism",
)


def _rates(v: Values) -> tuple[Any, Any, Any]:
    return 1 - v.s, 1 - v.r * v.s, 1 - v.r * v.r * v.s


PPSWOR = {
    "r": lambda v: every(v.r > 0, v.r < 1),
    "s is r^i": lambda v: every(v.s > 0, v.s < 1),
    "delta": lambda v: v.delta >= 0,
}
_falls = Lemma(
    name="growth-ratio-falls",
    statement="for q_i = 1 - r^i: (q_(i+1) - delta)/q_i does not grow where q grows by delta or more",
    reals=("delta", "r", "s"),
    hypotheses={**PPSWOR, "grows": lambda v: _rates(v)[1] - _rates(v)[0] >= v.delta},
    conclusion=lambda v: (
        growth_ratio(v.delta, _rates(v)[0], _rates(v)[1]) >= growth_ratio(v.delta, _rates(v)[1], _rates(v)[2])
    ),
    point={"delta": TENTH, "r": HALF, "s": HALF},
    mutants=(
        Mutant("slow", without="grows"),
        Mutant(
            "by-a-half",
            conclusion=lambda v: (
                growth_ratio(v.delta, _rates(v)[0], _rates(v)[1])
                >= growth_ratio(v.delta, _rates(v)[1], _rates(v)[2]) + HALF
            ),
        ),
    ),
)
_rests = Lemma(
    name="silence-ratio-falls",
    statement="for q_i = 1 - r^i: (1 - q_i - delta)/(1 - q_(i+1)) does not grow with i",
    reals=("delta", "r", "s"),
    hypotheses=PPSWOR,
    conclusion=lambda v: (
        silence_ratio(v.delta, _rates(v)[0], _rates(v)[1]) >= silence_ratio(v.delta, _rates(v)[1], _rates(v)[2])
    ),
    point={"delta": TENTH, "r": HALF, "s": HALF},
    mutants=(
        Mutant("delta-negative", without="delta"),
        Mutant("r-above-1", hypotheses={"r": lambda v: v.r > 0}),
    ),
)
_FALL = Theorem(
    id="ppswor-ratios-proved",
    statement=(
        "For q_i = 1 - r^i, 0 < r < 1, and every delta >= 0: (q_(i+1) - delta)/q_i does not grow with i >= 1 where q "
        "grows by delta or more, and (1 - q_i - delta)/(1 - q_(i+1)) does not grow with i at all."
    ),
    source="weighted-sampling, Equations (21) and (25)",
    argument="The two lemmas, with s = r^i.",
    lemmas=(_falls, _rests),
    bound_by=f"{TESTS}::test_the_rates_are_those_of_ppswor",
)

_unbiased = Lemma(
    name="inverse-probability",
    statement="g/q with probability q, else 0, has mean g and variance g^2 (1/q - 1)",
    reals=("g", "q"),
    hypotheses={"q": lambda v: v.q > 0},
    conclusion=lambda v: every(
        equal(v.q * (v.g / v.q), v.g),
        equal(
            v.q * (v.g / v.q - v.g) * (v.g / v.q - v.g) + (1 - v.q) * (0 - v.g) * (0 - v.g), v.g * v.g * (1 / v.q - 1)
        ),
    ),
    point={"g": 2, "q": HALF},
    mutants=(
        Mutant(
            "variance-of-mean",
            conclusion=lambda v: equal(
                v.q * (v.g / v.q - v.g) * (v.g / v.q - v.g) + (1 - v.q) * v.g * v.g, v.g * v.g * (1 - v.q)
            ),
        ),
        Mutant("without-inverse", conclusion=lambda v: equal(v.q * v.g, v.g)),
    ),
)
_INVERSE = Theorem(
    id="inverse-probability-proved",
    statement="For every g and q > 0: g/q for a sampled key, else 0, has mean g and variance g^2 (1/q - 1).",
    source="weighted-sampling, Equation (8) and what follows (9)",
    argument="One lemma.",
    lemmas=(_unbiased,),
    bound_by=f"{TESTS}::test_the_moments_are_those_of_a_law",
)

THEOREMS: tuple[Theorem, ...] = (_CROSSING, _FALL, _INVERSE)
