"""Private weighted sampling, sanitized frequencies: sample a key, then report it with a value that tells its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import cell_ends, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_keys import key_parameters, taken_for
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, drawn_on_grid, sanitizer_rows


def pws_frequencies(*, q: Sequence[Fraction], draws: Sequence[Callable[[Coins], int]]) -> Callable[[int, Coins], int]:
    """Sample a key of the given frequency with probability q, then report a value j >= 1 by its row, or 0 for none.

    A frequency above len(q) counts as len(q).

    Requires: `draws[i - 1]` draws from the row of a sampled key of frequency i, by `drawn` or `drawn_on_grid`; inputs
              are frequencies >= 0, of which 0 is never sampled.
    Claims:   (epsilon, delta)-DP for all frequencies that differ by one, where the rows are of `discrete_rows`,
              `density_rows` or `grid_rows`: min(w, imax) changes by at most as much as w. A sampled key costs one
              number below a common denominator of its row.
    Source:   weighted-sampling, Algorithms 1, 2, 4 and 5.
    Raises:   InputError for a frequency that is no integer >= 0.
    """
    frequencies = counts(None, noun="frequency")

    def release(frequency: int, coins: Coins) -> int:
        frequencies.require(frequency, "frequency")
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return 0
        return draws[place](coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, delta, bits = key_parameters(settings)
    imax = integer(settings, "imax", least=1, greatest=10**4)
    algorithm = integer(settings, "algorithm", least=4, greatest=5)
    q, ratio = sampling_probabilities(settings["q"], imax), rational_ratio(epsilon)
    if bits:
        draws, law = rows_on_grid(q, ratio, delta, bits, algorithm)
    else:
        draws, law = exact_rows(q, ratio, delta, algorithm)
    return Instance(
        program=pws_frequencies(q=q, draws=draws),
        closed_form=lambda frequency: law(min(frequency, imax)),
        inputs=tuple(range(imax + 2)),
        neighbours="counts_differ_by_one",
        epsilon=epsilon,
        delta=delta,
        assumptions=(taken_for(imax),),
        domain=counts(None, noun="frequency"),
    )


def exact_rows(
    q: Sequence[Fraction], ratio: Fraction, delta: Fraction, algorithm: int
) -> tuple[list[Callable[[Coins], int]], Callable[[int], Dist]]:
    """Return the draws and the laws of exact rows."""
    if algorithm == 4:
        rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    else:
        rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
    return [drawn(row) for row in sanitizer_rows(q=q, rows=rows)], lambda i: Dist.of(enumerate(rows[i]))


def rows_on_grid(
    q: Sequence[Fraction], ratio: Fraction, delta: Fraction, bits: int, algorithm: int
) -> tuple[list[Callable[[Coins], int]], Callable[[int], Dist]]:
    """Return the draws and the laws of rows over 2^bits."""
    cells = whole_cells(len(q)) if algorithm == 4 else cell_ends(q=q, ratio=ratio, delta=delta, bits=bits)
    rows = list(grid_rows(q=q, ratio=ratio, delta=delta, bits=bits, cells=cells))

    def law(i: int) -> Dist:
        row = rows[i]
        return Dist.from_weights([(0, row.unreported), *enumerate(row.masses, row.first + 1)], 1 << bits)

    return [drawn_on_grid(row, most) for row, most in zip(rows[1:], q, strict=True)], law


PWS_FREQUENCIES = Mechanism(
    name="pws-frequencies",
    words="sample a key by its frequency and report it with a value that tells frequencies apart as privacy allows",
    source="weighted-sampling, Algorithms 4 and 5, Theorem 5.1",
    parameters=(
        Parameter("epsilon", "1/2", "the claimed epsilon; the program uses a rational just below e^epsilon"),
        Parameter("delta", "1/100", "the claimed delta, above 0"),
        Parameter("imax", "20", "the greatest frequency told apart; one above it is taken for it"),
        Parameter("q", "priority:1/10", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
        Parameter("algorithm", "4", "4: one value for each frequency; 5: values cut finer, the best separation"),
        Parameter("bits", "0", "0: exact rows; else rows of multiples of 2^-bits, rounded so that they are as private"),
    ),
    build=_build,
)
