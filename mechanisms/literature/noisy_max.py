"""Report noisy max on the integers: the index of the greatest query, with two-sided or one-sided geometric noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.closed_forms import index_law, one_sided_index_law
from dpcert.mechanisms.literature.lattice import Lattice, first_greatest
from dpcert.mechanisms.literature.vectors import MOST, of_vectors, ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter


@dataclass(frozen=True, slots=True)
class CellNoise:
    """Noise by its cells: `cell(value, coins)` draws the cell of value + noise, in `lattice`.

    Beyond either end the noise is geometric with the ratio, so it has no memory.
    """

    cell: Callable[[int, Coins], int]
    lattice: Lattice
    ratio: Fraction


def two_sided(lattice: Lattice, ratio: Fraction) -> CellNoise:
    """Return Z with Pr[Z = z] proportional to ratio^-|z|."""
    return CellNoise(lattice.noise(ratio).cell, lattice, ratio)


def one_sided(lattice: Lattice, ratio: Fraction) -> CellNoise:
    """Return G >= 0 with Pr[G >= g] = ratio^-g, in a draw whose bound is the same for all values.

    No noisy number is below its value, so none is in the cell below the lattice.
    """
    a, b, room = ratio.numerator, ratio.denominator, lattice.high - lattice.low

    def cell(value: int, coins: Coins) -> int:
        u, above = coins.below(a**room), 0
        while value + above < lattice.high and u < b ** (above + 1) * a ** (room - above - 1):
            above += 1
        return value + above

    return CellNoise(cell, Lattice(lattice.low - 1, lattice.high), ratio)


def report_noisy_max(noise: CellNoise) -> Callable[[Sequence[int], Coins], int]:
    """Release the index of the greatest noisy query, the first of equal ones.

    Claims: (2 ln ratio, 0)-DP for linf neighbours: given the other numbers, an index wins where its noise is at least
            some bound, and neighbours change the bound by at most two.
    Source: the benchmark's ReportNoisyMax1 with two-sided, ReportNoisyMax2 with one-sided noise, on the integers.
    """

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [noise.cell(value, coins) for value in queries]
        return first_greatest(cells, noise.lattice, ratio=noise.ratio, coins=coins)

    return release


PARAMETERS = (
    Parameter("ratio", "2", "a number above 1; the claim is 2 ln ratio"),
    Parameter("n", "3", "the number of queries"),
    MOST,
)


def noise_of(settings: Mapping[str, str], kind: Callable[[Lattice, Fraction], CellNoise]) -> CellNoise:
    """Return noise of a kind for the queries and the ratio of the textual parameters."""
    return kind(Lattice(0, shape_of(settings)[1]), ratio_of(settings))


def _build(settings: Mapping[str, str]) -> Instance:
    noise = noise_of(settings, two_sided)
    law = index_law(noise.lattice, noise.ratio)
    return _claimed(settings, noise, law)


def _build_exponential(settings: Mapping[str, str]) -> Instance:
    noise = noise_of(settings, one_sided)
    law = one_sided_index_law(Lattice(0, noise.lattice.high), noise.ratio)
    return _claimed(settings, noise, law)


def _claimed(settings: Mapping[str, str], noise: CellNoise, law: Callable[[Sequence[int]], Dist]) -> Instance:
    epsilon = Epsilon.ln(noise.ratio**2)
    return of_vectors(settings, report_noisy_max(noise), law, neighbours="linf", epsilon=epsilon)


REPORT_NOISY_MAX = Mechanism(
    name="report-noisy-max",
    words="the index of the greatest of several queries with two-sided geometric noise",
    source="the benchmark's ReportNoisyMax1, on the integers",
    parameters=PARAMETERS,
    build=_build,
)

REPORT_NOISY_MAX_EXPONENTIAL = Mechanism(
    name="report-noisy-max-exponential",
    words="the index of the greatest of several queries with one-sided geometric noise",
    source="the benchmark's ReportNoisyMax2, on the integers",
    parameters=PARAMETERS,
    build=_build_exponential,
)
