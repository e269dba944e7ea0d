"""Laws of one program on several inputs share what is known of its states, and nothing that these do not determine.

Each law that shares must be that of a reading which shares nothing, whatever was read before.
"""

from __future__ import annotations

import decimal
import random
import sys
import types
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import plain_gaussian as plain
import pytest
from test_keys import PROGRAMS

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading import together
from dpcert.reading.choice import Kept
from dpcert.reading.explore import Limits, read_law
from dpcert.reading.known import Known
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.redirecting import redirect

LIMITS = Limits(states=2_000)
Told = tuple[dict[bytes, Fraction], tuple[str, ...], tuple[str, ...]] | str


def told(program: Callable[..., Any], value: Any, known: Known | None, **how: Any) -> Told:
    """The law of a program with what is assumed, or why there is none."""
    try:
        found = read_law(program, value, LIMITS, known=known, **how)
    except Unauditable as refusal:
        return str(refusal)
    masses = {canonical(outcome): Fraction(weight, found.law.denominator) for _, outcome, weight in found.law.weights()}
    return masses, found.left, found.notes


def shares(program: Callable[..., Any], values: list[Any], **how: Any) -> Known:
    """Read a program on several inputs, and again in reverse: all laws must be those of readings alone."""
    for each in (values, values[::-1]):
        known = Known()
        for value in each:
            assert told(program, value, known, **how) == told(program, value, None, **how)
    return known


@pytest.mark.points(25)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_shared_changes_no_law(program: Callable[..., Any]) -> None:
    shares(program, [1, 0, 2, 1, True, 1.0])


def counted(n: int, coins: Coins) -> int:
    count = 0
    for _ in range(n):
        if coins.random() < 0.1:
            count += 1
    return count


def summed(n: int, coins: Coins) -> int:
    return sum(coins.random() < 0.1 for _ in range(n))


def listed(n: int, coins: Coins) -> int:
    return len([1 for _ in range(n) if coins.below(3) == 0])


@pytest.mark.parametrize("program", [counted, summed, listed])
def test_loops_whose_items_nobody_reads_are_equal_where_as_many_turns_are_left(program: Callable[..., Any]) -> None:
    known = Known()
    read_law(program, 12, known=known)
    runs = len(known.moves)
    read_law(program, 11, known=known)
    assert len(known.moves) == runs
    shares(program, [12, 7, 13])


def item_read(n: int, coins: Coins) -> int:
    last = -1
    for each in range(n):
        if coins.below(2):
            last = each
    return last


def item_read_behind(n: int, coins: Coins) -> int:
    for _each in range(n):
        if coins.below(2):
            break
    return _each


def item_read_at_an_error(n: int, coins: Coins) -> int:
    try:
        for each in range(n):
            each // coins.below(2)
    except ZeroDivisionError:
        return each
    return -1


def item_of_a_comprehension(n: int, coins: Coins) -> int:
    return sum(each for each in range(n) if coins.below(2))


def iterator_of_its_own(n: int, coins: Coins) -> int:
    numbers = iter(range(n))
    for _ in numbers:
        if coins.below(2):
            return next(numbers, -1)
    return -2


def item_in_a_cell(n: int, coins: Coins) -> int:
    for each in range(n):
        if coins.below(2):
            return (lambda: each)()
    return -1


OUTCOMES = {
    item_read: 5,
    item_read_behind: 4,
    item_read_at_an_error: 5,
    item_of_a_comprehension: 7,
    iterator_of_its_own: 5,
    item_in_a_cell: 5,
}


@pytest.mark.parametrize("program", OUTCOMES)
def test_items_that_are_read_are_told(program: Callable[..., Any]) -> None:
    known = shares(program, [3, 4])
    masses = told(program, 4, known)
    assert isinstance(masses, tuple)
    assert len(masses[0]) == OUTCOMES[program]


def test_runs_that_are_shared_do_not_depend_on_the_order_of_inputs() -> None:
    def clamped(n: int, coins: Coins) -> int:
        count = 0
        for _ in range(n):
            count = min(count + (coins.random() < 0.1), 50)
            if count > 30:
                count = 0
        return count

    known = shares(clamped, [35, 45])
    assert known.runs


def test_a_wider_interval_is_used_only_where_it_holds_for_all_of_its_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [told(counted, 40, None)]
    for width in (2, 1 << 20):
        monkeypatch.setattr(together, "WIDE", width)
        found.append(told(counted, 40, None))
    assert found[0] == found[1] == found[2]
    assert together.widened(5, 6) == (5, 6)
    assert all(lo <= -3 < 70 <= hi for lo, hi in [together.widened(-3, 70)])


def test_calls_that_are_shared_have_the_law_of_calls_alone() -> None:
    def noisy(n: int, coins: Coins) -> int:
        return n + plain.laplace(1, coins)

    known = Known()
    for n in (0, 5):
        assert told(noisy, n, known) == told(noisy, n, None)
    assert known.calls


