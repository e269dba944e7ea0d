"""Compositions against exact powers, values of mpmath, and theorems; of a sampled Gaussian in both directions."""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from math import comb, exp, log

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcert
from dpcert import Answer, Dist, Epsilon, InputError
from dpcert.audit import composition
from dpcert.audit.accounting import advanced, basic, optimal
from dpcert.audit.answer import WIDE
from dpcert.audit.composition import BinomialPower, Canonical, composed
from dpcert.audit.enclosure import EnclosedProfile, enclosed_profile, profile_at_size
from dpcert.audit.grids import Composition, OnGrids
from dpcert.audit.multiplicative import lattice, polynomial_power
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import binomial

from .test_composition import Parts, number, pair, response


@pytest.mark.nightly
@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.integers(1, 4),
    st.fractions(1, 8, max_denominator=9),
)
def test_twin_of_any_pair_on_a_grid(a: list[int], b: list[int], times: int, ratio: Fraction) -> None:
    one = pair(a, b[: len(a)])
    lo, hi = composed([(one, times)], grid=5).delta_at(Epsilon.ln(ratio)).lo, composed([(one, times)], grid=9)
    assert lo <= one.power(times).delta(ratio) <= hi.delta_at(Epsilon.ln(ratio)).hi


@pytest.mark.parametrize(
    ("a", "b", "times"), [([101, 100], [100, 101], 40), ([4, 2, 1], [1, 2, 4], 30), ([9, 6, 4], [4, 6, 9], 25)]
)
def test_narrow_on_a_lattice(a: list[int], b: list[int], times: int) -> None:
    one = pair(a, b)
    on_one, exact = composition._on_one_lattice([(one, times)]), one.power(times)
    assert on_one is not None
    for epsilon in ("1/10", "1", "5"):
        answer, (lo, hi) = (
            Composition(on_one, None).delta_at(Epsilon.of(epsilon)),
            exact.delta_bounds(Epsilon.of(epsilon)),
        )
        assert answer.lo <= lo <= hi <= answer.hi
        assert answer.hi <= lo * (1 + Fraction(1, 2**40))


def test_narrow_by_default_on_a_grid() -> None:
    one = profile(binomial(30, "1/10").exact(), binomial(29, "1/10").exact())
    answer, exact = composed([(one, 40)], grid=None), one.power(2)
    assert isinstance(answer, OnGrids)
    found = answer.delta_at(Epsilon.of("1"))
    assert 0 < found.lo <= found.hi <= found.lo * Fraction(65, 64)
    two = composed([(one, 2)], grid=12).delta_at(Epsilon.of("1/2"))
    lo, hi = exact.delta_bounds(Epsilon.of("1/2"))
    assert two.lo <= lo <= hi <= two.hi <= two.lo * Fraction(1001, 1000)


def reference(times: int, epsilon: str) -> mpmath.mpf:
    """The delta of so many randomized responses at e^(1/100), summed term by term."""
    e0, e = mpmath.mpf(1) / 100, mpmath.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator
    total, term = mpmath.mpf(0), mpmath.power(1 + mpmath.exp(e0), -times)
    for k in range(times + 1):
        loss = e0 * (2 * k - times)
        if loss > e:
            total += term * (mpmath.exp(e0 * k) - mpmath.exp(e + e0 * (times - k)))
        term = term * (times - k) / (k + 1)
    return total


@pytest.mark.points(3)
@pytest.mark.parametrize(("times", "epsilon"), [(10, "1/20"), (100, "1/2"), (10_000, "15/2"), (10_000, "37")])
def test_reference_values_of_randomized_response_by_mpmath(times: int, epsilon: str) -> None:
    answer = composed([(Canonical(Epsilon.of("1/100"), Fraction(0)), times)]).delta_at(Epsilon.of(epsilon))
    assert answer.method == "enclosed"
    with mpmath.workdps(80):
        expected = reference(times, epsilon)
        for bound in (answer.lo, answer.hi):
            assert abs(number(bound) / expected - 1) < mpmath.mpf(10) ** -30
        assert number(answer.lo) <= expected <= number(answer.hi)
    if (times, epsilon) == (10_000, "15/2"):
        assert Fraction(15055, 10**17) < answer.lo < answer.hi < Fraction(15065, 10**17)
    if epsilon == "37":
        assert answer.hi < Fraction(1, 10**299)


