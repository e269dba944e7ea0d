"""Evidence that readings of one program on several inputs share calls, and nothing that has changed since."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from types import FunctionType
from typing import Any

import corpus
import numpy as np
import pytest

from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.states.choice import MERGED, law_by_states_or_paths
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.turns import Lines
from dpcert.targets.redirecting import redirect

SIDES = {"sides": 3}


def sixes(n: int, coins: Coins) -> int:
    """Draw up to n times, until 0 comes."""
    count = 0
    while count < n and coins.below(SIDES["sides"]):
        count += 1
    return count


def shifted(x: int, coins: Coins) -> int:
    return x + sixes(4, coins)


def kept_of(n: int, coins: Coins) -> int:
    """Count who of n people stays."""
    count = 0
    for _ in range(n):
        if coins.random() < 0.1:
            count += 1
    return count


def kept_by_place(n: int, coins: Coins) -> int:
    """What is left of the range does not tell the place in it, which is read."""
    count = 0
    for place in range(n):
        if coins.below(place + 2) == 0:
            count += 1
    return count


def kept_by_shared_place(n: int, coins: Coins) -> int:
    """An inner function reads the place."""
    count = 0
    for place in range(n):
        if coins.below((lambda: place + 2)()) == 0:
            count += 1
    return count


def last_place(n: int, coins: Coins) -> tuple[int, int]:
    """The variable is read for what follows the loop."""
    count, last = 0, -1
    for place in range(n):
        count, last = count + coins.below(2), place
    return count, last


def counted_down(n: int, coins: Coins) -> int:
    return sum(coins.below(2) * place for place in range(n, 0, -1)) + sum(coins.below(2) for _ in range(n, 3 * n, 2))


def never_ends(n: int, coins: Coins) -> int:
    count = 0
    while n and coins.below(2):
        count += 1
    return count + n


def until_a_third(n: int, coins: Coins) -> int:
    """One function is read on its own for small inputs, and has to be followed for others."""
    return sixes(n, coins) if n < 2 else sixes(n, coins) + len([sixes(1, coins) for _ in range(n)])


NAMES = sorted(vars(corpus).items())
LARGE = {"expressions"}
OF_COINS = [
    each
    for name, each in NAMES
    if type(each) is FunctionType and [*signature(each).parameters] == ["n", "coins"] and name not in LARGE
]
OWN = [kept_of, kept_by_place, kept_by_shared_place, last_place, counted_down, never_ends, until_a_third]


@pytest.mark.points(30)
@pytest.mark.parametrize("program", [*OWN, *OF_COINS], ids=lambda program: program.__name__)
def test_a_law_is_the_same_whatever_was_read_before(program: Callable[..., Any]) -> None:
    alone = {n: merged_law(program, n).law for n in (1, 2, 3)}
    for order in ((1, 2, 3), (3, 2, 1)):
        kept = Kept()
        for n in order:
            found = merged_law(program, n, kept=kept).law
            assert (found, found.digest()) == (alone[n], alone[n].digest())


def test_a_call_is_read_and_replayed_for_the_first_input_alone() -> None:
    kept = Kept()
    first, second = (merged_law(shifted, x, kept=kept) for x in (0, 1))
    assert second.law == exact_law(shifted, 1).law == first.law.map(lambda outcome: outcome + 1)
    assert second.states == 1 < first.states
    assert second.replays < first.replays


def test_states_are_read_and_replayed_for_the_first_input_that_leads_to_them() -> None:
    kept = Kept()
    found = [merged_law(kept_of, n, kept=kept) for n in range(31)]
    alone = merged_law(kept_of, 30)
    assert found[30].law == alone.law
    assert found[30].states == alone.states == 496
    assert sum(each.runs for each in found) < 3 * alone.states
    assert found[30].replays < alone.replays


def test_states_that_tell_their_place_are_shared_where_they_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ranges end at different places: only where nothing is left, states of one input are those of another."""
    monkeypatch.setattr(Lines, "together", lambda self, tasks: None)
    kept = Kept()
    runs = [merged_law(kept_by_place, n, kept=kept).runs for n in (6, 7)]
    assert runs[1] == merged_law(kept_by_place, 7).runs - 7


