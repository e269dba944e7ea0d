"""Post-processing, outcome by outcome."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import (
    derivations,
)
from dpcert.proofs.terms import every, positive_part
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
TESTS = "tests/proofs/test_basics_theorems.py"


def excess(E: Any, p: Any, q: Any) -> Any:
    """Return max(0, p - E q), what an outcome adds to the least delta at E = e^epsilon."""
    return positive_part(p - E * q)


_post = Lemma(
    name="post-processing-step",
    statement="a mapped outcome's excess grows by at most the share t of the excess of one more outcome",
    reals=("E", "p", "q", "t", "P", "Q", "D"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "laws": lambda v: every(v.p >= 0, v.q >= 0, v.P >= 0, v.Q >= 0),
        "share": lambda v: v.t >= 0,
        "so far": lambda v: excess(v.E, v.P, v.Q) <= v.D,
    },
    conclusion=lambda v: excess(v.E, v.P + v.t * v.p, v.Q + v.t * v.q) <= v.D + v.t * excess(v.E, v.p, v.q),
    point={"E": 2, "p": HALF, "q": TENTH, "t": HALF, "P": HALF, "Q": TENTH, "D": HALF},
    mutants=(
        Mutant("share-negative", without="share"),
        Mutant("nothing-so-far", without="so far"),
        Mutant(
            "half",
            conclusion=lambda v: excess(v.E, v.P + v.t * v.p, v.Q + v.t * v.q) <= v.D + v.t * excess(v.E, v.p, v.q) / 2,
        ),
    ),
)

_POST = Theorem(
    id="post-processing-proved",
    statement=(
        "For all laws p and q and every map of outcomes, random or not, and every epsilon >= 0: the least delta of the "
        "images is at most that of p and q."
    ),
    source="finite-computers, Lemma 2.2",
    argument=(
        "The image of p gives an outcome b the probability sum_a t(a, b) p(a). An event of the images is one of p "
        "whose outcomes weigh from 0 to 1, by an exchange of sums, and costs at most the sum of the excesses. On "
        "countably many outcomes an event has the supremum of its partial sums."
    ),
    lemmas=(_post,),
    bound_by=f"{TESTS}::test_the_excess_is_that_of_the_kernel",
    derivation=derivations.POST_PROCESSING,
)


def group_delta(E: Any, delta: Any, G: Any) -> Any:
    """Return delta (E^m - 1)/(E - 1) for E > 1 and G = E^m, the delta of inputs m apart."""
    return delta * (G - 1) / (E - 1)


def composed_excess(E1: Any, E2: Any, p: Any, q: Any, x: Any, y: Any) -> Any:
    """Return the excess at E1 E2 of an outcome of the first release, x and y an event's probabilities after it."""
    return p * x - E1 * E2 * q * y


THEOREMS: tuple[Theorem, ...] = (_POST,)
