"""Programs (input, coins) that run a function which takes no coins, with its randomness led by them.

A program's law is read by the machine, which knows the generators. On coins, as in replays, the function itself runs
on generators of the real classes that the coins lead (`reading/led`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.reading.floats.held import Holder, drew, instances
from dpcert.reading.paths.watch import own_modules

Program = Callable[..., Any]
GENERATORS = frozenset({"rng", "state", "random"})
"""What a function may take beside its input that is led, by the words of `dpcert.targets.taken`."""


def holders(program: object) -> list[Holder]:
    """Return what holds a program's own names: its modules, and the instances that it is a method of."""
    spaces = own_modules(program)
    return [*map(Holder, spaces), *instances(program, spaces)]


class Routed:
    """A function, what it takes beside its input, if anything, and what holds its names.

    Where it is `told`, it is an assumption of the law that what it drew are fair coins.
    """

    def __init__(
        self, function: Program, holders: Callable[[], Iterable[Holder]], takes: str | None, told: bool
    ) -> None:
        self.function, self.holders = function, holders
        self.takes, self.told = takes, told

    def run(self, value: Any, coins: Coins, settings: Mapping[str, Any]) -> Any:
        """Run the function on one input, with the names of randomness bound to generators on the coins."""
        from dpcert.reading.led.coins import LedByCoins  # numpy comes with it

        if self not in LED:
            LED[self] = LedByCoins(self.holders())
        with LED[self].on(coins) as led:
            given = () if self.takes is None else (led.generator(self.takes),)
            try:
                return self.function(value, *given, **settings)
            finally:
                if self.told:
                    drew(coins)


LED: WeakKeyDictionary[Routed, Any] = WeakKeyDictionary()
"""What leads the generators of a function, beside it: a program that counts its calls in an object of ours is seen."""
ROUTED: WeakKeyDictionary[Any, tuple[Routed, Mapping[str, Any]]] = WeakKeyDictionary()
"""What programs (input, coins) that were made of functions run, with settings; other programs are none of these."""


def routed_of(program: Any) -> tuple[Routed, Mapping[str, Any]] | None:
    """Return the routed function that a program runs, with settings; None where it is no such program."""
    return ROUTED.get(program) if type(program) is FunctionType else None


def _programmed(found: Routed, function: Program) -> Program:
    def program(value: Any, coins: Coins, /, **settings: Any) -> Any:
        return found.run(value, coins, settings)

    ROUTED[program] = found, {}
    return functools.update_wrapper(program, function)


def routed(function: Program, takes: str, *, told: bool = True) -> Program:
    """Return the function (input, coins, ...) that runs a function which takes no coins with its randomness on them.

    `takes` is what it takes beside its input, as `dpcert.targets.taken` says.
    """
    kind = takes if takes in GENERATORS else None
    return _programmed(Routed(function, functools.partial(holders, function), kind, told), function)


def at(program: Program, settings: Mapping[str, Any]) -> Callable[[Any, Coins], Any]:
    """Return the program (input, coins) that a program is with some settings, each run with copies of these."""

    def made(value: Any, coins: Coins) -> Any:
        return program(value, coins, **{name: fresh(part) for name, part in settings.items()})

    found = routed_of(program)
    if found is not None:
        ROUTED[made] = found[0], {**found[1], **settings}
    return functools.update_wrapper(made, program)


def after(program: Program, then: Callable[[Any], Any]) -> Callable[[Any, Coins], Any]:
    """Return the program that releases a function of what a program releases."""

    def made(value: Any, coins: Coins) -> Any:
        return then(program(value, coins))

    found = routed_of(program)
    if found is not None:
        inner, settings = found
        run = inner.function

        def function(value: Any, *given: Any, **more: Any) -> Any:
            return then(run(value, *given, **more))

        ROUTED[made] = Routed(function, inner.holders, inner.takes, inner.told), settings
    return functools.update_wrapper(made, program)
