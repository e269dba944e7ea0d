"""A stability-based histogram that reports from one below its threshold on, for which delta does not allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter
from dpcert.mechanisms.weighted_sampling.sbh import SBH, settled

__all__ = ["SBH_EARLY"]


def early(*, threshold: int, sampler: Callable[[int, Coins], int]) -> Callable[[int, Coins], int]:
    """Release as `sbh` does, values above threshold - 2 where those above threshold - 1 are meant."""
    histogram = stability_histogram(threshold=threshold - 2, sampler=sampler)

    def release(frequency: int, coins: Coins) -> int:
        return next((noisy for _, noisy in histogram([0] * frequency, coins)), 0)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = SBH.build(settings)
    sampler, _, _, threshold = settled({"q": "1", **settings})
    return replace(meant, program=early(threshold=threshold, sampler=sampler), closed_form=None)


SBH_EARLY = Mechanism(
    name="sbh-early",
    words="sbh with a threshold that is off by one",
    source="weighted-sampling, Algorithm 6, misread",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/6", "the claimed delta, above 0"),
        Parameter("threshold", "least", "printed, least, or a number"),
        Parameter("imax", "1", "the greatest frequency audited"),
        Parameter("most", "3", "the greatest value reported"),
    ),
    build=_build,
    expect="refuted",
    twin="sbh",
    fault="a threshold that is off by one",
)
