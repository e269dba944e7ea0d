"""numpy's generators as functions of fair coins: those of their methods that are inverse transforms of uniform draws.

Each method computes with doubles what numpy's C source computes (`distributions.c`, `legacy-distributions.c`), so
that the same 53 bits give the same number, bit for bit; a test holds them to it. What is no such function, as
numpy's ziggurat of the normal and the exponential distribution, is refused by name.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.floating.functions import FOLLOWED, is_lazy

__all__ = ["RoutedGenerator", "RoutedState", "refuse"]

log, log1p, exp, sqrt, pow_ = (FOLLOWED[name] for name in ("log", "log1p", "exp", "sqrt", "pow"))
THIRD = 0.333333333333333333333333
LEAST_P = 1e-12


def refuse(coins: Coins, name: str, why: str = "is no inverse transform of uniform draws") -> NoReturn:
    """End the run: the randomness `name` cannot be routed to coins."""
    coins._source.poison(f"{name} cannot be routed to coins: it {why}")
    raise Unauditable(f"{name} cannot be routed to coins: it {why}")


class _Routed:
    """What both of numpy's interfaces offer alike; `_title` is how a refusal names the interface."""

    _title = "numpy.random"

    def __init__(self, coins: Coins) -> None:
        self._coins = coins

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def refused(*args: object, **kwds: object) -> NoReturn:
            refuse(self._coins, f"{self._title}.{name}")

        return refused

    def _many(self, size: Any, draw: Callable[[], Any], dtype: Any = None) -> Any:
        """Return one draw, or an array of decided draws."""
        if size is None:
            return draw()
        shape = size if isinstance(size, tuple) else (size,)
        numpy = sys.modules["numpy"]
        drawn = [_decided(draw()) for _ in range(math.prod(operator.index(n) for n in shape))]
        return numpy.array(drawn, dtype=dtype).reshape(shape)

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
        """Return low + (high - low) * u, in doubles."""
        low, high = self._plain("uniform", low), self._plain("uniform", high)
        return self._many(size, lambda: low + (high - low) * self._coins.random())

    def laplace(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
        """Return loc - scale * log(2 - u - u) for u >= 1/2, else loc + scale * log(u + u); u = 0 is drawn again."""
        loc, scale = self._plain("laplace", loc), self._plain("laplace", scale)

        def draw() -> Any:
            while True:
                u = self._coins.random()
                if u >= 0.5:
                    return loc - scale * log(_step(u, lambda v: 2.0 - v - v))
                if u > 0.0:
                    return loc + scale * log(_step(u, lambda v: v + v))

        return self._many(size, draw)

    def logistic(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
        """Return loc + scale * log(u / (1 - u)); u = 0 is drawn again."""
        loc, scale = self._plain("logistic", loc), self._plain("logistic", scale)

        def draw() -> Any:
            while True:
                u = self._coins.random()
                if u > 0.0:
                    return loc + scale * log(_step(u, lambda v: v / (1.0 - v)))

        return self._many(size, draw)

    def gumbel(self, loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
        """Return loc - scale * log(-log(1 - u)); u = 0 is drawn again."""
        loc, scale = self._plain("gumbel", loc), self._plain("gumbel", scale)

        def draw() -> Any:
            while True:
                u = 1.0 - self._coins.random()
                if u < 1.0:
                    return loc - scale * log(-log(u))

        return self._many(size, draw)

    def _geometric_search(self, p: float) -> int:
        u, x, total, product, q = self._coins.random(), 1, p, p, 1.0 - p
        while u > total:
            product *= q
            total += product
            x += 1
        return x

    def _plain(self, name: str, value: Any) -> float:
        """Return a parameter as a plain float; an undecided one is decided, an array refused."""
        number: Any = _decided(value)
        if not hasattr(number, "__float__") or hasattr(number, "__len__"):
            why = "is routed for parameters that are plain numbers"
            refuse(self._coins, f"{self._title}.{name} with a {type(number).__name__} for a parameter", why)
        return float(number)


def _step(x: Any, step: Callable[[float], float]) -> Any:
    """Return step(x) for a step that is monotone by IEEE 754, on an undecided float or a plain one."""
    return LazyFloat(x._node, (*x._maps, step)) if is_lazy(x) else step(x)


def _decided(value: Any) -> Any:
    return value._decide() if is_lazy(value) else value


class RoutedGenerator(_Routed):
    """A `numpy.random.Generator` whose uniform draws are coins."""

    _title = "numpy.random.Generator"

    def random(self, size: Any = None, dtype: Any = float, out: Any = None) -> Any:
        """Return u = k / 2^53."""
        if out is not None or dtype not in (float, "float64", "d"):
            refuse(self._coins, "numpy.random.Generator.random of another dtype, or with out=")
        return self._many(size, self._coins.random)

    def integers(
        self, low: int, high: int | None = None, size: Any = None, dtype: Any = None, endpoint: bool = False
    ) -> Any:
        """Return a uniform integer, an `int` where numpy returns its own; it costs one draw."""
        low, high = (0, low) if high is None else (low, high)
        bound = operator.index(high) + bool(endpoint) - operator.index(low)
        return self._many(size, lambda: operator.index(low) + self._coins.below(bound), dtype)

    def standard_exponential(self, size: Any = None, dtype: Any = float, method: str = "zig", out: Any = None) -> Any:
        """Return -log1p(-u) for method "inv"; the default is a ziggurat."""
        if method != "inv" or out is not None or dtype not in (float, "float64", "d"):
            refuse(self._coins, f"numpy.random.Generator.standard_exponential with method={method!r}")
        return self._many(size, lambda: -log1p(-self._coins.random()))

    def geometric(self, p: float, size: Any = None) -> Any:
        """Return the number of trials to the first success, found by a search for p >= 1/3."""
        p = self._plain("geometric", p)
        if not THIRD <= p <= 1.0:
            refuse(self._coins, f"numpy.random.Generator.geometric with p={p!r}, which is below 1/3,")
        return self._many(size, lambda: self._geometric_search(p))


class RoutedState(_Routed):
    """The global `numpy.random`, or a `RandomState`, whose uniform draws are coins."""

    _title = "numpy.random"

    def random_sample(self, size: Any = None) -> Any:
        """Return u = k / 2^53."""
        return self._many(size, self._coins.random)

    random = ranf = sample = random_sample

    def rand(self, *shape: int) -> Any:
        """Return u = k / 2^53, or an array of such."""
        return self._many(shape or None, self._coins.random)

    def randint(self, low: int, high: int | None = None, size: Any = None, dtype: Any = int) -> Any:
        """Return a uniform integer, an `int`; it costs one draw."""
        low, high = (0, low) if high is None else (low, high)
        bound = operator.index(high) - operator.index(low)
        if bound < 1:
            raise ValueError("low >= high")
        return self._many(size, lambda: operator.index(low) + self._coins.below(bound), dtype)

    def _exponential(self) -> Any:
        return -log(1.0 - self._coins.random())

    def standard_exponential(self, size: Any = None) -> Any:
        """Return -log(1 - u)."""
        return self._many(size, self._exponential)

    def exponential(self, scale: float = 1.0, size: Any = None) -> Any:
        """Return scale * -log(1 - u)."""
        scale = self._plain("exponential", scale)
        return self._many(size, lambda: scale * self._exponential())

    def rayleigh(self, scale: float = 1.0, size: Any = None) -> Any:
        """Return scale * sqrt(-2 log1p(-u))."""
        scale = self._plain("rayleigh", scale)
        return self._many(size, lambda: scale * sqrt(-2.0 * log1p(-self._coins.random())))

    def weibull(self, a: float, size: Any = None) -> Any:
        """Return (-log(1 - u)) ** (1 / a)."""
        a = self._positive("weibull", a)
        return self._many(size, lambda: pow_(self._exponential(), 1.0 / a))

    def pareto(self, a: float, size: Any = None) -> Any:
        """Return exp(-log(1 - u) / a) - 1."""
        a = self._positive("pareto", a)
        return self._many(size, lambda: exp(self._exponential() / a) - 1.0)

    def power(self, a: float, size: Any = None) -> Any:
        """Return (1 - exp(log(1 - u))) ** (1 / a)."""
        a = self._positive("power", a)
        return self._many(size, lambda: pow_(1.0 - exp(-self._exponential()), 1.0 / a))

    def _positive(self, name: str, value: Any) -> float:
        number = self._plain(name, value)
        if not 0.0 < number < math.inf:
            why = "is routed for a positive number"
            refuse(self._coins, f"numpy.random.{name} with {number!r} for a parameter", why)
        return number

    def geometric(self, p: float, size: Any = None) -> Any:
        """Return the number of trials to the first success: by a search for p >= 1/3, else by a logarithm."""
        p = self._plain("geometric", p)
        if not LEAST_P < p <= 1.0:
            refuse(self._coins, f"numpy.random.geometric with p={p!r}", f"is routed for p from {LEAST_P} to 1")
        if p >= THIRD:
            return self._many(size, lambda: self._geometric_search(p))
        return self._many(size, lambda: math.ceil(log1p(-self._coins.random()) / math.log(1.0 - p)))
