"""The names by which a program reaches randomness, bound to generators that a point leads."""

from __future__ import annotations

import random
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import numpy.random.mtrand

from dpcert.audit.ideal.led.generators import Led
from dpcert.mechanisms.binding import Binding, Swap
from dpcert.mechanisms.floating.held import Holder
from dpcert.reading.entry import SHARED
from dpcert.reading.ideal import prelude_libraries
from dpcert.reading.ideal.libraries import MECHANISMS

OLD_NAMES = {"ranf": "random_sample", "sample": "random_sample"}
"""Functions of `numpy.random` that have the name of no method."""


def _meanings(led: Led) -> Iterator[tuple[Any, Any]]:
    """Yield the classes, generators and functions of randomness, each with what leads it."""
    kinds = led.kinds
    yield from kinds.items()
    made = kinds[np.random.Generator]
    yield np.random.default_rng, lambda seed=None: made() if seed is None else seed
    shared = [(vars(random), SHARED["random"]), (vars(np.random), SHARED["numpy.random"])]
    for space, owner in [*shared, (vars(secrets), vars(secrets)["_sysrand"])]:
        of_all = kinds[type(owner)]()
        yield owner, of_all
        for name, value in space.items():
            if getattr(value, "__self__", None) is owner:
                yield value, getattr(of_all, value.__name__)
            elif name in OLD_NAMES and space is vars(np.random):
                yield value, getattr(of_all, OLD_NAMES[name])


def _swaps(led: Led, holders: Iterable[Holder]) -> Iterator[Swap]:
    meanings = {id(value): meaning for value, meaning in _meanings(led)}
    spaces = [vars(each) for each in (random, np.random, numpy.random.mtrand, secrets)]
    stats: Any = sys.modules.get("scipy.stats")
    spaces += [vars(each) for each in vars(stats).values() if hasattr(each, "rvs")] if stats else []
    for space in [*spaces, *(holder.space for holder in holders)]:
        for name, value in space.items():
            if id(value) in meanings and not (space is vars(random) and name.startswith("_")):
                yield Swap(space, name, meanings[id(value)])
            elif type(value) in led.kinds:
                yield Swap(space, name, led.kinds[type(value)]())


@contextmanager
def led_everywhere(led: Led, holders: Iterable[Holder]) -> Iterator[None]:
    """Run the body with all randomness of modules led, and that of the generators that modules and instances hold."""
    with ExitStack() as stack:
        stack.enter_context(Binding(_swaps(led, holders)))
        stack.enter_context(_libraries(led))
        yield


@contextmanager
def _libraries(led: Led) -> Iterator[None]:
    """Run the body with the mechanisms of diffprivlib as they are read, where it is loaded."""
    loaded: Any = sys.modules.get("diffprivlib.mechanisms")
    classes = [value for value in vars(loaded).values() if isinstance(value, type)] if loaded else []
    before = [(cls, vars(cls)["randomise"]) for cls in classes if "randomise" in vars(cls)]
    space = vars(prelude_libraries)
    try:
        for cls, _ in before:
            type.__setattr__(cls, "randomise", _randomise(led, cls.__name__))
        with Binding([Swap(space, "two_sided", _two_sided(led)), Swap(space, "place_of", np.int64)]):
            yield
    finally:
        for cls, original in before:
            type.__setattr__(cls, "randomise", original)


def _randomise(led: Led, name: str) -> Callable[..., Any]:
    function: Any = vars(prelude_libraries)[f"_{MECHANISMS[name]}"] if name in MECHANISMS else None
    return lambda mechanism, *value: function(mechanism, led.generator("state"), *value)


def _two_sided(led: Led) -> Callable[[Any], Any]:
    return lambda rate: led.point.noise("geometric") - led.point.noise("geometric")
