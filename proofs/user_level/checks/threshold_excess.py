"""Checks of user-level-histograms, Corollaries 4.3 and 4.4: the cost in accuracy of privately chosen thresholds."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.user_level.dp_sgd import Descent, clip_threshold_descent_law
from dpcert.mechanisms.user_level.surds import Surd
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.proofs.check import check
from dpcert.proofs.user_level.checks.clip_threshold import data
from dpcert.proofs.user_level.checks.threshold_choice import ETAS, PLAIN, STRENGTHS, Users, objective, regularized


def _bound(users: Users, eta: Fraction, threshold: Fraction) -> Fraction:
    return objective(users, eta, Fraction(0), threshold)


def _steepest(users: Users, eta: Fraction) -> Fraction:
    """Return the greatest slope of U, in l1."""
    return max(eta, len(users) - eta)


@check("perturbed-excess")
def perturbed_excess() -> Iterator[str]:
    """E U of Algorithm 2's threshold is at most U(C) + (lambda/2) C^2 + L (E|Z| + 1/grid) for every C in [0, C_max].

    L is how steep U is. At the best C this is at most min U + (lambda/2) C_max^2 + L (E|Z| + 1/grid).
    """
    grid, greatest, ratio = 2, 4, Fraction(3, 2)
    law = geometric_law(n=grid * greatest, ratio=ratio)
    size = 2 * ratio / (ratio**2 - 1) / grid
    for users, eta, strength in product(data(2, 1, 4), ETAS, (Fraction(1, 10), *STRENGTHS)):
        found = regularized(UserWeights("l1", 1, 2), eta, strength, grid)
        chosen = law(min(found.least(users), grid * greatest))
        mean = sum((p * _bound(users, eta, Fraction(c, grid)) for c, p in chosen.items()), Fraction(0))
        more = _steepest(users, eta) * (size + Fraction(1, grid))
        for c in range(4 * greatest + 1):
            if mean > objective(users, eta, strength, Fraction(c, 4)) + more:
                yield f"users {users}, eta = {eta}, lambda = {strength}, C = {Fraction(c, 4)}: {mean}"


@check("perturbed-best-strength")
def best_strength() -> Iterator[str]:
    """lambda C^2/2 + n s/(lambda epsilon) >= C sqrt(2 n s/epsilon), with equality at sqrt(2 n s/epsilon)/C."""
    for n, s, epsilon, c in product((1, 10, 1000), (1, 4), (Fraction(1, 10), Fraction(1)), (1, 7)):
        square = 2 * n * s / epsilon * c * c
        best = Surd.root(square / c**4)
        inverse = best.times(c**4 / square)
        if best.times(Fraction(c * c, 2)) + inverse.times(n * s / epsilon) != Surd.root(square):
            yield f"n = {n}, s = {s}, epsilon = {epsilon}, C = {c}: no equality"
        for strength in (Fraction(1, 10), *STRENGTHS, Fraction(40)):
            if (strength * c * c / 2 + n * s / (strength * epsilon)) ** 2 < square:
                yield f"n = {n}, s = {s}, epsilon = {epsilon}, C = {c}, lambda = {strength}"


RATIO = Fraction(2)
VARIANCE = 2 * RATIO / (RATIO - 1) ** 2
"""Of two-sided geometric noise with Pr[Z = z] in proportion to RATIO^-|z|."""


@check("descent-excess")
def descent_excess() -> Iterator[str]:
    """The mean of E U over the thresholds before each step is at most U(C) + (C_0 - C)^2/(2 a T) + a (L^2 + Var Z)/2.

    That is for every C in [0, C_max]; a is the move of C for each unit of slope, T the number of steps, C_0 = C_max.
    """
    for users, eta, stride, rounds in product(data(2, 1, 3), (1, 2), (1, 2), (1, 3)):
        descent = Descent(weights=PLAIN, noise=eta, grid=2, greatest=6, stride=stride, users=len(users))
        a = Fraction(stride, 2)
        law = clip_threshold_descent_law(descent=descent, rounds=rounds, ratio=RATIO)(users)
        total = Fraction(0)
        for places, p in law.items():
            total += p * sum(_bound(users, Fraction(eta), Fraction(c, 2)) for c in (6, *places[:-1]))
        more = a * (_steepest(users, Fraction(eta)) ** 2 + VARIANCE) / 2
        for c in range(13):
            point = Fraction(c, 4)
            if total / rounds > _bound(users, Fraction(eta), point) + (3 - point) ** 2 / (2 * a * rounds) + more:
                yield f"users {users}, eta = {eta}, stride {stride}, {rounds} steps, C = {point}"


@check("descent-clamp")
def descent_clamp_is_harmless() -> Iterator[str]:
    """Clamping the noisy weight loses nothing: from its ends every step ends at 0, or at the greatest threshold."""
    for eta, stride, greatest, count in product((0, 1, 3), (1, 2, 5), (1, 4, 7), (1, 3)):
        descent = Descent(weights=PLAIN, noise=eta, grid=1, greatest=greatest, stride=stride, users=count)
        for place, beyond in product(range(greatest + 1), range(4)):
            low, high = descent.next(place, -beyond), descent.next(place, descent.span + beyond)
            if (low, high) != (0, greatest):
                yield f"eta = {eta}, stride {stride}, from {place}: {low}, {high}"


@check("choice-comparison")
def comparison() -> Iterator[str]:
    """Of the bounds' squares, C^2 s/rho for descent under rho-zCDP does not grow with n, as 2 n s C^2/epsilon does.

    Descent makes T = ceil(2 rho n^2) steps with noise of variance s T/(2 rho): its bound's square is
    C^2 (n^2 s + s T/(2 rho))/T. In 1/epsilon, with rho in proportion to epsilon^2, it is worse by one power.
    """
    for n, epsilon, s, c in product((10, 100, 1000), (Fraction(1, 10), Fraction(1)), (1, 4), (1, 5)):
        rho = epsilon**2 / 10
        rounds = ceil(2 * rho * n * n)
        square = Fraction(c * c * s) * (Fraction(n * n, rounds) + 1 / (2 * rho))
        if square > c * c * s / rho or c * c * s / rho / (2 * n * s * c * c / epsilon) != 5 / (n * epsilon):
            yield f"n = {n}, epsilon = {epsilon}, s = {s}, C = {c}"
