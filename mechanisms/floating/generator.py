"""numpy's generators as functions of fair coins: those of their methods that are inverse transforms of uniform draws.

Each method is given what numpy has accepted, and returns what makes one draw. It computes with doubles what numpy's C
source computes (`distributions.c`, `legacy-distributions.c`), so that the same 53 bits give the same number, bit for
bit; a test holds them to it. What is no such function, as numpy's ziggurat of the normal and the exponential
distribution, is refused by name.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.floating.choices import at, by_weight, evenly, of_population, order, without_repeats
from dpcert.mechanisms.floating.functions import FOLLOWED, is_lazy
from dpcert.mechanisms.floating.lines import running_line

log, log1p, exp, sqrt, pow_ = (FOLLOWED[name] for name in ("log", "log1p", "exp", "sqrt", "pow"))
THIRD = 0.333333333333333333333333
LEAST_P = 1e-12


TRANSFORMS = "is no inverse transform of uniform draws"
INSTEAD = "draw by random, uniform, integers or laplace in its place, or noise in integers over dpcert.Coins"


def refuse(coins: Coins, name: str, why: str = TRANSFORMS, remedy: str = INSTEAD) -> NoReturn:
    """End the run: the randomness `name` cannot be routed to coins; the program's line is named, and what to write."""
    words = f"{name} cannot be routed to coins: it {why}: {running_line()}; {remedy}"
    coins._source.poison(words)
    raise Unauditable(words)


Draw = Callable[[], Any]
"""What makes one draw: a function that makes each draw alike, or the `__next__` of an iterator."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The draw of one of so many integers, from the least on."""

    coins: Coins
    least: int
    count: int

    def __call__(self) -> Any:
        return self.least + self.coins.below(self.count) if self.count > 1 else self.least


