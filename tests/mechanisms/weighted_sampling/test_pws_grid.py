"""Probabilities and rows on a grid: private as they stand, near the exact ones, and at frequencies up to a million."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, chain, pairwise
from typing import Any

import pytest

from dpcert import Dist, Epsilon, Refuted, Verified
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.weighted_sampling.pws_grid import grid_bounds, grid_probabilities, reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import cell_ends, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS, reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn_on_grid
from dpcert.reading.paths.enumerator import enumerate_law

from .grids import SAMPLINGS, grid_of

grid = grid_of("1 11/10 3/2 10", "1/1000 1/10 1/3 1")


@grid
def test_twin_rounded_by_the_recurrence_in_fractions(ratio: Fraction, delta: Fraction, text: str) -> None:
    """The floor, and the ceiling, of the exact step from the rounded value before."""
    q = sampling_probabilities(text, 12)
    for bits, up in ((3, False), (9, False), (9, True), (64, True)):
        found = list(grid_probabilities(q=q, ratio=ratio, delta=delta, bits=bits, up=up))
        before = 0
        for most, now in zip(q, found, strict=True):
            p = Fraction(before, 1 << bits)
            terms = (most, ratio * p + delta, 1 + (p + delta - 1) / ratio)
            meant = [(-(-term * (1 << bits) // 1) if up else term * (1 << bits) // 1) for term in terms]
            assert now == min(meant)
            before = now


@grid
def test_keys_rounded_down_are_private_monotone_and_below(
    excess: Any, ratio: Fraction, delta: Fraction, text: str
) -> None:
    q = sampling_probabilities(text, 12)
    pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    for bits in (3, 8, 40):
        found = [Fraction(0), *reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits)]
        assert all(p <= most for p, most in zip(found[1:], pi, strict=True))
        for a, b in pairwise(found):
            assert a <= b
            one, other = ({True: p, False: 1 - p} for p in (a, b))
            assert max(excess(one, other, ratio), excess(other, one, ratio)) <= delta
    bounds = list(grid_bounds(q=q, ratio=ratio, delta=delta, bits=64))
    assert all(lo <= p <= hi <= lo + Fraction(1, 2**20) for (lo, hi), p in zip(bounds, pi, strict=True))


def test_a_million_frequencies_where_fractions_would_have_millions_of_digits() -> None:
    """epsilon = 1/1000 and delta = 10^-9: 26,245 frequencies are reported less often than they are sampled."""
    ratio, delta = Epsilon.of("1/1000").exp_bounds(64)[0], Fraction(1, 10**9)
    q = sampling_probabilities("1", 10**6)
    found = list(grid_probabilities(q=q, ratio=ratio, delta=delta, bits=128))
    assert (len(found), found[26_244] < 1 << 128, found[26_245]) == (10**6, True, 1 << 128)
    widths = (hi - lo for lo, hi in grid_bounds(q=q[:27_000], ratio=ratio, delta=delta, bits=128))
    assert max(widths) < Fraction(1, 2**98)


def rows_on_grid(
    q: Sequence[Fraction], ratio: Fraction, delta: Fraction, bits: int, cells: list[list[Fraction]]
) -> list[Row]:
    amount = sum(map(len, cells))
    return [row.row(amount) for row in grid_rows(q=q, ratio=ratio, delta=delta, bits=bits, cells=cells)]


@pytest.mark.points(47)
@grid
@pytest.mark.parametrize("algorithm", [4, 5])
def test_rows_on_a_grid_are_private_whatever_the_cells(
    excess: Any, ratio: Fraction, delta: Fraction, text: str, algorithm: int
) -> None:
    q = sampling_probabilities(text, 7)
    pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    for bits in (8, 20, 64):
        cells = whole_cells(7) if algorithm == 4 else cell_ends(q=q, ratio=ratio, delta=delta, bits=bits)
        ends = [Fraction(0), *chain(*cells)]
        assert all(a < b for a, b in pairwise(ends))
        assert len(ends) - 1 <= 3 * 7
        rows = rows_on_grid(q, ratio, delta, bits, cells)
        for row, most in zip(rows[1:], pi, strict=True):
            assert sum(row) == 1
            assert min(row) >= 0
            assert 1 - row[0] <= most
        for a, b in pairwise([dict(enumerate(row)) for row in rows]):
            assert max(excess(a, b, ratio), excess(b, a, ratio)) <= delta
            assert b[0] <= a[0]


@grid
def test_twin_rows_on_a_fine_grid_are_those_of_algorithm_4(ratio: Fraction, delta: Fraction, text: str) -> None:
    q = sampling_probabilities(text, 7)
    found = rows_on_grid(q, ratio, delta, 64, whole_cells(7))
    exactly = discrete_rows(q=q, ratio=ratio, delta=delta)
    for row, meant in zip(found, exactly, strict=True):
        padded = (*meant, *[Fraction(0)] * (len(row) - len(meant)))
        assert max(abs(x - y) for x, y in zip(row, padded, strict=True)) < Fraction(1, 2**50)


def reached(row: Row, ends: Sequence[Fraction], z: Fraction) -> Fraction:
    """The mass of a discretized density on [0, z]."""
    total, start = row[0], Fraction(0)
    for end, mass in zip(ends, row[1:], strict=True):
        if start < z:
            total += mass * (min(end, z) - start) / (end - start)
        start = end
    return total


@pytest.mark.points(22)
@grid
def test_twin_rows_on_a_fine_grid_are_those_of_algorithm_5(ratio: Fraction, delta: Fraction, text: str) -> None:
    q = sampling_probabilities(text, 6)
    cells = cell_ends(q=q, ratio=ratio, delta=delta, bits=64)
    found, ends = rows_on_grid(q, ratio, delta, 64, cells), [*chain(*cells)]
    exactly, breakpoints = density_rows(q=q, ratio=ratio, delta=delta)
    for row, meant in zip(found, exactly, strict=True):
        for z, mass in zip(ends, accumulate(row[1:], initial=row[0]), strict=False):
            assert reached(row, ends, z) == mass + row[ends.index(z) + 1]
            assert abs(reached(row, ends, z) - reached(meant, breakpoints, z)) < Fraction(1, 2**24)


@pytest.mark.points(1)
@pytest.mark.parametrize("algorithm", ["4", "5"])
def test_the_closed_form_on_a_grid_is_the_programs_law(algorithm: str) -> None:
    for text in SAMPLINGS:
        settings = {"imax": "6", "q": text, "bits": "16", "algorithm": algorithm}
        instance = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
        assert instance.closed_form is not None
        for frequency in (*instance.inputs, 50):
            assert instance.closed_form(frequency) == enumerate_law(instance.program, frequency).law


def test_twin_a_draw_on_the_grid_is_the_row_given_that_it_was_sampled() -> None:
    q = sampling_probabilities("1/5, 1/2, 1", 3)
    rows = list(grid_rows(q=q, ratio=Fraction(2), delta=Fraction(1, 10), bits=12, cells=whole_cells(3)))
    for row, most in zip(rows[1:], q, strict=True):
        exactly = row.row(3)
        meant = [(exactly[0] - (1 - most)) / most, *(mass / most for mass in exactly[1:])]
        assert enumerate_law(lambda _, coins, row=row, most=most: drawn_on_grid(row, most)(coins), 0).law == Dist.of(
            enumerate(meant)
        )


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("mechanism", "settings"),
    [
        (PWS_KEYS, {"bits": "20", "q": "priority:1/9"}),
        (PWS_KEYS, {"bits": "8", "epsilon": "1/100", "delta": "1/20"}),
        (PWS_FREQUENCIES, {"bits": "20"}),
        (PWS_FREQUENCIES, {"bits": "12", "algorithm": "5", "epsilon": "ln(3/2)"}),
    ],
)
def test_verified_on_a_grid_and_refuted_at_a_smaller_delta(
    audit: Any, mechanism: object, settings: dict[str, str]
) -> None:
    assert isinstance(audit(mechanism, settings).verdict, Verified)
    assert isinstance(audit(mechanism, settings, delta="1/300").verdict, Refuted)