def test_inputs_that_can_be_changed_share_no_states() -> None:
    def drawn(people: list[int], coins: Coins) -> int:
        people.append(sum(coins.below(2) for _ in people))
        return sum(people)

    kept = Kept()
    for people in ([1], [1, 2], [1, 2]):
        assert merged_law(drawn, people, kept=kept).law == exact_law(drawn, people).law
        assert kept.whole is None


def test_caught_a_way_that_was_read_from_another_input_and_is_not_as_it_was() -> None:
    """What an earlier reading left wrong is found by the replays of the ways that lead to it."""
    kept = Kept()
    merged_law(kept_of, 3, kept=kept)
    assert kept.whole is not None
    for state, ways in kept.whole.ways.items():
        kept.whole.ways[state] = [(to, kind) for (to, _), (_, kind) in zip(ways, ways[::-1], strict=True)]
    found = merged_law(kept_of, 4, kept=kept)  # read alone, as what was kept is refused
    assert found.law == exact_law(kept_of, 4).law
    assert found.states == 15


def test_what_a_program_keeps_from_one_input_to_the_next_is_refused() -> None:
    seen: list[int] = []

    def keeps(n: int, coins: Coins) -> int:
        count = len(seen)
        for _ in range(n):
            count += coins.below(2)
        seen.append(n)
        return count

    kept = Kept()
    merged_law(kept_of, 2, kept=kept)
    for n in (2, 3):
        with pytest.raises(NotRead, match="is changed by the program"):
            merged_law(keeps, n, kept=kept)
        seen.clear()


def test_what_changed_between_two_inputs_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    before = merged_law(shifted, 0, kept=kept).law
    monkeypatch.setitem(SIDES, "sides", 4)
    after = merged_law(shifted, 0, kept=kept).law
    assert after == exact_law(shifted, 0).law != before


def test_other_limits_or_another_order_of_branches_share_no_calls() -> None:
    kept = Kept()
    whole = merged_law(shifted, 0, kept=kept).states
    assert merged_law(shifted, 1, kept=kept, reverse=True).states == whole
    assert merged_law(shifted, 2, kept=kept, reverse=True, replay=False).states == whole
    assert merged_law(shifted, 3, kept=kept, reverse=True, replay=False).states < whole


def test_caught_what_a_call_of_an_earlier_input_assigns_to() -> None:
    """What the code of a call does to names counts for the inputs that use what it returns."""
    kept = Kept()
    merged_law(shifted, 0, kept=kept)
    home = kept.worlds[0].home
    home.stored.add("below")
    home.trusted.add("below")
    found = merged_law(shifted, 1, kept=kept)
    assert found.law == exact_law(shifted, 1).law
    assert found.states > 1  # with the earlier ones it is refused, and so it is read alone


def halved(n: int, coins: Coins) -> int:
    """Return a uniform number by halving, so that each state is reached in one way alone."""
    u, low, high = coins.below(400), 0, 400
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if u >= middle else (low, middle)
    return n + low


def test_where_no_states_merge_the_next_input_is_followed_by_paths() -> None:
    kept = Kept()
    laws = [law_by_states_or_paths(halved, n, Settings(LazyRun, Limits()), kept) for n in (0, 1)]
    assert [MERGED in law.notes for law in laws] == [True, False]
    assert laws[1].leaves == 400
    assert [law.law for law in laws] == [exact_law(halved, n).law for n in (0, 1)]


@redirect()
def rounded(n: int, rng: np.random.Generator) -> int:
    return round(n + rng.laplace(0, 4 / 3))


@pytest.mark.nightly
def test_a_tail_does_not_depend_on_the_input_before() -> None:
    """Few paths leave a tail, and more of them, which would be tried after another input, a smaller one."""

    def laws(inputs: list[int]) -> list[Any]:
        kept = Kept()
        return [enumerate_law(rounded, n, kept=kept, replay=False).law for n in inputs]

    first, second = laws([0, 1])
    assert first.tail_weight
    assert laws([1, 0]) == [second, first]
