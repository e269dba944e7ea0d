"""The standard library's binomial numbers, from Python 3.12 on, beside a count of the draws behind each."""

import sys
from fractions import Fraction
from math import floor, log2

from dpcert import Coins, Dist
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.reading.paths.enumerator import enumerate_law

N, P = 5, 0.25
WHOLE = 1 << 53


def step(k: int) -> int:
    """Return how many trials one draw of k / 2^53 skips, as CPython's own lines compute it, for k >= 1."""
    return floor(log2(k * 2.0**-53) / log2(1.0 - P)) + 1


def first_within(trials: int) -> int:
    """Return the least k >= 1 whose draw skips at most so many trials, by bisection."""
    low, high = 1, WHOLE - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if step(middle) <= trials else (middle + 1, high)
    near = range(max(1, low - 500), low + 500)
    assert [step(k) <= trials for k in near] == [k >= low for k in near]
    return low


def by_counting() -> Dist:
    """Return the law: trials are skipped, draw by draw, until more are than there are; log2(0) raises."""
    at_most = [Fraction(0), *(Fraction(WHOLE - first_within(trials), WHOLE) for trials in range(1, N + 1))]
    masses = {0: Fraction(1)}  # by trials left behind
    rows: list[tuple[object, Fraction]] = []
    for found in range(N + 1):
        further: dict[int, Fraction] = {}
        for behind, mass in masses.items():
            room = N - behind
            rows.append((Raised("ValueError", (domain_error(),)), mass / WHOLE))
            rows.append((found, mass * (1 - at_most[room] - Fraction(1, WHOLE))))
            for trials in range(1, room + 1):
                weight = mass * (at_most[trials] - at_most[trials - 1])
                further[behind + trials] = further.get(behind + trials, Fraction(0)) + weight
        masses = further
    return Dist.of([(outcome, mass) for outcome, mass in rows if mass])


def domain_error() -> str:
    """Return what this version's math.log2 says of 0."""
    try:
        log2(0.0)
    except ValueError as error:
        return str(error)
    raise AssertionError("log2(0) has a value")


def test_exact_twin_of_binomial_numbers_is_a_count_of_draws() -> None:
    if sys.version_info < (3, 12):
        assert not hasattr(Coins, "binomialvariate")
        return
    found = enumerate_law(lambda _, coins: coins.binomialvariate(N, P), None)
    assert found.law.tail == 0
    assert found.law == by_counting()
