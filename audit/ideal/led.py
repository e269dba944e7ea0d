"""Runs of a program on floats, from a point of a path: the point gives the number of each draw.

Generators of the libraries inherit from the real classes and are bound to their names. What a method of numpy returns
is what the library's own method returned for these arguments, with the point's numbers in place of the ones drawn: it
has that type, dtype and shape, and what the library refuses raises its exception.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.ideal.discrete.points import integer_point, point_in, somewhere
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.meant import OPEN, Open, Program, on_ideal_noise
from dpcert.mechanisms.ideal.noise import HALF, WHOLE_VALUED
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.reading.floats.held import Holder
from dpcert.reading.ideal import prelude_libraries
from dpcert.reading.ideal.draws import Unmoved
from dpcert.reading.ideal.libraries import MECHANISMS
from dpcert.reading.led.names import PYTHONS, swaps
from dpcert.reading.numpy.kinds import SPARE
from dpcert.reading.paths.binding import Binding, Swap

Draw = Callable[..., Any]


def _about(kind: str) -> Draw:
    return lambda point, loc, scale: loc + scale * point.noise(kind) if scale else loc


def _standard(kind: str) -> Draw:
    return lambda point: point.noise(kind)


DRAWS: Mapping[str, tuple[tuple[str, ...], Draw]] = {
    **{kind: (("loc", "scale"), _about(kind)) for kind in ("laplace", "normal", "gumbel", "logistic")},
    "exponential": (("scale",), lambda point, scale: scale * point.noise("exponential") if scale else 0.0),
    "standard_exponential": ((), _standard("exponential")),
    **dict.fromkeys(("standard_normal", "randn"), ((), _standard("normal"))),
    **dict.fromkeys(("random", "random_sample", "rand"), ((), _standard("uniform"))),
    "uniform": (("low", "high"), lambda point, low, high: low + (high - low) * point.noise("uniform")),
    "geometric": (("p",), lambda point, p: 1 if p == 1 else point.noise("geometric")),
    "poisson": (("lam",), lambda point, lam: point.noise("poisson") if lam else 0),
    "binomial": (("n", "p"), lambda point, n, p: point.choose()),
}
"""The draws of numpy's generators by method: the parameters, and one number by these."""


