"""A clipping threshold by a private quantile: the exponential mechanism on the distance from the best rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.user_level.clipped_sum_l1 import claimed, ratio_within
from dpcert.mechanisms.user_level.clipping import Users, datasets, users_domain
from dpcert.mechanisms.user_level.threshold import norm_square
from dpcert.mechanisms.user_level.user_weights import WEIGHT_PARAMETERS, UserWeights, units, weights_of


def distance(users: Users, threshold: int, *, weights: UserWeights, noise: int) -> int:
    """Return the units of weight by which a threshold misses the rule of the best threshold; 0 at the best.

    The rule: the users above the threshold weigh at most eta, the users at or above it at least eta.

    Claims: replacing a user changes either sum by at most `weights.most`, and so the distance.
    Source: user-level-histograms, Theorem 4.2; the private choice is this project's.
    """
    over = weights.above(users, Fraction(threshold)) - noise
    under = noise - weights.from_on(users, Fraction(threshold))
    return max(over, under, 0)


def all_distances(users: Users, greatest: int, *, weights: UserWeights, noise: int) -> list[int]:
    """Return the `distance` of each threshold from 1 to `greatest`, in one pass over the users.

    A user of norm nu weighs in `from_on` up to the greatest threshold <= nu, and in `above` up to the greatest < nu.
    """
    from_on, above = [0] * (greatest + 2), [0] * (greatest + 2)
    for counts in users:
        square, own = norm_square(counts, weights.norm), weights.of(counts)
        root = isqrt(square)
        from_on[min(root, greatest)] += own
        above[min(root if root * root < square else max(0, root - 1), greatest)] += own
    for threshold in range(greatest, 0, -1):
        from_on[threshold] += from_on[threshold + 1]
        above[threshold] += above[threshold + 1]
    return [max(above[c] - noise, noise - from_on[c], 0) for c in range(1, greatest + 1)]


def clip_threshold(
    *, weights: UserWeights, noise: int, greatest: int, ratio: Fraction
) -> Callable[[Users, Coins], int]:
    """Choose a threshold from 1 to `greatest`, each with probability proportional to ratio^-distance.

    Requires: greatest >= 1, ratio > 1, noise >= 0 in units of the weights.
    Claims:   (2 weights.most ln ratio, 0)-DP when one user is replaced: weight and sum of weights change by a factor
              ratio^weights.most at most. The bound of the one draw depends on the data; the claim is about the outcome
              alone.
    Source:   McSherry, Talwar 2007, for the rule of user-level-histograms, Lemma 4.1 and Theorem 4.2.
    """
    a, b = ratio.numerator, ratio.denominator

    def release(users: Users, coins: Coins) -> int:
        distances = all_distances(users, greatest, weights=weights, noise=noise)
        furthest = max(distances)
        chances = [b**far * a ** (furthest - far) for far in distances]
        u, threshold = coins.below(sum(chances)), 1
        for chance in chances:
            if u < chance:
                return threshold
            u, threshold = u - chance, threshold + 1
        return greatest

    return release


def drawn_threshold(distances: Sequence[int], ratio: Fraction, coins: Coins) -> int:
    """Choose as `clip_threshold` does among thresholds 1, 2, ... of these distances, without numbers of their size.

    A threshold is proposed, each with one probability, and accepted with probability ratio^-(its distance above the
    least one): as many coins of 1/ratio must all come up.

    Requires: ratio > 1, at least one distance.
    Claims:   the law of `clip_threshold`. It costs about ratio/(ratio - 1) coins for each proposal, and there are at
              most as many proposals as thresholds, on average.
    """
    least = min(distances)

    def propose(tried: Any, coins: Coins) -> Any:
        place = coins.below(len(distances))
        for _ in range(distances[place] - least):
            if coins.below(ratio.numerator) >= ratio.denominator:
                return None
        return Done(place + 1)

    chosen: int = coins.loop(None, propose)
    return chosen


def clip_threshold_law(*, weights: UserWeights, noise: int, greatest: int, ratio: Fraction) -> Callable[[Users], Dist]:
    """Return the law of `clip_threshold` in closed form, from a table of the users' norms and weights.

    Source: the definition, with every sum of weights by a walk down the thresholds.
    """

    def law(users: Users) -> Dist:
        chances = []
        above, from_on = 0, 0
        for threshold in range(greatest, 0, -1):
            above = sum(weights.of(counts) for counts in users if _norm_exceeds(counts, threshold, weights.norm))
            from_on = above + sum(weights.of(counts) for counts in users if _norm_is(counts, threshold, weights.norm))
            far = above - noise if above > noise else noise - from_on if from_on < noise else 0
            chances.append((threshold, ratio ** (-far)))
        total = sum(chance for _, chance in chances)
        return Dist.of([(threshold, chance / total) for threshold, chance in chances])

    return law


def _norm_exceeds(counts: tuple[int, ...], threshold: int, norm: str) -> bool:
    return sum(counts) > threshold if norm == "l1" else sum(x * x for x in counts) > threshold * threshold


def _norm_is(counts: tuple[int, ...], threshold: int, norm: str) -> bool:
    return sum(counts) == threshold if norm == "l1" else sum(x * x for x in counts) == threshold * threshold


def _build(settings: Mapping[str, str]) -> Instance:
    weights = weights_of(settings)
    noise, greatest = units(settings, weights), integer(settings, "greatest", least=1, greatest=1000)
    steps = 2 * weights.most
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), steps)
    users, dimension = integer(settings, "users", least=1, greatest=1000), integer(settings, "dimension", least=1)
    return Instance(
        program=clip_threshold(weights=weights, noise=noise, greatest=greatest, ratio=ratio),
        closed_form=clip_threshold_law(weights=weights, noise=noise, greatest=greatest, ratio=ratio),
        inputs=datasets(users=users, dimension=dimension, most=integer(settings, "most", least=1)),
        neighbours="replace-user",
        epsilon=claimed(Epsilon.of(settings["epsilon"]), ratio, steps),
        domain=users_domain(users=users, dimension=dimension),
    )


CLIP_THRESHOLD = Mechanism(
    name="clip-threshold",
    words="a clipping threshold near the one of least error, by a private quantile of the users' norms",
    source="user-level-histograms, Lemma 4.1, Theorem 4.2, with an exponential mechanism",
    parameters=(
        *WEIGHT_PARAMETERS,
        Parameter("greatest", "4", "the greatest threshold; the least is 1"),
        Parameter("users", "2", "the number of users, which is known"),
        Parameter("dimension", "2", "the number of items"),
        Parameter("most", "2", "the greatest count of an item that is audited; any greater one is taken"),
        Parameter("epsilon", "ln(4)", "above 0; the claim is at most this"),
    ),
    build=_build,
)
