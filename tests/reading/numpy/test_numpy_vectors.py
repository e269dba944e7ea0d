"""Evidence for arrays of draws: exact twins, every array of draws by itself, and sums by convolution."""

from __future__ import annotations

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
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading import explore
from dpcert.reading.explore import read_law
from dpcert.reading.paths.enumerator import Limits, enumerate_law
from dpcert.targets.redirecting import redirect

LENGTH = 3
BY_PATHS = {
    "copy": "a copy of a ndarray is not followed",
    "raises in place": "a call of iadd is not followed",
    "hash": "a hash depends on the process",
}
"""Programs that the machine refuses, and its words."""


def by_states(program: Any, value: Any = 0) -> Dist:
    return Dist.like(read_law(program, value, explore.Limits()).law)


def law_of_integers(program: Program, read: Callable[[Any], Dist] = by_states) -> Dist:
    @redirect()
    def drawn(value: int, rng: Any) -> Any:
        return program(rng.integers(0, VALUES, size=LENGTH))

    return read(drawn)


def every_array(program: Program) -> Dist:
    """The law by running the program on each array of plain integers."""
    outcomes = [program(np.array(row)) for row in product(range(VALUES), repeat=LENGTH)]
    return Dist.of([(outcome, Fraction(1, VALUES**LENGTH)) for outcome in outcomes])


def told(program: Program) -> Program:
    """The program, with the type and the text of its exception for an outcome."""

    def safely(v: Any) -> Any:
        try:
            return program(v)
        except Exception as error:
            return type(error).__name__, str(error)

    return safely


@pytest.mark.points(30)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in BY_PATHS])
def test_the_law_by_states_is_that_of_every_array(name: str) -> None:
    program = told(PROGRAMS[name])
    assert law_of_integers(program) == every_array(program)


@pytest.mark.parametrize("name", ["copy", "raises in place", "sum", "through_a_view", "argmax", "unique"])
def test_the_law_by_paths_is_that_of_every_array(name: str) -> None:
    program = told(PROGRAMS[name])
    law = law_of_integers(program, lambda drawn: enumerate_law(drawn, 0, merge=False).law)
    assert law == every_array(program)


@pytest.mark.parametrize("name", BY_PATHS)
def test_refused_by_the_machine(name: str) -> None:
    with pytest.raises(Unauditable, match=BY_PATHS[name]):
        law_of_integers(told(PROGRAMS[name]))


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
    "a list": lambda v: (np.array([v[0], v[1]]) < 0.25).sum(),
    "python's": lambda v: sum(x < 0.25 for x in v),
    "after a sum": lambda v: ((v < 0.7).sum(), v[0] < 0.1, (v < 0.25).sum()),
}


@pytest.mark.points(6)
@pytest.mark.parametrize("name", OF_DOUBLES)
def test_the_law_on_doubles_is_that_of_every_range(name: str) -> None:
    program = OF_DOUBLES[name]
    assert law_of_doubles(program, 2) == every_range(program, 2)


def assigned_at(v: Any, k: int) -> Any:
    v[k % max(1, len(v))] = k
    return v


OPERATIONS: dict[str, Callable[[Any, int], Any]] = {
    "add": lambda v, k: v + k,
    "double": lambda v, k: v * 2,
    "mirror": lambda v, k: v[::-1],
    "modulo": lambda v, k: v % (k + 2),
    "mask": lambda v, k: np.where(v > k, v, k),
    "cut": lambda v, k: v[k % 2 :],
    "pair": lambda v, k: v * v[::-1],
    "less": lambda v, k: (v < k) * 1,
    "assign": assigned_at,
}
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


def randomized_response(bits: Any, rng: Any) -> Any:
    """Two draws for each element: the truth, or a coin."""
    kept = rng.random(len(bits)) < 0.5
    return np.where(kept, bits, rng.integers(0, 2, size=len(bits))).sum()


def person_by_person(bits: Any, rng: Any) -> Any:
    return np.int64(sum(bit if rng.random() < 0.5 else int(rng.integers(0, 2)) for bit in bits))


@pytest.mark.parametrize(("program", "half"), [(randomized_response, 3), (person_by_person, 5)])
def test_randomized_response_with_two_coins(program: Any, half: int) -> None:
    law = enumerate_law(redirect()(program), [1] * half + [0] * half).law
    rest = [Fraction(comb(half, k) * 3**k, 4**half) for k in range(half + 1)]
    expected = [
        sum(rest[i] * rest[half - (k - i)] for i in range(max(0, k - half), min(half, k) + 1))
        for k in range(2 * half + 1)
    ]
    assert law == Dist.of([(np.int64(k), p) for k, p in enumerate(expected)])


def test_several_undecided_floats_in_one_expression_are_left_by_name() -> None:
    @redirect()
    def noisy(value: int, rng: Any) -> Any:
        return (rng.random(3) < rng.random(3)).sum()

    found = enumerate_law(noisy, 0, limits=Limits(max_runs=50))
    assert found.law.tail == 1
    assert any("is needed as a plain number; compare it" in note and "(line " in note for note in found.notes)


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
    assert type(got[0]) is np.ndarray


def test_module_random_is_untouched() -> None:
    before = random.getstate()
    law_of_integers(PROGRAMS["sum"])
    assert random.getstate() == before


