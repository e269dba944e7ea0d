"""TrieHH++ that reports the size of each level's sample as well: a lone person can be seen in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, branches, prefix

__all__ = ["TRIE_SIZE"]

Sized = tuple[tuple[int, Bins], ...]


def trie_size(
    *, rate: Fraction, threshold: int, branching: int, levels: int
) -> Callable[[Sequence[int], Coins], Sized]:
    """Show each level with the size of its sample, where the sum of the counts shown is meant."""

    def sample(counts: tuple[int, ...], node: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:node], counts[node] + 1, *counts[node + 1 :])

    def release(people: Sequence[int], coins: Coins) -> Sized:
        def grow(grown: Sized, level: int, coins: Coins) -> Sized:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            sampled = coins.fold(nodes, (0,) * branching**level, sample)
            bins = tuple((node, count) for node, count in enumerate(sampled) if count >= threshold)
            return (*grown, (sum(sampled), bins))

        return coins.fold(range(1, levels + 1), (), grow)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    program = trie_size(rate=rate, threshold=threshold, branching=branching, levels=levels)
    return replace(TRIE.build(settings), program=program, closed_form=None, delta=exact(settings["delta"], "delta"))


TRIE_SIZE = Mechanism(
    name="trie-heavy-hitters-size",
    words="trie-heavy-hitters with the size of each level's sample",
    source="sample-and-threshold, Section 4.1, with the sizes before thresholding",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is shown"),
        Parameter("branching", "2", "how many digits there are"),
        Parameter("levels", "2", "how many digits a label has"),
        Parameter("ancestors", "no", "no: a prefix is shown wherever its count is"),
        Parameter("delta", "199/10000", "the delta that the counts alone need"),
        Parameter("n", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="trie-heavy-hitters",
    fault="the size of each level's sample released",
)
