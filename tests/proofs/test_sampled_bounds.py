"""The formulas of the theorems on Theorem 2 and Lemma 3 are those of the mechanism, and the boxes are whole."""

from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.proofs.sample_and_threshold.checks import constants as sampled_constants
from dpcert.proofs.sample_and_threshold.checks.constants import constant_bounds, constant_of_a_fifth, share_of_logarithm
from dpcert.proofs.sample_and_threshold.checks.derivative import slope_numerator


def divergence(q: Any, a: Any, b: Any) -> Any:
    """Return D(q||p) for a = ln(q/p) and b = ln((1-q)/(1-p))."""
    return q * a + (1 - q) * b


def cut_off(E: Fraction, p: Fraction) -> Fraction:
    """Return q = 1 - (1 - p)/E: counts above k q are in the worst event.

    Source: sample-and-threshold, Section 3.1.
    """
    return 1 - (1 - p) / E


@pytest.mark.parametrize("alpha", [Fraction(1, 6), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(2), Fraction(5)])
def test_the_rate_and_the_subtracted_term_are_those_of_q(alpha: Fraction, ratio: Fraction) -> None:
    rate = alpha * (1 - 1 / ratio)
    times = (1 - alpha / (1 + alpha / ratio)) / (ratio - 1)
    low, high = enclose(lambda a, e, b: (-5 * (((1 + a / e) / a).log() - b * e.log())).exp(), alpha, ratio, times)
    assert low <= kl_delta(rate=rate, threshold=5, ratio=ratio) <= high * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize(("p", "ratio", "tau"), [(Fraction(1, 10), Fraction(2), 5), (Fraction(1, 4), Fraction(3), 8)])
def test_the_divergence_is_that_of_the_mechanism(p: Fraction, ratio: Fraction, tau: int) -> None:
    q = cut_off(ratio, p)
    low, high = enclose(lambda x, y: (-tau / x * divergence(x, (x / y).log(), ((1 - x) / (1 - y)).log())).exp(), q, p)
    assert high - low < Fraction(1, 10**30)
    assert low <= kl_delta(rate=p, threshold=tau, ratio=ratio) <= high * (1 + Fraction(1, 10**5))


def test_caught_constants_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert constant_of_a_fifth().holds
    assert share_of_logarithm().holds
    monkeypatch.setattr(sampled_constants, "SHARE", Fraction(38, 100))
    assert not share_of_logarithm().holds
    monkeypatch.setattr(sampled_constants, "_constant", lambda alpha: -alpha.log() - 1 / alpha)
    assert not constant_of_a_fifth().holds
    assert constant_bounds(Fraction(1, 5))[1] < 0


@pytest.mark.parametrize("x", [Fraction(1, 10), Fraction(1), Fraction(3)])
def test_the_slope_is_that_of_the_first_factor(x: Fraction) -> None:
    step = Fraction(1, 10**12)
    secant = enclose(lambda a, b: (b / (b.exp() - 1) - a / (a.exp() - 1)) / (b - a), x, x + step, bits=256)
    slope = enclose(lambda a: slope_numerator(a, a.exp()) / (a.exp() - 1) ** 2, x, bits=256)
    assert abs(secant[0] - slope[0]) < Fraction(1, 10**10)
    assert abs(secant[1] - slope[1]) < Fraction(1, 10**10)
