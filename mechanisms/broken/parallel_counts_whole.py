"""A count that is released several times, each time with the noise of a single release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.literature.parallel_counts import PARALLEL_COUNTS, PARAMETERS, cells_of, parallel_counts
from dpcert.mechanisms.literature.vectors import ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["PARALLEL_COUNTS_WHOLE"]


def _build(settings: Mapping[str, str]) -> Instance:
    times, ratio = shape_of(settings)[0], ratio_of(settings)
    cells = cells_of(settings, ratio**times)
    return replace(PARALLEL_COUNTS.build(settings), closed_form=None, program=parallel_counts(cells, times=times))


PARALLEL_COUNTS_WHOLE = Mechanism(
    name="parallel-counts-whole",
    words="parallel-counts with noise of scale 1/epsilon in each release",
    source="the benchmark's LaplaceParallel, on the integers, with epsilon not shared among the releases",
    parameters=(
        Parameter("ratio", "2", PARAMETERS[0].words),
        Parameter("n", "2", PARAMETERS[1].words),
        Parameter("most", "1", PARAMETERS[2].words),
    ),
    build=_build,
    expect="refuted",
    twin="parallel-counts",
    fault="the whole epsilon spent in each of several releases",
)
