"""Checks of user-level-histograms, Section 4 and Appendix A.2: thresholds chosen privately, and their cost."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import ceil, isqrt

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import clipped_sum_l1_law, ratio_within
from dpcert.mechanisms.user_level.clipping import clip_l1, datasets, histograms, sensitivity_l1
from dpcert.mechanisms.user_level.dp_sgd import CLIP_THRESHOLD_DESCENT
from dpcert.mechanisms.user_level.output_perturbation import CLIP_THRESHOLD_PERTURBED, Regularized
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD, clip_threshold_law, distance
from dpcert.mechanisms.user_level.surds import Surd
from dpcert.mechanisms.user_level.threshold import Objective, weight
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.proofs.check import check
from dpcert.proofs.user_level.checks.clip_threshold import data

Users = tuple[tuple[int, ...], ...]

PLAIN = UserWeights("l1", 1, 1)
STRENGTHS = tuple(map(Fraction, ("1/3", "1/2", "1", "5/2")))
ETAS = tuple(map(Fraction, ("0", "1/2", "1", "2")))


@cache
def replaced(users: int, dimension: int, most: int) -> tuple[tuple[Users, Users], ...]:
    """Return every ordered pair of data sets of `users` users that differ in the first user alone.

    Sums over users do not depend on which user it is.
    """
    one = histograms(dimension=dimension, most=most)
    rest = datasets(users=users - 1, dimension=dimension, most=most) if users > 1 else ((),)
    return tuple(((a, *others), (b, *others)) for others in rest for a, b in product(one, repeat=2) if a != b)


@check("choice-sparse-weights")
def sparse_weights() -> Iterator[str]:
    """floor(parts min(w, sqrt(s))) is the weight of a user; a user of at most s items has w <= sqrt(s)."""
    for counts in histograms(dimension=4, most=3):
        own, items = weight(counts, "l2"), sum(count > 0 for count in counts)
        for sparsity, parts in product((1, 2, 3, 4), (1, 3, 10)):
            bound = Surd.root(sparsity)
            kept = own if own <= bound else bound
            units = UserWeights("l2", sparsity, parts).of(counts)
            scaled = kept.times(parts)
            if not Surd.rational(units) <= scaled or not scaled < Surd.rational(units + 1):
                yield f"{counts}, s = {sparsity}, parts = {parts}: {units}"
            if items <= sparsity and not own <= bound:
                yield f"{counts} weighs more than sqrt({sparsity})"


@check("choice-slope-changes")
def slope_changes() -> Iterator[str]:
    """Replacing a user changes the weight above any threshold by at most floor(parts sqrt(s)), which is reached."""
    for sparsity, parts in ((1, 1), (2, 5), (3, 2)):
        weights, greatest = UserWeights("l2", sparsity, parts), 0
        for a, b in replaced(1, 3, 2):
            for place in range(8):
                moved = abs(weights.above(a, Fraction(place, 2)) - weights.above(b, Fraction(place, 2)))
                greatest = max(greatest, moved)
        if greatest != weights.most:
            yield f"s = {sparsity}, parts = {parts}: {greatest}, and not {weights.most}"


def objective(users: Users, eta: Fraction, strength: Fraction, threshold: Fraction) -> Fraction:
    """Return F(C) in l1."""
    lost = sum((max(sum(counts) - threshold, Fraction(0)) for counts in users), Fraction(0))
    return lost + eta * threshold + strength / 2 * threshold**2


def exact_minimizer(users: Users, eta: Fraction, strength: Fraction) -> Fraction:
    """Return the minimizer of F in l1, exactly: the best of 0, the sizes, and where each number of users balances."""
    free = (max((j - eta) / strength, Fraction(0)) for j in range(len(users) + 1))
    candidates = {Fraction(0), *(Fraction(sum(counts)) for counts in users), *free}
    return min(candidates, key=lambda threshold: objective(users, eta, strength, threshold))


def regularized(weights: UserWeights, eta: Fraction, strength: Fraction, grid: int) -> Regularized:
    """Return F on a lattice, for eta in whole units of the weights."""
    return Regularized(weights=weights, noise=int(eta * weights.parts), strength=strength, grid=grid)


@check("perturbed-minimizer")
def minimizer_found() -> Iterator[str]:
    """The released threshold is the minimizer of F, rounded up: by bisection, by corners, and by trying all
    candidates.
    """
    for users, eta, strength in product(data(3, 1, 4), ETAS, STRENGTHS):
        halves = UserWeights("l1", 1, 2)
        found = regularized(halves, eta, strength, 3)
        least = ceil(3 * exact_minimizer(users, eta, strength))
        if not found.least(users) == found.least_by_corners(users) == least:
            yield f"l1, users {users}, eta = {eta}, lambda = {strength}"
    for users, eta, strength in product(data(2, 2, 2), ETAS, STRENGTHS):
        found = regularized(UserWeights("l2", 2, 4), eta, strength, 5)
        if found.least(users) != found.least_by_corners(users):
            yield f"l2, users {users}, eta = {eta}, lambda = {strength}"


@check("perturbed-strongly-convex")
def strongly_convex() -> Iterator[str]:
    """F(C) >= F(C_lambda) + (lambda/2) (C - C_lambda)^2 for every C >= 0."""
    for users, eta, strength in product(data(3, 1, 3), ETAS, STRENGTHS):
        best = exact_minimizer(users, eta, strength)
        least = objective(users, eta, strength, best)
        for place in range(12):
            point = Fraction(place, 2)
            if objective(users, eta, strength, point) < least + strength / 2 * (point - best) ** 2:
                yield f"users {users}, eta = {eta}, lambda = {strength}, C = {point}"


@check("perturbed-sensitivity")
def minimizer_moves() -> Iterator[str]:
    """C_lambda moves by at most w_max/lambda when one user is replaced, and by that much for some."""
    for eta, strength in product(ETAS, STRENGTHS):
        greatest = Fraction(0)
        for a, b in replaced(2, 1, 4):
            moved = abs(exact_minimizer(a, eta, strength) - exact_minimizer(b, eta, strength))
            greatest = max(greatest, moved)
            if moved > 1 / strength:
                yield f"{a}, {b}, eta = {eta}, lambda = {strength}: {moved}"
        if eta <= 1 and 2 - eta <= 4 * strength and greatest < 1 / strength:
            yield f"eta = {eta}, lambda = {strength}: {greatest} at most"
    for eta, strength, sparsity in product(ETAS, STRENGTHS[1:], (1, 2)):
        found = regularized(UserWeights("l2", sparsity, 2), eta, strength, 4)
        for a, b in replaced(2, 2, 2)[::5]:
            if abs(found.least(a) - found.least(b)) > found.sensitivity:
                yield f"l2, {a}, {b}, eta = {eta}, lambda = {strength}"


def _private(mechanism: Mechanism, settings: dict[str, str]) -> Iterator[str]:
    """Whether the closed forms of all neighbouring inputs are as close as is claimed, as the kernel decides."""
    instance = mechanism.build(mechanism.settings(settings))
    form = instance.closed_form
    if form is None:
        raise AssertionError(f"{mechanism.name} has no closed form")
    laws = {users: form(users) for users in instance.inputs}
    decided: dict[tuple[str, str], bool] = {}

    def close(p: Dist, q: Dist) -> bool:
        key = (p.digest(), q.digest())
        if key not in decided:
            decided[key] = decide_pair(p, q, instance.epsilon, instance.delta)[0] is True
        return decided[key]

    users, dimension = len(instance.inputs[0]), len(instance.inputs[0][0])
    pairs = replaced(users, dimension, int(mechanism.settings(settings)["most"]))
    return (f"{a}, {b}" for a, b in pairs if not close(laws[a], laws[b]))


@check("choice-quantile-private")
def quantile_private() -> Iterator[str]:
    """The private quantile is as private as claimed, in l1 and in l2."""
    yield from _private(CLIP_THRESHOLD, {})
    settings = {"norm": "l2", "parts": "5", "noise": "7/5", "most": "1", "dimension": "3", "sparsity": "2"}
    yield from _private(CLIP_THRESHOLD, settings)


@check("choice-distance")
def quantile_distance() -> Iterator[str]:
    """How far users are from the rule changes by at most one user's weight; it is 0 where the rule holds."""
    for eta in (1, 2):
        for users in data(3, 2, 2):
            objective = Objective(users, Fraction(eta), "l1")
            for c in range(1, 5):
                far = distance(users, c, weights=PLAIN, noise=eta)
                if (far == 0) is not objective.is_stationary(c * c):
                    yield f"users {users}, eta = {eta}, C = {c}: {far}"
        for a, b in replaced(2, 2, 2):
            for c in range(1, 5):
                if abs(_far(a, c, eta) - _far(b, c, eta)) > 1:
                    yield f"{a}, {b}, eta = {eta}, C = {c}"


