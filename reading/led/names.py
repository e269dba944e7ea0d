"""The names by which a program reaches randomness, bound to generators that are led."""

import os
import random
import secrets
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np
import numpy.random.mtrand

from dpcert.reading.floats.held import GLOBAL, Holder, held_words
from dpcert.reading.paths.binding import Swap

OLD_NAMES = {"ranf": "random_sample", "sample": "random_sample"}
"""Functions of `numpy.random` that have the name of no method."""
PYTHONS: tuple[Any, ...] = (random.Random, random.SystemRandom)
"""The real classes, of which the names mean others while a program runs."""
SHARED: dict[str, Any] = {"random": vars(random)["_inst"], "numpy.random": vars(numpy.random.mtrand)["_rand"]}
"""The generator that the functions of a module share."""
INNER = vars(random), vars(numpy.random.mtrand)
"""Modules whose own code keeps what their names with an underscore mean."""
URANDOM = os.urandom


def words_of(generator: Any, holders: Iterable[Holder]) -> str | None:
    """Where a generator is held, in words; None where no module holds it under a name."""
    for module, shared in SHARED.items():
        if generator is shared:
            return GLOBAL[module]
    names = ((holder, name) for holder in holders for name, value in holder.space.items() if value is generator)
    return next((held_words(*each) for each in names), None)


NOWHERE = "a generator is drawn from that no module holds under a name; hold it under one"


class Led(Protocol):
    """Classes of led generators, by the real ones, and what the names mean that are no classes."""

    kinds: dict[Any, Any]

    def others(self) -> Iterator[tuple[Any, Any]]:
        """Yield other functions and classes, each with what leads it."""

    def held(self, kind: Any, words: str) -> Any:
        """Return the generator that leads one that is held, which the words name."""


def _meanings(led: Led) -> Iterator[tuple[Any, Any]]:
    """Yield the classes, generators and functions of randomness, each with what leads it."""
    yield from led.kinds.items()
    yield from led.others()
    owners = [(vars(random), SHARED["random"], GLOBAL["random"])]
    owners += [(vars(np.random), SHARED["numpy.random"], GLOBAL["numpy.random"])]
    for space, owner, words in [*owners, (vars(secrets), vars(secrets)["_sysrand"], "")]:
        of_all = led.held(type(owner), words)
        yield owner, of_all
        for name, value in space.items():
            if getattr(value, "__self__", None) is owner:
                yield value, getattr(of_all, value.__name__)
            elif space is vars(np.random) and (name in OLD_NAMES or name == "seed"):
                yield value, getattr(of_all, OLD_NAMES.get(name, name))


def swaps(led: Led, holders: Iterable[Holder]) -> Iterator[Swap]:
    """Yield what the names mean by which modules, and what holds a program's own names, reach randomness."""
    meanings = {id(value): meaning for value, meaning in _meanings(led)}
    spaces = [vars(each) for each in (random, np.random, numpy.random.mtrand, secrets, os)]
    stats: Any = sys.modules.get("scipy.stats")
    spaces += [vars(each) for each in vars(stats).values() if hasattr(each, "rvs")] if stats else []
    for holder in [*map(Holder, spaces), *holders]:
        space = holder.space
        for name, value in space.items():
            if id(value) in meanings and not (name.startswith("_") and any(space is each for each in INNER)):
                yield Swap(space, name, meanings[id(value)])
            elif type(value) in led.kinds:
                yield Swap(space, name, led.held(type(value), held_words(holder, name)))
