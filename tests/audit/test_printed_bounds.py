"""Printed bounds beside what all counts need: twins in integers, and the pairs of bins at which Theorem 2 fails."""

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from dpcert.audit.profile import profile
from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import (
    BOUNDS,
    ParameterPoint,
    compared,
    exact_upper_sum,
    lemma_3,
    needed,
    theorem_2,
)
from dpcert.audit.unbounded.sample_and_threshold.two_bins import two_bins_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold_law

BOX = [
    ParameterPoint(threshold, rate, factor / (1 - rate))
    for threshold in (1, 2, 4)
    for rate in (Fraction(1, 10), Fraction(1, 2))
    for factor in (Fraction(1), Fraction(2))
]


@pytest.mark.parametrize("point", BOX, ids=str)
def test_exact_twin_of_theorem_2_by_an_integral_power(point: ParameterPoint) -> None:
    """The bound is (p/q)^tau e^(epsilon tau (1 - q)/q): a power of it is rational."""
    bounds, q = theorem_2(point), point.quota
    power = point.threshold * (1 - q) / q
    exactly = (point.rate / q) ** (point.threshold * power.denominator) * point.ratio**power.numerator
    assert bounds[0] ** power.denominator <= exactly <= bounds[1] ** power.denominator
    assert bounds[1] - bounds[0] < Fraction(1, 1 << 100)
    assert bounds[0] <= kl_delta(rate=point.rate, threshold=point.threshold, ratio=point.ratio)


def test_lemma_3_is_looser_than_theorem_2_where_it_speaks() -> None:
    spoken = 0
    for point in BOX:
        loose, tight = lemma_3(point), theorem_2(point)
        if loose is not None:
            spoken += 1
            assert tight[1] <= loose[0]
    assert 0 < spoken < len(BOX)
    assert theorem_2(ParameterPoint(2, Fraction(1, 2), Fraction(3, 2))) is None


def test_exact_twin_of_a_tail_by_counting() -> None:
    """p = 1/2, e^epsilon = 2: q = 3/4, and tau/q = 8/3 for tau = 2."""
    point = ParameterPoint(2, Fraction(1, 2), Fraction(2))
    sums = [exact_upper_sum(point, up=up, above=above) for up in (False, True) for above in (False, True)]
    ways = [comb(2, 2), 0, comb(3, 2) + comb(3, 3), comb(3, 3)]
    assert sums == [(Fraction(w, d), Fraction(w, d)) for w, d in zip(ways, (4, 4, 8, 8), strict=True)]


def test_on_a_small_box_at_least_holds_and_more_than_fails_from_one_person_on() -> None:
    for moves in (False, True):
        found = compared(BOX, moves=moves)
        assert found.keys() == BOUNDS.keys()
        for name in ("Theorem 2", "Lemma 3", "at least tau of tau/q, rounded up"):
            assert not found[name]["fails"]
            assert not found[name]["open"]
        fails = found["more than tau of tau/q, rounded down"]["fails"]
        assert fails[0] == ParameterPoint(1, Fraction(1, 10), Fraction(10, 9))
        lo, hi = needed(fails[0], moves=moves)
        assert lo <= hi
        assert lo >= fails[0].rate
    assert needed(BOX[0], moves=False)[0] <= needed(BOX[0], moves=True)[0]


@pytest.fixture
def exceeds() -> Callable[..., bool]:
    """Whether bins of `left` and `entered` - 1 people need more than Theorem 2 prints as one person moves."""

    def decide(rate: Fraction, threshold: int, ratio: Fraction, left: int, entered: int) -> bool:
        law = sample_threshold_law(rate=rate, threshold=threshold)
        found = two_bins_delta(profile(law(left), law(left - 1)), law(entered - 1), law(entered), ratio)
        bounds = theorem_2(ParameterPoint(threshold, rate, ratio))
        assert found > bounds[1] or found < bounds[0]
        return found > bounds[1]

    return decide


@pytest.mark.parametrize(
    ("rate", "threshold", "ratio", "left", "entered"),
    [(Fraction(1, 3), 445, Fraction(3, 2), 849, 1549), (Fraction(1, 2), 479, Fraction(2), 666, 1088)],
)
def test_caught_theorem_2_for_people_who_move_and_not_one_threshold_below(
    exceeds: Callable[..., bool], rate: Fraction, threshold: int, ratio: Fraction, left: int, entered: int
) -> None:
    assert exceeds(rate, threshold, ratio, left, entered)
    assert not exceeds(rate, threshold - 1, ratio, left, entered)
