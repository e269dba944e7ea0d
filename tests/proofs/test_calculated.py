"""What sympy calculates is not believed: a wrong answer is caught by exact arithmetic."""

from fractions import Fraction

import pytest

from dpcert.proofs.adapters import sympy as calculator
from dpcert.proofs.adapters.sympy import Rational, derivative, geometric_sum
from dpcert.proofs.sample_and_threshold.checks.derivative import Dual, grid, slope_by_sympy
from dpcert.proofs.weighted_sampling.checks.powers import power_sum_by_sympy

WRONG = Rational({(1, 0): Fraction(1)}, {(0, 0): Fraction(1)})


def test_the_answers_hold() -> None:
    assert slope_by_sympy().holds
    assert power_sum_by_sympy().holds


def test_caught_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator, "derivative", lambda formula: WRONG)
    monkeypatch.setattr(calculator, "geometric_sum", lambda: WRONG)
    assert not slope_by_sympy().holds
    assert not power_sum_by_sympy().holds


def test_twin_the_sum_of_powers() -> None:
    found = geometric_sum()
    for n in range(6):
        for E in (Fraction(3, 2), Fraction(5)):
            assert found.at(E, E**n) == sum(E**i for i in range(n))


def test_twin_derivatives_of_other_quotients() -> None:
    found = derivative(lambda x, E: (E - 2) / (x - 1))
    for x, E in grid(3):
        assert found.at(x, E) == ((Dual(E, E) - 2) / (Dual(x, Fraction(1)) - 1)).slope


def test_refused_a_pole() -> None:
    with pytest.raises(ZeroDivisionError):
        geometric_sum().at(Fraction(1), Fraction(1))
