"""Randomized response against its two-line law, its tight claim, and e^epsilon by another library."""

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

from dpcert import Epsilon, Refuted, Report, Verified
from dpcert.mechanisms.epsilons import less
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE, randomized_response
from dpcert.reading.paths.enumerator import enumerate_law

RATIOS = [Fraction(1), Fraction(3, 2), Fraction(3), Fraction(7, 5), Fraction(29, 28), Fraction(10**30 + 1, 7)]
RATIONAL = ["1e-9", "1/10", "1/2", "1", "5", "40", "1/2 + ln(3/2)"]


def response(bit: int, ratio: Fraction) -> dict[int, Fraction]:
    """The law: the bit with probability ratio / (ratio + 1), the other one with 1 / (ratio + 1)."""
    return {bit: ratio / (ratio + 1), 1 - bit: 1 / (ratio + 1)}


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("bit", [0, 1])
def test_twin_program_closed_form_and_the_two_line_law(bit: int, ratio: Fraction) -> None:
    instance = RANDOMIZED_RESPONSE.build({"epsilon": f"ln({ratio})"})
    law = enumerate_law(randomized_response(ratio), bit).law
    assert dict(law.items()) == response(bit, ratio)
    assert instance.closed_form is not None
    assert law == instance.closed_form(bit) == enumerate_law(instance.program, bit).law


def test_outcomes_are_ints_for_both_bits() -> None:
    for bit in (0, 1):
        law = enumerate_law(randomized_response(Fraction(3)), bit).law
        assert {type(outcome) for outcome in law.outcomes()} == {int}


@pytest.mark.points(3)
@pytest.mark.parametrize("ratio", RATIOS)
def test_the_claim_is_tight(audit: Callable[..., Report], ratio: Fraction) -> None:
    report = audit(RANDOMIZED_RESPONSE, {"epsilon": f"ln({ratio})"})
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio)
    assert report.pairs == 2


@pytest.mark.parametrize("ratio", RATIOS[1:])
def test_refuted_just_below_its_epsilon(audit: Callable[..., Report], ratio: Fraction) -> None:
    below = ratio - Fraction(1, 10**12)
    report = audit(RANDOMIZED_RESPONSE, {"epsilon": f"ln({ratio})"}, epsilon=Epsilon.ln(below))
    verdict = report.verdict
    assert isinstance(verdict, Refuted)
    assert verdict.p_lo > below * verdict.q_hi
    assert verdict.p_lo <= ratio * verdict.q_hi


@pytest.mark.parametrize("epsilon", RATIONAL)
def test_twin_the_ratio_is_just_below_e_to_the_epsilon(epsilon: str) -> None:
    number = Epsilon.of(epsilon)
    ratio = rational_ratio(number)
    with mpmath.workdps(120):
        rational = mpmath.mpf(number.rational.numerator) / number.rational.denominator
        power = mpmath.exp(rational) * number.ratio.numerator / number.ratio.denominator
        found = mpmath.mpf(ratio.numerator) / ratio.denominator
        assert power * (1 - mpmath.mpf(2) ** -64) <= found <= power


@pytest.mark.points(3)
@pytest.mark.parametrize("epsilon", RATIONAL)
def test_verified_where_e_to_the_epsilon_is_irrational(audit: Callable[..., Report], epsilon: str) -> None:
    report = audit(RANDOMIZED_RESPONSE, {"epsilon": epsilon})
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_hi is not None
    assert less(report.epsilon_hi, Epsilon.of(epsilon))


def test_epsilon_zero_is_a_fair_coin(audit: Callable[..., Report]) -> None:
    report = audit(RANDOMIZED_RESPONSE, {"epsilon": "0"})
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_hi == Epsilon.of(0)
