"""A count with noise on a grid whose sum is taken in floats: its last bit shows the count (Mironov 2012)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.count_on_grid import COUNT_ON_GRID, PARAMETERS, cells_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["COUNT_ON_GRID_SUMMED"]


def count_on_grid_summed(cells: Cells, *, grid: int) -> Callable[[int, Coins], float]:
    """Release a count plus noise/grid, added in floats: 0 + 0.1 and 1 - 0.9 are two floats."""

    def release(count: int, coins: Coins) -> float:
        noisy = cells.cell(grid * count, coins)
        return count + (noisy - grid * count) / grid

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    cells, grid, _ = cells_of(settings)
    program = count_on_grid_summed(cells, grid=grid)
    return replace(COUNT_ON_GRID.build(settings), closed_form=None, program=program)


COUNT_ON_GRID_SUMMED = Mechanism(
    name="count-on-grid-summed",
    words="count-on-grid with a count and noise that are added in floats",
    source="Mironov 2012, on the least significant bits",
    parameters=(*PARAMETERS[:2], Parameter("most", "1", PARAMETERS[2].words)),
    build=_build,
    expect="refuted",
    twin="count-on-grid",
    fault="noise added to the count as a float, where it is rounded according to the count",
)
