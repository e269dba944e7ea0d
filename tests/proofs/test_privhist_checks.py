"""Each check of PrivHist finds a fault: with one of the functions it rests on put wrong, it does not hold."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.anonymized_histograms.geometric_cells import clamped
from dpcert.mechanisms.anonymized_histograms.geometric_law import GeometricLaw
from dpcert.mechanisms.anonymized_histograms.postprocess import high_privacy_histogram, low_privacy_histogram
from dpcert.mechanisms.anonymized_histograms.printed import release_density, smoothed_prevalences, uncarried_split
from dpcert.mechanisms.anonymized_histograms.privhist import PrivhistLayout, stage_law
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothing_windows
from dpcert.mechanisms.anonymized_histograms.split import Windows
from dpcert.mechanisms.anonymized_histograms.total import noisy_total_law
from dpcert.proofs.anonymized_histograms.checks import privhist
from dpcert.proofs.check import checks_in
from dpcert.proofs.registry import CHECKS


def squared(true: Callable[..., Any]) -> Callable[..., Any]:
    """Noise of the ratio's square, which is noise of half the scale."""
    return lambda *a, ratio, **k: true(*a, ratio=ratio**2, **k)


def uncarried(counts: Sequence[int], **settings: int) -> tuple[list[int], list[int]]:
    small, large = uncarried_split(Counter(counts), **settings)
    above = [sum(small[s] for s in range(r, max(small) + 1)) for r in small]
    return above, [r for r in sorted(large, reverse=True) for _ in range(large[r])]


class Wider(Windows):
    @classmethod
    def of(cls, *, ratio: Fraction, **settings: Any) -> Windows:
        return Windows.of(ratio=ratio**2, **settings)


class Sharper(GeometricLaw):
    @classmethod
    def two_sided(cls, alpha: Fraction) -> GeometricLaw:
        return GeometricLaw.two_sided(alpha**2)


class Flat(GeometricLaw):
    @classmethod
    def two_sided(cls, alpha: Fraction) -> GeometricLaw:
        return GeometricLaw.two_sided(alpha).plus({0: Fraction(1, 2), -1: Fraction(1, 2)})


def everyone(a: object, b: object) -> bool:
    return a != b


def nobody(a: object, b: object) -> bool:
    return False


FAULTS: list[tuple[str, str, Any]] = [
    ("ah-total-sensitivity", "RELATIONS", {"sorted-l1": everyone}),
    ("ah-total-private", "clamped", squared(clamped)),
    ("ah-total-private", "GeometricLaw", Sharper),
    (
        "ah-total-private",
        "noisy_total_law",
        lambda cells: lambda counts: noisy_total_law(cells)([min(2 * sum(counts), 6)]),
    ),
    ("ah-categories", "_case", lambda a, b: 0),
    ("ah-categories", "RELATIONS", {"sorted-l1": everyone}),
    ("ah-split-below", "parts", uncarried),
    ("ah-dependent-split", "parts", uncarried),
    ("ah-dependent-split", "GeometricLaw", Sharper),
    ("ah-split-private", "Windows", Wider),
    ("ah-split-private", "RELATIONS", {"sorted-l1": everyone}),
    ("ah-split-release", "release_density", lambda counts, *, alpha, **k: release_density(counts, alpha=alpha**2, **k)),
    ("ah-smoothing-rule", "smoothed_prevalences", lambda phi, marks: smoothed_prevalences(phi, marks[:-1] or marks)),
    (
        "ah-smoothing-rule",
        "smoothed_prevalences",
        lambda phi, marks: {s: Fraction(-(-x // 1)) for s, x in smoothed_prevalences(phi, marks).items()},
    ),
    ("ah-smoothing-sensitivity", "smoothed", lambda phi, marks: [sum(many for _, many in phi)] * len(marks)),
    ("ah-smoothing-sensitivity", "RELATIONS", {"sorted-l1": everyone}),
    ("ah-smoothing-private", "smoothing_windows", squared(smoothing_windows)),
    ("ah-nonzero-example", "RELATIONS", {"sorted-l1": nobody}),
    ("ah-nonzero-example", "GeometricLaw", Flat),
    (
        "ah-low-privacy-steps",
        "low_privacy_histogram",
        lambda small, large, *, threshold, fakes: low_privacy_histogram(small, large, threshold=threshold, fakes=0),
    ),
    ("ah-low-privacy-steps", "isotonic", lambda values: [Fraction(value) for value in values]),
    ("ah-low-privacy-steps", "isotonic", lambda values: [Fraction(sum(values), len(values))] * len(values)),
    ("ah-high-privacy-steps", "high_privacy_histogram", lambda noisy, marks: high_privacy_histogram(noisy, marks)[1:]),
    (
        "ah-privhist-private",
        "stage_law",
        lambda plan: stage_law(PrivhistLayout.of(ratio=plan.ratio**2, most=plan.most)),
    ),
]


@pytest.mark.parametrize(("check", "name", "fault"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_caught_a_fault_in_what_a_check_rests_on(
    check: str, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privhist, name, fault)
    assert not CHECKS[check]().holds


def test_every_check_that_holds_can_fail() -> None:
    printed = {"ah-categories-printed", "ah-split-literal"}
    assert {check for check, _, _ in FAULTS} == {check.id for check in checks_in(privhist)} - printed
