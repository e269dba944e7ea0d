"""Coins: the only randomness a program may use, with the interface of `random.SystemRandom`.

One class for all purposes, so that a program cannot tell an audit from production by the type of its coins; a source
behind it answers the draws. On recorded coins a program repeats a run; on undecided coins (`enumerator.py`) it yields
its exact law. System coins, on which it samples, are in `mechanisms/coins.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.floats import plain_random
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.exact.outcome import fresh

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """A step of `coins.loop` returns this to end the loop with a value."""

    value: T


class Coins(random.SystemRandom):
    """Fair coins, as `random.SystemRandom` offers them, and `below`, `bernoulli`, `fold` and `loop`.

    `randrange`, `choice`, `sample`, `shuffle` and the rest of the standard library's methods are inherited and
    draw through `below`, with no rejection tail; `random()` is the float k / 2^53 with k uniform.
    """

    def __new__(cls, source: Any) -> Coins:
        """Return coins answered by `source`; the inherited generator is never used."""
        return super().__new__(cls)

    def __init__(self, source: Any) -> None:
        object.__setattr__(self, "_source", source)

    _source: Plain

    def __setattr__(self, name: str, value: object) -> None:
        if name != "gauss_next":  # the standard library's gauss() keeps its second value there
            self._source.poison(f"storing {name!r} on the coins is hidden state")
        object.__setattr__(self, name, value)

    gauss_next: float | None = None

    def below(self, bound: int) -> int:
        """Return a uniform integer in [0, bound); it costs a number of bits that depends on `bound` alone.

        Raises: InputError unless bound is an int >= 1.
        """
        if type(bound) is not int:
            if not isinstance(bound, int):
                raise InputError(given=f"below({bound!r})", needed="an integer bound", remedy="pass an int >= 1")
            bound = bound.__index__()
        if bound < 1:
            raise InputError(given=f"below({bound})", needed="a bound >= 1", remedy="check the range drawn from")
        return self._source.below(bound)

    def bernoulli(self, p: object) -> bool:
        """Return True with probability exactly p, for p in [0, 1] as `exact` takes it.

        Raises: InputError for a float or a p outside [0, 1].
        """
        q = exact(p, "probability")
        need(0 <= q.numerator <= q.denominator, q, "a probability in [0, 1]", "check its computation")
        return self.below(q.denominator) < q.numerator

    def fold(self, items: Iterable[Any], state: S, step: Callable[[S, Any, Coins], S]) -> S:
        """Return the state after `state = step(state, item, coins)` for each item, in order.

        Same result as the plain loop over list(items), each step on a copy of its state. In an audit equal states
        are merged after every item, so that the cost grows with the number of distinct states and not with the
        number of paths. `step` must depend on its arguments alone, and states must be outcomes (see `outcome.py`).
        """
        return self._source.fold(self, items, state, step)

    def loop(self, state: S, step: Callable[[S, Coins], S | Done[T]]) -> T:
        """Repeat `state = step(state, coins)` until the step returns `Done(value)`, and return that value.

        Same result as the plain loop, each step on a copy of its state. In an audit the finite chain of states is
        solved exactly, with tail 0.
        """
        return self._source.loop(self, state, step)

    def random(self) -> float:
        """Return the float k / 2^53 with k uniform in [0, 2^53), as CPython does."""
        return self._source.uniform_float()

    def getrandbits(self, k: int) -> int:
        """Return a uniform integer of k bits.

        Raises: ValueError for k < 0.
        """
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return self.below(1 << k)

    def randbytes(self, n: int) -> bytes:
        """Return n uniform bytes."""
        return int(self.getrandbits(n * 8)).to_bytes(n, "little")

    def seed(self, *args: object, **kwds: object) -> None:
        """Do nothing, as `random.SystemRandom.seed` does."""

    def _randbelow(self, n: int) -> int:
        return self.below(n)

    def __reduce__(self, memo: object = None) -> Any:
        return self._source.poison("coins cannot be copied or pickled; pass them on as they are")

    __copy__ = __deepcopy__ = __reduce__


class Plain:
    """A source of concrete numbers: `draw(d)` answers below(d), and loops run as written, each step on a copy."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        self.below = draw

    def uniform_float(self) -> float:
        return plain_random(self.below(1 << 53))

    def fold(self, coins: Coins, items: Iterable[Any], state: S, step: Callable[[S, Any, Coins], S]) -> S:
        state = fresh(state)
        for item in list(items):
            state = fresh(step(state, item, coins))
        return state

    def loop(self, coins: Coins, state: S, step: Callable[[S, Coins], S | Done[T]]) -> T:
        after: Any = fresh(state)
        while type(after := step(after, coins)) is not Done:
            after = fresh(after)
        value: T = fresh(after.value)
        return value

    def poison(self, message: str) -> Any:
        raise Unauditable(message)


class Recorded(Plain):
    """The numbers of a recorded run; a draw with another bound, or one too many, condemns the program."""

    def __init__(self, record: Iterable[tuple[int, int]]) -> None:
        self.record: Iterator[tuple[int, int]] = iter(record)
        self.fault: str | None = None

    def below(self, bound: int) -> int:
        for recorded, value in self.record:  # `next` would be another call, which a profiler sees
            if recorded == bound:
                return value
            break
        return int(self.poison("the program is no function of its input and coins: run again, it drew other coins"))

    def poison(self, message: str) -> Any:
        self.fault = self.fault or message
        raise Unauditable(message)

    def exhausted(self) -> bool:
        """Whether every recorded number was drawn."""
        return next(self.record, None) is None
