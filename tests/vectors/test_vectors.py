"""Evidence for mechanisms/vectors: exact twin, every array of draws by itself; what is not followed is refused."""

import copy
import operator
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, comb, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.targets.redirecting import redirect

Program = Callable[[Any], Any]
VALUES, LENGTH = 3, 3


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


def assigned(v: Any) -> Any:
    v[1:] = v[:-1]
    return v


def masked(v: Any) -> Any:
    v[v > 1] = 7
    return v.sum(), v[0]


def through_a_view(v: Any) -> Any:
    part = v[1:]
    part += 10
    return v.sum(), v


def of_a_copy(v: Any) -> Any:
    part = v[[0, 1]]
    part[0] = 10
    return v.sum(), part.sum()


def in_place(v: Any) -> Any:
    v *= 2
    v -= 1
    return v


def asked_early(v: Any) -> Any:
    first = v[0]
    total = (v == 1).sum()
    return total, first > 1


def one_by_one(v: Any) -> Any:
    total = v.sum()
    return total, [int(x) for x in v]


def counted_each(v: Any) -> Any:
    return tuple((v == k).sum() for k in range(VALUES))


def of_the_same_draws(v: Any) -> Any:
    return ((v > 0) & (v < 2)).sum(), (v[:-1] == v[1:]).sum()


def in_rows(v: Any) -> Any:
    table = np.concatenate([v, v]).reshape(2, -1)
    return table.sum(axis=0), table.T.shape, table[1].max()


def in_two_rows(v: Any) -> Any:
    table = v.reshape(1, -1)
    return (table > 0).sum(axis=1), (table > 0).sum(axis=0), table.T[0]


def transposed(v: Any) -> Any:
    view = v.reshape(1, -1).T
    view[0] = 9
    return v.sum()


PROGRAMS: dict[str, Program] = {
    "sum": lambda v: v.sum(),
    "itself": lambda v: v,
    "count": lambda v: (v == 1).sum(),
    "count_nonzero": lambda v: np.count_nonzero(v > 1),
    "np.sum": lambda v: np.sum(v < 2),
    "np.add.reduce": lambda v: np.add.reduce(v),
    "any": lambda v: (v == 2).any(),
    "all": lambda v: (v > 0).all(),
    "np.any": lambda v: np.any(v > 1),
    "any of integers": lambda v: v.any(),
    "max": lambda v: v.max(),
    "min": lambda v: np.min(v),
    "max of truths": lambda v: (v > 1).max(),
    "np.maximum.reduce": lambda v: np.maximum.reduce(v),
    "argmax": lambda v: v.argmax(),
    "argmin": lambda v: np.argmin(v),
    "argmax plus": lambda v: np.argmax(v + np.array([1, 0, 2])),
    "mean": lambda v: (v == 1).mean(),
    "np.mean": lambda v: np.mean(v),
    "bincount": lambda v: np.bincount(v),
    "bincount of a length": lambda v: np.bincount(v, minlength=5),
    "cumsum": lambda v: v.cumsum(),
    "where": lambda v: np.where(v > 0, v, -1).sum(),
    "where of numbers": lambda v: np.where(v == 2, 1.5, 0).sum(),
    "where of whole doubles": lambda v: np.where(v == 2, 3.0, 1.0).sum(),
    "where of arrays": lambda v: np.where(v == 2, np.array([4, 5, 6]), v),
    "added": lambda v: (v + 1).sum(),
    "from the left": lambda v: (10 - v).max(),
    "doubled": lambda v: v + v,
    "times itself": lambda v: (v * v[::-1]).sum(),
    "halved": lambda v: v / 2,
    "floored": lambda v: (v // 2).sum(),
    "modulo": lambda v: (v % 2).sum(),
    "negative": lambda v: (-v).min(),
    "absolute": lambda v: abs(v - 1).sum(),
    "sign": lambda v: np.sign(v - 1).sum(),
    "logic": lambda v: ((v > 0) | ~(v == 1) ^ (v < 2)).sum(),
    "logical": lambda v: np.logical_and(v > 0, v < 2).all(),
    "truths added": lambda v: ((v > 0) + (v > 1)).sum(),
    "truth times": lambda v: ((v > 0) * 5).sum(),
    "clip": lambda v: v.clip(0, 1).sum(),
    "astype": lambda v: (v > 1).astype(int).sum(),
    "astype float": lambda v: v.astype(float),
    "astype small": lambda v: (v > 0).astype(np.int8).sum(),
    "wraps around": lambda v: (v.astype(np.int8) + np.int8(127)).sum(),
    "first": lambda v: v[0],
    "last two": lambda v: v[-2:].sum(),
    "of a mask": lambda v: np.array([3, 4, 5])[v > 1],
    "of its mask": lambda v: v[v > 0].sum(),
    "of a list": lambda v: v[[2, 0]].sum(),
    "iterated": lambda v: [int(x) * 2 for x in v],
    "python's sum": lambda v: sum(v),
    "length": lambda v: (len(v), v.shape, v.ndim, v.size, str(v.dtype)),
    "tolist": lambda v: v.tolist(),
    "item": lambda v: v.item(1),
    "text": lambda v: f"{v}",
    "contains": lambda v: 2 in v,
    "equal": lambda v: np.array_equal(v, np.array([0, 1, 2])),
    "unique": lambda v: np.unique(v),
    "sorted": lambda v: np.sort(v),
    "std": lambda v: v.std(),
    "concatenated": lambda v: np.concatenate([v, v[:1]]).sum(),
    "broadcast": lambda v: (v > np.array([[0], [1]])).sum(),
    "with an axis": lambda v: (v > np.array([[0], [1]])).sum(axis=1),
    "copy": lambda v: copy.deepcopy(v).sum(),
    "raises": lambda v: (v + np.ones(4)).sum(),
    "raises in place": lambda v: operator.iadd(v, 0.5),
    "out of range": lambda v: v[3],
    "truth of many": lambda v: bool(v > 0),
    "hash": lambda v: hash(v),
    "no such method": lambda v: v.cumulate(),
    "isinstance": lambda v: isinstance(v, np.ndarray),
    "empty": lambda v: v[:0].sum(),
    "shaped": lambda v: (v.reshape(-1, 1) == v).sum(),
    **{
        function.__name__: function
        for function in (
            *(assigned, masked, through_a_view, of_a_copy, in_place, asked_early, one_by_one, counted_each),
            *(of_the_same_draws, in_rows, in_two_rows, transposed),
        )
    },
}


def told(program: Program) -> Program:
    """The program, with the type and the text of its exception for an outcome."""

    def safely(v: Any) -> Any:
        try:
            return program(v)
        except Exception as error:
            return type(error).__name__, str(error)

    return safely


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


def test_several_undecided_floats_in_one_expression_are_left_by_name() -> None:
    @redirect()
    def noisy(value: int, rng: Any) -> Any:
        return rng.random(3).argmax()

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
