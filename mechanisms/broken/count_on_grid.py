"""The faults of count-on-grid."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.count_on_grid import COUNT_ON_GRID, cells_of
from dpcert.mechanisms.mechanism import Expected

fault = FaultsOf(COUNT_ON_GRID)


@fault(
    "count-on-grid-summed",
    source="Mironov 2012, on the least significant bits",
    fault="noise added to the count as a float, where it is rounded according to the count",
    edit=("count + (noisy - grid * count) / grid", "noisy / grid"),
    defaults={"most": "1"},
    expected=Expected(0, 1, [0.1], "10/231", "0"),
)
def count_on_grid_summed(settings: Settings) -> Callable[[int, Coins], float]:
    """count-on-grid with a count and noise that are added in floats"""
    cells, grid, _ = cells_of(settings)

    def release(count: int, coins: Coins) -> float:
        noisy = cells.cell(grid * count, coins)
        return count + (noisy - grid * count) / grid

    return release
