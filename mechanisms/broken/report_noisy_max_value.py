"""Report noisy max that releases the greatest noisy number where its index is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import first_greatest
from dpcert.mechanisms.literature.noisy_max import PARAMETERS, REPORT_NOISY_MAX, Noise, noise_of, two_sided
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["REPORT_NOISY_MAX_VALUE", "report_noisy_max_value"]


def report_noisy_max_value(noise: Noise) -> Callable[[Sequence[int], Coins], int]:
    """Release the greatest noisy number: that it is low shows that all are, in n epsilon/2."""

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [noise.cell(value, coins) for value in queries]
        index = first_greatest(cells, noise.lattice, ratio=noise.ratio, coins=coins)
        return cells[index]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = report_noisy_max_value(noise_of(settings, two_sided))
    return replace(REPORT_NOISY_MAX.build(settings), closed_form=None, program=program)


REPORT_NOISY_MAX_VALUE = Mechanism(
    name="report-noisy-max-value",
    words="report-noisy-max that releases the greatest noisy number, clamped",
    source="the benchmark's ReportNoisyMax3, on the integers",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="report-noisy-max",
    fault="the greatest noisy number released for its index",
)
