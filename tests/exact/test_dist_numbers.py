"""Laws of numbers: arithmetic by enumeration, named laws by their formulas, and what is refused."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, cast

import mpmath
import numpy as np
import pytest

from dpcert import Coins, Dist, InputError, seeded_coins
from dpcert.reading.paths.enumerator import enumerate_law

DIE = Dist.uniform(range(1, 7))
SKEW = Dist.of({-1: "1/2", 3: "1/3", 4: "1/6"})
HALF = Fraction(1, 2)


def by_pairs(name: str) -> Dist:
    return Dist.of((getattr(x, name)(y), p * q) for (x, p), (y, q) in product(DIE.items(), SKEW.items()))


def merged(pairs: Dist) -> dict[object, Fraction]:
    return {x: pairs[x] for x in pairs}


@pytest.mark.parametrize("name", ["__add__", "__sub__", "__mul__", "__lt__", "__le__", "__gt__", "__ge__"])
def test_exact_twin_of_operators_by_all_pairs(name: str) -> None:
    found = getattr(DIE, name)(SKEW)
    assert found == by_pairs(name)
    assert merged(found) == merged(by_pairs(name))
    assert getattr(DIE, name)(3) == DIE.map(lambda x: getattr(x, name)(3))


def test_numbers_on_either_side() -> None:
    assert DIE.map(lambda x: 10 - x) == 10 - DIE
    assert DIE.map(lambda x: 2 * x + HALF) == 2 * DIE + HALF
    assert HALF + DIE == DIE + HALF
    assert DIE.map(lambda x: -x) == -DIE
    assert (DIE > 3) == (DIE > 3)
    assert Dist.point(0) != DIE - DIE
    assert (SKEW + Dist.of({1: "3/4"}, tail="1/4")).tail == Fraction(1, 4)


def test_moments_and_quantiles() -> None:
    assert (SKEW.mean(), SKEW.variance()) == (Fraction(7, 6), Fraction(1, 2) + 3 + Fraction(8, 3) - Fraction(49, 36))
    assert [SKEW.quantile(level) for level in ("1/100", "1/2", "501/1000", "5/6", "1")] == [-1, -1, 3, 3, 4]
    assert [SKEW.cdf(x) for x in (-2, -1, HALF, 3, 9)] == [0, HALF, HALF, Fraction(5, 6), 1]
    assert (list(SKEW), SKEW[3], SKEW[True]) == ([-1, 3, 4], Fraction(1, 3), 0)


def test_named_laws_by_their_formulas() -> None:
    three = Dist.binomial(3, "1/4")
    assert all(three[v] == comb(3, v) * Fraction(1, 4) ** v * Fraction(3, 4) ** (3 - v) for v in range(4))
    assert (Dist.binomial(0, "1/2"), Dist.binomial(2, 1)) == (Dist.point(0), Dist.point(2))
    geometric = Dist.geometric("1/3", most=4)
    assert (geometric[2], geometric.tail) == (Fraction(4, 27), Fraction(2, 3) ** 5)
    assert Dist.from_counts({"a": 3, "b": 1, "c": 0}) == Dist.of({"a": "3/4", "b": "1/4"})
    assert Dist.from_counts(zip(*map(list, np.array([[5, 6], [1, 3]]).tolist()), strict=True)) == Dist.of(
        {5: "1/4", 6: "3/4"}
    )


@pytest.mark.parametrize("mean", ["2", "1/7", "30"])
def test_twin_of_a_poisson_law_by_mpmath(mean: str) -> None:
    law = Dist.poisson(mean, most=80)
    assert law.tail < Fraction(1, 10**9)
    with mpmath.workdps(60):
        rate = mpmath.mpf(Fraction(mean).numerator) / Fraction(mean).denominator
        for v in range(81):
            exactly = mpmath.exp(-rate) * rate**v / mpmath.factorial(v)
            gap = exactly - mpmath.mpf(law[v].numerator) / law[v].denominator
            assert 0 <= gap < mpmath.mpf(2) ** -126


def test_exact_twin_of_a_sample_by_enumeration() -> None:
    def program(_: object, coins: Coins) -> object:
        return SKEW.sample(coins)

    assert enumerate_law(program, None).law == SKEW
    assert SKEW.sample(seeded_coins(1)) in (-1, 3, 4)


@pytest.mark.parametrize("law", [SKEW, Dist.of([("a", "1/2"), (None, "1/8"), (True, "1/8"), (1, "1/8")], tail="1/8")])
def test_a_law_comes_back_from_json(law: Dist) -> None:
    assert Dist.from_json(json.loads(json.dumps(law.to_json()))) == law


def test_columns_are_rounded_floats() -> None:
    assert SKEW.columns() == {"outcome": [-1, 3, 4], "probability": [0.5, 1 / 3, 1 / 6]}


class Series:
    """What pandas' Series has of what is asked here: items, and values in order."""

    def __init__(self, rows: dict[Any, Any]) -> None:
        self.rows = rows

    def items(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.rows.items())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows.values())

    def tolist(self) -> list[Any]:
        return list(self)


