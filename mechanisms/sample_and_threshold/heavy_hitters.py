"""Heavy hitters in one round: one sample-and-threshold histogram of whole items, instead of one for each prefix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import (
    lists_up_to,
    on_lists,
    threshold_histogram,
    threshold_histogram_law,
)
from dpcert.mechanisms.sample_and_threshold.trie import PARAMETERS, branches, composed_claim, yes_or_no


def heavy_hitters(
    *, rate: Fraction, threshold: int, universe: int, counts: bool
) -> Callable[[Sequence[int], Coins], Bins | tuple[int, ...]]:
    """Release the labels sampled at least `threshold` times; with `counts`, also how often each was sampled.

    Requires: 0 < rate < 1, threshold >= 1; inputs are lists of labels 0..universe-1, one for each person.
    Claims:   (epsilon, delta)-DP where `threshold_histogram` is, of which this is a post-processing.
    Source:   sample-and-threshold, Section 4.1, Remark after Lemma 7.
    """
    histogram = threshold_histogram(rate=rate, threshold=threshold, universe=universe)
    return lambda people, coins: _shown(histogram(people, coins), counts)


def heavy_hitters_law(
    *, rate: Fraction, threshold: int, universe: int, counts: bool
) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `heavy_hitters` in closed form: a product of thresholded binomials, or of coins."""
    law = threshold_histogram_law(rate=rate, threshold=threshold, universe=universe)
    return lambda people: law(people).map(lambda bins: _shown(bins, counts))


def _shown(bins: Bins, counts: bool) -> Bins | tuple[int, ...]:
    return bins if counts else tuple(label for label, _ in bins)


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    branching, levels = branches(settings)
    universe, counts = branching**levels, yes_or_no(settings, "counts")
    epsilon, delta = composed_claim(rate=rate, threshold=threshold, rounds=1)
    scope = lists_up_to(integer(settings, "n", least=1, greatest=1000), universe)
    program = heavy_hitters(rate=rate, threshold=threshold, universe=universe, counts=counts)
    law = heavy_hitters_law(rate=rate, threshold=threshold, universe=universe, counts=counts)
    return on_lists(scope, program, law, epsilon=epsilon, delta=delta)


HEAVY_HITTERS = Mechanism(
    name="heavy-hitters",
    words="report the items that one sample-and-threshold histogram of whole items shows",
    source="sample-and-threshold, Section 4.1, Remark",
    parameters=(*PARAMETERS, Parameter("counts", "yes", "yes or no: the items are shown with their sampled counts")),
    build=_build,
)