SETTING = 3
TABLE = {"limit": 2}
ROW = [1, 2]


NUMBERS = np.array([2, 3])


class Holder:
    limit = 2


HELD = Holder()


def closed(limit: int) -> Any:
    """A program that holds a limit, and a function that changes it."""

    def program(n: int, coins: Coins) -> int:
        return n + coins.below(2) * limit

    def change() -> None:
        nonlocal limit
        limit = 7

    program.__dict__["change"] = change
    return program


def of_setting(n: int, coins: Coins) -> int:
    return n + coins.below(SETTING)


def of_table(n: int, coins: Coins) -> int:
    return n + coins.below(2) * TABLE["limit"]


def of_row(n: int, coins: Coins) -> int:
    return n + coins.below(2) * ROW[0]


def of_array(n: int, coins: Coins) -> int:
    return n + coins.below(2) * int(NUMBERS[0])


def of_class(n: int, coins: Coins) -> int:
    return n + coins.below(2) * Holder.limit


def of_missing(n: int, coins: Coins) -> int:
    return n + coins.below(2) * getattr(Holder, "absent", 1)


def of_instance(n: int, coins: Coins) -> int:
    return n + coins.below(2) * HELD.limit


def of_default(n: int, coins: Coins) -> int:
    return n + defaulted(coins)


def defaulted(coins: Coins, limit: int = 2, *, more: int = 0) -> int:
    return more + coins.below(limit)


def other(coins: Coins, limit: int = 2, *, more: int = 0) -> int:
    return more + limit


def of_decimals(n: int, coins: Coins) -> str:
    return str(decimal.Decimal(1 + coins.below(2)) / 3)


def of_module(n: int, coins: Coins) -> float:
    import colorsys

    return n + coins.below(2) * colorsys.ONE_THIRD


CLOSED = closed(2)
OTHER = types.ModuleType("colorsys")
vars(OTHER)["ONE_THIRD"] = 7.0
HERE = sys.modules[__name__]


@pytest.mark.parametrize(
    ("program", "change"),
    [
        (of_setting, lambda patch: patch.setattr(HERE, "SETTING", 2)),
        (of_table, lambda patch: patch.setitem(TABLE, "limit", 7)),
        (of_row, lambda patch: ROW.__setitem__(0, ROW[0] + 6)),
        (of_array, lambda patch: NUMBERS.put(0, 7)),
        (of_class, lambda patch: patch.setattr(Holder, "limit", 7)),
        (of_missing, lambda patch: patch.setattr(Holder, "absent", 7, raising=False)),
        (of_instance, lambda patch: patch.setattr(HELD, "limit", 7)),
        (of_instance, lambda patch: patch.setattr(Holder, "limit", 7)),
        (of_default, lambda patch: patch.setattr(defaulted, "__defaults__", (7,))),
        (of_default, lambda patch: patch.setitem(defaulted.__kwdefaults__ or {}, "more", 7)),
        (
            of_default,
            lambda patch: patch.setattr(defaulted, "__code__", (lambda coins, limit=1, *, more=0: 8).__code__),
        ),
        (of_decimals, lambda patch: patch.setattr(decimal.getcontext(), "prec", 4)),
        (of_module, lambda patch: patch.setitem(sys.modules, "colorsys", OTHER)),
        (CLOSED, lambda patch: CLOSED.change()),
    ],
)
def test_nothing_is_kept_once_an_object_has_changed_that_was_there_before(
    program: Callable[..., Any], change: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    colorsys = import_module("colorsys")
    monkeypatch.setitem(sys.modules, "colorsys", colorsys)
    known = Known()
    before = told(program, 1, known)
    assert isinstance(before, tuple)
    assert known.moves
    change(monkeypatch)
    assert told(program, 1, known) == told(program, 1, None) != before


SEEN: list[int] = []


def leaving(n: int, coins: Coins) -> int:
    if coins.below(2):
        SEEN.append(n)
    return len(SEEN)


def test_nothing_is_kept_of_a_program_that_leaves_something_behind() -> None:
    known = Known()
    assert told(leaving, 1, known) == told(leaving, 1, None)
    assert known.pins is None


def from_one_of_two(n: int, rng: random.Random) -> int:
    if rng.random() < 0.5:
        return random.randrange(2)
    return n


def test_a_law_that_takes_states_over_names_the_generators_that_they_draw_from() -> None:
    known = shares(redirect()(from_one_of_two), [3, 3, 4])
    _, _, notes = told(redirect()(from_one_of_two), 3, known)
    assert notes


def test_readings_of_an_audit_share_and_replay_less_once_many_ways_agreed() -> None:
    kept = Kept()
    for n in range(9, 20):
        replayed = kept.replayed
        found = enumerate_law(counted, n, kept=kept)
        assert (kept.replayed - replayed) == (20 if replayed < 200 else 5)
    assert enumerate_law(counted, n).law == found.law
    assert len(kept.known.moves) > 150
    kept.forget()
    assert kept.known is None