class Led:
    """The generators of the runs of one program; `point` is where the present run is."""

    def __init__(self) -> None:
        self.point: Any = None
        self.kinds: dict[Any, Any] = {real: self._numpys(real) for real in SPARE}
        self.kinds |= {real: self._pythons(real) for real in PYTHONS}
        self._of_coins = self.kinds[np.random.Generator]
        self._taken = {"random": self.kinds[PYTHONS[0]], "state": self.kinds[np.random.RandomState]}

    def generator(self, takes: str) -> Any:
        """Return the generator that a function takes; one of numpy where it takes coins."""
        return self._taken.get(takes, self._of_coins)()

    def others(self) -> Iterator[tuple[Any, Any]]:
        """Yield the function that makes generators, with the function that stands for it."""
        made = self._of_coins
        yield np.random.default_rng, lambda seed=None: made() if seed is None else seed

    def held(self, kind: Any, words: str) -> Any:
        """Return the generator that leads one that is held."""
        return self.kinds[kind]()

    def _numpys(self, real: Any) -> Any:
        spare = SPARE[real]()
        bits: Any = np.random.MT19937(0) if real is np.random.RandomState else np.random.PCG64(0)
        body = {name: self._method(spare, vars(real)[name]) for name in self._names(real)}

        def new(cls: Any, *args: Any, **keywords: Any) -> Any:
            return real.__new__(cls, bits)

        def begin(generator: Any, *args: Any, **keywords: Any) -> None:
            real.__init__(generator, bits)

        body["__getattr__"] = lambda own, name: getattr(spare, name)  # which has none of the name
        return type(real.__name__, (real,), {"__module__": real.__module__, "__new__": new, "__init__": begin, **body})

    @staticmethod
    def _names(real: Any) -> Iterator[str]:
        return (name for name in (*DRAWS, "integers", "randint", "choice") if name in vars(real))

    def _method(self, spare: Any, host: Any) -> Draw:
        signature, name = inspect.signature(host), host.__name__

        def drawn(*args: Any, **keywords: Any) -> Any:
            seen = host(spare, *args[1:], **keywords)
            bound = signature.bind(*args, **keywords)
            bound.apply_defaults()
            numbers = list(self._drawn(name, seen, bound.arguments))
            # The point's numbers, in the type and the shape of the array that the library drew.
            if isinstance(seen, np.ndarray):
                return np.array(numbers, seen.dtype).reshape(seen.shape)
            return type(seen)(numbers[0])

        drawn.__name__ = name
        return drawn

    def _drawn(self, name: str, seen: Any, given: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the numbers that a method draws, in the order of C."""
        if name == "choice":
            items = np.asarray(given["a"] if np.ndim(given["a"]) else range(int(given["a"])))
            yield from (items[self.point.choose()] for _ in range(np.size(seen)))
        elif name in ("integers", "randint"):
            low = 0 if given["high"] is None else int(given["low"])
            yield from (low + self.point.choose() for _ in range(np.size(seen)))
        else:
            names, draw = DRAWS[name]
            columns = [np.broadcast_to(np.asarray(given[each]), np.shape(seen)).ravel().tolist() for each in names]
            for row in zip(*columns, strict=True) if columns else [()] * np.size(seen):
                yield draw(self.point, *row)

    def _pythons(self, real: Any) -> Any:
        def choices(
            own: Any, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
        ) -> list[Any]:
            seen = Unmoved(0).choices(population, weights, cum_weights=cum_weights, k=k)
            return [population[self.point.choose()] for _ in seen]

        def normal(own: Any, mu: float = 0.0, sigma: float = 1.0) -> Any:
            return mu + sigma * self.point.noise("normal")

        body: dict[str, Any] = {
            "__module__": real.__module__,
            "__new__": lambda cls, *args, **keywords: real.__new__(cls, 0),
            "__init__": lambda own, *args, **keywords: real.__init__(own, 0),
            "random": lambda own: self.point.noise("uniform"),
            "getrandbits": lambda own, k, /: self.point.choose(),
            "_randbelow": lambda own, n: self.point.choose(),
            "expovariate": lambda own, lambd=1.0: self.point.noise("exponential") / lambd,
            "normalvariate": normal,
            "gauss": normal,
            "choices": choices,
        }
        return type(real.__name__, (real,), body)


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


SCALED = frozenset({"laplace", "exponential", "normal", "gumbel", "logistic"})
"""Noise that has a scale."""


class Strayed(Signal):
    """A run draws otherwise than its path does."""


class Point:
    """The numbers that draws of a path give, in their order."""

    def __init__(self, path: Path, point: Mapping[int, float]) -> None:
        self.values = [
            int(point.get(name, 1)) if law.kind in WHOLE_VALUED else point.get(name, somewhere(name))
            for name, law in enumerate(path.laws)
        ]
        self.inputs = {name: x for name, x in point.items() if name < 0}
        for each in path.narrowed:
            # A float between two numbers; those that depend on epsilon are taken where it is 1.
            both = (each.low + each.high) * Exact.of(HALF)
            self.values[each.name] = float((both.at(Fraction(1)) if both.is_open() else both).enclosed().mid())
        for derived in path.derived:
            self.values[derived.uniform] = derived.uniform_at(self.values[derived.name])
        compared = {place for each in path.narrowed for place in each.draws}
        own = {derived.name for derived in path.derived} | set(counters_of(path))
        self._sides = [side for place, side in enumerate(path.drawn) if place not in compared]
        drawn = [(law, x) for name, (law, x) in enumerate(zip(path.laws, self.values, strict=True)) if name not in own]
        self._noises = [(law.kind, x * float(law.rate.factor) if law.kind in SCALED else x) for law, x in drawn]
        self._strayed: str | None = None

    def symbol(self, name: int) -> float:
        """Return the float that stands for a number of an open input."""
        return self.inputs.setdefault(name, somewhere(name))

    def noise(self, kind: str) -> Any:
        """Return the next noise, which is of a kind, around 0 and of scale 1. scipy draws Gumbel noise by a uniform
        number.

        Raises: Strayed for another one.
        """
        (law, value), *self._noises = self._noises or [("", 0.0)]
        if law == "gumbel" and kind == "uniform":
            return math.exp(-math.exp(-value))
        return value if law == kind else self._stray("other draws")

    def choose(self) -> int:
        """Return the position of one of finitely many values, the next that is drawn.

        Raises: Strayed where no more are.
        """
        return self._sides.pop(0) if self._sides else self._stray("more draws")

    def _stray(self, words: str) -> Any:
        self._strayed = self._strayed or words
        raise Strayed(words)

    def left(self) -> str | None:
        """Return in words why the run ended early, or that it left numbers undrawn."""
        return self._strayed or ("fewer draws" if self._noises or self._sides else None)


def point_of(path: Path) -> Point | None:
    """Return a point well inside a path; None where it is empty.

    Raises: Unauditable for a path on open integers where none is found.
    """
    # nothing draws the number of turns of a loop: one turn alone is run
    one = tuple(Inequality(((name, 1),), Fraction(3, 2), above=False) for name in counters_of(path))
    path = replace(path, inequalities=(*path.inequalities, *one))
    found = integer_point(path) if path.integers else point_in(path)
    return None if found is None else Point(path, found)


def counters_of(path: Path) -> list[int]:
    """Return the variables that count the turns of loops."""
    return [loop.counter for loop in path.loops if loop.counter is not None]


def _filled(form: Any, point: Point) -> Any:
    """Return an input that is left open, at a point."""
    names = iter(range(-1, -1_000_000, -1))

    def fill(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return type(part)([fill(item) for item in part])
        if isinstance(part, np.ndarray):
            return np.array([fill(item) for item in part.ravel()], float).reshape(part.shape)
        return point.symbol(next(names))

    return fill(form)


def run(program: Program, value: Any, epsilon: Fraction | str | None, led: Led, point: Point) -> Any:
    """Return how a program ends at a point; None where it strays from the path.

    Raises: Unauditable for an end that is no outcome.
    """
    led.point = point
    meant = on_ideal_noise(program)
    given = _filled(value.form, point) if isinstance(value, Open) else fresh(value)
    parameters = () if epsilon is None else (1.0 if epsilon == OPEN else float(Fraction(epsilon)),)
    try:
        outcome, _ = call(lambda _: fresh(meant(given, led.generator, *parameters)), None)
    except Strayed:
        return None
    return outcome
