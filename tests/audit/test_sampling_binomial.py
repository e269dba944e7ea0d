"""Exact twins of the Clopper-Pearson limits: brute sums of binomial terms in fractions."""

import random
from fractions import Fraction
from math import comb

import pytest

from dpcert.audit.sampling.binomial import GRID, Tail, lower_limit, tail_at, upper_limit
from dpcert.audit.sampling.budget import Budget
from dpcert.audit.sampling.power import exceeds, needed
from dpcert.mechanisms.exact.errors import InputError

ALPHAS = (Fraction(1, 3), Fraction(1, 20), Fraction(1, 1000), Fraction(1, 10**9))
STEP = Fraction(1, 1 << GRID)


def tail(n: int, k: int, p: Fraction) -> Fraction:
    """Pr[Bin(n, p) >= k], term by term."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 8, 17])
def test_lower_limit_is_the_greatest_multiple_whose_tail_is_within_alpha(n: int) -> None:
    for alpha in ALPHAS:
        assert lower_limit(0, n, alpha) == 0
        for k in range(1, n + 1):
            limit = lower_limit(k, n, alpha)
            assert tail(n, k, limit) <= alpha < tail(n, k, limit + STEP)


@pytest.mark.parametrize("n", [1, 5, 16])
def test_upper_limit_is_the_least_multiple_whose_tail_is_within_alpha(n: int) -> None:
    for alpha in ALPHAS:
        assert upper_limit(n, n, alpha) == 1
        for k in range(n):
            limit = upper_limit(k, n, alpha)
            assert 1 - tail(n, k + 1, limit) <= alpha < 1 - tail(n, k + 1, limit - STEP)


def test_limits_at_size_equal_brute_sums() -> None:
    """The fixed-point sums, the powers and the cut binomial coefficients, where roundings are many."""
    rng = random.Random(1)
    for n, alpha in ((300, Fraction(1, 10**6)), (1500, Fraction(1, 1000))):
        for k in {1, n - 1, n, rng.randrange(2, n), rng.randrange(2, n)}:
            limit = lower_limit(k, n, alpha)
            assert _brute_within(n, k, limit, alpha)
            assert not _brute_within(n, k, limit + STEP, alpha)


def _brute_within(n: int, k: int, p: Fraction, alpha: Fraction) -> bool:
    """Whether the tail is at most alpha, summed in integers over one denominator."""
    top, bottom = p.numerator, p.denominator
    other, total, term = bottom - top, 0, top**k * (bottom - top) ** (n - k) * comb(n, k)
    for j in range(k, n + 1):
        total += term
        term = term * (n - j) * top // ((j + 1) * other) if other else 0
    return total * alpha.denominator <= alpha.numerator * bottom**n


@pytest.mark.parametrize(("n", "k"), [(40, 7), (200, 101), (200, 3)])
def test_bounds_of_a_tail_enclose_it(n: int, k: int) -> None:
    """`at_most` and `above` are certain on their sides, and both silent only within a sliver of the tail itself."""
    for eighths in (1, 2, 3):
        u = (k << GRID) * eighths // (4 * n)
        exactly = tail(n, k, Fraction(u, 1 << GRID))
        found = Tail.of(n, k)
        sliver = exactly / (1 << 36)
        assert found.at_most(u, GRID, exactly + sliver)
        assert not found.at_most(u, GRID, exactly - sliver)
        assert found.above(u, GRID, exactly - sliver)
        assert not found.above(u, GRID, exactly + sliver)


def test_no_limit_is_wrong_more_often_than_alpha() -> None:
    """All outcomes of Bin(30, p) are weighed: the chance of a limit on the wrong side of p is at most alpha."""
    n, alpha = 30, Fraction(1, 20)
    lows = [lower_limit(k, n, alpha) for k in range(n + 1)]
    highs = [upper_limit(k, n, alpha) for k in range(n + 1)]
    for p in (Fraction(i, 37) for i in range(1, 37)):
        weight = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        assert sum(w for w, low in zip(weight, lows, strict=True) if low > p) <= alpha
        assert sum(w for w, high in zip(weight, highs, strict=True) if high < p) <= alpha


def test_looks_spend_no_more_than_alpha() -> None:
    budget = Budget.at_confidence("0.999")
    assert budget.alpha == Fraction(1, 1000)
    for looks in (1, 2, 50):
        spent = sum(2 * 7 * budget.limit(k, 7) for k in range(1, looks + 1))
        assert spent == budget.alpha * (1 - Fraction(1, looks + 1)) < budget.alpha


def test_a_stated_power_is_reached_exactly() -> None:
    """All pairs of counts are weighed: p and q as `needed` gives them are found with a chance of at least 9/10."""
    n, alpha, ratio, delta = 60, Fraction(1, 200), Fraction(3, 2), Fraction(1, 50)
    lows = [lower_limit(k, n, alpha) for k in range(n + 1)]
    highs = [upper_limit(k, n, alpha) for k in range(n + 1)]
    for q in (Fraction(0), Fraction(1, 10), Fraction(1, 4)):
        p = needed(q, n, alpha, ratio, delta)
        assert p is not None
        chance = Fraction(0)
        for x, low in enumerate(lows):
            for y, high in enumerate(highs):
                if exceeds(low, high, ratio, delta):
                    weight = comb(n, x) * p**x * (1 - p) ** (n - x)
                    chance += weight * comb(n, y) * q**y * (1 - q) ** (n - y)
        assert chance >= Fraction(9, 10)


def test_where_no_event_can_be_found_there_is_no_power() -> None:
    assert needed(Fraction(1, 2), 50, Fraction(1, 1000), Fraction(2), Fraction(0)) is None
    assert needed(Fraction(0), 3, Fraction(1, 1000), Fraction(1), Fraction(0)) is None


def test_the_need_is_near_its_greatest_where_the_bound_is_one_half() -> None:
    """So the violation that a verdict states is nearly the worst over all q: within a tenth, at this size."""
    n, alpha, ratio = 2000, Fraction(1, 10**4), Fraction(5, 4)

    def excess(q: Fraction) -> Fraction:
        p = needed(q, n, alpha, ratio, Fraction(0))
        return Fraction(0) if p is None else p - ratio * q

    assert max(excess(Fraction(i, 40)) for i in range(33)) <= Fraction(11, 10) * excess(Fraction(2, 5))


def test_a_tail_beyond_all_trials_is_empty() -> None:
    assert tail_at(5, 6, Fraction(1), Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("k", "n", "alpha"), [(-1, 3, "1/9"), (4, 3, "1/9"), (0, 0, "1/9"), (1, 2, "0"), (1, 2, "1/2"), (1, 2, "2")]
)
def test_refused_counts(k: int, n: int, alpha: str) -> None:
    with pytest.raises(InputError):
        lower_limit(k, n, Fraction(alpha))


@pytest.mark.parametrize("confidence", ["1", "0.3", "-1", "2"])
def test_refused_confidence(confidence: str) -> None:
    with pytest.raises(InputError, match="confidence"):
        Budget.at_confidence(confidence)


def test_refused_tail_of_nothing() -> None:
    with pytest.raises(InputError, match="of n=3"):
        Tail.of(3, 0)
