"""A count released several times, each time with fresh noise: the epsilons add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.lattice import Lattice
from dpcert.mechanisms.literature.vectors import ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, of_counts


def parallel_counts(cells: Cells, *, times: int) -> Callable[[int, Coins], tuple[int, ...]]:
    """Release a count `times` times, each time with fresh noise, clamped to the cells.

    Claims: (times ln ratio, 0)-DP for counts that differ by one, ratio that of the cells; tight.
    Source: the benchmark's LaplaceParallel, on the integers.
    """
    return lambda count, coins: tuple(cells.cell(count, coins) for _ in range(times))


def parallel_counts_law(cells: Cells, *, times: int) -> Callable[[int], Dist]:
    """Return the law of `parallel_counts` in closed form: a power of the law of one release."""

    def law(count: int) -> Dist:
        weights, whole = cells.weights(count)
        rows = product(weights, repeat=times)
        return Dist.from_weights([(tuple(z for z, _ in row), prod(w for _, w in row)) for row in rows], whole**times)

    return law


def cells_of(settings: Mapping[str, str], ratio: Fraction) -> Cells:
    """Return noise of a ratio for the counts of the textual parameters."""
    return Lattice(0, shape_of(settings)[1]).noise(ratio)


def _build(settings: Mapping[str, str]) -> Instance:
    (times, most), ratio = shape_of(settings), ratio_of(settings)
    cells = cells_of(settings, ratio)
    program, law = parallel_counts(cells, times=times), parallel_counts_law(cells, times=times)
    return of_counts(most, program, law, epsilon=Epsilon.ln(ratio**times), raising="most")


PARALLEL_COUNTS = Mechanism(
    name="parallel-counts",
    words="one count released several times, each time with fresh geometric noise, clamped",
    source="the benchmark's LaplaceParallel, on the integers",
    parameters=(
        Parameter("ratio", "2", "a number above 1, that of one release; the claim is n ln ratio"),
        Parameter("n", "4", "how many times the count is released"),
        Parameter("most", "2", "the greatest count"),
    ),
    build=_build,
)
