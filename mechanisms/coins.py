"""Coins to run a program on, and functions whose equal results are merged in an audit: no verdict rests on either."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import wraps
from os import urandom
from typing import Any, TypeVar

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import InputError

T = TypeVar("T")


def system_coins() -> Coins:
    """Return coins from the operating system's randomness, for production."""
    return Coins(Plain(system_number))


def system_number(bound: int) -> int:
    """Return a uniform number below a bound, from the first bits that the operating system gives that are below it."""
    bits = (bound - 1).bit_length()
    size = bits + 7 >> 3
    # Numbers from the bound on are drawn again: their remainders would favour small numbers.
    while (found := int.from_bytes(urandom(size), "little") >> (8 * size - bits)) >= bound:
        pass
    return found


def seeded_coins(seed: int) -> Coins:
    """Return reproducible coins for tests; never for production."""
    return Coins(Plain(random.Random(seed).randrange))


def unmerged(function: Callable[..., T]) -> Callable[..., T]:
    """Return the function that was summarized: it has the same law, and where it is run, nothing is to be merged."""
    summarized: Any = function
    found: Callable[..., T] = summarized.__wrapped__
    return found


def summarize(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function with the same law whose equal results are merged in an audit; they are copies.

    The function must be given its coins as an argument and must depend on its arguments alone, and its results
    must be outcomes (see `outcome.py`). It is a fold of one step.

    Raises: InputError when it is called without coins.
    """

    @wraps(function)
    def summarized(*args: Any, **kwds: Any) -> T:
        def step(state: Any, item: None, on: Coins) -> Any:
            def swap(argument: Any) -> Any:
                return on if type(argument) is Coins else argument

            return function(*map(swap, args), **{name: swap(argument) for name, argument in kwds.items()})

        for argument in (*args, *kwds.values()):
            if type(argument) is Coins:
                result: T = argument.fold((None,), None, step)
                return result
        given = f"{function.__qualname__} called without coins"
        raise InputError(given=given, needed="the coins among its arguments", remedy="pass them on")

    return summarized
