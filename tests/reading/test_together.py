"""Evidence that states which are followed as one have the law of states that are followed one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from test_keys import PROGRAMS

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading import explore, together
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Explorer, Limits, read_law
from dpcert.reading.machine import Machine
from dpcert.reading.solve import solved
from dpcert.reading.together import Vector


class Last(dict[Any, int]):
    """The integers of a state, the last place first."""

    def __init__(self, found: Any) -> None:
        super().__init__(reversed(list(found)))


def told(explorer: Explorer, masses: Any) -> dict[bytes, Fraction]:
    return {canonical(explorer.outcomes[-1 - end]): Fraction(*mass) for end, mass in masses.items()}


def both(program: Callable[..., Any], value: Any) -> tuple[dict[bytes, Fraction], dict[bytes, Fraction] | None] | None:
    """The masses found by following states alone, and together where this goes through; None for a trivial law."""
    explorer = Explorer(program, value, Limits(states=400))
    try:
        first = explorer.arrive(explorer.begin(Machine))
        if first < 0:
            return None
        explorer.explore(first, 400)
    except Refused:
        return None
    alone = told(explorer, solved(explorer.ways, first))
    found = together.together(explorer, explorer.questions[first])
    return alone, None if found is None else told(explorer, found)


@pytest.mark.points(40)
@pytest.mark.parametrize("order", [dict, Last])
@pytest.mark.parametrize("program", PROGRAMS)
def test_any_integer_may_be_followed(
    program: Callable[..., Any], order: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    integers = together.integers
    monkeypatch.setattr(together, "integers", lambda m, records: order(integers(m, records)).items())
    monkeypatch.setattr(together, "LEAST", 1)
    monkeypatch.setattr(together, "PATIENCE", 200)
    found = both(program, 1)
    if found is None or found[1] is None:
        return
    alone, as_one = found
    assert sum(as_one.values()) == 1
    assert all(mass <= as_one.get(name, 0) for name, mass in alone.items())
    assert sum(alone.values()) < 1 or alone == as_one


def kept(n: int, coins: Coins) -> int:
    count = 0
    for _ in range(n):
        if coins.below(10) == 0:
            count += 1
    return count


def in_a_sum(n: int, coins: Coins) -> int:
    return sum(1 for _ in range(n) if coins.below(10) == 0)


class Tally:
    def __init__(self) -> None:
        self.hits = 0

    def hit(self) -> None:
        self.hits += 1


def in_a_class(n: int, coins: Coins) -> int:
    tally = Tally()
    for _ in range(n):
        if coins.below(10) == 0:
            tally.hit()
    return tally.hits


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


@pytest.mark.parametrize("program", [kept, in_a_sum, in_a_class])
def test_a_count_is_a_binomial(program: Callable[..., Any]) -> None:
    reading = read_law(program, 60)
    assert reading.law == Dist.binomial(60, "1/10")
    assert reading.states < explore.FEW + 3 * 60


def dice(n: int, coins: Coins) -> int:
    total = 7
    for _ in range(n):
        total += coins.below(6) - 2
    return total


@pytest.mark.parametrize(("program", "n"), [(shared, 36), (scaled, 36), (dice, 20)])
def test_the_law_is_that_of_states_alone(program: Callable[..., Any], n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_law(program, n)
    monkeypatch.setattr(explore, "FEW", 10_000)
    alone = read_law(program, n)
    assert found.law == alone.law
    assert found.states < alone.states


def test_a_walk_is_cut_where_its_maximum_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(n: int, coins: Coins) -> int:
        x = best = 0
        for _ in range(n):
            x += 1 if coins.below(2) else -1
            best = max(best, x)
        return best

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
    assert vector.part(1, 6).tops == {1: 1}
    assert vector.interval() == (0, 7)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a shift is lost": lambda patch: patch.setattr(
        together.Vector,
        "add",
        lambda self, other, weight, total, shift, add=Vector.add: add(self, other, weight, total, 0),
    ),
    "a part loses its last value": lambda patch: patch.setattr(
        together.Vector, "part", lambda self, lo, hi: Vector({v: t for v, t in self.tops.items() if lo <= v < hi - 1})
    ),
    "an interval lacks its last value": lambda patch: patch.setattr(
        together.Vector, "interval", lambda self: (min(self.tops), max(max(self.tops), min(self.tops) + 1))
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_caught_fault_in_states_that_are_one(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[fault](monkeypatch)
    assert read_law(kept, 40).law != Dist.binomial(40, "1/10")
