"""Rounded noise: the same outcomes as of floats, exact least epsilon, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpcert import Epsilon, Unauditable
from dpcert.audit.ideal.explore import laws_of

from .claims import decided

COUNTS = range(4)


def noisy(count, rng, scale=1):
    return count + rng.laplace(0, scale)


@pytest.mark.parametrize(
    "program",
    [
        lambda count, rng: round(noisy(count, rng)),
        lambda count, rng: math.floor(noisy(count, rng)),
        lambda count, rng: math.ceil(noisy(count, rng)),
        lambda count, rng: int(noisy(count, rng)),
        lambda count, rng: 3 - round(noisy(count, rng)),
        lambda count, rng: 2 * (noisy(count, rng) // 2),
        lambda count, rng: round(noisy(count, rng), 1),
        lambda count, rng: max(0, min(3, round(noisy(count, rng)))),
        lambda count, rng: np.rint(count + rng.laplace(size=2))[0],
        lambda count, rng: float(noisy(count, rng)),
        lambda count, rng: round(noisy(count, rng)) == 2,
        lambda count, rng: round(noisy(count, rng)) > 1.5,
        lambda count, rng: abs(round(noisy(count, rng))) <= 1,
        lambda count, rng: bool(math.floor(noisy(count, rng))),
    ],
)
def test_rounding_is_private_like_what_is_rounded(program):
    """Each path is replayed on floats, too: the outcomes of rounded noise are those of rounded floats."""
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert found.verdict == "verified"
    assert decided(program, COUNTS, "1/2", neighbours="counts_differ_by_one").verdict == "refuted"


def test_caught_half_of_the_noise():
    found = decided(
        lambda count, rng: round(noisy(count, rng, Fraction(1, 2))), COUNTS, 1, neighbours="counts_differ_by_one"
    )
    assert (found.verdict, found.epsilon) == ("refuted", (Epsilon.of(2), Epsilon.of(2)))


def test_events_of_whole_numbers_lie_between_halves():
    found = decided(lambda count, rng: round(noisy(count, rng)), COUNTS, "1/2", neighbours="counts_differ_by_one")
    (event,) = found.worst.event
    assert event.rpartition(" ")[2].endswith("/2")


def test_rounding_does_not_look_at_the_noise():
    """The parity of a rounded count would be an event; an index is none that is followed."""

    def parity(count, rng):
        return round(noisy(count, rng)) % 2

    def index(count, rng):
        return [0, 1][round(noisy(count, rng))]

    for program, words in ((parity, "% of a noisy number"), (index, "needed as a plain number")):
        with pytest.raises(Unauditable, match=words):
            laws_of(program, COUNTS)


def test_constants_are_rounded_exactly():
    def program(count, rng):
        zero = rng.laplace(0, 0)
        return math.ceil(zero + 2), round(zero + 2.5), round(zero + 3.5), int(zero - 1.5), (zero + 3) // 2

    ((path,),) = laws_of(program, [0])
    assert [float(x) for x in path.outcome] == [2, 2, 4, -1, 1]


def test_two_rounded_numbers_are_not_compared():
    with pytest.raises(Unauditable, match="a rounded noisy number beside another noisy one"):
        laws_of(lambda count, rng: round(noisy(count, rng)) > round(noisy(count, rng)), [0])


def test_a_constant_is_not_told_from_rounded_noise_of_its_value():
    """Half of the time 0 is returned without noise: what else returns it must not refute the claim alone."""

    def program(count, rng):
        if rng.random() < 0.5:
            return 0
        noisy = round(count + rng.laplace())
        return noisy if noisy == 0 else None

    for delta in (0, "1/1000"):
        found = decided(program, range(2), "1/2", delta, neighbours="counts_differ_by_one")
        assert found.verdict == "undecided"
        assert decided(program, range(2), "1/5", delta, neighbours="counts_differ_by_one").verdict == "refuted"
