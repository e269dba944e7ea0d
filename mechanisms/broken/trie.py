"""The faults of trie-heavy-hitters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.broken.threshold_histogram import sampled_counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Expected, Instance, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import lists_up_to, threshold_histogram
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, Trie, branches, prefix

fault = FaultsOf(
    TRIE,
    defaults={"ancestors": "no", "delta": "199/10000", "n": "2"},
    about={
        "ancestors": "no: a prefix is shown wherever its count is",
        "labels": "the number of labels, from 0, that are audited",
    },
    without=("n", "ancestors"),
)


def levels_of(settings: Settings) -> tuple[Fraction, int, int, int]:
    """Return the rate, the threshold, how many digits there are, and how many a label has."""
    return probability(settings, "rate"), integer(settings, "threshold", least=1), *branches(settings)


def few_labels(settings: Settings, meant: Instance) -> dict[str, Any]:
    """Return the scope of lists of the first labels alone."""
    scope = lists_up_to(integer(settings, "n", least=1), integer(settings, "labels", least=1))
    return {"inputs": scope.inputs, "assumptions": scope.assumptions}


@fault(
    "trie-heavy-hitters-last-level",
    source="sample-and-threshold, Section 4.1",
    fault="a threshold at the last level only",
    edit=("threshold if level == levels else 1", "threshold"),
    about={
        "threshold": "the least count that is shown, at the last level",
        "delta": "the delta that a threshold at both levels needs",
    },
    expected=Expected([0], [], [(((0, 1),), ())], "1/10", "0"),
)
def trie_last_level(settings: Settings) -> Callable[[Sequence[int], Coins], Trie]:
    """trie-heavy-hitters with a threshold at the last level only"""
    rate, threshold, branching, levels = levels_of(settings)

    def release(people: Sequence[int], coins: Coins) -> Trie:
        def grow(grown: Trie, level: int, coins: Coins) -> Trie:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            least = threshold if level == levels else 1
            return (*grown, threshold_histogram(rate=rate, threshold=least, universe=branching**level)(nodes, coins))

        return coins.fold(range(1, levels + 1), (), grow)

    return release


@fault(
    "trie-heavy-hitters-reused",
    source="sample-and-threshold, Section 4.1",
    fault="one sample reused at every level",
    edit=("shown(sampled, level)", "shown(sampled_counts(people, branching**levels, rate, coins), level)"),
    meant=lambda settings: {**settings, "n": "1"},
    claim=few_labels,
    defaults={"labels": "2", "n": "4"},
    names=("rate", "threshold", "branching", "levels", "ancestors", "delta", "labels", "n"),
    about={"delta": "the delta that two samples need"},
    expected=Expected([0, 0, 0, 1], [0, 0, 0], [(((0, 2),), ())], "243/10000", "0"),
)
def trie_reused(settings: Settings) -> Callable[[Sequence[int], Coins], Trie]:
    """trie-heavy-hitters from one sample"""
    rate, threshold, branching, levels = levels_of(settings)

    def shown(counts: tuple[int, ...], level: int) -> tuple[tuple[int, int], ...]:
        totals = dict.fromkeys(range(branching**level), 0)
        for label, count in enumerate(counts):
            totals[prefix(label, level, branching=branching, levels=levels)] += count
        return tuple((node, count) for node, count in totals.items() if count >= threshold)

    def release(people: Sequence[int], coins: Coins) -> Trie:
        sampled = sampled_counts(people, branching**levels, rate, coins)
        return tuple(shown(sampled, level) for level in range(1, levels + 1))

    return release


Sized = tuple[tuple[int, Bins], ...]


@fault(
    "trie-heavy-hitters-size",
    source="sample-and-threshold, Section 4.1, with the sizes before thresholding",
    fault="the size of each level's sample released",
    edit=("(*grown, (sum(sampled), bins))", "(*grown, bins)"),
    about={"delta": "the delta that the counts alone need"},
    expected=Expected([0], [], [((0, ()), (1, ()))], "9/100", "0"),
)
def trie_size(settings: Settings) -> Callable[[Sequence[int], Coins], Sized]:
    """trie-heavy-hitters with the size of each level's sample"""
    rate, threshold, branching, levels = levels_of(settings)

    def release(people: Sequence[int], coins: Coins) -> Sized:
        def grow(grown: Sized, level: int, coins: Coins) -> Sized:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            sampled = sampled_counts(nodes, branching**level, rate, coins)
            bins = tuple((node, count) for node, count in enumerate(sampled) if count >= threshold)
            return (*grown, (sum(sampled), bins))

        return coins.fold(range(1, levels + 1), (), grow)

    return release


@fault(
    "trie-heavy-hitters-unsampled",
    source="sample-and-threshold, Section 4.1, with prefixes that extend the trie whether sampled or not",
    fault="the trie extended by prefixes that occur, whether sampled or not",
    edit=("if count >= threshold or x in occur", "if count >= threshold"),
    meant=lambda settings: {**settings, "n": "1"},
    claim=few_labels,
    defaults={"ancestors": "yes", "labels": "2", "n": "3"},
    names=("rate", "threshold", "branching", "levels", "ancestors", "delta", "labels", "n"),
    about={
        "ancestors": "yes: a prefix is shown only below one shown before",
        "delta": "a delta that is enough for prefixes that were sampled",
    },
    expected=Expected(
        [0, 0, 1], [0, 0], [(((0, 2),), ((0, 0), (1, 0))), (((0, 2),), ((0, 1), (1, 0)))], "24057/1000000", "0"
    ),
)
def trie_unsampled(settings: Settings) -> Callable[[Sequence[int], Coins], Trie]:
    """trie-heavy-hitters that extends its trie by every prefix that occurs"""
    rate, threshold, branching, levels = levels_of(settings)

    def release(people: Sequence[int], coins: Coins) -> Trie:
        def grow(grown: Trie, level: int, coins: Coins) -> Trie:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            if grown:
                shown = [node for node, _ in grown[-1]]
                nodes = [node for node in nodes if node // branching in shown]
            sampled = sampled_counts(nodes, branching**level, rate, coins)
            occur = nodes if grown else []
            bins = tuple((x, count) for x, count in enumerate(sampled) if count >= threshold or x in occur)
            return (*grown, bins)

        return coins.fold(range(1, levels + 1), (), grow)

    return release
