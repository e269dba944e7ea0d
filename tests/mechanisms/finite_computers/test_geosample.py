"""GeoSample against the paper's algorithm, its lemma, the textbook's law, and every value of its one draw."""

import tracemalloc
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dpcert import Coins, Dist, Epsilon, Refuted, Report, Verified
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, geosample_law, noise_exponent
from dpcert.reading.paths.enumerator import enumerate_law

GRID = [(n, k) for n in range(1, 7) for k in (1, 2, 3, 8)]
SMALL = [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (1, 9)]
E_LO, E_HI = Fraction("2.718281828459045235360287"), Fraction("2.718281828459045235360288")


def draw_bound(n: int, k: int) -> int:
    return (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)


def papers_f(z: int, *, c: int, n: int, k: int) -> Fraction:
    """F of Algorithm 4.8, step 2, as printed; all of its powers are Fractions."""
    two, d = Fraction(2), Fraction(draw_bound(n, k))
    if z < 0:
        return Fraction(0)
    if z < c:
        return two ** (k * (c - z)) * (two**k + 1) ** (n - (c - z))
    if z < n:
        return d - two ** (k * (z - c + 1)) * (two**k + 1) ** (n - 1 - (z - c))
    return d


def lemmas_cdf(z: int, *, c: int, n: int, k: int) -> Fraction:
    """F_Z of the proof of Lemma 4.9, as printed, where e^(epsilon'/2) = 1 + 2^-k."""
    e = 1 + Fraction(1, 2**k)
    if z < 0:
        return Fraction(0)
    if z < c:
        return e / (e + 1) * e ** -(c - z)
    if z < n:
        return 1 - 1 / (e + 1) * e ** -(z - c)
    return Fraction(1)


def clamped_noise(*, c: int, n: int, k: int) -> dict[int, Fraction]:
    """The law of c + Geo clamped to [0, n], where Geo is j with probability (1 - r)/(1 + r) r^|j|."""
    r = Fraction(2**k, 2**k + 1)
    law = {z: (1 - r) / (1 + r) * r ** abs(z - c) for z in range(n + 1)}
    law[0] += r ** (c + 1) / (1 + r)
    law[n] += r ** (n - c + 1) / (1 + r)
    return law


def law_of(program: Callable[[int, Coins], int], count: int, **settings: Any) -> Dist:
    return enumerate_law(program, count, **settings).law


@pytest.mark.points(5)
@pytest.mark.parametrize(("n", "k"), GRID)
def test_twin_program_closed_form_and_textbook_give_one_law(n: int, k: int) -> None:
    program, closed_form = geosample(n=n, k=k), geosample_law(n=n, k=k)
    for count in range(n + 1):
        law = law_of(program, count)
        assert law == closed_form(count)
        assert dict(law.items()) == clamped_noise(c=count, n=n, k=k)
        assert law.tail == closed_form(count).tail == 0


@pytest.mark.points(5)
@pytest.mark.parametrize(("n", "k"), GRID)
def test_twin_the_papers_f_and_lemma_4_9_are_the_programs_distribution_function(n: int, k: int) -> None:
    program, d = geosample(n=n, k=k), draw_bound(n, k)
    for c in range(n + 1):
        law = law_of(program, c)
        for z in range(-2, n + 3):
            at_most = sum((p for outcome, p in law.items() if outcome <= z), Fraction(0))
            assert at_most == papers_f(z, c=c, n=n, k=k) / d == lemmas_cdf(z, c=c, n=n, k=k)


@pytest.mark.points(4)
@pytest.mark.parametrize(("n", "k"), SMALL)
def test_twin_every_value_of_the_draw(n: int, k: int) -> None:
    """Step 3 by linear search, on every u: the outcomes, their number, and Theorem 4.7 iv."""
    program, d = geosample(n=n, k=k), draw_bound(n, k)
    for c in range(n + 1):
        outcomes = [program(c, Coins(Recorded([(d, u - 1)]))) for u in range(1, d + 1)]
        smallest = [next(z for z in range(n + 1) if papers_f(z, c=c, n=n, k=k) >= u) for u in range(1, d + 1)]
        assert outcomes == smallest
        assert all(low <= high for low, high in pairwise(outcomes))
        assert law_of(program, c) == Dist.from_weights(Counter(outcomes).items(), d)


@pytest.mark.parametrize(("n", "k"), [(6, 8), (40, 5)])
def test_twin_one_run_for_each_outcome_enumerates_a_large_draw(n: int, k: int) -> None:
    found = enumerate_law(geosample(n=n, k=k), n // 2)
    assert found.leaves == n + 1
    assert found.law == geosample_law(n=n, k=k)(n // 2)


@pytest.mark.points(1)
@pytest.mark.parametrize(("n", "epsilon"), [("1", "1"), ("2", "1/3"), ("5", "1/10"), ("6", "1/64")])
def test_verified_at_the_claim_and_refuted_just_below(audit: Callable[..., Report], n: str, epsilon: str) -> None:
    settings = {"n": n, "epsilon": epsilon}
    ratio = 1 + Fraction(1, 2 ** noise_exponent(Fraction(epsilon)))
    report = audit(GEOSAMPLE, settings)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 2 * int(n)
    assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio)
    assert report.delta_lo == report.delta_hi == report.tail == 0
    assert report.unreached is None
    below = audit(GEOSAMPLE, settings, epsilon=Epsilon.ln(ratio - Fraction(1, 10**40)))
    assert isinstance(below.verdict, Refuted)


def test_twin_noise_exponent_is_the_least_k_with_2_to_the_k_at_least_2_over_epsilon() -> None:
    k = 0
    for inverse in range(1, 2001):
        while 2**k * Fraction(1, inverse) < 2:
            k += 1
        assert noise_exponent(Fraction(1, inverse)) == k


@pytest.mark.parametrize("inverse", [*range(1, 40), 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 2000])
def test_twin_theorem_4_7s_interval_of_the_reached_epsilon(inverse: int) -> None:
    """4/9 epsilon < 2 ln(1 + 2^-k) <= epsilon, for epsilon = 1/inverse, without logarithms."""
    ratio = 1 + Fraction(1, 2 ** noise_exponent(Fraction(1, inverse)))
    assert ratio ** (2 * inverse) <= E_LO
    assert ratio ** (9 * inverse) > E_HI**2


def test_the_default_scope_is_all_counts_for_counts_that_differ_by_one() -> None:
    instance = GEOSAMPLE.build(GEOSAMPLE.settings({}))
    assert instance.inputs == tuple(range(21))
    assert instance.neighbours == "counts_differ_by_one"
    assert instance.delta == 0
    assert instance.epsilon == Epsilon.ln("33/32")


def test_building_an_instance_is_cheap_however_many_counts() -> None:
    tracemalloc.start()
    try:
        GEOSAMPLE.build({"n": "100000", "epsilon": "1/10"})
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()
