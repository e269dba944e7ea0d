"""The witnesses on tries and composition, found a second time: by whole profiles, by mpmath, by hand, by programs."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import mpmath
import pytest

from dpcert.audit.composition import Canonical, composed
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.quantile_search import found, quantile_search_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram, threshold_histogram_law
from dpcert.proofs.sample_and_threshold.checks.composition import canonical, holds_everywhere, responses
from dpcert.proofs.sample_and_threshold.checks.trie import ending, most, neighbours, people_up_to, turns
from dpcert.reading.paths.enumerator import enumerate_law

HALF = Fraction(1, 2)


def printed(times: int, epsilon: Fraction, delta: Fraction) -> mpmath.mpf:
    """L e^2 + e sqrt(L ln 1/(L d)), in 40 digits."""
    with mpmath.workdps(40):
        e, slack = mpmath.mpf(epsilon.numerator) / epsilon.denominator, times * mpmath.mpf(delta.numerator)
        return times * e**2 + e * mpmath.sqrt(times * mpmath.log(delta.denominator / slack))


def test_twin_of_the_advanced_witness_by_composed_profiles() -> None:
    """Composed, 20 canonical pairs need more than 6.285e-8 at the printed epsilon, rounded up, and not 6e-8."""
    epsilon, delta = Fraction(1, 24), Fraction(3, 2 * 10**9)
    total_hi = Fraction(int(printed(20, epsilon, delta) * 10**12) + 1, 10**12)
    answer = composed([(Canonical(Epsilon.of(epsilon), delta), 20)]).delta_at(Epsilon.of(total_hi))
    assert Fraction("6.285e-8") < answer.lo <= answer.hi < Fraction("6.286e-8")
    assert answer.lo > 2 * 20 * delta == Fraction("6e-8")


@pytest.mark.nightly
def test_boxes_settle_19_and_do_not_settle_20() -> None:
    assert all(holds_everywhere(times) for times in (1, 2, 19))
    assert not holds_everywhere(20)


def test_responses_by_hand() -> None:
    # two responses at ratio 3: yes twice has 9/16 and 1/16; at e^epsilon = 2 it needs 7/16, and the mixed ones nothing
    assert responses(2, Fraction(3), Fraction(2)) == Fraction(7, 16)
    assert canonical(2, Fraction(1, 10), Fraction(7, 16)) == Fraction(19, 100) + Fraction(81, 100) * Fraction(7, 16)


def test_twin_of_a_search_step_by_its_program() -> None:
    for n, below, threshold, phi in (
        (5, 2, 1, HALF),
        (6, 5, 2, Fraction(1, 3)),
        (4, 0, 2, Fraction(3, 4)),
        (5, 5, 1, HALF),
    ):
        law = enumerate_law(
            threshold_histogram(rate=HALF, threshold=threshold, universe=2), [0] * below + [1] * (n - below)
        )
        up = sum(p for bins, p in law.law.items() if dict(bins).get(0, 0) < phi * sum(dict(bins).values()))
        assert turns(below, n, HALF, threshold, phi) == up


def test_twin_of_where_a_search_ends() -> None:
    people: Sequence[int] = [0, 1, 1, 3]
    law = quantile_search_law(rate=HALF, threshold=1, phi=HALF, halvings=2)(people)
    up = [turns(sum(x < t for x in people), 4, HALF, 1, HALF) for t in range(5)]
    ends = law.map(lambda steps: found(steps, phi=HALF))
    assert [ending(cell, 2, up) for cell in range(4)] == [ends.prob(cell) for cell in range(4)]


def test_neighbours_and_the_least_delta_by_hand() -> None:
    assert list(neighbours((0, 1), "add-remove", 2)) == [(1,), (0,)]
    assert list(neighbours((0, 1), "substitute", 2)) == [(1, 1), (0, 0)]
    assert people_up_to(1, 2) == [(), (0,), (1,)]
    law = threshold_histogram_law(rate=Fraction(1, 10), threshold=2, universe=2)
    assert most(law, people_up_to(2, 2), "add-remove", 2, Fraction(20, 9)) == Fraction(1, 100)


def test_the_sampling_error_by_hand() -> None:
    """L tau = 6, so that g = 3601 and a = 96 g^2; the bound on one bin's total variation is g over sqrt(3a/2 + 1)."""
    g, a = 100 * 36 + 1, 96 * 3601**2
    assert 2 * (a + g) == 2_489_709_794
    assert 36 * 4 * g**2 <= 3 * a // 2 + 1
    assert Fraction(g) > 100 * 36
    # one person more changes Bin(a, 1/2) by half its greatest probability
    for small in (2, 6, 10):
        near, far = ([comb(k, v) * 2 ** (small + 1 - k) for v in range(small + 2)] for k in (small, small + 1))
        apart = Fraction(sum(abs(x - y) for x, y in zip(near, far, strict=True)), 2 ** (small + 2))
        assert apart == Fraction(comb(small, small // 2), 2 ** (small + 1))
        assert (2 * apart) ** 2 * (3 * small // 2 + 1) <= 1


def test_the_rank_that_is_missed_by_hand() -> None:
    n = 1_320_004
    assert (Fraction(1, 8) - Fraction(1, n)) ** 2 * n / 2 > 100**2
    assert n % 4 == 0
