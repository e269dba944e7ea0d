"""Evidence for reach.py: what is called impossible is, and no program is followed that is not what is run."""

import gc
import json
import math
import random
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcert import Coins, Unauditable
from dpcert.reading.floats.accuracy import of_place, place_in_order
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.reach import never_releases, plain_run, probability_of
from dpcert.reading.paths.traced import Traced

Program = Callable[[Any, Coins], Any]
GRID = 2.0**-53


def box(count: float, coins: Coins) -> float:
    radius = math.sqrt(-2.0 * math.log(1.0 - coins.random()))
    return count + radius * math.cos(2.0 * math.pi * coins.random())


def product(coins: Coins) -> float:
    return (coins.random() - 0.5) * (coins.random() - 0.5)


@pytest.mark.parametrize("x", [0.0, -0.0, 5e-324, -5e-324, 1.0, -1.5, 1.7976931348623157e308, -1.7976931348623157e308])
def test_places_are_those_of_the_doubles_in_order(x: float) -> None:
    place = place_in_order(x)
    assert struct.pack("<d", of_place(place)) == struct.pack("<d", x)
    if abs(x) < 1e308:
        assert of_place(place + 1) == (math.nextafter(x, math.inf) if x or math.copysign(1, x) > 0 else 0.0)


@pytest.mark.parametrize(
    ("point", "possible"),
    [
        (0.25, True),
        (0.25 + GRID, True),
        (0.25 + GRID / 2, False),
        (-0.125 + GRID / 4, False),
        (3 * GRID, True),
        (GRID / 8, False),
        (5e-324, False),
        (0.0, True),
        (1.5, True),
        (60.0, False),
        (math.pi, True),
    ],
)
def test_one_and_noise_is_a_multiple_of_the_grid_below_a_half(point: float, possible: bool) -> None:
    found = never_releases(box, 1, point)
    assert (found is None) == possible
    if found is not None:
        assert any("math.cos and math.log" in words for words in found.assumptions)
        assert any("IEEE 754 gives; dpcert/reading/floats is trusted" in words for words in found.assumptions)


OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / (y + 1.5),
    lambda x, y: min(x, y),
    lambda x, y: x if x < y else y * 0.5,
    lambda x, y: abs(x) + y,
    lambda x, y: np.add(x, y),
    lambda x, y: np.maximum(x, np.float64(0.25) * y),
    lambda x, y: math.floor(x * 4.0) + y,
    lambda x, y: math.exp(x) * y,
    lambda x, y: math.sqrt(abs(x)) - math.sin(y),
    lambda x, y: math.copysign(x, y),
    lambda x, y: y if x == 0.0 else round(x, 1) + y,
    lambda x, y: np.exp(x * 0.5) - y,
    lambda x, y: -x if y > x else math.log(2.0 + abs(x * y)),
]


def expression(seed: int) -> Program:
    source = random.Random(seed)
    plan = [
        (source.choice(OPERATIONS), source.randrange(4), source.randrange(4)) for _ in range(source.randrange(2, 5))
    ]
    scale, shift = source.choice([1.0, 0.3, 7.0]), source.choice([0.0, -0.5, 1e-9])

    def program(value: float, coins: Coins) -> Any:
        made = [coins.random() * scale + shift, coins.random(), coins.below(5) - coins.random(), coins.below(8) / 8]
        for operation, i, j in plan:
            made.append(operation(made[-1 - i], made[-1 - j]))
        return value + made[-1]

    return program


@pytest.mark.nightly
def test_no_float_that_a_run_releases_is_called_impossible() -> None:
    answers, refused = [], 0
    for seed in range(60):
        program = expression(seed)
        for run in range(2):
            point, record = plain_run(program, 1.0, seed=run)
            assert probability_of(program, 1.0, float(point), record) == Fraction(1, 5 * 8 << 159)
            try:
                answers.append(never_releases(program, 1.0, float(point)))
            except Unauditable:
                refused += 1
    assert answers == [None] * (120 - refused)
    assert refused < 40


@pytest.mark.nightly
def test_on_few_draws_no_outcome_of_the_law_is_called_impossible_and_others_are() -> None:
    def program(value: float, coins: Coins) -> float:
        x, y = coins.below(8) / 8, coins.below(5) / 3
        return value + x * y if x < y else value - x / (1 + y)

    law = enumerate_law(program, 1.0, eager=True).law
    assert law.tail == 0
    assert all(never_releases(program, 1.0, point) is None for point in law.outcomes())
    outside = [-0.01, math.nextafter(0.125, 0.0), 2.2, 1.0 + 2.0**-53 - 1.0, 100.0]
    assert all(never_releases(program, 1.0, point) is not None for point in outside if point not in law.outcomes())


def difference(count: float, coins: Coins) -> float:
    x = product(coins)
    return count + (x - x)


def grid(count: float, coins: Coins) -> Any:
    return np.rint(box(count, coins))


def sign(count: float, coins: Coins) -> float:
    return math.copysign(1.0, product(coins))


def branch(count: float, coins: Coins) -> float:
    return count - 1.0 if product(coins) > coins.random() else count


@pytest.mark.parametrize(
    ("program", "value", "point"),
    [(difference, 1, 0.75), (grid, 1, 0.0), (grid, 1, 7.0), (branch, 1.0, 0.0), (branch, 1.0, 1.0)],
)
def test_what_bounds_allow_is_not_called_impossible(program: Program, value: float, point: float) -> None:
    assert never_releases(program, value, point) is None


