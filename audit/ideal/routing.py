"""The names by which a program's modules reach randomness, bound to ideal generators while it runs."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from dpcert.audit.ideal.arrays import loose_arrays
from dpcert.audit.ideal.generator import IdealGenerator, IdealRandom, IdealState, Source, ideal
from dpcert.audit.ideal.scipys import scipy_routed

Place = tuple[dict[str, Any], str, Any]


def _numpys(source: Source) -> Iterator[tuple[Any, Any]]:
    shared: Any = np.random
    state = ideal(IdealState, source)

    def generator(seed: Any = None) -> Any:
        if isinstance(seed, IdealGenerator):
            return seed
        if seed is not None:
            source.refuse("a generator with a seed, whose draws are fixed")
        return ideal(IdealGenerator, source)

    def legacy(seed: Any = None) -> Any:
        if seed is not None:
            source.refuse("a generator with a seed, whose draws are fixed")
        return ideal(IdealState, source)

    yield shared.default_rng, generator
    yield shared.RandomState, legacy
    for name, value in vars(shared).items():
        if getattr(value, "__self__", None) is shared.mtrand._rand or name == "seed":
            yield value, _method(state, "random_sample" if name in ("ranf", "sample") else name)


def _method(owner: Any, name: str) -> Callable[..., Any]:
    return lambda *args, **settings: getattr(owner, name)(*args, **settings)


def _pythons(source: Source) -> Iterator[tuple[Any, Any]]:
    shared: Any = random
    functions = ideal(IdealRandom, source)

    def seeded(seed: Any = None) -> Any:
        if seed is not None:
            source.refuse("a generator with a seed, whose draws are fixed")
        return ideal(IdealRandom, source)

    yield random.Random, seeded
    yield random.SystemRandom, seeded
    for value in vars(random).values():
        if getattr(value, "__self__", None) is shared._inst:
            yield value, _method(functions, value.__name__)


def _of_instance(value: object, source: Source) -> Any:
    """Return what stands for a generator that a module holds; None for anything else."""
    if isinstance(value, random.Random):
        return ideal(IdealRandom, source)
    if isinstance(value, np.random.Generator):
        return ideal(IdealGenerator, source)
    if isinstance(value, np.random.RandomState):
        return ideal(IdealState, source)
    return None


def _places(spaces: Iterable[dict[str, Any]], meanings: Mapping[int, tuple[Any, Any]], source: Source) -> list[Place]:
    found: list[Place] = []
    shared = [vars(random), vars(np.random), vars(np)]
    for space in [*shared, *spaces]:
        for name, value in space.items():
            if space is shared[0] and name.startswith("_"):
                continue
            if id(value) in meanings:
                found.append((space, name, meanings[id(value)][1]))
            elif not any(space is other for other in shared):
                instance = _of_instance(value, source)
                if instance is not None:
                    found.append((space, name, instance))
    return found


@contextmanager
def routed(spaces: Iterable[dict[str, Any]], source: Source, *, loose: bool = False) -> Iterator[None]:
    """Run the body with the randomness of `random`, `numpy.random` and `scipy.stats` drawn from a source, in all these
    modules. With `loose`, their new arrays of floats take noisy numbers, too."""
    pairs = [*_numpys(source), *_pythons(source), *(loose_arrays() if loose else ())]
    meanings = {id(value): (value, meaning) for value, meaning in pairs}
    own = [space for space in spaces if space is not sys.modules[__name__].__dict__]
    places = _places(own, meanings, source)
    before = [(space, name, space[name]) for space, name, _ in places]
    try:
        for space, name, meaning in places:
            space[name] = meaning
        with scipy_routed(source):
            yield
    finally:
        for space, name, value in reversed(before):
            space[name] = value
