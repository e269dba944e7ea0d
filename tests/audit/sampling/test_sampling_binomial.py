"""Exact twins of the Clopper-Pearson limits: brute sums of binomial terms in fractions."""

import random
from fractions import Fraction
from functools import partial
from math import comb

import pytest

from dpcert import InputError, exact
from dpcert.audit.sampling.binomial import GRID, UpperSum, choose, lower_limit, upper_limit, upper_sum_at_most
from dpcert.audit.sampling.budget import ErrorBudget, shares
from dpcert.audit.sampling.decide import needed
from dpcert.audit.sampling.limits import EventCounts, at_the_end

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
        found = UpperSum.of(n, k)
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


@pytest.mark.parametrize(("n", "k"), [(9000, 4500), (9000, 4096), (20_000, 5000), (500, 3)])
def test_binomial_coefficients_are_enclosed(n: int, k: int) -> None:
    """By Robbins' bounds of factorials where these are large: within one part in 10^12."""
    (lo, hi), exactly = (choose(n, k, up=up) for up in (False, True)), comb(n, k)
    low, high = (Fraction(m) * Fraction(2) ** e for m, e in (lo, hi))
    assert low <= exactly <= high
    assert high - low <= exactly / Fraction(10**12)


def test_events_spend_no_more_than_alpha() -> None:
    for events in (1, 2, 7):
        parts = shares(Fraction(1, 1000), events)
        assert len(parts) == events
        assert sum(map(sum, parts)) == Fraction(1, 1000)


@pytest.mark.parametrize("claims", [1, 3, 1000])
@pytest.mark.parametrize("confidence", ["0.999999", "0.9", "1/2", 1 - Fraction(1, 10**400)])
def test_claims_spend_no_more_than_alpha(confidence: object, claims: int) -> None:
    """Two confirmations are both wrong with a chance of at most the product of their levels."""
    budget = ErrorBudget.at_confidence(confidence, claims)
    spent = claims * (budget.confirming**2 + budget.stated)
    assert budget.alpha * (1 - Fraction(1, 10**9)) < spent <= budget.alpha == 1 - exact(confidence, "confidence")


RULE = partial(at_the_end, alpha=Fraction(1, 20))


@pytest.mark.nightly
def test_a_stated_power_is_reached_exactly() -> None:
    """All pairs of counts are weighed: p and q as `needed` gives them are found with a chance of at least 9/10."""
    n, m, ratio, delta = 40, 44, Fraction(3, 2), Fraction(1, 50)
    found = [[RULE(EventCounts(x, n, y, m)).refutes(ratio, delta) for y in range(m + 1)] for x in range(n + 1)]
    for q in (Fraction(0), Fraction(1, 10), Fraction(1, 4)):
        p = needed(q, (n, m), RULE, ratio, delta)
        on_a = [comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
        on_b = [comb(m, y) * q**y * (1 - q) ** (m - y) for y in range(m + 1)]
        chance = sum(on_a[x] * on_b[y] for x in range(n + 1) for y in range(m + 1) if found[x][y])
        assert chance >= Fraction(9, 10)


def test_more_hits_on_a_or_fewer_on_b_never_weaken_a_limit() -> None:
    """What the statement of power rests on, for all counts of a small case."""
    n = m = 14
    limits = [[RULE(EventCounts(x, n, y, m)) for y in range(m + 1)] for x in range(n + 1)]
    for x in range(n):
        for y in range(m + 1):
            weaker, stronger = limits[x][y], limits[x + 1][y]
            assert stronger.p_lo >= weaker.p_lo
            assert stronger.ratio_lo >= weaker.ratio_lo
    for x in range(n + 1):
        for y in range(m):
            assert limits[x][y].q_hi <= limits[x][y + 1].q_hi
            assert limits[x][y].ratio_lo >= limits[x][y + 1].ratio_lo


def test_where_no_event_can_be_found_there_is_no_power() -> None:
    assert needed(Fraction(1, 2), (50, 50), RULE, Fraction(2), Fraction(0)) is None
    assert needed(Fraction(0), (3, 3), RULE, Fraction(1), Fraction(0)) is None


def test_the_need_is_near_its_greatest_where_the_bound_is_one_half() -> None:
    """So the violation that a verdict states is nearly the worst over all q: within a tenth, at this size."""
    ratio = Fraction(5, 4)

    def excess(q: Fraction) -> Fraction:
        p = needed(q, (2000, 2000), partial(at_the_end, alpha=Fraction(1, 10**4)), ratio, Fraction(0))
        return Fraction(0) if p is None else p - ratio * q

    assert max(excess(Fraction(i, 20)) for i in range(17)) <= Fraction(11, 10) * excess(Fraction(2, 5))


def test_a_tail_beyond_all_trials_is_empty() -> None:
    assert upper_sum_at_most(5, 6, Fraction(1), Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("k", "n", "alpha"), [(-1, 3, "1/9"), (4, 3, "1/9"), (0, 0, "1/9"), (1, 2, "0"), (1, 2, "1/2"), (1, 2, "2")]
)
def test_refused_counts(k: int, n: int, alpha: str) -> None:
    with pytest.raises(InputError):
        lower_limit(k, n, Fraction(alpha))


@pytest.mark.parametrize("confidence", ["1", "0.3", "-1", "2"])
def test_refused_confidence(confidence: str) -> None:
    with pytest.raises(InputError, match="confidence"):
        ErrorBudget.at_confidence(confidence)


def test_refused_upper_sum_from_nothing() -> None:
    with pytest.raises(InputError, match="of n=3"):
        UpperSum.of(3, 0)
