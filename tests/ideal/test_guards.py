"""Logarithms that are guarded from 0: noise that is clamped, and is compared as if it were not."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest

from dpcert.audit.ideal.explore import laws_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.domains.guards import is_above_logarithm

from .claims import counted, least


def laplace(rng, guard):
    u = rng.random()
    return math.log(max(2 * u, guard)) if u < 0.5 else -math.log(max(guard, 2 - 2 * u))


def symmetric(rng, guard):
    u = rng.random() - 0.5
    return -(1 if u >= 0 else -1) * np.log(np.maximum(1 - 2 * abs(u), guard))


@pytest.mark.parametrize("noise", [laplace, symmetric])
def test_guarded_noise_that_is_compared_is_laplace(noise):
    report = counted(lambda n, rng: bool(n + 2 * noise(rng, 1e-300) > 1), 1, counts=range(3))
    assert report.verdict == "verified"
    assert least(report) == ("1/2", "1/2")


@pytest.mark.parametrize("noise", [laplace, symmetric])
def test_caught_a_guard_that_shows(noise):
    """Noise that is clamped at ln 2 never takes 0 above 1."""
    report = counted(lambda n, rng: bool(n + noise(rng, 0.5) > 1), 9, counts=range(3))
    assert report.verdict == "refuted"
    assert report.epsilon[1] is None


def clipped(rng, guard):
    u = rng.random()
    return np.log(np.clip(u, guard, 1 - guard))


@pytest.mark.parametrize(
    ("guard", "count", "outcomes"),
    [
        (0.2, 0, {False}),
        (0.2, 1, {True, False}),
        (0.2, 1.75, {True, False}),
        (0.2, 1.8, {True}),
        (1e-9, 0, {True, False}),
    ],
)
def test_noise_that_is_clamped_on_both_sides(guard, count, outcomes):
    """-ln 0.2 is 1.61, and -ln 0.8 is 0.22."""
    paths = laws_of(lambda n, rng: bool(n - clipped(rng, guard) > 2), [count])[0]
    assert {path.outcome for path in paths} == outcomes


def exponential(n, rng):
    return bool(n - math.log(max(rng.random(), 1e-3)) > 6)


@pytest.mark.parametrize(("count", "chance"), [(0, True), (-1, False)])
def test_where_the_guard_lies(count, chance):
    """-ln(1/1000) is 6.9: 7 above -1 is never met."""
    assert {path.outcome for path in laws_of(exponential, [count])[0]} == {False, *([True] if chance else [])}


def test_a_guarded_number_that_is_no_logarithm_is_the_greater_one():
    def program(n, rng):
        m = max(rng.random(), 0.25)
        return bool(m > 0.5), bool(m > 0.1), bool(np.maximum(rng.random(), 0.5) < 0.75)

    assert sum(path.outcome[1] for path in laws_of(program, [0])[0]) == len(laws_of(program, [0])[0])
    assert {path.outcome[0] for path in laws_of(program, [0])[0]} == {True, False}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda n, rng: n + laplace(rng, 1e-9), "clamps is released"),
        (lambda n, rng: bool(laplace(rng, 1e-9) + rng.laplace() > n), "clamps, used otherwise"),
        (lambda n, rng: round(laplace(rng, 1e-9)), "clamps, used otherwise"),
        (lambda n, rng: bool(-math.log(rng.random() + 1e-12) > n), "guard added"),
        (lambda n, rng: bool(math.log(max(rng.random() / 2, 1e-12)) > n), "not uniform between 0 and 1"),
    ],
)
def test_refused_by_name(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0])


def test_a_number_is_above_a_logarithm_or_not():
    guard = Fraction(1, 3)
    with flint.ctx.workprec(300):
        near = flint.arb(flint.fmpq(1, 3)).log()
        mantissa, exponent = (int(part) for part in near.mid().man_exp())
    close = Fraction(mantissa) * Fraction(2) ** exponent
    assert is_above_logarithm(close + Fraction(1, 10**80), guard)
    assert not is_above_logarithm(close - Fraction(1, 10**80), guard)
