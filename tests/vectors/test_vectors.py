"""Evidence for mechanisms/vectors: exact twin, every array of draws by itself; what is not followed is refused."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, comb, floor
from typing import Any

import numpy as np
import pytest
from array_programs import PROGRAMS, VALUES, Program
from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.targets.redirecting import redirect

LENGTH = 3


def law_of_integers(program: Program, *, length: int = LENGTH, values: int = VALUES) -> Dist:
    @redirect()
    def drawn(value: int, rng: Any) -> Any:
        return program(rng.integers(0, values, size=length))

    found = enumerate_law(drawn, 0)
    assert not found.law.tail_weight
    return found.law


def every_array(program: Program, *, length: int = LENGTH, values: int = VALUES) -> Dist:
    """The law by running the program on each array of plain integers."""
    outcomes = [(program(np.array(row)), 1) for row in product(range(values), repeat=length)]
    return Dist.of([(outcome, Fraction(weight, values**length)) for outcome, weight in outcomes])


def told(program: Program) -> Program:
    """The program, with the type and the text of its exception for an outcome."""

    def safely(v: Any) -> Any:
        try:
            return program(v)
        except Exception as error:
            return type(error).__name__, str(error)

    return safely


@pytest.mark.points(30)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_law_is_that_of_every_array(name: str) -> None:
    program = told(PROGRAMS[name])
    assert law_of_integers(program) == every_array(program)


THRESHOLDS = (0.1, 0.25, 0.7)


def law_of_doubles(program: Program, length: int) -> Dist:
    @redirect()
    def drawn(value: int, rng: Any) -> Any:
        return program(rng.random(length))

    found = enumerate_law(drawn, 0)
    assert not found.law.tail_weight
    return found.law


def every_range(program: Program, length: int) -> Dist:
    """The law by running the program on a double of each range between the thresholds."""
    at = [Fraction(c) * 2**53 for c in THRESHOLDS]
    ends = sorted({0, *map(ceil, at), *(floor(k) + 1 for k in at), 1 << 53})
    pieces = [(low * 2.0**-53, Fraction(high - low, 1 << 53)) for low, high in pairwise(ends)]
    found = []
    for row in product(pieces, repeat=length):
        p = Fraction(1)
        for _, weight in row:
            p *= weight
        found.append((program(np.array([u for u, _ in row])), p))
    return Dist.of(found)


OF_DOUBLES: dict[str, Program] = {
    "below": lambda v: (v < 0.1).sum(),
    "not below": lambda v: (v >= np.array([0.25, 0.7])).sum(),
    "from the left": lambda v: (v < 0.7).any(),
    "not above": lambda v: ~(v <= 0.1),
    "scaled": lambda v: (2 * v - 1 < -0.5).sum(),
    "both": lambda v: ((v < 0.7) & (v > 0.25)).sum(),
    "equal": lambda v: (v == 0.25).any() and None,
    "where": lambda v: np.where(v < 0.1, 1, np.where(v < 0.7, 2, 3)).sum(),
    "nested": lambda v: np.where(v[0] < 0.1, v < 0.7, v < 0.25).sum(),
    "floored": lambda v: np.floor(v * 4).astype(int) == 0,
    "a list": lambda v: (np.array([v[0], v[1]]) < 0.25).sum(),
    "python's": lambda v: sum(x < 0.25 for x in v),
    "after a sum": lambda v: ((v < 0.7).sum(), v[0] < 0.1, (v < 0.25).sum()),
}


@pytest.mark.parametrize("name", [name for name in OF_DOUBLES if name != "floored"])
def test_the_law_on_doubles_is_that_of_every_range(name: str) -> None:
    program = OF_DOUBLES[name]
    assert law_of_doubles(program, 2) == every_range(program, 2)


OPERATIONS: dict[str, Callable[[Any, int], Any]] = {
    "add": lambda v, k: v + k,
    "double": lambda v, k: v * 2,
    "mirror": lambda v, k: v[::-1],
    "modulo": lambda v, k: v % (k + 2),
    "mask": lambda v, k: np.where(v > k, v, k),
    "cut": lambda v, k: v[k % 2 :],
    "pair": lambda v, k: v * v[::-1],
    "less": lambda v, k: (v < k) * 1,
    "assign": lambda v, k: assigned_at(v, k),
}


def assigned_at(v: Any, k: int) -> Any:
    v[k % max(1, len(v))] = k
    return v


REDUCED: list[Program] = [
    lambda v: v.sum(),
    lambda v: (v > 1).sum(),
    lambda v: (v > 0).any(),
    lambda v: v.max(),
    lambda v: v.argmax(),
    lambda v: v[0],
    lambda v: np.bincount(v % 3),
]


@given(
    st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 3)), max_size=4),
    st.lists(st.integers(0, len(REDUCED) - 1), min_size=1, max_size=3),
)
def test_any_program_has_the_law_of_every_array(steps: list[tuple[str, int]], asked: list[int]) -> None:
    """Operations in a row, then several questions about the same draws."""

    def program(v: Any) -> Any:
        kept = v
        for name, k in steps:
            v = OPERATIONS[name](v, k)
        return [REDUCED[i](v) for i in asked], [REDUCED[i](kept % 2) for i in asked]

    assert law_of_integers(told(program)) == every_array(told(program))


@pytest.mark.parametrize("n", [1, 7, 60])
def test_a_count_is_binomial(n: int) -> None:
    law = law_of_doubles(lambda v: (v < 0.1).sum(), n)
    p = Fraction(ceil(Fraction(0.1) * 2**53), 1 << 53)
    assert law == Dist.of([(np.int64(k), comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)])


def test_randomized_response_of_many_is_followed() -> None:
    """Two draws for each element: the truth, or a coin."""

    @redirect()
    def counted(bits: Any, rng: Any) -> Any:
        kept = rng.random(len(bits)) < 0.5
        return np.where(kept, bits, rng.integers(0, 2, size=len(bits))).sum()

    law = enumerate_law(counted, [1] * 20 + [0] * 20).law
    rest = [Fraction(comb(20, k) * 3**k, 4**20) for k in range(21)]
    expected = [sum(rest[i] * rest[20 - (k - i)] for i in range(max(0, k - 20), min(20, k) + 1)) for k in range(41)]
    assert law == Dist.of([(np.int64(k), p) for k, p in enumerate(expected)])


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda v: v.sort(), "sort of an undecided array is not followed: line"),
        (lambda v: v.fill(0), "fill of an undecided array"),
        (lambda v: np.copyto(v, 0), "numpy.copyto of an undecided array"),
        (lambda v: np.add.at(v, 0, 1), "numpy.add.at of an undecided array"),
        (lambda v: np.add.reduce(v.reshape(1, -1), out=v), "of an undecided array"),
        (lambda v: v.view(np.uint8), "view of an undecided array"),
        (lambda v: v.base, "base of an undecided array"),
        (lambda v: type(v), "cannot be followed"),
    ],
)
def test_refused_by_name(program: Program, words: str) -> None:
    with pytest.raises(Unauditable, match=words):
        law_of_integers(program)


@pytest.mark.parametrize("name", ["max", "argmax", "sum", "mean", "cumsum"])
def test_refused_reductions_of_undecided_floats(name: str) -> None:
    @redirect()
    def noisy(value: int, rng: Any) -> Any:
        return getattr(rng.random(3), name)()

    with pytest.raises(Unauditable, match=rf"numpy\.{name} of undecided numbers of 53 bits each is not followed: line"):
        enumerate_law(noisy, 0)


def test_several_undecided_floats_in_one_expression_are_left_by_name() -> None:
    @redirect()
    def noisy(value: int, rng: Any) -> Any:
        return (rng.random(3) < rng.random(3)).sum()

    found = enumerate_law(noisy, 0, limits=Limits(max_runs=50))
    assert found.law.tail == 1
    assert any("was needed as a plain float, at line" in note for note in found.notes)


@pytest.mark.parametrize("shape", [4, (2, 3), (), (0,)])
def test_draws_come_in_the_order_of_numpy(shape: Any) -> None:
    """On plain coins the stand-in's array holds the draws one by one, in the order of C, as the generator does."""

    @redirect()
    def drawn(value: int, rng: Any) -> Any:
        return rng.random(shape), rng.integers(0, 5, size=shape), rng.random()

    got = drawn(0, seeded_coins(1))
    one = seeded_coins(1)
    size = int(np.prod(shape))
    assert got[0].ravel().tolist() == [one.random() for _ in range(size)]
    assert got[1].ravel().tolist() == [one.below(5) for _ in range(size)]
    assert got[2] == one.random()
    assert got[0].shape == np.empty(shape).shape


def test_caught_a_program_that_tells_undecided_arrays_from_real_ones() -> None:
    @redirect()
    def tells(value: int, rng: Any) -> Any:
        v = rng.integers(0, 2, size=2)
        return isinstance(v.base, object) and v.sum() if hasattr(v, "_store") else 5

    with pytest.raises(Unauditable):
        enumerate_law(tells, 0)


def test_other_draws_between_are_kept_apart() -> None:
    """Scalar draws, before and after a vector's, have their own weight."""

    @redirect()
    def program(value: int, rng: Any) -> Any:
        first = rng.random() < 0.25
        v = rng.integers(0, 2, size=2)
        last = rng.random() < 0.5
        return bool(first), v.sum(), bool(last), v[0]

    law = enumerate_law(program, 0).law
    rows = [
        ((f, np.int64(a + b), g, np.int64(a)), (Fraction(1, 4) if f else Fraction(3, 4)) / 8)
        for f, g, a, b in product((False, True), (False, True), (0, 1), (0, 1))
    ]
    assert law == Dist.of(rows)


def test_module_random_is_untouched() -> None:
    before = random.getstate()
    law_of_integers(PROGRAMS["sum"])
    assert random.getstate() == before
