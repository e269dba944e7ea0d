"""What generators of ideal noise draw: the methods of numpy's `Generator`, `RandomState` and of `random.Random`.

Each method gets what the library itself returned for its parameters: that has the type and the shape of what is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any, NoReturn, Protocol

import numpy as np

from dpcert.audit.ideal.arrays import noisy
from dpcert.audit.ideal.discrete.exponents import OpenSum, Written, exact_number, one_less, plain
from dpcert.audit.ideal.numbers import Real
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, Exact, Weight, simplest, total
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.mechanisms.ideal.terms import Number

MOST_CHOICES = 10_000
"""The most values of a draw from finitely many."""
NOTHING = Exact(())
MOST_EXACT = 12
"""The most trials of a binomial draw with a p of exponentials."""


class Source(Protocol):
    """Where a generator's noise comes from: a run on ideal noise, or a point of it in floats."""

    def noise(self, law: Law) -> Any:
        """Return a fresh noise variable, around 0."""
        ...

    def choose(self, weights: Sequence[Weight]) -> int:
        """Return the position of one of finitely many values, by their weights, which sum to 1."""
        ...

    def number(self, value: Number) -> Any:
        """Return a constant as a number of the run."""
        ...

    def refuse(self, what: str) -> NoReturn:
        """End the run for good."""
        ...

    def hold(self, words: str) -> None:
        """Note that a generator that outlives the run is drawn from, in words."""
        ...


def stand_in(value: Any) -> Any:
    """Return what stands for a parameter where numpy checks it."""
    if isinstance(value, Real):
        return 0.0
    if isinstance(value, (OfEpsilon, OpenSum)):
        return float(value.at(Fraction(1)))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return np.array([stand_in(item) for item in value.ravel()], dtype=float).reshape(value.shape)
    if isinstance(value, (list, tuple)):
        return [stand_in(item) for item in value]
    return value


