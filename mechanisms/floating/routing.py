"""Randomness that code takes from modules, routed to coins: the names for it, and their meaning on coins."""

from __future__ import annotations

import functools
import operator
import os
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.floating.bodies import fixed
from dpcert.mechanisms.floating.held import GLOBAL, Holder, drew, held_words, taken
from dpcert.mechanisms.floating.stand_ins import BITS, StandIns

Meaning = Callable[[Coins], Any]
Place = tuple[dict[str, Any], str, Meaning]
"""A namespace, a name in it, and its meaning on coins."""

SHARED_BITS = frozenset({"get_bit_generator", "set_bit_generator"})


class Routing:
    """The places where a program names randomness, and the stand-ins for it."""

    def __init__(self, stand_ins: StandIns, places: list[Place]) -> None:
        self.stand_ins = stand_ins
        self.places = [place for place in places if type(place[2]) is not Method]
        self.methods: list[tuple[Meaning, Callable[[Any], Any]]] = []  # of one stand-in each, had in one call
        shared: dict[int, list[tuple[Place, Method]]] = {}
        for place in places:
            if isinstance(place[2], Method):
                shared.setdefault(id(place[2].of), []).append((place, place[2]))
        for group in shared.values():
            names = [method.name for _, method in group]
            self.methods.append((group[0][1].of, operator.attrgetter(*names, names[0])))  # two names or more: a tuple
        self.named = [(space, name) for space, name, _ in self.places]
        self.named += [(space, name) for group in shared.values() for (space, name, _), _ in group]
        self.coins: Coins | None = None  # of the last run, and what the names meant in it
        self.meant: list[Any] = []

    @contextmanager
    def to(self, coins: Coins) -> Iterator[StandIns]:
        """Run the body with the names bound to their meanings on coins, and restore them."""
        before = [(space, name, space[name]) for space, name in self.named]
        earlier = self.stand_ins.run(coins)
        try:
            if self.coins is not coins:
                self.coins, self.meant = coins, [meaning(coins) for _, _, meaning in self.places]
                for of, methods in self.methods:
                    self.meant += methods(of(coins))[:-1]
            for (space, name), value in zip(self.named, self.meant, strict=True):
                space[name] = value
            yield self.stand_ins
        finally:
            self.stand_ins.run(earlier)
            for space, name, value in reversed(before):
                space[name] = value


class Routed:
    """A program (input, coins) that runs a function with its randomness on coins.

    `make` makes what the function gets beside its input, if it gets anything: `takes` names it
    (`dpcert.targets.taken`). Where it is `told`, it is an assumption of the law that what it drew are fair coins.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        holders: Callable[[], Iterable[Holder]],
        make: Callable[[StandIns, Coins], Any] | None,
        takes: str | None,
        told: bool,
    ) -> None:
        self.function, self.holders = function, holders
        self.takes, self.told = takes, told
        self._make = make
        self._routing: Routing | None = None
        self._given: tuple[Any, ...] = (None, ())  # the last coins, and what was given on them

    @contextmanager
    def on(self, coins: Coins) -> Iterator[tuple[Any, ...]]:
        """Run the body with names bound to their meanings on coins, and yield what the function gets there."""
        if self._routing is None:
            self._routing = routing(self.holders())
        with self._routing.to(coins) as stand_ins:
            if self._given[0] is not coins:
                self._given = coins, () if self._make is None else (self._make(stand_ins, coins),)
            yield self._given[1]

    def run(self, value: Any, coins: Coins, settings: Mapping[str, Any]) -> Any:
        """Run the function on one input."""
        with self.on(coins) as given:
            try:
                return self.function(value, *given, **settings)
            finally:
                if self.told:
                    drew(coins)


ROUTED: WeakKeyDictionary[Any, tuple[Routed, Mapping[str, Any]]] = WeakKeyDictionary()
"""What programs (input, coins) that were made of functions run, with settings; other programs are none of these."""


def routed_of(program: Any) -> tuple[Routed, Mapping[str, Any]] | None:
    """Return the routed function that a program runs, with settings; None where it is no such program."""
    return ROUTED.get(program) if type(program) is FunctionType else None


def at(program: Callable[..., Any], settings: Mapping[str, Any]) -> Callable[[Any, Coins], Any]:
    """Return the program (input, coins) that a program is with some settings, each run with copies of these."""

    def made(value: Any, coins: Coins) -> Any:
        return program(value, coins, **{name: fresh(part) for name, part in settings.items()})

    found = routed_of(program)
    if found is not None:
        ROUTED[made] = found[0], {**found[1], **settings}
    return functools.update_wrapper(made, program)


def after(program: Callable[..., Any], then: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return the program that releases a function of what a program releases."""

    def made(value: Any, coins: Coins) -> Any:
        return then(program(value, coins))

    found = routed_of(program)
    if found is not None:
        routed, settings = found

        def function(value: Any, *given: Any, **more: Any) -> Any:
            return then(routed.function(value, *given, **more))

        ROUTED[made] = Routed(function, routed.holders, routed._make, routed.takes, routed.told), settings
    return functools.update_wrapper(made, program)


