"""A count with noise on a grid, released as a float: the sum is taken in integers, and divided once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.lattice import Lattice
from dpcert.mechanisms.literature.vectors import ratio_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, of_counts


def count_on_grid(cells: Cells, *, grid: int) -> Callable[[int, Coins], float]:
    """Release a count plus Z/grid as the float next to it, clamped to [0, most], Pr[Z = z] proportional to ratio^-|z|.

    Requires: cells from 0 to grid most, most grid < 2^53.
    Claims:   (grid ln ratio, 0)-DP for counts that differ by one; tight. The float is a function of the noisy integer
              alone, by a division that IEEE 754 fixes, so its last bits disclose nothing more.
    Source:   Mironov 2012, where noise is rounded to a grid after the sum; the benchmark's LaplaceFixed.
    """

    def release(count: int, coins: Coins) -> float:
        noisy = cells.cell(grid * count, coins)
        return noisy / grid

    return release


def count_on_grid_law(cells: Cells, *, grid: int) -> Callable[[int], Dist]:
    """Return the law of `count_on_grid` in closed form: that of its cells, each with its float."""

    def law(count: int) -> Dist:
        weights, whole = cells.weights(grid * count)
        return Dist.from_weights([(z / grid, weight) for z, weight in weights], whole)

    return law


def cells_of(settings: Mapping[str, str]) -> tuple[Cells, int, int]:
    """Return the noise of the textual parameters, the grid, and the greatest count."""
    grid, most = (integer(settings, name, least=1, greatest=100) for name in ("grid", "most"))
    return Lattice(0, grid * most).noise(ratio_of(settings)), grid, most


def _build(settings: Mapping[str, str]) -> Instance:
    cells, grid, most = cells_of(settings)
    program, law = count_on_grid(cells, grid=grid), count_on_grid_law(cells, grid=grid)
    return of_counts(most, program, law, epsilon=Epsilon.ln(cells.ratio**grid), raising="most")


COUNT_ON_GRID = Mechanism(
    name="count-on-grid",
    words="a count with geometric noise on a grid of fractions, clamped, released as a float",
    source="Mironov 2012; the benchmark's LaplaceFixed, with noise on a grid",
    parameters=(
        Parameter("ratio", "11/10", "a number above 1, that of one step of the grid; the claim is grid ln ratio"),
        Parameter("grid", "10", "how many steps of the grid lie between two counts"),
        Parameter("most", "3", "the greatest count"),
    ),
    build=_build,
)