def is_open(value: Any) -> bool:
    """Whether a parameter depends on an epsilon that is left open."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, (list, tuple)):
        return any(map(is_open, value))
    return isinstance(value, OpenSum) or (isinstance(value, OfEpsilon) and value.constant() is None)


class Draws:
    """What the generators draw alike."""

    title = "numpy.random.Generator"

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def source(self) -> Source:
        """Where the noise comes from."""
        return self._source

    def _rate(self, scale: Any) -> Rate | None:
        """Return 1/scale; None for the scale 0."""
        if isinstance(scale, Real):
            if scale.terms:
                self._source.refuse("a scale that is itself noisy")
            scale = scale.offset
        if isinstance(scale, OfEpsilon):
            if not scale.terms:
                return None
            monomial = scale.monomial()
            if monomial is None or monomial[1] not in (0, -1):
                self._source.refuse("a scale that is neither c/epsilon nor a number")
            if monomial[0] < 0:
                raise ValueError("scale < 0")
            return Rate(1 / monomial[0], -monomial[1])
        value = exactly(scale)
        if value is None:
            self._source.refuse("a scale that is no finite number")
        return None if value == 0 else Rate(1 / Fraction(value))

    def _falling(self, p: Any) -> Rate | None:
        """Return the rate at which the weights of geometric noise fall, -ln(1 - p); None for p = 1."""
        rest = one_less(p)
        if rest is None:
            self._source.refuse("a p that is neither a number nor 1 - exp(-c epsilon)")
        c, exponent, power = rest
        if power and (c > 1 or exponent > 0):
            self._source.refuse("a p that is no probability for every epsilon")
        return Rate(-exponent, power, 1 / c) if c else None

    def _mean(self, lam: Any) -> Rate | None:
        value = exactly(lam)
        if value is None:
            self._source.refuse("a mean that is no finite number")
        return Rate(Fraction(value)) if value else None

    def _whole(self, kind: str, rate: Rate | None) -> Any:
        """Return geometric noise, or Poisson noise; None stands for its least value alone."""
        return self._source.number(int(kind == "geometric")) if rate is None else self._source.noise(Law(kind, rate))

    def _one(self, kind: str, loc: Any, rate: Rate | None) -> Any:
        start = loc if isinstance(loc, (Real, OfEpsilon)) else exactly(loc)
        if start is None:
            self._source.refuse("a location that is no finite number")
        if not isinstance(start, (Real, OfEpsilon)):
            start = self._source.number(start)
        return start if rate is None else start + self._source.noise(Law(kind, rate))

    def _weighted(self, weights: Sequence[Any], *, summed: bool = False) -> int:
        """Return the position of one of finitely many values, by weights; they are `summed` where their sum must be 1,
        of floats about 1."""
        known = [number for x in weights if (number := self._exact(x)) is not None]
        if len(known) < len(weights) or not 1 <= len(known) <= MOST_CHOICES:
            self._source.refuse("a draw with such weights")
        rational = [c for x in known if (c := x.rational()) is not None]
        if len(rational) == len(known):
            return self._source.choose([c / sum(rational) for c in rational])
        try:
            whole = total(known)
            if summed and whole.is_open():
                self._source.refuse("a draw with weights of which the sum depends on epsilon")
            return self._source.choose([simplest(x / whole) for x in known])
        except Unauditable as error:
            self._source.refuse(str(error))

    def _exact(self, value: Any) -> Exact | None:
        """Return a number as an exact one; None for what is none."""
        if isinstance(value, Real) and not value.terms:
            value = value.offset
        return exact_number(plain(value) if type(value) is Written else value)

    def _below(self, n: int) -> int:
        if not 1 <= n <= MOST_CHOICES:
            self._source.refuse(f"a draw from {n} values")
        return self._source.choose([Fraction(1, n)] * n)


class _Numpys(Draws):
    """What numpy's two kinds of generator share."""

    def shaped(self, kind: str, seen: Any, loc: Any, scale: Any) -> Any:
        """Return noise of the shape of what numpy itself returned for these parameters."""
        if not isinstance(seen, np.ndarray):
            start, width = (part.item() if isinstance(part, np.ndarray) else part for part in (loc, scale))
            return self._one(kind, start, self._rate(width))
        found = np.empty(seen.shape, dtype=object)
        if isinstance(scale, (int, float, Fraction)):
            rates = np.full(1, self._rate(scale), dtype=object)
        else:
            widths = np.asarray(scale, dtype=object)
            rates = np.empty(widths.shape, dtype=object)
            rates.ravel()[:] = [self._rate(width) for width in widths.ravel()]
        starts = np.broadcast_to(np.asarray(loc, dtype=object), seen.shape).ravel()
        rates = np.broadcast_to(rates, seen.shape).ravel()
        found.ravel()[:] = [self._one(kind, *each) for each in zip(starts, rates, strict=True)]
        plain = all(issubclass(type(item), float) for item in found.ravel())
        return found.astype(float) if plain and found.size else noisy(found)

    def laplace(self, seen: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self.shaped("laplace", seen, loc, scale)

    def normal(self, seen: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self.shaped("normal", seen, loc, scale)

    def gumbel(self, seen: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self.shaped("gumbel", seen, loc, scale)

    def logistic(self, seen: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self.shaped("logistic", seen, loc, scale)

    def exponential(self, seen: Any, scale: Any = 1.0, size: Any = None) -> Any:
        return self.shaped("exponential", seen, 0, scale)

    def standard_exponential(self, seen: Any, size: Any = None) -> Any:
        return self.shaped("exponential", seen, 0, 1.0)

    def standard_normal(self, seen: Any, size: Any = None) -> Any:
        return self.shaped("normal", seen, 0.0, 1.0)

    def uniform(self, seen: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return low + (high - low) * self._units(seen)

    def _units(self, seen: Any) -> Any:
        return self.shaped("uniform", seen, 0, 1)

    def discrete(self, kind: str, seen: Any, *given: Any) -> Any:
        """Return draws of a law by name, of the shape of what the library itself returned for these parameters."""
        draws: dict[str, Callable[..., Any]] = {
            "geometric": lambda p: self._whole("geometric", self._falling(p)),
            "poisson": lambda mean: self._whole("poisson", self._mean(mean)),
            "binomial": self._binomial,
            "discrete laplace": self.two_sided,
        }
        return _like(seen, [draws[kind](*each) for each in _broadcast(seen, *given)])

    def geometric(self, seen: Any, p: Any, size: Any = None) -> Any:
        return self.discrete("geometric", seen, p)

    def poisson(self, seen: Any, lam: Any = 1.0, size: Any = None) -> Any:
        return self.discrete("poisson", seen, lam)

    def binomial(self, seen: Any, n: Any, p: Any, size: Any = None) -> Any:
        return self.discrete("binomial", seen, n, p)

    def two_sided(self, rate: Any) -> Any:
        """Return a difference of two geometric draws whose weights fall by e^-rate."""
        monomial = rate.monomial() if isinstance(rate, OfEpsilon) else (exactly(rate), 0)
        if monomial is None or monomial[0] is None or monomial[1] not in (0, 1) or monomial[0] < 0:
            self._source.refuse("geometric noise that falls by what is neither c epsilon nor a number")
        falling = Rate(Fraction(monomial[0]), monomial[1])
        return self._whole("geometric", falling) - self._whole("geometric", falling)

    def _binomial(self, n: Any, p: Any) -> Any:
        chance, trials = self._exact(p), exactly(n)
        if chance is None or trials is None or trials.denominator > 1 or trials > MOST_CHOICES:
            self._source.refuse("binomial with such parameters")
        try:
            proper = min(chance.sign(), (ONE - chance).sign()) >= 0
        except Unauditable:
            proper = False
        if not proper:
            self._source.refuse("binomial with a p that is no probability for every epsilon")
        known, count = chance.rational(), int(trials)
        if known is not None:
            chances = [comb(count, k) * known**k * (1 - known) ** (count - k) for k in range(count + 1)]
            return self._source.choose(chances)
        if count > MOST_EXACT:
            self._source.refuse("binomial of so many trials with a p of exponentials")
        weights = [ONE]
        for _ in range(count):
            both = [x * (ONE - chance) for x in weights], [x * chance for x in weights]
            weights = [x + y for x, y in zip([*both[0], NOTHING], [NOTHING, *both[1]], strict=True)]
        return self._source.choose(list(map(simplest, weights)))

    def choice(self, seen: Any, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        items = np.asarray(a if hasattr(a, "__len__") else range(int(a)))
        if items.ndim > 1 or (not replace and np.size(seen) > 1):
            self._source.refuse("choice without replacement, or from an array of several axes")
        weights = [1] * len(items) if p is None else p
        if not isinstance(seen, np.ndarray):
            return items[self._weighted(weights, summed=p is not None)]
        return items[self._all(seen, lambda: self._weighted(weights, summed=p is not None))]

    def _between(self, seen: Any, low: Any, high: Any, endpoint: bool) -> Any:
        """Return whole numbers from `low` on, in the place of what the library drew."""
        if np.ndim(low) or np.ndim(high):
            self._source.refuse("integers between arrays")
        start, values = int(low), int(high) - int(low) + bool(endpoint)
        if isinstance(seen, np.ndarray):
            return self._all(seen, lambda: start + self._below(values))
        return start + self._below(values)

    def _all(self, seen: Any, draw: Callable[[], Any]) -> Any:
        """Return draws in the place of each item of an array of integers that the library drew."""
        found = [draw() for _ in range(seen.size)]
        return np.array(found, dtype=seen.dtype if seen.dtype.kind in "iu" else int).reshape(seen.shape)


def _broadcast(seen: Any, *given: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the parameters of each draw in what numpy returned for them."""
    arrays = (np.broadcast_to(np.asarray(each, dtype=object), np.shape(seen)).ravel() for each in given)
    return zip(*arrays, strict=True)


def _like(seen: Any, drawn: Sequence[Any]) -> Any:
    """Return draws in the shape of what numpy returned."""
    if not isinstance(seen, np.ndarray):
        return drawn[0]
    found = np.empty(seen.shape, dtype=object)
    found.ravel()[:] = drawn
    return noisy(found) if any(isinstance(item, Real) for item in drawn) else found.astype(seen.dtype)


class GeneratorDraws(_Numpys):
    """What a `numpy.random.Generator` draws."""

    def random(self, seen: Any, size: Any = None, dtype: Any = np.float64) -> Any:
        return self._units(seen)

    def integers(
        self, seen: Any, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        start, stop = (0, low) if high is None else (low, high)
        return self._between(seen, start, stop, endpoint)


class StateDraws(_Numpys):
    """What a `numpy.random.RandomState` draws, and the functions of `numpy.random`."""

    title = "numpy.random"

    def random_sample(self, seen: Any, size: Any = None) -> Any:
        return self._units(seen)

    random = random_sample

    def rand(self, seen: Any, *shape: int) -> Any:
        return self._units(seen)

    def randn(self, seen: Any, *shape: int) -> Any:
        return self.standard_normal(seen)

    def randint(self, seen: Any, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        start, stop = (0, low) if high is None else (low, high)
        return self._between(seen, start, stop, False)


class RandomDraws(Draws):
    """What a `random.Random` draws."""

    title = "random"

    def random(self, seen: Any) -> Any:
        return self._source.noise(Law("uniform"))

    def uniform(self, seen: Any, a: Any, b: Any) -> Any:
        return a + (b - a) * self.random(seen)

    def expovariate(self, seen: Any, lambd: Any = 1.0) -> Any:
        return self._source.noise(Law("exponential")) / lambd

    def normalvariate(self, seen: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        return mu + sigma * self._source.noise(Law("normal"))

    gauss = normalvariate

    def randrange(self, seen: Any, start: Any, stop: Any = None, step: Any = 1) -> Any:
        values = range(start) if stop is None else range(start, stop, step)
        return values[self._below(len(values))]

    def randint(self, seen: Any, a: Any, b: Any) -> Any:
        return self.randrange(seen, a, b + 1)

    def choice(self, seen: Any, seq: Any) -> Any:
        return seq[self._below(len(seq))]

    def choices(self, seen: Any, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:
        if cum_weights is not None:
            weights = [b - a for a, b in pairwise([0, *cum_weights])]
        weights = [1] * len(population) if weights is None else weights
        return [population[self._weighted(weights)] for _ in range(k)]
