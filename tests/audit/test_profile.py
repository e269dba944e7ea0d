from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon, InputError
from dpcert.audit.profile import Profile, profile

from .enclosures import law

weights = st.lists(st.integers(0, 9), min_size=3, max_size=5).filter(sum)
ratios = st.fractions(0, 8, max_denominator=12)


def events(p: Dist, q: Dist) -> list[tuple[Fraction, Fraction]]:
    outcomes = sorted({*p.outcomes(), *q.outcomes()})
    chosen = [event for size in range(len(outcomes) + 1) for event in combinations(outcomes, size)]
    return [(sum(map(p.prob, event), Fraction(0)), sum(map(q.prob, event), Fraction(0))) for event in chosen]


@given(weights, weights, ratios)
def test_twin_delta_is_the_greatest_excess_over_all_events(a: list[int], b: list[int], ratio: Fraction) -> None:
    p, q = law(a), law(b)
    assert profile(p, q).delta(ratio) == max(x - ratio * y for x, y in events(p, q))


@given(weights, weights, st.fractions(0, 1, max_denominator=12))
def test_twin_the_least_ratio_is_the_greatest_demand_of_an_event(a: list[int], b: list[int], delta: Fraction) -> None:
    p, q = law(a), law(b)
    found = profile(p, q).least_ratio(delta)
    demands = [(x - delta, y) for x, y in events(p, q) if x > delta]
    if any(y == 0 for _, y in demands):
        assert found is None
    else:
        assert found == max([Fraction(1), *(x / y for x, y in demands)])


@given(weights, weights)
def test_breakpoints_are_on_the_curve_and_nothing_bends_between_them(a: list[int], b: list[int]) -> None:
    found = profile(law(a), law(b))
    points = [(Fraction(0), found.delta(0)), *found.breakpoints()]
    assert all(found.delta(at) == delta for at, delta in points)
    for (x, u), (y, v) in pairwise(points):
        assert found.delta((x + y) / 2) == (u + v) / 2
    assert found.delta(0) == 1
    assert found.delta(points[-1][0] + 1) == found.infinite


@given(weights, weights)
def test_twin_the_trade_off_curve_bounds_every_test(a: list[int], b: list[int]) -> None:
    p, q = law(a), law(b)
    vertices = profile(p, q).trade_off()
    assert set(vertices) <= {(y, 1 - x) for x, y in events(p, q)}
    for x, y in events(p, q):
        for (alpha, beta), (more, less) in pairwise(vertices):
            if alpha <= y <= more and alpha < more:
                assert 1 - x >= beta + (less - beta) * (y - alpha) / (more - alpha)


@given(weights, weights)
def test_twin_the_reversed_profile(a: list[int], b: list[int]) -> None:
    assert profile(law(a), law(b)).reversed() == profile(law(b), law(a))


@given(weights, weights, weights, weights)
def test_twin_composition_is_the_profile_of_product_laws(
    a: list[int], b: list[int], c: list[int], d: list[int]
) -> None:
    composed = profile(law(a), law(b)).compose(profile(law(c), law(d)))
    assert composed == profile(law(a).product(law(c)), law(b).product(law(d)))


@pytest.mark.parametrize("times", [1, 2, 3, 5, 8])
@pytest.mark.parametrize(
    ("a", "b"), [([3, 1], [1, 3]), ([4, 2, 1], [1, 2, 4]), ([5, 2, 1], [1, 3, 4]), ([1, 0, 2], [1, 2, 0]), ([1], [1])]
)
def test_twin_powers_are_repeated_compositions(a: list[int], b: list[int], times: int) -> None:
    one = profile(law(a), law(b))
    repeated = one
    for _ in range(times - 1):
        repeated = repeated.compose(one)
    assert one.power(times) == repeated


def test_twin_hundredfold_randomized_response_by_binomials() -> None:
    laws = law([101, 100]), law([100, 101])
    found = profile(*laws).power(100)
    expected = Fraction(0)
    ratio = Fraction(3, 2)
    coefficients = [1]
    for k in range(100):
        coefficients.append(coefficients[-1] * (100 - k) // (k + 1))
    for k, ways in enumerate(coefficients):
        p = Fraction(101**k * 100 ** (100 - k), 201**100)
        q = Fraction(100**k * 101 ** (100 - k), 201**100)
        expected += ways * max(Fraction(0), p - ratio * q)
    assert found.delta(ratio) == expected


@given(weights, weights, st.fractions(0, 2, max_denominator=9), st.fractions(1, 3, max_denominator=9))
def test_delta_bounds_enclose_and_are_equal_where_e_to_the_epsilon_is_rational(
    a: list[int], b: list[int], rational: Fraction, ratio: Fraction
) -> None:
    found = profile(law(a), law(b))
    lo, hi = found.delta_bounds(Epsilon(rational, ratio))
    below, above = Epsilon(rational, ratio).exp_bounds(300)
    assert lo <= found.delta(above) <= found.delta(below) <= hi
    assert hi - lo <= Fraction(1, 1 << 100)
    assert rational or lo == hi == found.delta(ratio)


def test_an_epsilon_beyond_every_ratio_answers_at_once() -> None:
    assert profile(law([1, 1, 0]), law([0, 1, 1])).delta_bounds(Epsilon.of("1e9")) == (Fraction(1, 2),) * 2


def test_refused_tails_and_powers() -> None:
    tailed = Dist.from_weights([(0, 1)], 2)
    for p, q in product([tailed, law([1])], repeat=2):
        if p.tail or q.tail:
            with pytest.raises(InputError, match="tail"):
                profile(p, q)
    one = profile(law([1, 2]), law([2, 1]))
    assert isinstance(one, Profile)
    for times in (0, -1, True):
        with pytest.raises(InputError, match="compositions"):
            one.power(times)
