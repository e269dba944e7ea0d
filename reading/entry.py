"""What a program's function is called with: coins, or generators that are taken for fair coins."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.errors import Refused
from dpcert.reading.floats.assumed import ASSUMED
from dpcert.reading.floats.held import DREW, TAKEN
from dpcert.reading.led.names import NOWHERE, words_of
from dpcert.reading.paths.routed import Routed, routed_of
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
        """The assumptions on the generators that some run draws from, and on functions that are followed by bounds.

        Raises: Unauditable for a generator of which nobody knows where the program has it.
        """
        functions = sorted(f"{ASSUMED}{each}" for each in pins.drawn if isinstance(each, str))
        drawn = [each for each in pins.drawn if not isinstance(each, str)]
        if self.routed is None or not drawn:
            return tuple(functions)
        generators = [pins.objects[number] for number in drawn if number is not None]
        holders = self.routed.holders()
        words = [words_of(each, holders) for each in generators if type(each) is not random.SystemRandom]
        if None in words:
            raise Unauditable(NOWHERE)
        told = [DREW] if self.routed.told else []
        return (*functions, *told, *sorted({f"{TAKEN}{each}" for each in words}))


MADE: dict[str, Callable[[], Instance]] = {
    "random": lambda: Instance(random.Random, {"gauss_next": None}),
    "rng": lambda: Instance(numpy.random.Generator, {}),
    "state": lambda: Instance(numpy.random.RandomState, {}),
}


def entry_of(program: Any) -> Entry:
    """Return what a program calls, with what.

    Raises: Refused for a generator of a class that is not known.
    """
    found = routed_of(program)
    if found is None:
        return Entry(program, (COINS,), {})
    routed, settings = found
    if routed.takes is None:
        return Entry(routed.function, (), settings, routed)
    made = MADE.get(routed.takes)
    if made is None:
        raise Refused(f"what the function takes, {routed.takes}, is not followed; take a random.Random")
    return Entry(routed.function, (made(),), settings, routed)
