"""One person who joins a bin, without whom the count is sometimes withheld.

This turns one order of privacy into a total variation distance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import one_count_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold, sample_threshold_law

Joined = Sequence[int]
"""A list of a count k >= 1 and of 0 or 1: k people, of whom the last one has not joined yet (0), or has (1)."""

MOST = 2000
"""The greatest number of counts that are audited."""


def joined_count(*, rate: Fraction, threshold: int, keep: Fraction) -> Callable[[Joined, Coins], int | None]:
    """Release as `sample_threshold` for k people; or, with probability `keep`, for k - 1 people, else None.

    Requires: 0 < rate < 1, threshold >= 1, 0 < keep < 1; inputs [k, 1] and [k, 0], with k >= 1.
    Claims:   for E = 1/keep, the total variation distance of its laws on [k, 0] and [k, 1] is 1 - (1 - m)/E exactly if
              m is the least delta of k - 1 against k people, in that order, at e^epsilon = E.
    Source:   an identity: withheld, p/E + (1 - 1/E) against q has sum max(0, p/E - q) = m/E on what is released.
    """
    release = sample_threshold(rate=rate, threshold=threshold)

    def joined(people: Joined, coins: Coins) -> int | None:
        count, here = people
        if here:
            return release(count, coins)
        if coins.below(keep.denominator) >= keep.numerator:
            return None
        return release(count - 1, coins)

    return joined


def joined_count_law(*, rate: Fraction, threshold: int, keep: Fraction) -> Callable[[Joined], Dist]:
    """Return the law of `joined_count` in closed form, from that of `sample_threshold`."""
    law = sample_threshold_law(rate=rate, threshold=threshold)

    def joined(people: Joined) -> Dist:
        count, here = people
        if here:
            return law(count)
        before = law(count - 1)
        weights: list[tuple[int | None, int]] = [(v, keep.numerator * weight) for _, v, weight in before.weights()]
        weights.append((None, (keep.denominator - keep.numerator) * before.denominator))
        return Dist.from_weights(weights, keep.denominator * before.denominator)

    return joined


def distance_of(delta: Fraction, ratio: Fraction) -> Fraction:
    """Return 1 - (1 - delta)/ratio, the distance that `joined_count` has at keep = 1/ratio where joining needs delta.

    Requires: 0 <= delta <= 1, ratio >= 1.
    """
    return 1 - (1 - delta) / ratio


def joined_domain() -> Domain:
    """Return the domain of `joined_count`."""

    def fault(value: object) -> str | None:
        if type(value) is not list or len(value) != 2 or any(type(part) is not int for part in value):
            return "which is no list of two ints"
        return None if value[0] >= 1 and value[1] in (0, 1) else "which is out of range"

    words = "a list of a count >= 1 and of 0 or 1, for whether the last of these people is there"
    return Domain(words, fault, "write [3, 1]")


def _build(settings: Mapping[str, str]) -> Instance:
    rate, keep = probability(settings, "rate"), probability(settings, "keep")
    threshold = integer(settings, "threshold", least=1)
    least, greatest = (integer(settings, name, least=1, greatest=10**5) for name in ("least", "greatest"))
    if not least <= greatest < least + MOST:
        remedy = "audit fewer counts"
        needed = f"a greatest count from {least} to {least + MOST - 1}"
        raise InputError(given=f"greatest={greatest}", needed=needed, remedy=remedy)
    counts = range(least, greatest + 1)
    needed_of = (one_count_delta(rate=rate, threshold=threshold, ratio=1 / keep, count=count)[1] for count in counts)
    return Instance(
        program=joined_count(rate=rate, threshold=threshold, keep=keep),
        closed_form=joined_count_law(rate=rate, threshold=threshold, keep=keep),
        inputs=tuple([count, here] for count in counts for here in (0, 1)),
        neighbours="l1",
        epsilon=Epsilon.of(0),
        delta=distance_of(max(needed_of), 1 / keep),
        domain=joined_domain(),
    )


JOINED_COUNT = Mechanism(
    name="joined-count",
    words="sample-threshold before and after one person joins, the former withheld at times: one order as a distance",
    source="sample-and-threshold, Section 3.1; docs/explanation/all-counts.md",
    parameters=(
        Parameter("rate", "1/2", "the probability p with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("keep", "3/4", "the probability with which the bin before is released: 1/e^epsilon"),
        Parameter("least", "1", "the least count audited"),
        Parameter("greatest", "6", "the greatest count audited"),
    ),
    build=_build,
)
