"""Mechanisms that are ready to run on files: their programs on counts, and the guarantees that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.premises import BITS, search_epsilon
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds
from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts

NAME = "sample-threshold-histogram"
Counts = list[tuple[str, int]]
"""Values in order, each with how many people have it."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A program on counts, the guarantee that it has, and the words of what that rests on."""

    program: Callable[[Counts, Coins], tuple[tuple[str, int], ...]]
    guarantee: ApproxDP
    rests_on: str


def _sample_threshold(settings: Mapping[str, str], epsilon: Epsilon, neighbours: str) -> Ready:
    """Return sample-and-threshold at these settings, with the delta that all counts need at an epsilon."""
    if set(settings) != {"rate", "threshold"}:
        remedy = "write --set rate=1/10 --set threshold=20"
        raise InputError(given=f"the settings {sorted(settings)}", needed="rate and threshold", remedy=remedy)
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    if neighbours == "add-remove":
        ratio, _ = search_epsilon(epsilon).exp_bounds(BITS)
        if ratio == 1:
            raise InputError(given="epsilon = 0", needed="an epsilon above 0", remedy="write --epsilon 1")
        needed, theorem = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta, "all counts"
    elif neighbours == "substitute":
        needed, theorem = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon).hi, "all moves"
    else:
        raise InputError(given=f"--neighbours {neighbours}", needed="add-remove or substitute", remedy="name one")
    delta = Fraction(exact(rounded_text(needed, up=True), "delta"))
    settings_words = f"--set rate={ratio_text(rate)} --set threshold={threshold}"
    relation = "element" if neighbours == "add-remove" else neighbours
    claim = f"--neighbours {relation} --epsilon '{epsilon}' --delta {ratio_text(delta)}"
    rests_on = (
        f"the theorem of {theorem} (docs/all-counts.md), for the program of `dpcert audit {NAME}`; "
        f"to check it again: dpcert audit sample-threshold {settings_words} {claim}"
    )
    return Ready(threshold_counts(rate=rate, threshold=threshold), ApproxDP(epsilon, delta), rests_on)


READY: Mapping[str, Callable[[Mapping[str, str], Epsilon, str], Ready]] = {NAME: _sample_threshold}
"""The mechanisms that run on files."""
