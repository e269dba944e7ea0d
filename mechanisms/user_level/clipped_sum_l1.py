"""Clipped sums in l1: the sum of the users' clipped histograms, with two-sided geometric noise on each count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.user_level.clipping import (
    Clip,
    Users,
    clip_l1,
    clipped_sum,
    datasets_for_sums,
    sensitivity_l1,
    users_domain,
)

MAX_OUTCOMES = 10_000
"""The greatest number of outcomes of an audited law."""
MAX_RATIO = 1 << 32
MAX_STEPS = 2_000
MAX_CHANGE = 10_000
MAX_WRITTEN = 10**16


def clipped_sum_l1(
    *, clipped: Clip, dimension: int, greatest: int, ratio: Fraction
) -> Callable[[Users, Coins], tuple[int, ...]]:
    """Release the sum of the clipped histograms with two-sided geometric noise on each count, clamped to [0, greatest].

    Requires: ratio > 1; no entry of a sum exceeds `greatest`: `users` times `sensitivity_l1` of one item is enough.
    Claims:   (s ln ratio, 0)-DP when one user is replaced, for s = `sensitivity_l1`; tight. The clamp loses nothing:
              `finish` turns the outcome into one with unbounded noise.
    Source:   user-level-histograms, Algorithm 1, with discrete Laplace noise.
    """
    noisy = geometric(n=greatest, ratio=ratio)

    def release(users: Users, coins: Coins) -> tuple[int, ...]:
        return tuple([noisy(entry, coins) for entry in clipped_sum(users, clipped=clipped, dimension=dimension)])

    return release


def finish(stage: tuple[int, ...], coins: Coins, *, greatest: int, ratio: Fraction) -> tuple[int, ...]:
    """Return the outcome of `clipped_sum_l1` with the part beyond its clamp drawn anew, from no input.

    Claims: noisy counts of any sum in [0, greatest] have the law of the sum plus two-sided geometric noise on all
            integers, since, given that such noise reaches an end, its excess has one law: Pr[G >= m] = ratio^-m. As a
            function of the stage and fresh coins it keeps the stage's privacy.
    """
    a, b = ratio.numerator, ratio.denominator

    def beyond() -> int:
        more = 0
        while coins.below(a) < b:
            more += 1
        return more

    return tuple(count + beyond() if count == greatest else -beyond() if count == 0 else count for count in stage)


def unbounded_clipped_sum_l1(
    *, clipped: Clip, dimension: int, ratio: Fraction, summed: Callable[..., tuple[int, ...]] = clipped_sum
) -> Callable[[Any, Coins], tuple[int, ...]]:
    """Release the sum of the clipped histograms with two-sided geometric noise on all integers, for any users.

    Requires: ratio > 1; `summed` is `clipped_sum`, or `sparse_clipped_sum` with users as it takes them.
    Claims:   the law of `finish` on the outcome of `clipped_sum_l1`, and so the same privacy.
    Source:   user-level-histograms, Algorithm 1, with discrete Laplace noise.
    """
    noise = geometric_noise(ratio=ratio)

    def release(users: Any, coins: Coins) -> tuple[int, ...]:
        return tuple(entry + noise(coins) for entry in summed(users, clipped=clipped, dimension=dimension))

    return release


def clipped_sum_l1_law(*, clipped: Clip, dimension: int, greatest: int, ratio: Fraction) -> Callable[[Users], Dist]:
    """Return the law of `clipped_sum_l1` in closed form: the product of its counts' laws."""
    law = geometric_law(n=greatest, ratio=ratio)

    def product_law(users: Users) -> Dist:
        first, *rest = (law(entry) for entry in clipped_sum(users, clipped=clipped, dimension=dimension))
        return first.product(*rest)

    return product_law


def ratio_within(epsilon: Epsilon, steps: int) -> Fraction:
    """Return a short ratio r > 1 with r^steps <= e^epsilon: the greatest integer, and below 2 the greatest 1 + 1/m.

    Requires: epsilon > 0, steps >= 1.
    Claims:   the noise of r is at least that of epsilon/steps; the next greater integer, or 1 + 1/(m - 1), has too
              little. r is at most 2^32.
    Raises:   InputError for epsilon = 0, for one so small that m would exceed 2^32, and for more than MAX_CHANGE steps.
    """
    if steps > MAX_CHANGE:
        raise InputError(
            given=f"{steps} steps, the units that one user may change in all",
            needed=f"at most {MAX_CHANGE} of them",
            remedy="take larger units",
        )

    def fits(ratio: Fraction) -> bool:
        return at_most(Epsilon.ln(ratio**steps), epsilon)

    if not fits(1 + Fraction(1, MAX_RATIO)):
        raise InputError(
            given=f"epsilon={epsilon} for {steps} steps",
            needed="more than 2^-32 for each step, a unit of what one user may change",
            remedy="take a greater epsilon, or a lower clip",
        )
    if fits(Fraction(2)):
        return Fraction(least(3, MAX_RATIO, lambda ratio: not fits(Fraction(ratio))) - 1)
    return 1 + Fraction(1, least(2, MAX_RATIO, lambda m: fits(1 + Fraction(1, m))))


