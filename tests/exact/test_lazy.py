"""Evidence for lazy.py: the law of any small expression over undecided draws is that of plain enumeration."""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import Coins, Dist
from dpcert.reading.paths.enumerator import Enumeration, Limits, enumerate_law

Twin = Callable[..., Enumeration]
Law = Callable[..., Dist]
Expression = tuple[Any, ...]

TABLE = (3, 1, 4, 1, 5)
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "/": operator.truediv,
    "**": lambda a, b: a ** min(abs(b), 3),
    "<<": lambda a, b: a << (b & 7),
    ">>": operator.rshift,
    "divmod": divmod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "min": min,
    "max": max,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "abs": abs,
    "not": operator.not_,
    "bit_length": lambda a: a.bit_length(),
    "round": lambda a: round(a, -1),
    "floor": math.floor,
    "index": lambda a: TABLE[a % 5],
    "clamp": lambda a: min(max(a, -2), 4),
    "if": lambda a: 7 if a > 2 else a,
    "first": lambda a: a[0] if isinstance(a, tuple) else a,
    "text": str,
}
INTEGERS = {"&", "|", "^", "<<", ">>", "~", "bit_length", "index"}
NUMBERS = tuple(name for name in BINARY if name != "divmod")

leaves = st.one_of(
    st.tuples(st.just("draw"), st.sampled_from([0, 0, 1])),
    st.tuples(st.just("constant"), st.sampled_from([0, 1, 2, 3, 5, 7, 8, 15, -1, -3, 10])),
)


def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    constants = st.tuples(st.just("constant"), st.integers(-4, 17))
    return st.one_of(
        st.tuples(st.sampled_from(NUMBERS), inner, st.one_of(constants, inner)),
        st.tuples(st.sampled_from(NUMBERS), constants, inner),
        st.tuples(st.sampled_from(["-", "~", "abs", "bit_length", "clamp", "if", "index", "round"]), inner),
    )


expressions = st.recursive(leaves, grow, max_leaves=6)
outer = st.one_of(
    expressions,
    st.tuples(st.just("divmod"), expressions, expressions),
    st.tuples(st.sampled_from(["not", "text", "floor", "first"]), expressions),
)


def value_of(expression: Expression, draws: list[Any]) -> Any:
    name, *parts = expression
    if name == "draw":
        return draws[parts[0]]
    if name == "constant":
        return parts[0]
    values = [value_of(part, draws) for part in parts]
    if name in INTEGERS:
        values = [math.floor(value) if isinstance(value, float) else value for value in values]
    return BINARY[name](*values) if len(values) == 2 else UNARY[name](*values)


@pytest.mark.nightly
@given(outer, st.integers(1, 12), st.integers(1, 5))
def test_exact_twin_of_any_expression(twin: Twin, expression: Expression, first: int, second: int) -> None:
    def program(_: None, coins: Coins) -> Any:
        return value_of(expression, [coins.below(first), coins.below(second)])

    twin(program)


@pytest.mark.nightly
@given(expressions, expressions, st.integers(1, 12))
def test_exact_twin_when_one_draw_is_asked_twice(twin: Twin, first: Expression, second: Expression, bound: int) -> None:
    def program(_: None, coins: Coins) -> Any:
        draws = [coins.below(bound), 2]
        try:
            asked = value_of(first, draws) > 3
        except (ZeroDivisionError, ValueError, OverflowError):
            asked = None
        return asked, value_of(second, draws)

    twin(program)


moduli = st.integers(1, 12)
small = st.integers(-8, 8)


@pytest.mark.nightly
@given(st.integers(1, 60), small, moduli, moduli, small, small)
@example(60, 0, 4, 8, 1, 1)  # the second modulus is a multiple of the first
@example(60, 0, 12, 4, 1, 1)  # a divisor
@example(60, 3, 5, 7, 1, 1)  # coprime
@example(60, -3, 6, 4, 0, 0)
def test_exact_twin_of_nested_remainders(
    twin: Twin, bound: int, shift: int, first: int, second: int, c: int, k: int
) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.below(bound) + shift
        a = u % first
        low = a <= c
        b = (u + c) % second
        return low, b == k, a > k, u // first > k, (u + k) % (first * second) <= c, u - k < c

    twin(program)


@pytest.mark.nightly
@given(st.integers(1, 60), st.lists(st.tuples(st.sampled_from(["%", "//", "+"]), moduli), max_size=4), small)
def test_exact_twin_of_chains_of_quotients_and_remainders(
    twin: Twin, bound: int, steps: list[tuple[str, int]], c: int
) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = v = coins.below(bound)
        for name, constant in steps:
            v = BINARY[name](v, constant)
        return v < c, u <= c, v

    twin(program)


@pytest.mark.nightly
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6))
def test_exact_twin_of_bits_read_in_any_order(twin: Twin, places: list[int]) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.getrandbits(6)
        return [(u >> place) & 1 for place in places], u < 20

    twin(program)


@pytest.mark.nightly
@given(st.integers(2, 40), st.integers(-6, 6), st.integers(-9, 9), st.integers(-60, 60))
def test_exact_twin_of_images_with_gaps_and_signs(twin: Twin, bound: int, scale: int, shift: int, c: int) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = scale * coins.below(bound) + shift
        return u <= c, u == c + 1, c < u, -u // 3 >= c, ~u != c

    twin(program)


def test_one_question_costs_two_leaves_whatever_the_size_of_the_draw() -> None:
    for bits in (8, 64, 4000):
        bound = 1 << bits

        def program(third: int, coins: Coins) -> bool:
            return coins.below(3 * third) < third

        found = enumerate_law(program, bound)
        assert found.leaves == 2
        assert found.law.prob(True) == Fraction(1, 3)


