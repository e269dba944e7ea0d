"""Closed forms rounded down: never above the exact law, hardly below it, and verdicts and bounds as from exact laws."""

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import ApproxDP, Dist, Epsilon, Refuted, Report, Undecided, Verified
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms import rounding
from dpcert.mechanisms.rounding import Rounding
from dpcert.mechanisms.sample_and_threshold.sample_threshold import (
    sample_threshold,
    sample_threshold_form,
    sample_threshold_law,
)
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_form, threshold_histogram_law

GRID = [(1, Fraction(1, 2)), (2, Fraction(9, 10)), (7, Fraction(1, 10)), (60, Fraction(1, 3)), (200, Fraction(99, 100))]


def holds_binomials(build: ModuleType) -> None:
    """Weights are at most the probabilities and less by at most 1.01 units, also those that are left out."""
    for n, p in GRID:
        for bits in (0, 1, 8, 40, 130, 900):
            rows = build.binomial_down(n, p, bits)
            found = dict(rows)
            assert len(found) == len(rows)
            assert all(weight > 0 for k, weight in rows[1:])
            for k in range(n + 1):
                lost = comb(n, k) * p**k * (1 - p) ** (n - k) * (1 << bits) - found.get(k, 0)
                assert 0 <= lost <= Fraction(101, 100)


def test_twin_binomials_rounded_down() -> None:
    holds_binomials(rounding)


FAULTS = {
    "the mode rounded up": (
        "<< bits + _SPARE) // p",
        "<< bits + _SPARE) // p.denominator**n + (1 << _SPARE) // 1 + 0 * p",
    ),
    "steps up too great": ("(n - k) * up // ((k + 1) * down)", "(n - k + 1) * up // ((k + 1) * down)"),
    "steps up too small": ("(n - k) * up // ((k + 1) * down)", "(n - k) * up // ((k + 2) * down)"),
    "steps down too great": ("weight * k * down", "weight * (k + 1) * down"),
    "steps down too small": ("((n - k + 1) * up)", "((n - k + 2) * up)"),
    "steps down from the wrong weight": ("    weight = top\n    for k in range(mode, 0", "    for k in range(mode, 0"),
    "weights rounded up": ("rows.append((k + 1, weight >> _SPARE))", "rows.append((k + 1, -(-weight >> _SPARE)))"),
    "too few steps": (
        "if not weight >> _SPARE:\n            break\n        rows.append((k - 1",
        "if weight >> _SPARE < 4:\n            break\n        rows.append((k - 1",
    ),
    "no spare bits": ("_SPARE, _MOST = 64, 4096", "_SPARE, _MOST = 0, 4096"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_caught_a_rounding_to_the_wrong_side_or_too_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    text, (old, new) = Path(rounding.__file__).read_text(), FAULTS[fault]
    assert text.count(old) == 1
    (tmp_path / "edited.py").write_text(text.replace(old, new))
    spec = importlib.util.spec_from_file_location("edited", tmp_path / "edited.py")
    edited = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "edited", edited)
    spec.loader.exec_module(edited)
    with pytest.raises(AssertionError):
        holds_binomials(edited)


def always(form: Rounding, bits: int) -> Rounding:
    """Return the closed form that rounds short laws too."""
    return replace(form, size=lambda value: rounding.EXACT_BITS + 1, bits=bits)


def below(found: Dist, exact: Dist, lost: Fraction) -> None:
    assert found.tail == 1 - sum((p for _, p in found.items()), Fraction(0)) <= lost
    for outcome, p in found.items():
        assert p <= exact.prob(outcome)


@given(st.integers(1, 40), st.fractions(0, 1, max_denominator=20).filter(lambda p: 0 < p < 1), st.integers(1, 6))
def test_twin_forms_are_below_the_exact_laws(count: int, rate: Fraction, threshold: int) -> None:
    exact = sample_threshold_law(rate=rate, threshold=threshold)(count)
    found = always(sample_threshold_form(rate=rate, threshold=threshold), 60)(count)
    below(found, exact, Fraction(2 * (count + 1), 1 << 60))


@pytest.mark.parametrize("people", [[], [0], [0, 1, 1, 0, 1], [1] * 9, [0] * 5 + [2] * 4])
def test_twin_histograms_are_below_the_exact_laws(people: list[int]) -> None:
    parameters = {"rate": Fraction(1, 3), "threshold": 2, "universe": 3}
    exact = threshold_histogram_law(**parameters)(people)
    found = always(threshold_histogram_form(**parameters), 60)(people)
    below(found, exact, Fraction(6 * (len(people) + 1), 1 << 60))
    assert threshold_histogram_form(**parameters)(people) == exact


def test_short_laws_are_exact_and_long_ones_are_rounded() -> None:
    form = sample_threshold_form(rate=Fraction(1, 10), threshold=10).for_claim(Epsilon.ln(2), Fraction(1, 1000))
    assert form(100) == sample_threshold_law(rate=Fraction(1, 10), threshold=10)(100)
    assert (form(100).tail, form(3).prob(0)) == (0, 1)
    long = form(5000)
    assert 0 < long.tail < Fraction(1, 1000 << 50)
    assert long.denominator == 1 << form.bits


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("0", "1/2"), ("1/10", "1e-9"), ("100", "1e-300"), ("1e9", "1"), ("1", "0")]
)
def test_the_bits_are_chosen_by_the_claim(epsilon: str, delta: str) -> None:
    form = sample_threshold_form(rate=Fraction(1, 10), threshold=10)
    bits = form.for_claim(Epsilon.of(epsilon), Fraction(delta)).bits
    ratio = 2 ** min(Epsilon.of(epsilon).power_of_two_lo(), 4096)
    least = Fraction(delta) or Fraction(1, 1 << 63)
    assert ratio * Fraction(1, 1 << bits) * (1 << 63) <= least
    assert bits < 8000


