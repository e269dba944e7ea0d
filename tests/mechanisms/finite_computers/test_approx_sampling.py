"""The short numbers of Section 6.3 against the paper's recursion in fractions, binomial laws, and every draw."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Coins, Dist, InputError, seeded_coins
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.finite_computers.approx_sampling import (
    approx_bin_law,
    approx_bin_sample,
    approx_conv_exp,
    approx_ordsample,
    approx_ordsample_law,
    convolve,
)
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.ordsample import ordsample_law, scaled_cumulative
from dpcert.proofs.finite_computers.checks.approximation import printed_bin_sample
from dpcert.reading.paths.enumerator import enumerate_law


def by_definition(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(len(a))]


def recursion(a: list[int], i: int, s: int) -> list[int]:
    """Algorithm 6.16, line by line."""
    if i == 1:
        return a
    b = recursion(a, i // 2, s)
    square = by_definition(b, b)
    c = [Fraction(x, s) for x in square] if i % 2 == 0 else [Fraction(x, s**2) for x in by_definition(a, square)]
    return [x.__floor__() for x in c]


def binomial(m: int, p: int, q: int, cap: int) -> Dist:
    return Dist.from_weights(((min(k, cap), comb(m, k) * p**k * (q - p) ** (m - k)) for k in range(m + 1)), q**m)


def drawn(u: int, *, m: int, p: int, q: int, s: int, cap: int, long_bits: int) -> int:
    coins = Coins(Recorded([(s, u - 1)]))
    return approx_bin_sample(m=m, p=p, q=q, s=s, cap=cap, coins=coins, long_bits=long_bits)


CUMULATIVES = [(n, scaled_cumulative(geosample_law(n=n, k=k)(0), n)) for n in (1, 2) for k in (1, 2)]


@given(st.integers(1, 6).flatmap(lambda t: st.tuples(*[st.lists(st.integers(0, 10**9), min_size=t, max_size=t)] * 2)))
def test_twin_one_long_product_is_the_convolution(pair: tuple[list[int], list[int]]) -> None:
    a, b = pair
    assert convolve(a, b) == by_definition(a, b)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=5), st.integers(1, 40), st.integers(0, 60))
def test_twin_the_recursion_and_the_bounds_of_proposition_6_15(a: list[int], i: int, room: int) -> None:
    s, t = max(1, sum(a) + room), len(a)
    d = approx_conv_exp(a, i, s=s)
    assert d == recursion(a, i, s)
    assert sum(d) <= s
    exact = a
    for _ in range(i - 1):
        exact = by_definition(exact, a)
    lost = [Fraction(y, s**i) - Fraction(x, s) for x, y in zip(d, exact, strict=True)]
    assert min(lost) >= 0
    assert sum(lost) <= Fraction(t, s) * (2 ** (i.bit_length() - 1) - 1) <= Fraction(t * (i - 1), s)
    assert all(approx_conv_exp(a[:short], i, s=s) == d[:short] for short in range(1, t))


def test_the_sharper_error_is_reached() -> None:
    """At i = 2 and i = 3 all but a fraction 1/s of t/s is lost, where Proposition 6.15 iii allows t/s and 2t/s."""
    for i, s in ((2, 37), (3, 39)):
        lost = max(Fraction(a, s) ** i * s - approx_conv_exp([a], i, s=s)[0] for a in range(s + 1))
        assert Fraction(9, 10) < lost < 1


@pytest.mark.parametrize("cap", [0, 1, 2, 3, 6])
@pytest.mark.parametrize(
    ("m", "p", "q", "s"), [(1, 0, 1, 1), (3, 1, 3, 7), (5, 1, 4, 64), (4, 2, 2, 5), (6, 1, 2, 100)]
)
def test_twin_program_closed_form_and_every_draw_give_one_law(m: int, p: int, q: int, s: int, cap: int) -> None:
    closed = approx_bin_law(m=m, p=p, q=q, s=s, cap=cap)
    found = enumerate_law(
        lambda _, coins: approx_bin_sample(m=m, p=p, q=q, s=s, cap=cap, coins=coins), None, draws=True
    ).law
    assert found == closed.map(lambda k: (k, (s,)))
    for long_bits in (0, 10**9):
        each = ((drawn(u, m=m, p=p, q=q, s=s, cap=cap, long_bits=long_bits), 1) for u in range(1, s + 1))
        assert Dist.from_weights(each, s) == closed
    assert closed.total_variation(binomial(m, p, q, cap)) <= Fraction(m * (cap + 1) - cap, s)


def test_caught_the_algorithm_as_printed_never_returns_0() -> None:
    for m, p, s, cap in product((1, 2, 3), (0, 1), (4, 9), (1, 2, 3)):
        printed = [printed_bin_sample(m, p, 2, s, cap, u) for u in range(1, s + 1)]
        meant = [drawn(u, m=m, p=p, q=2, s=s, cap=cap, long_bits=10**9) for u in range(1, s + 1)]
        assert 0 not in printed
        assert printed == [max(1, k) for k in meant]


@pytest.mark.nightly
def test_twin_bounds_tried_first_change_no_outcome_and_decide_nearly_always() -> None:
    """Long numbers, drawn all over and where they are close to a sum of weights; alpha = 0: the seed is fixed."""
    chance, undecided = random.Random(6), 0
    for _ in range(60):
        m, s = chance.choice([(50, 2**90), (10**6, 2**150), (2**40, 2**400)])
        q = chance.randrange(2, 2**60)
        p = min(q // 2, q * chance.choice([1, 10, 50, 300]) // (10 * m))
        cap = chance.randrange(1, 9)
        sums = 0
        for weight in [0, *(approx_bin_law(m=m, p=p, q=q, s=s, cap=cap).prob(k) * s for k in range(cap))]:
            sums += int(weight)
            for u in {min(s, max(1, sums)), min(s, sums + 1), chance.randrange(1, s + 1)}:
                found = [drawn(u, m=m, p=p, q=q, s=s, cap=cap, long_bits=long_bits) for long_bits in (0, 10**9)]
                assert found[0] == found[1]
    for u in (chance.randrange(1, 2**400 + 1) for _ in range(100)):
        from_bounds = drawn(u, m=2**64, p=3, q=2**66, s=2**400, cap=5, long_bits=0)
        undecided += from_bounds > 5
    assert undecided == 0


@pytest.mark.parametrize(("n", "cumulative"), CUMULATIVES)
@pytest.mark.parametrize(("more", "s"), [(0, 3), (0, 100), (3, 8), (3, 1000)])
def test_twin_order_statistics(n: int, cumulative: tuple[int, ...], more: int, s: int) -> None:
    m = n + 1 + more
    closed = approx_ordsample_law(cumulative=cumulative, s=s)(m)
    found = enumerate_law(approx_ordsample(cumulative=cumulative, s=s), m, draws=True).law
    assert found == closed.map(lambda counts: (counts, (s,) * n))
    assert set(closed.outcomes()) <= set(combinations_with_replacement(range(n, -1, -1), n + 1))
    assert closed.tail == 0
    distance = closed.total_variation(ordsample_law(cumulative=cumulative)(m))
    assert distance <= Fraction(m * (n * n + 2 * n), s)


def test_twin_order_statistics_of_one_level_are_the_rounded_binomial() -> None:
    """n = 1: the number of ones among the two greatest is min(Bin(m, p), 2)."""
    cumulative = scaled_cumulative(geosample_law(n=1, k=2)(0), 1)
    for m, s in ((2, 5), (4, 100)):
        law = approx_ordsample_law(cumulative=cumulative, s=s)(m).map(sum)
        assert law == approx_bin_law(m=m, p=4, q=9, s=s, cap=2)


def test_the_distance_falls_with_s() -> None:
    cumulative = scaled_cumulative(geosample_law(n=2, k=2)(0), 2)
    exact = ordsample_law(cumulative=cumulative)(4)
    distances = [approx_ordsample_law(cumulative=cumulative, s=10**e)(4).total_variation(exact) for e in range(1, 7)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < Fraction(1, 10**5)


def test_twin_long_weights_sample_as_the_plain_search_does() -> None:
    """n = 80: the bounds are tried, and the search is forced beside them, on the same coins."""
    n, s = 80, 2**120
    cumulative = scaled_cumulative(geosample_law(n=n, k=2)(0), n)
    plain = partial(approx_bin_sample, long_bits=10**12)
    for seed in range(3):
        quick = approx_ordsample(cumulative=cumulative, s=s)(2**40, seeded_coins(seed))
        slow = approx_ordsample(cumulative=cumulative, s=s, binomial=plain)(2**40, seeded_coins(seed))
        assert quick == slow == tuple(sorted(quick, reverse=True))
        assert len(quick) == n + 1
        assert prod(quick[:3]) > 0


@pytest.mark.parametrize(
    ("cumulative", "m", "s"), [((5, 9), 1, 9), ((5, 9), 10, 9), ((0, 9), 2, 9), ((9, 5), 2, 9), ((9,), 2, 9)]
)
def test_refused_order_statistics(cumulative: tuple[int, ...], m: int, s: int) -> None:
    with pytest.raises(InputError) as program:
        approx_ordsample(cumulative=cumulative, s=s)(m, seeded_coins(1))
    with pytest.raises(InputError) as law:
        approx_ordsample_law(cumulative=cumulative, s=s)(m)
    assert str(program.value) == str(law.value)
    assert "\n" not in str(law.value)
