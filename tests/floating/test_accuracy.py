"""Evidence for accuracy.py: the bounds hold what they must, and are monotone where the argument needs it."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert.reading.floats.accuracy import ASSUMED_ULPS, REALS, STEPS, between, place, power_of, power_to, stepped

FINITE = st.floats(allow_nan=False, allow_infinity=False)
POINTS = [5e-324, 1e-300, 2.0**-53, 0.1, 0.5, math.nextafter(1.0, 0.0), 1.0, math.nextafter(1.0, 2.0), 2.0, 30.5, 700.0]
MPMATH = {"log2": lambda x: mpmath.log(x) / mpmath.log(2), "log10": mpmath.log10, "exp2": lambda x: mpmath.mpf(2) ** x}


@given(FINITE, st.integers(-5, 5))
@example(0.0, -1)
@example(-0.0, 1)
def test_exact_twin_of_steps_is_nextafter(x: float, steps: int) -> None:
    expected = x
    for _ in range(abs(steps)):
        expected = math.nextafter(expected, math.copysign(math.inf, steps))
    if math.isfinite(expected):
        assert stepped(x, steps) == expected
        assert place(expected) == place(x) + steps


def test_steps_end_at_the_greatest_float() -> None:
    assert stepped(1e308, 1 << 60) == math.nextafter(math.inf, 0.0)
    assert stepped(-1e308, -(1 << 60)) == -math.nextafter(math.inf, 0.0)


@pytest.mark.parametrize("name", sorted(REALS))
@pytest.mark.parametrize("x", [*POINTS, *(-x for x in POINTS)])
def test_bounds_hold_the_true_value_the_assumed_error_and_this_machine(name: str, x: float) -> None:
    real = REALS[name]
    if not real.low < x:
        return
    low, high = between(real, x)
    with mpmath.workprec(400):
        true = MPMATH.get(name, getattr(mpmath, name, None))(mpmath.mpf(x))
        if abs(true) > 1.7e308:
            return
        nearest = float(true)
        ulp = mpmath.mpf(math.ulp(nearest))
        for error in (-ASSUMED_ULPS, 0, ASSUMED_ULPS):
            assert mpmath.mpf(low) <= true + error * ulp <= mpmath.mpf(high)
    assert place(high) - place(low) <= 4 * STEPS
    assert low <= getattr(math, name, math.exp if name == "exp2" else None)(x) <= high or name == "exp2"


@given(st.sampled_from(sorted(REALS)), st.floats(1e-300, 600.0), st.integers(1, 3))
def test_bounds_are_no_nearer_than_those_of_the_true_value(name: str, x: float, further: int) -> None:
    real = REALS[name]
    other = stepped(x, further)
    (low, high), (low_too, high_too) = between(real, x), between(real, other)
    slack = 2  # the bounds that are monotone lie at most two floats inside of these
    if real.falls:
        low, high, low_too, high_too = low_too, high_too, low, high
    assert place(low) <= place(low_too) + slack
    assert place(high) <= place(high_too) + slack


@pytest.mark.parametrize(("exponent", "x"), [(2.0, 1.5), (0.5, 2.0), (-1.5, 3.0), (1 / 3, 8.0), (100.0, 1.01)])
def test_bounds_of_powers_hold_this_machine(exponent: float, x: float) -> None:
    low, high = between(power_of(exponent), x)
    assert low <= x**exponent <= high
    low, high = between(power_to(x), exponent)
    assert low <= x**exponent <= high
    assert power_of(exponent).falls == (exponent < 0)
    assert not power_to(x).falls
    assert power_to(1 / x).falls


@pytest.mark.parametrize("exponent", [2.0, 3.0, -1.0, -2.0])
def test_bounds_of_mirrored_powers_hold_this_machine(exponent: float) -> None:
    real = power_of(exponent, mirrored=True)
    values = []
    for x in (0.5, 1.5, 2.5):
        low, high = between(real, x)
        assert low <= (-x) ** exponent <= high
        values.append((-x) ** exponent)
    assert values == sorted(values, reverse=real.falls)


def test_the_error_of_this_machine_is_far_within_the_assumption() -> None:
    generator = np.random.default_rng(3)
    worst = Fraction(0)
    for x in generator.uniform(0.0, 1.0, 300):
        for machine, real in ((math.log, "log"), (math.exp, "exp"), (np.log, "log"), (np.exp, "exp")):
            with mpmath.workprec(200):
                true = getattr(mpmath, real)(mpmath.mpf(float(x)))
                error = abs(mpmath.mpf(float(machine(x))) - true) / mpmath.mpf(math.ulp(float(true)))
                worst = max(worst, Fraction(int(error * 1000), 1000))
    assert worst < ASSUMED_ULPS / 2
