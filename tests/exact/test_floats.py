"""Evidence for floats.py: machine probabilities equal integer counts, and small laws their enumeration."""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import Coins, Dist
from dpcert.mechanisms.exact.floats import plain_random
from dpcert.reading.paths.enumerator import Enumeration, enumerate_law

Twin = Callable[..., Enumeration]
Law = Callable[..., Dist]

ALL = 1 << 53
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
POINTS = [0.1, 1 / 3, 0.5, 0.0, -0.0, 1.0, 2.0, -1.0, 5e-324, 1e-300, 2.0**-53, 3 * 2.0**-54]
POINTS += [1 - 2.0**-53, 1 + 2.0**-52, math.inf, -math.inf, math.nan]


def odds(count: int) -> Dist:
    """The law of True for `count` of the 2^53 values of random(), and of False for the rest."""
    return Dist.from_weights([(True, count), (False, ALL - count)], ALL)


def count_below(bound: Fraction) -> int:
    """How many k in [0, 2^53) have k / 2^53 < bound."""
    return min(max(math.ceil(bound * ALL), 0), ALL)


def count_true(op: Callable[[Any, Any], bool], p: float) -> int:
    """How many of the 2^53 values u of random() have op(u, p), counted with integers."""
    if not math.isfinite(p):
        return ALL if op(0, p) else 0
    below = count_below(Fraction(p))
    equal = 1 if 0 <= p < 1 and (Fraction(p) * ALL).denominator == 1 else 0
    counts = {
        operator.lt: below,
        operator.le: below + equal,
        operator.eq: equal,
        operator.gt: ALL - below - equal,
        operator.ge: ALL - below,
        operator.ne: ALL - equal,
    }
    return counts[op]


def first_true(holds: Callable[[int], bool]) -> int:
    """The least k in [0, 2^53] from which on holds(k), for a question that once true stays true."""
    lo, hi = 0, ALL
    while lo < hi:
        middle = (lo + hi) // 2
        lo, hi = (lo, middle) if holds(middle) else (middle + 1, hi)
    return lo


@pytest.mark.points(9)
@pytest.mark.parametrize("op", COMPARISONS)
@pytest.mark.parametrize("p", POINTS)
def test_exact_count_of_random_compared_with_a_float(law: Law, op: Callable[..., bool], p: float) -> None:
    expected = odds(count_true(op, p))
    assert law(lambda coins: op(coins.random(), p)) == expected
    swapped = {operator.lt: operator.gt, operator.le: operator.ge}
    swapped |= {value: name for name, value in swapped.items()}
    assert law(lambda coins: swapped.get(op, op)(p, coins.random())) == expected


@given(st.floats(), st.sampled_from(COMPARISONS))
@example(0.1, operator.lt)
def test_exact_count_of_random_compared_with_any_float(law: Law, p: float, op: Callable[..., bool]) -> None:
    assert law(lambda coins: op(coins.random(), p)) == odds(count_true(op, p))


@pytest.mark.points(2)
@pytest.mark.parametrize("n", [0, 1, 2, -1, 10**400, True])
def test_exact_count_of_random_compared_with_an_int(law: Law, n: int) -> None:
    for op in COMPARISONS:
        below = ALL if n >= 1 else 0
        equal = int(n == 0)
        counts = {"lt": below, "le": below + equal, "eq": equal, "ne": ALL - equal}
        counts |= {"gt": ALL - below - equal, "ge": ALL - below}
        assert law(lambda coins, op=op: op(coins.random(), n)) == odds(counts[op.__name__])


@pytest.mark.parametrize("p", [0.1, 1 / 3, 0.0, 1.0, 2.0**-53, 0.7])
def test_exact_count_of_one_minus_random(law: Law, p: float) -> None:
    expected = odds(ALL - first_true(lambda k: ALL - k < Fraction(p) * ALL))
    assert law(lambda coins: 1 - coins.random() < p) == expected
    assert law(lambda coins: 1.0 - coins.random() < p) == expected


@pytest.mark.points(9)
@pytest.mark.parametrize("faces", [2, 3, 6, 7, 10, 1000])
@pytest.mark.parametrize("to_int", [int, math.floor, math.trunc])
def test_exact_law_of_a_die_from_random(law: Law, faces: int, to_int: Callable[[Any], int]) -> None:
    starts = [first_true(lambda k, face=face: (faces * k) / ALL >= face) for face in range(faces + 1)]
    counts = [b - a for a, b in pairwise(starts)]
    assert sum(counts) == ALL
    assert law(lambda coins: to_int(coins.random() * faces)) == Dist.from_weights(enumerate(counts), ALL)


