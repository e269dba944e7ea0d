"""Prefix sums with the noise of one changed entry, under neighbours of which all entries may change."""

from __future__ import annotations

from collections.abc import Mapping

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.noisy_histogram import (
    PARAMETERS,
    cells_of,
    instance_of,
    noisy_histogram_law,
    prefix_sums,
)
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["PREFIX_SUMS_ALL"]


def _build(settings: Mapping[str, str]) -> Instance:
    cells = cells_of(settings, Epsilon.of(settings["epsilon"]))
    law = noisy_histogram_law(cells, sums=True)
    return instance_of(settings, prefix_sums(cells), law, neighbours="linf")


PREFIX_SUMS_ALL = Mechanism(
    name="prefix-sums-all",
    words="prefix-sums with the noise of one entry, claimed where all entries may change",
    source="the benchmark's PrefixSum under linf, on the integers",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="prefix-sums",
    fault="the epsilon of one changed entry claimed for neighbours that differ in all",
)
