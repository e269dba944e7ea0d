"""Noise in floats of 32 bits: real numbers of a type of their own, beside plain numbers as numpy rounds them."""

from fractions import Fraction

import numpy as np
import pytest

from dpcert.audit.ideal.explore import laws_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.path import Inequality

from ..claims import counted, decided

BINS = [(a, b) for a in range(3) for b in range(2)]


def histogram(scale):
    def noisy_maximum(bins, rng):
        cells = np.asarray(bins, dtype=np.float32)
        cells += rng.laplace(scale=scale, size=2)
        return int(np.argmax(cells))

    return noisy_maximum


def test_noise_that_is_put_into_an_array_of_floats_of_32_bits():
    assert decided(histogram(1), BINS, 1, neighbours="l1").verdict == "verified"
    assert decided(histogram(0.4), BINS, 1, neighbours="l1").verdict == "refuted"


def test_an_array_of_floats_of_32_bits_is_released():
    report = counted(lambda n, rng: (n + rng.laplace(size=2)).astype(np.float32)[:1], 1)
    assert report.verdict == "verified"
    assert counted(lambda n, rng: np.float32(n + rng.laplace()), "9/10").verdict == "refuted"


def test_a_plain_number_beside_it_is_rounded_as_numpy_does():
    def above(n, rng):
        return bool((rng.laplace(size=1).astype(np.float32) > 0.1)[0])

    (row,) = laws_of(above, [0])
    threshold = Fraction(float(np.float32(0.1)))
    assert {path.inequalities for path in row} == {
        (Inequality(((0, 1),), threshold, True),),
        (Inequality(((0, 1),), threshold, False),),
    }


def test_caught_a_width_that_tells():
    def told(n, rng):
        x = n + rng.laplace(scale=2, size=1)
        return x.astype(np.float32) if n else x

    with pytest.raises(Unauditable, match="float64 in order C on one path, and as an array of float32"):
        counted(told, 1)


@pytest.mark.parametrize("number", [0.1, 1e39, 2**24 + 1, 10**30])
def test_caught_a_number_that_numpy_would_round(number):
    """A single float of 32 bits beside a number of Python's, which is not one of them."""

    def program(n, rng):
        return (n + rng.laplace(size=1)).astype(np.float32)[0] + number

    with pytest.raises(Unauditable, match="a float32"):
        laws_of(program, [0])