class _Draws:
    """What both of numpy's interfaces draw alike; `_title` is how a refusal names the interface."""

    _title = "numpy.random"

    def __init__(self, coins: Coins) -> None:
        self._coins = coins

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Draw:
        """Return low + (high - low) * u, in doubles."""
        low, high = self._plain("uniform", low), self._plain("uniform", high)
        return lambda: low + (high - low) * self._coins.random()

    def laplace(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Draw:
        """Return loc - scale * log(2 - u - u) for u >= 1/2, else loc + scale * log(u + u); u = 0 is drawn again."""
        loc, scale = self._plain("laplace", loc), self._plain("laplace", scale)

        def draw() -> Any:
            while True:
                u = self._coins.random()
                if u >= 0.5:
                    return loc - scale * log(_step(u, lambda v: 2.0 - v - v))
                if u > 0.0:
                    return loc + scale * log(_step(u, lambda v: v + v))

        return draw

    def logistic(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Draw:
        """Return loc + scale * log(u / (1 - u)); u = 0 is drawn again."""
        loc, scale = self._plain("logistic", loc), self._plain("logistic", scale)

        def draw() -> Any:
            while True:
                u = self._coins.random()
                if u > 0.0:
                    return loc + scale * log(_step(u, lambda v: v / (1.0 - v)))

        return draw

    def gumbel(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Draw:
        """Return loc - scale * log(-log(1 - u)); u = 0 is drawn again."""
        loc, scale = self._plain("gumbel", loc), self._plain("gumbel", scale)

        def draw() -> Any:
            while True:
                u = 1.0 - self._coins.random()
                if u < 1.0:
                    return loc - scale * log(-log(u))

        return draw

    def choice(
        self, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0, shuffle: Any = True
    ) -> Draw:
        """Return one of a number of places, or of the elements of an array with one axis."""
        population = of_population(a)
        if population is None:
            refuse(
                self._coins, f"{self._title}.choice from {type(a).__name__}", "is routed for numbers and texts in a row"
            )
        if replace:
            return evenly(self._coins, population) if p is None else by_weight(self._coins, population, p)
        if p is not None or not shuffle:
            which = "with p=" if p is not None else "with shuffle=False"
            refuse(self._coins, f"{self._title}.choice without replacement {which}", "has a law that is not followed")
        return iter(without_repeats(self._coins, population, _length(size))).__next__

    def permutation(self, x: Any, axis: Any = 0) -> Draw:
        """Return the elements of an array with one axis, or places, in random order."""
        population = of_population(x)
        if population is None:
            refuse(
                self._coins,
                f"{self._title}.permutation of {type(x).__name__}",
                "is routed for numbers and texts in a row",
            )
        count = population if isinstance(population, int) else len(population)
        return iter([at(population, place) for place in order(self._coins, count)]).__next__

    def shuffle(self, x: Any, axis: Any = 0) -> Draw:
        """Put a list, or an array with one axis, in random order."""
        if not hasattr(x, "__setitem__") or getattr(x, "ndim", 1) != 1:
            refuse(self._coins, f"{self._title}.shuffle of {type(x).__name__}", "is routed for lists and for rows")

        def draw() -> None:
            before = list(x)
            for i, place in enumerate(order(self._coins, len(x))):
                x[i] = before[place]

        return draw

    def _geometric_search(self, p: float) -> int:
        u, x, total, product, q = self._coins.random(), 1, p, p, 1.0 - p
        while u > total:
            product *= q
            total += product
            x += 1
        return x

    def _integer(self, name: str, low: Any, high: Any, more: int) -> Draw:
        first, last = (0, low) if high is None else (low, high)
        least, bound = self._whole(name, first), self._whole(name, last) + more
        return Whole(self._coins, least, bound - least)

    def _whole(self, name: str, value: Any) -> int:
        """Return a bound as an int; an array, or a number with a fraction, is refused."""
        if self._plain(name, value) % 1:
            refuse(self._coins, f"{self._title}.{name} with {value!r} for a bound", "is routed for integers")
        return int(value)

    def _plain(self, name: str, value: Any) -> float:
        """Return a parameter as a plain float; an array is refused."""
        number: Any = value
        if not hasattr(number, "__float__") or hasattr(number, "__len__"):
            why = "is routed for parameters that are plain numbers"
            refuse(self._coins, f"{self._title}.{name} with a {type(number).__name__} for a parameter", why)
        return float(number)


def _length(size: Any) -> int:
    """Return the number of draws that a size asks for."""
    return math.prod(size) if isinstance(size, (tuple, list)) else 1 if size is None else int(size)


def _step(x: Any, step: Callable[[float], float]) -> Any:
    """Return step(x) for a step that is monotone by IEEE 754, on an undecided float or a plain one."""
    return LazyFloat(x._node, (*x._maps, step)) if is_lazy(x) else step(x)


def _is_double(dtype: Any) -> bool:
    numpy: Any = sys.modules["numpy"]
    return bool(numpy.dtype(dtype) == numpy.float64)


class GeneratorDraws(_Draws):
    """The methods of a `numpy.random.Generator` that are followed."""

    _title = "numpy.random.Generator"

    def random(self, size: Any = None, dtype: Any = float, out: Any = None) -> Draw:
        """Return u = k / 2^53."""
        if out is not None or not _is_double(dtype):
            refuse(self._coins, "numpy.random.Generator.random of another dtype, or with out=")
        return self._coins.random

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = None, endpoint: bool = False) -> Draw:
        """Return a uniform integer; it costs one draw."""
        return self._integer("integers", low, high, int(bool(endpoint)))

    def standard_exponential(self, size: Any = None, dtype: Any = float, method: str = "zig", out: Any = None) -> Draw:
        """Return -log1p(-u) for method "inv"; the default is a ziggurat."""
        if method != "inv" or out is not None or not _is_double(dtype):
            refuse(self._coins, f"numpy.random.Generator.standard_exponential with method={method!r}")
        return lambda: -log1p(-self._coins.random())

    def geometric(self, p: float, size: Any = None) -> Draw:
        """Return the number of trials to the first success, found by a search for p >= 1/3."""
        p = self._plain("geometric", p)
        if not THIRD <= p <= 1.0:
            refuse(self._coins, f"numpy.random.Generator.geometric with p={p!r}, which is below 1/3,")
        return lambda: self._geometric_search(p)


class StateDraws(_Draws):
    """The methods of a `RandomState`, and of the module `numpy.random`, that are followed."""

    _title = "numpy.random"

    def random_sample(self, size: Any = None) -> Draw:
        """Return u = k / 2^53."""
        return self._coins.random

    random = ranf = sample = random_sample

    def rand(self, *shape: int) -> Draw:
        """Return u = k / 2^53."""
        return self._coins.random

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Draw:
        """Return a uniform integer; it costs one draw."""
        return self._integer("randint", low, high, 0)

    def _exponential(self) -> Any:
        return -log(1.0 - self._coins.random())

    def standard_exponential(self, size: Any = None) -> Draw:
        """Return -log(1 - u)."""
        return self._exponential

    def exponential(self, scale: float = 1.0, size: Any = None) -> Draw:
        """Return scale * -log(1 - u)."""
        scale = self._plain("exponential", scale)
        return lambda: scale * self._exponential()

    def rayleigh(self, scale: float = 1.0, size: Any = None) -> Draw:
        """Return scale * sqrt(-2 log1p(-u))."""
        scale = self._plain("rayleigh", scale)
        return lambda: scale * sqrt(-2.0 * log1p(-self._coins.random()))

    def weibull(self, a: float, size: Any = None) -> Draw:
        """Return (-log(1 - u)) ** (1 / a)."""
        a = self._positive("weibull", a)
        return lambda: pow_(self._exponential(), 1.0 / a)

    def pareto(self, a: float, size: Any = None) -> Draw:
        """Return exp(-log(1 - u) / a) - 1."""
        a = self._positive("pareto", a)
        return lambda: exp(self._exponential() / a) - 1.0

    def power(self, a: float, size: Any = None) -> Draw:
        """Return (1 - exp(log(1 - u))) ** (1 / a)."""
        a = self._positive("power", a)
        return lambda: pow_(1.0 - exp(-self._exponential()), 1.0 / a)

    def _positive(self, name: str, value: Any) -> float:
        number = self._plain(name, value)
        if not 0.0 < number < math.inf:
            why = "is routed for a positive number"
            refuse(self._coins, f"numpy.random.{name} with {number!r} for a parameter", why)
        return number

    def geometric(self, p: float, size: Any = None) -> Draw:
        """Return the number of trials to the first success: by a search for p >= 1/3, else by a logarithm."""
        p = self._plain("geometric", p)
        if not LEAST_P < p <= 1.0:
            refuse(self._coins, f"numpy.random.geometric with p={p!r}", f"is routed for p from {LEAST_P} to 1")
        if p >= THIRD:
            return lambda: self._geometric_search(p)
        return lambda: math.ceil(log1p(-self._coins.random()) / math.log(1.0 - p))
