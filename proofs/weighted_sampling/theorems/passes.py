"""The two passes of Algorithm 4 and the two breakpoints of Algorithm 5 give the rows of the theorems on values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, Values, equal, every, least, positive_part, some
from dpcert.proofs.theorem import Lemma, Mutant, Point, Theorem
from dpcert.proofs.weighted_sampling import pass_derivations
from dpcert.proofs.weighted_sampling.theorems.values import EPSILON, KEYS, SLACK, least_prefix, prefix

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_weighted_values.py"


def least_entry(E: Any, delta: Any, g: Any, X: Any, P: Any) -> Any:
    """Return the entry of the first pass at a value up to which row i - 1 has X, P being what was given below it."""
    return positive_part((X - delta) / E - P + g)


def _least(v: Values, X: Any) -> Any:
    return least_prefix(v.E, v.delta, v.g, X)


def _prefix(v: Values, X: Any) -> Any:
    return prefix(v.E, v.delta, v.g, v.x, v.y, X)


def _filled(above: Any, left: Any, room: Any) -> Any:
    """Whether values have all that privacy allows them, or no mass is left and they have at most that."""
    return some(every(equal(above, room), left >= 0), every(equal(left, 0), above <= room))


_first = Lemma(
    name="first-pass-step",
    statement="the next entry of the first pass makes what was given so far into the same of the next value",
    reals=("E", "delta", "g", "X", "a"),
    hypotheses={"epsilon": EPSILON["epsilon"], "a": lambda v: v.a >= 0},
    conclusion=lambda v: equal(
        _least(v, v.X) + least_entry(v.E, v.delta, v.g, v.X + v.a, _least(v, v.X)), _least(v, v.X + v.a)
    ),
    point={"E": 2, "delta": TENTH, "g": 0, "X": TENTH, "a": HALF},
    mutants=(
        Mutant("a-negative", without="a"),
        Mutant(
            "value-before",
            conclusion=lambda v: equal(
                _least(v, v.X) + least_entry(v.E, v.delta, v.g, v.X, _least(v, v.X)), _least(v, v.X + v.a)
            ),
        ),
    ),
)
_second = Lemma(
    name="second-pass-step",
    statement="a value raised by the lesser of its room and what is left keeps all values above as they are meant",
    reals=("E", "delta", "x", "A", "a", "l", "above", "left", "added"),
    hypotheses={
        "the least entry": lambda v: v.l <= v.E * v.a,
        "above": lambda v: _filled(v.above, v.left, v.E * (v.x - (v.A + v.a)) + v.delta),
        "added": lambda v: some(
            every(equal(v.left, 0), equal(v.added, 0)),
            equal(v.added, least(v.E * (v.x - v.A) + v.delta - v.above - v.l, v.left)),
        ),
    },
    conclusion=lambda v: _filled(v.above + v.l + v.added, v.left - v.added, v.E * (v.x - v.A) + v.delta),
    point={"E": 2, "delta": TENTH, "x": HALF, "A": 0, "a": HALF, "l": 0, "above": TENTH, "left": HALF, "added": HALF},
    mutants=(
        Mutant("entry-large", without="the least entry"),
        Mutant("above-otherwise", without="above"),
        Mutant("all-added", hypotheses={"added": lambda v: equal(v.added, v.left)}),
    ),
)
_both = Lemma(
    name="passes-prefix",
    statement="what the values above leave of y is `prefix`, the first pass having given `least_prefix`",
    reals=("E", "delta", "g", "x", "y", "X", "above", "left"),
    hypotheses={
        "epsilon": EPSILON["epsilon"],
        "all mass": lambda v: equal(v.above + v.left + _least(v, v.X), v.y),
        "above": lambda v: _filled(v.above, v.left, v.E * (v.x - v.X) + v.delta),
    },
    conclusion=lambda v: equal(v.y - v.above, _prefix(v, v.X)),
    point={
        "E": 2,
        "delta": TENTH,
        "g": 0,
        "x": HALF,
        "y": Fraction(7, 10),
        "X": TENTH,
        "above": Fraction(7, 10),
        "left": 0,
    },
    mutants=(
        Mutant("mass-lost", without="all mass"),
        Mutant("above-otherwise", without="above"),
    ),
)

_PASSES = Theorem(
    id="passes-proved",
    statement=(
        "For every epsilon >= 0, delta in [0, 1], non-decreasing q and i >= 1: the two passes of Algorithm 4 give the "
        "values up to each j < i, in row i, `prefix` of what they have in row i - 1, the new value i what is left of "
        "pi_i, and place all of pi_i. A least entry is at most pi_(i-1,j)/e^epsilon, and 0 or that on either side of a "
        "place; an entry above the one at which the second pass ends is e^epsilon pi_(i-1,j)."
    ),
    source="weighted-sampling, Algorithm 4",
    argument=(
        "First pass: induction on j by first-pass-step. Second pass: induction on the number of values raised, from i "
        "down, which the first pass has given nothing, new-entry, by second-pass-step: these have what privacy allows, "
        "or nothing is left. passes-prefix."
    ),
    lemmas=(_first, _second, _both),
    bound_by=f"{TESTS}::test_passes_are_those_of_algorithm_4",
    uses=("values-private-proved",),
    derivation=pass_derivations.PASSES,
)

_C: dict[str, Formula] = {
    "x": lambda v: every(v.x >= 0, v.C >= 0, v.x >= v.C),
    "c": lambda v: equal(_least(v, v.C) + v.E * (v.x - v.C), v.y - least(v.y, v.delta)),
}
_CUT: Point = {"E": 2, "delta": TENTH, "g": 0, "x": HALF, "y": Fraction(7, 10), "C": Fraction(7, 30)}

_reach = Lemma(
    name="density-reach",
    statement="nothing up to the mass delta - E g and 1/E of what is beyond is `least_prefix`",
    reals=("E", "delta", "g", "X"),
    hypotheses={"epsilon": EPSILON["epsilon"]},
    conclusion=lambda v: equal(positive_part(v.X - (v.delta - v.E * v.g)) / v.E, _least(v, v.X)),
    point={"E": 2, "delta": TENTH, "g": 0, "X": HALF},
    mutants=(
        Mutant("reach-delta", conclusion=lambda v: equal(positive_part(v.X - v.delta) / v.E, _least(v, v.X))),
        Mutant("printed-gap", conclusion=lambda v: equal(positive_part(v.X - (v.delta - v.g)) / v.E, _least(v, v.X))),
    ),
)
_exists = Lemma(
    name="density-switch-exists",
    statement="the least density has at most y - min(y, delta) in all, and E times the density before at least that",
    reals=("E", "delta", "x", "y", "g"),
    hypotheses={**KEYS, **SLACK, "delta up to 1": lambda v: v.delta <= 1},
    conclusion=lambda v: every(_least(v, v.x) <= v.y - least(v.y, v.delta), v.y - least(v.y, v.delta) <= v.E * v.x),
    point={"E": 2, "delta": TENTH, "g": 0, "x": HALF, "y": Fraction(7, 10)},
    mutants=(
        Mutant("report-leaks", without="report"),
        Mutant("any-g", without="g is either"),
    ),
)
_below = Lemma(
    name="density-below",
    statement="up to c the least density is `prefix`",
    reals=("E", "delta", "g", "x", "y", "C", "X"),
    hypotheses={**EPSILON, **_C, "X": lambda v: every(v.X >= 0, v.X <= v.C)},
    conclusion=lambda v: equal(_prefix(v, v.X), _least(v, v.X)),
    point={**_CUT, "X": TENTH},
    mutants=(
        Mutant("beyond-c", hypotheses={"X": lambda v: every(v.X >= 0, v.x >= v.X)}),
        Mutant("any-c", without="c"),
    ),
)
_beyond = Lemma(
    name="density-beyond",
    statement="beyond c the least density up to c and E times the density before from there are `prefix`",
    reals=("E", "delta", "g", "x", "y", "C", "X"),
    hypotheses={
        **EPSILON,
        **_C,
        "X": lambda v: every(v.X >= v.C, v.x >= v.X),
        "y": lambda v: v.y >= 0,
        "g": lambda v: v.E * v.g <= v.delta,
    },
    conclusion=lambda v: equal(_prefix(v, v.X), _least(v, v.C) + v.E * (v.X - v.C)),
    point={**_CUT, "X": Fraction(2, 5)},
    mutants=(
        Mutant("before-c", hypotheses={"X": lambda v: every(v.X >= 0, v.x >= v.X)}),
        Mutant("any-c", without="c"),
    ),
)

_DENSITIES = Theorem(
    id="densities-proved",
    statement=(
        "For every epsilon >= 0, delta in [0, 1], non-decreasing q and i >= 1: there is a c as Algorithm 5 needs it, "
        "and with it f_i has on (0, z], for every z <= i - 1, `prefix` of what f_(i-1) has there, and on (i - 1, i] "
        "what is left of pi_i."
    ),
    source="weighted-sampling, Algorithm 5",
    argument=(
        "density-reach for the least density f_L, whose breakpoint b is where f_(i-1) has delta - E g. As c moves down "
        "the mass grows, linearly in each cell, between the bounds of density-switch-exists, and takes every value "
        "between them: no-switch-at-all and switch-within-a-cell. density-below and density-beyond, the latter at z = "
        "i - 1 too."
    ),
    left="reading: f_(i-1) and f_L are constant in each of finitely many cells.",
    lemmas=(_reach, _exists, _below, _beyond),
    bound_by=f"{TESTS}::test_prefixes_are_those_of_both_algorithms",
    uses=("values-private-proved",),
    derivation=pass_derivations.DENSITIES,
)

THEOREMS: tuple[Theorem, ...] = (_PASSES, _DENSITIES)
