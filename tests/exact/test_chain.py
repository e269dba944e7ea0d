"""Evidence for chain.py: merged steps have the law of the plain loop, of closed forms, of solved chains."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Coins, Dist, Done
from dpcert.mechanisms.exact import chain
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.reading.paths.enumerator import enumerate_law

from .chains import Table, Twin, tables

Law = Callable[..., Dist]


@pytest.mark.nightly
def test_a_fold_over_people_has_the_binomial_law_and_few_leaves() -> None:
    found = enumerate_law(
        lambda _, coins: coins.fold(range(60), 0, lambda count, item, c: count + c.bernoulli("1/3")), None
    )
    assert found.law == Dist.of((k, Fraction(comb(60, k) * 2 ** (60 - k), 3**60)) for k in range(61))
    assert found.leaves == 61


@pytest.mark.nightly
@given(tables, st.integers(0, 3), st.integers(0, 4))
def test_exact_twin_of_fold(twin: Twin, table: Table, first: int, length: int) -> None:
    def program(_: None, coins: Coins) -> Any:
        def step(state: int, item: int, inner: Coins) -> int:
            return (table[state][inner.below(len(table[state]))] + item) % 4

        return coins.fold(range(length), first, step), coins.below(2)

    twin(program)


def solved(table: Table, first: int) -> dict[int, Fraction]:
    """The law of where a chain that ends in the states 2 and 3 ends, by Gaussian elimination."""
    sides = len(table[0])
    move = [[Fraction(table[i].count(j), sides) for j in range(4)] for i in range(2)]
    (a, b), (c, d) = ([move[i][0], move[i][1]] for i in range(2))
    determinant = (1 - a) * (1 - d) - b * c
    if first > 1:
        return {first: Fraction(1)}
    if determinant == 0:  # a set of states that is never left
        other = 1 - first
        if move[first][first] == 1 or move[first][other] + move[first][first] == 1:
            return {}
        stay, leave = move[first][first], [move[first][j] / (1 - move[first][first]) for j in (2, 3)]
        assert move[other][other] == 1
        return {j: p for j, p in zip((2, 3), leave, strict=True) if p and stay < 1}
    law = {}
    for end in (2, 3):
        x, y = move[0][end], move[1][end]
        ends = ((1 - d) * x + b * y) / determinant, ((1 - a) * y + c * x) / determinant
        law[end] = ends[first]
    return {end: p for end, p in law.items() if p}


@pytest.mark.nightly
@given(tables, st.integers(0, 1))
def test_exact_twin_of_loop_is_the_solved_chain(table: Table, first: int) -> None:
    def step(state: int, coins: Coins) -> int | Done[int]:
        after = table[state][coins.below(len(table[state]))]
        return Done(after) if after > 1 else after

    expected = solved(table, first)
    tail = 1 - sum(expected.values())
    found = enumerate_law(lambda _, coins: coins.loop(first, step), None)
    assert found.law == Dist.of(expected, tail=tail)
    again = enumerate_law(lambda _, coins: coins.loop(first, step), None, reverse=True, replay=False)
    assert again.law.digest() == found.law.digest()


def absorbed_by_fractions(moves: dict[Any, dict[Any, Fraction]], start: Any) -> dict[Any, Fraction]:
    """The brute-force twin of `chain.absorb`: each state is replaced by its moves, in fractions."""
    moves = {name: dict(out) for name, out in moves.items()}
    for name in list(moves):
        if name != start:
            leave_out(moves, name)
    return leave_out(moves, start)


def leave_out(moves: dict[Any, dict[Any, Fraction]], name: Any) -> dict[Any, Fraction]:
    out = moves.pop(name)
    stay = out.pop(name, Fraction(0))
    out = {after: mass / (1 - stay) for after, mass in out.items()} if stay < 1 else {}
    for other in moves.values():
        weight = other.pop(name, Fraction(0))
        for after, mass in out.items():
            other[after] = other.get(after, Fraction(0)) + weight * mass
    return {after: mass for after, mass in out.items() if mass}


@st.composite
def chains(draw: st.DrawFn) -> dict[Any, dict[Any, Fraction]]:
    """Chains of states 0, 1, ..., some without a way out or with missing mass, all reached from 0; ends are texts."""
    size = draw(st.integers(1, 7))
    names = st.one_of(st.integers(0, size - 1), st.sampled_from("abc"))
    moves: dict[Any, dict[Any, Fraction]] = {}
    for state in range(size):
        weights = draw(st.dictionaries(names, st.integers(1, 9), max_size=4))
        missing = draw(st.sampled_from([0, 0, 1, 3]))
        total = sum(weights.values()) + missing
        moves[state] = {after: Fraction(weight, total) for after, weight in weights.items()}
    reached = {0: None}
    for state in reached_from(moves):
        reached[state] = None
    return {state: moves[state] for state in reached}


def reached_from(moves: dict[Any, dict[Any, Fraction]]) -> list[int]:
    """The states of a chain in the order of their discovery from 0."""
    found = [0]
    for state in found:
        found += [after for after in moves[state] if after in moves and after not in found]
    return found


@given(chains())
def test_exact_twin_of_the_elimination_is_that_in_fractions(moves: dict[Any, dict[Any, Fraction]]) -> None:
    law = chain.absorb(moves, 0)
    assert {end: mass for end, mass in law.items() if mass} == absorbed_by_fractions(moves, 0)


def test_exact_twin_of_the_elimination_on_a_lattice() -> None:
    """A walk on 64 places that are left over four edges, where every elimination fills in."""
    places = [(x, y) for x in range(8) for y in range(8)]
    shifts = {(1, 0): "2/7", (-1, 0): "1/7", (0, 1): "3/11", (0, -1): "12/77", (0, 0): "1/7"}
    moves = {
        (x, y): {(x + dx, y + dy): Fraction(p) for (dx, dy), p in shifts.items()}
        for x, y in sorted(places, key=lambda place: (place != (3, 3), place))
    }
    law = chain.absorb(moves, (3, 3))
    assert law == absorbed_by_fractions(moves, (3, 3))
    assert len(law) == 32
    assert sum(law.values()) == 1


@pytest.mark.nightly
def test_a_chain_with_1000_ends_and_long_fractions_has_its_closed_form() -> None:
    """Replacing each state by its moves would multiply half a million pairs of fractions here."""
    ratio = Fraction(654321, 1000000)
    law = chain.absorb({k: {k + 1: ratio, -k - 1: 1 - ratio} for k in range(1000)}, 0)
    assert law == {1000: ratio**1000} | {-k - 1: (1 - ratio) * ratio**k for k in range(1000)}


def test_the_weights_of_merged_steps_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of the 41 runs that choose between them."""
    asked: list[int] = []

    def count(ratios: Sequence[Any]) -> tuple[list[int], int]:
        asked.append(len(ratios))
        return on_one_denominator(ratios)

    monkeypatch.setattr(chain, "on_one_denominator", count)
    assert enumerate_law(lambda _, coins: coins.fold(range(40), 0, lambda s, i, c: s + c.below(2)), None).leaves == 41
    assert asked == [41]


