"""Generators that coins lead: the draws of each are those that the machine reads, on plain numbers.

Each class inherits from the real one and is bound to its name. A call is first tried by the library itself, on a
generator that is thrown away: what that refuses raises its exception. What it accepts is drawn by the law that the
machine has for it (`reading/numpy/generators.py`), each number from the coins; and what has no law ends the run by
name, which a program cannot catch.
"""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.reading.draws import SEEDED
from dpcert.reading.errors import Act, Refused
from dpcert.reading.floats.held import Holder, taken
from dpcert.reading.led.names import PYTHONS, URANDOM, swaps
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.asked import Asked
from dpcert.reading.numpy.generators import LAWS, check_size, no_law
from dpcert.reading.numpy.memory import Call
from dpcert.reading.numpy.records import Array
from dpcert.reading.paths.binding import Binding
from dpcert.reading.preludes import twin_of

RANDOM, SYSTEM = PYTHONS
BITS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence", "BitGenerator")
SHARED_BITS = ("get_bit_generator", "set_bit_generator")
COPIES = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__")
STATES = ("seed", "getstate", "setstate", "get_state", "set_state", "spawn", "bit_generator", "_bit_generator")
"""The names by which draws are fixed, or shown."""


SPARES = {real: make() for real, make in kinds.SPARE.items()}
SOURCES = {np.random.Generator: np.random.PCG64(0), np.random.RandomState: np.random.MT19937(0)}
"""Generators whose draws are thrown away, and bits that are never drawn: making one asks the system."""
TAKEN = {"rng": np.random.Generator, "state": np.random.RandomState, "random": RANDOM}


def plain(value: Any) -> Any:
    """Return a draw as a plain number, decided where it is undecided."""
    return value._decide() if issubclass(type(value), Lazy) else value


class Source:
    """What the laws of draws ask, on coins: the machine, and the generator that is drawn from."""

    prelude = staticmethod(twin_of)

    def __init__(self, cls: Any, coins: Coins) -> None:
        self.cls, self.coins = cls, coins

    def draw(self, bound: int, kind: str) -> Any:
        """The next number below a bound, or in [0, 1)."""
        return plain(self.coins.random() if kind == "float" else self.coins.below(bound))

    def below(self, bound: int) -> Any:
        """An integer below a bound; no draw where that is 1."""
        return self.draw(bound, "int") if bound > 1 else 0

    def random(self) -> Any:
        """A float k / 2^53."""
        return self.draw(1 << 53, "float")


