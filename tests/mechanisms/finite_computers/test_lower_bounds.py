"""Lower bounds against logarithms at 60 digits and sums of group privacy; what is too accurate is caught."""

from collections.abc import Callable
from fractions import Fraction
from itertools import count, product

import mpmath
import pytest

from dpcert import Dist, Epsilon, InputError
from dpcert.mechanisms.finite_computers.accuracy import Accuracy, accuracy_of, counting, worst
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least, simultaneous_least, sparse_least

EPSILONS = ["1/20", "1", "2", "ln(3/2)", "1/3 + ln(5/4)"]
DELTAS = ["0", "1e-9", "1/1000", "1/8"]
BETAS = ["1/3", "1/10", "1/10000"]


def real(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def by_formula(epsilon: str, delta: str, first: Fraction, n: int, power: int) -> int:
    """The least integer that is at least the printed minimum, at 60 digits."""
    e = Epsilon.of(epsilon)
    with mpmath.workdps(60):
        value = real(e.rational) + mpmath.log(real(e.ratio))
        terms = [mpmath.log(real(first)) / (power * value) - 1, mpmath.mpf(n)]
        if Fraction(delta):
            terms.append(mpmath.log(value / (4 * real(Fraction(delta)))) / value - 1)
        return max(0, int(mpmath.ceil(min(terms) / 2)))


@pytest.mark.points(10)
@pytest.mark.parametrize(("epsilon", "delta", "beta"), list(product(EPSILONS, DELTAS, BETAS)))
def test_twin_the_printed_forms_at_60_digits(epsilon: str, delta: str, beta: str) -> None:
    b = Fraction(beta)
    for n in (1, 5, 300):
        one = per_query_least(epsilon=epsilon, delta=delta, beta=beta, n=n)
        assert one.printed == by_formula(epsilon, delta, 1 / (4 * b), n, 1)
        for universe in (2, 50, 1 << 64):
            all_bins = simultaneous_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe)
            assert all_bins.printed == by_formula(epsilon, delta, (universe - 1) / (4 * b), n, 1)
            sparse = sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe, outputs=n)
            assert sparse.printed == by_formula(epsilon, delta, universe / (16 * b * n), n, 2)


@pytest.mark.parametrize("ratio", [Fraction(21, 20), Fraction(3, 2), Fraction(5)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6), Fraction(1, 50)])
def test_twin_the_packings_by_moving_one_row_at_a_time(ratio: Fraction, delta: Fraction) -> None:
    """What an event of probability 1 - beta keeps after each of m moves: (p - delta)/e^epsilon, down to 0."""

    def after(p: Fraction, m: int) -> Fraction:
        for _ in range(m):
            p = max(Fraction(0), (p - delta) / ratio)
        return p

    for beta, n in product((Fraction(1, 3), Fraction(1, 100)), (3, 60)):
        sure = 1 - beta
        given = {"epsilon": Epsilon.ln(ratio), "delta": delta, "beta": beta, "n": n}
        one = next(a for a in count() if 2 * a >= n or after(sure, 2 * a + 1) <= beta)
        assert per_query_least(**given).packing == one
        for universe in (2, 30):
            all_bins = next(a for a in count() if 2 * a >= n or (universe - 1) * after(sure, 2 * a + 1) <= beta)
            assert simultaneous_least(universe=universe, **given).packing == all_bins
            few = next(a for a in count() if 2 * a >= n or universe * after(sure, max(1, 2 * a)) <= 1)
            assert sparse_least(universe=universe, outputs=1, **given).packing == max(one, few)


@pytest.mark.parametrize("n", [30, 40])
def test_caught_a_count_that_is_more_accurate_than_its_epsilon_allows(n: int) -> None:
    """Noise for e^(2 ln(9/8)) claimed at half of that falls below the bound; at its own it does not."""

    def error(k: int) -> Accuracy:
        return counting(geosample_law(n=n, k=k), range(n + 1))

    below = 0
    for beta in (Fraction(1, 3), Fraction(1, 50), Fraction(1, 10**6)):
        own = per_query_least(epsilon=Epsilon.ln(Fraction(9, 8)), delta=0, beta=beta, n=n)
        assert error(3).error(beta) >= own.packing >= own.printed
        below += error(1).error(beta) < own.packing
    assert below
    exact_release = worst(accuracy_of(Dist.point(c), lambda z, c=c: abs(z - c)) for c in range(n + 1))
    assert exact_release.error("1/3") < per_query_least(epsilon="1/100", delta=0, beta="1/3", n=n).packing


def test_what_an_error_of_0_needs() -> None:
    """With few outputs and a = 0 it is one row that moves, not 2a: 2 labels of many cannot all be told."""
    setting = {"delta": 0, "beta": "1/2", "n": 1, "universe": 1000, "outputs": 1}
    assert sparse_least(epsilon="ln(499)", **setting).packing == 1
    assert sparse_least(epsilon="ln(500)", **setting).packing == 0


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (lambda: per_query_least(epsilon="0", delta=0, beta="1/3", n=3), "epsilon = 0"),
        (lambda: per_query_least(epsilon=0.1, delta=0, beta="1/3", n=3), "0.1"),
        (lambda: per_query_least(epsilon="1", delta=2, beta="1/3", n=3), "2"),
        (lambda: per_query_least(epsilon="1", delta=0, beta="2/3", n=3), "2/3"),
        (lambda: per_query_least(epsilon="1", delta=0, beta="0", n=3), "0"),
        (lambda: per_query_least(epsilon="1", delta=0, beta="1/3", n=0), "0"),
        (lambda: simultaneous_least(epsilon="1", delta=0, beta="1/3", n=3, universe=1), "1"),
        (lambda: sparse_least(epsilon="1", delta=0, beta="1/3", n=3, universe=1, outputs=1), "1"),
        (lambda: sparse_least(epsilon="1", delta=0, beta="1/3", n=3, universe=5, outputs=0), "0"),
    ],
)
def test_refused_input(call: Callable[[], object], given: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert given in caught.value.given
