"""A sampling threshold from a noisy total: the program against sums by hand, its guarantee, refused vectors."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from dpcert import Dist, InputError, Refuted, Report, Verified, seeded_coins
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.weighted_sampling.private_threshold import (
    PWS_PRIVATE_THRESHOLD,
    private_threshold,
    private_threshold_law,
    reporting_at,
    vectors,
)
from dpcert.reading.paths.enumerator import enumerate_law


def by_hand(frequencies: tuple[int, int], size: Fraction) -> Dist:
    """Return the law for e^epsilon = 2 and delta = 1/10, totals in 0 to 4 with noise of ratio 2."""
    found = []
    for total, mass in geometric_law(n=4, ratio=Fraction(2))(sum(frequencies)).items():
        tau = size / max(total, 1)
        one = min(Fraction(1), tau, Fraction(1, 10))
        two = min(Fraction(1), 2 * tau, 2 * one + Fraction(1, 10))
        p, q = ((Fraction(0), one, two)[i] for i in frequencies)
        found += [((total, (0, 1)), mass * p * q), ((total, (0,)), mass * p * (1 - q))]
        found += [((total, (1,)), mass * (1 - p) * q), ((total, ()), mass * (1 - p) * (1 - q))]
    return Dist.of(found)


@pytest.mark.points(1)
@pytest.mark.parametrize("size", [Fraction(1, 20), Fraction(1, 5), Fraction(1), Fraction(3)])
def test_twin_the_program_is_the_sum_over_totals_by_hand(size: Fraction) -> None:
    reporting = reporting_at(size=size, imax=2, ratio=Fraction(2), delta=Fraction(1, 10))
    program = private_threshold(total=geometric(n=4, ratio=Fraction(2)), reporting=reporting)
    closed = private_threshold_law(law=geometric_law(n=4, ratio=Fraction(2)), reporting=reporting)
    for frequencies in product(range(3), repeat=2):
        law = enumerate_law(program, list(frequencies)).law
        assert law == closed(list(frequencies)) == by_hand(frequencies, size)


@pytest.mark.nightly
def test_verified_at_the_sum_and_refuted_at_either_part(audit: Callable[..., Report]) -> None:
    assert isinstance(audit(PWS_PRIVATE_THRESHOLD, {}).verdict, Verified)
    assert isinstance(audit(PWS_PRIVATE_THRESHOLD, {}, epsilon="ln(2)").verdict, Refuted)
    assert isinstance(audit(PWS_PRIVATE_THRESHOLD, {}, delta=Fraction(1, 11)).verdict, Refuted)


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", [{"keys": "1", "imax": "6"}, {"keys": "3", "imax": "1"}, {"size": "1/20"}])
def test_verified_elsewhere(audit: Callable[..., Report], settings: dict[str, str]) -> None:
    assert isinstance(audit(PWS_PRIVATE_THRESHOLD, settings).verdict, Verified)


def test_twin_the_sampler_draws_what_the_law_has() -> None:
    instance = PWS_PRIVATE_THRESHOLD.build(PWS_PRIVATE_THRESHOLD.settings({}))
    law, coins = enumerate_law(instance.program, [3, 1]).law, seeded_coins(5)
    assert all(law.prob(instance.program([3, 1], coins)) > 0 for _ in range(200))


@pytest.mark.parametrize("value", [[1], [1, 2, 3], [1, 4], [1, -1], (1, 2), [1, True], "12", None])
def test_refused_vectors(value: object) -> None:
    domain = vectors(2, 3)
    assert [0, 3] in domain
    assert value not in domain
    with pytest.raises(InputError, match="a list of 2 frequencies from 0 to 3"):
        domain.require(value)