def _far(users: Users, threshold: int, eta: int) -> int:
    return distance(users, threshold, weights=PLAIN, noise=eta)


@check("perturbed-private")
def perturbed_private() -> Iterator[str]:
    """Algorithm 2 on a lattice is as private as claimed, in l1 and in l2."""
    yield from _private(CLIP_THRESHOLD_PERTURBED, {})
    settings = {"norm": "l2", "parts": "4", "noise": "1/2", "strength": "1/2", "most": "1", "dimension": "3"}
    yield from _private(CLIP_THRESHOLD_PERTURBED, settings)


@check("descent-private")
def descent_private() -> Iterator[str]:
    """Noisy descent is as private as claimed, in l1 and in l2, all its steps together."""
    yield from _private(CLIP_THRESHOLD_DESCENT, {"most": "1", "dimension": "3"})
    settings = {"norm": "l2", "parts": "2", "noise": "1/2", "most": "1", "stride": "2"}
    yield from _private(CLIP_THRESHOLD_DESCENT, settings)


@check("choice-composed")
def composed_private() -> Iterator[str]:
    """A threshold and the sum clipped at it have the sum of their epsilons, over all pairs."""
    most, epsilon = 3, Epsilon.ln(Fraction(3, 2))
    chosen = clip_threshold_law(weights=PLAIN, noise=1, greatest=most, ratio=Fraction(5, 4))

    def law(users: Users) -> Dist:
        rows = []
        for clip, p in chosen(users).items():
            steps = sensitivity_l1(dimension=1, clip=Fraction(clip))
            release = clipped_sum_l1_law(
                clipped=partial(clip_l1, clip=Fraction(clip)),
                dimension=1,
                greatest=2 * clip,
                ratio=ratio_within(epsilon, steps),
            )
            rows += [((clip, sums), p * q) for sums, q in release(users).items()]
        return Dist.of(rows)

    laws = {users: law(users) for users in datasets(users=2, dimension=1, most=most + 1)}
    together = Epsilon.ln(Fraction(5, 4) ** 2) + epsilon
    return (
        f"{a}, {b}"
        for a, b in replaced(2, 1, most + 1)
        if decide_pair(laws[a], laws[b], together, Fraction(0))[0] is not True
    )