def test_a_question_that_the_rest_of_a_block_answers_splits_once() -> None:
    def program(_: None, coins: Coins) -> tuple[bool, bool]:
        u = coins.below(100)
        return u % 10 >= 5, u <= 42

    found = enumerate_law(program, None)
    assert found.leaves == 6
    counts = {(True, True): 20, (True, False): 30, (False, True): 23, (False, False): 27}
    assert found.law == Dist.from_weights(counts.items(), 100)


def test_inverse_transform_is_enumerated_by_its_outcomes() -> None:
    thresholds = [(1 << 4000) * (k + 1) ** 2 // 400**2 for k in range(400)]

    def program(_: None, coins: Coins) -> int:
        u = coins.below(1 << 4000)
        lo, hi = 0, len(thresholds) - 1
        while lo < hi:
            middle = (lo + hi) // 2
            lo, hi = (lo, middle) if u < thresholds[middle] else (middle + 1, hi)
        return lo

    found = enumerate_law(program, None, merge=False)
    assert found.leaves == 400
    gaps = [b - a for a, b in zip([0, *thresholds], thresholds, strict=False)]
    assert found.law == Dist.from_weights(enumerate(gaps), 1 << 4000)


def test_modulo_bias_is_exact_on_a_seed_of_4000_bits() -> None:
    found = enumerate_law(lambda _, coins: coins.getrandbits(4000) % 7, None)
    assert found.leaves <= 14
    weights = [len(range(k, 1 << 12, 7)) for k in range(7)]  # 2^4000 = 2^1 and 2^12 = 2^0 modulo 7
    assert sum(weights) == 1 << 12
    counts = [((1 << 4000) - k + 6) // 7 for k in range(7)]
    assert found.law == Dist.from_weights(enumerate(counts), 1 << 4000)


def test_the_bits_of_a_seed_are_independent_and_cost_one_split_each() -> None:
    def program(_: None, coins: Coins) -> int:
        u = coins.getrandbits(4000)
        return sum((u >> place) & 1 for place in (3999, 17, 2000))

    found = enumerate_law(program, None)
    assert found.leaves == 8
    assert found.law == Dist.from_weights([(0, 1), (1, 3), (2, 3), (3, 1)], 8)


def test_few_values_far_apart_are_decided() -> None:
    found = enumerate_law(lambda _, coins: coins.below(3) * 10**40 - 5, None)
    assert found.law == Dist.uniform([-5, 10**40 - 5, 2 * 10**40 - 5])


def test_what_cannot_be_decided_value_by_value_stays_in_the_tail() -> None:
    found = enumerate_law(lambda _, coins: str(coins.below(1 << 64)), None)
    assert found.law.tail == 1
    assert found.notes == ("a draw with 64 undecided bits was needed as a plain number",)


def test_a_decided_part_of_a_huge_draw_keeps_its_mass() -> None:
    def program(_: None, coins: Coins) -> object:
        u = coins.below(1 << 64)
        return u if u < 3 else "large"

    found = enumerate_law(program, None)
    pairs = [(0, 1), (1, 1), (2, 1), ("large", (1 << 64) - 3)]
    assert found.law == Dist.from_weights(pairs, 1 << 64)
    assert found.leaves == 4


@pytest.mark.parametrize(
    "wrap", [lambda u: (u,), lambda u: [u, [u]], lambda u: {"a": u}, lambda u: {u}, lambda u: {u: (u, 1)}, lambda u: u]
)
def test_undecided_numbers_in_an_outcome_are_decided(twin: Twin, wrap: Callable[[Any], Any]) -> None:
    assert twin(lambda _, coins: wrap(coins.below(5))).leaves == 5


def test_numpy_decides(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.below(3)
        return np.int64(3) + u, np.int64(1) < u, (np.arange(9) * 2)[u], u == np.float64(1)

    twin(program)


def test_a_draw_of_one_value_is_never_split(law: Law) -> None:
    assert law(lambda coins: (coins.below(1) == 0, coins.getrandbits(0))) == Dist.point((True, 0))


def test_a_run_limit_is_met_by_values_and_not_by_span(law: Law) -> None:
    limits = Limits(max_runs=3)
    assert law(lambda coins: coins.below(3) << 100, limits=limits) == Dist.uniform([0, 1 << 100, 2 << 100])
    assert law(lambda coins: coins.below(4), limits=limits).tail == 1


def test_a_loop_over_the_bits_of_a_draw_splits_only_at_the_bits_it_asks() -> None:
    def trailing_zeros(_: None, coins: Coins) -> int:
        u, zeros = coins.below(2**64), 0
        while zeros < 64 and u & 1 == 0:
            u >>= 1
            zeros += 1
        return zeros

    found = enumerate_law(trailing_zeros, None)
    assert found.leaves == 65
    assert found.law == Dist.from_weights([*((z, 2 ** (63 - z)) for z in range(64)), (64, 1)], 2**64)


SELDOM: list[Callable[[Any], object]] = [
    lambda u: (u % 4 == 1, u % 2),
    lambda u: (u % 2, (u + 1) % 2),
    lambda u: (u < math.inf, u == math.nan, u == u, u < u),
    lambda u: 2 * u % 3,
    lambda u: (u.bit_length(), (u - 3).bit_length()),
]


@pytest.mark.parametrize("ask", SELDOM)
def test_exact_twin_of_what_few_programs_ask(twin: Twin, ask: Callable[[Any], object]) -> None:
    twin(lambda _, coins: ask(coins.below(8)))
