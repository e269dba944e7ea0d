"""Programs whose calls must not be taken for one another, or for calls that leave nothing behind."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

from masked import RETURNED, define

KEPT = [0]
ROWS = []
TOTAL = 0


def waits(coins):
    while coins.below(3) == 0:
        pass
    return coins.below(2)


def sign_of(x, coins):
    for _ in range(coins.below(2) + 1):
        text = str(x)
    return text


def zeros(n, coins):
    return sign_of(0.0, coins), sign_of(-0.0, coins), sign_of(0, coins), sign_of(False, coins), sign_of("0", coins)


def nested_zeros(n, coins):
    return sign_of((0.0, (1,)), coins), sign_of((-0.0, (True,)), coins), sign_of((0, (1.0,)), coins)


def number(coins):
    while True:
        k = coins.below(6)
        if k < 5:
            return (0.0, -0.0, False, 0, Fraction(0))[k]


def kinds_of_zero(n, coins):
    x, y = number(coins), (number(coins),)
    return type(x).__name__ + str(x) + str(y)


def grows(x, rows=ROWS):
    for _ in range(2):
        rows.append(x)
    return len(rows)


def default_grows(n, coins):
    k = coins.below(2)
    found = grows(5), grows(5), k
    ROWS.clear()
    return found


def reads_default(coins, rows=KEPT):
    while coins.below(2):
        pass
    return rows[0]


def default_is_changed(n, coins):
    before = reads_default(coins)
    KEPT[0] = 7
    try:
        return before, reads_default(coins)
    finally:
        KEPT[0] = 0


def counts(coins):
    global TOTAL
    while coins.below(2):
        pass
    TOTAL += 1
    return TOTAL


def global_is_counted(n, coins):
    global TOTAL
    TOTAL = 0
    found = counts(coins), counts(coins), counts(coins)
    TOTAL = 0
    return found


def reads_total(coins):
    while coins.below(2):
        pass
    return TOTAL


def global_is_changed(n, coins):
    global TOTAL
    found = []
    for k in range(2):
        TOTAL = k + coins.below(2)
        found.append(reads_total(coins))
    TOTAL = 0
    return found


def pushes(rows, coins):
    while coins.below(2):
        pass
    rows.append(len(rows))
    return len(rows)


def list_is_handed(n, coins):
    rows = []
    return pushes(rows, coins), pushes(rows, coins), rows


def first_of(rows, others, coins):
    while coins.below(2):
        pass
    others.append(coins.below(2))
    return rows[-1]


def cell_is_changed(n, coins):
    x = 0

    def reads():
        while coins.below(2):
            pass
        return x

    found = [reads()]
    x = coins.below(2) + 1
    return [*found, reads()]


def cell_is_written(n, coins):
    x = 0

    def writes(k):
        nonlocal x
        for _ in range(2):
            x += k
        return k

    return writes(1), writes(coins.below(2)), x


def attributed(coins):
    while coins.below(2):
        pass
    attributed.seen = getattr(attributed, "seen", 0) + 1
    return attributed.seen


def reads_attribute(coins):
    while coins.below(2):
        pass
    return reads_attribute.seen


reads_attribute.seen = 3


def attribute_is_changed(n, coins):
    reads_attribute.seen = 3
    before = reads_attribute(coins)
    reads_attribute.seen = coins.below(2)
    found = before, reads_attribute(coins)
    reads_attribute.seen = 3
    return found


def context_of(coins):
    while coins.below(2):
        pass
    try:
        raise KeyError(1)
    except KeyError as error:
        return type(error.__context__).__name__


def called_in_except(n, coins):
    before = context_of(coins)
    try:
        raise ValueError(coins.below(2))
    except ValueError:
        inside = context_of(coins)
    return before, inside, context_of(coins)


def around(coins):
    while coins.below(2):
        pass
    return context_of(coins)


def called_below_except(n, coins):
    before = around(coins)
    try:
        raise ValueError
    except ValueError:
        return before, around(coins)


def called_in_finally(n, coins):
    found = []
    try:
        try:
            found.append(context_of(coins))
            if coins.below(2):
                raise ValueError
        finally:
            found.append(context_of(coins))
    except ValueError:
        found.append(0)
    return found


def raises_again(coins):
    while coins.below(2):
        pass
    raise


def bare_raise(n, coins):
    found = []
    for _ in range(2):
        try:
            raises_again(coins)
        except RuntimeError:
            found.append("none")
        try:
            raise KeyError
        except KeyError:
            try:
                raises_again(coins)
            except KeyError:
                found.append("key")
    return found


def fails(coins):
    while coins.below(2):
        pass
    if coins.below(2):
        raise ValueError("no")
    return 1


def failure_is_caught(n, coins):
    try:
        return fails(coins) + fails(coins)
    except ValueError as error:
        return str(error), error.__context__ is None


def depth(k, coins):
    for _ in range(1):
        pass
    return 0 if k == 0 else 1 + depth(k - coins.below(2) - 1 if k > 1 else 0, coins)


def even(k, coins):
    while coins.below(2):
        pass
    return True if k == 0 else odd(k - 1, coins)


def odd(k, coins):
    while coins.below(2):
        pass
    return False if k == 0 else even(k - 1, coins)


def gives(coins):
    while coins.below(2):
        pass
    return [coins.below(2)]


def given_back(rows, coins):
    while coins.below(2):
        pass
    return rows


def result_is_an_argument(n, coins):
    rows = given_back(KEPT, coins)
    rows.append(coins.below(2))
    found = list(KEPT)
    KEPT[:] = [0]
    return found, rows is KEPT


def yields(k):
    try:
        yield from range(k)
    finally:
        KEPT[0] += 1


def thrown_away(coins):
    while coins.below(2):
        pass
    for each in yields(3):
        return each
    return -1


def sees_frames(coins):
    while coins.below(2):
        pass
    return sys._getframe(1).f_code.co_name


def swapped_default(n, coins):
    def times(k, by=2):
        while coins.below(2):
            pass
        return k * by

    before = times(3)
    times.__defaults__ = (coins.below(2),)
    return before, times(3)


def keyworded(n, coins):
    def shown(*args: Any, **keywords: Any) -> str:
        for _ in args:
            pass
        return f"{args} {sorted(keywords.items())}"

    return shown(1, a=coins.below(2)), shown(True, a=1), shown(1.0, b=2)


PROGRAMS: dict[str, Any] = {
    "recursive": lambda n, coins: depth(4, coins),
    "in_turns": lambda n, coins: (even(3, coins), odd(3, coins)),
    "generator_within": lambda n, coins: (thrown_away(coins), KEPT[0]),
    "caller_is_seen": lambda n, coins: sees_frames(coins),
    "rejected": lambda n, coins: ([waits(coins) for _ in range(3)], waits(coins)),
}

FORMED = {
    RETURNED: {
        "default_is_kept": ("found = (grows(coins.below(2)), grows(5), grows(5)); ROWS.clear()", "found"),
        "lists_are_one": ("rows = [5]", "(first_of(rows, rows, coins), first_of(rows, [6], coins))"),
        "attribute_is_kept": ("attributed.seen = 0", "(attributed(coins), attributed(coins))"),
        "results_are_apart": ("a, b = (gives(coins), gives(coins)); a.append(1)", "(a, b)"),
        "draw_is_handed": ("k = coins.below(3)", "(sign_of(k, coins), k)"),
    },
}
define(globals(), FORMED)
