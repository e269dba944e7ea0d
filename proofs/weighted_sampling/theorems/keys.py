"""How often a key may be reported: privacy, growth, optimality, and the order of the recurrence's three terms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Values, every
from dpcert.proofs.theorem import Lemma, Mutant, Point, Theorem
from dpcert.proofs.weighted_sampling import derivations, order_derivations
from dpcert.proofs.weighted_sampling.recurrence import next_probability

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)

POINT: Point = {"E": 2, "delta": TENTH, "q": HALF, "a": Fraction(1, 5)}


def _b(v: Values) -> Any:
    return next_probability(v.E, v.delta, v.q, v.a)


DOMAIN = {
    "epsilon": lambda v: v.E >= 1,
    "delta": lambda v: every(v.delta >= 0, v.delta <= 1),
    "a is a probability": lambda v: every(v.a >= 0, v.a <= 1),
    "q is a probability": lambda v: every(v.q >= 0, v.q <= 1),
}
GROWING = {**DOMAIN, "q is at least a": lambda v: v.q >= v.a}

_grow = Lemma(
    name="keys-grow",
    statement="a <= pi_i <= 1 for a = pi_(i-1) <= q_i",
    reals=("E", "delta", "q", "a"),
    hypotheses=GROWING,
    conclusion=lambda v: every(v.a <= _b(v), _b(v) <= v.q),
    point=POINT,
    mutants=(
        Mutant("q-may-fall", without="q is at least a"),
        Mutant("epsilon-negative", hypotheses={"epsilon": lambda v: v.E > 0}),
        Mutant("strictly", conclusion=lambda v: v.a < _b(v)),
    ),
)

_KEYS_GROW = Theorem(
    id="keys-grow",
    statement=(
        "For every epsilon >= 0, delta in [0, 1] and non-decreasing q, 0 <= pi_(i-1) <= pi_i <= q_i for all i >= 1."
    ),
    source="weighted-sampling, Lemma 4.1 and Algorithm 3",
    argument=(
        "Induction on i. Base: pi_0 = 0 <= q_1. Step: keys-grow with a = pi_(i-1) <= q_(i-1) <= q_i; its conclusion "
        "pi_i <= q_i is the hypothesis of the next step."
    ),
    lemmas=(_grow,),
    bound_by="tests/proofs/test_weighted_keys.py::test_the_recurrence_is_that_of_the_mechanism",
    derivation=derivations.GROW,
)

_private = Lemma(
    name="keys-private",
    statement="reports of a key of frequency i - 1 and i are (epsilon, delta)-close, for every event, in both orders",
    reals=("E", "delta", "q", "a"),
    hypotheses=GROWING,
    conclusion=lambda v: every(
        _b(v) <= v.E * v.a + v.delta,
        v.a <= v.E * _b(v) + v.delta,
        1 - _b(v) <= v.E * (1 - v.a) + v.delta,
        1 - v.a <= v.E * (1 - _b(v)) + v.delta,
    ),
    point=POINT,
    mutants=(
        Mutant("q-may-fall", without="q is at least a"),
        Mutant("delta-halved", conclusion=lambda v: _b(v) <= v.E * v.a + v.delta / 2),
        Mutant("silence-halved", conclusion=lambda v: 1 - v.a <= v.E * (1 - _b(v)) + v.delta / 2),
        Mutant("pure", conclusion=lambda v: _b(v) <= v.E * v.a),
    ),
)

_KEYS_PRIVATE = Theorem(
    id="keys-private",
    statement=(
        "For every epsilon >= 0, delta in [0, 1], non-decreasing q and i >= 1, reporting a key with probability pi_i "
        "is (epsilon, delta)-differentially private for frequencies that differ by one."
    ),
    source="weighted-sampling, Lemma 4.1",
    argument=(
        "The outcome is one bit: keys-private has the report and the silence, in both orders, and an event weighs "
        "them, event-of-one-bit. Its hypothesis q_i >= pi_(i-1) is theorem keys-grow."
    ),
    lemmas=(_private,),
    bound_by="tests/proofs/test_weighted_keys.py::test_the_recurrence_is_that_of_the_mechanism",
    uses=("keys-grow",),
    derivation=(*derivations.PRIVATE, *order_derivations.EVENT),
)

THEOREMS: tuple[Theorem, ...] = (_KEYS_GROW, _KEYS_PRIVATE)
