"""Evidence for arrays of independent elements: exact twins by paths; others are not read; faults are caught."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from array_programs import PROGRAMS

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.states.choice import law_by_elements
from dpcert.mechanisms.vectors import independent
from dpcert.mechanisms.vectors.independent import MORE_REPLAYS, Elements
from dpcert.targets.redirecting import redirect

Program = Callable[[Any, Any], Any]
BITS = [0, 1, 1]


def elements_of(program: Program, value: Any = BITS, **settings: Any) -> Elements | None:
    return enumerate_law(redirect()(program), value, by=law_by_elements, **settings).elements


def by_paths(program: Program, value: Any = BITS) -> Dist:
    found = enumerate_law(redirect()(program), value, merge=False).law
    assert not found.tail_weight
    return found


def whole(found: Elements) -> Dist:
    return found.law.expand().map(lambda values: np.array(values, found.dtype).reshape(found.shape))


def assigned(bits: Any, rng: Any) -> Any:
    v = (rng.random(3) < 0.25) * 1
    v[1] = bits[1]
    return v


def others(bits: Any, rng: Any) -> Any:
    """Some draws are behind no element."""
    rng.random(2)
    rng.integers(0, 5)
    v = rng.integers(0, 4, size=5)
    rng.random()
    return v[1:4]


def twice_drawn(bits: Any, rng: Any) -> Any:
    return np.where(rng.random(3) < 0.5, np.array(bits), rng.integers(0, 2, size=3))


def exponentials(bits: Any, rng: Any) -> Any:
    return (np.array([math.exp(rng.random()) for _ in bits]) < 1.5) ^ (np.array(bits) > 0)


INDEPENDENT: dict[str, Program] = {
    "flipped": lambda bits, rng: np.where(rng.random(3) < 0.25, 1 - np.array(bits), np.array(bits)),
    "two draws an element": twice_drawn,
    "of doubles": lambda bits, rng: np.where(rng.random(3) < 0.25, -0.0, np.array(bits) / 4),
    "truths": lambda bits, rng: rng.random(3) < 0.25,
    "small": lambda bits, rng: (rng.random(3) < 0.25).astype(np.int8),
    "of few values": lambda bits, rng: rng.integers(0, 3, size=3) - np.array(bits),
    "two thresholds of one draw": lambda bits, rng: (u := rng.random(3), (u < 0.2) + 2 * (u < 0.5))[1],
    "reversed": lambda bits, rng: (rng.random(3) < [0.1, 0.2, 0.3])[::-1],
    "of two axes": lambda bits, rng: rng.random((2, 2)) < [[0.1, 0.2], [0.3, 0.4]],
    "of no axis": lambda bits, rng: (rng.random(3) < 0.25)[:1].reshape(()),
    "a part": lambda bits, rng: (rng.random(5) < 0.25)[1:4],
    "some assigned": assigned,
    "other draws": others,
    "with an exponential": exponentials,
    "listed": lambda bits, rng: np.array([rng.integers(0, 2), 7, rng.integers(0, 3)]),
    "certain": lambda bits, rng: np.array(bits),
    "certain draws": lambda bits, rng: rng.random(3) < 2.0,
}


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


def kept_mask(bits: Any, rng: Any) -> Any:
    """The count of a mask is asked for beside it."""
    mask = rng.random(3) < 0.25
    return np.where(mask, mask.sum(), 0)


def after_a_reduction(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    return mask if mask.any() else ~mask


def after_a_certain_reduction(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    return mask if (mask | ~mask).all() else ~mask


def after_a_comparison(bits: Any, rng: Any) -> Any:
    u = rng.random(3)
    return (u < 0.5) if u[0] < 0.25 else (u < 0.75)


def one_is_two(bits: Any, rng: Any) -> Any:
    v = (rng.random(3) < 0.25) * 1
    v[2] = v[0]
    return v


def one_stands_twice(bits: Any, rng: Any) -> Any:
    """The element is assigned while it is undecided."""
    v = rng.integers(0, 3, size=3)
    v[1:] = v[:-1]
    return v


def raises_sometimes(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    if mask.sum() == 2:
        raise ValueError("two")
    return mask


def drawn_in_a_loop(bits: Any, coins: Any) -> Any:
    return np.array([coins.fold([1, 2], 0, lambda state, item, on: state + on.below(2)), 3])


def swallowed(bits: Any, rng: Any) -> Any:
    """What ends the run is swallowed, so that an array is returned."""
    mask = rng.random(3) < 0.25
    try:
        if mask[0]:
            return mask
    except BaseException:
        pass
    return ~mask


def halves(bits: Any, coins: Any) -> Any:
    """Two remainders of one draw, without a decision."""
    u = coins.below(12)
    return np.array([u % 3, u % 6])


DEPENDENT: dict[str, Program] = {
    "a mask and its count": lambda bits, rng: (mask := rng.random(3) < 0.25, mask.sum()),
    "a mask with its count": kept_mask,
    "two masks of one draw": lambda bits, rng: (u := rng.random(3), (u < 0.2, u < 0.5))[1],
    "two masks in one array": lambda bits, rng: (u := rng.random(2), np.concatenate([u < 0.2, u < 0.5]))[1],
    "broadcast": lambda bits, rng: rng.random((2, 1)) < [0.2, 0.5],
    "sorted": lambda bits, rng: np.sort(rng.random(3) < 0.25),
    "summed up": lambda bits, rng: np.cumsum(rng.random(3) < 0.25),
    "with the one beside": lambda bits, rng: (v := rng.integers(0, 3, size=3), v + v[::-1])[1],
    "with the one before": lambda bits, rng: (v := rng.random(4) < 0.25, v[1:] & v[:-1])[1],
    "with the first": lambda bits, rng: (v := rng.random(3) < 0.25, v ^ v[0])[1],
    "taken twice": lambda bits, rng: (rng.random(3) < 0.25)[[0, 0, 1]],
    "from the greatest on": lambda bits, rng: (v := rng.integers(0, 3, size=3), v == v.max())[1],
    "after a reduction": after_a_reduction,
    "after a certain reduction": after_a_certain_reduction,
    "after a comparison": after_a_comparison,
    "one is two": one_is_two,
    "one stands twice": one_stands_twice,
    "raises": raises_sometimes,
    "one of two": lambda bits, rng: rng.random(3) < 0.25 if rng.random() < 0.5 else rng.random(3) < 0.5,
    "a length": lambda bits, rng: rng.random(int(rng.integers(1, 3))) < 0.25,
    "a list": lambda bits, rng: (rng.random(3) < 0.25).tolist(),
    "a number": lambda bits, rng: (rng.random(3) < 0.25).sum(),
}


@pytest.mark.parametrize("name", DEPENDENT)
def test_what_is_not_independent_is_not_read_by_elements(name: str) -> None:
    assert elements_of(DEPENDENT[name]) is None
    by_paths(DEPENDENT[name])


@pytest.mark.parametrize("program", [halves, drawn_in_a_loop])
def test_parts_of_one_draw_and_steps_are_not_read_by_elements(program: Program) -> None:
    assert enumerate_law(program, 0, by=law_by_elements).elements is None
    assert not enumerate_law(program, 0).law.tail_weight


def test_refused_program_that_swallows_the_end_of_its_run() -> None:
    assert elements_of(swallowed) is None


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
    found = enumerate_law(program, BITS, elements=True)
    assert found.law == by_paths(INDEPENDENT["flipped"])
    assert found.elements is not None
    assert enumerate_law(program, BITS).elements is None
    assert enumerate_law(program, BITS, elements=True, draws=True).elements is None


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
