"""A clipping threshold by output perturbation: the minimizer of a regularized objective, plus noise (Algorithm 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, isqrt

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import claimed, lattice, ratio_within
from dpcert.mechanisms.user_level.clipping import Users, datasets, users_domain
from dpcert.mechanisms.user_level.threshold import norm_square
from dpcert.mechanisms.user_level.user_weights import WEIGHT_PARAMETERS, UserWeights, units, weights_of


class Regularized:
    """F(C) = sum_i w_i max(nu_i - C, 0) + eta C + (lambda/2) C^2 on C >= 0, and its one minimizer C_lambda.

    F' is eta + lambda C less the weight of the users above C: it rises with slope lambda, and jumps up at the norms.
    The minimizer is rounded up to a multiple of 1/grid.

    Requires: weights and eta (`noise`) in units of 1/parts; strength (lambda) > 0; grid >= 1.
    Source:   user-level-histograms, Equation (6) and Algorithm 2.
    """

    __slots__ = ("grid", "noise", "strength", "weights")

    def __init__(self, *, weights: UserWeights, noise: int, strength: Fraction, grid: int) -> None:
        self.weights, self.noise, self.strength, self.grid = weights, noise, strength, grid

    @property
    def sensitivity(self) -> int:
        """The number of units of 1/grid that the rounded minimizer may move when one user is replaced.

        The minimizer itself moves by at most w_max/lambda: F' changes by at most w_max anywhere, and rises by lambda
        for each unit of C.

        Source: user-level-histograms, Lemma A.1; docs/papers/user-level-threshold.md.
        """
        return ceil(self.grid * Fraction(self.weights.most, self.weights.parts) / self.strength)

    def slope(self, users: Users, threshold: Fraction) -> Fraction:
        """Return F' to the right of a threshold >= 0."""
        weight = self.weights.above(users, threshold)
        return Fraction(self.noise - weight, self.weights.parts) + self.strength * threshold

    def least(self, users: Users) -> int:
        """Return ceil(grid C_lambda): the first point of the lattice at which F does not fall to the right."""
        low, high = 0, 1
        while self.slope(users, Fraction(high, self.grid)) < 0:
            low, high = high, 2 * high
        return least(low, high, lambda place: self.slope(users, Fraction(place, self.grid)) >= 0)

    def least_by_corners(self, users: Users) -> int:
        """Return `least` by a walk over the users in descending order of their norms, without bisection.

        If the j users of greatest norm are above it, F' is 0 at (their weight - eta)/lambda. C_lambda is the first of
        these numbers that is not below the next norm, or that norm where F' jumps over 0.
        """
        table = sorted(((norm_square(one, self.weights.norm), self.weights.of(one)) for one in users), reverse=True)
        squares = [square for square, _ in table] + [0]
        total, above = 0, None
        for place in range(len(squares)):
            free = Fraction(total - self.noise, self.weights.parts) / self.strength
            if free >= 0 and free * free >= squares[place]:
                root = ceil(self.grid * free)
                return root if above is None or free * free <= above else _ceiling_root(self.grid**2 * above)
            above = squares[place]
            total += table[place][1] if place < len(table) else 0
        return 0


def _ceiling_root(number: int) -> int:
    root = isqrt(number)
    return root + (root * root < number)


def clip_threshold_perturbed(
    *, regularized: Regularized, greatest: int, ratio: Fraction
) -> Callable[[Users, Coins], int]:
    """Release the regularized minimizer in units of 1/grid plus two-sided geometric noise, clamped to [0, greatest].

    Requires: greatest >= 1, ratio > 1.
    Claims:   (s ln ratio, 0)-DP when one user is replaced, for s = `regularized.sensitivity`.
    Source:   user-level-histograms, Algorithm 2 and Corollary 4.4, on a lattice, geometric for Laplace noise.
    """
    noisy = geometric(n=greatest, ratio=ratio)
    return lambda users, coins: noisy(min(regularized.least(users), greatest), coins)


def clip_threshold_perturbed_law(
    *, regularized: Regularized, greatest: int, ratio: Fraction
) -> Callable[[Users], Dist]:
    """Return the law of `clip_threshold_perturbed` in closed form, from the minimizer by corners."""
    law = geometric_law(n=greatest, ratio=ratio)
    return lambda users: law(min(regularized.least_by_corners(users), greatest))


def regularized_of(settings: Mapping[str, str]) -> Regularized:
    """Return the objective of the textual parameters norm, sparsity, parts, noise, strength and grid.

    Raises: InputError unless strength > 0 and the others are as `weights_of` and `units` need them.
    """
    weights, strength = weights_of(settings), exact(settings["strength"], "strength")
    if strength <= 0:
        raise InputError(
            given=f"strength={settings['strength']}", needed="lambda, a number above 0", remedy='write "1/2"'
        )
    grid = integer(settings, "grid", least=1, greatest=1000)
    return Regularized(weights=weights, noise=units(settings, weights), strength=strength, grid=grid)


def _build(settings: Mapping[str, str]) -> Instance:
    regularized = regularized_of(settings)
    greatest = regularized.grid * integer(settings, "greatest", least=1, greatest=1000)
    lattice(greatest, f"greatest={settings['greatest']}, grid={settings['grid']}")
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), regularized.sensitivity)
    users, dimension = integer(settings, "users", least=1, greatest=1000), integer(settings, "dimension", least=1)
    return Instance(
        program=clip_threshold_perturbed(regularized=regularized, greatest=greatest, ratio=ratio),
        closed_form=clip_threshold_perturbed_law(regularized=regularized, greatest=greatest, ratio=ratio),
        inputs=datasets(users=users, dimension=dimension, most=integer(settings, "most", least=1)),
        neighbours="replace-user",
        epsilon=claimed(Epsilon.of(settings["epsilon"]), ratio, regularized.sensitivity),
        delta=Fraction(0),
        domain=users_domain(users=users, dimension=dimension),
    )


PARAMETERS = (
    *WEIGHT_PARAMETERS,
    Parameter("strength", "1", "lambda, above 0: the weight of C^2/2 in the objective"),
    Parameter("grid", "2", "thresholds are multiples of 1/grid"),
    Parameter("greatest", "4", "the greatest threshold"),
    Parameter("users", "2", "the number of users, which is known"),
    Parameter("dimension", "2", "the number of items"),
    Parameter("most", "2", "the greatest count of an item that is audited; any greater one is taken"),
    Parameter("epsilon", "ln(4)", "above 0; the claim is at most this"),
)

CLIP_THRESHOLD_PERTURBED = Mechanism(
    name="clip-threshold-perturbed",
    words="a clipping threshold: the minimizer of a regularized error bound, with geometric noise on a lattice",
    source="user-level-histograms, Algorithm 2, Corollary 4.4, Lemma A.1",
    parameters=PARAMETERS,
    build=_build,
)
