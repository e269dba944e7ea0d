"""The generators that stand for those of numpy and `random` on ideal noise, which are instances of these classes.

Every call is first made on a throw-away generator of the library, with plain numbers for noisy ones: what that refuses
is refused with its exception, and what it returns has the type of what is drawn. What is not followed is refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpcert.audit.ideal.generator import Draws, GeneratorDraws, RandomDraws, Source, StateDraws, is_open, stand_in
from dpcert.audit.ideal.numbers import WIDE
from dpcert.audit.ideal.seen.untold import Untold
from dpcert.mechanisms.floating.stand_ins import Kind

STATE = ("__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__")


class _Unmoved(random.Random):
    """A generator of `random` that draws nothing."""

    def random(self) -> float:
        return 0.5

    def getrandbits(self, k: int) -> int:
        return 0


CHECKERS: Mapping[type[Draws], Any] = {
    RandomDraws: _Unmoved(0),
    GeneratorDraws: np.random.Generator(np.random.PCG64(0)),
    StateDraws: np.random.RandomState(0),
}
"""The libraries' own generators, which check parameters; what they draw is thrown away."""


def _method(name: str, follows: Callable[..., Any] | None) -> Any:
    def method(self: Any, /, *args: Any, **settings: Any) -> Any:
        draws: Draws = self._draws
        title = f"{draws.title}.{name}"
        if follows is None:
            draws.source.refuse(title)
        given = {key: stand_in(value) for key, value in settings.items()}
        try:
            seen = getattr(CHECKERS[type(draws)], name)(*map(stand_in, args), **given)
        except Exception as error:
            if any(map(is_open, (*args, *settings.values()))):  # at another epsilon the library may take them
                draws.source.refuse(f"{title} with parameters that it does not take where epsilon is 1 ({error})")
            raise
        try:
            found = follows(draws, seen, *args, **settings)
        except Exception as error:
            draws.source.refuse(f"{title} with such parameters ({error})")
        return found if isinstance(draws, RandomDraws) else _as_numpy(seen, found, draws.source, title)

    method.__name__ = name
    return method


def _as_numpy(seen: Any, found: Any, source: Source, title: str) -> Any:
    """Return draws in the type in which numpy gave its own."""
    if issubclass(type(found), Untold) or (isinstance(found, np.ndarray) and found.dtype.hasobject):
        if isinstance(seen, np.ndarray) and seen.dtype.char not in WIDE:
            source.refuse(f"{title} of {seen.dtype}")
        return found
    if isinstance(seen, np.ndarray):
        return found.astype(seen.dtype)
    return found if type(found) is type(seen) else type(seen)(found)


def _refused(name: str) -> Any:
    def refused(self: Any, *args: Any) -> Any:
        self._draws.source.refuse(f"{self._draws.title}.{name}")

    return refused


def _standing(draws: type[Draws], real: type) -> Any:
    """Return the class of what stands for a generator of a class of the library."""
    body: dict[str, Any] = {
        "__module__": real.__module__,
        "__qualname__": real.__qualname__,
        "__doc__": real.__doc__,
        "__dir__": lambda self: dir(real),
        "__str__": lambda self: str(CHECKERS[draws]),
        "__repr__": lambda self: f"{self} at 0x{id(self):X}",
        "_real": real,
        **{name: _refused(name) for name in STATE},
    }
    for name in dir(real):
        if not name.startswith("_"):
            follows = getattr(draws, name, None)
            body[name] = _method(name, follows) if callable(getattr(real, name)) else property(_refused(name))
    return Kind(real.__name__, (real,), body)


IdealSystem = _standing(RandomDraws, random.SystemRandom)
IdealRandom = _standing(RandomDraws, random.Random)
IdealGenerator = _standing(GeneratorDraws, np.random.Generator)
IdealState = _standing(StateDraws, np.random.RandomState)
KINDS: Mapping[Any, type[Draws]] = {
    IdealSystem: RandomDraws,
    IdealRandom: RandomDraws,
    IdealGenerator: GeneratorDraws,
    IdealState: StateDraws,
}


def ideal(kind: Any, source: Source) -> Any:
    """Return what stands for a generator, with its noise from a source."""
    made = kind._real.__new__(kind, *([0] if issubclass(kind._real, random.Random) else []))
    object.__setattr__(made, "_draws", KINDS[kind](source))
    return made


def draws_of(generator: Any) -> Draws | None:
    """Return what a generator draws; None of one that is the library's own."""
    found = getattr(generator, "_draws", None)
    return found if isinstance(found, Draws) else None
