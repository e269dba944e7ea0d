"""PrivHist's noisy parts: the steps as printed against their cells, and the release itself."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest

from dpcert.mechanisms.anonymized_histograms import succinct
from dpcert.mechanisms.anonymized_histograms.inputs import histograms_up_to
from dpcert.mechanisms.anonymized_histograms.printed import parts, release_density
from dpcert.mechanisms.anonymized_histograms.split import Windows, finished, split_law
from dpcert.mechanisms.coins import seeded_coins

from .printed_parts import NEIGHBOURS, geometric

SPLITS = [(1, 0), (1, 1), (1, 3), (2, 0), (2, 2), (3, 1), (4, 0)]
HALF = Fraction(1, 2)


def pairs_of(most: int) -> Iterator[tuple[list[int], list[int]]]:
    inputs = histograms_up_to(most)
    return ((a, b) for a in inputs for b in inputs if NEIGHBOURS(a, b))


def parts_as_printed(counts: list[int], threshold: int, fakes: int, noise: int) -> tuple[list[int], list[int]]:
    return parts(counts, threshold=threshold, fakes=fakes, noise=noise)


@pytest.mark.parametrize(("threshold", "fakes"), SPLITS)
def test_twin_the_printed_carry_in_closed_form(threshold: int, fakes: int) -> None:
    """m' = L + M + Z^b: phi^bs_r+ = max(0, phi_r+ + 2M - m'), and H^bl the top max(0, m') counts, at least T + 1."""
    for counts in histograms_up_to(6):
        above = sum(count > threshold for count in counts)
        for noise in range(-9, 10):
            moved = above + fakes + noise
            small = [max(0, sum(c >= r for c in counts) + 2 * fakes - moved) for r in range(1, threshold + 1)]
            padded = counts + [0] * max(0, moved)
            large = [max(count, threshold + 1) for count in padded[: max(0, moved)]]
            assert parts_as_printed(counts, threshold, fakes, noise) == (small, large)
            lower, upper = succinct.split(
                tuple(sorted(Counter(counts).items())), limit=threshold, made=fakes, shift=noise
            )
            assert lower == small
            assert [r for r, many in reversed(upper) for _ in range(many)] == large


@pytest.mark.points(4)
@pytest.mark.parametrize(("threshold", "fakes"), SPLITS)
def test_given_what_is_moved_neighbours_differ_in_one_number_by_one(threshold: int, fakes: int) -> None:
    """Lemma 8's three cases, exhaustively: one prevalence, or one large count, or the number of large counts."""
    for a, b in pairs_of(6):
        moved_a, moved_b = (sum(c > threshold for c in counts) for counts in (a, b))
        for moved in range(-8, 12):
            small_a, large_a = parts_as_printed(a, threshold, fakes, moved - fakes - moved_a)
            small_b, large_b = parts_as_printed(b, threshold, fakes, moved - fakes - moved_b)
            assert len(large_a) == len(large_b)
            both = zip(small_a + large_a, small_b + large_b, strict=True)
            steps = sum(abs(x - y) for x, y in both)
            assert steps + abs(moved_a - moved_b) <= 1


@pytest.mark.parametrize(("threshold", "fakes"), SPLITS)
def test_twin_windows_hold_the_centres_that_the_printed_steps_give(threshold: int, fakes: int) -> None:
    """For every m of a cell, however far out, the centres are those of the cell's name, but for shifts."""
    most = 5
    windows = Windows.of(ratio=Fraction(2), threshold=threshold, fakes=fakes, most=most)
    starts = windows.moved.starts
    for counts in histograms_up_to(most):
        above = sum(count > threshold for count in counts)
        for m in range(-12, 20):
            cell = max((start for start in starts if start <= m), default=starts[0] - 1)
            part = windows.part(counts, cell)
            small, large = parts_as_printed(counts, threshold, fakes, m - above)
            assert [centre + max(0, fakes - m) for _, centre in part[:threshold]] == small
            kept = [centre for _, centre in part[threshold:]][: max(0, m + fakes)]
            assert kept == large[: len(kept)]
            assert large[len(kept) :] == [threshold + 1] * (len(large) - len(kept))
            assert all(cells.low <= centre <= cells.high for cells, centre in part)


@cache
def density(
    counts: tuple[int, ...], threshold: int, fakes: int, small: tuple[int, ...], large: tuple[int, ...]
) -> Fraction:
    return release_density(counts, alpha=HALF, threshold=threshold, fakes=fakes, small=small, large=large)


@pytest.mark.parametrize(("threshold", "fakes"), [(1, 0), (1, 2), (2, 1)])
def test_twin_the_density_of_no_large_count_is_a_series(threshold: int, fakes: int) -> None:
    """What sixty more terms add one by one is all of it but for less than 2^-60."""
    for counts in histograms_up_to(3):
        for small in product((-1, 0, 3), repeat=threshold):
            level = fakes + sum(count > threshold for count in counts)
            total = Fraction(0)
            for moved in range(-60, 1):
                centres, tops = parts_as_printed(counts, threshold, fakes, moved - level)
                assert not tops
                steps = [moved - level, *(z - c for z, c in zip(small, centres, strict=True))]
                total += prod((geometric(step) for step in steps), start=Fraction(1))
            whole = density(tuple(counts), threshold, fakes, small, ())
            assert total < whole < total + Fraction(1, 2**60)


@pytest.mark.points(1)
@pytest.mark.parametrize(("threshold", "fakes"), [(1, 0), (1, 1), (2, 0), (2, 1)])
def test_the_release_itself_is_private_at_every_point_of_a_box(threshold: int, fakes: int) -> None:
    """Without m', with the order of H^cl forgotten: no ratio above 2 = e^epsilon_2, and 2 is attained."""
    most, lows, tops = 3, range(-2, 5), range(5)
    rows = [row for size in range(3) for row in product(tops, repeat=size) if list(row) == sorted(row)]
    worst = Fraction(0)
    for a, b in pairs_of(most):
        for small in product(lows, repeat=threshold):
            for large in rows:
                p, q = (density(tuple(counts), threshold, fakes, small, large) for counts in (a, b))
                worst = max(worst, p / q)
    assert worst == 2


@pytest.mark.parametrize(("threshold", "fakes"), [(1, 0), (1, 2), (2, 1)])
def test_twin_cells_and_their_places_make_the_printed_release(threshold: int, fakes: int) -> None:
    """The law of the cells times that of the places is the density of steps 2 to 4, point by point, m' included.

    The place of Z in a cell has the mass of Z there over that of the cell, for a centre of the window.
    """
    windows = Windows.of(ratio=Fraction(2), threshold=threshold, fakes=fakes, most=3)
    law = split_law(windows)

    def cell_of(cells: Any, z: int) -> int:
        return max((start for start in cells.starts if start <= z), default=(cells.starts or (cells.low + 1,))[0] - 1)

    def place(cells: Any, z: int) -> Fraction:
        weights, d = cells.weights(cells.low)
        return geometric(z - cells.low) / Fraction(dict(weights)[cell_of(cells, z)], d)

    for counts in histograms_up_to(3):
        above = sum(count > threshold for count in counts)
        dist = law(counts)
        for m in range(-3, 7):
            centres, tops = parts_as_printed(counts, threshold, fakes, m - above)
            cell = cell_of(windows.moved, m)
            part = windows.part(counts, cell)
            for offset in range(-2, 3):
                small = tuple(offset + r for r in range(threshold))
                large = tuple(threshold + 1 + offset for _ in part[threshold:])
                outcome = (
                    cell,
                    tuple(cell_of(cells, z) for (cells, _), z in zip(part, small, strict=False)),
                    tuple(cell_of(cells, z) for (cells, _), z in zip(part[threshold:], large, strict=True)),
                )
                found = dist.prob(outcome) * place(windows.moved, m)
                for (cells, _), z in zip(part, (*small, *large), strict=True):
                    found *= place(cells, z)
                shift = max(0, fakes - m)
                meant = geometric(m - above)
                for z, c in zip(small, centres, strict=True):
                    meant *= geometric(z + shift - c)
                padded = tops + [threshold + 1] * len(large)
                for z, c in zip(large, padded, strict=False):
                    meant *= geometric(z - c)
                if m + fakes >= len(large):
                    assert found == meant


def test_the_finish_shows_as_many_large_counts_as_were_moved() -> None:
    windows = Windows.of(ratio=Fraction(2), threshold=2, fakes=1, most=6)
    finish, coins = finished(windows), seeded_coins(7)
    for _ in range(200):
        small, large = finish((1, (0, 0), (3, 3)), coins)
        assert len(small) == 2
        assert len(large) == 2
        assert list(large) == sorted(large, reverse=True)
