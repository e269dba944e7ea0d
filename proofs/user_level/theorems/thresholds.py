"""The clipping threshold that is best up to a factor of 2, for all data: Lemma 4.1 and Theorem 4.2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import choose, equal, every, positive_part, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.user_level import threshold_derivations

HALF = Fraction(1, 2)
TESTS = "tests/proofs/theorems/test_threshold_theorems.py"


def user_loss(weight: Any, norm: Any, clip: Any) -> Any:
    """Return w max(nu - C, 0), the counts of a user that are lost at C, in l1."""
    return weight * positive_part(norm - clip)


def above(weight: Any, norm: Any, clip: Any) -> Any:
    """Return a user's weight if its norm is above C, else 0."""
    return choose(norm > clip, weight, 0)


def from_on(weight: Any, norm: Any, clip: Any) -> Any:
    """Return a user's weight if its norm is C or more, else 0."""
    return choose(norm >= clip, weight, 0)


def mean_error(noise: Any, lost: Any) -> Any:
    """Return the mean error of one count where so much is lost, for noise of this size and either sign alike."""
    return (size(noise - lost) + size(noise + lost)) / 2


_up = Lemma(
    name="loss-beyond-clip",
    statement="from c to d >= c a user's loss falls by at most d - c times its weight above c, and does not rise",
    reals=("w", "nu", "c", "d"),
    hypotheses={"weight": lambda v: v.w >= 0, "order": lambda v: v.c <= v.d},
    conclusion=lambda v: every(
        user_loss(v.w, v.nu, v.c) - user_loss(v.w, v.nu, v.d) <= above(v.w, v.nu, v.c) * (v.d - v.c),
        user_loss(v.w, v.nu, v.d) <= user_loss(v.w, v.nu, v.c),
    ),
    point={"w": 1, "nu": 2, "c": 1, "d": 3},
    mutants=(
        Mutant("weight-negative", without="weight"),
        Mutant("order-exchanged", without="order"),
        Mutant(
            "above-d",
            conclusion=lambda v: (
                user_loss(v.w, v.nu, v.c) - user_loss(v.w, v.nu, v.d) <= above(v.w, v.nu, v.d) * (v.d - v.c)
            ),
        ),
    ),
)
_down = Lemma(
    name="loss-below-clip",
    statement="from c to any d a user's loss grows by at least c - d times its weight from c on",
    reals=("w", "nu", "c", "d"),
    hypotheses={"weight": lambda v: v.w >= 0},
    conclusion=lambda v: user_loss(v.w, v.nu, v.d) - user_loss(v.w, v.nu, v.c) >= from_on(v.w, v.nu, v.c) * (v.c - v.d),
    point={"w": 1, "nu": 2, "c": 1, "d": 0},
    mutants=(
        Mutant("weight-negative", without="weight"),
        Mutant(
            "from-d",
            conclusion=lambda v: (
                user_loss(v.w, v.nu, v.d) - user_loss(v.w, v.nu, v.c) >= from_on(v.w, v.nu, v.d) * (v.c - v.d)
            ),
        ),
    ),
)
_straight = Lemma(
    name="loss-between-norms",
    statement="between two thresholds with no norm between them a user's loss is linear, of slope its weight above",
    reals=("w", "nu", "c", "d"),
    hypotheses={
        "weight": lambda v: v.w >= 0,
        "order": lambda v: v.c <= v.d,
        "no norm between": lambda v: (v.nu - v.c) * (v.nu - v.d) >= 0,
    },
    conclusion=lambda v: every(
        equal(user_loss(v.w, v.nu, v.c) - user_loss(v.w, v.nu, v.d), from_on(v.w, v.nu, v.d) * (v.d - v.c)),
        equal(user_loss(v.w, v.nu, v.c) - user_loss(v.w, v.nu, v.d), above(v.w, v.nu, v.c) * (v.d - v.c)),
    ),
    point={"w": 1, "nu": 2, "c": 0, "d": 1},
    mutants=(
        Mutant("a-norm-between", without="no norm between"),
        Mutant("order-exchanged", without="order"),
    ),
)
_error = Lemma(
    name="error-of-one-count",
    statement="the mean error is at least the noise and what is lost, and at most both together",
    reals=("z", "b"),
    hypotheses={"sizes": lambda v: every(v.z >= 0, v.b >= 0)},
    conclusion=lambda v: every(
        mean_error(v.z, v.b) >= v.z, mean_error(v.z, v.b) >= v.b, mean_error(v.z, v.b) <= v.z + v.b
    ),
    point={"z": 1, "b": HALF},
    mutants=(
        Mutant("negative", without="sizes"),
        Mutant("greater-alone", conclusion=lambda v: mean_error(v.z, v.b) <= v.z),
        Mutant("sum", conclusion=lambda v: mean_error(v.z, v.b) >= v.z + v.b),
    ),
)

_BEST = Theorem(
    id="threshold-best-proved",
    statement=(
        "For all users, weights w_i >= 0 and norms nu_i: U(C) = sum of w_i max(nu_i - C, 0) + eta C is least over C "
        ">= 0 exactly where the users above C weigh at most eta, and those from C on at least eta or C = 0; the sum "
        "does not rise with C. For independent noise of either sign alike and E|Z|_1 = eta C, U(C)/2 <= Err(C) <= "
        "U(C), the mean l1 error of the clipped sum: at such a threshold it is at most twice that at any other."
    ),
    source="user-level-histograms, Lemma 4.1, Theorem 4.2 and Appendix A.1, reconstructed",
    argument=(
        "loss-beyond-clip and loss-below-clip, summed over the users, with the condition, give U(C*) <= U(C). Where "
        "the condition fails, U falls to one side as far as the next norm, by loss-between-norms. error-of-one-count, "
        "weighed over the noise and summed over the counts, whose losses are, user by user, w_i max(nu_i - C, 0) in "
        "all."
    ),
    left=(
        "order: where the condition fails there is a threshold beside C, up to the next norm, without a norm between, "
        "and bound-between has U less there; a mean over infinitely many sizes of noise is the supremum of those over "
        "finitely many."
    ),
    lemmas=(_up, _down, _straight, _error),
    bound_by=f"{TESTS}::test_losses_and_errors_are_those_of_the_mechanism",
    derivation=threshold_derivations.BEST,
)

THEOREMS: tuple[Theorem, ...] = (_BEST,)
