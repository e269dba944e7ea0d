"""Programs that once had a false verdict: each hides something on a way that shows after a rare pattern of coins."""

from __future__ import annotations

import enum
from dataclasses import make_dataclass
from decimal import Decimal
from decimal import getcontext as ctx
from operator import is_ as same
from typing import Any

from masked import rare

from dpcert.mechanisms.exact.coins import Coins


class Private(dict[str, int]):
    """A dict that shows a part of what it holds."""

    def items(self) -> Any:
        return [(k, v) for k, v in super().items() if not k.startswith("_")]


class InOrder(list[int]):
    """A list that gives its items in another order."""

    def __iter__(self) -> Any:
        return iter(sorted(list.__iter__(self)))


class Config:
    """Sentinels that are equal to other values."""

    MISSING = ("missing",)
    NUMBER = 1000


class Shown(Exception):
    """An exception with a text of its own."""

    def __init__(self, *, count: int) -> None:
        self.count = count

    def __str__(self) -> str:
        return f"no budget left for {self.count} people"


def set_pop(n: int, coins: Coins) -> Any:
    s = {1, 2, 3}
    if coins.below(4) == 0 and n == 1:
        s.pop()
        s.add(1)
    return s.pop() if rare(coins) else None


def decimal_nan(n: int, coins: Coins) -> Any:
    a, b = Decimal("NaN"), Decimal("NaN")
    if coins.below(4) == 0 and n == 1:
        b = a
    return a in [b] if rare(coins) else None


def dict_items(n: int, coins: Coins) -> Any:
    d = Private(a=1)
    if coins.below(4) == 0 and n == 1:
        d["_h"] = 1
    return len(d) if rare(coins) else None


def list_iter(n: int, coins: Coins) -> Any:
    d = InOrder([1, 2])
    if coins.below(4) == 0 and n == 1:
        d.reverse()
    return d[0] if rare(coins) else None


def tuple_sentinel(n: int, coins: Coins) -> Any:
    row = list(Config.MISSING)
    value = tuple(row)
    if coins.below(4) == 0 and n == 1:
        value = Config.MISSING
    return value is Config.MISSING if rare(coins) else None


def int_sentinel(n: int, coins: Coins) -> Any:
    value = Config.NUMBER
    if coins.below(4) == 0 and n == 1:
        value = int("1000")
    return value is Config.NUMBER if rare(coins) else None


def aliased_is(n: int, coins: Coins) -> Any:
    row = [1, 2]
    a, b = (1, 2), tuple(row)
    if coins.below(4) == 0 and n == 1:
        b = a
    return same(a, b) if rare(coins) else None


def aliased_context(n: int, coins: Coins) -> Any:
    ctx().prec = 28
    if coins.below(4) == 0 and n == 1:
        ctx().prec = 5
    return len(str(Decimal(1) / 3)) if rare(coins) else None


def dynamic_enum(n: int, coins: Coins) -> Any:
    result: Any = enum.Enum("result", {"COUNT": n})
    return result.COUNT


def class_attribute(n: int, coins: Coins) -> Any:
    made = make_dataclass("made", [("n", int)], namespace={"total": n})
    return made(1)


def own_text(n: int, coins: Coins) -> Any:
    if coins.below(2):
        return "ok"
    raise Shown(count=n)


def of_a_file(n: int, coins: Coins) -> Any:
    return "ok" if coins.below(2) else open(f"{n}.csv").read()
