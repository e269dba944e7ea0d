"""Clipped sums planned: the least noise for a threshold, and on a file of users' sizes the threshold itself."""

from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import ceil, sinh

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.decimals import decimal_hi, rounded_text
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.logarithm import epsilon_bounds, root_bounds
from dpcert.mechanisms.mechanism import integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import MAX_CHANGE, MAX_RATIO, ratio_within, sums_of
from dpcert.mechanisms.user_level.clipped_sum_l2 import least_delta, noise_of
from dpcert.mechanisms.user_level.clipping import square_sensitivity_l2
from dpcert.mechanisms.user_level.gaussian_profile import concentrated_delta
from dpcert.planning.bisection import least
from dpcert.planning.fixed import shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import OPTIMUM, SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text, steps_of

CUT, UNCUT = "cut", "uncut"
"""The noise of clipped-sum-l2 that is audited, and the one that is released."""
AUDITED = 64
"""The greatest number of histograms of one user that are audited."""
NEAR = 1e-9
"""More than the relative error of the floats."""
PRIVATELY = "the threshold was chosen by the users' own sizes, which is not private: clip-threshold chooses one that is"


class Sizes:
    """The loss by clipping at a whole number, for users whose numbers of items a file gives."""

    def __init__(self, frequencies: Frequencies) -> None:
        self.found = frequencies
        self.sizes = [size for size, _ in frequencies.keys_of]
        self._users = [*accumulate((many for _, many in frequencies.keys_of), initial=0)]
        self._items = [*accumulate((size * many for size, many in frequencies.keys_of), initial=0)]

    def lost(self, clip: int) -> int:
        """Return the sum over users of the excess of their size over the clip."""
        place = bisect_right(self.sizes, clip)
        above = self._users[-1] - self._users[place]
        return self._items[-1] - self._items[place] - clip * above

    def ranked(self, rank: int) -> int:
        """Return the size of the user of this rank from the top, 0 where there are fewer."""
        left = self._users[-1] - rank
        return 0 if left < 0 else self.sizes[bisect_right(self._users, left) - 1]


def noise_ratio(epsilon: Epsilon, *, clip: int, dimension: int) -> Fraction:
    """Return the ratio of the noise that clipped-sum-l1 adds at a clip, in whole units."""
    return ratio_within(epsilon, min(dimension, 2) * clip)


def _error(sizes: Sizes, epsilon: Epsilon, clip: int, dimension: int) -> Fraction:
    """Return the loss by clipping plus the mean size of all noise: a bound on the mean l1 error of the sum. It omits
    the rounding of clipped counts, below one unit for each item of a clipped user.
    """
    noise = GeometricMoments(1 / noise_ratio(epsilon, clip=clip, dimension=dimension))
    return sizes.lost(clip) + dimension * noise.mean_size()


def printed_clip(sizes: Sizes, epsilon: Epsilon, dimension: int) -> int:
    """Return the ceil(eta)-th greatest size, eta = d min(d, 2)/epsilon, the mean size of Laplace noise for each unit.

    Source: user-level-histograms, Lemma 4.1 and Theorem 4.2, for l1.
    """
    lo, _ = epsilon_bounds(epsilon, 64)
    return sizes.ranked(ceil(dimension * min(dimension, 2) / lo))


