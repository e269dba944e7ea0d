"""The losses, weights and errors of the theorem on thresholds are those of the mechanism's bound and of its checks."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.user_level.surds import Surd
from dpcert.mechanisms.user_level.threshold import Objective
from dpcert.proofs.user_level.checks.clip_threshold import NOISES, data, error_law


def user_loss(weight: int, norm: Fraction, clip: Fraction) -> Fraction:
    """Return `hinge` of Users.v."""
    return weight * max(norm - clip, Fraction(0))


def mean_error(noise: Fraction, lost: Fraction) -> Fraction:
    """Return the mean error of Errors.v for one size of noise."""
    return (abs(noise - lost) + abs(noise + lost)) / 2


@pytest.mark.parametrize("threshold", [Fraction(place, 2) for place in range(7)])
def test_losses_and_errors_are_those_of_the_mechanism(threshold: Fraction) -> None:
    """In l1 the weights are 1; a count that lost b errs by `mean_error` of each size of noise, weighed."""
    for users, noise in product(data(2, 2, 2), NOISES):
        objective = Objective(users, Fraction(1), "l1")
        sizes = [Fraction(sum(counts)) for counts in users]
        assert objective.lost(threshold**2) == Surd.rational(sum(user_loss(1, nu, threshold) for nu in sizes))
        assert objective.above(threshold**2) == Surd.rational(sum(int(nu > max(threshold, 0)) for nu in sizes))
        on = sum(int(0 < nu >= threshold) for nu in sizes)
        assert objective.from_on(threshold**2) == Surd.rational(on)
        lost = [
            sum(count * user_loss(1, nu, threshold) / nu for count, nu in zip(counts, sizes, strict=True) if nu)
            for counts in zip(*users, strict=True)
        ]
        errors = [p * mean_error(z * threshold, b) for b in lost for z, p in noise]
        assert sum(errors) == error_law(users, threshold, noise)
