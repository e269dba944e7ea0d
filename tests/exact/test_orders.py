"""What an order of branches costs, and what a run leaves behind."""

import gc
from typing import Any

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Settings


def lopsided(value: object, coins: Coins) -> tuple[int, ...]:
    """Two numbers, each mostly 0, as noise is: the rarest way soon leads below a level."""
    return tuple(sum(coins.below(1000) >= c for c in (900, 990, 999)) for _ in range(3))


def waiting(value: object, coins: Coins) -> int:
    rounds = 0
    while coins.below(4):
        rounds += 1
    return rounds


@pytest.mark.parametrize("program", [lopsided, waiting])
def test_both_orders_take_as_many_runs_and_find_one_law(program: Any) -> None:
    def found(reverse: bool) -> tuple[str, int, list[Any]]:
        runs = 0
        outcomes: list[Any] = []

        def counted(value: object, coins: Coins) -> Any:
            nonlocal runs
            runs += 1
            outcomes.append(program(value, coins))
            return outcomes[-1]

        law = exact_law(counted, None, Settings(LazyRun, reverse=reverse, replay=False)).law
        return law.digest(), runs, outcomes

    forward, backward = found(False), found(True)
    assert forward[:2] == backward[:2]
    assert forward[2] != backward[2]  # and yet in another order


@pytest.mark.parametrize("program", [lopsided, waiting])
@pytest.mark.parametrize("reverse", [False, True])
def test_runs_leave_nothing_for_the_collector(program: Any, reverse: bool) -> None:
    collecting = gc.isenabled()
    while gc.collect():  # what finalizers of other tests leave behind, too
        pass
    gc.disable()
    try:
        found = exact_law(program, None, Settings(LazyRun, reverse=reverse))
        left = gc.collect()
    finally:
        (gc.enable if collecting else gc.disable)()
    assert left < found.leaves / 10
