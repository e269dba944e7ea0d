"""Estimates from sanitized frequencies: the number that each reported value counts for, and its exact moments."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.weighted_sampling.pws_rows import Row

ZERO = Fraction(0)
Estimates = tuple[Fraction, ...]
"""The numbers that values 0, 1, ..., t count for; the value 0, no report, counts 0."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The exact mean, bias, mean squared error and variance of one key's estimate."""

    mean: Fraction
    bias: Fraction
    squared_error: Fraction
    variance: Fraction


def maximum_likelihood(*, rows: Sequence[Row], g: Callable[[int], Fraction | int]) -> Estimates:
    """Let value j count for g(i) / pi_i, where i is the frequency that reports j most often; the least such i.

    Requires: rows 0, ..., m of `discrete_rows` or `density_rows`; a value that no row has counts 0.
    Claims:   may err either way.
    Source:   weighted-sampling, equation (11), which leaves open which i it takes where several do.
    """
    estimates = [ZERO]
    for j in range(1, _values(rows) + 1):
        column = [row[j] if j < len(row) else ZERO for row in rows]
        i = column.index(max(column))
        estimates.append(Fraction(g(i)) / (1 - rows[i][0]) if column[i] else ZERO)
    return tuple(estimates)


def biased_down(*, rows: Sequence[Row], g: Callable[[int], Fraction | int]) -> Estimates:
    """Let each value, in order, count for the greatest number that overestimates no frequency 1, ..., m in the mean.

    Requires: rows 0, ..., m of `discrete_rows` or `density_rows`; g(i) >= 0.
    Claims:   every estimate is >= 0, and no mean of frequencies 1, ..., m is above g. The estimates need not increase
              with the value, as the paper has it: a value that enters late may be reported by greater pi_i.
    Source:   weighted-sampling, equation (41), Lemma E.1.
    """
    left = [(Fraction(g(i)), 1 - row[0]) for i, row in enumerate(rows)]
    estimates = [ZERO]
    for j in range(1, _values(rows) + 1):
        entries = [row[j] if j < len(row) else ZERO for row in rows]
        candidates = [rest / mass for (rest, mass), entry in zip(left, entries, strict=True) if entry]
        estimates.append(min(candidates, default=ZERO))
        left = [(rest - estimates[j] * entry, mass - entry) for (rest, mass), entry in zip(left, entries, strict=True)]
    return tuple(estimates)


def unbiased(*, rows: Sequence[Row], g: Callable[[int], Fraction | int]) -> Estimates:
    """Let the values count for the numbers that make every mean of frequencies 1, ..., m equal to g.

    Requires: rows of `discrete_rows` that report i with positive probability on frequency i, for all i >= 1.
    Claims:   of all ways in which values can count, 0 for no report, the only one without bias; may be negative.
    Source:   weighted-sampling, Section 7.1, the triangular system.
    Raises:   InputError for other rows.
    """
    estimates = [ZERO]
    for i, row in enumerate(rows[1:], 1):
        if len(row) != i + 1 or not row[i]:
            raise InputError(
                given=f"a row {i} with {len(row) - 1} values",
                needed=f"values up to {i}, the last with positive probability",
                remedy="take the rows of Algorithm 4, with q > 0",
            )
        known = sum((a * entry for a, entry in zip(estimates[1:], row[1:], strict=False) if entry), ZERO)
        estimates.append((Fraction(g(i)) - known) / row[i])
    return tuple(estimates)


def moments(*, row: Row, estimates: Estimates, meant: Fraction | int) -> Moments:
    """Return the moments of the estimate of a key whose row is given and whose true value is `meant`.

    Requires: as many estimates as the row has entries, or more; estimates[0] = 0.
    Source:   weighted-sampling, Section 7.1, after (11).
    """
    mean = sum((a * entry for a, entry in zip(estimates, row, strict=False)), ZERO)
    error = sum((entry * (a - meant) ** 2 for a, entry in zip(estimates, row, strict=False)), ZERO)
    return Moments(mean, mean - meant, error, error - (mean - meant) ** 2)


def linear_statistic(
    *,
    sanitized: Iterable[tuple[str, int]],
    estimates: Estimates,
    selects: Callable[[str], Fraction | int] = lambda key: 1,
) -> Fraction:
    """Return the estimate of the sum of selects(x) g(w_x) over all keys x, from the keys and values reported.

    Source: weighted-sampling, equation (10).
    """
    return sum((Fraction(selects(key)) * estimates[value] for key, value in sanitized), ZERO)


def _values(rows: Sequence[Row]) -> int:
    return max(len(row) for row in rows) - 1
