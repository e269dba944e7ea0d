"""Algorithms 4 and 5 for every non-decreasing q: their privacy, and that no other values separate frequencies further.

A value is a number of Algorithm 4 or a cell of Algorithm 5. Row i - 1 reports with the probability x, row i with y. Of
row i - 1 the values up to some place have the mass X together: of row i they have `prefix`, a function of X alone.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, Values, equal, every, greatest, positive_part, some
from dpcert.proofs.theorem import Lemma, Mutant, Point, Theorem
from dpcert.proofs.weighted_sampling import value_derivations

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_weighted_values.py"


def silence(E: Any, x: Any, y: Any) -> Any:
    """Return max(0, (1 - x)/E - (1 - y)), what the least entries of a row are raised by in all."""
    return positive_part((1 - x) / E - (1 - y))


def least_prefix(E: Any, delta: Any, g: Any, X: Any) -> Any:
    """Return max(0, (X - delta)/E + g), what the first pass gives, g being `silence`."""
    return greatest(0, (X - delta) / E + g)


def prefix(E: Any, delta: Any, g: Any, x: Any, y: Any, X: Any) -> Any:
    """Return the mass in row i of values that have the mass X in row i - 1, up to one place, g being `silence`."""
    return greatest(0, (X - delta) / E + g, y - E * (x - X) - delta)


def _least(v: Values, X: Any) -> Any:
    return least_prefix(v.E, v.delta, v.g, X)


def _prefix(v: Values, X: Any) -> Any:
    return prefix(v.E, v.delta, v.g, v.x, v.y, X)


EPSILON: dict[str, Formula] = {"epsilon": lambda v: v.E >= 1, "delta": lambda v: v.delta >= 0}
KEYS: dict[str, Formula] = {
    **EPSILON,
    "probabilities": lambda v: every(v.x >= 0, v.x <= v.y, v.y <= 1),
    "report": lambda v: v.y <= v.E * v.x + v.delta,
    "silence": lambda v: 1 - v.x <= v.E * (1 - v.y) + v.delta,
}
SLACK: dict[str, Formula] = {
    "g": lambda v: every(v.g >= 0, v.E * v.g <= v.delta, v.E * v.g >= (1 - v.x) - v.E * (1 - v.y)),
    "g is either": lambda v: some(equal(v.g, 0), equal(v.E * v.g, (1 - v.x) - v.E * (1 - v.y))),
}
POINT: Point = {"E": 2, "delta": TENTH, "x": HALF, "y": Fraction(7, 10), "g": 0}

_silence = Lemma(
    name="values-silence",
    statement="E times the silence is from 0 to delta, and (1 - x) - E (1 - y) where that is above 0",
    reals=("E", "delta", "x", "y", "g"),
    hypotheses={**KEYS, "g": lambda v: equal(v.g, silence(v.E, v.x, v.y))},
    conclusion=lambda v: every(SLACK["g"](v), SLACK["g is either"](v)),
    point=POINT,
    mutants=(
        Mutant("silence-leaks", without="silence"),
        Mutant("any-g", hypotheses={"g": lambda v: v.g >= 0}),
        Mutant("half", conclusion=lambda v: 2 * v.E * v.g <= v.delta),
    ),
)
_start = Lemma(
    name="values-start",
    statement="values without mass in row i - 1 have none in the least row i and none in row i",
    reals=("E", "delta", "x", "y", "g", "X"),
    hypotheses={
        "epsilon": EPSILON["epsilon"],
        "report": KEYS["report"],
        "g": lambda v: v.E * v.g <= v.delta,
        "none": lambda v: equal(v.X, 0),
    },
    conclusion=lambda v: every(equal(_least(v, v.X), 0), equal(_prefix(v, v.X), 0)),
    point={**POINT, "X": 0},
    mutants=(
        Mutant("some", without="none"),
        Mutant("report-leaks", without="report"),
        Mutant("g-large", hypotheses={"g": lambda v: v.g >= 0}),
    ),
)
_step = Lemma(
    name="values-step",
    statement="where row i - 1 has a more, row i has no less, and at most E a more",
    reals=("E", "delta", "x", "y", "g", "X", "a"),
    hypotheses={"epsilon": EPSILON["epsilon"], "a": lambda v: v.a >= 0},
    conclusion=lambda v: every(
        _prefix(v, v.X + v.a) >= _prefix(v, v.X), _prefix(v, v.X + v.a) - _prefix(v, v.X) <= v.E * v.a
    ),
    point={**POINT, "X": TENTH, "a": TENTH},
    mutants=(
        Mutant("a-negative", without="a"),
        Mutant("epsilon-negative", hypotheses={"epsilon": lambda v: v.E > 0}),
        Mutant("rows-alike", conclusion=lambda v: _prefix(v, v.X + v.a) - _prefix(v, v.X) <= v.a),
    ),
)
_rise = Lemma(
    name="least-step",
    statement="where row i - 1 has a more, the least row i has at most a/E more, and row i no less than that",
    reals=("E", "delta", "x", "y", "g", "X", "a"),
    hypotheses={"epsilon": EPSILON["epsilon"], "a": lambda v: v.a >= 0},
    conclusion=lambda v: every(
        v.E * (_least(v, v.X + v.a) - _least(v, v.X)) <= v.a,
        _least(v, v.X + v.a) - _least(v, v.X) <= _prefix(v, v.X + v.a) - _prefix(v, v.X),
    ),
    point={**POINT, "X": TENTH, "a": TENTH},
    mutants=(
        Mutant("a-negative", without="a"),
        Mutant("epsilon-negative", hypotheses={"epsilon": lambda v: v.E > 0}),
        Mutant("strictly", conclusion=lambda v: v.E * (_least(v, v.X + v.a) - _least(v, v.X)) < v.a),
    ),
)
_end = Lemma(
    name="values-end",
    statement="row i leaves from 0 to delta of y for new values; the least row is short of x/E by at most delta/E - g",
    reals=("E", "delta", "x", "y", "g", "X"),
    hypotheses={
        **EPSILON,
        "order": lambda v: every(v.x >= 0, v.x <= v.y),
        "g": lambda v: v.E * v.g <= v.delta,
        "all": lambda v: equal(v.X, v.x),
    },
    conclusion=lambda v: every(
        _prefix(v, v.X) <= v.y,
        v.y - _prefix(v, v.X) <= v.delta,
        v.x - v.E * _least(v, v.X) <= v.delta - v.E * v.g,
        v.E * _least(v, v.X) <= v.x,
    ),
    point={**POINT, "X": HALF},
    mutants=(
        Mutant("y-below-x", hypotheses={"order": lambda v: v.x >= 0}),
        Mutant("g-large", without="g"),
        Mutant("not-all", without="all"),
        Mutant("half", conclusion=lambda v: 2 * (v.y - _prefix(v, v.X)) <= v.delta),
    ),
)
_order = Lemma(
    name="values-order",
    statement="up to each place row i has at most y - x more than row i - 1, so that what is beyond has no less",
    reals=("E", "delta", "x", "y", "g", "X"),
    hypotheses={
        **EPSILON,
        "order": lambda v: every(v.X >= 0, v.x >= v.X, v.x <= v.y),
        "g": lambda v: v.E * v.g <= v.delta,
    },
    conclusion=lambda v: v.y - _prefix(v, v.X) >= v.x - v.X,
    point={**POINT, "X": TENTH},
    mutants=(
        Mutant("y-below-x", hypotheses={"order": lambda v: every(v.X >= 0, v.x >= v.X)}),
        Mutant("g-large", without="g"),
        Mutant("more", conclusion=lambda v: v.y - _prefix(v, v.X) > v.x - v.X),
    ),
)

_PRIVATE = Theorem(
    id="values-private-proved",
    statement=(
        "For every epsilon >= 0, delta in [0, 1], non-decreasing q, i >= 1 and number of values: let row i have, on "
        "the values up to each place, `prefix` of what row i - 1 has there, and what that leaves of pi_i on new "
        "values, in whatever shares. Then no entry is below 0, row i reports with pi_i <= q_i, and rows i - 1 and i "
        "are (epsilon, delta)-close, for every event, in both orders."
    ),
    source="weighted-sampling, Theorems 5.1 and C.2, Lemma C.1",
    argument=(
        "Induction on i, entry by entry by values-step and least-step. Row i exceeds E times the row before on new "
        "values alone, by delta at most. The row before exceeds E times row i by no more than where row i is the "
        "least row, with the silence by delta at most: values-end."
    ),
    lemmas=(_silence, _start, _step, _rise, _end),
    bound_by=f"{TESTS}::test_prefixes_are_those_of_both_algorithms",
    uses=("keys-grow", "keys-private"),
    derivation=value_derivations.PRIVATE,
)

_above = Lemma(
    name="values-least",
    statement="a private row i that reports with y has R >= `prefix` on the values that have X in row i - 1",
    reals=("E", "delta", "x", "y", "g", "X", "R"),
    hypotheses={
        **EPSILON,
        "g is either": lambda v: some(equal(v.g, 0), equal(v.E * v.g, (1 - v.x) - v.E * (1 - v.y))),
        "R": lambda v: v.R >= 0,
        "values": lambda v: v.E * v.R + v.delta >= v.X,
        "values and silence": lambda v: (1 - v.x) + v.X <= v.E * ((1 - v.y) + v.R) + v.delta,
        "values beyond": lambda v: v.y - v.R <= v.E * (v.x - v.X) + v.delta,
    },
    conclusion=lambda v: _prefix(v, v.X) <= v.R,
    point={**POINT, "X": TENTH, "R": TENTH},
    mutants=(
        Mutant("any-g", without="g is either"),
        Mutant("values-leak", without="values"),
        Mutant("silence-leaks", without="values and silence"),
        Mutant("beyond-leaks", without="values beyond"),
        Mutant("negative", without="R"),
    ),
)

_SEPARATE = Theorem(
    id="values-separate-proved",
    statement=(
        "For the rows of theorem values-private-proved: the probability of a value beyond any place does not fall "
        "from row i - 1 to i. For every other private sanitizer that reports each frequency i with pi_i, every s, "
        "place below which no row after s has new values, and set of its own values: if it has on that set, in row "
        "s, at least what these rows have up to the place, so it has in every row after s. So these rows separate "
        "any two frequencies best, and have a pair of keys in order most often."
    ),
    source="weighted-sampling, Theorems 5.1, C.2 and D.1, corrected, and Corollary 6.1, corrected",
    argument=(
        "By values-least a row i has at least `prefix` of what it has in row i - 1; that does not fall with what it "
        "has there, by values-step, and it is what the rows of theorem values-private-proved have. Induction on the "
        "rows after s. A pair is in order less often the greater these masses are, cell by cell of the lower "
        "frequency's values."
    ),
    left=(
        "analysis: values, in their order, of two sanitizers that report a frequency equally often can be cut into "
        "cells that agree in their masses, as finely as wanted; that set of values is then one of cells."
    ),
    lemmas=(_order, _above),
    bound_by=f"{TESTS}::test_prefixes_are_those_of_both_algorithms",
    uses=("values-private-proved",),
    derivation=value_derivations.SEPARATE,
)
THEOREMS: tuple[Theorem, ...] = (_PRIVATE, _SEPARATE)