@pytest.mark.nightly
def test_a_delta_of_1e_300_has_its_epsilon() -> None:
    found = composed([(Canonical(Epsilon.of("1/100"), Fraction(0)), 10_000)])
    answer = found.ratio_at(Fraction(1, 10**300))
    assert answer.bits > 20
    assert found.delta_between(answer.lo, answer.lo)[0] > Fraction(1, 10**300)
    assert found.delta_between(answer.hi, answer.hi)[1] <= Fraction(1, 10**300)
    assert (
        Epsilon.of("36998/1000").exp_bounds(64)[0] < answer.lo < answer.hi < Epsilon.of("36999/1000").exp_bounds(64)[1]
    )


def test_twin_ten_thousandfold_exactly() -> None:
    exact = response(101, 100).power(10_000)
    enclosed = composed([(response(101, 100), 10_000)])
    assert isinstance(enclosed, BinomialPower)
    for epsilon in ("1/10", "15/2", "36"):
        lo, hi = exact.delta_bounds(Epsilon.of(epsilon))
        answer = enclosed.delta_at(Epsilon.of(epsilon))
        assert answer.lo <= lo <= hi <= answer.hi
        assert answer.bits > 100


@pytest.mark.points(2)
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**9), Fraction(1, 50), Fraction(9, 10)])
@pytest.mark.parametrize(("parts", "grid"), [([(response(3, 2), 9)], None), ([(pair([5, 2, 1], [1, 3, 4]), 4)], 6)])
def test_twin_least_ratios(parts: Parts, grid: int | None, delta: Fraction) -> None:
    exact = reduce(Profile.compose, [one for one, times in parts for _ in range(times)])
    curve = composition._binomial_power(*parts[0]) if grid is None else composed(parts, grid=grid)
    answer, least = curve.ratio_at(delta), exact.least_ratio(delta)
    assert answer.lo <= least
    assert answer.hi is None or least <= answer.hi
    assert delta == 0 or (answer.hi is not None and answer.hi <= answer.lo * Fraction(5, 4))


def test_enclosed_pairs_compose() -> None:
    p, q = binomial(40, "1/3"), binomial(39, "1/3")
    exact = profile(p.exact(), q.exact())
    squared = exact.compose(exact)
    for one in (
        profile_at_size(binomial(400, "1/3"), binomial(399, "1/3")),
        enclosed_profile(p.enclose(9999), q.enclose(9999)),
    ):
        answer = composed([(one, 2)], grid=9).delta_at(Epsilon.ln("5/4"))
        assert answer.method == "enclosed"
        if isinstance(one, EnclosedProfile):
            assert answer.lo <= squared.delta(Fraction(5, 4)) <= answer.hi <= answer.lo * Fraction(101, 100)
    p, q = binomial(40, "1/10"), binomial(39, "1/10")
    cut, squared = enclosed_profile(p.enclose(-150), q.enclose(-150)), profile(p.exact(), q.exact()).power(2)
    assert min(cut.p_rest, cut.q_rest) > 0
    answer = composed([(cut, 2)], grid=9).delta_at(Epsilon.ln("5/4"))
    assert answer.lo <= squared.delta(Fraction(5, 4)) <= answer.hi
    coarse = composed([(cut, 2)]).delta_at(Epsilon.of(2))
    assert coarse.why == "a law of a pair is held in bounds, which leave out a mass; hold it exactly, or to more bits"


