"""TrieHH++: heavy prefixes, level by level; each level has a sample and a threshold of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, tally
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import Released, lists_up_to, on_lists, threshold_counts
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law as histogram_law

MAX_LABELS = 4096
"""The greatest number of labels of a trie's last level."""

Trie = tuple[Bins, ...]
"""For each level, from the first digit on, the released prefixes with their sampled counts, in the order of
prefixes.
"""


def prefix(label: int, level: int, *, branching: int, levels: int) -> int:
    """Return the number that the first `level` of the `levels` digits of a label write in base `branching`."""
    return int(label // branching ** (levels - level))


def trie(
    *, rate: Fraction, threshold: int, branching: int, levels: int, ancestors: bool
) -> Callable[[Sequence[int], Coins], Trie]:
    """Show at each level the prefixes sampled at least `threshold` times in a sample made for that level alone.

    With `ancestors`, only people whose prefix extends one that the level before has shown are sampled.

    Requires: 0 < rate < 1, threshold >= 1, branching >= 2, levels >= 1; inputs are lists of labels from 0 to
              branching^levels - 1, one for each person.
    Claims:   (levels epsilon, levels delta)-DP for lists one of which has one person more, at every epsilon and delta
              at which `sample_threshold` has it for counts that differ by one.
    Source:   sample-and-threshold, Section 4.1 and Lemma 7 (TrieHH++).
    """

    def prefixed(label: int, level: int) -> int:
        return prefix(label, level, branching=branching, levels=levels)

    histogram = threshold_counts(rate=rate, threshold=threshold)
    by_counts = trie_counts(histogram=histogram, prefix=prefixed, levels=levels, ancestors=ancestors)
    return lambda people, coins: by_counts(tally(people), coins)


def trie_counts(
    *, histogram: Callable[..., Released], prefix: Callable[[Any, int], Any], levels: int, ancestors: bool
) -> Callable[[Sequence[tuple[Any, int]], Coins], tuple[Released, ...]]:
    """Show at each level the release of `histogram` on the prefixes of that length, without prefixes that are None.

    Requires: inputs are labels in order, each once, with how many people have it; the prefixes of a level have an
              order.
    Claims:   those of `trie`, which is this program on the counts of a list. A person is in one bin of each level, or
              in none.
    """

    def release(counts: Sequence[tuple[Any, int]], coins: Coins) -> tuple[Released, ...]:
        def grow(grown: tuple[Released, ...], level: int, coins: Coins) -> tuple[Released, ...]:
            shown = {node for node, _ in grown[-1]} if ancestors and grown else None
            nodes: dict[Any, int] = {}
            for label, count in counts:
                node = prefix(label, level)
                if node is not None and (shown is None or prefix(label, level - 1) in shown):
                    nodes[node] = nodes.get(node, 0) + count
            return (*grown, histogram(sorted(nodes.items()), coins))

        return coins.fold(range(1, levels + 1), (), grow)

    return release


def pruned(grown: Trie, *, branching: int) -> Trie:
    """Return a trie without each prefix whose next shorter prefix is not shown."""
    kept: list[Bins] = []
    for level in grown:
        shown = {node for node, _ in kept[-1]} if kept else {node // branching for node, _ in level}
        kept.append(tuple(one for one in level if one[0] // branching in shown))
    return tuple(kept)


def trie_law(
    *, rate: Fraction, threshold: int, branching: int, levels: int, ancestors: bool
) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `trie` in closed form: independent levels, and with `ancestors` these, pruned.

    Claims: the trie with `ancestors` is a post-processing of the one without.
    Source: sample-and-threshold, Appendix A, proof of Lemma 7.
    """

    def law(people: Sequence[int]) -> Dist:
        parts = []
        for level in range(1, levels + 1):
            nodes = [prefix(label, level, branching=branching, levels=levels) for label in people]
            parts.append(histogram_law(rate=rate, threshold=threshold, universe=branching**level)(nodes))
        joint = Dist.point(()).product(*parts).map(lambda rows: rows[1:])
        return joint.map(lambda rows: pruned(rows, branching=branching)) if ancestors else joint

    return law


def composed_claim(*, rate: Fraction, threshold: int, rounds: int) -> tuple[Epsilon, Fraction]:
    """Return epsilon and delta of `rounds` rounds, each a sample-and-threshold at e^epsilon = 2/(1 - rate), summed.

    Claims: delta is the bound of Theorem 2 rounded up, times the rounds, and at most 1.
    Source: sample-and-threshold, Lemma 7.
    """
    ratio = 2 / (1 - rate)
    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
    return Epsilon.ln(ratio**rounds), min(rounds * delta, Fraction(1))


def trie_for_everyone(*, rate: Fraction, threshold: int, ratio: Fraction, levels: int) -> tuple[Epsilon, Fraction]:
    """Return epsilon and delta of `trie` for lists of any length, one of which has one person more.

    `ratio` is e^epsilon of one level; epsilon is `levels` times as much.

    Requires: 0 < rate < 1, threshold >= 1, ratio > 1, levels >= 1.
    Claims:   delta is `levels` times the least delta that one bin needs over all counts, at most 1. Given the releases
              of the levels before, a level is a histogram of some of the people. One person more adds one to one bin of
              it, or to none, and the other bins have the same law. So each level is as private as one bin, whatever the
              earlier releases are, and the levels add up.
    Source:   sample-and-threshold, Lemma 7, with the exact form of Theorem 2 for one bin.
    """
    one = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta
    return Epsilon.ln(ratio**levels), min(levels * one, Fraction(1))


def branches(settings: Mapping[str, str]) -> tuple[int, int]:
    """Return the parameters `branching` and `levels`.

    Raises: InputError where they make more than MAX_LABELS labels.
    """
    branching, levels = integer(settings, "branching", least=2, greatest=100), integer(settings, "levels", least=1)
    if levels > MAX_LABELS or branching**levels > MAX_LABELS:
        raise InputError(
            given=f"branching={branching}, levels={levels}",
            needed=f"branching^levels <= {MAX_LABELS}, the labels at the last level",
            remedy="lower one of them",
        )
    return branching, levels


def yes_or_no(settings: Mapping[str, str], name: str) -> bool:
    """Return a parameter as True for yes and False for no.

    Raises: InputError for anything else.
    """
    if settings[name] not in ("yes", "no"):
        raise InputError(given=f"{name}={settings[name]}", needed="yes or no", remedy=f"write {name}=yes")
    return settings[name] == "yes"


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    ancestors = yes_or_no(settings, "ancestors")
    epsilon, delta = composed_claim(rate=rate, threshold=threshold, rounds=levels)
    scope = lists_up_to(integer(settings, "n", least=1, greatest=1000), branching**levels)
    program = trie(rate=rate, threshold=threshold, branching=branching, levels=levels, ancestors=ancestors)
    law = trie_law(rate=rate, threshold=threshold, branching=branching, levels=levels, ancestors=ancestors)
    return on_lists(scope, program, law, epsilon=epsilon, delta=delta)


PARAMETERS = (
    Parameter("rate", "1/10", "the probability p with which each person is sampled, at each level anew"),
    Parameter("threshold", "2", "the least count that is shown"),
    Parameter("branching", "2", "how many digits there are"),
    Parameter("levels", "2", "how many digits a label has, and how many histograms are made"),
    Parameter("n", "3", "the greatest number of people audited"),
)

TRIE = Mechanism(
    name="trie-heavy-hitters",
    words="build a trie of heavy prefixes, each level a sample-and-threshold histogram of its own",
    source="sample-and-threshold, Section 4.1, Lemma 7",
    parameters=(*PARAMETERS, Parameter("ancestors", "yes", "yes or no: a prefix is shown only below one shown before")),
    build=_build,
)
