"""Evidence that replays see where the machine is unlike CPython."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading import operators
from dpcert.reading.domains import coins as domain
from dpcert.reading.replay import replay

KEPT: list[int] = []


def counted(n: int, coins: Coins) -> Any:
    kept = 0
    for _ in range(n):
        kept += coins.random() < 0.25
    return kept if kept <= 3 else None


def shuffled(n: int, coins: Coins) -> Any:
    row = list(range(n))
    coins.shuffle(row)
    return row


def keeping(n: int, coins: Coins) -> Any:
    KEPT.append(int(coins.below(3)))
    return len(KEPT)


def counting(n: int, coins: Coins) -> Any:
    KEPT.append(int(coins.below(3)))
    return KEPT[-1]


@pytest.mark.parametrize("program", [counted, shuffled, counting])
def test_ways_are_replayed(program: Callable[..., Any]) -> None:
    assert replay(program, 4, 5) == 5
    assert KEPT == []


def test_refused_a_run_that_depends_on_the_one_before() -> None:
    with pytest.raises(Unauditable, match="1 by the machine, 2 when CPython runs it"):
        replay(keeping, 4, 5)
    assert KEPT == []


def test_long_ways_are_fewer() -> None:
    assert 0 < replay(counted, 2_500, 20) < 12


def test_caught_cut_that_is_one_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = domain.reached
    monkeypatch.setattr(domain, "reached", lambda *args: reached(*args) - 1)
    with pytest.raises(Unauditable, match="CPython"):
        replay(counted, 4, 20)


def test_caught_sum_that_is_one_too_great(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(operators.IN_PLACE, "add", lambda a, b: a + b + 1)
    with pytest.raises(Unauditable, match="CPython"):
        replay(counted, 4, 20)