class OnCoins:
    """The generators of the runs of one program; `coins` are those of the present run."""

    def __init__(self, coins: Any) -> None:
        self.coins = coins
        self.words: dict[int, tuple[Any, str]] = {}
        self.kinds: dict[Any, Any] = {real: self._numpys(real) for real in kinds.GENERATORS}
        self.kinds |= {real: self._pythons(real) for real in PYTHONS}

    def generator(self, takes: str) -> Any:
        """Return what a function takes beside its input."""
        return self.kinds[TAKEN[takes]]()

    def refuse(self, words: str) -> NoReturn:
        """End the run, whatever the program does with the exception."""
        self.coins._source.poison(words)
        raise Unauditable(words)

    def held(self, kind: Any, words: str) -> Any:
        """Return the generator that leads one of a module, which the words name."""
        made = self.kinds[kind]()
        self.words[id(made)] = made, "" if kind is SYSTEM else words
        return made

    def others(self) -> Iterator[tuple[Any, Any]]:
        """Yield other functions and classes of modules, each with what it means."""
        made = self.kinds[np.random.Generator]
        real: Any = np.random.default_rng

        def default_rng(seed: Any = None) -> Any:
            if seed is None:
                return made()
            if type(seed) is made:
                return seed
            real(seed)
            return self.refuse(f"numpy.random.default_rng with a seed: {SEEDED}")

        def urandom(*args: Any, **keywords: Any) -> bytes:
            asked: Any = URANDOM
            found: bytes = asked(*args, **keywords) if keywords or len(args) != 1 else next(map(asked, args))
            return self.coins.randbytes(len(found)) if found else b""

        yield real, default_rng
        yield os.urandom, urandom  # or what watches it
        for name in (*BITS, *SHARED_BITS):
            yield getattr(np.random, name), self._refused(f"numpy.random.{name}")

    def _refused(self, name: str) -> Callable[..., Any]:
        return lambda *args, **keywords: self.refuse(f"{name} is not followed: {SEEDED}")

    def _drew(self, own: Any) -> None:
        _, words = self.words.get(id(own), (own, ""))
        if words:
            taken(words)(self.coins)

    # -- numpy

    def _numpys(self, real: Any) -> Any:
        """Return the class of led generators of a class of numpy's."""
        bits = SOURCES[real]
        own_seed = real is np.random.RandomState

        def new(cls: Any, *args: Any, **keywords: Any) -> Any:
            return real.__new__(cls, bits)

        def begin(own: Any, *args: Any, **keywords: Any) -> None:
            real.__init__(own, bits)
            if not own_seed and (args or keywords):
                real(*args, **keywords)
                self.refuse("a Generator made of a bit generator is not followed; call numpy.random.default_rng()")
            if [each for each in (*args, *keywords.values()) if each is not None]:
                self.refuse(f"numpy.random.RandomState with a seed: {SEEDED}")

        def assign(own: Any, name: str, value: Any) -> None:
            setattr(SPARES[real], name, value)  # which refuses it
            self.refuse(f"{name} of a generator is set, which is not followed")

        body: dict[str, Any] = {"__slots__": (), "__new__": new, "__init__": begin, "__setattr__": assign}
        body["__getattr__"] = lambda own, name: getattr(SPARES[real], name)  # which has none of the name
        for name in dir(real):
            if not name.startswith("__"):
                host = getattr(real, name)
                body[name] = self._drawing(real, name, host) if callable(host) else property(self._hidden(name))
        body |= {name: self._hidden(name) for name in (*COPIES, *STATES) if hasattr(real, name) and name not in body}
        body |= {name: self._hidden(name) for name in STATES if callable(getattr(real, name, None))}
        return type(real.__name__, (real,), {"__module__": real.__module__, **body})

    def _hidden(self, name: str) -> Callable[..., Any]:
        return lambda own, *args, **keywords: self.refuse(f"{name} of a generator is not followed: {SEEDED}")

    def _drawing(self, real: Any, name: str, host: Any) -> Callable[..., Any]:
        title, spare = f"numpy.random.{real.__name__}.{name}", SPARES[real]

        def drawn(own: Any, /, *args: Any, **keywords: Any) -> Any:
            row: Any
            tried: Any
            if self.kinds[real] not in type(own).__mro__:
                return host(own, *args, **keywords)  # which refuses it
            if name == "shuffle" and args and isinstance(args[0], (list, np.ndarray)):
                tried, row = (([0] * len(args[0])) if type(args[0]) is list else args[0].copy(), *args[1:]), args[0]
            else:
                tried, row = args, keywords.get("x")
            try:
                check_size(host, list(args), keywords)
                like = host(spare, *tried, **keywords)
                given = dict(inspect.signature(host).bind(own, *tried, **keywords).arguments)
                self._drew(own)
                return self._made(Source(real, self.coins), title, name, given, like, row)
            except Refused as refused:
                return self.refuse(str(refused))

        drawn.__name__ = name
        return drawn

    def _made(self, source: Source, title: str, name: str, given: dict[str, Any], like: Any, row: Any) -> Any:
        asked = Asked(source, title, given, like)
        if name == "shuffle":
            if type(row) is not list and (type(row) is not np.ndarray or row.ndim != 1):
                raise Refused("a shuffle of other things than a list or a row of numbers is not followed")
            return twin_of("shuffled")(source, row)
        if name not in LAWS:
            asked.refuse(*no_law(name))
        found: Any = LAWS[name](source, asked)
        if found.__class__ is Act:
            function, args, _ = found.operands
            return function(*map(_host, args))
        return _host(found)

    # -- the standard library

    def _pythons(self, real: Any) -> Any:
        """Return the class of led generators of a class of the standard library's."""
        secure = real is SYSTEM

        def begin(own: Any, *args: Any, **keywords: Any) -> None:
            own.gauss_next = None
            if not secure and [each for each in (*args, *keywords.values()) if each is not None]:
                self.refuse(f"random.Random with a seed: {SEEDED}")

        def check(own: Any) -> None:
            if made not in type(own).__mro__:  # it would draw from bits that nothing seeds
                self.refuse("a method of one class of generators is called on another's, which is not followed")
            self._drew(own)

        def uniform(own: Any) -> Any:
            check(own)
            return plain(self.coins.random())

        def bits(own: Any, k: Any, /) -> Any:
            k = operator.index(k)
            if k < 0:
                raise ValueError("number of bits must be non-negative")
            check(own)
            return plain(self.coins.below(1 << k)) if k else 0

        def below(own: Any, n: int) -> Any:
            check(own)
            return plain(self.coins.below(n))

        def some_bytes(own: Any, n: int) -> bytes:
            check(own)
            return self.coins.randbytes(n) if n else b""

        body: dict[str, Any] = {
            "__module__": real.__module__,
            "__new__": lambda cls, *args, **keywords: real.__new__(cls, 0),
            "__init__": begin,
            "random": uniform,
            "getrandbits": bits,
            "_randbelow": below,
        }
        if secure:
            body["randbytes"] = some_bytes
        else:
            names = ("seed", "getstate", "setstate", *COPIES)
            body |= {name: self._hidden(name) for name in names if hasattr(real, name)}
        made = type(real.__name__, (real,), body)
        return made


def _host(value: Any) -> Any:
    """A value of the machine as the host's, where it is an array."""
    return Call().to_host(value) if value.__class__ is Array else getattr(value, "items", value)


class LedByCoins:
    """The led generators of one program, whose names are bound to them during a run."""

    def __init__(self, holders: Iterable[Holder]) -> None:
        self.led = OnCoins(None)
        self.binding = Binding(swaps(self.led, holders))

    @contextmanager
    def on(self, coins: Coins) -> Iterator[OnCoins]:
        """Run the body with the generators on some coins."""
        before, self.led.coins = self.led.coins, coins
        try:
            with self.binding:
                yield self.led
        finally:
            self.led.coins = before
