"""Report noisy max with one-sided noise that releases the greatest noisy number where its index is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import Lattice, first_greatest
from dpcert.mechanisms.literature.noisy_max import PARAMETERS, REPORT_NOISY_MAX_EXPONENTIAL, one_sided_cell
from dpcert.mechanisms.literature.vectors import ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["REPORT_NOISY_MAX_EXPONENTIAL_VALUE"]


def report_noisy_max_exponential_value(*, lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int], Coins], int]:
    """Release the greatest noisy number: it is never below the greatest query."""
    beyond = Lattice(lattice.low - 1, lattice.high)

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [one_sided_cell(value, lattice, ratio=ratio, coins=coins) for value in queries]
        index = first_greatest(cells, beyond, ratio=ratio, coins=coins)
        return cells[index]

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    lattice = Lattice(0, shape_of(settings)[1])
    program = report_noisy_max_exponential_value(lattice=lattice, ratio=ratio_of(settings))
    return replace(REPORT_NOISY_MAX_EXPONENTIAL.build(settings), closed_form=None, program=program)


REPORT_NOISY_MAX_EXPONENTIAL_VALUE = Mechanism(
    name="report-noisy-max-exponential-value",
    words="report-noisy-max-exponential that releases the greatest noisy number, clamped above",
    source="the benchmark's ReportNoisyMax4, on the integers",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="report-noisy-max-exponential",
    fault="the greatest number with one-sided noise released for its index",
)
