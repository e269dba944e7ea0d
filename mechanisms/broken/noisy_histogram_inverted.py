"""A noisy histogram whose noise has scale epsilon where 1/epsilon is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.literature.noisy_histogram import NOISY_HISTOGRAM, cells_of, noisy_histogram
from dpcert.mechanisms.literature.vectors import MOST
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["NOISY_HISTOGRAM_INVERTED"]


def _build(settings: Mapping[str, str]) -> Instance:
    upside_down = Epsilon.of(1 / exact(settings["epsilon"], "epsilon"))
    return replace(
        NOISY_HISTOGRAM.build(settings), closed_form=None, program=noisy_histogram(cells_of(settings, upside_down))
    )


NOISY_HISTOGRAM_INVERTED = Mechanism(
    name="noisy-histogram-inverted",
    words="noisy-histogram with noise of scale epsilon",
    source="the benchmark's NoisyHist2, on the integers",
    parameters=(
        Parameter("epsilon", "1/2", "a rational number; the claim"),
        Parameter("n", "1", "the number of entries"),
        MOST,
    ),
    build=_build,
    expect="refuted",
    twin="noisy-histogram",
    fault="the scale of the noise turned upside down, epsilon for 1/epsilon",
)
