"""TrieHH++ that extends its trie by prefixes that nobody in the sample has: one person more, and a node more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import lists_up_to
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, Trie, branches, prefix

__all__ = ["TRIE_UNSAMPLED"]


def trie_unsampled(
    *, rate: Fraction, threshold: int, branching: int, levels: int
) -> Callable[[Sequence[int], Coins], Trie]:
    """Show every prefix that occurs below one shown, where those sampled often enough are meant."""

    def sample(counts: tuple[int, ...], node: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:node], counts[node] + 1, *counts[node + 1 :])

    def release(people: Sequence[int], coins: Coins) -> Trie:
        def grow(grown: Trie, level: int, coins: Coins) -> Trie:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            if grown:
                shown = [node for node, _ in grown[-1]]
                nodes = [node for node in nodes if node // branching in shown]
            sampled = coins.fold(nodes, (0,) * branching**level, sample)
            occur = nodes if grown else []
            bins = tuple((x, count) for x, count in enumerate(sampled) if count >= threshold or x in occur)
            return (*grown, bins)

        return coins.fold(range(1, levels + 1), (), grow)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    return replace(
        TRIE.build({**settings, "n": "1"}),
        program=trie_unsampled(rate=rate, threshold=threshold, branching=branching, levels=levels),
        inputs=tuple(lists_up_to(integer(settings, "n", least=1), integer(settings, "labels", least=1))),
        closed_form=None,
        delta=exact(settings["delta"], "delta"),
    )


TRIE_UNSAMPLED = Mechanism(
    name="trie-heavy-hitters-unsampled",
    words="trie-heavy-hitters that extends its trie by every prefix that occurs",
    source="sample-and-threshold, Section 4.1, with prefixes that extend the trie whether sampled or not",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is shown"),
        Parameter("branching", "2", "how many digits there are"),
        Parameter("levels", "2", "how many digits a label has"),
        Parameter("ancestors", "yes", "yes: a prefix is shown only below one shown before"),
        Parameter("delta", "199/10000", "a delta that is enough for prefixes that were sampled"),
        Parameter("labels", "2", "the number of labels, from 0, that are audited"),
        Parameter("n", "3", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="trie-heavy-hitters",
    fault="the trie extended by prefixes that occur, whether sampled or not",
)
