"""Evidence that states which are followed as one have the law of states that are followed one by one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from loops import histogram, kept_loop, kept_ones_tenth, kept_tenth, kept_while, tally, walk
from numpy.random import Generator
from test_keys import PROGRAMS

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading import explore, together
from dpcert.reading.domains import vectors
from dpcert.reading.domains.vectors import Factor
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Explorer, Limits, read_law
from dpcert.reading.machine import Machine
from dpcert.reading.solve import solved
from dpcert.reading.together import Vector
from dpcert.targets.redirecting import redirect


class Last(dict[Any, int]):
    """The integers of a state, the last place first."""

    def __init__(self, found: Any) -> None:
        super().__init__(reversed(list(found)))


def told(explorer: Explorer, masses: Any) -> dict[bytes, Fraction]:
    return {canonical(explorer.outcomes[-1 - end]): Fraction(*mass) for end, mass in masses.items()}


@np.errstate(all="ignore")
def both(program: Callable[..., Any], value: Any) -> tuple[dict[bytes, Fraction], dict[bytes, Fraction] | None] | None:
    """The masses found by following states alone, and together where this goes through; None for a trivial law."""
    explorer = Explorer(program, value, Limits(states=400))
    try:
        first = explorer.place(explorer.arrive(explorer.begin(Machine)))
        if first < 0:
            return None
        explorer.explore(first, 400)
    except Refused:
        return None
    alone = told(explorer, solved(explorer.ways, first))
    found = together.together(explorer, explorer.questions[first])
    return alone, None if found is None else told(explorer, found)


def several(self: Any, shape: Any, found: list[dict[Any, int]]) -> tuple[Any, ...]:
    """The places of three integers, in no order of their own."""
    places = list(found[0])
    return tuple(places[-1:] + places[:-1])[:3]


@pytest.mark.points(40)
@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("order", [dict, Last])
@pytest.mark.parametrize("program", PROGRAMS)
def test_any_integer_may_be_followed(
    program: Callable[..., Any], order: Callable[..., Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    integers = together.integers
    monkeypatch.setattr(together, "integers", lambda m, records: order(integers(m, records)).items())
    monkeypatch.setattr(together, "LEAST", 1)
    monkeypatch.setattr(together, "MERGED", 0)
    if most > 1:
        monkeypatch.setattr(together._Together, "choose", several)
    monkeypatch.setattr(together, "PATIENCE", 200)
    found = both(program, 1)
    if found is None or found[1] is None:
        return
    alone, as_one = found
    assert sum(as_one.values()) == 1
    assert all(mass <= as_one.get(name, 0) for name, mass in alone.items())
    assert sum(alone.values()) < 1 or alone == as_one


def shared(n: int, coins: Coins) -> int:
    count = 0

    def hit() -> None:
        nonlocal count
        count += 1

    for _ in range(n):
        if coins.random() < 0.1:
            hit()
    return count


def scaled(n: int, coins: Coins) -> str:
    rows = [0]
    for _ in range(n):
        if coins.below(3) == 0:
            rows[0] += 2
    return f"{3 * rows[0] - 7} {rows}"


FLOAT = Fraction(math.ceil(Fraction(0.1) * 2**53), 2**53)
"""The probability of `coins.random() < 0.1`."""


@pytest.mark.parametrize(
    ("program", "chance"),
    [(kept_tenth, "1/10"), (kept_ones_tenth, "1/10"), (kept_while, "1/10"), (kept_loop, FLOAT), (tally, FLOAT)],
)
def test_a_count_is_a_binomial(program: Callable[..., Any], chance: Any) -> None:
    reading = read_law(program, 60)
    assert reading.law == Dist.binomial(60, chance)
    assert reading.states < explore.FEW + 3 * 60


def dice(n: int, coins: Coins) -> int:
    total = 7
    for _ in range(n):
        total += coins.below(6) - 2
    return total


def beside_draws(n: int, rng: Generator) -> int:
    count = 0
    for _ in range(n):
        if rng.random() < 0.5:
            count += 1
    row = rng.integers(0, 64, size=2)  # a part of the count's interval looks like a draw with these ends
    row[0] = count
    return int((row > 7).sum())


def in_order(n: int, coins: Coins) -> tuple[int, bool]:
    low = high = 0
    for _ in range(n):
        side = coins.below(3)
        low, high = low - (side == 0), high + (side == 2)
    return high - low, high > -low


def one_goes_on(n: int, coins: Coins) -> tuple[int, int]:
    seen = [0, 0, 0]
    for _ in range(n):
        seen[coins.below(3)] += 1
    first, second, _ = seen
    for _ in range(n):
        first += coins.below(2)
    return first, second


@pytest.mark.parametrize(
    ("program", "n"),
    [
        (histogram, 12),
        (in_order, 9),
        (one_goes_on, 8),
        (shared, 36),
        (scaled, 36),
        (dice, 20),
        (redirect()(beside_draws), 36),
    ],
)
def test_the_law_is_that_of_states_alone(program: Callable[..., Any], n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_law(program, n)
    monkeypatch.setattr(explore, "FEW", 10_000)
    alone = read_law(program, n)
    assert found.law == alone.law
    assert found.states < alone.states


def test_a_walk_is_cut_where_its_maximum_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_law(walk, 20).law
    monkeypatch.setattr(explore, "FEW", 10_000)
    assert found == read_law(walk, 20).law


def test_what_uses_its_counts_as_keys_is_followed_alone() -> None:
    def seen(n: int, coins: Coins) -> int:
        x, keys = 0, set()
        for _ in range(n):
            x += coins.below(2)
            keys.add((x, n))
        return len(keys)

    assert read_law(seen, 33).law == Dist.binomial(32, "1/2").map(lambda k: k + 1)


def test_vectors_add_on_one_denominator() -> None:
    vector = Vector({0: 1}, 2)
    vector.add(Vector({0: 1, 5: 1}, 6), 1, 2, 1)
    assert (vector.tops, vector.bottom) == ({0: 6, 1: 1, 6: 1}, 12)
    assert [part.tops for part in vector.parted(1, 0, [0, 1, 6, 7])] == [{0: 6}, {1: 1}, {6: 1}]
    assert vector.box(1) == ((0, 7),)


def test_several_integers_are_told_apart_in_one() -> None:
    rows = [(3, -5, 1 << 70), (3, 9, -2), (-1, -5, 0)]
    assert [tuple(vectors.unpacked(vectors.packed((*row[:2], 0)) + (row[2] << 128), 3)) for row in rows] == rows
    vector = Vector({vectors.packed(row[:2]): 1 + place for place, row in enumerate(rows)}, 6)
    moved = Vector({})
    moved.add(vector, 1, 1, vectors.packed((-4, 7)))
    assert moved.box(2) == ((-5, 0), (2, 17))
    assert [part.box(2) for part in moved.parted(2, 1, [2, 3, 17])] == [((-5, 0), (2, 3)), ((-1, 0), (16, 17))]
    assert moved.onto(2, (1,)).tops == {2: 4, 16: 2}
    assert moved.onto(2, (1, 0)).tops == {
        vectors.packed((2, -1)): 1,
        vectors.packed((16, -1)): 2,
        vectors.packed((2, -5)): 3,
    }
    assert moved.onto(2, ()).tops == {0: 6}


@pytest.mark.parametrize("large", [1 << 62, -(1 << 63)])
def test_refused_integers_that_are_too_large_to_stand_beside_others(large: int) -> None:
    assert vectors.packed([large]) == large
    with pytest.raises(Refused, match="too large"):
        vectors.packed((0, large))
    vector = Vector({large: 1})
    assert vector.box(1) == ((large, large + 1),)
    with pytest.raises(Refused, match="too large"):
        vector.box(2)


def at_once(vector: Vector) -> dict[int, Fraction]:
    return {value: Fraction(top, vector.bottom) for value, top in vector.tops.items()}


@pytest.mark.parametrize("seed", range(20))
def test_a_product_that_is_left_is_that_of_its_steps(seed: int) -> None:
    chance = random.Random(seed)
    kinds = [[(chance.randint(1, 9), 10, chance.randint(-3, 3)) for _ in range(chance.randint(1, 3))] for _ in "ab"]
    start = {chance.randint(-9, 9): chance.randint(1, 9) for _ in range(chance.choice((1, 3, 12)))}
    left, steps = Vector(dict(start), 7), Vector(dict(start), 7)
    for _ in range(chance.randint(1, 60)):
        kind = kinds[chance.random() < 0.2]
        left, before = Vector({}), left
        steps, known = Vector({}), steps
        for weight, total, shift in kind:
            left.add(before, weight, total, shift)
            steps.add(Vector(known.tops, known.bottom), weight, total, shift)
        left.leave()
        if chance.random() < 0.05:
            lo, hi = left.interval()
            cuts = sorted({lo, *[cut for cut in (0, 5) if lo < cut < hi], hi})
            parts = [{v: t for v, t in left.tops.items() if a <= v < b} for a, b in pairwise(cuts)]
            assert [part.tops for part in left.parted(1, 0, cuts)] == [part for part in parts if part]
        assert steps.tops
        assert left.interval() == (min(steps.tops), max(steps.tops) + 1)
    assert at_once(left) == at_once(steps)
    assert left.size() == len(left.tops)


def test_a_power_of_a_factor_is_its_product() -> None:
    factor = Factor({-2: 3, 1: 5, 2: 1}, 9)
    power = factor.power(7)
    weights = {0: 1}
    for _ in range(7):
        old, weights = weights, {}
        for value, weight in old.items():
            for shift, by in factor.weights.items():
                weights[value + shift] = weights.get(value + shift, 0) + weight * by
    assert (power.weights, power.total) == (dict(sorted(weights.items())), 9**7)


def test_many_steps_with_a_look_in_between() -> None:
    def seen(n: int, coins: Coins) -> tuple[int, bool]:
        count, early = 0, False
        for k in range(n):
            count += coins.random() < 0.1
            if k == n // 2:
                early = count > 5
        return count, early

    law = read_law(seen, 60).law
    probs = {outcome: Fraction(weight, law.denominator) for _, outcome, weight in law.weights()}
    assert law.tail == 0
    assert probs[2, False] == Dist.binomial(60, FLOAT).prob(2)
    assert sum(mass for (_, early), mass in probs.items() if not early) == Dist.binomial(31, FLOAT).cdf(5)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a shift is lost": lambda patch: patch.setattr(
        together.Vector,
        "add",
        lambda self, other, weight, total, shift, add=Vector.add: add(self, other, weight, total, 0),
    ),
    "the last part is lost": lambda patch: patch.setattr(
        together.Vector, "parted", lambda *args, parted=Vector.parted: parted(*args)[:-1]
    ),
    "a power lacks a factor": lambda patch: patch.setattr(
        Factor, "power", lambda self, n, power=Factor.power: power(self, n - 1)
    ),
    "an interval lacks its last value": lambda patch: patch.setattr(
        together.Vector, "interval", lambda self: (min(self.tops), max(max(self.tops), min(self.tops) + 1))
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_caught_fault_in_states_that_are_one(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[fault](monkeypatch)
    assert read_law(kept_tenth, 40).law != Dist.binomial(40, "1/10")
