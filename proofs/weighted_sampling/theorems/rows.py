"""Algorithm 4 without sampling: each row is the one before, moved by one, for every delta."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, Values, equal, every, least, positive_part
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.weighted_sampling import rows_derivations

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_weighted_rows.py"


def lower_sum(E: Any, delta: Any, a: Any, b: Any, x: Any) -> Any:
    """Return what Algorithm 4's first pass gives the values below j: a = pi_(i-1), b = pi_i, x = pi_(i-j).

    The row before has a - x below j, and leaves the key out with probability 1 - a.
    """
    silent = positive_part((1 - a) / E - (1 - b))
    return positive_part((a - x - delta) / E + silent)


def upper_sum(E: Any, delta: Any, x: Any) -> Any:
    """Return the most that the values from j on may have, x = pi_(i-j) being what they have in the row before."""
    return E * x + delta


def _silence(v: Values) -> Any:
    return v.E + v.x + v.delta - 1


ROW: dict[str, Formula] = {
    "epsilon": lambda v: v.E >= 1,
    "delta": lambda v: every(v.delta > 0, v.delta <= 1),
    "order": lambda v: every(v.x >= 0, v.x <= v.a, v.a <= 1),
}

_report = Lemma(
    name="row-report",
    statement="where (16) binds at a: each part of lower_sum, times E, is at most E (b - upper_sum) = E^2 (a - x)",
    reals=("E", "delta", "a", "b", "x"),
    hypotheses={
        **ROW,
        "(16) binds": lambda v: every(equal(v.b, v.E * v.a + v.delta), v.a * (1 + v.E) <= 1 - v.delta),
    },
    conclusion=lambda v: every(
        v.a - v.x - v.delta <= v.E * (v.b - upper_sum(v.E, v.delta, v.x)),
        1 - v.x - v.delta - v.E * (1 - v.b) <= v.E * (v.b - upper_sum(v.E, v.delta, v.x)),
        upper_sum(v.E, v.delta, v.x) <= v.b,
    ),
    point={"E": 2, "delta": TENTH, "a": TENTH, "b": Fraction(3, 10), "x": 0},
    mutants=(
        Mutant(
            "(16)-not-least",
            hypotheses={"(16) binds": lambda v: equal(v.b, v.E * v.a + v.delta)},
            counterexample={"E": 2, "delta": TENTH, "a": HALF, "b": Fraction(11, 10), "x": HALF},
        ),
        Mutant(
            "x-beyond-a",
            hypotheses={"order": lambda v: every(v.x >= 0, v.a >= 0, v.a <= 1)},
            counterexample={"E": 2, "delta": TENTH, "a": 0, "b": TENTH, "x": HALF},
        ),
    ),
)
_silent = Lemma(
    name="row-silence",
    statement="where (17) binds at a: silence costs delta/E, lower_sum is (a - x)/E, and b less that is (17) at x",
    reals=("E", "delta", "a", "b", "x"),
    hypotheses={**ROW, "(17) binds": lambda v: equal(v.E * v.b, v.E + v.a + v.delta - 1)},
    conclusion=lambda v: every(
        equal(1 - v.a - v.E * (1 - v.b), v.delta),
        equal(v.E * v.b - (v.a - v.x), _silence(v)),
        _silence(v) <= v.E * v.b,
    ),
    point={"E": 2, "delta": TENTH, "a": HALF, "b": Fraction(8, 10), "x": TENTH},
    mutants=(
        Mutant("(17)-not-met", without="(17) binds"),
        Mutant(
            "delta-twice",
            conclusion=lambda v: equal(v.E * v.b - (v.a - v.x - v.delta), _silence(v)),
        ),
    ),
)
_full = Lemma(
    name="row-full",
    statement="where b = 1: lower_sum is max(0, 1 - x - delta)/E, and 1 less that is the lesser of 1 and (17) at x",
    reals=("E", "delta", "a", "x"),
    hypotheses=ROW,
    conclusion=lambda v: every(
        equal((v.a - v.x - v.delta) + (1 - v.a), 1 - v.x - v.delta),
        equal(v.E - positive_part(1 - v.x - v.delta), least(v.E, _silence(v))),
    ),
    point={"E": 2, "delta": TENTH, "a": 1, "x": HALF},
    mutants=(
        Mutant(
            "no-delta",
            conclusion=lambda v: equal(v.E - positive_part(1 - v.x), least(v.E, _silence(v))),
        ),
    ),
)

_ROWS = Theorem(
    id="rows-closed-form-proved",
    statement=(
        "For q = 1, every epsilon >= 0 and delta in (0, 1]: the rows of Algorithm 4 are pi_ij = pi_(i-j+1) - "
        "pi_(i-j) for "
        "1 <= j <= i, so that the values from j on have pi_(i-j+1) together; L need be no integer."
    ),
    source="weighted-sampling, Lemma 5.2, for every L",
    argument=(
        "In row i - 1 the values from j on have x together, those below j have a - x. The first pass gives the values "
        "below j together lower_sum: its entries are what lower_sum rises by, which is no more than what x falls by. "
        "The second pass fills from above up to upper_sum, and once all of b = pi_i is spent leaves the rest as it "
        "is, so the values from j on have the lesser of upper_sum and b - lower_sum: induction from i down. With b "
        "the minimum of 1, (16) and (17) at a, that lesser is the minimum at x; row-report, row-silence and row-full "
        "are its cases. So where x is pi_(i-j), it is pi_(i-j+1)."
    ),
    left="reading: induction on i, for all j at once, from row 0, which reports nothing.",
    lemmas=(_report, _silent, _full),
    bound_by=f"{TESTS}::test_the_suffixes_are_those_of_the_mechanism",
    uses=("constraints-in-order", "keys-grow"),
    derivation=rows_derivations.ROWS,
)

THEOREMS: tuple[Theorem, ...] = (_ROWS,)