def _once(make: Meaning) -> Meaning:
    """Return a maker of one stand-in for each run, shared by all its names."""
    last: list[tuple[Coins, Any]] = []

    def made(coins: Coins) -> Any:
        if not last or last[0][0] is not coins:
            last[:] = [(coins, make(coins))]
        return last[0][1]

    return made


@dataclass(frozen=True, slots=True)
class Method:
    """The meaning of a name that is a method of a stand-in, which other names share."""

    of: Meaning
    name: str

    def __call__(self, coins: Coins) -> Any:
        return getattr(self.of(coins), self.name)


def _always(value: Any) -> Meaning:
    return lambda coins: value


def _refused(name: str) -> Meaning:
    return lambda coins: lambda *args, **kwds: fixed(coins, name)


def _meanings(stand: StandIns) -> dict[int, tuple[Any, Meaning]]:
    """Return {id: (function or class, what it means on coins)} for the generators of the standard library and numpy."""
    shared: Any = random
    own: Any = secrets

    @_once
    def functions(coins: Coins) -> Any:
        return stand.random_on(coins, used=taken(GLOBAL["random"]), title="random")

    system = _once(stand.system_on)

    found: list[tuple[Any, Meaning]] = [
        (random.Random, _always(stand.random)),
        (random.SystemRandom, _always(stand.system)),
        (own._sysrand, system),
        (secrets.choice, Method(system, "choice")),
        (secrets.randbits, Method(system, "getrandbits")),
        (os.urandom, stand.urandom_on),
    ]
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is shared._inst:
            found.append((value, Method(functions, name)))
    numpy: Any = sys.modules.get("numpy")
    found += _numpys(stand, numpy.random) if numpy is not None else []
    return {id(value): (value, meaning) for value, meaning in found}


def _numpys(stand: StandIns, names: Any) -> Iterator[tuple[Any, Meaning]]:
    @_once
    def functions(coins: Coins) -> Any:
        return stand.state_on(coins, used=taken(GLOBAL["numpy.random"]))

    yield names.default_rng, _always(stand.default_rng)
    yield names.Generator, _always(stand.generator)
    yield names.RandomState, _always(stand.state)
    for name in BITS:
        yield getattr(names, name), _always(stand.bits[name])
    for name, value in vars(names).items():
        if name in SHARED_BITS:
            yield value, _refused(f"numpy.random.{name}")
        elif name in ("ranf", "sample"):
            yield value, Method(functions, "random_sample")
        elif name == "seed" or getattr(value, "__self__", None) is names.mtrand._rand:
            yield value, Method(functions, name)


def _of_instance(stand: StandIns, value: object, holder: Holder, name: str) -> Meaning | None:
    """Return the stand-in for a generator that is held; one of a class of the program's own stays itself."""
    numpy: Any = sys.modules.get("numpy")
    kinds: dict[type, Callable[..., Any]] = {random.Random: stand.random_on, random.SystemRandom: stand.system_on}
    if numpy is not None:
        kinds |= {numpy.random.Generator: stand.generator_on, numpy.random.RandomState: stand.state_on}
    make = kinds.get(type(value))
    if make is None or make == stand.system_on:
        return make
    used = taken(held_words(holder, name))
    return lambda coins: make(coins, used=used)


def routing(holders: Iterable[Holder]) -> Routing:
    """Return the routing of every name: of the modules of generators, and of what holds a program's own names."""
    stand = StandIns()
    meanings = _meanings(stand)
    numpy: Any = sys.modules.get("numpy")
    own: list[dict[str, Any]] = [vars(module) for module in (random, secrets, os)]
    own += [vars(numpy.random)] if numpy is not None else []
    found: list[Place] = []
    for holder in [*map(Holder, own), *holders]:
        space = holder.space
        shared = any(space is module for module in own)
        for name, value in space.items():
            if space is vars(random) and name.startswith("_"):  # what the system's coins draw from themselves
                continue
            meaning = meanings[id(value)][1] if id(value) in meanings else None
            if meaning is None and not shared:
                meaning = _of_instance(stand, value, holder, name)
            if meaning is not None:
                found.append((space, name, meaning))
    return Routing(stand, found)
