"""TrieHH++ that hides small counts at its last level only: on the way there a lone person is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, Trie, branches, prefix

__all__ = ["TRIE_LAST_LEVEL"]


def trie_last_level(
    *, rate: Fraction, threshold: int, branching: int, levels: int
) -> Callable[[Sequence[int], Coins], Trie]:
    """Show all sampled prefixes, of the last level those sampled often, where those of every level are meant."""

    def release(people: Sequence[int], coins: Coins) -> Trie:
        def grow(grown: Trie, level: int, coins: Coins) -> Trie:
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            least = threshold if level == levels else 1
            return (*grown, threshold_histogram(rate=rate, threshold=least, universe=branching**level)(nodes, coins))

        return coins.fold(range(1, levels + 1), (), grow)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    program = trie_last_level(rate=rate, threshold=threshold, branching=branching, levels=levels)
    return replace(TRIE.build(settings), program=program, closed_form=None, delta=exact(settings["delta"], "delta"))


TRIE_LAST_LEVEL = Mechanism(
    name="trie-heavy-hitters-last-level",
    words="trie-heavy-hitters with a threshold at the last level only",
    source="sample-and-threshold, Section 4.1",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is shown, at the last level"),
        Parameter("branching", "2", "how many digits there are"),
        Parameter("levels", "2", "how many digits a label has"),
        Parameter("ancestors", "no", "no: a prefix is shown wherever its count is"),
        Parameter("delta", "199/10000", "the delta that a threshold at both levels needs"),
        Parameter("n", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="trie-heavy-hitters",
    fault="a threshold at the last level only",
)