@pytest.fixture(scope="session")
def decided() -> Callable[..., Report]:
    """Return a function that decides sample-and-threshold on up to 30 people, exactly or from laws rounded down."""

    def deciding(epsilon: str, delta: Fraction | str, *, rounded: bool, least: int = 0) -> Report:
        guarantee = ApproxDP(epsilon, delta)
        parameters = {"rate": Fraction(1, 10), "threshold": 10}
        form = sample_threshold_form(**parameters).for_claim(guarantee.epsilon, guarantee.delta)
        subject = Subject(
            "sample-threshold",
            sample_threshold(**parameters),
            tuple(range(least, 31)),
            RELATIONS["counts_differ_by_one"],
            law_source="closed-form",
            closed_form=always(form, form.bits) if rounded else form,
        )
        return decide(subject, guarantee, again=subject.digests)

    return deciding


@pytest.mark.parametrize("epsilon", ["1/5", "ln(20/9)", "5"])
def test_twin_verdicts_and_bounds_are_those_of_exact_laws(decided: Callable[..., Report], epsilon: str) -> None:
    exact = decided(epsilon, "1e-9", rounded=False)
    for part in (Fraction(999_999, 10**6), Fraction(1_000_001, 10**6)):
        delta = exact.delta_hi * part
        one, two = decided(epsilon, delta, rounded=False), decided(epsilon, delta, rounded=True, least=1)
        assert type(two.verdict) is type(one.verdict) is (Refuted if part < 1 else Verified)
        assert two.tail > 0 == one.tail
        assert two.delta_lo <= one.delta_lo
        assert one.delta_hi <= two.delta_hi <= two.delta_lo * (1 + Fraction(1, 10**12))
        assert two.epsilon_lo.ratio <= one.epsilon_lo.ratio or one.epsilon_hi is None
        above = [None if report.epsilon_hi is None else report.epsilon_hi.ratio for report in (one, two)]
        assert above[1] is None or (above[0] is not None and above[0] <= above[1])
        assert "rounded down to" in two.notes[0]


def test_a_claim_that_is_met_to_the_last_bit_is_undecided_with_what_to_do(decided: Callable[..., Report]) -> None:
    exact = decided("1/5", "1e-9", rounded=False)
    verdict = decided("1/5", exact.delta_hi, rounded=True, least=1).verdict
    assert isinstance(verdict, Undecided)
    assert "claim a little more" in verdict.reason
    assert isinstance(decided("1/5", exact.delta_hi, rounded=False).verdict, Verified)


def test_pure_privacy_is_undecided_from_rounded_laws_and_the_reason_says_what_to_do() -> None:
    law = Dist.from_weights([(0, 3), (1, 1)], 5)
    form = Rounding(lambda value: law, lambda value, bits: law, lambda value: rounding.EXACT_BITS + 1)
    subject = Subject(
        "cut", lambda value, coins: 0, (0, 1), RELATIONS["any"], law_source="closed-form", closed_form=form
    )
    verdict = decide(subject, ApproxDP(0, 0), again=subject.digests).verdict
    assert isinstance(verdict, Undecided)
    assert "pure differential privacy is never verified with a tail; claim a delta above 0" in verdict.reason
    assert "rounded down to 128 bits" in verdict.reason
