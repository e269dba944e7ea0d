"""The faults of sample-threshold-histogram and contacted-histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, lists, tally
from dpcert.mechanisms.mechanism import Expected, Instance, integer, probability
from dpcert.mechanisms.sample_and_threshold.contact import CONTACTED_HISTOGRAM, settings_of, taken_and_shown
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM, threshold_histogram

threshold_histogram_fault = FaultsOf(THRESHOLD_HISTOGRAM)
contacted_histogram_fault = FaultsOf(CONTACTED_HISTOGRAM)


def sampled_counts(people: Sequence[int], bins: int, rate: Fraction, coins: Coins) -> tuple[int, ...]:
    """Return how many people of each label are sampled, each person with probability `rate`."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    return coins.fold(people, (0,) * bins, sample)


def fixed_size(*, size: int, threshold: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Sample `size` of the people, where each by itself with probability size / people is meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        sampled = Counter(coins.sample(people, size))
        return tuple((label, sampled[label]) for label in sorted(sampled) if sampled[label] >= threshold)

    return release


def share(settings: Settings) -> str:
    """Return the share of the people that is sampled."""
    n = integer(settings, "n", least=2, greatest=1000)
    return f"{integer(settings, 'size', least=1, greatest=n - 1)}/{n}"


def of_fixed_length(settings: Settings, meant: Instance) -> dict[str, Any]:
    """Return the scope of people who move."""
    n, universe = integer(settings, "n", least=2, greatest=1000), integer(settings, "universe", least=2)
    return {"inputs": tuple(lists(n, universe)), "domain": label_lists(n, universe), "neighbours": "substitute"}


def of_moves(settings: Settings, meant: Instance) -> dict[str, Any]:
    """Return the claim for people who move, at the epsilon for one person more."""
    return {"epsilon": Epsilon.ln(1 / (1 - probability(settings, "rate"))), "neighbours": "substitute"}


@threshold_histogram_fault(
    "sample-threshold-histogram-empty",
    source="sample-and-threshold, Section 3.1, without its fixed bins",
    fault="an exception on empty input",
    edit=("sorted(people)[-1] + 1", 'int(settings["universe"])'),
    expected=Expected([], [0], [Raised("IndexError", ("list index out of range",))], "1", "0"),
)
def threshold_histogram_empty(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """sample-threshold-histogram that raises an error when there are no people"""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = sorted(people)[-1] + 1
        sampled = sampled_counts(people, bins, rate, coins)
        return tuple((label, count) for label, count in enumerate(sampled) if count >= threshold)

    return release


@threshold_histogram_fault(
    "sample-threshold-histogram-fixed-size",
    source="sample-and-threshold, Section 3.2, where delta >= size/n",
    fault="a sample of fixed size, which tells how many were suppressed",
    edit=("coins.sample(people, size)", "person for person in people if coins.below(len(people)) < size"),
    place=fixed_size,
    meant=lambda settings: {**settings, "rate": share(settings)},
    claim=of_fixed_length,
    defaults={"size": "2", "delta": "1/4"},
    names=("size", "threshold", "universe", "n", "delta"),
    about={"size": "the size of the sample, less than n", "delta": "the claimed delta, which Poisson sampling has"},
    expected=Expected([0, 0, 0, 1], [0, 0, 0, 0], [()], "1/2", "0"),
)
def threshold_histogram_fixed_size(settings: Settings) -> Program:
    """sample-threshold-histogram with a sample of fixed size, for people who move"""
    return fixed_size(size=integer(settings, "size", least=1), threshold=integer(settings, "threshold", least=1))


@threshold_histogram_fault(
    "sample-threshold-histogram-size",
    source="sample-and-threshold, Section 3.2, the size before thresholding",
    fault="the size of the sample released before the threshold",
    edit=("return sum(sampled), bins", "return bins"),
    defaults={"universe": "1", "n": "2"},
    expected=Expected([0], [], [(1, ())], "1/10", "0"),
)
def threshold_histogram_size(settings: Settings) -> Callable[[Sequence[int], Coins], tuple[int, Bins]]:
    """sample-threshold-histogram with the size of the sample"""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    universe = integer(settings, "universe", least=1)

    def release(people: Sequence[int], coins: Coins) -> tuple[int, Bins]:
        sampled = sampled_counts(people, universe, rate, coins)
        bins = tuple((label, count) for label, count in enumerate(sampled) if count >= threshold)
        return sum(sampled), bins

    return release


@contacted_histogram_fault(
    "contacted-histogram-abstentions",
    source="sample-and-threshold, Section 3.2, Lemma 4, abstentions seen by the aggregator",
    fault="the number of abstentions is shown",
    edit=("return asked - size, taken", "return taken"),
    defaults={"n": "4", "m": "3", "asked": "4"},
    expected=Expected([0, 0, 0, 1], [0, 0, 0, 0], [(0, ((0, 3),)), (1, ((0, 2),)), (2, ())], "189/256", "0"),
)
def contacted_histogram_abstentions(settings: Settings) -> Callable[[Sequence[int], Coins], tuple[int, Bins]]:
    """contacted-histogram that tells how many of those contacted abstained"""
    n, m, asked, threshold, _ = settings_of(settings)

    def count(size: int, person: int, coins: Coins) -> int:
        return size + (coins.below(n) < m)

    def release(people: Sequence[int], coins: Coins) -> tuple[int, Bins]:
        size = min(coins.fold(range(n), 0, count), asked)
        return asked - size, taken_and_shown(tally(people), size, n, threshold, coins)

    return release


@threshold_histogram_fault(
    "sample-threshold-histogram-substituted",
    source="sample-and-threshold, Section 2 and Theorem 2, whose proof changes one bin",
    fault="the delta of one changed bin under substitution, which changes two",
    edit=('"neighbours": "substitute"', '"neighbours": "add-remove"'),
    place=of_moves,
    claim=of_moves,
    defaults={"rate": "1/4", "delta": "7/96"},
    about={"delta": "the claimed delta, which it has for people who are added or removed"},
    expected=Expected([0, 0, 0, 1], [0, 0, 1, 1], [((0, 2),), ((0, 3),)], "5/32", "15/256"),
)
def threshold_histogram_substituted(settings: Settings) -> Program:
    """sample-threshold-histogram, claimed for people who move from one bin to another"""
    return threshold_histogram(
        rate=probability(settings, "rate"),
        threshold=integer(settings, "threshold", least=1),
        universe=integer(settings, "universe", least=1),
    )
