"""Calls that are answered while a replay runs: each path of a call is replayed by itself, and by its callers not again.

For as long as a replay runs, functions whose calls were asked as questions have code that looks at what is recorded
next. Where that is the answer to this very call, told by the same key, it is returned. Else the function itself runs.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain
from operator import is_
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.floats import BITS
from dpcert.mechanisms.floating.stand_ins import is_stand_in
from dpcert.mechanisms.held import identity
from dpcert.mechanisms.states.calls.closures import handing_on
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.names import nested
from dpcert.mechanisms.states.runtime import REWRITER
from dpcert.mechanisms.states.summarise import Answer
from dpcert.mechanisms.states.tokens import Ref
from dpcert.mechanisms.states.world import Surroundings

Name = tuple[Any, ...]


class Replayed(Recorded):
    """Recorded numbers and answers; `random()`, which most programs call, takes one step in place of three."""

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.items = record
        self.running = False

    def call(self, begin: Callable[[], None], first: int, end: Callable[[], None], until: int) -> None:
        """As long as it is `running`, call a function when the last of the first items is asked for, at once
        for none, and another when the first of those after `until` items is.
        """
        self.running = True
        items, head = self.items, max(first - 1, 0)
        if not first:
            begin()
        beginning = self._calls(begin) if first else ()
        self.record = chain(items[:head], beginning, items[head:until], self._calls(end), items[until:])

    def _calls(self, function: Callable[[], None]) -> Iterator[tuple[int, int]]:
        if self.running:
            function()
        yield from ()

    def uniform_float(self) -> float:
        bound, value = next(self.record, (0, 0))
        if bound != 1 << BITS:
            self.record = iter(())
            return super().uniform_float()  # condemns the program, as nothing is left
        return value * 2.0**-BITS

    def answer(self) -> Answer | None:
        """Take the answer that is recorded next, or return None."""
        item = next(self.record, None)
        if item is None:
            return None
        answer: Any = item[1]
        if type(answer) is Answer:
            return answer
        self.back(answer, item[0])
        return None

    def back(self, item: Any, bound: int = 0) -> None:
        """Put back what was taken last."""
        self.record = chain(((bound, item),), self.record)


class Answering:
    """What answers calls in the replays of one reading."""

    def __init__(self, world: Surroundings, coins: Coins) -> None:
        self.world = world
        self.coins = coins
        self.source: Any = None
        self.asked: set[types.CodeType] = set()  # of functions that the program makes
        self.made: dict[tuple[types.CodeType, int], types.CodeType] = {}  # by code, and its globals by address
        self.written: list[types.CodeType] = []  # all that stand for others
        self.tells: dict[type, Callable[[Any], Any] | None] = {  # what tells plain values; None for a value itself
            **dict.fromkeys((int, bool, str, type(None))),
            Fraction: Fraction.as_integer_ratio,
            float: float.hex,
        }
        if "numpy" in sys.modules:
            self.tells[sys.modules["numpy"].float64] = float.hex

    def replay(self, record: Record) -> Replayed:
        """Return what the coins draw from in a replay."""
        self.source = source = Replayed(record)
        held = vars(self.coins)
        held.clear()
        held["_source"] = source
        return source

    @contextmanager
    def within(self, asked: Iterable[types.FunctionType | types.CodeType]) -> Iterator[None]:
        """Answer the calls of some functions, and of those with some codes that the program makes, while the body
        runs.
        """
        each_asked = dict.fromkeys(asked)
        self.asked = {each for each in each_asked if type(each) is types.CodeType}
        functions = [each for each in each_asked if type(each) is types.FunctionType]
        makers = [each for each in self.world.functions if each not in each_asked and self._makes(each)]
        before = [(each, each.__code__) for each in (*functions, *makers)]
        try:
            for function, code in before:
                inside = self.exchange(code, function.__globals__)
                if function in each_asked:
                    whole = types.FunctionType(
                        inside, function.__globals__, function.__name__, function.__defaults__, function.__closure__
                    )
                    whole.__kwdefaults__ = function.__kwdefaults__
                    inside = self._ours(code, function.__globals__, self._answers(function, whole))
                function.__code__ = inside
            yield
        finally:
            for function, code in before:
                function.__code__ = code
            for made in self.written:
                REWRITER.originals.pop(made, None)
            self.asked, self.made, self.written = set(), {}, []

    def _makes(self, function: types.FunctionType) -> bool:
        return bool(self.asked) and not self.asked.isdisjoint(nested(function.__code__))

    def exchange(self, code: types.CodeType, space: dict[str, Any]) -> types.CodeType:
        """Return what is executed in place of a code, some of whose functions are answered, or it itself."""
        if self.asked.isdisjoint(nested(code)):
            return code
        found = self.made.get((code, id(space)))
        if found is None:
            parts = [self.exchange(each, space) if type(each) is types.CodeType else each for each in code.co_consts]
            found = code
            if not all(map(is_, parts, code.co_consts)):
                found = self._stands(code.replace(co_consts=(*parts,)), code)
                self.world.written[identity(found)] = found, code
            if code in self.asked:
                found = self._stands(self._ours(code, space, self._answers_inner(code, found)), code)
            self.made[code, id(space)] = found
        return found

    def _stands(self, made: types.CodeType, code: types.CodeType) -> types.CodeType:
        """Note that a code is executed in place of another."""
        REWRITER.originals[made] = code
        self.written.append(made)
        return made

    def _ours(self, code: types.CodeType, space: dict[str, Any], answers: Callable[..., Any]) -> types.CodeType:
        return self.world.ours(handing_on(code, answers, bound=code in self.asked), space)

    def _answers_inner(self, code: types.CodeType, inside: types.CodeType) -> Callable[..., Any]:
        names: dict[Name, Name | None] = {}  # keys of calls that are handed and hold what is plain, by what tells that

        def answers(shown: types.FunctionType, args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
            source = self.source
            answer = source.answer()
            whole = types.FunctionType(inside, shown.__globals__, code.co_name, None, shown.__closure__)
            if answer is None:
                return whole(*args, **kwds)
            plain = None if kwds else self._plainly((*map(_content, shown.__closure__ or ()), *args))
            name = names.get(plain) if plain is not None else None
            if name is None:
                name = self._name(whole, args, kwds)
                if plain is not None:
                    names[plain] = name
            if name == answer.name:
                return answer.value
            source.back(answer)
            return whole(*args, **kwds)

        return answers

    def _answers(self, function: types.FunctionType, whole: types.FunctionType) -> Callable[..., Any]:
        names: dict[Name, Name | None] = {}  # keys of calls that are plain, by what tells them
        last: tuple[Any, ...] = ()  # the arguments of the last call that was plain
        of_last: Name | None = None

        def answers(shown: object, args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
            nonlocal last, of_last
            source = self.source
            answer = source.answer()
            if answer is None:
                return whole(*args, **kwds)
            if (
                answer.name is of_last
                and not kwds
                and len(args) == len(last)
                and all(map(is_, args, last))
                and "gauss_next" not in vars(self.coins)
            ):
                return answer.value
            plain = None if kwds else self._plainly(args)
            name = names.get(plain) if plain is not None else None
            if name is None:
                name = self._name(function, args, kwds)
                if name == answer.name:
                    name = answer.name
                if plain is not None:
                    names[plain] = name
            if name != answer.name:
                source.back(answer)
                return whole(*args, **kwds)
            if plain is not None:
                last, of_last = args, name
            return answer.value

        return answers

    def _name(self, *called: Any) -> Name | None:
        """Return the key of a call; None where it cannot be told."""
        with self.world.unexamined():
            freezer = Freezer(self.world, self.coins, of_call=True)
            try:
                freezer.add(called)
                return freezer.whole()
            except NotRead:
                return None

    def _plainly(self, args: tuple[Any, ...]) -> Name | None:
        """Return what tells arguments that are plain numbers, texts and the coins alone, else None."""
        coins = self.coins
        if "gauss_next" in vars(coins):
            return None
        told: list[Any] = []
        for each in args:
            kind = type(each)
            if each is coins or (is_stand_in(kind) and self.world.holds(each)):
                told.append(Ref(each))
                continue
            if kind not in self.tells:
                return None
            tell = self.tells[kind]
            told += (kind, each if tell is None else tell(each))
        return tuple(told)


def _content(cell: types.CellType) -> Any:
    """Return what a cell holds; if nothing, the cell, which is not plain."""
    try:
        return cell.cell_contents
    except ValueError:
        return cell
