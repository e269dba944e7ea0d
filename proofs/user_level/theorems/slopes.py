"""How fast one user's part of the error bound changes with the threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import every, greatest, positive_part, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)


def user_term(weight: Any, norm: Any, share: Any, clip: Any) -> Any:
    """Return w max(nu - C, 0) + (eta/n) C."""
    return weight * positive_part(norm - clip) + share * clip


_slope = Lemma(
    name="user-term-slope",
    statement="w max(nu - C, 0) + s C changes by at most max(w, s) for each unit of C",
    reals=("w", "nu", "s", "c", "d"),
    hypotheses={"weights": lambda v: every(v.w >= 0, v.s >= 0), "order": lambda v: v.c <= v.d},
    conclusion=lambda v: (
        size(user_term(v.w, v.nu, v.s, v.d) - user_term(v.w, v.nu, v.s, v.c)) <= greatest(v.w, v.s) * (v.d - v.c)
    ),
    point={"w": 1, "nu": 2, "s": HALF, "c": 0, "d": 1},
    mutants=(
        Mutant("weights-negative", without="weights"),
        Mutant(
            "weight-alone",
            conclusion=lambda v: (
                size(user_term(v.w, v.nu, v.s, v.d) - user_term(v.w, v.nu, v.s, v.c)) <= v.w * (v.d - v.c)
            ),
        ),
    ),
)

_SLOPE = Theorem(
    id="user-slope-proved",
    statement=(
        "For every weight w >= 0, norm nu, eta >= 0 and n: a user's term w max(nu - C, 0) + (eta/n) C changes by at "
        "most max(w, eta/n) for each unit of C."
    ),
    source="user-level-histograms, Appendix A.2",
    argument="One lemma, with s = eta/n.",
    lemmas=(_slope,),
    bound_by="tests/proofs/test_user_level_theorems.py::test_a_users_term_is_that_of_the_bound",
)

THEOREMS: tuple[Theorem, ...] = (_SLOPE,)