@pytest.mark.points(14)
@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (-1.0, 1.0), (0.1, 0.3), (5, 7), (3.0, -2.5), (0, 1e300)])
@pytest.mark.parametrize("place", [0.0, 0.2, 0.25, 0.9])
def test_exact_count_of_uniform(law: Law, a: float, b: float, place: float) -> None:
    bound = a + (b - a) * place

    def rounded(k: int) -> float:
        width = Fraction(float(Fraction(b) - Fraction(a)))
        return float(Fraction(a) + Fraction(float(width * Fraction(k, ALL))))

    expected = first_true(lambda k: rounded(k) >= bound) if a < b else ALL - first_true(lambda k: rounded(k) < bound)
    assert law(lambda coins: coins.uniform(a, b) < bound) == odds(expected)


def test_random_is_the_float_that_cpython_returns(law: Law) -> None:
    for k in (0, 1, 2, ALL // 3, ALL // 2, ALL - 1):
        assert plain_random(k) == k / ALL
        assert law(lambda coins, k=k: coins.random() == k / ALL) == odds(1)
    assert law(lambda coins: coins.random() < 0.1).prob(True) == Fraction(900719925474100, 9007199254740992)


def test_choices_by_weight_are_exact(law: Law) -> None:
    counts = [first_true(lambda k, edge=edge: k / ALL * 10.0 >= edge) for edge in (0, 1, 4, 10)]
    pairs = [(name, b - a) for name, a, b in zip("abc", counts, counts[1:], strict=False)]
    found = law(lambda coins: coins.choices("abc", weights=[1, 3, 6])[0])
    assert found == Dist.from_weights(pairs, ALL)


def test_two_questions_to_one_random_are_dependent(law: Law) -> None:
    def program(coins: Coins) -> tuple[bool, bool]:
        u = coins.random()
        return u < 0.25, u > 0.125

    found = law(program)
    assert found.prob((False, False)) == 0
    assert found.prob((True, True)) == Fraction(1, 8) - Fraction(1, ALL)
    assert found.prob((True, False)) == Fraction(1, 8) + Fraction(1, ALL)


CONSTANTS = [0, 1, 2, -3, 0.0, -0.0, 0.5, -0.75, 3.7, 1e308, -1e308, 4e307, 1e-320, math.inf, -math.inf, math.nan]
CONSTANTS += [10**30, 1 << 1100]
STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "r-": lambda x, c: c - x,
    "r*": lambda x, c: c * x,
    "r/": lambda x, c: c / x,
    "//": operator.floordiv,
    "%": operator.mod,
    "abs": lambda x, c: abs(x),
    "neg": lambda x, c: -x,
    "round": lambda x, c: round(x, 1),
    "coarse": lambda x, c: round(x, -308),
    "min": min,
    "max": max,
}
LAST: dict[str, Callable[[Any], Any]] = {
    "value": lambda x: x,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "int": int,
    "round": round,
    "text": str,
    "sign": lambda x: math.copysign(1.0, x),
    "truth": bool,
}


@pytest.mark.nightly
@given(
    st.integers(1, 9),
    st.integers(-9, 9),
    st.sampled_from([1, 2, 3, 8, 0.5, 1e-300]),
    st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(CONSTANTS)), max_size=4),
    st.sampled_from(COMPARISONS),
    st.sampled_from(CONSTANTS),
    st.sampled_from(sorted(LAST)),
)
@example(9, -4, 1, [("*", 1e308), ("*", 10), ("*", 0.0)], operator.lt, 0.5, "truth")  # inf * 0.0 is NaN
@example(9, -4, 1, [("*", 4e307), ("coarse", 0)], operator.lt, 0, "value")  # too large to round at both ends
@example(9, -4, 1, [("*", 1e308), ("*", 10)], operator.lt, 0, "floor")  # infinite at both ends, 0 inside
def test_exact_twin_of_any_float_expression(
    twin: Twin,
    bound: int,
    shift: int,
    divisor: float,
    steps: list[tuple[str, float]],
    op: Callable[..., bool],
    c: float,
    last: str,
) -> None:
    def program(_: None, coins: Coins) -> Any:
        x = (coins.below(bound) + shift) / divisor
        for name, constant in steps:
            x = STEPS[name](x, constant)
        asked = op(x, c)
        return asked, LAST[last](x)

    twin(program)


@pytest.mark.nightly
@given(st.integers(1, 7), st.integers(1, 5), st.sampled_from(["+", "-", "*", "/", "//", "%", "r/"]))
def test_exact_twin_of_two_undecided_floats(twin: Twin, first: int, second: int, name: str) -> None:
    def program(_: None, coins: Coins) -> Any:
        x, u = coins.below(first) / 4, coins.below(second)
        y = u / 8
        return x < y, x <= u, u > x, x == y, STEPS[name](x, u), STEPS[name](y, x)

    twin(program)


@pytest.mark.points(1)
@pytest.mark.parametrize("c", CONSTANTS)
def test_exact_twin_of_an_int_compared_with_a_float(twin: Twin, c: float) -> None:
    for op in COMPARISONS:
        twin(lambda _, coins, op=op: (op(coins.below(5) - 2, c), op(c, coins.below(5) - 2)))