def kept_draws(value: Any, coins: Coins) -> Any:
    """The draws are asked about by name, too, before and after they are counted."""
    draws = [coins.below(3) for _ in range(3)]
    early = draws[0] > 0
    v = np.array(draws)
    total = (v == 2).sum()
    return bool(early), total, draws[1] < 1, int(draws[2]) % 2


def of_floats(value: Any, coins: Coins) -> Any:
    v = np.asarray([coins.below(4) / 4, 0.5, coins.below(2)])
    return (v > 0.3).sum(), v.dtype.name


def folded_outside(value: Any, coins: Coins) -> Any:
    """A reduction of draws from around, in a step of a fold."""
    v = np.array([coins.below(2), coins.below(2)])

    def step(state: int, item: int, on: Coins) -> int:
        return state + int(v.sum()) * item + on.below(2)

    return coins.fold([1, 2], 0, step)


def with_remainders(value: Any, coins: Coins) -> Any:
    """Remainders share digits of their draws with other numbers."""
    draws = [coins.below(6) for _ in range(2)]
    v = np.array([u % 2 for u in draws])
    return (v == 1).sum(), [int(u // 2) for u in draws]


@pytest.mark.parametrize("program", [kept_draws, of_floats, folded_outside, with_remainders])
def test_arrays_of_coins_have_the_law_of_every_draw(program: Any) -> None:
    plain = enumerate_law(program, None, eager=True).law
    assert by_states(program, None) == plain == enumerate_law(program, None).law


def bits(n: int) -> Any:
    return np.arange(n) % 3 == 0


def of_two_rows(n: int, rng: Any) -> Any:
    truth, coin = rng.random(n) < 0.5, rng.integers(0, 2, size=n)
    answers = np.where(truth, bits(n), coin)
    return int(answers.sum()), int(truth.sum()), int(coin[1])


def of_rows_apart(n: int, rng: Any) -> Any:
    u, v = rng.random(n), rng.random(n)
    first = bool(v[1] < 0.5)
    return first, int((u < 0.25).sum()), int(((u < 0.5) & (v < 0.25)).sum())


def in_a_table(n: int, rng: Any) -> Any:
    table = np.where(rng.random((2, n)) < 0.25, 1, 0)
    return [int(k) for k in table.sum(axis=1)], int(table.T.sum())


def placed(n: int, rng: Any) -> Any:
    noisy = np.arange(n) % 2 + rng.integers(0, 3, size=n)
    return int(noisy.argmax()), int(noisy.max())


def of_other_values(n: int, rng: Any) -> Any:
    """Values that are no progression, doubles that are whole, and a mean."""
    u = rng.random(n)
    some = np.where(u < 0.25, 0, np.where(u < 0.5, 1, 5))
    return int(some.sum()), float(np.where(u < 0.125, 3.0, 1.0).sum()), float((u < 0.5).mean())


def weighted(n: int, rng: Any) -> Any:
    x, kept = np.arange(n), rng.random(n) < 0.25
    return int(x @ kept), int(x.sum(where=kept))


def chosen(n: int, rng: Any) -> Any:
    few = rng.choice(3, size=2, replace=False)
    return int(rng.choice([1, 2, 9], size=n, p=[0.5, 0.25, 0.25]).sum()), [int(k) for k in few]


def without_a_choice(n: int, rng: Any) -> Any:
    """One value only, none drawn, and no elements."""
    ones = rng.integers(1, 2, size=n)
    return int(ones.sum()), int((rng.random(n) < 2).sum()), rng.random(0).sum()


ROWS = (of_two_rows, of_rows_apart, in_a_table, placed, of_other_values, weighted, chosen, without_a_choice)


def one_by_one(program: Any, n: int) -> Any:
    """The program on a generator whose draws are asked for one by one."""

    class Single:
        def __init__(self, rng: Any) -> None:
            self.rng = rng

        def array(self, draw: Callable[[], Any], size: Any) -> Any:
            count = int(np.prod(size))
            return np.array([draw() for _ in range(count)]).reshape(size)

        def random(self, size: Any) -> Any:
            return self.array(self.rng.random, size)

        def integers(self, low: int, high: int, size: Any) -> Any:
            return self.array(lambda: self.rng.integers(low, high), size)

        def choice(self, *args: Any, size: Any, **more: Any) -> Any:
            return self.rng.choice(*args, size=size, **more)

    return enumerate_law(redirect()(lambda value, rng: program(value, Single(rng))), n).law


@pytest.mark.points(4)
@pytest.mark.parametrize("program", ROWS, ids=lambda program: program.__name__)
def test_the_law_of_rows_is_that_of_single_draws(program: Any) -> None:
    found = enumerate_law(redirect()(program), 3).law
    assert not found.tail_weight
    assert found == one_by_one(program, 3)


def other_threshold(u: Any, runs: int) -> Any:
    return u[:3] < 1 / (1 + runs)


def other_length(u: Any, runs: int) -> Any:
    return u[: runs % 4] < 0.5


@pytest.mark.parametrize("answers", [other_threshold, other_length])
def test_caught_a_program_that_is_another_when_it_runs_again(answers: Any) -> None:
    runs: list[int] = []

    def program(n: int, rng: Any) -> int:
        runs.append(n)
        return int(answers(rng.random(4), len(runs)).sum())

    found = enumerate_law(redirect()(program), 5)
    assert found.law.tail == 1
    alike = enumerate_law(redirect()(lambda n, rng: int((rng.random(4)[:3] < 0.5).sum())), 5)
    assert alike.law.tail == 0
