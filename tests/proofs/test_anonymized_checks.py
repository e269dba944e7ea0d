"""Each check of anonymized-histograms finds a fault: it does not hold with a function it rests on put wrong."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.packing import histogram_least
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, partitions
from dpcert.mechanisms.anonymized_histograms.postprocess import isotonic
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.proofs.anonymized_histograms.checks import analysis, counts, laplace, noise, properties, smoothing, steps
from dpcert.proofs.anonymized_histograms.checks import lower_bounds as lower
from dpcert.proofs.check import checks_in

from .faults import Wrap, always, plus, times

CHECKS = {
    check.id: check
    for module in (properties, noise, laplace, analysis, counts, steps, smoothing, lower)
    for check in checks_in(module)
}


def moment(**wrong: Callable[[GeometricMoments], Callable[..., Fraction]]) -> Wrap:
    """The law of geometric noise with some of its numbers put wrong."""

    def wrap(true: type[GeometricMoments]) -> Callable[[Fraction], Any]:
        class Wrong:
            def __init__(self, alpha: Fraction) -> None:
                self.law = true(alpha)

            def __getattr__(self, name: str) -> Any:
                return wrong[name](self.law) if name in wrong else getattr(self.law, name)

        return Wrong

    return wrap


def lower_tail(law: GeometricMoments) -> Callable[..., Fraction]:
    return lambda z: law.at_least(z + 1)


FAULTS: list[tuple[str, ModuleType, str, Wrap]] = [
    ("ah-earth-mover", properties, "transport_potential", lambda true: lambda a, b: (0, *true(a, b)[:-1])),
    ("ah-four-labels", counts, "anonymized", lambda true: lambda data: tuple(data.values())),
    ("ah-group-corrected", counts, "group_delta", times(Fraction(1, 2))),
    ("ah-items-counted", counts, "cumulative", plus((1,))),
    ("ah-naive-split-corrected", counts, "sorted_l1", lambda true: lambda a, b: abs(sum(a) - sum(b))),
    ("ah-number-of-histograms", counts, "partition_numbers", lambda true: lambda n: [p + 1 for p in true(n)]),
    ("ah-sorted-distance", properties, "sorted_l1", lambda true: lambda a, b: abs(sum(a) - sum(b))),
    ("ah-stars-counted", counts, "comb", lambda true: lambda r, k: true(r + 1, k)),
    ("ah-degrees-can-tell", counts, "permutations", lambda true: lambda names: iter([tuple(names)])),
    ("ah-with-probability-corrected", counts, "_failing", lambda true: lambda p, q, ratio: true(p, q, 2 * ratio)),
    ("ah-two-forms", counts, "joined", lambda true: lambda *a: true(*a)[:-1]),
    ("ah-proper-after-projection", steps, "isotonic", lambda true: lambda values, weights: list(values)),
    ("ah-moderate-difference", laplace, "enclose", always((Fraction(0), Fraction(1, 2)))),
    ("ah-all-noisy", noise, "sorted_l1", times(2)),
    ("ah-all-noisy", noise, "neighbours_of", lambda true: lambda h: [(*h, 1, 1)]),
    ("ah-cut-total", noise, "roots_at_most", lambda true: lambda p, x, q, y, s: true(p, x, q, y, s - Fraction(1, 50))),
    ("ah-decomposition", steps, "GeometricMoments", moment(at_least=lower_tail)),
    ("ah-empty-total-corrected", steps, "empty_total", times(2)),
    ("ah-fakes-proper", steps, "fake_counts", plus(-1)),
    ("ah-fakes-proper", steps, "split", lambda true: lambda h, t, m, z: true(h, t, m, 2 * z)),
    ("ah-geometric-corrected", noise, "GeometricMoments", moment(at_least=lower_tail)),
    ("ah-geometric-moments", noise, "GeometricMoments", moment(mean_size=lambda law: law.mean_square)),
    ("ah-geometric-moments", noise, "GeometricMoments", moment(mean_square=lambda law: law.mean_size)),
    ("ah-high-counts", steps, "capped", lambda true: lambda h, most: true(h, most // 2)),
    ("ah-high-counts", steps, "GeometricMoments", moment(mass=lambda law: lambda z: 3 * law.mass(z))),
    ("ah-inverse-corrected", noise, "Fraction", lambda true: lambda a, b=1: true(a, b + (b == 9))),
    ("ah-laplace", noise, "integral", lambda true: lambda *a: true(*a).times(2)),
    ("ah-noise-compared", noise, "GeometricMoments", moment(mean_size=lambda law: lambda: 2 * law.mean_size())),
    ("ah-split-error", steps, "fake_counts", always(0)),
    ("ah-total-moments", steps, "GeometricMoments", moment(total_error=lambda law: lambda n: law.mean_size())),
    ("ah-total-moments", steps, "GeometricMoments", moment(total_mean=lambda law: lambda n: Fraction(n))),
    ("ah-boundary-count", analysis, "boundary_count", times(10)),
    ("ah-gap-corrected", smoothing, "smoothed_prevalences", lambda true: lambda h, s: {r: h.count(r) for r in s}),
    ("ah-high-privacy", analysis, "boundary_count", times(10)),
    ("ah-large-counts", analysis, "split", lambda true: lambda h, t, m, z: true(h, t, m, z + 1)),
    ("ah-logarithmic", analysis, "ln_bounds", lambda true: lambda x, bits: (-x, x)),
    ("ah-low-privacy", analysis, "low_privacy_bound", times(2)),
    ("ah-projection-error", smoothing, "isotonic", lambda true: lambda values, weights: [v + 3 for v in values]),
    ("ah-projection-error", smoothing, "rounded", lambda true: lambda value: (true(value)[0] + 1,)),
    ("ah-pushed-counts", analysis, "upper_threshold", lambda true: lambda n, e: true(n, e) // 20),
    ("ah-small-counts-corrected", analysis, "isotonic", lambda true: lambda values: [v + 3 for v in values]),
    ("ah-small-counts-corrected", analysis, "rounded", lambda true: lambda value: (true(value)[0] + 1,)),
    ("ah-small-counts-mean", analysis, "GeometricMoments", moment(mean_square=lambda law: lambda: law.mean_size() / 9)),
    ("ah-window-noise", smoothing, "GeometricMoments", moment(mean_size=lambda law: lambda: 3 * law.mean_size())),
    ("ah-bits-pairs-average", lower, "_with", lambda true: lambda v, i, bit: true(v, i, 0)),
    ("ah-encoding-corrected", lower, "paper_capacity", plus(1)),
    ("ah-encoding-corrected", lower, "encoded", lambda true: lambda x, n: true(x, n + 1)),
    ("ah-encoding-neighbours", lower, "encoded", lambda true: lambda x, n: true(x, n + 1)),
    ("ah-least-error", lower, "histogram_least", times(5)),
    ("ah-least-error", lower, "proves", always(False)),
]


@pytest.mark.parametrize(("check", "module", "name", "wrap"), FAULTS, ids=[f"{c}-{n}" for c, _, n, _ in FAULTS])
def test_caught_fault(monkeypatch: pytest.MonkeyPatch, check: str, module: ModuleType, name: str, wrap: Wrap) -> None:
    monkeypatch.setattr(module, name, wrap(getattr(module, name, max)), raising=False)  # max is the only built-in here
    found = CHECKS[check]()
    assert not found.holds
    assert found.witness


def test_every_check_that_holds_has_a_fault_that_it_finds() -> None:
    assert {name for name in CHECKS if not name.endswith("-printed")} == {check for check, *_ in FAULTS}


@pytest.mark.parametrize("boundaries", [(1, 2, 3), (1, 4), (2, 3, 7), (5,)])
def test_twin_the_smoothed_prevalences_of_the_print_and_the_integers_of_the_mechanism(
    boundaries: tuple[int, ...],
) -> None:
    gaps = [high - low for low, high in zip((0, *boundaries), boundaries, strict=False)]
    for h in histograms(8):
        if not h or h[0] <= boundaries[-1]:
            printed = smoothing.smoothed_prevalences(h, boundaries)
            sums = smoothing.upper_sums(printed, boundaries[-1])
            meant = [gap * sums[s - 1] for gap, s in zip(gaps, boundaries, strict=True)]
            assert smoothed(sorted((r, h.count(r)) for r in set(h)), boundaries) == meant


def test_twin_isotonic_regression_by_minima_of_maxima_of_means() -> None:
    for n in (1, 2, 3, 4):
        for values in product(range(-1, 3), repeat=n):
            weights = [1 + (3 * i) % 4 for i in range(n)]
            means = {
                (a, b): Fraction(sum(v * w for v, w in zip(values[a : b + 1], weights[a : b + 1], strict=True)))
                / sum(weights[a : b + 1])
                for a in range(n)
                for b in range(a, n)
            }
            assert isotonic(values, weights) == [
                min(max(means[a, b] for b in range(i, n)) for a in range(i + 1)) for i in range(n)
            ]


def test_releases_outside_of_the_listed_ones_are_no_better() -> None:
    """Any histogram of at most 7 items, cut and filled to the boxes of the inputs, is listed and at most as far."""
    for n in (1, 2):
        rows = [h for total in (n, n + 1) for h in partitions(total)]
        listed = lower.released(n)
        for other in histograms(7):
            assert any(all(sorted_l1(h, near) <= sorted_l1(h, other) for h in rows) for near in listed)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("n", "ratio", "value"), [(1, "1", "1"), (1, "2", "4/7"), (2, "2", "36/43"), (1, "10", "20/119")]
)
def test_the_least_errors_are_these(n: int, ratio: str, value: str) -> None:
    rows = [h for total in (n, n + 1) for h in partitions(total)]
    found = lower.least_worst_error(
        inputs=rows,
        outputs=lower.released(n),
        cost=sorted_l1,
        near=lambda a, b: sorted_l1(a, b) == 1,
        ratio=Fraction(ratio),
    )
    assert found == lower.LeastCost(Fraction(value), True, True)


@pytest.mark.parametrize("ratio", ["1", "5/4", "3/2", "2", "3", "10"])
def test_the_least_error_at_one_item_has_a_closed_form(ratio: str) -> None:
    E = Fraction(ratio)
    found = lower.least_worst_error(
        inputs=[(1,), (2,), (1, 1)],
        outputs=lower.released(1),
        cost=sorted_l1,
        near=lambda a, b: sorted_l1(a, b) == 1,
        ratio=E,
    )
    assert found == lower.LeastCost(2 * E / (E * E + 2 * E - 1), True, True)


@pytest.mark.nightly
def test_the_least_error_at_three_items_is_above_the_packing() -> None:
    rows = [h for total in (3, 4) for h in partitions(total)]
    found = lower.least_worst_error(
        inputs=rows,
        outputs=lower.released(3),
        cost=sorted_l1,
        near=lambda a, b: sorted_l1(a, b) == 1,
        ratio=Fraction(2),
    )
    assert found == lower.LeastCost(Fraction(147, 136), True, True)
    assert found.value > histogram_least(n=3, ratio=Fraction(2))
