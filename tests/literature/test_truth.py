"""The true epsilons of the literature's benchmark: exact identities, float twins, lattice limits, and runs."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from literature import laws
from literature.exponentials import (
    Total,
    enclosed,
    exponential_below,
    exponential_density,
    laplace_below,
    laplace_density,
    log_ratio,
)
from literature.needs import PAIRS, Truth
from literature.registry import BENCHMARK
from literature.samplers import DENOMINATOR, bloom, cumulative
from literature.truth import table, truths

from dpcert.mechanisms.exact.epsilon import Epsilon

ROOT = Path(__file__).resolve().parents[2]
ALPHA = 1e-6
"""The chance that a correct table fails a test below by bad luck, by Chernoff's bound for each of 42 events."""

TWENTY, FORTY, ONE = Fraction(20), Fraction(40), Fraction(1)


@pytest.fixture(scope="module")
def found() -> dict[str, Truth]:
    return truths()


def summed(chances: list[Total]) -> Total:
    total: Total = {}
    for chance in chances:
        for exponent, factor in chance.items():
            total[exponent] = total.get(exponent, Fraction(0)) + factor
    return {exponent: factor for exponent, factor in total.items() if factor}


@pytest.mark.parametrize("x", [(1, 1, 1, 1), (2, 0, 1, 5), (-3, 0, 7, 7)])
@pytest.mark.parametrize("cap", [1, 2])
def test_the_answers_of_a_sparse_vector_add_up_to_one_exactly(x: tuple[int, ...], cap: int) -> None:
    law = laws.all_answers(x, threshold=Fraction(1, 2), rho=TWENTY, nu=Fraction(40, 3), cap=cap)
    assert summed(list(law.values())) == {0: 1}
    one = {
        answers: laws.answers(x, answers, threshold=Fraction(1, 2), rho=TWENTY, nu=Fraction(40, 3)) for answers in law
    }
    assert one == law


@pytest.mark.parametrize("x", [(1, 1, 1, 1), (2, 0, 1, 5), (-3, 0, 7, 7)])
def test_the_indices_of_a_noisy_maximum_add_up_to_one_exactly(x: tuple[int, ...]) -> None:
    for density, below in ((laplace_density, laplace_below), (exponential_density, exponential_below)):
        chances = [laws.argmax(x, i, scale=TWENTY, density=density, below=below) for i in range(4)]
        assert summed(chances) == {0: 1}


