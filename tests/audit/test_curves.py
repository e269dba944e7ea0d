"""Groups of neighbours and the greatest of several profiles, against laws and functions point by point."""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import InputError
from dpcert.audit.curves import group, maximum
from dpcert.audit.profile import Profile, profile
from dpcert.mechanisms.finite_computers.geosample import geosample_law

from .enclosures import law

weights = st.lists(st.integers(0, 9), min_size=3, max_size=4).filter(sum)
positive = st.lists(st.integers(1, 9), min_size=3, max_size=3)
ratios = st.fractions(0, 40, max_denominator=12)


def power(one: Profile, level: Fraction) -> Fraction:
    """The greatest probability under p of a randomized event of this probability under q."""
    total = one.infinite
    for ratio, weight in one.rows():
        total += ratio * min(level, weight)
        level -= min(level, weight)
    return total


@pytest.mark.nightly
@given(weights, weights, st.integers(1, 4))
def test_twin_a_group_is_the_power_function_repeated(a: list[int], b: list[int], size: int) -> None:
    one = profile(law(a), law(b))
    found = group(one, size)
    for level in (Fraction(k, 24) for k in range(25)):
        expected = level
        for _ in range(size):
            expected = power(one, expected)
        assert power(found, level) == expected


@given(weights, weights, weights, weights, ratios)
def test_twin_a_group_bounds_the_first_law_against_the_last(
    a: list[int], b: list[int], c: list[int], d: list[int], ratio: Fraction
) -> None:
    laws = [law(each) for each in (a, b, c, d)]
    each = maximum(profile(p, q) for p, q in pairwise(laws))
    assert profile(laws[0], laws[-1]).delta(ratio) <= group(each, 3).delta(ratio)


def test_a_group_of_a_pure_mechanism_has_the_ratio_to_its_size() -> None:
    laws = [geosample_law(n=6, k=2)(count) for count in range(7)]
    each = maximum(profile(p, q) for p, q in [*pairwise(laws), *pairwise(laws[::-1])])
    assert each.least_ratio(0) == Fraction(5, 4)
    for size in range(1, 7):
        found = group(each, size)
        assert found.least_ratio(0) == Fraction(5, 4) ** size
        for i, j in product(range(7), repeat=2):
            if abs(i - j) == size:
                assert profile(laws[i], laws[j]).delta(Fraction(6, 5)) <= found.delta(Fraction(6, 5))


@given(st.lists(st.tuples(weights, weights), min_size=1, max_size=4), ratios)
def test_twin_the_maximum_at_every_ratio(columns: list[tuple[list[int], list[int]]], ratio: Fraction) -> None:
    each = [profile(law(a), law(b)) for a, b in columns]
    found = maximum(each)
    for at in {ratio, *(x for one in each for x, _ in one.breakpoints()), *found.ratios, Fraction(0), Fraction(99)}:
        assert found.delta(at) == max(one.delta(at) for one in each)
    assert found.infinite + sum((x * w for x, w in found.rows()), Fraction(0)) == 1


@given(positive, positive)
def test_the_maximum_of_one_is_itself(a: list[int], b: list[int]) -> None:
    one = profile(law(a), law(b))
    assert maximum([one]) == maximum([one, one]) == group(one, 1) == one


def test_laws_without_a_common_outcome() -> None:
    one = profile(law([1, 0]), law([0, 1]))
    assert (group(one, 3).infinite, maximum([one, one]).infinite) == (1, 1)


def test_refused_groups_and_claims_without_pairs() -> None:
    one = profile(law([1, 2]), law([2, 1]))
    for size in (0, True, Fraction(2)):
        with pytest.raises(InputError, match="group"):
            group(one, size)
    with pytest.raises(InputError, match="profiles"):
        maximum([])