def claimed(epsilon: Epsilon, ratio: Fraction, steps: int) -> Epsilon:
    """Return steps ln ratio, or `epsilon` itself where ratio^steps has a numerator above MAX_WRITTEN.

    Requires: ratio = `ratio_within(epsilon, steps)`, so that steps ln ratio is at most epsilon.
    """
    whole = ratio**steps
    return Epsilon.ln(whole) if whole.numerator <= MAX_WRITTEN else epsilon


def lattice(units: int, given: str) -> None:
    """Check that a released number has at most MAX_STEPS units from its least to its greatest: an audit lists them all.

    Raises: InputError otherwise.
    """
    if units > MAX_STEPS:
        raise InputError(
            given=f"{given}, which make {units} units",
            needed=f"at most {MAX_STEPS} units from the least released number to the greatest",
            remedy="take larger units, or fewer",
        )


@dataclass(frozen=True, slots=True)
class Sums:
    """The parameters clip, grid, users, dimension and most: the lattice of the sums, and the data sets to audit."""

    clip: Fraction
    grid: int
    users: int
    dimension: int
    most: int

    @property
    def greatest(self) -> int:
        """The greatest entry of a clipped sum, in units of 1/grid."""
        return self.users * floor(self.grid * self.clip)

    def scope(self) -> tuple[tuple[Users, ...], tuple[str, ...]]:
        """Return the data sets to audit, and the assumptions under which they stand for all.

        Raises: InputError where they are too many.
        """
        return datasets_for_sums(users=self.users, dimension=self.dimension, most=self.most)

    def require_outcomes(self, side: int) -> None:
        """Check that counts with `side` values each have at most MAX_OUTCOMES histograms.

        Raises: InputError otherwise.
        """
        if side**self.dimension > MAX_OUTCOMES:
            raise InputError(
                given=f"{side} values of each of {self.dimension} noisy counts",
                needed=f"at most {MAX_OUTCOMES} outcomes of an audited law",
                remedy="lower users, clip, grid or dimension",
            )


def sums_of(settings: Mapping[str, str]) -> Sums:
    """Return the lattice and the data sets of the textual parameters.

    Raises: InputError for a clip that is not above 0 or is less than one unit 1/grid, and for other bad parameters.
    """
    clip, grid = exact(settings["clip"], "clip"), integer(settings, "grid", least=1)
    if clip <= 0:
        raise InputError(
            given=f"clip={settings['clip']}",
            needed="a number above 0, the greatest norm of a clipped histogram",
            remedy='write "1" or "5/2"',
        )
    if not 1 <= grid * clip <= MAX_STEPS:
        raise InputError(
            given=f"clip={settings['clip']}, grid={grid}",
            needed=f"grid times clip from 1 to {MAX_STEPS}, the units that a user may add",
            remedy="take a finer or a coarser grid",
        )
    return Sums(
        clip=clip,
        grid=grid,
        users=integer(settings, "users", least=1, greatest=1000),
        dimension=integer(settings, "dimension", least=1, greatest=100),
        most=integer(settings, "most", least=1),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    inputs, assumptions = sums.scope()
    sums.require_outcomes(sums.greatest + 1)
    steps = sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    epsilon = Epsilon.of(settings["epsilon"])
    ratio = ratio_within(epsilon, steps)
    clipped = partial(clip_l1, clip=sums.clip, grid=sums.grid)
    return Instance(
        program=clipped_sum_l1(clipped=clipped, dimension=sums.dimension, greatest=sums.greatest, ratio=ratio),
        closed_form=clipped_sum_l1_law(clipped=clipped, dimension=sums.dimension, greatest=sums.greatest, ratio=ratio),
        inputs=inputs,
        neighbours="replace-user",
        epsilon=claimed(epsilon, ratio, steps),
        assumptions=assumptions,
        domain=users_domain(users=sums.users, dimension=sums.dimension),
    )


LATTICE = (
    Parameter("clip", "1", "C, above 0: the greatest norm of a user's clipped histogram"),
    Parameter("grid", "2", "counts are released in units of 1/grid"),
    Parameter("users", "2", "the number of users, which is known"),
    Parameter("dimension", "2", "the number of items"),
    Parameter("most", "2", "the greatest count of an item that is audited; any greater one is taken"),
)

CLIPPED_SUM_L1 = Mechanism(
    name="clipped-sum-l1",
    words="the sum of histograms clipped in l1, each count with two-sided geometric noise, when a user is replaced",
    source="user-level-histograms, Algorithm 1, l1 with discrete Laplace noise",
    parameters=(*LATTICE, Parameter("epsilon", "2", "above 0; the claim is at most this")),
    build=_build,
)