def test_a_loop_that_starts_at_an_end_takes_a_step_all_the_same(twin: Twin) -> None:
    twin(lambda _, coins: coins.loop(Done(1), lambda state, c: Done((state.value, c.below(2)))))


def test_rejection_is_solved_with_tail_0() -> None:
    def step(_: None, coins: Coins) -> Any:
        u = coins.getrandbits(69)
        return Done(u % 3) if u < 3 * 10**20 else None

    found = enumerate_law(lambda _, coins: coins.loop(None, step), None)
    assert found.law == Dist.uniform(3)
    plain = enumerate_law(lambda _, coins: plainly(coins, step), None, merge=False)
    assert 0 < plain.law.tail <= Fraction(1, 10**30)
    lo, hi = plain.law.total_variation_bounds(found.law)
    assert lo == 0
    assert hi <= plain.law.tail


def plainly(coins: Coins, step: Callable[[None, Coins], Any]) -> Any:
    while type(state := step(None, coins)) is not Done:
        pass
    return state.value


@pytest.mark.parametrize(("goal", "start"), [(5, 2), (10, 1), (7, 6)])
def test_the_ruin_of_a_gambler_has_its_closed_form(law: Law, goal: int, start: int) -> None:
    def step(money: int, coins: Coins) -> int | Done[bool]:
        money += 2 if coins.below(3) == 0 else 0
        money -= 1
        return Done(money > 0) if money <= 0 or money >= goal else money

    ratio = [Fraction(1)]
    for _ in range(goal - 1):
        ratio.append(ratio[-1] * 2)
    assert law(lambda coins: coins.loop(start, step)).prob(True) == sum(ratio[:start]) / sum(ratio)
