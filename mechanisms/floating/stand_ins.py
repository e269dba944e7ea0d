"""The stand-ins for the generators of `random` and numpy while a program's randomness is routed to coins.

A stand-in is an instance of the real class. Every call is first tried on a throw-away generator of that class, with the
same arguments, and what that refuses, the stand-in refuses with the same exception. A call that is accepted draws from
the coins, or ends the run by name, which a program cannot catch. `docs/reference/stand-ins.md` tables every method.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.floating.bodies import (
    RANDOM,
    SEED,
    SLOTS,
    SYSTEM,
    SYSTEMS_OWN,
    decided,
    fixed,
    numpy_body,
    random_body,
    seedless,
    urandom_of,
)
from dpcert.mechanisms.floating.generator import GeneratorDraws, StateDraws, refuse

BITS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")
UNSEEDED = "hides where its bits go", "call numpy.random.default_rng()"
INHERITED = (
    "is a class of the program's own, made while it runs, that is not followed",
    "draw from the generator itself",
)
Used = Callable[[Coins], None]
"""A function that is called when a generator is drawn from."""


def _unused(coins: Coins) -> None:
    pass


class Kind(type):
    """The class of a stand-in class: calls, `isinstance` and comparisons answer as those of the real class."""

    _real: type
    _asked: Callable[..., Any]

    def __call__(cls, *args: Any, **kwds: Any) -> Any:
        return cls._asked(*map(decided, args), **{name: decided(value) for name, value in kwds.items()})

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls._real)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls._real)

    def __setattr__(cls, name: str, value: object) -> None:
        if cls._real.__module__ != "random":
            setattr(cls._real, name, value)  # which refuses it
        super().__setattr__(name, value)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls._real

    def __hash__(cls) -> int:
        return hash(cls._real)


class StandIns:
    """The stand-ins of one program: classes, and the generators that they make on the coins of the present run."""

    def __init__(self) -> None:
        self._running: Coins | None = None
        self.random = self._kind(RANDOM, random_body(RANDOM), self._new_random)
        self.system = self._kind(SYSTEM, random_body(SYSTEM), self._new_system)
        numpy: Any = sys.modules.get("numpy")
        if numpy is None:
            return
        names = numpy.random
        self.default_rng = self._default(names.default_rng)
        self.generator = self._kind(names.Generator, numpy_body(names.Generator), self._new_generator)
        self.state = self._kind(names.RandomState, numpy_body(names.RandomState), self._new_state)
        pcg, mersenne = names.PCG64(SEED), names.MT19937(SEED)
        self._generator, self._state = (pcg, names.Generator(pcg)), (mersenne, names.RandomState(mersenne))
        self.bits = {name: self._kind(getattr(names, name), {}, self._new_bits(name)) for name in BITS}

    def run(self, coins: Coins | None) -> Coins | None:
        """Let the classes make generators on these coins from now on; return the coins before."""
        before, self._running = self._running, coins
        return before

    @property
    def coins(self) -> Coins:
        """The coins of the present run."""
        if self._running is None:
            raise Unauditable("a generator was made on coins after the run that had them; make it in each run")
        return self._running

    def _kind(self, real: type, body: dict[str, Any], asked: Callable[..., Any]) -> Any:
        for name, value in body.items():
            if type(value) is FunctionType and not name.startswith("_"):
                value.__name__, value.__qualname__ = name, f"{real.__name__}.{name}"

        def inherited(cls: Any, /, **named: Any) -> None:
            refuse(self.coins, f"{cls.__qualname__}, which inherits from {real.__qualname__},", *INHERITED)

        common = {"__module__": real.__module__, "__qualname__": real.__qualname__, "_real": real}
        whole = {**common, "__init_subclass__": classmethod(inherited), **body, "_asked": staticmethod(asked)}
        return Kind(real.__name__, (real,) if body else (), whole)

    def generator_on(self, coins: Coins, *, used: Used = _unused) -> Any:
        """Return what stands for a `numpy.random.Generator`."""
        return _made(self.generator, *self._generator, coins, used, GeneratorDraws)

    def state_on(self, coins: Coins, *, used: Used = _unused) -> Any:
        """Return what stands for a `numpy.random.RandomState`, or for the functions of `numpy.random`."""
        return _made(self.state, *self._state, coins, used, StateDraws)

    def urandom_on(self, coins: Coins) -> Callable[..., bytes]:
        """Return what stands for `os.urandom`."""

        def urandom(*args: Any, **kwds: Any) -> bytes:
            n = len(urandom_of(*map(decided, args), **kwds))
            return coins.randbytes(n) if n else b""

        return urandom

    def random_on(self, coins: Coins, *, used: Used = _unused, title: str = "random.Random") -> Any:
        """Return what stands for a `random.Random`, or for the functions of `random`."""
        return _made(self.random, SEED, RANDOM(SEED), coins, used, None, title)

    def system_on(self, coins: Coins, *, used: Used = _unused) -> Any:
        """Return what stands for a `random.SystemRandom`."""
        return _made(self.system, SEED, SYSTEMS_OWN, coins, used, None, "random.SystemRandom")

    def _new_random(self, *args: Any, **kwds: Any) -> Any:
        if seedless(args, kwds, "x"):
            return self.random_on(self.coins)
        RANDOM(*args, **kwds)
        return fixed(self.coins, "random.Random with a seed")

    def _new_system(self, *args: Any, **kwds: Any) -> Any:
        if args or kwds:
            RANDOM.__new__(RANDOM, *args, **kwds)
        return self.system_on(self.coins)

    def _new_generator(self, *args: Any, **kwds: Any) -> Any:
        self.generator._real(*args, **kwds)
        fixed(self.coins, "numpy.random.Generator with a bit generator")

    def _new_state(self, *args: Any, **kwds: Any) -> Any:
        if seedless(args, kwds, "seed"):
            return self.state_on(self.coins)
        seeds = len(args) + len(kwds) == 1 and not hasattr(next(iter((*args, *kwds.values()))), "capsule")
        (self._state[1].seed if seeds else self.state._real)(*args, **kwds)  # the other asks the system first
        return fixed(self.coins, "numpy.random.RandomState with a seed")

    def _new_bits(self, name: str) -> Callable[..., Any]:
        def asked(*args: Any, **kwds: Any) -> Any:
            if args or kwds:
                self.bits[name]._real(*args, **kwds)
                fixed(self.coins, f"numpy.random.{name} with a seed")
            refuse(self.coins, f"numpy.random.{name}()", *UNSEEDED)

        return asked

    def _default(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def default_rng(*args: Any, **kwds: Any) -> Any:
            args, kwds = tuple(map(decided, args)), {name: decided(value) for name, value in kwds.items()}
            if seedless(args, kwds, "seed"):
                return self.generator_on(self.coins)
            if len(args) == 1 and not kwds and type(args[0]) is self.generator:
                return args[0]
            real(*args, **kwds)
            return fixed(self.coins, "numpy.random.default_rng with a seed")

        default_rng.__doc__ = real.__doc__
        return default_rng


def is_stand_in(kind: type) -> bool:
    """Whether a type is the class of stand-ins for a generator."""
    return type(kind) is Kind


def real(kind: Any) -> Any:
    """Return the class of generators that a class of stand-ins stands for; anything else as it is."""
    return kind._real if type(kind) is Kind else kind


class Made:
    """A stand-in that a program made while it ran: equal to another that draws alike."""

    __slots__ = ("told", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.told = type(value), value._used, value._title

    def __eq__(self, other: object) -> bool:
        return type(other) is Made and self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)

    def again(self, coins: Coins) -> Any:
        """Return another stand-in of this kind, on coins."""
        value = self.value
        draws = type(value._draws) if value._draws is not None else None
        first = value._trial._bit_generator if draws is not None else SEED
        return _made(type(value), first, value._trial, coins, value._used, draws, value._title)


def _made(kind: Any, first: Any, trial: Any, coins: Coins, used: Used, draws: Any, title: str | None = None) -> Any:
    """Return an instance of a stand-in, on coins, with the throw-away generator that is tried first."""
    real = kind._real
    made = real.__new__(kind, first)
    if draws is not None:
        real.__init__(made, first)
    else:
        made.gauss_next = None
    for name, value in zip(SLOTS, (coins, trial, draws and draws(coins), title or draws._title, used), strict=True):
        object.__setattr__(made, name, value)
    return made