def plan_clipped_l1(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least noise within epsilon at a clip, or the clip of least error on a file of users' sizes."""
    settings = question.take({"dimension": "1", "clip": ""})
    dimension = integer(settings, "dimension", least=1, greatest=10**6)
    factor, sizes = min(dimension, 2), None if frequencies is None else Sizes(frequencies)
    notes: tuple[str, ...] = ()
    if "clip" in settings:
        clip = integer(settings, "clip", least=1, greatest=MAX_CHANGE // factor)
        kind, why = OPTIMUM, "the least noise of a ratio that is an integer or 1 + 1/m: the next one spends more"
        if noise_ratio(budget.epsilon, clip=clip, dimension=dimension) >= MAX_RATIO - 1:
            why = "the least noise of a ratio that is an integer or 1 + 1/m, below 2^32"
    elif sizes is None:
        needed = "--set clip=C, or --frequencies FILE with the number of items of each user"
        raise InputError(given=f"plan {question.mechanism} without a clip", needed=needed, remedy="give one of them")
    else:
        clip = _best_clip(sizes, budget, dimension)
        kind, notes = SEARCH, (PRIVATELY,)
        most = _greatest_clip(sizes, budget.epsilon, dimension)
        why = f"the clip of least error of all up to {most}, exact for those that floats do not rule out"
    ratio = noise_ratio(budget.epsilon, clip=clip, dimension=dimension)
    paper, bought, utility = None, [f"noise of ratio {number_text(ratio)} on each count"], None
    if sizes is not None:
        mine = _error(sizes, budget.epsilon, clip, dimension)
        utility = {
            "users": str(sizes.found.keys),
            "items": str(sizes.found.total),
            "items lost by clipping": str(sizes.lost(clip)),
            "mean l1 error, at most": decimal_hi(mine, 6),
        }
        old = printed_clip(sizes, budget.epsilon, dimension)
        paper = {"clip": str(old)} if old else None
        if 1 <= old <= MAX_CHANGE // factor:
            theirs = decimal_hi(_error(sizes, budget.epsilon, old, dimension), 6)
            bought.append(f"a mean l1 error of at most {decimal_hi(mine, 6)}, at the printed threshold {theirs}")
        elif old:
            bought.append(f"the printed threshold is above {MAX_CHANGE // factor}, up to which clips are planned")
    answer = {"clip": str(clip), "grid": "1", "dimension": str(dimension), "epsilon": str(budget.epsilon)}
    answers, beyond, left_out = _checks_l1(budget, clip, dimension, ratio)
    return Proposal(
        answer={**answer, "ratio": number_text(ratio)},
        scope="when one user is replaced, for any number of users",
        kind=kind,
        why=why,
        source="Theorem 4.2" if sizes is not None else "",
        paper=paper,
        bought=tuple(bought),
        answers=answers,
        beyond=beyond,
        utility=utility,
        notes=(*notes, *left_out),
    )


def _best_clip(sizes: Sizes, budget: Budget, dimension: int) -> int:
    """Return a clip of least error up to the greatest size.

    Floats give a lower bound of each clip's error: that with noise of any real ratio. Errors are computed exactly in
    the order of these bounds, until no clip with a lower bound is left.
    """
    factor, most = min(dimension, 2), _greatest_clip(sizes, budget.epsilon, dimension)
    spend = float(epsilon_bounds(budget.epsilon, 64)[0])

    def least_of(clip: int) -> Fraction:
        x = spend / (factor * clip)
        return sizes.lost(clip) + Fraction(dimension / sinh(x) * (1 - NEAR) if x < 700 else 0)

    bounds = sorted((least_of(clip), clip) for clip in range(1, most + 1))
    best, least_error = bounds[0][1], _error(sizes, budget.epsilon, bounds[0][1], dimension)
    for bound, clip in bounds[1:]:
        if bound > least_error:
            break
        error = _error(sizes, budget.epsilon, clip, dimension)
        if error < least_error:
            best, least_error = clip, error
    return best


def _greatest_clip(sizes: Sizes, epsilon: Epsilon, dimension: int) -> int:
    """Return the greatest clip that is tried: the greatest size, the planning limit, or the greatest that epsilon
    allows.
    """
    factor, finest = min(dimension, 2), 1 + Fraction(1, MAX_RATIO)
    most = max(1, min(sizes.sizes[-1], MAX_CHANGE // factor))
    over = least(lambda clip: not at_most(Epsilon.ln(finest ** (factor * clip)), epsilon), 1, most)
    return most if over is None else max(1, over - 1)


def _checks_l1(
    budget: Budget, clip: int, dimension: int, ratio: Fraction
) -> tuple[tuple[PlannedAudit, ...], tuple[PlannedAudit, ...], tuple[str, ...]]:
    """Return the audits of one user's replacement, at the ratio and at the next greater one."""
    items = min(dimension, 2)
    if (clip + 1) ** items > AUDITED:
        proof = "by the proof in docs/papers/user-level-clipping.md"
        return (), (), (f"not audited: too many histograms of one user; {proof}",)
    own = {"clip": str(clip), "grid": "1", "users": "1", "dimension": str(items), "most": str(clip)}

    def check(of: Fraction, expect: str) -> PlannedAudit:
        chosen = {**own, "epsilon": str(Epsilon.ln(of ** (items * clip)))}
        return PlannedAudit.within(budget, "clipped-sum-l1", chosen, expect)

    if ratio >= MAX_RATIO - 1:
        return (check(ratio, "verified"),), (), ()
    m = 1 / (ratio - 1)
    better = ratio + 1 if ratio >= 2 else Fraction(2) if m == 1 else 1 + 1 / (m - 1)
    return (check(ratio, "verified"),), (check(better, "refuted"),), ()


def _plan_uncut(question: Question, budget: Budget) -> Proposal:
    """Return the least sigma, a multiple of 1/steps, of uncut noise by concentrated privacy, at any size.

    Raises: InputError for a noise that is neither cut nor uncut.
    """
    settings = question.take({"clip": "1", "grid": "1", "steps": "100", "noise": UNCUT})
    if settings["noise"] != UNCUT:
        raise InputError(given=f"noise={settings['noise']}", needed=f"{CUT} or {UNCUT}", remedy="set one of these")
    steps, clip, grid = steps_of(settings), exact(settings["clip"], "clip"), integer(settings, "grid", least=1)
    given = f"clip={settings['clip']}, grid={grid}"
    need(grid * clip >= 1, given, "grid times clip of 1 at least", "take a finer grid")

    def scale(dimension: int) -> str:
        square = square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid) * Fraction(i or 0, steps * grid) ** 2
        return shown(root_bounds(square, 64)[1])

    i = _concentrated(steps, budget)
    why = f"the least multiple of 1/{steps} by that bound, which is not tight"
    source = "theorem Clipping.gaussian_sums_private"
    base = Proposal(None, "", SEARCH, why, source)
    if i is None:
        return base
    needed = concentrated_delta(Fraction(steps * steps, 2 * i * i), budget.epsilon)
    own = {"clip": settings["clip"], "grid": settings["grid"]}
    return replace(
        base,
        answer={**own, "sigma": number_text(Fraction(i, steps)), "noise": UNCUT},
        scope=f"for any number of users and items, by {source}",
        notes=(
            f"the noise of each sum has the scale {scale(1)} for one item, and {scale(2)} for more: about its standard "
            "deviation",
            "uncut noise has outcomes without end: the delta is the theorem's, and no law is audited",
        ),
        delta=("0/1", rounded_text(needed, up=True)),
    )


def _concentrated(steps: int, budget: Budget) -> int | None:
    """Return the least i for which concentrated privacy bounds sigma = i/steps within the budget; None beyond 1000."""
    rho = Fraction(steps * steps, 2)
    return least(lambda i: concentrated_delta(rho / (i * i), budget.epsilon) <= budget.delta, 1, 1000 * steps)


def plan_clipped_l2(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least sigma, a multiple of 1/steps, of discrete Gaussian noise within epsilon and delta.

    It is for the noise that is released, at any size; of cut noise, for an audit's few users, where a setting asks so.
    """
    of_cut = any(name in question.settings for name in ("dimension", "most", "reach", "depth"))
    if question.settings.get("noise", CUT if of_cut else UNCUT) != CUT:
        return _plan_uncut(question, budget)
    own_defaults = {"clip": "1", "dimension": "1", "most": "1", "reach": "7", "depth": "20", "steps": "100"}
    settings = question.take({**own_defaults, "noise": CUT})
    steps = steps_of(settings)
    names = ("clip", "dimension", "most", "reach", "depth")
    own = {**{name: settings[name] for name in names}, "grid": "1", "users": "1", "method": "draw"}
    own |= {"epsilon": str(budget.epsilon)}
    sums = sums_of(own)
    square = square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    asked = exact(own["reach"], "reach")

    def at(i: int) -> dict[str, str]:
        return {**own, "sigma": number_text(Fraction(i, steps))}

    def enough(i: int) -> bool:
        noise = noise_of(at(i), square=square)
        sums.require_outcomes(2 * noise.reach + 1)
        return noise.reach > 0 and least_delta(sums, noise.law(), budget.epsilon) <= budget.delta

    i = least(enough, max(1, ceil(steps / asked)) if asked > 0 else 1, 1000 * steps)
    old = _concentrated(steps, budget)
    why = "the least sigma that a bisection found; delta of cut noise is not shown to fall with sigma everywhere"
    paper = None if old is None else {"sigma": number_text(Fraction(old, steps))}
    base = Proposal(None, "", SEARCH, why, "concentrated privacy", paper)
    if i is None:
        return base
    one_less = PlannedAudit.within(budget, question.mechanism, {**at(i - 1), "delta": "least"}, "refuted")
    sigma = Fraction(i, steps)
    bought = () if old is None else (f"noise {shown(Fraction(old, steps) / sigma)} times smaller than by that bound",)
    return replace(
        base,
        answer=at(i),
        scope=f"when one user is replaced, for users of counts up to {own['most']}",
        bought=bought,
        answers=(PlannedAudit.within(budget, question.mechanism, {**at(i), "delta": "least"}),),
        beyond=(one_less,) if i > 1 else (),
    )
