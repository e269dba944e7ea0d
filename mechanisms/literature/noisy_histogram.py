"""A noisy histogram as a vector, and its prefix sums: every entry with two-sided geometric noise, clamped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import prod

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.lattice import Lattice
from dpcert.mechanisms.literature.vectors import MOST, of_vectors, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, rational_ratio

Release = Callable[[Sequence[int], Coins], tuple[int, ...]]


def noisy_histogram(cells: Cells) -> Release:
    """Release every entry with noise, clamped to the cells.

    Claims: (ln ratio, 0)-DP for l1 neighbours, ratio that of the cells.
    Source: the benchmark's NoisyHist1, on the integers.
    """
    return lambda counts, coins: tuple(cells.cell(count, coins) for count in counts)


def prefix_sums(cells: Cells) -> Release:
    """Release the sum of the first k noisy entries, for each k: one noise for each entry.

    Claims: (ln ratio, 0)-DP for l1 neighbours, as a function of `noisy_histogram`.
    Source: the benchmark's PrefixSum, on the integers.
    """
    noisy = noisy_histogram(cells)
    return lambda counts, coins: tuple(accumulate(noisy(counts, coins)))


def noisy_histogram_law(cells: Cells, *, sums: bool = False) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `noisy_histogram`, or of `prefix_sums`, in closed form: a product."""

    def law(counts: Sequence[int]) -> Dist:
        entries = [list(Dist.from_weights(*cells.weights(count)).items()) for count in counts]
        rows: list[tuple[tuple[int, ...], Fraction]] = []
        for row in product(*entries):
            noisy = tuple(z for z, _ in row)
            rows.append((tuple(accumulate(noisy)) if sums else noisy, prod((p for _, p in row), start=Fraction(1))))
        return Dist.of(rows)

    return law


def cells_of(settings: Mapping[str, str], epsilon: Epsilon) -> Cells:
    """Return noise of an epsilon for entries of the textual parameters."""
    return Lattice(0, shape_of(settings)[1]).noise(rational_ratio(epsilon))


def instance_of(
    settings: Mapping[str, str],
    program: Release,
    closed_form: Callable[[Sequence[int]], Dist],
) -> Instance:
    """Return the instance of a program that claims the epsilon of the parameters, for all vectors."""
    epsilon = Epsilon.of(settings["epsilon"])
    return of_vectors(settings, program, closed_form, neighbours="l1", epsilon=epsilon)


PARAMETERS = (
    Parameter("epsilon", "ln(2)", "e^epsilon is held to 64 binary places where it is irrational"),
    Parameter("n", "3", "the number of entries"),
    MOST,
)


def _build(settings: Mapping[str, str]) -> Instance:
    cells = cells_of(settings, Epsilon.of(settings["epsilon"]))
    return instance_of(settings, noisy_histogram(cells), noisy_histogram_law(cells))


def _build_sums(settings: Mapping[str, str]) -> Instance:
    cells = cells_of(settings, Epsilon.of(settings["epsilon"]))
    return instance_of(settings, prefix_sums(cells), noisy_histogram_law(cells, sums=True))


NOISY_HISTOGRAM = Mechanism(
    name="noisy-histogram",
    words="a vector of counts, each with two-sided geometric noise, clamped",
    source="the benchmark's NoisyHist1, on the integers",
    parameters=PARAMETERS,
    build=_build,
)

PREFIX_SUMS = Mechanism(
    name="prefix-sums",
    words="the prefix sums of noisy-histogram",
    source="the benchmark's PrefixSum, on the integers",
    parameters=PARAMETERS,
    build=_build_sums,
)
