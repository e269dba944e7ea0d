"""A call and its states: every way from a state to the next, replayed on plain numbers; calls inside, found once.

A *scope* is a call whose states are told relative to it: the program's own, or that of a function inside of it. From
each state every path is followed up to the next state or the end of the call. Where a function is entered at its first
draw in a state that a call of it by itself also reaches, the law of that call is one decision of the run around it, and
the draws of the way that is chosen are then taken by the very code of the program.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record, call, interior, record_of, settle
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import Entry, Poisoned, Signal, Stale
from dpcert.mechanisms.frames.arrivals import OTHERWISE, Arguments, Arrival, Arrived, Summary, Way
from dpcert.mechanisms.frames.calls import arguments_of, called_at
from dpcert.mechanisms.frames.capture import Stack, enter, place, state
from dpcert.mechanisms.frames.engine import Engine, NotesNeeded
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.library import of_library
from dpcert.mechanisms.frames.probe import Probe, Stopped
from dpcert.mechanisms.frames.run import FIXED, FrameRun
from dpcert.mechanisms.frames.solve import START, Chain
from dpcert.mechanisms.frames.walk import Walk

NO_LIMIT = 1 << 62
SHORT = 40
MAX_ENDS = 4_000
ATOMS = frozenset({int, bool, str, bytes, float, Fraction, type(None)})


class Scope:
    """A call and its states: `root` is called with the arguments that `arguments` makes for a run's coins."""

    def __init__(self, engine: Engine, root: Any, arguments: Callable[[Coins], Any], coins: Coins | None) -> None:
        self.engine = engine
        self.root = root
        self.arguments = arguments
        self.given = coins  # of a call inside: the coins that it was given, whose source is exchanged
        self.coins: Any = coins
        self.arrivals: dict[Hashable, Arrival] = {START: Arrival(START, (), (), None)}
        self.before: Walk | None = None
        self.bits = self.used = 0

    def state(self, stack: Stack, count: int, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> Walk:
        return state(self.engine.home, stack, count, self.root, self.coins, kind, *roots)

    # -- following

    def is_end(self, name: Hashable) -> bool:
        """Whether a name is that of an end of the call."""
        return type(name) is tuple and name[0] == "end"

    def expand(self, name: Hashable, bits: int) -> dict[Hashable, Fraction]:
        """Return where the state of a name leads, each with its probability; every way is replayed on plain numbers.

        Laws of calls on the way may lack 2^-bits.
        """
        source = self.arrivals[name]
        self.bits = min(bits + 8, self.engine.bits)
        at = id(self.root), name
        known = self.engine.ways.get(at)
        if known is not None and known[0] >= self.bits:
            return self._known(source, known[1])
        ways: list[Way] = []
        self.used = NO_LIMIT
        pending: list[tuple[Entry, int]] = [(([], 0, 0), 0)]
        out: dict[Hashable, Fraction] = {}
        memo: dict[Any, Any] = {}
        while pending:
            self.engine.count()
            entry, depth = pending.pop()
            run = FrameRun(self, source, entry)
            run.memo = memo
            arrival = self._execute(run)
            self.engine.sound()
            if self.given is None and self.engine.lost:
                raise NotesNeeded
            if depth <= run.limit:  # a way beyond the limit may end, and not branch again
                pending += run.open
                if run.cut is not None:
                    pending.append((run.cut, run.limit + 1))
            if arrival is None:
                continue
            self._replay(source, run, arrival)
            self._arrive(arrival)
            mass = run.mass()
            out[arrival.name] = out.get(arrival.name, Fraction(0)) + mass
            ways.append(Way(arrival, mass, arrival.plan[len(source.plan) :], arrival.record[len(source.plan) :]))
        if self.given is not None and source.anywhere and all(way.to.anywhere for way in ways):
            self.engine.ways[at] = self.used, ways
        return out

    def _arrive(self, arrival: Arrival) -> None:
        known = self.arrivals.setdefault(arrival.name, arrival)
        self.engine.met = self.engine.met or (known is not arrival and not self.is_end(arrival.name))
        if known is not arrival and known.last is None:
            known.last = arrival.record

    def _known(self, source: Arrival, ways: list[Way]) -> dict[Hashable, Fraction]:
        out: dict[Hashable, Fraction] = {}
        for way in ways:
            plan, record = source.plan + way.plan, source.record + way.record
            self._arrive(replace(way.to, plan=plan, record=record, last=None))
            out[way.to.name] = out.get(way.to.name, Fraction(0)) + way.mass
        return out

    @contextmanager
    def _source(self, source: Any) -> Iterator[Coins]:
        if self.given is None:
            self.coins = Coins(source)
            yield self.coins
            return
        before = self.given._source
        object.__setattr__(self.given, "_source", source)
        try:
            yield self.given
        finally:
            object.__setattr__(self.given, "_source", before)

    def _call(self, coins: Coins) -> tuple[Any, Exception | None]:
        def called(coins: Coins) -> Any:
            args, kwds = self.arguments(coins)
            value = enter(self.root, *args, **kwds)
            return settle(value) if self.given is None else value

        return call(called, coins)

    def _execute(self, run: FrameRun) -> Arrival | None:
        around = self.engine.settings.watch.run if self.given is None else nullcontext
        outcome: Any = None
        error: Exception | None = None
        try:
            with self._source(run) as coins, around(), run.notes():
                outcome, error = self._call(coins)
        except Signal as signal:
            if signal.run is not run and not isinstance(signal, Stale):
                raise
        ended = run.ended
        if isinstance(ended, Poisoned) or self.engine.settings.stale:
            raise Unauditable(str(ended))
        run.finish()
        if run.plan or len(run.path) < len(run.forced):
            raise NotCaptured("run again, it met other decisions")
        if isinstance(ended, Arrived):
            return run.arrival
        if ended is not None:
            return None
        name, walk = self._end(outcome, error)
        plan, record = run.told(walk), record_of(run, interior)
        told = None if walk is not None and walk.undecided else name
        if error is not None and self.given is not None:  # it may carry more than its arguments
            name = (*name, plan)
        plain = error is None and told is not None and type(outcome) in ATOMS
        return Arrival(name, plan, record, told, outcome, error, anywhere=plain)

    def _end(self, outcome: Any, error: Exception | None) -> tuple[tuple[Any, ...], Walk | None]:
        """Return what an end is told by, and the walk over what a call inside returned."""
        if self.given is None:
            return ("end", key(outcome)), None
        walk = self._unchanged()
        if error is not None:
            return ("end", "raised", key(outcome)), walk
        start = len(walk.tokens)
        walk.visit(outcome)
        return ("end", tuple(walk.tokens[start:])), walk

    def _unchanged(self) -> Walk:
        """Return a walk over what the call can reach.

        Raises: NotCaptured where that is not what it was before the call.
        """
        walk = self._reach()
        before = self.before
        assert before is not None
        same = len(walk.objects) == len(before.objects) and all(map(_is, walk.objects, before.objects))
        if not same or walk.tokens != before.tokens:
            raise NotCaptured("a call changes what it was given, or what its names mean")
        return walk

    def _reach(self) -> Walk:
        walk = Walk(self.engine.home, self.coins)
        walk.visit(self.root)
        args, kwds = self.arguments(self.coins)
        walk.visit(tuple(args))
        walk.visit(tuple(kwds.items()))
        return walk

    # -- replaying

    def _replay(self, source: Arrival, run: FrameRun, arrival: Arrival) -> None:
        """Go the way of a run on plain numbers, at ends of its intervals and inside, and by another way to its source.

        Raises: NotCaptured where it leads elsewhere.
        """
        mixed = record_of(run, _somewhere)
        other = record_of(run, max)
        if source.last is not None and source.told is not None:
            other = source.last + other[len(source.plan) :]
        begin = 0 if self.given is None or len(source.plan) <= SHORT else len(source.plan)
        self._replayed(mixed, arrival, begin)
        if other != mixed and (self.given is None or source.last is not None):
            self._replayed(other, arrival, None)

    def _replayed(self, record: Record, arrival: Arrival, begin: int | None) -> None:
        """Replay a record; from the draw `begin` on, hidden randomness is watched for and functions are examined."""
        expects = not self.is_end(arrival.name)
        probe = Probe(self, record, expects)
        outcome: Any = None
        error: Exception | None = None
        try:
            with ExitStack() as stack:
                probe.begin = begin

                def watched() -> None:
                    stack.enter_context(self.engine.settings.watch.first())
                    stack.enter_context(self.engine.examining())

                probe.watched = watched
                coins = stack.enter_context(self._source(probe))
                stack.enter_context(self.engine.settings.watch.replay())
                probe.watch()
                outcome, error = self._call(coins)
        except Unauditable:
            if probe.fault is None:
                raise
        except Stopped as signal:
            if signal.probe is not probe:
                raise
        except Stale:
            raise NotCaptured("the program kept a draw from an earlier run") from None
        self.engine.sound()
        if expects:
            told = probe.told
        elif probe.fault is not None or probe.at < len(record):
            raise NotCaptured(OTHERWISE)
        else:
            told, _ = self._end(outcome, error)
        if told is None or (arrival.told is not None and told != arrival.told):
            raise NotCaptured(probe.refused or OTHERWISE)

    # -- calls inside

    def summary(
        self, run: FrameRun, stack: Stack, count: int, kind: tuple[Any, ...], roots: tuple[Any, ...]
    ) -> int | None:
        """Return the number of the law of the call that made the `count` innermost frames; None where it has none."""
        frame, caller = stack.frames[count - 1], stack.frames[count]
        engine = self.engine
        if of_library(frame.f_globals) or not engine.home.analysis(frame.f_code).loops:
            return None
        try:
            function = called_at(engine.home, caller)
            walk = state(engine.home, stack, count, function, self.coins, kind, *roots)
            if walk.undecided:
                return None
            name = ("state", walk.key())
            known = engine.summaries.get(name)
            if name not in engine.summaries or (known is not None and known.bits < self.bits):
                engine.summaries[name] = None
                decided = len(run.path)
                given = run.given.get(id(frame)) or arguments_of(frame)
                engine.summaries[name] = self._alone(function, given, name, self.bits)
                missed = engine.summaries[name] is None and not engine.noting and sys.getprofile() is None
                engine.lost = engine.lost or (missed and engine.notes(frame))
                if decided != len(run.path) or run.ended is not None:
                    run.poison("a call by itself asks an undecided number of another")
        except NotCaptured as error:
            engine.reasons[f"the call of {place(frame)} is not merged: {error}"] = None
            return None
        except Unauditable:
            return None
        found = engine.summaries[name]
        return found.number if found is not None else None

    def _alone(self, function: types.FunctionType, given: Arguments, first: Hashable, bits: int) -> Summary | None:
        """Return the law of a call with given arguments, if its first draw is in the state `first`.

        That check is what the law rests on, not where the arguments are from.
        """
        args, kwds = given
        scope = Scope(self.engine, function, lambda coins: (args, kwds), self.coins)
        scope.before = scope._reach()
        if not all(type(each) in FIXED or isinstance(each, type) for each in scope.before.objects):
            raise NotCaptured("it is given what it could change")
        if [*scope.expand(START, bits)] != [first]:
            return None
        allowed = Fraction(1, 1 << bits)
        chain = Chain(scope.expand, scope.is_end, allowed)
        found = chain.solve()
        if found.tail > allowed or not 0 < len(found.masses) <= MAX_ENDS:
            return None
        weights, total = on_one_denominator([*found.masses.values()])
        laws = self.engine.laws
        laws.append(Summary(len(laws), bits, [scope.arrivals[name] for name in found.masses], weights, total))
        return laws[-1]


def _somewhere(lo: int, hi: int) -> int:
    """Return one of lo, hi and a value between them that looks arbitrary; which one depends on lo and hi alone."""
    return (lo, hi, interior(lo, hi))[(lo * 7 + hi * 5) % 3]


def _is(a: object, b: object) -> bool:
    return a is b