@pytest.mark.parametrize("point", [1.0, -1.0])
def test_a_sign_of_what_may_be_a_zero_of_either_kind_is_possible_or_not_followed(point: float) -> None:
    try:
        found = never_releases(sign, 0, point)
    except Unauditable:
        found = None
    assert found is None


def test_half_integers_are_no_rounded_outcomes() -> None:
    found = never_releases(grid, 1, 0.5)
    assert found is not None


def told_by_decimal(count: float, coins: Coins) -> float:
    x = product(coins)
    try:
        Decimal(x)
    except TypeError:
        return 9.0
    return count + x


def told_by_json(count: float, coins: Coins) -> float:
    x = product(coins)
    try:
        json.dumps([x])
    except TypeError:
        return 9.0
    return count + x


def told_on_rare_draws(count: float, coins: Coins) -> float:
    return told_by_decimal(count, coins) if coins.random() < 2.0**-20 else 9.0


def told_where_no_run_leads(count: float, coins: Coins) -> float:
    x = coins.random() * coins.random() * coins.random() * coins.random()
    return told_by_decimal(count, coins) if 0.25 < x < 0.25 + 1e-9 else 9.0


def told_by_type(count: float, coins: Coins) -> float:
    x = product(coins)
    return count + x if type(x) is float else 9.0


CALLS: list[None] = []


def hidden_state(count: float, coins: Coins) -> float:
    CALLS.append(None)
    return product(coins) + (count if len(CALLS) % 3 == 0 else 9.0)


def hidden_randomness(count: float, coins: Coins) -> float:
    return product(coins) + (count if random.random() < 0.5 else 9.0)


def hidden_where_no_run_leads(count: float, coins: Coins) -> float:
    x = coins.random() * coins.random() * coins.random() * coins.random()
    return random.random() if 0.25 < x < 0.25 + 1e-9 else 9.0


def an_integer(count: float, coins: Coins) -> float:
    return count + int(1e9 * product(coins)) / 2


def polar(count: float, coins: Coins) -> float:
    while True:
        x, y = 2.0 * coins.random() - 1.0, 2.0 * coins.random() - 1.0
        s = x * x + y * y
        if 0.0 < s < 1.0:
            return count + x * math.sqrt(-2.0 * math.log(s) / s)


@pytest.mark.points(7)
@pytest.mark.parametrize(
    ("program", "words"),
    [
        (told_by_decimal, "needed as a plain number"),
        (told_by_json, "Encoder is not followed"),
        (told_on_rare_draws, "needed as a plain number"),
        (told_where_no_run_leads, "needed as a plain number"),
        (hidden_state, "by the machine, .* when CPython runs it"),
        (hidden_randomness, "hidden randomness"),
        (hidden_where_no_run_leads, "drawn from beside the coins"),
        (lambda count, coins: {product(coins): count}.get(0.0, 9.0), "needed as a plain number"),
        (lambda count, coins: count if "7" in repr(product(coins)) else 9.0, "needed as a plain number"),
        (lambda count, coins: count + 1.0 / product(coins), "needed as a plain number"),
        (polar, "may be infinite"),
        (lambda count, coins: count + math.tan(product(coins)), "needed as a plain number"),
    ],
)
def test_what_cannot_be_followed_is_refused_by_name(program: Program, words: str) -> None:
    with pytest.raises(Unauditable, match=words):
        never_releases(program, 0.0, 1.0 + 2.0**-30)


@pytest.mark.parametrize(("program", "other"), [(told_by_type, 9.0), (an_integer, 0.3)])
def test_a_type_is_answered_and_integers_are_followed(program: Program, other: float) -> None:
    assert never_releases(program, 0.0, other) is not None
    assert never_releases(program, 0.0, 0.0) is None


def test_zeros_that_are_drawn_again_lead_to_the_same_state() -> None:
    def program(count: float, coins: Coins) -> float:
        u = coins.random()
        while u == 0.0:
            u = coins.random()
        return count + math.sqrt(-2.0 * math.log(u)) * math.cos(coins.random())

    found = never_releases(program, 1, GRID / 8)
    assert found.states < 5


def test_what_the_collection_of_garbage_calls_is_not_the_programs() -> None:
    """As a callback of some library may be called in a followed run, and in no plain one."""
    called: list[str] = []
    counts: list[int] = []
    threshold, collecting = gc.get_threshold(), gc.isenabled()

    def callback(phase: str, info: dict[str, int]) -> None:
        called.append(phase)

    def executed() -> int:
        traced = Traced()
        with traced.tracing():
            found = [[place] for place in range(500)]
        assert len(found) == 500
        return traced.count()

    gc.callbacks.append(callback)
    gc.set_threshold(20)
    try:
        for wanted in (gc.enable, gc.disable):
            wanted()
            before = gc.isenabled()
            counts.append(executed())
            assert gc.isenabled() is before
    finally:
        gc.callbacks.remove(callback)
        gc.set_threshold(*threshold)
        if collecting:
            gc.enable()
    assert called
    assert counts[0] == counts[1]


def test_an_exception_at_an_end_of_the_draws_is_seen_to_be_the_programs() -> None:
    def program(count: float, coins: Coins) -> float:
        return count + math.log(coins.random()) * coins.random()

    assert never_releases(program, 1, GRID / 8) is not None


def test_probability_of_draws() -> None:
    point, record = plain_run(box, 0, seed=5)
    assert probability_of(box, 0, point, record) == Fraction(1, 1 << 106)
    assert probability_of(box, 1, point, record) is None
    assert probability_of(box, 0, point, record[:1]) is None
    with pytest.raises(Unauditable):
        probability_of(hidden_randomness, 0, point, record)
