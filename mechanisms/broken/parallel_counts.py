"""The faults of parallel-counts."""

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.literature.parallel_counts import PARALLEL_COUNTS, cells_of, parallel_counts
from dpcert.mechanisms.literature.vectors import ratio_of, shape_of
from dpcert.mechanisms.mechanism import Expected

fault = FaultsOf(PARALLEL_COUNTS)


@fault(
    "parallel-counts-whole",
    source="the benchmark's LaplaceParallel, on the integers, with epsilon not shared among the releases",
    fault="the whole epsilon spent in each of several releases",
    edit=("ratio**times", "ratio"),
    defaults={"n": "2", "most": "1"},
    expected=Expected(0, 1, [(0, 0)], "16/25", "1/25"),
)
def parallel_counts_whole(settings: Settings) -> Program:
    """parallel-counts with noise of scale 1/epsilon in each release"""
    times, ratio = shape_of(settings)[0], ratio_of(settings)
    cells = cells_of(settings, ratio**times)
    return parallel_counts(cells, times=times)
