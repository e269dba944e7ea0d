"""Confidence sequences and the limits of an event, against all paths of small cases, weighed exactly."""

from fractions import Fraction
from functools import partial
from math import comb

import pytest

from dpcert.audit.sampling.binomial import GRID, lower_limit
from dpcert.audit.sampling.limits import ConfidenceLimits, EventCounts, Mixture, at_all_times, at_the_end
from dpcert.mechanisms.exact.errors import InputError

STEP = Fraction(1, 1 << GRID)


def beta(a: int, b: int) -> Fraction:
    """B(a, b) of integers."""
    return Fraction(1, (a + b - 1) * comb(a + b - 2, a - 1))


def likelihood_ratio(mixture: Mixture, x: int, y: int, p: Fraction) -> Fraction:
    """The martingale of the docstring, in fractions."""
    mixed = beta(mixture.a + x, mixture.b + y) / beta(mixture.a, mixture.b)
    return mixed / (p**x * (1 - p) ** y)


MIXTURES = (Mixture(1, 1), Mixture(3, 2), Mixture(1, 12), Mixture(40, 10))


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
def test_the_ratio_is_a_martingale(mixture: Mixture) -> None:
    """Its mean after the next trial is its value now, at every count and for every chance of a grid."""
    for p in (Fraction(1, 7), Fraction(1, 2), Fraction(9, 10)):
        assert likelihood_ratio(mixture, 0, 0, p) == 1
        for x in range(6):
            for y in range(6):
                up, down = (likelihood_ratio(mixture, x + i, y + 1 - i, p) for i in (1, 0))
                assert p * up + (1 - p) * down == likelihood_ratio(mixture, x, y, p)


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
def test_a_limit_is_the_greatest_multiple_that_the_ratio_refuses(mixture: Mixture) -> None:
    for alpha in (Fraction(1, 3), Fraction(1, 1000)):
        for x, y in ((0, 4), (1, 0), (3, 2), (20, 0), (12, 30), (400, 100)):
            limit = mixture.lower_limit(x, y, alpha)
            assert limit <= Fraction(x, max(1, x + y))
            if limit:
                assert likelihood_ratio(mixture, x, y, limit) >= 1 / alpha
            if 0 < limit + STEP < Fraction(x, max(1, x + y)):
                # A tie is cut by rounding.
                assert likelihood_ratio(mixture, x, y, limit + STEP) <= 1 / alpha


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
def test_no_limit_is_ever_wrong_more_often_than_alpha(mixture: Mixture) -> None:
    """All paths of 40 trials are weighed by what limit they ever had: above p with a chance of at most alpha."""
    alpha = Fraction(1, 10)
    lows = {(x, n - x): mixture.lower_limit(x, n - x, alpha) for n in range(1, 41) for x in range(n + 1)}
    for p in (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(17, 20)):
        right = {0: Fraction(1)}
        for n in range(1, 41):
            after: dict[int, Fraction] = {}
            for x, weight in right.items():
                for step, chance in ((1, p), (0, 1 - p)):
                    if lows[x + step, n - x - step] <= p:
                        after[x + step] = after.get(x + step, Fraction(0)) + weight * chance
            right = after
        assert 1 - sum(right.values()) <= alpha


def test_limits_looked_at_without_a_price_are_wrong_too_often() -> None:
    """The last test can fail: with limits of one size at every size, the chance is beyond alpha."""
    alpha, p = Fraction(1, 10), Fraction(1, 2)
    lows = {(x, n - x): lower_limit(x, n, alpha) for n in range(1, 61) for x in range(n + 1)}
    right = {0: Fraction(1)}
    for n in range(1, 61):
        after: dict[int, Fraction] = {}
        for x, weight in right.items():
            for step in (0, 1):
                if lows[x + step, n - x - step] <= p:
                    after[x + step] = after.get(x + step, Fraction(0)) + weight / 2
        right = after
    assert 1 - sum(right.values()) > 2 * alpha


def test_the_upper_limit_mirrors_the_lower() -> None:
    assert Mixture(3, 5).upper_limit(10, 30, Fraction(1, 9)) == 1 - Mixture(5, 3).lower_limit(30, 10, Fraction(1, 9))
    assert Mixture(3, 5).upper_limit(10, 0, Fraction(1, 9)) == 1


