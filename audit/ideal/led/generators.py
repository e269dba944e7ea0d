"""Generators of the libraries that a point of a path leads: what they draw are its numbers.

Each class inherits from the real one and is bound to its name. What a method of numpy returns is what the library's own
method returned for these arguments, with its numbers in place of the ones drawn: it has that type, dtype and shape, and
what the library refuses raises its exception.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from dpcert.reading.ideal.draws import Unmoved
from dpcert.reading.led.names import PYTHONS
from dpcert.reading.numpy.kinds import SPARE

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
"""What the methods of numpy's generators draw: of which parameters, and one number of these."""


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
        """Yield the function that makes generators, with what leads it."""
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
            # Numbers in the type and the shape of what the library drew.
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
