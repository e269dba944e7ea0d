"""Sums over users that are ready to run on rows of users, items and counts, when one user is replaced."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need, ratio_text
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.user_level.clipped_sum_l1 import MAX_CHANGE, ratio_within, unbounded_clipped_sum_l1
from dpcert.mechanisms.user_level.clipped_sum_l2 import clipped_sum_l2
from dpcert.mechanisms.user_level.clipping import (
    clip_l1,
    clip_l2,
    sensitivity_l1,
    sparse_clipped_sum,
    square_sensitivity_l2,
)
from dpcert.mechanisms.user_level.debiasing import debiased_vector
from dpcert.mechanisms.user_level.discrete_gaussian import discrete_gaussian
from dpcert.mechanisms.user_level.gaussian_profile import concentrated_delta
from dpcert.mechanisms.user_level.sampled_sum_l1 import noise_within, sampled_users
from dpcert.planning.question import number_text
from dpcert.releasing.choosing import Choice, choice_of
from dpcert.releasing.ready import Drawn, Ready, Released, Request, need_positive

MOST_UNITS = 10**9
NOISE_OF_TWO = Fraction(9, 8)
"""About 2 over the root of pi: the mean size of a Gaussian of variance 2."""
L1_RESTS = (
    "theorem Clipping.clipped_sum_private (user-level-histograms, Algorithm 1), for noise without bounds: what "
    "`finish` makes of the program of `dpcert audit clipped-sum-l1`"
)
L2_RESTS = (
    "theorem Clipping.gaussian_sums_private (user-level-histograms, Algorithm 1), for discrete Gaussian noise without "
    "bounds: the program of `dpcert audit clipped-sum-l2 --set method=chains` with no chain cut"
)


def _lattice(settings: dict[str, str]) -> tuple[Fraction, int]:
    """Return the clip and the grid.

    Raises: InputError for a clip that is less than one unit 1/grid, or more than MOST_UNITS of them.
    """
    clip, grid = exact(settings["clip"], "clip"), integer(settings, "grid", least=1)
    if not 1 <= grid * clip <= MOST_UNITS:
        needed = f"grid times clip from 1 to {MOST_UNITS}, the units that a user may add"
        raise InputError(given=f"clip={settings['clip']}, grid={grid}", needed=needed, remedy="take another grid")
    return clip, grid


def _summed(
    request: Request, program: Callable[[Any, Coins], tuple[int, ...]], grid: int
) -> Callable[[Any, Coins], Released]:
    """Return the program with the labels of items put beside their sums, in units of 1/grid."""
    labels = request.universe()
    return lambda users, coins: [
        (label, number_text(Fraction(units, grid))) for label, units in zip(labels, program(users, coins), strict=True)
    ]


def clipped_l1(request: Request) -> Ready:
    """Return the sum of histograms clipped in l1 with two-sided geometric noise without bounds on each item."""
    settings, choice = choice_of(request, "l1", more={"grid": "1", "cap": ""}, grid="1", ratio="")
    need_positive(request.epsilon)
    if choice is not None:
        return _chosen_l1(request, settings, choice)
    clip, grid = _lattice(settings)
    units = sensitivity_l1(dimension=len(request.universe()), clip=clip, grid=grid)
    return _geometric(request, settings, request.at_most(ratio_within(request.epsilon, units)))


def _chosen_l1(request: Request, settings: dict[str, str], choice: Choice) -> Ready:
    """Return the clipped sum with a clip that is chosen first, and with a `cap` debiased for Poisson counts as well."""
    relation, labels = request.relation("replace-user"), request.universe()
    dimension, grid = len(labels), integer(settings, "grid", least=1)
    most = sensitivity_l1(dimension=dimension, clip=Fraction(choice.greatest), grid=grid)
    need(most <= MAX_CHANGE, f"{most} units of change", f"{MAX_CHANGE} at most", "lower greatest or grid")
    cap = exact(settings["cap"], "cap") if "cap" in settings else None
    need(cap is None or cap > 0, f"cap={settings.get('cap')}", "a rate above 0", "write the greatest rate of a user")

    def release(users: Any, coins: Coins) -> Drawn:
        held = list(users)
        spent = epsilon_bounds(choice.left, 64)[0]
        clip = choice.chosen(held, dimension * min(dimension, 2) / spent, coins)
        units = sensitivity_l1(dimension=dimension, clip=Fraction(clip), grid=grid)
        ratio = ratio_within(choice.left, units)
        program = unbounded_clipped_sum_l1(
            clipped=partial(clip_l1, clip=Fraction(clip), grid=grid),
            dimension=dimension,
            ratio=ratio,
            summed=sparse_clipped_sum,
        )
        sums = [Fraction(found, grid) for found in program(held, coins)]
        rows: list[tuple[Any, ...]] = [(label, number_text(x)) for label, x in zip(labels, sums, strict=True)]
        if cap is not None:
            rates = debiased_vector(sums, users=choice.users, clip=clip, cap=cap)
            even = [decimal_lo(choice.users * (lo + hi) / 2, 9) for lo, hi in rates]
            rows = [(*row, x) for row, x in zip(rows, even, strict=True)]
        return Drawn(rows, {"clip": str(clip), "ratio": ratio_text(ratio), "chosen": choice.method})

    guarantee, rests_on = ApproxDP(request.epsilon, 0), choice.words() + L1_RESTS
    columns = ("value", "sum") if cap is None else ("value", "sum", "debiased")
    return Ready(release, columns, guarantee, relation, rests_on, settings, reads="users")


def sampled_l1(request: Request) -> Ready:
    """Return the same sum of a Poisson sample of the users, with the noise that a sample needs."""
    settings = request.take("clip", "rate", grid="1")
    need_positive(request.epsilon)
    rate, (clip, grid) = probability(settings, "rate"), _lattice(settings)
    ratio = noise_within(request.epsilon, rate, dimension=len(request.universe()), clip=clip, grid=grid)
    ready = _geometric(request, settings, ratio)
    program = ready.program
    return replace(
        ready,
        program=lambda users, coins: program(sampled_users(users, rate=rate, coins=coins), coins),
        rests_on=(
            "docs/reference/mechanisms.md, sampled-sum-l1, by a proof that no program checks, "
            "and Clipping.clipped_sum_private; "
            f"sample and noise are those of the program of `dpcert audit {request.mechanism}`"
        ),
        notes={"reading": f"sums over the sample: divide by {settings['rate']} for estimates"},
    )


def _geometric(request: Request, settings: dict[str, str], ratio: Fraction) -> Ready:
    """Return the clipped sum with noise of this ratio, and the guarantee that is asked for."""
    relation, dimension = request.relation("replace-user"), len(request.universe())
    clip, grid = _lattice(settings)
    program = unbounded_clipped_sum_l1(
        clipped=partial(clip_l1, clip=clip, grid=grid), dimension=dimension, ratio=ratio, summed=sparse_clipped_sum
    )
    own = {**settings, "ratio": ratio_text(ratio)}
    ready, guarantee = _summed(request, program, grid), ApproxDP(request.epsilon, 0)
    return Ready(ready, ("value", "sum"), guarantee, relation, L1_RESTS, own, reads="users")


def clipped_l2(request: Request) -> Ready:
    """Return the sum of histograms clipped in l2 with discrete Gaussian noise, uncut, on each item."""
    settings, choice = choice_of(request, "l2", "sigma", more={"grid": "1"}, grid="1")
    relation, dimension = request.relation("replace-user"), len(request.universe())
    need_positive(request.epsilon)
    sigma, grid = exact(settings["sigma"], "sigma"), integer(settings, "grid", least=1)
    if sigma <= 0:
        raise InputError(given=f"sigma={settings['sigma']}", needed="a number above 0", remedy="write --set sigma=5")
    spend = request.epsilon if choice is None else choice.left
    guarantee = request.within(concentrated_delta(1 / (2 * sigma**2), spend))

    def noisy(clip: Fraction) -> tuple[Callable[[Any, Coins], Released], str]:
        variance = sigma**2 * square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid)
        program = clipped_sum_l2(
            clipped=partial(clip_l2, clip=clip, grid=grid),
            dimension=dimension,
            noise=discrete_gaussian(variance=variance),
            summed=sparse_clipped_sum,
        )
        return _summed(request, program, grid), ratio_text(variance)

    if choice is None:
        ready, variance = noisy(_lattice(settings)[0])
        own = {**settings, "variance": variance}
        return Ready(ready, ("value", "sum"), guarantee, relation, L2_RESTS, own, reads="users")
    need(grid * choice.greatest <= MOST_UNITS, f"grid={grid}", f"{MOST_UNITS} units at most", "take another grid")

    def release(users: Any, coins: Coins) -> Drawn:
        held = list(users)
        clip = choice.chosen(held, dimension * sigma * (1 if dimension == 1 else NOISE_OF_TWO), coins)
        program, variance = noisy(Fraction(clip))
        return Drawn(program(held, coins), {"clip": str(clip), "variance": variance, "chosen": choice.method})

    rests_on = choice.words() + L2_RESTS
    return Ready(release, ("value", "sum"), guarantee, relation, rests_on, settings, reads="users")