@check("choice-beyond-sparsity")
def beyond_sparsity() -> Iterator[str]:
    """A user of m items, of whom s are assumed, would weigh floor(parts sqrt(m)); capped, floor(parts sqrt(s))."""
    for items, parts, sparsity in product(range(1, 30), (1, 10), (1, 4, 9)):
        weights, dense = UserWeights("l2", sparsity, parts), (1,) * items
        if weights.uncapped(dense) != isqrt(parts * parts * items):
            yield f"{items} items, parts = {parts}"
        if weights.of(dense) != isqrt(parts * parts * min(items, sparsity)):
            yield f"{items} items, s = {sparsity}, parts = {parts}"


def clipped_error(counts: Sequence[int], clip: int, noise: Fraction) -> Fraction:
    """Return the count lost by clipping at `clip`, and the mean size of noise in proportion to it: U of one item."""
    return sum(max(count - clip, 0) for count in counts) + noise * clip


@check("fixed-quantile-poor")
def fixed_quantile_poor() -> Iterator[str]:
    """For every quantile below 1 some data make U at it more than 50 times its least; so does the greatest count."""
    for parts, great in product((2, 4, 10), (10, 1000)):
        for noise in (Fraction(1), Fraction(5)):
            n = parts * 100 * int(noise)
            for share in range(1, parts):
                zeros = n * share // parts
                counts = [0] * zeros + [great] * (n - zeros)
                least = min(clipped_error(counts, clip, noise) for clip in (0, great))
                if clipped_error(counts, counts[zeros - 1], noise) <= 50 * least:
                    yield f"quantile {share}/{parts} of {n} users, counts 0 and {great}"
        lone = [0] * 9 + [great]
        if clipped_error(lone, great, Fraction(51)) <= 50 * clipped_error(lone, 0, Fraction(51)):
            yield f"the greatest count, {great}"
