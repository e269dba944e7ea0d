"""What a program's function is called with: coins, or generators that are taken for fair coins."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.floating.held import DREW, GLOBAL, TAKEN, held_words
from dpcert.mechanisms.floating.routing import Routed, routed_of
from dpcert.reading.errors import Refused
from dpcert.reading.pins import Pins
from dpcert.reading.values import COINS, Instance, Value


@dataclass(frozen=True, slots=True)
class Entry:
    """A function, what it gets beside its input, and its settings; `routed` where it takes its randomness elsewhere."""

    function: Any
    randomness: tuple[Value, ...]
    settings: Mapping[str, Any]
    routed: Routed | None = None

    def notes(self, pins: Pins) -> tuple[str, ...]:
        """The assumptions on the generators that some run draws from.

        Raises: Unauditable for a generator of which nobody knows where the program has it.
        """
        if self.routed is None or not pins.drawn:
            return ()
        held = [pins.objects[number] for number in pins.drawn if number is not None]
        words = {self._words(each) for each in held if type(each) is not random.SystemRandom}
        return *((DREW,) if self.routed.told else ()), *(f"{TAKEN}{each}" for each in sorted(words))

    def _words(self, generator: Any) -> str:
        """Where a generator is held, in words."""
        if generator is GLOBAL_GENERATOR:
            return GLOBAL["random"]
        for holder in self.routed.holders() if self.routed is not None else ():
            for name, value in holder.space.items():
                if value is generator:
                    return held_words(holder, name)
        raise Unauditable("a generator is drawn from that no module holds under a name; hold it under one")


GLOBAL_GENERATOR: Any = vars(random)["_inst"]


def entry_of(program: Any) -> Entry:
    """Return what a program calls, with what.

    Raises: Refused for a generator of numpy.
    """
    found = routed_of(program)
    if found is None:
        return Entry(program, (COINS,), {})
    routed, settings = found
    if routed.takes is None:
        return Entry(routed.function, (), settings, routed)
    if routed.takes != "random":
        raise Refused("a generator of numpy is not followed; take a random.Random")
    return Entry(routed.function, (Instance(random.Random, {"gauss_next": None}),), settings, routed)
