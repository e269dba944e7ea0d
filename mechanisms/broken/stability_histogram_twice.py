"""A stability histogram released twice: its epsilon is counted twice, its delta once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["STABILITY_HISTOGRAM_TWICE"]


def rounds(
    *, threshold: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], tuple[Bins, Bins]]:
    """Release two stability histograms of the same people, where one and its copy are meant."""
    once = stability_histogram(threshold=threshold, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> tuple[Bins, Bins]:
        first = once(people, coins)
        return first, once(people, coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = STABILITY_HISTOGRAM.build(settings)
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program
    program = rounds(threshold=threshold, sampler=sampler)
    return replace(meant, program=program, closed_form=None, epsilon=meant.epsilon + meant.epsilon)


STABILITY_HISTOGRAM_TWICE = Mechanism(
    name="stability-histogram-twice",
    words="two stability histograms of the same people, at twice the epsilon and the same delta",
    source="finite-computers, Lemma 2.4 and Theorem 5.5 i, with delta for 2 delta",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1", "1/epsilon is an integer; the claim is for two releases"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("threshold", "1", "noisy counts at or below it are not released"),
    ),
    build=_build,
    expect="refuted",
    twin="stability-histogram",
    fault="a delta that is spent twice and counted once",
)
