"""The faults of report-noisy-max and report-noisy-max-exponential."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature import noisy_max
from dpcert.mechanisms.literature.lattice import first_greatest
from dpcert.mechanisms.mechanism import Expected

report_noisy_max_fault = FaultsOf(noisy_max.REPORT_NOISY_MAX)
report_noisy_max_exponential_fault = FaultsOf(noisy_max.REPORT_NOISY_MAX_EXPONENTIAL)


def greatest_number(noise: noisy_max.CellNoise) -> Callable[[Sequence[int], Coins], int]:
    """Release the greatest noisy number: that it is low shows that all are, in n epsilon/2."""

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [noise.cell(value, coins) for value in queries]
        index = first_greatest(cells, noise.lattice, ratio=noise.ratio, coins=coins)
        return cells[index]

    return release


@report_noisy_max_fault(
    "report-noisy-max-value",
    source="the benchmark's ReportNoisyMax3, on the integers",
    fault="the greatest noisy number released for its index",
    edit=("return cells[index]", "return index"),
    place=greatest_number,
    expected=Expected([0, 0, 0], [1, 1, 1], [0], "8/27", "1/27"),
)
def report_noisy_max_value(settings: Settings) -> Program:
    """report-noisy-max that releases the greatest noisy number, clamped"""
    return greatest_number(noisy_max.noise_of(settings, noisy_max.two_sided))


@report_noisy_max_exponential_fault(
    "report-noisy-max-exponential-value",
    source="the benchmark's ReportNoisyMax4, on the integers",
    fault="the greatest number with one-sided noise released for its index",
    edit=("greatest_number(", "noisy_max.report_noisy_max("),
    expected=Expected([0, 0, 0], [0, 0, 1], [0], "1/8", "0"),
)
def report_noisy_max_exponential_value(settings: Settings) -> Program:
    """report-noisy-max-exponential that releases the greatest noisy number, clamped above"""
    return greatest_number(noisy_max.noise_of(settings, noisy_max.one_sided))
