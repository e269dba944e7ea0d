"""The names by which a program reaches randomness, and the mechanisms of diffprivlib, led by a point."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dpcert.audit.ideal.led.generators import Led
from dpcert.reading.floats.held import Holder
from dpcert.reading.ideal import prelude_libraries
from dpcert.reading.ideal.libraries import MECHANISMS
from dpcert.reading.led.names import swaps
from dpcert.reading.paths.binding import Binding, Swap


@contextmanager
def led_everywhere(led: Led, holders: Iterable[Holder]) -> Iterator[None]:
    """Run the body with all randomness of modules led, and that of the generators that modules and instances hold."""
    with Binding(swaps(led, holders)), _libraries(led):
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
