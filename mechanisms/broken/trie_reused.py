"""TrieHH++ with one sample for all its levels: what a node has more than its children are those that were hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import lists_up_to
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, Trie, branches, prefix

__all__ = ["TRIE_REUSED"]


def trie_reused(
    *, rate: Fraction, threshold: int, branching: int, levels: int
) -> Callable[[Sequence[int], Coins], Trie]:
    """Show at each level the prefixes found often enough in the sample, where a sample for each level is meant."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    def shown(counts: tuple[int, ...], level: int) -> tuple[tuple[int, int], ...]:
        totals = dict.fromkeys(range(branching**level), 0)
        for label, count in enumerate(counts):
            totals[prefix(label, level, branching=branching, levels=levels)] += count
        return tuple((node, count) for node, count in totals.items() if count >= threshold)

    def release(people: Sequence[int], coins: Coins) -> Trie:
        none = (0,) * branching**levels
        sampled = coins.fold(people, none, sample)
        return tuple(shown(sampled, level) for level in range(1, levels + 1))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    return replace(
        TRIE.build({**settings, "n": "1"}),
        program=trie_reused(rate=rate, threshold=threshold, branching=branching, levels=levels),
        inputs=tuple(lists_up_to(integer(settings, "n", least=1), integer(settings, "labels", least=1))),
        closed_form=None,
        delta=exact(settings["delta"], "delta"),
    )


TRIE_REUSED = Mechanism(
    name="trie-heavy-hitters-reused",
    words="trie-heavy-hitters from one sample",
    source="sample-and-threshold, Section 4.1",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is shown"),
        Parameter("branching", "2", "how many digits there are"),
        Parameter("levels", "2", "how many digits a label has"),
        Parameter("ancestors", "no", "no: a prefix is shown wherever its count is"),
        Parameter("delta", "199/10000", "the delta that two samples need"),
        Parameter("labels", "2", "the number of labels, from 0, that are audited"),
        Parameter("n", "4", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="trie-heavy-hitters",
    fault="one sample reused at every level",
)