def test_the_choice_is_visible() -> None:
    few, many = composed([(response(3, 2), 10)]), composed([(response(3, 2), 10_000)])
    assert few == response(3, 2).power(10)
    assert (few.delta_at(Epsilon.ln(2)).method, many.delta_at(Epsilon.ln(2)).method) == ("exact", "enclosed")
    several = composed([(response(3, 2), 5), (response(9, 4), 5)])
    assert several == response(3, 2).power(5).compose(response(9, 4).power(5))
    canonical = composed([(Canonical(Epsilon.ln(2), Fraction(1, 10)), 3)])
    assert canonical == Canonical(Epsilon.ln(2), Fraction(1, 10)).at(Fraction(2)).power(3)
    assert composed([(Canonical(Epsilon.of(0), Fraction(1, 10)), 2)]).delta_at(Epsilon.of(0)).lo == Fraction(19, 100)


def test_beyond_every_loss() -> None:
    for curve in (composed([(response(3, 2), 10_000)]), composed([(pair([5, 2, 1], [1, 3, 4]), 30)], grid=5)):
        answer = curve.delta_at(Epsilon.of("1e9"))
        assert answer.lo == 0
        assert answer.hi <= Fraction(1, 2**60)


def test_the_theorems_in_their_order() -> None:
    spent = [(Epsilon.of("1/10"), Fraction(1, 10**8), 60), (Epsilon.of("1/5"), Fraction(0), 10)]
    slack = Fraction(1, 10**6)
    epsilon, delta = basic(spent)
    assert (epsilon, delta) == (Epsilon.of(8), Fraction(60, 10**8))
    bound, total = advanced(spent, slack)
    assert total == delta + slack
    with mpmath.workdps(40):
        drift = sum(times * number(e.rational) * (mpmath.exp(number(e.rational)) - 1) for e, _, times in spent)
        squares = sum(times * number(e.rational) ** 2 for e, _, times in spent)
        expected = drift + mpmath.sqrt(2 * mpmath.log(10**6) * squares)
        assert number(bound.lo) <= expected <= number(bound.hi)
        assert abs(number(bound.hi) - expected) < mpmath.mpf(10) ** -30
    best = optimal(spent)
    assert best.delta_at(epsilon).lo <= delta
    assert best.delta_at(Epsilon.of(bound.hi)).hi <= total
    assert best.delta_at(Epsilon.of(bound.hi / 4)).lo > total


@pytest.mark.parametrize(("k", "i"), [(4, 0), (4, 1), (9, 3), (30, 9)])
def test_twin_the_optimal_theorem(k: int, i: int) -> None:
    ratio, delta = Fraction(3, 2), Fraction(1, 100)
    lost = sum(comb(k, j) * (ratio ** (k - j) - ratio ** (k - 2 * i + j)) for j in range(i)) / (1 + ratio) ** k
    found = optimal([(Epsilon.ln(ratio), delta, k)]).delta_at(Epsilon.ln(ratio ** (k - 2 * i)))
    assert (found.lo, found.hi) == (1 - (1 - delta) ** k * (1 - lost),) * 2


def test_lattices() -> None:
    assert lattice([Fraction(9, 4), Fraction(8, 27), Fraction(1)]) == (Fraction(3, 2), [2, -3, 0])
    assert lattice([Fraction(4), Fraction(8)]) == (Fraction(2), [2, 3])
    assert lattice([Fraction(1)]) == (Fraction(2), [0])
    assert lattice([Fraction(2), Fraction(3)]) is None
    assert lattice([Fraction(2), Fraction(5, 2)]) is None
    assert lattice([]) is None
    assert polynomial_power([1, 0, 2], 3) == [1, 0, 6, 0, 12, 0, 8]


def test_refused_parts() -> None:
    for parts in ([], [(response(3, 2), 0)], [(response(3, 2), True)]):
        with pytest.raises(InputError):
            composed(parts)
    for slack in (Fraction(0), Fraction(1)):
        with pytest.raises(InputError, match="slack"):
            advanced([], slack)
    for delta in (Fraction(1), Fraction(-1, 2), 0):
        with pytest.raises(InputError, match="delta"):
            Canonical(Epsilon.of(1), delta)


