"""A replay of a way on plain numbers, which must come to a state, or to an end."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.floats import plain_random
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.frames.arrivals import OTHERWISE
from dpcert.mechanisms.frames.capture import Stack
from dpcert.mechanisms.frames.engine import Around
from dpcert.mechanisms.frames.errors import NotCaptured


class Stopped(Signal):
    """Ends a replay."""

    def __init__(self, probe: Probe, message: str) -> None:
        BaseException.__init__(self, message)
        self.probe = probe


class Probe(Recorded):
    """Recorded numbers; the draw after the last one is where a state is expected."""

    def __init__(self, scope: Around, record: Record, expects: bool) -> None:
        super().__init__(())
        self.scope, self.numbers, self.at, self.expects = scope, record, 0, expects
        self.told: Hashable | None = None
        self.refused: str | None = None  # why the state could not be told
        self.begin: int | None = None
        self.watched: Callable[[], None] = lambda: None
        self.below = self._below

    def watch(self) -> None:
        """Enter the watch on the rest of the run, if it begins at this draw."""
        if self.begin == self.at:
            self.begin = None
            with self.scope.engine.own():
                self.watched()

    def _next(self, bound: int) -> int:
        self.watch()
        if self.at >= len(self.numbers) or self.numbers[self.at][0] != bound or self.told is not None:
            self.poison(OTHERWISE)
        self.at += 1
        return self.numbers[self.at - 1][1]

    def poison(self, message: str) -> Any:
        """End the replay, and let no handler of exceptions in the program go on with it."""
        self.fault = self.fault or message
        raise Stopped(self, message)

    def arrive(self, kind: tuple[Any, ...], *roots: Any) -> None:
        """Tell the state, and stop, where one is expected."""
        if self.expects and self.at == len(self.numbers) and self.told is None:
            with self.scope.engine.own():
                stack = Stack.here()
                self.scope.engine.look()
                try:
                    self.told = ("state", self.scope.state(stack, len(stack.frames), kind, roots).key())
                except NotCaptured as error:
                    self.refused = str(error)
            self.poison("stopped")

    def _below(self, bound: int) -> int:
        self.arrive(("below", bound))
        return self._next(bound)

    def uniform_float(self) -> float:
        self.arrive(("random",))
        return plain_random(self._next(1 << 53))

    def fold(self, coins: Coins, items: Any, state: Any, step: Any) -> Any:
        items = list(items)
        self.arrive(("fold",), items, state, step)
        return super().fold(coins, items, state, step)

    def loop(self, coins: Coins, state: Any, step: Any) -> Any:
        self.arrive(("loop",), state, step)
        return super().loop(coins, state, step)
