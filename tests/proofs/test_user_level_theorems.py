"""The sensitivity that the theorem proves is the one that the mechanism uses, and some data reach it."""

from fractions import Fraction
from itertools import product
from math import ceil

import pytest

from dpcert.mechanisms.user_level.output_perturbation import Regularized
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.proofs.user_level.checks.threshold_choice import objective

USERS = [(0,), (1,), (2,), (3,)]


def user_term(weight: Fraction, norm: Fraction, share: Fraction, clip: Fraction) -> Fraction:
    """Return w max(nu - C, 0) + (eta/n) C."""
    return weight * max(norm - clip, 0) + share * clip


@pytest.mark.parametrize("strength", [Fraction(1, 2), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("noise", [0, 1])
def test_the_sensitivity_is_that_of_the_mechanism(strength: Fraction, noise: int) -> None:
    grid = 12
    objective = Regularized(weights=UserWeights("l1", 1, 1), noise=noise, strength=strength, grid=grid)
    bound = Fraction(1) / strength
    assert objective.sensitivity == ceil(grid * bound)
    moved = {
        abs(objective.least((one, other)) - objective.least((one, replaced)))
        for one, other, replaced in product(USERS, repeat=3)
    }
    assert max(moved) == grid * bound


def test_a_users_term_is_that_of_the_bound() -> None:
    """In l1 a user weighs 1: the terms of all users are what the check minimizes, with eta shared among them."""
    for users in product(USERS, repeat=2):
        for eta, clip in product((Fraction(1, 2), Fraction(2)), (Fraction(0), Fraction(3, 2), Fraction(4))):
            terms = [user_term(1, sum(counts), eta / 2, clip) for counts in users]
            assert sum(terms) == objective(users, eta, Fraction(0), clip)