FINE, UNIT = 8, 1 << 60


def sampled(rate: Fraction, reach: int, step: int) -> tuple[Profile, Profile]:
    """Return a Gaussian of deviation 1, cut at `reach` on a grid of 1/step, sampled at a rate: each against the other.

    With one person in the sample it moves by 1, and so has outcomes beyond the end of the other one.
    """
    size = reach * step
    masses = [round(exp(-((i / step) ** 2) / 2) * UNIT) for i in range(-size, size + 1)]
    without = {i - size: mass for i, mass in enumerate(masses)}
    joined = {i: (rate.denominator - rate.numerator) * mass for i, mass in without.items()}
    for i, mass in without.items():
        joined[i + step] = joined.get(i + step, 0) + rate.numerator * mass
    total = sum(masses)
    p, q = Dist.from_weights(joined.items(), rate.denominator * total), Dist.from_weights(without.items(), total)
    return profile(p, q), profile(q, p)


def need_close(answer: Answer) -> None:
    assert answer.lo is not None
    assert answer.hi is not None
    assert answer.hi <= answer.lo * WIDE or (answer.why is not None and "grid=" in answer.why)


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize(("rate", "times"), [("1/100", 4), ("1/10", 3)])
def test_exact_twin_of_few(way: int, rate: str, times: int) -> None:
    """On grids the bounds hold the product of the laws, to within a hundredth of the greatest loss."""
    one = sampled(Fraction(rate), 5, 1)[way]
    exact = reduce(Profile.compose, [one] * times)
    curve = OnGrids.of([(one, one, times)])
    top = log(exact.ratios[0])
    for part in (Fraction(1, 4), Fraction(3, 4), Fraction(24, 25), Fraction(101, 100)):
        epsilon = Epsilon.of(Fraction(top) * part)
        found, (lo, hi) = curve.delta_at(epsilon), exact.delta_bounds(epsilon)
        assert found.lo <= lo <= hi <= found.hi
        need_close(found)


