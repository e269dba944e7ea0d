"""Calls that are answered while a replay runs: each path of a call is replayed by itself, and by its callers not again.

For as long as a replay runs, functions whose calls were asked as questions have code that looks at what is recorded
next. Where that is the answer to this very call, told by the same key, it is returned. Else the function itself runs.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from operator import length_hint
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.floats import BITS
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.summarise import Answer
from dpcert.mechanisms.states.world import Surroundings

PLAIN = frozenset({int, bool, str, type(None), Fraction, Coins})
Name = tuple[Any, ...]


class Replayed(Recorded):
    """Recorded numbers and answers; `random()`, which most programs call, takes one step in place of three."""

    def __init__(self, record: Iterable[tuple[int, Any]]) -> None:
        self.items = (*record,)
        super().__init__(self.items)

    def uniform_float(self) -> float:
        bound, value = next(self.record, (0, 0))
        if bound != 1 << BITS:
            self.record = iter(())
            return super().uniform_float()  # condemns the program, as nothing is left
        return value * 2.0**-BITS

    def answer(self) -> Answer | None:
        """Return the answer that is recorded next, or None."""
        left = length_hint(self.record)
        item = self.items[-left][1] if left else None
        return item if type(item) is Answer else None


class Answering:
    """What answers calls in the replays of one reading."""

    def __init__(self, world: Surroundings) -> None:
        self.world = world
        self.coins: Any = None
        self.source: Any = None
        self.names: dict[Name | None, Name | None] = {}  # keys of calls that are plain, by what tells them

    def replay(self, record: Iterable[tuple[int, Any]]) -> tuple[Replayed, Coins]:
        """Return what a replay draws from."""
        self.source = Replayed(record)
        self.coins = Coins(self.source)
        return self.source, self.coins

    @contextmanager
    def within(self, functions: Iterable[types.FunctionType]) -> Iterator[None]:
        """Answer the calls of some functions while the body runs."""
        before = [(each, each.__code__) for each in functions]
        try:
            for function, code in before:
                whole = types.FunctionType(
                    code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
                )
                whole.__kwdefaults__ = function.__kwdefaults__
                function.__code__ = self.world.ours(_code(self._answers(function, whole)), function.__globals__)
            yield
        finally:
            for function, code in before:
                function.__code__ = code

    def _answers(self, function: types.FunctionType, whole: types.FunctionType) -> Callable[..., Any]:
        def answers(args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
            answer = self.source.answer()
            if answer is None or self._name(function, args, kwds) != answer.name:
                return whole(*args, **kwds)
            next(self.source.record)
            return answer.value

        return answers

    def _name(self, *called: Any) -> Name | None:
        """Return the key of a call; None where it cannot be told."""
        plain = self._plainly(*called)
        if plain not in self.names:
            with self.world.unexamined():
                freezer = Freezer(self.world, self.coins)
                try:
                    freezer.add(called)
                    name = freezer.whole()
                except NotRead:
                    name = None
            if plain is None:
                return name
            self.names[plain] = name
        return self.names[plain]

    def _plainly(self, function: Any, args: tuple[Any, ...], kwds: dict[str, Any]) -> Name | None:
        """Return what tells a call by position with plain numbers and the coins alone, else None."""
        kinds = (*map(type, args),)
        if kwds or not PLAIN.issuperset(kinds) or "gauss_next" in vars(self.coins):
            return None
        told: list[Any] = [function, kinds]
        for kind, each in zip(kinds, args, strict=True):
            if kind is Coins and each is not self.coins:
                return None
            told.append(None if kind is Coins else each.as_integer_ratio() if kind is Fraction else each)
        return tuple(told)


def _code(answers: Callable[..., Any]) -> types.CodeType:
    """Return the code of a function of any arguments that hands them on."""
    code = _template.__code__
    return code.replace(co_consts=tuple(answers if each == "answers" else each for each in code.co_consts))


def _template(*args: Any, **kwds: Any) -> Any:
    answers: Any = "answers"
    return answers(args, kwds)
