"""The prefixes of the theorems on values are those of Algorithms 4 and 5 as they ship, and so are the passes."""

from fractions import Fraction
from itertools import accumulate, pairwise

import pytest

from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries, raised_entries

ZERO = Fraction(0)
RATIOS = [Fraction(1), Fraction(3, 2), Fraction(3)]
DELTAS = [Fraction(1, 50), Fraction(1, 7), Fraction(1)]
RATES = ["1", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "priority:1/8"]


def silence(ratio: Fraction, x: Fraction, y: Fraction) -> Fraction:
    return max((1 - x) / ratio - (1 - y), ZERO)


def least_prefix(ratio: Fraction, delta: Fraction, g: Fraction, mass: Fraction) -> Fraction:
    return max((mass - delta) / ratio + g, ZERO)


def prefix(ratio: Fraction, delta: Fraction, g: Fraction, x: Fraction, y: Fraction, mass: Fraction) -> Fraction:
    return max(least_prefix(ratio, delta, g, mass), y - ratio * (x - mass) - delta)


def rows_of(algorithm: int, ratio: Fraction, delta: Fraction, rates: str) -> list[Row]:
    """Return the rows of Algorithm 4 or 5, on equally many values."""
    q = sampling_probabilities(rates, 7)
    rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    if algorithm == 5:
        rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
    return [(*row, *[ZERO] * (len(rows[-1]) - len(row))) for row in rows]


@pytest.mark.parametrize("algorithm", [4, 5])
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("delta", DELTAS)
def test_prefixes_are_those_of_both_algorithms(algorithm: int, ratio: Fraction, delta: Fraction) -> None:
    """What goes beyond `prefix` is on values that the row before lacks."""
    for rates in RATES:
        for before, row in pairwise(rows_of(algorithm, ratio, delta, rates)):
            x, y = 1 - before[0], 1 - row[0]
            g = silence(ratio, x, y)
            meant = [prefix(ratio, delta, g, x, y, mass) for mass in accumulate(before[1:])]
            new = [mass - old for mass, old in zip(accumulate(row[1:]), meant, strict=True)]
            assert new == sorted(new)
            assert new[-1] == y - prefix(ratio, delta, g, x, y, x)
            assert prefix(ratio, delta, g, x, y, ZERO) == 0
            assert all(sum(before[j:]) == 0 for j, mass in enumerate(new, 1) if mass)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rates", RATES)
def test_passes_are_those_of_algorithm_4(ratio: Fraction, delta: Fraction, rates: str) -> None:
    rows = discrete_rows(q=sampling_probabilities(rates, 7), ratio=ratio, delta=delta)
    for before, row in pairwise(rows):
        x, y = 1 - before[0], 1 - row[0]
        g = silence(ratio, x, y)
        masses = [ZERO, *accumulate(before[1:])]
        given = [least_prefix(ratio, delta, g, mass) for mass in masses]
        entries = least_entries(before, y, ratio, delta)
        found = zip(masses[1:], given, strict=False)
        assert entries == [max((mass - delta) / ratio - below + g, ZERO) for mass, below in found]
        assert given == [ZERO, *accumulate(entries)]
        raised = raised_entries(before, entries, y - sum(entries), ratio, delta)
        assert raised == list(row[1:])
        above, left = ZERO, y - sum(entries)
        for j in range(len(raised), 0, -1):
            entry = entries[j - 1] if j <= len(entries) else ZERO
            added = min(ratio * (x - masses[j - 1]) + delta - above - entry, left)
            assert raised[j - 1] == entry + added
            above, left = above + entry + added, left - added
            assert (above == ratio * (x - masses[j - 1]) + delta and left >= 0) or left == 0
            assert y - above == prefix(ratio, delta, g, x, y, masses[j - 1])
        assert (above, left) == (y, 0)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("delta", DELTAS)
def test_rows_without_sampling_are_differences(ratio: Fraction, delta: Fraction) -> None:
    q = [Fraction(1)] * 10
    reported = [ZERO, *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
    for i, row in enumerate(discrete_rows(q=q, ratio=ratio, delta=delta)):
        assert list(row[1:]) == [reported[i - j] - reported[i - j - 1] for j in range(i)]
