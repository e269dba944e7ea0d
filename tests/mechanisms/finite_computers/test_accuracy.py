"""Accuracy against definitions spelled out, known cases, and refused input; the checks of the ledger can fail."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon, InputError
from dpcert.mechanisms.finite_computers import accuracy
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram_law, lists
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram_law

LOADED = Dist.of([(0, "1/2"), (2, "1/3"), (5, "1/6")])

error_laws = st.lists(st.integers(0, 5), min_size=1, max_size=4).map(Dist.uniform)


def counts(people: list[int]) -> dict[int, int]:
    return {label: people.count(label) for label in people}


def test_an_accuracy_is_a_step_function_of_a() -> None:
    found = accuracy.accuracy_of(LOADED, abs)
    assert found.failures == (Fraction(1, 2), Fraction(1, 2), Fraction(1, 6), Fraction(1, 6), Fraction(1, 6))
    assert [found.beta(a) for a in (0, 1, 2, 4, 5, 99)] == [
        *[Fraction(1, 2)] * 2,
        *[Fraction(1, 6)] * 2,
        *[Fraction(0)] * 2,
    ]
    assert [found.error(beta) for beta in ("1", "1/2", "1/3", "1/6", "1/7", 0)] == [0, 0, 2, 2, 5, 5]
    assert accuracy.accuracy_of(Dist.point("any"), lambda outcome: 0) == accuracy.Accuracy(())


@given(error_laws)
def test_twin_beta_and_error_by_the_definition(law: Dist) -> None:
    found = accuracy.accuracy_of(law, abs)
    for a in range(8):
        assert found.beta(a) == law.prob_of(lambda error, a=a: error > a)
        beta = Fraction(a, 8)
        assert found.error(beta) == min(b for b in range(8) if law.prob_of(lambda e, b=b: e <= b) >= 1 - beta)


@given(st.lists(error_laws, min_size=1, max_size=3))
def test_twin_independent_errors_by_their_joint_law(laws: list[Dist]) -> None:
    joint = laws[0].product(*laws[1:])
    found = accuracy.independent(accuracy.accuracy_of(law, abs) for law in laws)
    greatest = accuracy.worst(accuracy.accuracy_of(law, abs) for law in laws)
    for a in range(7):
        assert found.beta(a) == accuracy.accuracy_of(joint, max).beta(a)
        assert greatest.beta(a) == max(accuracy.accuracy_of(law, abs).beta(a) for law in laws)


@pytest.mark.parametrize(("n", "universe"), [(1, 2), (2, 2), (3, 2), (2, 3)])
@pytest.mark.parametrize("threshold", [None, 0, 1])
def test_twin_histograms_by_definitions_2_5_to_2_7(n: int, universe: int, threshold: int | None) -> None:
    law = geosample_law(n=n, k=2)
    if threshold is None:
        whole = basic_histogram_law(universe=universe, law=law)
    else:
        whole = stability_histogram_law(threshold=threshold, law=law)
    laws = [(counts(people), whole(people)) for people in lists(n, universe)]
    labels = range(universe)
    for a, above in product(range(n + 1), range(-1, n)):

        def off(outcome: tuple[tuple[int, int], ...], true: dict[int, int], x: int, a: int = a) -> bool:
            return abs(dict(outcome).get(x, 0) - true.get(x, 0)) > a

        one = [
            law.prob_of(lambda h, true=true, x=x: off(h, true, x))
            for true, law in laws
            for x in labels
            if true.get(x, 0) > above
        ]
        assert accuracy.per_query(laws, labels=labels, above=above).beta(a) == max(one)
        every = [law.prob_of(lambda h, true=true: any(off(h, true, x) for x in labels)) for true, law in laws]
        assert accuracy.simultaneous(laws, labels=labels).beta(a) == max(every)


@pytest.mark.points(5)
@pytest.mark.parametrize(("n", "labels"), [(0, 3), (1, 1), (1, 4), (3, 2), (4, 3), (4, 9)])
def test_twin_the_worst_way_to_spread_people_by_all_of_them(n: int, labels: int) -> None:
    law = geosample_law(n=max(n, 1), k=1)
    by_count = [accuracy.accuracy_of(law(c), lambda z, c=c: abs(z - c)) for c in range(n + 1)]
    for a in range(n + 1):
        ways = (way for way in product(range(n + 1), repeat=labels) if sum(way) == n)
        kept = min(prod((1 - by_count[c].beta(a) for c in way), start=Fraction(1)) for way in ways)
        assert accuracy.spread_beta(by_count, labels=labels, a=a) == 1 - kept


def test_a_compact_histogram_is_read_by_its_own_function() -> None:
    """A function for a histogram: a line c + s x over labels 0, 1, 2, released as (c, s)."""
    line = Dist.of([((1, 0), "3/4"), ((0, 2), "1/4")])
    found = accuracy.simultaneous([({0: 1, 1: 1}, line)], labels=range(3), read=lambda h, x: h[0] + h[1] * x)
    assert found.failures == (Fraction(1), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    assert [accuracy.listed(((3, 7), (1, 2)), x) for x in (1, 2, 3)] == [2, 0, 7]


@pytest.mark.parametrize("x", ["1", "3/2", "2", "10", "999/998", "1e30"])
@pytest.mark.parametrize("step", ["1", "2/9", "1/100", "ln(3/2)", "1/2 + ln(9/8)"])
def test_twin_the_ceiling_of_a_logarithm_at_60_digits(x: str, step: str) -> None:
    number, epsilon = Fraction(x), Epsilon.of(step)
    with mpmath.workdps(60):
        unit = mpmath.mpf(epsilon.rational.numerator) / epsilon.rational.denominator + mpmath.log(
            mpmath.mpf(epsilon.ratio.numerator) / epsilon.ratio.denominator
        )
        exactly = mpmath.log(mpmath.mpf(number.numerator) / number.denominator) / unit
        expected = int(mpmath.ceil(exactly - mpmath.mpf(10) ** -40))
    assert accuracy.log_ceiling(number, epsilon) == expected


def test_a_logarithm_that_is_met_exactly_is_not_rounded_up() -> None:
    power = Fraction(3, 2) ** 20
    assert accuracy.log_ceiling(power, Epsilon.ln("3/2")) == 20
    assert accuracy.log_ceiling(power + Fraction(1, 10**60), Epsilon.ln("3/2")) == 21


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (lambda: accuracy.accuracy_of(LOADED, abs).beta(-1), "-1"),
        (lambda: accuracy.accuracy_of(LOADED, abs).beta(True), "bool"),
        (lambda: accuracy.accuracy_of(LOADED, abs).error("-1/2"), "-1/2"),
        (lambda: accuracy.accuracy_of(LOADED, abs).error(0.5), "0.5"),
        (lambda: accuracy.accuracy_of(Dist.of([(0, "1/2")], tail="1/2"), abs), "1/2"),
        (lambda: accuracy.accuracy_of(LOADED, lambda z: -z), "-2"),
        (lambda: accuracy.accuracy_of(Dist.point("a"), lambda z: z), "a"),
        (lambda: accuracy.log_ceiling(Fraction(1, 2), Epsilon.of(1)), "1/2"),
        (lambda: accuracy.log_ceiling(Fraction(2), Epsilon.of(0)), "0"),
    ],
)
def test_refused_input(call: Callable[[], object], given: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert given in caught.value.given
    assert "\n" not in str(caught.value)


def test_counts_in_the_middle_err_most_and_as_the_noise_does() -> None:
    """For n beyond 2a the worst count is any that the clamp leaves alone: Pr[|Z| > a] = 2 r^-a/(r + 1)."""
    found = accuracy.counting(geosample_law(n=40, k=1), range(41))
    for a in range(20):
        assert found.beta(a) == 2 / Fraction(3, 2) ** a / Fraction(5, 2)