def test_a_chance_below_the_grid_has_the_limit_0() -> None:
    """Beyond so many trials the likelihood at the first multiple is past its mode: being unlikely is no limit there."""
    for y in (1 << 33, 1 << 38, 1 << 45):
        assert Mixture(1, 1).lower_limit(1, y, Fraction(1, 10)) <= Fraction(1, 1 + y)
        assert Mixture(1, 1).upper_limit(y, 1, Fraction(1, 10)) == 1


def test_a_bet_on_the_truth_is_sharp() -> None:
    """After 10000 hits of which 6000 are on a, the limit is nearer than with no bet, and near a fixed size's."""
    alpha = Fraction(1, 1000)
    fixed = at_the_end(EventCounts(6000, 10_000, 0, 1), alpha * 10).p_lo
    bet, none = (mixture.lower_limit(6000, 4000, alpha) for mixture in (Mixture(600, 400), Mixture(1, 1)))
    assert none < bet < fixed < Fraction(6, 10)
    assert Fraction(6, 10) - bet < Fraction(14, 10) * (Fraction(6, 10) - fixed)


N = 12
RATIO, DELTA = Fraction(3, 2), Fraction(1, 20)


@pytest.mark.parametrize("rule", ["end", "all times"])
def test_no_limit_of_an_event_is_wrong_more_often_than_alpha(rule: str) -> None:
    """All outcomes of N runs, each on a or on b by a fair coin, are weighed: p_lo, q_hi and ratio_lo are right at once.

    So are the epsilon and the delta that follow from them, at each delta and epsilon.
    """
    alpha = Fraction(1, 2)
    limits = {}
    for n in range(N + 1):
        for x in range(n + 1):
            for y in range(N - n + 1):
                counts = EventCounts(x, n, y, N - n)
                limits[counts] = (
                    at_the_end(counts, alpha)
                    if rule == "end"
                    else at_all_times(counts, alpha, EventCounts(9, 12, 4, 12))
                )
    for p, q in ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(2, 3))):
        wrong = Fraction(0)
        for counts, found in limits.items():
            if not (found.p_lo <= p and found.q_hi >= q and found.ratio_lo * q <= p):
                split = Fraction(comb(N, counts.n), 2**N)
                on_a = comb(counts.n, counts.x) * p**counts.x * (1 - p) ** (counts.n - counts.x)
                on_b = comb(counts.m, counts.y) * q**counts.y * (1 - q) ** (counts.m - counts.y)
                wrong += split * on_a * on_b
            else:
                for delta in (Fraction(0), DELTA, Fraction(1, 3)):
                    assert found.ratio_at(delta) <= max(Fraction(1), (p - delta) / q)
                for ratio in (Fraction(1), RATIO, Fraction(5)):
                    assert found.delta_at(ratio) <= max(Fraction(0), p - ratio * q)
        assert wrong <= alpha


def test_refuting_by_epsilon_is_refuting_by_delta() -> None:
    for x in range(0, 41, 4):
        for y in range(0, 41, 5):
            found = at_the_end(EventCounts(x, 40, y, 40), Fraction(1, 3))
            for delta in (Fraction(0), Fraction(1, 50), Fraction(1, 5)):
                assert found.refutes(RATIO, delta) == (found.ratio_at(delta) > RATIO)


def test_limits_meet() -> None:
    one, two = (ConfidenceLimits(*map(Fraction, numbers)) for numbers in (("1/2", "1/3", "1"), ("1/4", "1/5", "2")))
    assert one.meet(two) == ConfidenceLimits(Fraction(1, 2), Fraction(1, 5), Fraction(2))


@pytest.mark.parametrize("bad", [partial(Mixture, 0, 1), partial(Mixture, 1, 0)])
def test_refused_bets(bad: partial[Mixture]) -> None:
    with pytest.raises(InputError, match="integers >= 1"):
        bad()


@pytest.mark.parametrize(("x", "y", "alpha"), [(-1, 2, "1/3"), (1, -2, "1/3"), (1, 1, "1"), (1, 1, "0")])
def test_refused_counts(x: int, y: int, alpha: str) -> None:
    with pytest.raises(InputError, match="alpha"):
        Mixture(1, 1).lower_limit(x, y, Fraction(alpha))
