"""Calls as single questions: the law of what a call returns, read once for each state of its arguments.

A call is summarised where its function has loops and was there before the program ran, where its arguments can be
told whole and are left as they were, and where it returns plain values. Its law is read by its states from arguments
made anew, apart from the run that asks, and every way through it is replayed by the function itself. Where that fails,
the whole program is read again from its beginning, and calls of that function are followed as its other parts are.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.run import Run, Signal
from dpcert.mechanisms.floating.stand_ins import Made, is_stand_in
from dpcert.mechanisms.states.calls.closures import Called, as_bound
from dpcert.mechanisms.states.errors import Changed, NotRead, Unknown
from dpcert.mechanisms.states.flat import Flat, Shapes
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.instances import kept_nothing
from dpcert.mechanisms.states.runtime import NOW, REWRITER
from dpcert.mechanisms.states.tails.counts import Count, Drawn, Geometric
from dpcert.mechanisms.states.tokens import COINS, INNER, INSTANCE, Ref
from dpcert.mechanisms.states.world import Surroundings
from dpcert.reading.tails.far import Series

MOST_STATES = 5_000
MOST_NESTED = 8
ROUND, LEAST = 8, 16
"""The bits of the tail of a call are a multiple of this, and not fewer."""
SPARES = (0, 16, 48)
"""By how many bits the tails of calls from rare states are finer than that of what makes them, as they may be many, and
more where that is not enough; 0 as long as no call has a tail."""
COMMON = 4
"""The same for calls from states that are not rare, as these are few."""
GUARD = 40
"""How many bits finer than its tail the probabilities of a call with a tail are."""
PLAIN = frozenset({int, str, bytes, bool, float, type(None)})
SOURCES = frozenset({"random", "secrets", "numpy"})
"""Modules that draw."""
TAIL = "a call that is read on its own left a tail"

Name = tuple[Any, ...]
"""The key of a call."""
Asked = tuple[Name, int]
"""A call, and the bits of the tail that it may have."""
Records = dict[int, tuple[Record, Record]]
Ended = tuple[Any, Fraction, Any]
"""What a call returned, its probability, and the draws of two paths to it; for a series, of integers that are known."""


class Answer:
    """One value that a call returns, with the draws of two paths to it; and the key of the call, where a replay can be
    answered by it.
    """

    def __init__(self, name: Name | None, value: Any, records: tuple[Record, Record] | None) -> None:
        self.name = name
        self.value = value
        self.records = records

    def __getitem__(self, place: int) -> Record:
        if self.records is None:
            raise Unknown("no draws are known with which a call returns this number")
        return self.records[place]


class Several:
    """A series of integers that a call returns; replays take the draws of those that `records` has."""

    def __init__(self, name: Name, series: Series, records: Records) -> None:
        self.name = name
        self.series = series
        self.records = records

    def ask(self, run: Any) -> Count:
        """Return one of them, undecided."""
        numbers = [Geometric(run, ratio) for ratio in self.series.ratios]
        run.tape.append((0, Drawn(self.answer, numbers)))
        return Count(run, self.series.first, dict.fromkeys(numbers, self.series.step))

    def answer(self, j: int) -> Answer:
        """Return the answer that is the j-th of them."""
        value = self.series.first + self.series.step * j
        return Answer(self.name, value, self.records.get(value))


@dataclass(frozen=True, slots=True)
class Summary:
    """The law of what a call returns: answers with their weights, and whether nothing is missing."""

    mark: tuple[Any, ...]
    answers: tuple[Answer | Several, ...]
    weights: tuple[int, ...]
    total: int
    whole: bool

    def ask(self, run: Run) -> Any:
        """Decide in a run what the call returns; what is missing is the probability of no run."""
        run.ready()
        if not self.whole:
            run.settings.notes[TAIL] = None
            if not self.answers:
                run.give_up(TAIL)
        choice = run.split(self.mark, self.weights, self.total) if len(self.weights) > 1 or not self.whole else 0
        run.numerator *= self.weights[choice]
        run.denominator *= self.total
        answer = self.answers[choice]
        if isinstance(answer, Several):
            return answer.ask(run)
        run.tape.append((0, answer))
        return answer.value


@dataclass
class Calls:
    """The summaries of one reading by what their calls were handed; of codes in `inline` there are none.

    A reading begins without `spare`: rare states are followed as well while there may be finitely many. Where a call
    has a tail all the same, so has the program, and all is read again with some `spare`, no further than need be.
    """

    read: Callable[[Name, int, bool], list[Ended]]
    inline: frozenset[types.CodeType]
    spare: int
    finer: bool = False  # the tail of a call is too great for this `spare`
    known: dict[Asked, Summary | None] = field(default_factory=dict)  # None while it is read
    names: dict[Name, Name] = field(default_factory=dict)  # one object for equal keys of calls
    shapes: Shapes = field(default_factory=dict)
    told_as: dict[tuple[Any, tuple[Any, ...]], Name] = field(default_factory=dict)  # by functions and plain arguments
    notes: dict[str, None] = field(default_factory=dict)  # of the readings of calls
    changing: dict[str, None] = field(default_factory=dict)  # what to do, where calls change what they are handed
    nested: int = 0
    counts: bool = False  # calls are answered by undecided counts, where their laws end in series
    counted: bool = False  # some were
    closures: bool = True  # calls of functions that the program makes are read on their own
    closed: bool = False  # some were
    sums: bool = False  # tails are summed where they can
    asked: dict[types.FunctionType | types.CodeType, None] = field(default_factory=dict)  # which replays can answer
    refused: types.CodeType | None = None  # whose calls have to be followed after all
    around: BaseException | None = field(default_factory=sys.exception)

    def told(self, called: Called, run: Run, world: Surroundings) -> Called | None:
        """Return a call as it may be summarised at this moment, as far as its arguments do not matter, or None.

        Raises: NotRead where something that was there before, which the key of a call has by reference, is changed, as
                for the time of this call.
        """
        code = called[0].__code__
        if code in self.inline or run.busy or sys.exception() is not self.around:
            return None
        if code in REWRITER.originals:
            found = as_bound(*called) if self.closures else None
        else:
            found = called if world.constant(called[0]) else None
        if found is not None:
            world.unchanged()
        return found

    def key_of(self, called: Called, world: Surroundings, coins: Coins, flat: Flat | None) -> Name | None:
        """Return the key of a call; None where it depends on an undecided draw, or a generator keeps some of a draw."""
        function, args, kwds = called
        if flat is not None and not kept_nothing(flat):
            return None
        told = flat.plain(args) if flat is not None and not kwds and world.constant(function) else None
        known = self.told_as.get((function, told)) if told is not None else None
        if known is not None:
            return known
        freezer = Freezer(world, coins, of_call=True)
        freezer.add(called)
        name = None if freezer.nodes else freezer.whole()
        if told is not None and name is not None:
            self.told_as[function, told] = name
        return name

    def summary(self, function: types.FunctionType, asked: Asked, run: Run, world: Surroundings) -> Summary | None:
        """Return the summary of a call, or None where no coins are handed over.

        Raises: Signal, which ends the run, where the program is to be read again.
        """
        found = self.known.get(asked)
        if (
            found is None
            and not any(map(_draws, asked[0]))
            and not (self.counts and _reaches_draws(function, asked[0]))
        ):
            return None
        if found is None:
            if asked not in self.known and self.nested < MOST_NESTED:
                found = self._read(function, *asked, told=_can_be_answered(function, world))
            if found is None:
                self.refused = self.refused or function.__code__
                self.known.pop(asked, None)
                run.ended = Signal("the program is read again")
                raise run.ended
            self.known[asked] = found
            if _can_be_answered(function, world):
                self.asked[REWRITER.originals.get(function.__code__, function)] = None
        self.closed |= function.__code__ in REWRITER.originals
        self.counted |= any(type(answer) is Several for answer in found.answers)
        return found

    def _read(self, function: types.FunctionType, name: Name, bits: int, *, told: bool) -> Summary | None:
        self.known[name, bits] = None
        self.nested += 1
        try:
            with NOW.apart():
                ends = self.read(name, bits, self.counts and told)
        except Changed:
            self.changing[f"let {function.__name__}() change nothing that it holds or is handed"] = None
            return None
        except (NotRead, Unauditable):
            return None
        finally:
            self.nested -= 1
        tail = 1 - sum((mass for _, mass, _ in ends), Fraction(0))
        if tail and self.sums and (INSTANCE in name or INNER in name):
            return None  # followed, what the program made is told flat, and the tail may be summed
        if tail * (1 << bits) > 1 or (tail and not self.spare):
            self.finer = True
            return None
        if tail:
            total = 1 << bits + GUARD
            ends = [end for end in ends if end[1] * total >= 1]
            weights = [end[1].numerator * total // end[1].denominator for end in ends]
        else:
            weights, total = on_one_denominator([mass for _, mass, _ in ends])
        one = self.names.setdefault(name, name) if told else None
        series = [value for value, *_ in ends if type(value) is Series]
        if series and one is None:
            return None
        answers = tuple(
            Several(name, value, records) if type(value) is Series else Answer(one, value, records)
            for value, _, records in ends
        )
        return Summary(("call", name, bits), answers, tuple(weights), total, not tail)


def _can_be_answered(function: types.FunctionType, world: Surroundings) -> bool:
    """Whether replays can answer calls of a function: one that was there before, or that such a one makes."""
    code = REWRITER.originals.get(function.__code__)
    return code is None or (not function.__dict__ and world.makes(code))


def _draws(token: Any) -> bool:
    """Whether what a token tells can draw: the coins, or a generator on them."""
    return token is COINS or (type(token) is Ref and is_stand_in(type(token.value))) or type(token) is Made


def _reaches_draws(function: types.FunctionType, name: Name) -> bool:
    """Whether an instance that a call is handed holds a generator, or a name of its function means one."""
    names = function.__globals__
    held = [names[each] for each in function.__code__.co_names if each in names]
    for token in name:
        if type(token) is Ref and type(token.value).__dictoffset__ and not isinstance(token.value, type):
            held += object.__getattribute__(token.value, "__dict__").values()
    return any(
        is_stand_in(type(each)) or type(each) is Coins or getattr(each, "__name__", "") in SOURCES for each in held
    )


def tail_bits(bits: int, rarity: int, spare: int) -> int:
    """Return the bits of the tail that a call may have, for a state that is `rarity` bits rarer than 1, where that of
    what makes it may have some bits; the greatest tails of the many calls from rare states add up to less.

    Without `spare` it is the same for all calls, as they have none. Whatever the order, a call is read to the same tail
    from the same state.
    """
    least = bits - rarity + min(spare, COMMON + rarity) if spare else bits - 1
    return max(LEAST, -(-least // ROUND) * ROUND)


def plain(value: Any) -> bool:
    """Whether a value is a number, a text, None or a tuple of such; not NaN, which a list knows by which it is."""
    if type(value) is tuple:
        return all(map(plain, value))
    return type(value) in PLAIN and value == value
