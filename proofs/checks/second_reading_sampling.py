"""Checks of what a second reading added to sample-and-threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from types import MappingProxyType

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.sample_and_threshold.quantile_search import next_split
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.experiments import THRESHOLD, masses

__all__ = ["SECOND_READING_SAMPLING", "shown"]

TENTHS = tuple(Fraction(tenth, 10) for tenth in range(1, 10))
People = Sequence[int]


def _subsets(places: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(places), size) for size in range(places + 1))


def shown(messages: Sequence[int], threshold: int) -> tuple[tuple[int, int], ...]:
    """Return the items with how often each was sent, those below the threshold left out."""
    found = ((item, sum(message == item for message in messages)) for item in sorted(set(messages)))
    return tuple((item, count) for item, count in found if count >= threshold)


def messages_are_items() -> Finding:
    """A server that receives no more than the items of those sampled has the mechanism's law."""

    def law(people: People, rate: Fraction, threshold: int) -> Dist:
        rows = []
        for sampled in _subsets(len(people)):
            mass = rate ** len(sampled) * (1 - rate) ** (len(people) - len(sampled))
            rows.append((shown([people[place] for place in sampled], threshold), mass))
        return Dist.of(rows)

    return first(
        f"p = {rate}, tau = {threshold}, people with {people}"
        for rate, threshold in product((Fraction(1, 3), Fraction(1, 2)), (1, 2, 3))
        for size in range(5)
        for people in combinations_with_replacement(range(3), size)
        if law(people, rate, threshold) != threshold_histogram_law(rate=rate, threshold=threshold, universe=3)(people)
    )


def _abstainers(thresholds: Sequence[int]) -> Finding:
    """Whether those who abstain, each with an item of their own from 100 on, leave what is shown as it is."""
    return first(
        f"tau = {threshold}, {size} people: the vote of one who abstains is shown"
        for threshold, size in product(thresholds, range(1, 6))
        for people in combinations_with_replacement(range(2), size)
        for takes_part in _subsets(size)
        if shown([item if place in takes_part else 100 + place for place, item in enumerate(people)], threshold)
        != shown([people[place] for place in takes_part], threshold)
    )


def abstainers_printed() -> Finding:
    """For every threshold."""
    return _abstainers((1, 2, 3))


def abstainers_corrected() -> Finding:
    """For every threshold of 2 or more."""
    return _abstainers((2, 3, 4))


def few_buckets_pass() -> Finding:
    """At epsilon = 1/10, fewer than a tenth of 4096 and of 16384 buckets of Zipf words expect 20 sampled people."""

    def witnesses() -> Iterator[str]:
        rate = Fraction(1, 6) * Fraction(951626, 10**7)  # 1 - e^(-1/10), rounded up
        for size in (4096, 16384):
            passing = sum(count * rate >= THRESHOLD for count in masses("Zipf", size))
            if 10 * passing >= size:
                yield f"{passing} of {size} buckets"

    return first(witnesses())


def removed_bucket_printed() -> Finding:
    """A step of the search with phi = 1/2 well between tau/m and 1 - tau/m may keep both its buckets."""

    def witnesses() -> Iterator[str]:
        threshold, rate = 2, Fraction(1, 2)
        for people in (9, 12, 18):  # at n = 8 is tau/m = 1/2
            law = threshold_histogram_law(rate=rate, threshold=threshold, universe=2)([0] + [1] * (people - 1))
            if not any(dict(bins).get(0) for bins, _ in law.items()):
                yield (
                    f"p = 1/2, tau = 2, phi = 1/2, n = {people}, one value below 1/2: "
                    "its bucket is removed with probability 1"
                )

    return first(witnesses())


def removed_bucket_corrected() -> Finding:
    """Where tau <= phi s and tau <= (1 - phi) s, s sampled, the step goes where it would with no bucket removed."""

    def witnesses() -> Iterator[str]:
        for phi, low, high, threshold in product(TENTHS, range(17), range(17), range(1, 7)):
            total = low + high
            if threshold > min(phi, 1 - phi) * total:
                continue
            whole = tuple((side, count) for side, count in ((0, low), (1, high)) if count)
            kept = tuple((side, count) for side, count in whole if count >= threshold)
            meant = next_split(((2, whole),), phi=phi, halvings=2)
            if next_split(((2, kept),), phi=phi, halvings=2) != meant or (meant == 3) != (low < phi * total):
                yield f"phi = {phi}, counts {low} and {high}, tau = {threshold}"

    return first(witnesses())


SECOND_READING_SAMPLING: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        "sampled-messages": messages_are_items,
        "contact-unique-votes-printed": abstainers_printed,
        "contact-unique-votes-corrected": abstainers_corrected,
        "experiments-few-buckets": few_buckets_pass,
        "quantile-removed-bucket-printed": removed_bucket_printed,
        "quantile-removed-bucket-corrected": removed_bucket_corrected,
    }
)
