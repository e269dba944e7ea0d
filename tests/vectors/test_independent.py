"""Evidence for arrays of independent elements: exact twins by paths; others are not read; faults are caught."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from array_programs import PROGRAMS
from independent_programs import DEPENDENT, INDEPENDENT, Program, assigned, drawn_in_a_loop, exponentials, halves

from dpcert.audit.layout import law_by_elements
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.factored import Factored
from dpcert.mechanisms.vectors import independent, results
from dpcert.mechanisms.vectors.finite import Finite
from dpcert.mechanisms.vectors.independent import MORE_REPLAYS, Elements
from dpcert.targets.redirecting import redirect

BITS = [0, 1, 1]


def elements_of(program: Program, value: Any = BITS, **settings: Any) -> Elements | None:
    return enumerate_law(redirect()(program), value, by=law_by_elements, **settings).elements


def by_paths(program: Program, value: Any = BITS) -> Dist:
    found = enumerate_law(redirect()(program), value, merge=False).law
    assert not found.tail_weight
    return found


def whole(found: Elements) -> Dist:
    return found.law.expand().map(lambda values: np.array(values, found.dtype).reshape(found.shape))


@pytest.mark.parametrize("name", INDEPENDENT)
def test_the_law_by_elements_is_that_by_paths(name: str) -> None:
    program = INDEPENDENT[name]
    found = elements_of(program)
    assert found is not None
    assert whole(found) == by_paths(program)
    for place in range(len(found.law)):
        index = found.index(place)
        one = by_paths(program).map(lambda array, index=index: array[index])
        assert found.law.parts[place] == one


@pytest.mark.parametrize("name", DEPENDENT)
def test_what_is_not_independent_is_not_read_by_elements(name: str) -> None:
    assert elements_of(DEPENDENT[name]) is None
    by_paths(DEPENDENT[name])


@pytest.mark.parametrize("program", [halves, drawn_in_a_loop])
def test_parts_of_one_draw_and_steps_are_not_read_by_elements(program: Program) -> None:
    assert enumerate_law(program, 0, by=law_by_elements).elements is None
    assert not enumerate_law(program, 0).law.tail_weight


@pytest.mark.parametrize(
    "what",
    [
        lambda mask, rng: bool(mask[0]),  # a decision
        lambda mask, rng: mask.sum(),
        lambda mask, rng: mask.sort(),  # what is refused
        lambda mask, rng: rng.permutation(3),
    ],
)
def test_refused_program_that_swallows_the_end_of_its_run(what: Callable[[Any, Any], Any]) -> None:
    def program(bits: Any, rng: Any) -> Any:
        mask = rng.random(3) < 0.25
        try:
            what(mask, rng)
        except BaseException:
            return ~mask
        return mask

    assert elements_of(program) is None


def test_the_run_ends_where_something_is_decided_and_computes_no_sums_and_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reached: list[str] = []
    monkeypatch.setattr(results, "Sums", lambda batches: reached.append("sum"))

    def decides(bits: Any, coins: Coins) -> Any:
        if coins.below(3) < 1:
            reached.append("less")
        reached.append("after")
        return np.array([coins.below(2)])

    def adds(bits: Any, rng: Any) -> Any:
        return np.where((rng.random(300) < 0.25).sum() > 3, rng.random(3) < 0.25, False)

    def step(state: int, item: int, on: Coins) -> int:
        reached.append("step")
        return state + on.below(2)

    def folds(bits: Any, coins: Coins) -> Any:
        return np.array([coins.fold([1, 2], 0, step)])

    for program in (decides, redirect()(adds), folds):
        assert enumerate_law(program, BITS, by=law_by_elements).elements is None
    assert not reached


def test_draws_that_were_narrowed_or_are_of_another_run_are_no_draws_of_an_element() -> None:
    run = LazyRun(([], 0, 0, 0), 1 << 60, Settings(LazyRun), None)
    node, other = Node(run, 0, 11), Node(run, 0, 11)
    entry = Finite((node,), ((((0, 11),), True),))
    assert independent._draws_of(entry, None, {id(node): 12}) == ((id(node), 12),)
    assert independent._draws_of(entry, None, {id(other): 12}) is None
    node.at_most(5)
    assert independent._draws_of(entry, None, {id(node): 12}) is None
    other.modulo(0, 3)
    assert not run.path[1:]
    assert independent._draws_of(Finite((other,), entry.cells), None, {id(other): 12}) is None


def test_a_run_with_a_part_of_all_probability_is_not_read_by_elements() -> None:
    def program(part: int, coins: Any) -> Any:
        coins._source.denominator = part
        return np.array([coins.below(2)])

    assert enumerate_law(program, 2, by=law_by_elements).elements is None
    assert enumerate_law(program, 1, by=law_by_elements).elements is not None


def test_plain_arrays_in_the_order_of_fortran_are_left_to_paths() -> None:
    def program(bits: Any, rng: Any) -> Any:
        return np.asfortranarray(np.arange(6).reshape(2, 3))

    assert elements_of(program) is None
    assert len(by_paths(program)) == 1


def test_dtypes_and_shapes_are_told_apart() -> None:
    dtypes = map(np.dtype, ("l", "q", ">i8", "d"))
    kinds = {Elements(dtype, shape, Factored(())).kind for dtype in dtypes for shape in [(), (2,), (2, 1)]}
    assert len(kinds) == 12


@pytest.mark.points(30)
@pytest.mark.parametrize("name", PROGRAMS)
def test_of_programs_on_arrays_each_is_read_by_elements_as_by_paths_or_not_at_all(name: str) -> None:
    def program(value: Any, rng: Any) -> Any:
        return PROGRAMS[name](rng.integers(0, 3, size=3))

    found = elements_of(program)
    assert found is None or whole(found) == by_paths(program)


def test_draws_of_doubles_are_too_many_values() -> None:
    assert elements_of(lambda bits, rng: rng.random(3)) is None


def test_replays_take_every_point_of_every_element_and_draw_exponentials() -> None:
    seen: list[list[float]] = []

    def program(bits: Any, rng: Any) -> Any:
        u = rng.random(3)
        if not hasattr(u, "_run"):
            seen.append([float(x) for x in u])
        return u < 0.25

    assert elements_of(program) is not None
    assert len(seen) == 6 + MORE_REPLAYS
    ends = {0.0, 0.25 - 2**-53, 0.25, 1 - 2**-53}
    for column in zip(*seen, strict=True):
        assert ends <= set(column)
        assert any(0 < x < 0.25 - 2**-53 for x in column)
        assert any(0.25 < x < 1 - 2**-53 for x in column)
    assert len({tuple(x < 0.25 for x in row) for row in seen}) > 2
    assert any(len({x < 0.25 for x in row}) > 1 for row in seen[:6])


def plainly_other(what: Callable[[Any], Any]) -> Program:
    """A program that tells plain arrays from undecided ones."""

    def program(bits: Any, rng: Any) -> Any:
        mask = rng.random(3) < 0.25
        return mask if hasattr(mask, "_run") else what(mask)

    return program


@pytest.mark.parametrize(
    "what",
    [
        lambda mask: ~mask,
        lambda mask: mask * 1,
        lambda mask: mask.reshape(1, 3),
        lambda mask: mask.tolist(),
        lambda mask: mask & (np.arange(3) != 2),
        lambda mask: np.sort(mask),
        lambda mask: np.where(mask[0] & mask[1], ~mask, mask),
    ],
)
def test_caught_program_that_is_another_on_plain_numbers(what: Callable[[Any], Any]) -> None:
    with pytest.raises(Unauditable, match="tell lazy coins from real ones"):
        elements_of(plainly_other(what))


def test_caught_program_that_uses_draws_of_no_element_on_plain_numbers() -> None:
    def program(bits: Any, rng: Any) -> Any:
        mask, other = rng.random(3) < 0.25, rng.random(1)
        return mask if hasattr(mask, "_run") else mask ^ bool(other[0] > 0)

    with pytest.raises(Unauditable, match="tell lazy coins from real ones"):
        elements_of(program)


def test_caught_elements_that_are_one_plain_number() -> None:
    nans = np.array([0x7F800001, 0x7FC00001], np.uint32).view(np.float32)
    found = Elements(np.dtype(np.float32), (1,), Factored((Dist.uniform(list(nans)),)))
    assert len(found.law.parts[0]) == 2
    with pytest.raises(AssertionError, match="one plain number"):
        found.alone(0)


def test_caught_program_that_draws_otherwise_on_plain_numbers() -> None:
    def program(bits: Any, rng: Any) -> Any:
        mask = rng.random(3) < 0.25
        if not hasattr(mask, "_run"):
            rng.random()
        return mask

    with pytest.raises(Unauditable, match="drew other coins"):
        elements_of(program)


def test_caught_program_that_counts_its_runs() -> None:
    runs = []

    def program(bits: Any, rng: Any) -> Any:
        runs.append(0)
        return (rng.random(3) < 0.25) ^ (len(runs) == 1)

    with pytest.raises(Unauditable, match="no function of its input and coins"):
        elements_of(program)


def test_caught_program_that_keeps_draws() -> None:
    kept: list[Any] = []

    def program(bits: Any, rng: Any) -> Any:
        kept.append(rng.random(3) < 0.25)
        return np.where(kept[0], 1, 0)

    with pytest.raises(Unauditable, match="kept a draw"):
        elements_of(program)
    assert elements_of(program) is None


def test_caught_cells_that_do_not_cover_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent, "size", lambda box: 1)
    with pytest.raises(AssertionError, match="do not cover"):
        elements_of(INDEPENDENT["flipped"])


def test_caught_wrong_values_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    real = independent._law_and_points

    def swapped(entry: Any, bounds: Any, dtype: Any) -> Any:
        law, points = real(entry, bounds, dtype)
        values = [value for _, value in points]
        return law, tuple((at, value) for (at, _), value in zip(points, values[::-1], strict=True))

    monkeypatch.setattr(independent, "_law_and_points", swapped)
    with pytest.raises(Unauditable, match="tell lazy coins"):
        elements_of(INDEPENDENT["flipped"])


def test_what_was_assumed_on_the_way_is_noted() -> None:
    found = enumerate_law(redirect()(exponentials), BITS, by=law_by_elements)
    assert any("math.exp" in words for words in found.assumptions)


def test_elements_are_named_by_index() -> None:
    found = elements_of(INDEPENDENT["of two axes"])
    assert found is not None
    assert found.index(2) == (1, 0)
    law = found.at([0, 3], limit=4)
    assert law.prob({(0, 0): True, (1, 1): False}) == found.law.parts[0].prob(np.True_) * found.law.parts[3].prob(
        np.False_
    )
    assert found.of_event([{(0, 0): True, (1, 1): False}], limit=4) == law
    for outcomes in ([], [{}], [{(0, 2): True}], [{(0, 0): True}, {(1, 1): True}], [np.zeros(3)]):
        assert found.of_event(outcomes, limit=4) is None


def test_outcomes_are_possible_by_dtype_shape_and_elements() -> None:
    found = elements_of(assigned)
    assert found is not None
    assert found.possible(np.array([0, 1, 1]))
    for other in (np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([[0, 1, 1]]), np.array([0.0, 1, 1]), [0, 1, 1]):
        assert not found.possible(other)
    assert not found.possible(np.array([0, 1, 1]).astype(np.longlong))


def test_few_paths_are_tried_first_and_the_law_is_whole_where_they_suffice() -> None:
    program = redirect()(INDEPENDENT["flipped"])
    found = enumerate_law(program, BITS, elements=law_by_elements)
    assert found.law == by_paths(INDEPENDENT["flipped"])
    assert found.elements is not None
    assert enumerate_law(program, BITS).elements is None
    assert enumerate_law(program, BITS, elements=law_by_elements, draws=True).elements is None


def test_the_law_of_a_long_array_is_that_of_its_elements() -> None:
    def flipped(bits: Any, rng: Any) -> Any:
        return np.where(rng.random(len(bits)) < 0.25, 1 - np.array(bits), np.array(bits))

    found = elements_of(flipped, [0, 1] * 500)
    assert found is not None
    law = Dist.of([(np.int64(0), Fraction(3, 4)), (np.int64(1), Fraction(1, 4))])
    assert set(map(id, found.law.parts[::2])) == {id(found.law.parts[0])}
    assert found.law.parts[0] == law
    assert found.law.parts[1] == law.map(lambda bit: np.int64(1 - bit))


def on_coins(bits: Any, coins: Coins) -> Any:
    return np.array([coins.below(3) + bit for bit in bits])


def test_draws_from_coins_are_read_as_those_of_a_generator() -> None:
    found = enumerate_law(on_coins, BITS, by=law_by_elements).elements
    assert found is not None
    assert whole(found) == enumerate_law(on_coins, BITS).law