def lattice(scale: float, step: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return Pr[noise >= t], for two-sided geometric noise on multiples of a step, t a multiple too."""
    alpha = math.exp(-step / scale)

    def at_least(t: np.ndarray) -> np.ndarray:
        m = np.rint(t / step)
        return np.where(m >= 1, alpha ** np.abs(m) / (1 + alpha), 1 - alpha ** (np.abs(m) + 1) / (1 + alpha))

    return at_least


def on_a_lattice(x: tuple[int, ...], answers: tuple[bool, ...], rho: float, nu: float, step: float) -> float:
    """Return the chance of answers where all noise is on multiples of a step: the integral as a sum."""
    t = np.arange(-40 * rho, 40 * rho, step)
    above, here = lattice(nu, step), lattice(rho, step)
    weight = here(t) - here(t + step)
    for value, true in zip(x, answers, strict=False):
        chance = above(1 + t - value)
        weight = weight * (chance if true else 1 - chance)
    return float(weight.sum())


@pytest.mark.parametrize("answers", [(True,), (False, False, True), (False, True, False, True)])
@pytest.mark.parametrize("x", [(1, 1, 1, 1), (2, 0, 1, 3)])
def test_chances_are_the_limit_of_those_on_a_lattice(x: tuple[int, ...], answers: tuple[bool, ...]) -> None:
    exact = float(enclosed(laws.answers(x, answers, threshold=ONE, rho=TWENTY, nu=FORTY / 3))[0])
    coarse, middle, fine = (on_a_lattice(x, answers, 20, 40 / 3, step) for step in (1 / 8, 1 / 16, 1 / 32))
    assert abs(middle - exact) < 0.55 * abs(coarse - exact)
    assert abs(fine - exact) < 0.55 * abs(middle - exact)
    extrapolated = (8 * fine - 6 * middle + coarse) / 3
    assert abs(extrapolated - exact) < 1e-8


@pytest.mark.nightly
def test_bounds_are_digits_and_hold_the_exact_value(found: dict[str, Truth]) -> None:
    for truth in found.values():
        if truth.epsilon is None:
            assert truth.exact == "infinite"
            assert not truth.q
            assert enclosed(truth.p)[0] > 0
            continue
        low, high = truth.epsilon
        assert 0 < low <= high < low + Fraction(1, 10**12)


@pytest.mark.nightly
def test_the_event_needs_the_epsilon(found: dict[str, Truth]) -> None:
    for truth in found.values():
        if truth.epsilon is not None:
            low, high = log_ratio(truth.p, truth.q)
            if truth.approached:
                assert Fraction(99, 100) * Fraction(9, 10) * truth.epsilon[0] < high <= truth.epsilon[1]
            else:
                assert low <= truth.epsilon[1]
                assert truth.epsilon[0] <= high


def test_correct_claims_are_kept_and_wrong_ones_are_not(found: dict[str, Truth]) -> None:
    """On the pairs of the benchmark; that a correct claim holds for all neighbours is a theorem's word."""
    for name, truth in found.items():
        claimed = Epsilon.of(BENCHMARK[name].claimed)
        low, high = claimed.exp_bounds(64)
        if truth.epsilon is None:
            assert not BENCHMARK[name].correct
            continue
        p, q = (enclosed(total) for total in (truth.p, truth.q))
        if BENCHMARK[name].correct:
            assert float(truth.epsilon[0]) <= math.log(high) * (1 + 1e-12)
        else:
            assert p[0] > high * q[1]
        assert low <= high


@pytest.mark.points(6)
@pytest.mark.parametrize("name", BENCHMARK)
def test_runs_are_in_the_event_as_often_as_they_should(name: str, found: dict[str, Truth]) -> None:
    truth, runs = found[name], 100_000
    for number, (x, total) in enumerate(zip(truth.pair, (truth.p, truth.q), strict=True)):
        sample = BENCHMARK[name].sample(x, runs, np.random.default_rng([43, number]))
        hits = int(truth.event.holds(sample).sum())
        assert runs * divergence(hits / runs, float(enclosed(total)[0])) <= math.log(2 * 42 / ALPHA)


def divergence(found: float, chance: float) -> float:
    """Return the relative entropy of two coins: n runs show `found` or further off with at most e^(-n times it)."""
    if found == chance:
        return 0.0
    if chance in (0.0, 1.0):
        return math.inf
    first = found * math.log(found / chance) if found else 0.0
    second = (1 - found) * math.log((1 - found) / (1 - chance)) if found < 1 else 0.0
    return first + second


def test_two_values_whose_filters_have_eight_different_bits_need_the_whole_claim(found: dict[str, Truth]) -> None:
    filters = {value: bloom(value) for value in range(40)}
    differ = [sum(a != b for a, b in zip(filters[x], filters[y], strict=True)) for x in filters for y in filters]
    assert max(differ) == 8
    assert found["RAPPOR"].scope == found["OneTimeRAPPOR"].scope == PAIRS


def test_each_bit_of_a_report_loses_what_all_draws_say() -> None:
    """All 8 x 20 draws of RAPPOR's bit and all 40 of the one-time report, counted."""
    for bit, once, again in ((0, 19, 39), (1, 21, 41)):
        first = [1 if turn < 19 else 0 if turn < 38 else bit for turn in range(40)]
        assert sum(first) == once
        kept = [1 if turn < 3 else 0 if turn < 6 else bit for turn in range(8)]
        reports = [last < (11 if value else 9) for value in kept for last in range(20)]
        assert Fraction(sum(reports), len(reports)) == Fraction(again, 80)


def test_the_truncated_geometric_loses_nine_eighths_and_no_more() -> None:
    laws_of = []
    for count in range(6):
        sums = [0, *(cumulative(count, z) for z in range(5)), DENOMINATOR]
        laws_of.append([b - a for a, b in pairwise(sums)])
    ratios = [
        Fraction(p, q) for x, y in pairwise(laws_of) for p, q in (*zip(x, y, strict=True), *zip(y, x, strict=True))
    ]
    assert max(ratios) == Fraction(9, 8)


def test_the_snapping_mechanism_is_within_its_claim_and_near_it(found: dict[str, Truth]) -> None:
    bounds = found["LaplaceFixed"].epsilon
    assert Fraction(1, 10) - Fraction(1, 10**13) < bounds[0] <= bounds[1] < Fraction(1, 10)
    for x in (0, 1, 2):
        law = laws.snapped(x)
        assert sum(law.values()) == 1
        assert set(law) == {-100.0, 100.0, *(16.0 * step for step in range(-6, 7))}


@pytest.mark.nightly
def test_the_table_in_the_documentation_is_the_truth() -> None:
    assert len(table().splitlines()) == 2 + len(BENCHMARK)
    assert table() in (ROOT / "docs" / "findings" / "literature-benchmark.md").read_text("utf-8")
