"""Order statistics: the program, its closed form and all ways to draw are one law; the earlier version's is another."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import pytest

from dpcert import Coins, Dist, InputError, seeded_coins
from dpcert.mechanisms.broken.keep_heavy_sparse import continuous_order_statistics
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.ordsample import (
    capped_binomial,
    order_statistic_cdf,
    ordsample,
    ordsample_law,
    scaled_cumulative,
)
from dpcert.reading.paths.enumerator import enumerate_law

Law = dict[tuple[int, ...], Fraction]

NOISE = [scaled_cumulative(geosample_law(n=n, k=k)(0), n) for n in (1, 2, 3) for k in (1, 2)]
FAST = scaled_cumulative(fastsample_law(n=2, epsilon=Fraction(1), gamma=Fraction(1, 3))(0), 2)


def cumulatives(n: int, d: int) -> Iterator[tuple[int, ...]]:
    """Every F(0) <= ... <= F(n) = d with F(0) >= 1."""
    return ((*head, d) for head in combinations_with_replacement(range(1, d + 1), n))


CASES = [
    *((f, m) for n in (1, 2) for d in (1, 2, 3) for f in cumulatives(n, d) for m in (n + 1, n + 2, n + 3)),
    *((f, len(f) + 1) for f in (*NOISE, FAST)),
    ((1, 1, 2, 5), 5),
]


def by_hand(f: Sequence[int], m: int) -> Law:
    """Every way in which m independent counts can come out, sorted, its n + 1 greatest."""
    point = [(z, Fraction(a - b, f[-1])) for z, (a, b) in enumerate(zip(f, (0, *f), strict=False))]
    law: Law = {}
    for way in product(point, repeat=m):
        top = tuple(sorted((z for z, _ in way), reverse=True)[: len(f)])
        law[top] = law.get(top, Fraction(0)) + prod((p for _, p in way), start=Fraction(1))
    return {top: p for top, p in law.items() if p}


@pytest.mark.points(17)
@pytest.mark.parametrize(("f", "m"), CASES, ids=str)
def test_twin_the_program_the_closed_form_and_every_way_to_draw(f: tuple[int, ...], m: int) -> None:
    law = enumerate_law(ordsample(cumulative=f), m).law
    assert law == ordsample_law(cumulative=f)(m) == Dist.of(by_hand(f, m))
    assert law.tail == 0


@pytest.mark.parametrize(("f", "m"), [*((f, 9) for f in NOISE), ((1, 1, 2, 5), 12)], ids=str)
def test_twin_each_order_statistic_by_the_number_of_counts_above(f: tuple[int, ...], m: int) -> None:
    law = enumerate_law(ordsample(cumulative=f), m).law
    assert law == ordsample_law(cumulative=f)(m)
    for rank, z in product(range(len(f)), repeat=2):

        def at_most(top: tuple[int, ...], rank: int = rank, z: int = z) -> bool:
            return top[rank] <= z

        assert law.prob_of(at_most) == order_statistic_cdf(cumulative=f, m=m, rank=rank, z=z)


@pytest.mark.parametrize(("trials", "hit", "miss", "cap"), [(0, 1, 1, 2), (4, 2, 3, 4), (5, 1, 2, 2), (3, 0, 2, 1)])
def test_twin_the_capped_binomial(trials: int, hit: int, miss: int, cap: int) -> None:
    def draw(_: int, coins: Coins) -> int:
        return capped_binomial(trials=trials, hit=hit, miss=miss, cap=cap, coins=coins)

    law = [(min(j, cap), comb(trials, j) * hit**j * miss ** (trials - j)) for j in range(trials + 1)]
    assert enumerate_law(draw, 0).law == Dist.from_weights(law, (hit + miss) ** trials)


def test_twin_the_scaled_cumulative_of_geosample_is_that_of_algorithm_4_8() -> None:
    for n, k in product((1, 2, 5), (1, 2, 3)):
        d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
        printed = [d - 2 ** (k * (z + 1)) * (2**k + 1) ** (n - 1 - z) for z in range(n)]
        assert list(scaled_cumulative(geosample_law(n=n, k=k)(0), n)) == [*printed, d]


def test_the_earlier_version_is_wrong_on_every_law_that_is_not_certain() -> None:
    """The smallest: of two fair coins both are 1 with probability 1/4, and not 3/8."""
    for n, d in product((1, 2), (1, 2, 3)):
        for f in cumulatives(n, d):
            for m in (n + 1, n + 2):
                earlier = enumerate_law(continuous_order_statistics(cumulative=f), m).law
                assert (earlier == ordsample_law(cumulative=f)(m)) is (f[0] == d)
    earlier = enumerate_law(continuous_order_statistics(cumulative=(1, 2)), 2).law
    assert earlier == Dist.of({(0, 0): "1/4", (1, 0): "3/8", (1, 1): "3/8"})
    assert ordsample_law(cumulative=(1, 2))(2) == Dist.of({(0, 0): "1/4", (1, 0): "1/2", (1, 1): "1/4"})


def test_the_earlier_version_is_right_about_the_greatest_and_raises_the_others() -> None:
    for f in NOISE:
        m, n = len(f) + 2, len(f) - 1
        earlier = enumerate_law(continuous_order_statistics(cumulative=f), m).law
        for rank, z in product(range(n + 1), range(n)):

            def at_most(top: tuple[int, ...], rank: int = rank, z: int = z) -> bool:
                return top[rank] <= z

            right = order_statistic_cdf(cumulative=f, m=m, rank=rank, z=z)
            assert earlier.prob_of(at_most) == right if rank == 0 else earlier.prob_of(at_most) < right


def test_it_draws_once_for_each_level_whatever_comes() -> None:
    for f in (*NOISE, (1, 1, 2, 5)):
        law = enumerate_law(ordsample(cumulative=f), len(f) + 1, draws=True).law
        assert {len(sizes) for _, sizes in law.outcomes()} == {len(f) - 1}


def test_it_samples_from_many() -> None:
    top = ordsample(cumulative=NOISE[-1])(5_000, seeded_coins(1))
    assert top == (3, 3, 3, 3)


@pytest.mark.parametrize("f", [(), (1,), (0, 1), (2, 1), (1, 3, 2), (-1, 2)], ids=str)
def test_refused_cumulatives(f: tuple[int, ...]) -> None:
    for refusing in (ordsample, ordsample_law):
        with pytest.raises(InputError, match="the first >= 1, none below the one before"):
            refusing(cumulative=f)


def test_refused_fewer_counts_than_are_drawn() -> None:
    with pytest.raises(InputError, match=r"m=2 counts in \[0, 2\]: m >= 3"):
        ordsample(cumulative=(1, 2, 3))(2, seeded_coins(1))
    with pytest.raises(InputError, match="raise m"):
        ordsample_law(cumulative=(1, 2, 3))(2)


def test_refused_laws_on_more_than_0_to_n() -> None:
    with pytest.raises(InputError, match="a law on 0 to 1, tail 0"):
        scaled_cumulative(Dist.uniform(3), 1)
    with pytest.raises(InputError, match="tail 0"):
        scaled_cumulative(Dist.of({0: "1/2"}, tail="1/2"), 1)
