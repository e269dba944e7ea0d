"""The names by which a program's modules reach randomness, bound to ideal generators while it runs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from dpcert.audit.ideal.generator import Source
from dpcert.audit.ideal.libraries import libraries_routed
from dpcert.audit.ideal.logarithms import logarithms
from dpcert.audit.ideal.scipys import scipy_routed
from dpcert.audit.ideal.seen.standing import IdealGenerator, IdealRandom, IdealState, IdealSystem, draws_of, ideal
from dpcert.mechanisms.floating.held import GLOBAL, Holder, held_words
from dpcert.mechanisms.ideal.exact import Weight
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.terms import Number

Place = tuple[dict[str, Any], str, Any]


class _Held:
    """The source of a generator that outlives a run, which notes that it is drawn from: nothing may seed it."""

    def __init__(self, source: Source, words: str) -> None:
        self.source, self.words = source, words

    def noise(self, law: Law) -> Any:
        self.source.hold(self.words)
        return self.source.noise(law)

    def choose(self, weights: Sequence[Weight]) -> int:
        self.source.hold(self.words)
        return self.source.choose(weights)

    def number(self, value: Number) -> Any:
        return self.source.number(value)

    def refuse(self, what: str) -> NoReturn:
        self.source.refuse(what)

    def hold(self, words: str) -> None:
        self.source.hold(words)


def _numpys(source: Source) -> Iterator[tuple[Any, Any]]:
    shared: Any = np.random
    state = ideal(IdealState, _Held(source, GLOBAL["numpy.random"]))

    def generator(seed: Any = None) -> Any:
        if draws_of(seed) is not None:
            return seed
        if seed is not None:
            source.refuse(SEEDED)
        return ideal(IdealGenerator, source)

    yield shared.default_rng, generator
    yield shared.RandomState, IdealState
    yield shared.Generator, IdealGenerator
    for name, value in vars(shared).items():
        if getattr(value, "__self__", None) is shared.mtrand._rand or name == "seed":
            yield value, _method(state, "random_sample" if name in ("ranf", "sample") else name)


def _method(owner: Any, name: str) -> Callable[..., Any]:
    return lambda *args, **settings: getattr(owner, name)(*args, **settings)


def _pythons(source: Source) -> Iterator[tuple[Any, Any]]:
    shared: Any = random
    functions = ideal(IdealRandom, _Held(source, GLOBAL["random"]))

    yield random.Random, IdealRandom
    yield random.SystemRandom, IdealSystem
    for value in vars(random).values():
        if getattr(value, "__self__", None) is shared._inst:
            yield value, _method(functions, value.__name__)


def _asked(kind: Any, source: Source) -> Callable[..., Any]:
    """Return what makes a generator of a class."""

    def asked(*args: Any, **settings: Any) -> Any:
        if kind is not IdealSystem and (kind is IdealGenerator or {*map(id, (*args, *settings.values()))} - {id(None)}):
            kind._real(*args, **settings)  # which may refuse them
            source.refuse(SEEDED)
        return ideal(kind, source)

    return asked


SEEDED = "a generator with a seed, or made of bits, whose draws are fixed"
KINDS: tuple[Any, ...] = (IdealSystem, IdealRandom, IdealGenerator, IdealState)


def _places(holders: Iterable[Holder], meanings: Mapping[int, Any], source: Source) -> Iterator[Place]:
    """Yield the names that reach randomness, each with what it is to mean."""
    for space in (vars(random), vars(np.random), vars(np), vars(math)):
        for name, value in space.items():
            if id(value) in meanings and not (space is vars(random) and name.startswith("_")):
                yield space, name, meanings[id(value)]
    for holder in holders:
        for name, value in holder.space.items():
            if id(value) in meanings:
                yield holder.space, name, meanings[id(value)]
            kind = next((kind for kind in KINDS if isinstance(value, kind)), None)
            if kind is not None:
                yield holder.space, name, ideal(kind, _Held(source, held_words(holder, name)))


@contextmanager
def routed(
    holders: Iterable[Holder], source: Source, taking: Iterable[tuple[Any, Any]] = (), *, functions: bool = True
) -> Iterator[None]:
    """Run the body with the randomness of `random`, `numpy.random` and `scipy.stats` drawn from a source, in all these
    modules, with the generators that modules and instances hold, and with the functions `taking` that take noise,
    and with logarithms unless `functions` is not set."""
    for kind in KINDS:
        type.__setattr__(kind, "_asked", staticmethod(_asked(kind, source)))
    own = [*logarithms()] if functions else []
    pairs = [*_numpys(source), *_pythons(source), *own, *taking]
    meanings = {id(value): meaning for value, meaning in pairs}
    places = list(_places(holders, meanings, source))
    before = [(space, name, space[name]) for space, name, _ in places]
    try:
        for space, name, meaning in places:
            space[name] = meaning
        with scipy_routed(_Held(source, GLOBAL["numpy.random"])), libraries_routed(source):
            yield
    finally:
        for space, name, value in reversed(before):
            space[name] = value