class Frozen:
    """What a frozen distribution of scipy has."""

    def pmf(self, value: int) -> float:
        return 0.5

    def __iter__(self) -> Iterator[Any]:
        return iter([("a", "1/2"), ("b", "1/2")])


def test_laws_of_arrays_and_series_are_those_of_their_entries() -> None:
    values = np.array([1, 1, 2])
    assert Dist.from_array(values) == Dist.of({1: "2/3", 2: "1/3"}) == Dist.from_array(Series({0: 1, 1: 2, 2: 1}))
    assert Dist.from_array(values.astype(float)) == Dist.of({1.0: "2/3", 2.0: "1/3"})
    counted = Dist.of({"a": "3/4", "b": "1/4"})
    assert Dist.from_counts(Series({"a": np.int64(3), "b": np.uint8(1)})) == counted
    assert Dist.from_counts(zip("ab", np.array([3, 1]), strict=True)) == counted
    assert Dist.of(cast("Any", Series({"a": "3/4", "b": "1/4"}))) == counted


def test_refused_floats_that_would_pass_for_exact() -> None:
    for call, words in (
        (lambda: Dist.of(cast("Any", Frozen())), "Dist.binomial"),
        (lambda: Dist.from_counts(cast("Any", Frozen())), "Dist.binomial"),
        (lambda: Dist.of(cast("Any", 3)), "pairs of outcome"),
        (lambda: Dist.of(zip("ab", np.array([0.5, 0.5]), strict=True)), "A float is not"),
        (lambda: Dist.from_counts(zip("ab", np.array([3.0, 1.0]), strict=True)), "ints >= 0"),
        (lambda: Dist.from_counts(zip("ab", np.array([True, True]), strict=True)), "ints >= 0"),
        (lambda: Dist.from_counts(cast("Any", np.array([3, 1]))), "use zip"),
        (lambda: Dist.from_array([1, 2]), "Dist.uniform of a list"),
        (lambda: Dist.from_array(np.array([])), "an iterable with items"),
    ):
        with pytest.raises(InputError, match=words):
            call()


def test_refused_floats_arrays_and_what_is_no_number() -> None:
    for other in (0.5, "1/2", True, np.int64(1), None):
        with pytest.raises(InputError, match="int or Fraction"):
            _ = DIE + other
    for law in (Dist.point("a"), Dist.point(True), Dist.point(1.0)):
        with pytest.raises(InputError, match="int or Fraction"):
            _ = law + 1
    with pytest.raises(TypeError, match="columns"):
        np.array(DIE)
    with pytest.raises(TypeError, match="truth value"):
        sorted([DIE, SKEW])


def test_refused_parameters() -> None:
    tail = Dist.of({1: "1/2"}, tail="1/2")
    for call in (
        lambda: Dist.binomial(-1, "1/2"),
        lambda: Dist.binomial(True, "1/2"),
        lambda: Dist.binomial(2, "3/2"),
        lambda: Dist.geometric(0, most=3),
        lambda: Dist.geometric("1/2", most=-1),
        lambda: Dist.poisson(-1, most=3),
        lambda: Dist.poisson(1, most=cast("Any", 1.0)),
        lambda: Dist.from_counts({}),
        lambda: Dist.from_counts({"a": -1, "b": 3}),
        lambda: Dist.from_counts({"a": cast("Any", 0.5), "b": 3}),
        lambda: Dist.from_json({"law": []}),
        lambda: Dist.from_json({"law": [[[1], "1/1"]], "tail": "0"}),
        lambda: Dist.point((1,)).to_json(),
        lambda: SKEW.quantile(0),
        lambda: tail.quantile("1/4"),
        lambda: tail.sample(seeded_coins(0)),
        lambda: tail.mean(),
    ):
        with pytest.raises(InputError):
            call()
