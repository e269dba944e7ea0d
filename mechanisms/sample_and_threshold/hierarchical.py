"""Hierarchical histograms: counts of smaller and smaller cells of [0, 1]; they answer ranges and quantiles."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.sample_and_threshold.trie import PARAMETERS, TRIE, Trie


def probes(end: int, *, branching: int, levels: int) -> Iterator[tuple[int, int]]:
    """Yield cells, each with its level, whose disjoint union is [0, end), the greatest first.

    Requires: 0 <= end <= branching^levels; `end` counts cells of the last level.
    Claims:   they are disjoint and their union is [0, end). They are as many as the digits of `end` in base
              `branching` sum to: at most levels (branching - 1), but where `end` is all, branching.
    Source:   sample-and-threshold, Section 4.2 (greedy decomposition).
    Raises:   InputError for another end.
    """
    whole = branching**levels
    need(0 <= end <= whole, end, f"an end from 0 to {whole}", "count cells of the last level")
    start = 0
    for level in range(1, levels + 1):
        width = branching ** (levels - level)
        while end - start >= width:
            yield level, start // width
            start += width


def prefix_weight(grown: Trie, end: int, *, branching: int) -> int:
    """Return the sum of the counts shown for the cells of which [0, end) consists; a cell not shown counts 0."""
    shown = [dict(level) for level in grown]
    cells = probes(end, branching=branching, levels=len(grown))
    return sum(shown[level - 1].get(cell, 0) for level, cell in cells)


def range_weight(grown: Trie, start: int, end: int, *, branching: int) -> int:
    """Return the weight of [start, end): the difference of two prefixes' weights, which may be negative.

    Levels are sampled independently, so that their counts need not add up.

    Raises: InputError unless start <= end.
    """
    need(start <= end, f"[{start}, {end})", "a start at most the end", "exchange them")
    return prefix_weight(grown, end, branching=branching) - prefix_weight(grown, start, branching=branching)


def quantile(grown: Trie, phi: Fraction, *, branching: int) -> int:
    """Return the least end for which [0, end) has at least `phi` of the weight that the first level shows.

    It is 0 where the first level shows nothing.

    Requires: 0 < phi <= 1.
    Source:   sample-and-threshold, Section 4.2 and Lemma 9.
    """
    total = sum(count for _, count in grown[0])
    ends = range(branching ** len(grown) + 1)
    return next(end for end in ends if prefix_weight(grown, end, branching=branching) >= phi * total)


def _build(settings: Mapping[str, str]) -> Instance:
    return TRIE.build({**settings, "ancestors": "no"})


HIERARCHICAL_HISTOGRAM = Mechanism(
    name="hierarchical-histogram",
    words="count the cells of [0, 1] at several levels, each a sample-and-threshold histogram of its own",
    source="sample-and-threshold, Section 4.2, Lemma 9",
    parameters=PARAMETERS,
    build=_build,
)
