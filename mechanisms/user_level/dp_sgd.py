"""A clipping threshold by noisy gradient descent on a lattice: DP-SGD on the error bound, all users at each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import claimed, lattice, ratio_within
from dpcert.mechanisms.user_level.clipping import Users, datasets, users_domain
from dpcert.mechanisms.user_level.user_weights import WEIGHT_PARAMETERS, UserWeights, units, weights_of


class Descent:
    """A step of projected gradient descent on U, in integers: C in units of 1/grid, weights in units of 1/parts.

    From C, with W the noisy weight of the users above C, the next is C - stride (eta - W), put back into [0, greatest].

    Requires: 0 <= noise (eta), stride >= 1, greatest >= 1, users >= 1, and weights.
    Source:   user-level-histograms, Section 4, choosing C with DP-SGD.
    """

    __slots__ = ("greatest", "grid", "highest", "lowest", "noise", "stride", "users", "weights")

    def __init__(self, *, weights: UserWeights, noise: int, grid: int, greatest: int, stride: int, users: int) -> None:
        self.weights, self.noise, self.grid = weights, noise, grid
        self.greatest, self.stride, self.users = greatest, stride, users
        reach = ceil(Fraction(greatest, stride))
        self.lowest = min(0, noise - reach)
        self.highest = max(users * weights.most, noise + reach)

    @property
    def span(self) -> int:
        """The number of units from the least noisy weight that matters to the greatest.

        Beyond these two, every step from anywhere in [0, greatest] ends at 0, or at the greatest threshold. So a noisy
        weight clamped to them moves C as an unclamped one does.
        """
        return self.highest - self.lowest

    def raised(self, users: Users, place: int) -> int:
        """Return the weight of the users above place/grid, shifted so that the least weight that matters is 0."""
        return self.weights.above(users, Fraction(place, self.grid)) - self.lowest

    def next(self, place: int, raised: int) -> int:
        """Return the threshold after a step from `place`, given the noisy weight, shifted as above."""
        moved = place - self.stride * (self.noise - self.lowest - raised)
        return min(max(moved, 0), self.greatest)


def clip_threshold_descent(
    *, descent: Descent, rounds: int, ratio: Fraction
) -> Callable[[Users, Coins], tuple[int, ...]]:
    """Release the thresholds after each of `rounds` steps from the greatest one, in units of 1/grid.

    Requires: rounds >= 1, ratio > 1.
    Claims:   (rounds weights.most ln ratio, 0)-DP when one user is replaced: the noisy weight of each step spends
              weights.most ln ratio, and thresholds are functions of the noisy weights.
    Source:   user-level-histograms, Corollary 4.3, without sampling of users, geometric for Gaussian noise.
    """
    noisy = geometric(n=descent.span, ratio=ratio)

    def release(users: Users, coins: Coins) -> tuple[int, ...]:
        def step(places: tuple[int, ...], _: int, coins: Coins) -> tuple[int, ...]:
            place = places[-1] if places else descent.greatest
            return (*places, int(descent.next(place, noisy(descent.raised(users, place), coins))))

        none: tuple[int, ...] = ()
        return coins.fold(range(rounds), none, step)

    return release


def clip_threshold_descent_law(*, descent: Descent, rounds: int, ratio: Fraction) -> Callable[[Users], Dist]:
    """Return the law of `clip_threshold_descent` in closed form: a product of steps' laws along each path."""
    law = geometric_law(n=descent.span, ratio=ratio)

    def paths(users: Users) -> Dist:
        steps: list[dict[int, Fraction]] = []
        for place in range(descent.greatest + 1):
            step = dict.fromkeys(range(descent.greatest + 1), Fraction(0))
            for weight, p in law(descent.raised(users, place)).items():
                step[descent.next(place, weight)] += p
            steps.append({after: p for after, p in step.items() if p})
        rows: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
        for _ in range(rounds):
            rows = {
                (*places, after): p * q
                for places, p in rows.items()
                for after, q in steps[places[-1] if places else descent.greatest].items()
            }
        return Dist.of(rows.items())

    return paths


def descent_of(settings: Mapping[str, str]) -> Descent:
    """Return the steps of the textual parameters norm, sparsity, parts, noise, grid, greatest, stride and users.

    Raises: InputError for invalid parameters.
    """
    weights, grid = weights_of(settings), integer(settings, "grid", least=1, greatest=1000)
    return Descent(
        weights=weights,
        noise=units(settings, weights),
        grid=grid,
        greatest=grid * integer(settings, "greatest", least=1, greatest=1000),
        stride=integer(settings, "stride", least=1),
        users=integer(settings, "users", least=1, greatest=1000),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    descent, rounds = descent_of(settings), integer(settings, "rounds", least=1, greatest=100)
    steps = rounds * descent.weights.most
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), steps)
    lattice(max(descent.span, descent.greatest), "the noisy weights and the thresholds of these parameters")
    dimension = integer(settings, "dimension", least=1)
    return Instance(
        program=clip_threshold_descent(descent=descent, rounds=rounds, ratio=ratio),
        closed_form=clip_threshold_descent_law(descent=descent, rounds=rounds, ratio=ratio),
        inputs=datasets(users=descent.users, dimension=dimension, most=integer(settings, "most", least=1)),
        neighbours="replace-user",
        epsilon=claimed(Epsilon.of(settings["epsilon"]), ratio, steps),
        domain=users_domain(users=descent.users, dimension=dimension),
    )


CLIP_THRESHOLD_DESCENT = Mechanism(
    name="clip-threshold-descent",
    words="a clipping threshold by noisy gradient descent on a lattice, all its steps released",
    source="user-level-histograms, Corollary 4.3",
    parameters=(
        *WEIGHT_PARAMETERS,
        Parameter("grid", "1", "thresholds are multiples of 1/grid"),
        Parameter("greatest", "2", "the greatest threshold, where the descent starts"),
        Parameter("stride", "1", "how many units 1/grid the threshold moves for each unit of weight"),
        Parameter("rounds", "2", "how many steps are made"),
        Parameter("users", "2", "the number of users, which is known"),
        Parameter("dimension", "2", "the number of items"),
        Parameter("most", "2", "the greatest count of an item that is audited; any greater one is taken"),
        Parameter("epsilon", "ln(4)", "above 0; the claim is at most this"),
    ),
    build=_build,
)
