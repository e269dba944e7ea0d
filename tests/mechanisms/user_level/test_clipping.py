"""Clipping against reals by other means; sensitivities against every pair of histograms; and refused noise."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import floor
from typing import Any

import pytest

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import CLIPPED_SUM_L1
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2
from dpcert.mechanisms.user_level.clipping import (
    MAX_INPUTS,
    clip_l1,
    clip_l2,
    clipped_sum,
    datasets,
    histograms,
    sensitivity_l1,
    shifts,
    square_sensitivity_l2,
    users_domain,
)

CLIPS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 3), Fraction(3)]
GRIDS = [1, 2, 3, 7]
CLIPPINGS: list[tuple[int, Callable[..., tuple[int, ...]]]] = [(1, clip_l1), (2, clip_l2)]
"""By the power whose root is the norm."""


def reached(count: int, grid: int, clip: Fraction, size: int, power: int) -> int:
    """The largest a with a <= g h_j min(1, C/|h|), for |h|^power = size, found by steps of one."""
    a = 0
    while (a + 1) ** power * size <= (grid * count * clip) ** power and a < grid * count:
        a += 1
    return a


@pytest.mark.parametrize("clip", CLIPS, ids=str)
@pytest.mark.parametrize("grid", GRIDS)
def test_twin_each_entry_is_the_largest_multiple_that_the_real_clipping_reaches(clip: Fraction, grid: int) -> None:
    for counts in histograms(dimension=3, most=4):
        l1, squares = sum(counts), sum(count * count for count in counts)
        assert clip_l1(counts, clip=clip, grid=grid) == tuple(reached(x, grid, clip, l1, 1) for x in counts)
        assert clip_l2(counts, clip=clip, grid=grid) == tuple(reached(x, grid, clip, squares, 2) for x in counts)


@pytest.mark.parametrize("clip", CLIPS, ids=str)
@pytest.mark.parametrize("grid", GRIDS)
def test_no_norm_is_raised_and_zeros_stay(clip: Fraction, grid: int) -> None:
    for counts in histograms(dimension=3, most=5):
        first, second = clip_l1(counts, clip=clip, grid=grid), clip_l2(counts, clip=clip, grid=grid)
        assert sum(first) <= min(grid * sum(counts), floor(grid * clip))
        squares = sum(count * count for count in counts)
        assert sum(entry * entry for entry in second) <= grid * grid * squares
        assert sum(entry * entry for entry in second) <= grid * clip * grid * clip
        assert all(
            (entry == 0) >= (count == 0) for row in (first, second) for entry, count in zip(row, counts, strict=True)
        )
    assert clip_l1((0, 0, 0), clip=clip, grid=grid) == clip_l2((0, 0, 0), clip=clip, grid=grid) == (0, 0, 0)


@pytest.mark.parametrize("clip", CLIPS, ids=str)
@pytest.mark.parametrize("grid", [1, 2, 3])
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_twin_sensitivities_are_the_greatest_distances_of_all_pairs(clip: Fraction, grid: int, dimension: int) -> None:
    """In l1 exactly, and in l2 where g C is an integer; elsewhere no pair is further apart."""
    users = histograms(dimension=dimension, most=4 if dimension < 3 else 3)
    clipped = [({clipping(h, clip=clip, grid=grid) for h in users}, power) for power, clipping in CLIPPINGS]
    l1, l2 = (
        max(sum(abs(x - y) ** power for x, y in zip(a, b, strict=True)) for a in rows for b in rows)
        for rows, power in clipped
    )
    assert l1 == sensitivity_l1(dimension=dimension, clip=clip, grid=grid)
    bound = square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid)
    assert l2 == bound if (grid * clip).denominator == 1 or dimension == 1 else l2 <= bound


def test_replacing_a_user_costs_root_two_of_the_clip_in_l2_and_twice_the_clip_in_l1() -> None:
    """And the clip alone where there is one item: 2C is never reached by counts, which have no negative entries."""
    for dimension, l1, l2 in ((1, 1, 1), (2, 2, 2), (9, 2, 2)):
        assert sensitivity_l1(dimension=dimension, clip=Fraction(7)) == 7 * l1
        assert square_sensitivity_l2(dimension=dimension, clip=Fraction(7)) == 49 * l2


@pytest.mark.parametrize("clipping", [clip_l1, clip_l2])
def test_twin_sums_of_neighbours_differ_as_single_users_do(clipping: Any) -> None:
    clipped = partial(clipping, clip=Fraction(3, 2), grid=2)
    between = set(shifts(map(clipped, histograms(dimension=2, most=2))))
    found = set()
    for one in datasets(users=2, dimension=2, most=2):
        for place, other in product(range(2), histograms(dimension=2, most=2)):
            two = (*one[:place], other, *one[place + 1 :])
            a, b = (clipped_sum(users, clipped=clipped, dimension=2) for users in (one, two))
            found.add(tuple(sorted(abs(x - y) for x, y in zip(a, b, strict=True))))
    assert found - {(0, 0)} == between


def test_it_keeps_what_fits_and_takes_counts_of_any_size() -> None:
    assert clip_l1((0, 3), clip=Fraction(3)) == (0, 3)
    assert clip_l1((10**30, 10**30), clip=Fraction(3), grid=2) == (3, 3)
    assert clip_l2((10**30, 10**30), clip=Fraction(10), grid=1) == (7, 7)
    assert clip_l2((3, 4), clip=Fraction(5), grid=2) == (6, 8)
    assert clip_l2((6, 8), clip=Fraction(5), grid=2) == (6, 8)


@pytest.mark.parametrize(
    ("mechanism", "settings", "given"),
    [
        (CLIPPED_SUM_L1, {"epsilon": "0"}, "epsilon=0"),
        (CLIPPED_SUM_L1, {"epsilon": "1e-10"}, "for 4 steps"),
        (CLIPPED_SUM_L1, {"clip": "60", "users": "1"}, "121 values of each of 2"),
        (CLIPPED_SUM_L2, {"sigma": "0"}, "sigma=0"),
        (CLIPPED_SUM_L2, {"sigma": "-1"}, "sigma=-1"),
        (CLIPPED_SUM_L2, {"sigma": "20"}, "values of each of 2"),
        (CLIPPED_SUM_L2, {"reach": "0"}, "reach=0"),
        (CLIPPED_SUM_L2, {"depth": "0"}, "depth=0"),
        (CLIPPED_SUM_L2, {"delta": "little"}, "little"),
        (CLIPPED_SUM_L2, {"method": "luck"}, "method=luck"),
    ],
)
def test_refused_noise(refused: Any, mechanism: Mechanism, settings: dict[str, str], given: str) -> None:
    refused(mechanism, settings, given)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (((0, 1), (2, 0)), None),
        (((10**40, 1), (2, 0)), None),
        ([[0, 1], (2, 0)], None),
        ("(0, 1)", "of type str"),
        ({0: (0, 1), 1: (2, 0)}, "of type dict"),
        (((0, 1),), "has 1 users"),
        (((0, 1), {2, 0}), "user 1 is of type set"),
        (((0, 1), (2,)), "user 1 has 1 counts"),
        (((0, 1), (2, 0, 0)), "user 1 has 3 counts"),
        (((0, True), (2, 0)), "user 0 has a count of type bool"),
        (((0, 1.0), (2, 0)), "user 0 has a count of type float"),
        (((0, 1), (2, -1)), "user 1 has a count below 0"),
    ],
)
def test_a_domain_of_users(value: Any, fault: str | None) -> None:
    domain = users_domain(users=2, dimension=2)
    assert domain.words == "a tuple or list of 2 users, each a tuple or list of 2 counts >= 0"
    assert (value in domain) is (fault is None)
    assert fault is None or fault in str(domain.fault(value))


def test_the_data_sets_are_all_and_no_more_than_can_be_audited() -> None:
    assert len(set(datasets(users=2, dimension=2, most=2))) == 81
    assert len(datasets(users=1, dimension=3, most=16)) == 17**3 <= MAX_INPUTS
    with pytest.raises(InputError, match="make 5832 data sets"):
        datasets(users=1, dimension=3, most=17)
