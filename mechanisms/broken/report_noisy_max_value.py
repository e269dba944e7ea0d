"""Report noisy max that releases the greatest noisy number where its index is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import Lattice, first_greatest
from dpcert.mechanisms.literature.noisy_max import PARAMETERS, REPORT_NOISY_MAX
from dpcert.mechanisms.literature.vectors import ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["REPORT_NOISY_MAX_VALUE"]


def report_noisy_max_value(*, lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int], Coins], int]:
    """Release the greatest noisy number: that it is low shows that all are, in n epsilon/2."""
    noise = lattice.noise(ratio)

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [noise.cell(value, coins) for value in queries]
        index = first_greatest(cells, lattice, ratio=ratio, coins=coins)
        return cells[index]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    lattice = Lattice(0, shape_of(settings)[1])
    program = report_noisy_max_value(lattice=lattice, ratio=ratio_of(settings))
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
