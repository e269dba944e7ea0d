"""PrivHist in the compact format: each part equal to the steps as written, and to the audited program's."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpcert import Dist, InputError, Limits, seeded_coins
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, histograms, of_prevalences, prevalences
from dpcert.mechanisms.anonymized_histograms.privhist import PrivhistLayout, privhist
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.anonymized_histograms.sorted_distance import neighbours_of, sorted_l1
from dpcert.mechanisms.anonymized_histograms.split import Windows
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, items, privhist_sampler, split
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Settings

SMALL = list(histograms(7))


def printed_split(counts: Counts, *, limit: int, made: int, shift: int) -> tuple[list[int], Counts]:
    """Steps 2(a) to 2(c), one prevalence after the other."""
    top = max((limit + 1, *counts))
    phi = {r: counts.count(r) for r in range(1, top + 1)}
    phi[limit] += made - shift
    phi[limit + 1] += made + shift
    small: dict[int, int] = {}
    for r in range(limit, 0, -1):
        small[r] = max(0, sum(phi[s] for s in range(r, limit + 1)) - sum(small.values()))
    large: dict[int, int] = {}
    for r in range(limit + 1, top + 1):
        large[r] = max(0, sum(phi[s] for s in range(limit + 1, r + 1)) - sum(large.values()))
    cumulative = [sum(small[s] for s in range(r, limit + 1)) for r in range(1, limit + 1)]
    return cumulative, of_prevalences(large.items())


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_twin_the_split_is_that_of_the_steps_as_printed_for_every_noise(limit: int) -> None:
    for counts, made, shift in product(SMALL, range(4), range(-9, 10)):
        small, large = split(prevalences(counts), limit=limit, made=made, shift=shift)
        assert (small, of_prevalences(large)) == printed_split(counts, limit=limit, made=made, shift=shift)
        assert all(many > 0 for _, many in large)


@pytest.mark.parametrize(("limit", "made"), list(product([1, 2, 3], range(4))))
def test_twin_the_audited_program_adds_noise_to_the_same_numbers(limit: int, made: int) -> None:
    """Given m = L + Z^b the audited stage has the centres of noise up to what `finished` adds for every input."""
    most = 6
    windows = Windows.of(ratio=Fraction(2), threshold=limit, fakes=made, most=most)
    for counts, shift in product(histograms(most), range(-8, 9)):
        moved = sum(count > limit for count in counts) + shift
        centres = [centre for _, centre in windows.part(counts, max(0, min(moved, made + most)))]
        lower = [centre + max(0, made - moved) for centre in centres[:limit]]
        upper = centres[limit:][: max(0, moved + made)]
        upper += [limit + 1] * (max(0, moved + made) - len(upper))
        small, large = split(prevalences(counts), limit=limit, made=made, shift=shift)
        assert (lower, tuple(upper)) == (small, of_prevalences(large))


def edge_lists(most: int) -> Iterator[list[int]]:
    """Every set of boundaries that ends with `most`."""
    for taken in product((False, True), repeat=most - 1):
        yield [r for r, chosen in enumerate(taken, 1) if chosen] + [most]


def printed_smoothing(counts: Counts, edges: list[int]) -> list[Fraction]:
    """Steps H1 and H3, then the sum from each boundary on, times the gap to the boundary before."""
    capped = [min(count, edges[-1]) for count in counts]
    phi: dict[int, Fraction] = dict.fromkeys([0, *edges], Fraction(0))
    for low, high in zip([0, *edges], edges, strict=False):
        for count in capped:
            if low < count < high:
                phi[low] += Fraction(high - count, high - low)
                phi[high] += Fraction(count - low, high - low)
    for edge in edges:
        phi[edge] += capped.count(edge)
    gaps = [high - low for low, high in zip([0, *edges], edges, strict=False)]
    return [gap * sum((phi[s] for s in edges[i:]), Fraction(0)) for i, gap in enumerate(gaps)]


def test_twin_smoothing_is_that_of_the_steps_as_printed_and_moves_by_one() -> None:
    for counts, edges in product(histograms(5), edge_lists(6)):
        found = smoothed(prevalences(counts), edges)
        assert found == printed_smoothing(counts, edges)
        for other in neighbours_of(counts):
            changed = [abs(x - y) for x, y in zip(found, smoothed(prevalences(other), edges), strict=True)]
            assert sum(changed) <= 1


def test_twin_smoothing_with_counts_above_the_last_boundary() -> None:
    for counts, edges in product(SMALL, edge_lists(3)):
        assert smoothed(prevalences(counts), edges) == printed_smoothing(counts, edges)


def test_twin_the_distance_is_that_of_the_counts_in_order() -> None:
    for a, b in product(SMALL, repeat=2):
        assert compact_distance(prevalences(a), prevalences(b)) == sorted_l1(a, b)


@pytest.mark.parametrize("ratio", ["20", "8"])
def test_twin_where_there_is_no_noise_the_histogram_comes_back(ratio: str) -> None:
    """Seeds whose noises are all 0: those of a total and a histogram that are both right, among 200."""
    release = privhist_sampler(ratio=Fraction(ratio) ** 6)
    for counts in [(1,), (3, 1), (9, 2, 2, 1)]:
        h = prevalences(counts)
        assert items(h) == sum(counts)
        found = [release(h, seeded_coins(seed)) for seed in range(40)]
        assert max(map(found.count, found)) >= 30
        assert max(found, key=found.count) == (h, sum(counts))


@pytest.mark.points(1)
@pytest.mark.parametrize(("ratio", "parts"), [(64, 1000), (1000, 10**6)])
@pytest.mark.parametrize("counts", [(1,), (1, 1), (2, 1)])
def test_twin_the_law_is_that_of_the_audited_mechanism_up_to_their_tails(
    counts: Counts, ratio: int, parts: int
) -> None:
    """Cells, places in cells and lists there, words of coins and the compact format here; epsilon > 1."""
    release = privhist(PrivhistLayout.of(ratio=Fraction(ratio), most=3))
    sampler = privhist_sampler(ratio=Fraction(ratio))
    settings = Settings(LazyRun, Limits(max_tail=Fraction(1, parts)))
    audited = Dist.like(exact_law(lambda _, coins: release(list(counts), coins), None, settings).law)
    shipped = Dist.like(exact_law(lambda _, coins: sampler(prevalences(counts), coins), None, settings).law)
    assert 0 < audited.tail <= Fraction(1, parts)
    assert 0 < shipped.tail <= Fraction(1, parts)
    outcomes = {outcome for law in (audited, shipped) for outcome, _ in law.items()}
    apart = sum(abs(audited.prob(outcome) - shipped.prob(outcome)) for outcome in outcomes)
    assert apart <= audited.tail + shipped.tail


def test_twin_boundaries_of_a_small_total_end_with_twice_it() -> None:
    for total in range(1, 40):
        edges = boundaries(total, Fraction(4, 3), [])
        assert edges == sorted(set(edges))
        assert edges[-1] == 2 * total


@pytest.mark.parametrize(
    "histogram",
    [
        ((2, 1), (1, 1)),
        ((1, 1), (1, 2)),
        ((1, -1),),
        ((1, Fraction(1, 2)),),
        ((1.0, 1),),
        ((0, 3),),
        ((1, True),),
        ("a",),
    ],
)
def test_refused_prevalences(histogram: Any) -> None:
    release = privhist_sampler(ratio=Fraction(2))
    with pytest.raises(InputError) as caught:
        release(histogram, seeded_coins(1))
    assert "\n" not in str(caught.value)