def three(far: Fraction, rate: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Return p, that has one more outcome of mass about `far`, and q, on three outcomes."""
    q = [Fraction(61, 222), Fraction(100, 222), Fraction(61, 222)]
    moved = [(1 - far / rate) * Fraction(mass, 175) for mass in (14, 61, 100)]
    return [(1 - rate) * a + rate * b for a, b in zip(q, moved, strict=True)], q


def multinomial(p: list[Fraction], q: list[Fraction], times: int, ratio: Fraction) -> Fraction:
    """Return delta by the sum over how often each outcome occurs, and the chance of one that only p has."""
    a, b = ([round(mass * 10**60) for mass in law] for law in (p, q))
    top, bottom = ratio.numerator, ratio.denominator
    found = Fraction(sum(max(0, bottom * x - top * y) for x, y in _terms(a, b, times)), bottom)
    return found / 10 ** (60 * times) + 1 - Fraction(sum(a), 10**60) ** times


def _terms(a: list[int], b: list[int], times: int) -> Iterator[tuple[int, int]]:
    (u, v, w), (x, y, z) = ([[mass**k for k in range(times + 1)] for mass in law] for law in (a, b))
    for i in range(times + 1):
        for j in range(times + 1 - i):
            ways, k = comb(times, i) * comb(times - i, j), times - i - j
            yield ways * u[i] * v[j] * w[k], ways * x[i] * y[j] * z[k]


@pytest.mark.points(3)
@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("far", ["1e-15", "1e-6", "0"])
@pytest.mark.parametrize("epsilon", ["1/10", "3/10", "59/100"])
def test_exact_twin_of_sixty_by_multinomials(way: int, far: str, epsilon: str) -> None:
    p, q = three(Fraction(far), Fraction(1, 100))
    ends = (1 - sum(p), Fraction(0))
    rows = [(x / y, y) for x, y in zip(*((p, q), (q, p))[way], strict=True)]
    one = Profile.from_ratios(rows, *ends[:: -1 if way else 1])
    spend = Epsilon.of(epsilon)
    below, above = spend.exp_bounds(128)
    found = OnGrids.of([(one, one, 60)]).delta_at(spend)
    sides = (p, q) if way == 0 else (q, p)
    exact = [multinomial(*sides, 60, ratio) for ratio in (above, below)]
    slack = Fraction(1, 10**50)
    assert found.lo <= exact[1] * (1 + slack) + slack
    assert found.hi >= exact[0] * (1 - slack) - slack
    need_close(found)


def chernoff(one: Profile, times: int, epsilon: float) -> float:
    """Return the logarithm of a bound of delta, by moments of the loss: the least of 2,000, in floats."""
    rows = [(log(ratio), log(ratio * weight)) for ratio, weight in one.rows()]
    most = 0.0
    for step in range(2000):
        theta = 2.0 ** (step / 100 - 5)
        heights = [mass + theta * loss for loss, mass in rows]
        top = max(heights)
        moment = top + log(sum(exp(height - top) for height in heights))
        most = min(most, times * moment - theta * epsilon)
    return most


@pytest.mark.points(2)
@pytest.mark.parametrize(("times", "epsilon"), [(100, "1/2"), (100, "1"), (300, "1"), (1000, "3/2"), (100, "11/10")])
def test_of_many_reversed_observations_are_narrow_and_below_the_bound_by_moments(times: int, epsilon: str) -> None:
    """At epsilon = 1 a hundred losses are within half a percent of the greatest; above 1.005 there are none."""
    _, one = sampled(Fraction(1, 100), 8, FINE)
    found = composed([(one, times)]).delta_at(Epsilon.of(epsilon))
    assert 0 < one.zero < Fraction(1, 10**13)
    assert found.hi is not None
    assert (found.hi == 0) == (epsilon == "11/10")
    assert found.hi == 0 or log(found.hi.numerator) - log(found.hi.denominator) <= chernoff(
        one, times, float(Fraction(epsilon))
    )
    need_close(found)


def test_what_only_one_law_has_counts_at_every_epsilon_and_nothing_else_does() -> None:
    one, _ = sampled(Fraction(1, 100), 8, 1)
    found = composed([(one, 100)]).delta_at(Epsilon.of(900))
    exact = 1 - (1 - one.infinite) ** 100
    assert found.lo <= exact <= found.hi <= found.lo * (1 + Fraction(1, 10**12))


def test_the_least_ratio_is_infinite_below_what_only_one_law_has() -> None:
    one, _ = sampled(Fraction(1, 100), 8, 1)
    curve = composed([(one, 100)])
    infinite = 1 - (1 - one.infinite) ** 100
    assert curve.ratio_at(infinite * Fraction(99, 100)) == Answer(None, None, "enclosed")
    assert isinstance(curve, OnGrids)
    assert curve.ratio_bound(infinite * Fraction(99, 100), above=True) is None


@pytest.mark.nightly
def test_without_a_delta_the_least_ratio_is_the_greatest_product() -> None:
    _, other = sampled(Fraction(1, 100), 8, 1)
    found = composed([(other, 100)]).ratio_at(0)
    greatest = other.ratios[0] ** 100
    assert found.lo <= greatest <= found.hi <= greatest * (1 + Fraction(1, 10**9))


@pytest.mark.nightly
def test_an_answer_says_why_its_bounds_are_apart() -> None:
    _, one = sampled(Fraction(1, 100), 8, FINE)
    found = dpcert.compose([(one, 100)]).delta_at("99/100")
    assert found.hi < Fraction(1, 10**100)
    assert found.why.endswith("takes a finer one")
    assert dpcert.compose([(one, 300)]).delta_at(1).why is None