def test_a_float_needed_as_such_stays_in_the_tail() -> None:
    found = enumerate_law(lambda _, coins: coins.random() if coins.below(2) else 0.0, None)
    assert found.law.tail == Fraction(1, 2)
    assert found.law.prob(0.0) == Fraction(1, 2)
    assert found.notes[0] == "a random() with 53 undecided bits was needed as a plain float"
    assert "is needed as a plain number" in found.notes[1]


def test_a_float_of_few_values_is_decided(law: Law) -> None:
    assert law(lambda coins: coins.below(4) / 4) == Dist.uniform([0.0, 0.25, 0.5, 0.75])


@pytest.mark.points(7)
@pytest.mark.parametrize("op", COMPARISONS)
@pytest.mark.parametrize("p", [0.1, 0.5, 0.0, -1.0, math.inf, math.nan])
def test_exact_twin_of_numpys_double_is_the_float_with_numpys_truth(
    law: Law, op: Callable[[Any, Any], bool], p: float
) -> None:
    expected = Dist.from_weights([(True, count_true(op, p)), (False, ALL - count_true(op, p))], ALL)
    assert law(lambda coins: op(coins.random(), np.float64(p))) == expected.map(np.bool_)
    if not math.isnan(p):  # which the machine refuses, that reads what numpy is handed
        assert law(lambda coins: op(np.float64(0) + coins.random(), p)) == expected.map(np.bool_)
    assert law(lambda coins: bool(op(coins.random(), np.float64(p)))) == expected


STEPS = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.nightly
@given(st.sampled_from(STEPS), st.floats(-4, 4), st.booleans(), st.floats(-4, 4))
def test_exact_twin_of_steps_with_numpys_double(
    twin: Twin, op: Callable[[Any, Any], Any], c: float, swap: bool, p: float
) -> None:
    constant = np.float64(c if abs(c) > 1e-3 else 1.5)

    def program(_: None, coins: Coins) -> Any:
        x = coins.below(12) / 16 + 1
        y = op(constant, x) if swap else op(x, constant)
        return y < p, y

    twin(program)


@pytest.mark.parametrize("number", [np.int64(3), np.int32(-2), np.uint32(5)])
def test_twin_a_wide_integer_of_numpy_is_the_double_that_it_is(law: Law, number: Any) -> None:
    def asked(constant: Any) -> Any:
        return law(lambda coins: [bool(constant + 4 * coins.random() > c) for c in (-1, 3.5, 8)])

    assert asked(number) == asked(float(number))
    assert asked(number).tail == 0
    assert law(lambda coins: bool(coins.random() * number > 1)) == law(lambda coins: coins.random() * float(number) > 1)


def test_a_float_beside_one_of_32_bits_is_rounded_before_it_is_compared(law: Law) -> None:
    """From half a step of float32 below 1/4 on, numpy takes the draw for 1/4."""
    assert law(lambda coins: bool(coins.random() < np.float32(0.25))).prob(True) == Fraction(1, 4) - Fraction(
        1, 1 << 27
    )


@pytest.mark.parametrize("number", [np.int8(1), np.uint64(1), np.int64(2**60)])
def test_twin_other_numbers_of_numpy_are_read_by_states(law: Law, number: Any) -> None:
    assert law(lambda coins: bool(coins.random() < number)) == law(lambda coins: coins.random() < float(number))


class Odd(float):
    """A float that compares in its own way, which need not be monotone."""

    def __gt__(self, other: object) -> bool:
        return True

    def __rmul__(self, other: float) -> float:
        return 1 - abs(other - 0.5)


def test_a_float_of_a_class_of_its_own_needs_a_plain_float(law: Law) -> None:
    assert law(lambda coins: coins.random() < Odd(0.25)).tail == 1
    assert law(lambda coins: coins.random() * Odd(0.25) < 0.75).tail == 1


LIMIT = 2**1000
ASKED: dict[str, Callable[[Coins, int], bool]] = {
    "a draw that may be as large": lambda coins, n: (coins.getrandbits(1000) + n - LIMIT + 1) / 1 < 2.0,
    "a draw that may be as small": lambda coins, n: (-coins.getrandbits(1000) - n + LIMIT - 1) / 1 < 2.0,
    "a divisor": lambda coins, n: coins.getrandbits(60) / n < 0.5,
    "a divisor below 0": lambda coins, n: coins.getrandbits(60) / -n < 0.5,
    "a factor": lambda coins, n: coins.random() * n < 0.5,
}


@pytest.mark.parametrize("name", ASKED)
def test_integers_below_2_to_1000_are_followed_into_floats_and_no_others(law: Law, name: str) -> None:
    assert law(lambda coins: ASKED[name](coins, LIMIT - 1)).tail == 0
    found = law(lambda coins: ASKED[name](coins, LIMIT))
    if name == "a factor":  # read by states: one draw of 2^53 is below
        assert found == Dist.of([(True, Fraction(1, 1 << 53)), (False, 1 - Fraction(1, 1 << 53))])
    else:
        assert found.tail == 1
