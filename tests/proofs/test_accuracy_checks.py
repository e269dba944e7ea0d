"""The checks of accuracy and of lower bounds can fail: bounds a little smaller are caught, known values are met."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert.proofs.check import CheckResult
from dpcert.proofs.finite_computers.checks import accuracy, noise


@pytest.mark.parametrize(
    ("name", "check"),
    [("printed_for_geometric", accuracy.geometric_accuracy), ("printed_for_fastsample", accuracy.fastsample_accuracy)],
)
def test_caught_an_error_that_is_two_less_than_printed(
    monkeypatch: pytest.MonkeyPatch, name: str, check: Callable[[], CheckResult]
) -> None:
    printed = getattr(accuracy, name)
    assert check().holds
    monkeypatch.setattr(accuracy, name, lambda **setting: printed(**setting) - 2)
    assert not check().holds


@pytest.mark.parametrize("check", [accuracy.figure_3, accuracy.theorem_5_6_accuracy, accuracy.theorem_5_6_delta])
def test_caught_a_third_of_the_printed_logarithm(
    monkeypatch: pytest.MonkeyPatch, check: Callable[[], CheckResult]
) -> None:
    """9/(2 epsilon) ln x becomes 3/(2 epsilon) ln x; the noise falls by at least epsilon/4 a step."""
    printed = accuracy.printed_by_nine_halves
    monkeypatch.setattr(accuracy, "printed_by_nine_halves", lambda **setting: printed(**setting) // 3)
    assert not check().holds


def test_figure_4s_threshold_and_its_least_at_known_points() -> None:
    """r = 3/2 at epsilon = 1: (2/5) (2/3)^(b - 1) <= 1/100 from b = 11 on, as (2/3)^9 > 1/40 > (2/3)^10."""
    assert accuracy.least_threshold(ratio=Fraction(3, 2), delta=Fraction(1, 100)) == 11
    assert accuracy.printed_by_nine_halves(epsilon=Fraction(1), x=Fraction(100)) == 21


def test_theorem_5_6_spends_most_where_gamma_is_half_of_delta() -> None:
    for n, low, high in ((100, "0.3736", "0.3737"), (1000, "0.0510", "0.0511")):
        gamma, b = accuracy.theorem_5_6(n=n, epsilon=Fraction(1), delta=Fraction(1, 100), beta=Fraction(1))
        spent = 100 * accuracy.released_lone(n=n, epsilon=Fraction(1), gamma=gamma, threshold=b)
        assert Fraction(low) < spent < Fraction(high), n


def test_the_step_of_the_cut_off_fails_first_at_one_fifth() -> None:
    printed, corrected = noise.cut_off_step
    assert printed() == CheckResult(False, "epsilon = 1/5, gamma = 1/2, n = 1")
    assert corrected().holds
