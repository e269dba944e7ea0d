"""Report noisy max on the integers: the index of the greatest query, with two-sided or one-sided geometric noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.closed_forms import index_law, one_sided_index_law
from dpcert.mechanisms.literature.lattice import Lattice, first_greatest
from dpcert.mechanisms.literature.vectors import MOST, ratio_of, shape_of, vectors, vectors_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = [
    "PARAMETERS",
    "REPORT_NOISY_MAX",
    "REPORT_NOISY_MAX_EXPONENTIAL",
    "one_sided_cell",
]


def report_noisy_max(*, lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int], Coins], int]:
    """Release the index of the greatest q + Z, the first of equal ones, Pr[Z = z] proportional to ratio^-|z|.

    Claims: (2 ln ratio, 0)-DP for linf neighbours: whatever the other numbers are, an index wins where its noise is
            at least a number, which changes by at most two.
    Source: the benchmark's ReportNoisyMax1, on the integers.
    """
    noise = lattice.noise(ratio)

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [noise.cell(value, coins) for value in queries]
        return first_greatest(cells, lattice, ratio=ratio, coins=coins)

    return release


def report_noisy_max_exponential(*, lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int], Coins], int]:
    """Release the index of the greatest q + G, the first of equal ones, G >= 0, Pr[G = g] proportional to ratio^-g.

    Claims: (2 ln ratio, 0)-DP for linf neighbours.
    Source: the benchmark's ReportNoisyMax2, on the integers.
    """

    def release(queries: Sequence[int], coins: Coins) -> int:
        cells = [one_sided_cell(value, lattice, ratio=ratio, coins=coins) for value in queries]
        return first_greatest(cells, Lattice(lattice.low - 1, lattice.high), ratio=ratio, coins=coins)

    return release


def one_sided_cell(value: int, lattice: Lattice, *, ratio: Fraction, coins: Coins) -> int:
    """Return the cell of value + G, Pr[G >= g] = ratio^-g, in a draw whose bound is the same for all values.

    No number is below the value, so that the lowest cell is the lowest number alone.
    """
    a, b, room = ratio.numerator, ratio.denominator, lattice.high - lattice.low
    u, above = coins.below(a**room), 0
    while value + above < lattice.high and u < b ** (above + 1) * a ** (room - above - 1):
        above += 1
    return value + above


PARAMETERS = (
    Parameter("ratio", "2", "a number above 1; the claim is 2 ln ratio"),
    Parameter("n", "3", "the number of queries"),
    MOST,
)


def _instance(
    settings: Mapping[str, str],
    program: Callable[[Sequence[int], Coins], int],
    closed_form: Callable[[Sequence[int]], Dist],
) -> Instance:
    n, most = shape_of(settings)
    return Instance(
        program=program,
        closed_form=closed_form,
        inputs=vectors(n, most),
        neighbours="linf",
        epsilon=Epsilon.ln(ratio_of(settings) ** 2),
        delta=Fraction(0),
        domain=vectors_of(n, most),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    lattice, ratio = Lattice(0, shape_of(settings)[1]), ratio_of(settings)
    return _instance(settings, report_noisy_max(lattice=lattice, ratio=ratio), index_law(lattice, ratio))


def _build_exponential(settings: Mapping[str, str]) -> Instance:
    lattice, ratio = Lattice(0, shape_of(settings)[1]), ratio_of(settings)
    program = report_noisy_max_exponential(lattice=lattice, ratio=ratio)
    return _instance(settings, program, one_sided_index_law(lattice, ratio))


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
