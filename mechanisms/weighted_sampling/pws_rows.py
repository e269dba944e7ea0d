"""The rows of sanitized frequencies: the probability of each reported value, for a key of each frequency."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities

Row = tuple[Fraction, ...]
"""Row i: the end-to-end probability that a key of frequency i is not reported, then of each reported value 1, 2, ..."""

FirstPass = Callable[[Row, Fraction, Fraction, Fraction], list[Fraction]]
SecondPass = Callable[[Row, list[Fraction], Fraction, Fraction, Fraction], list[Fraction]]

ZERO = Fraction(0)


def least_entries(before: Row, pi: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return the least entries 1..i-1 of row i that keep privacy with row i - 1 for all sets 0..j and 1..j.

    `before` is row i - 1, `pi` the mass that row i reports.

    Source: weighted-sampling, Algorithm 4, first pass.
    """
    unreported = max(before[0] / ratio - (1 - pi), ZERO)
    entries: list[Fraction] = []
    total = mass = ZERO
    for entry in before[1:]:
        mass += entry
        entries.append(max((mass - delta) / ratio - total + unreported, ZERO))
        total += entries[-1]
    return entries


def raised_entries(
    before: Row, least: list[Fraction], left: Fraction, ratio: Fraction, delta: Fraction
) -> list[Fraction]:
    """Return the entries 1..i of row i: the least entries, raised from the greatest value down until no mass is left.

    Each is raised as far as privacy with row i - 1 allows for the set j..i.

    Source: weighted-sampling, Algorithm 4, second pass.
    """
    row = [*least, ZERO]
    above = upper = ZERO  # the masses beyond this value: of this row, and of the row before
    for j in range(len(row), 0, -1):
        upper += before[j] if j < len(before) else ZERO
        added = min(ratio * upper + delta - above - row[j - 1], left)
        row[j - 1] += added
        left -= added
        above += row[j - 1]
        if left == 0:
            break
    return row


def discrete_rows(
    *,
    q: Sequence[Fraction],
    ratio: Fraction,
    delta: Fraction,
    first: FirstPass = least_entries,
    second: SecondPass = raised_entries,
) -> list[Row]:
    """Return rows 0, 1, ..., of which row i has the entries pi_i0, ..., pi_ii and sums to 1.

    Requires: q non-decreasing in [0, 1]; ratio = e^epsilon >= 1; delta in (0, 1].
    Claims:   neighbouring rows are (epsilon, delta)-close; pi_i1 + ... + pi_ii is the pi_i of Algorithm 3, the
              greatest that privacy allows; of all rows i with this mass that keep privacy with row i - 1 and report at
              most i, it has the least mass on 1..j for every j.
    Source:   weighted-sampling, Algorithm 4 and Theorem 5.1.
    """
    rows: list[Row] = [(Fraction(1),)]
    for pi in reporting_probabilities(q=q, ratio=ratio, delta=delta):
        before = rows[-1]
        least = first(before, pi, ratio, delta)
        rows.append((1 - pi, *second(before, least, pi - sum(least), ratio, delta)))
    return rows
