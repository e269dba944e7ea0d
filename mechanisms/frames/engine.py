"""Runs between captured states, replayed on plain numbers, and calls whose law is found once for many places.

A *scope* is a call whose states are told relative to it: the program's own, or that of a function inside of it. From
each state every path is followed up to the next state or the end of the call. Where a function is entered at its first
draw in a state that a call of it by itself also reaches, the law of that call is one decision of the run around it, and
the draws of the way that is chosen are then taken by the very code of the program.
"""

from __future__ import annotations

import gc
import inspect
import sys
import types
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain, Recorded
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record, Settings, _interior, _record, call, settle
from dpcert.mechanisms.exact.floats import plain_random, unit
from dpcert.mechanisms.exact.lazy import LazyInt, Node
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import ONE_BIT, Entry, Mark, Poisoned, Signal, Stale
from dpcert.mechanisms.frames.capture import Stack, enter, function_called, place, resolve, state
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.refused import examine
from dpcert.mechanisms.frames.solve import START, Chain
from dpcert.mechanisms.frames.walk import Home, Walk, is_library

__all__ = ["Engine", "Lost", "Scope"]

NO_LIMIT = 1 << 62
FRUITLESS = 500
SHORT = 40
MAX_ENDS = 4_000
FIXED = frozenset({types.FunctionType, types.CellType})
ATOMS = frozenset({int, bool, str, bytes, float, Fraction, type(None)})
OTHERWISE = "run again on plain numbers it goes elsewhere, so it keeps state that was not captured"


class Lost(Exception):
    """What a call was given is to be noted: all is to begin again with an engine that does so."""


class Arrived(Signal):
    """Ends a run at the state that it has reached."""


# Of each draw: its bound, and its number or the interval in which it is undecided.
Plan = tuple[tuple[int, int | tuple[int, int]], ...]
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(slots=True)
class Arrival:
    """A state or an end that a run came to: its name, and the draws that lead there.

    `told` is what a replay must find there, None where undecided numbers are left. `last` leads to it another way.
    `anywhere` holds where nothing is reachable that could be changed in place, so that any call of the same function
    that comes to this state goes on alike.
    """

    name: Hashable
    plan: Plan
    record: Record
    told: Hashable | None
    outcome: Any = None
    error: Exception | None = None
    last: Record | None = None
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A way from one state to the next, or to an end, in any call of one function that comes to the state."""

    to: Arrival
    mass: Fraction
    plan: Plan
    record: Record


@dataclass(slots=True)
class Summary:
    """The law of a call by itself but for 2^-bits: its ends, their integer weights, and the denominator of these."""

    number: int
    bits: int

    ends: list[Arrival]
    weights: list[int]
    total: int


@dataclass(slots=True)
class Engine:
    """What one enumeration shares: settings, captures, the laws of calls by the state of their first draw."""

    settings: Settings
    most: int  # runs
    home: Home = field(default_factory=Home)
    bits: int = 0  # no law of a call is asked for to more than 2^-bits
    summaries: dict[Hashable, Summary | None] = field(default_factory=dict)
    laws: list[Summary] = field(default_factory=list)  # all that were found; none is ever replaced
    ways: dict[Hashable, tuple[int, list[Way]]] = field(default_factory=dict)  # by the function called, and the state
    examined: set[types.CodeType] = field(default_factory=set)
    followed: dict[int, bool] = field(default_factory=dict)  # whether what a call was given is noted, by its code
    reasons: dict[str, None] = field(default_factory=dict)
    runs: int = 0
    met: bool = False  # a state was met twice
    noting: bool = False  # what calls are given is noted, for those that assign to it
    lost: bool = False  # what a call was given would have been needed

    def count(self) -> None:
        """Count a run.

        Raises: NotCaptured where there are too many.
        """
        self.runs += 1
        fruitless = not self.met and not any(self.summaries.values())
        if fruitless and self.runs > min(self.most, FRUITLESS):
            raise NotCaptured(next(iter(self.reasons), f"no state was met twice in {self.runs - 1} runs"))
        if self.runs > self.most:
            raise NotCaptured(f"more than {self.most} runs are needed")

    def notes(self, frame: types.FrameType) -> bool:
        """Whether what a call is given is noted: where it loops, and may assign to its arguments."""
        found = self.followed.get(id(frame.f_code))
        if found is None:
            address = self.home.address(frame.f_code)
            found = not is_library(frame.f_globals.get("__name__"))
            if found:
                analysis = self.home.analysis(frame.f_code)
                found = analysis.loops and analysis.assigns
            self.followed[address] = found
        return found

    @contextmanager
    def examining(self) -> Iterator[None]:
        """Look at every function that the body executes.

        Raises: NotCaptured for one that asks what a captured state cannot tell.
        """
        met: dict[types.CodeType, dict[str, Any]] = {}

        def tracer(frame: types.FrameType, event: str, argument: Any) -> None:
            if frame.f_code not in self.examined:
                met[frame.f_code] = frame.f_globals

        before, collecting = sys.gettrace(), gc.isenabled()
        gc.disable()  # its callbacks are not the program's
        sys.settrace(tracer)
        try:
            yield
        finally:
            sys.settrace(before)
            if collecting:
                gc.enable()
        for code, space in met.items():
            examine(self.home, code, space)
            self.examined.add(code)


class FrameRun(LazyRun):
    """A run that goes as planned to a state, and from there as any run does, up to the next state."""

    def __init__(self, scope: Scope, source: Arrival, entry: Entry) -> None:
        super().__init__(entry, (scope.engine.bits + 8) * ONE_BIT, scope.engine.settings, None)
        self.scope = scope
        self.plan = list(reversed(source.plan))
        self.at_source = source.name != START
        self.factors: list[tuple[int, int]] = []
        self.widths: dict[int, int] = {}  # of what is left undecided of planned draws, by node
        self.arrival: Arrival | None = None
        self.noting = False
        self.given: dict[int, Arguments] = {}  # what calls in progress were given, by their frames

    def note(self, frame: types.FrameType, event: str, argument: Any) -> None:
        """Note what a call is given, until it returns: a profiler of the program."""
        if event == "call":
            if self.scope.engine.notes(frame):
                with suppress(NotCaptured):
                    self.given[id(frame)] = arguments_of(frame)
        elif event == "return" and self.given:
            self.given.pop(id(frame), None)

    @contextmanager
    def notes(self) -> Iterator[None]:
        """Note what calls are given while the program runs, if asked for, and unless a profiler is at work."""
        self.noting = self.scope.engine.noting and sys.getprofile() is None
        if not self.noting:
            yield
            return
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def split(self, mark: Mark, sizes: Any, total: int) -> int:
        choice = super().split(mark, sizes, total)
        self.factors.append((sizes[choice], total))
        return choice

    # -- draws

    def planned(self, bound: int, lazy: Callable[[Node], Any], plain: Callable[[int], Any]) -> Any:
        """Return the next number of the plan, or what is left undecided of it."""
        self.ready()
        known, number = self.plan.pop()
        if known != bound:
            self.poison(OTHERWISE)
        if isinstance(number, int):
            self.drawn(bound, number)
            return plain(number)
        node = Node(self, *number)
        self.widths[node.id] = node.count()
        self.drawn(bound, node)
        return lazy(node)

    def below(self, bound: int) -> Any:
        if self.plan or self.arrive(("below", bound)):
            return self.planned(bound, LazyInt, int)
        return super().below(bound)

    def uniform_float(self) -> Any:
        if self.plan or self.arrive(("random",)):
            return self.planned(1 << 53, unit, plain_random)
        return super().uniform_float()

    def fold(self, coins: Coins, items: Any, state: Any, step: Any) -> Any:
        items = list(items)
        if self.plan or self.arrive(("fold",), items, state, step):
            return Plain(self.below).fold(coins, items, state, step)
        return super().fold(coins, items, state, step)

    def loop(self, coins: Coins, state: Any, step: Any) -> Any:
        if self.plan or self.arrive(("loop",), state, step):
            return Plain(self.below).loop(coins, state, step)
        return super().loop(coins, state, step)

    def summarize(self, coins: Coins, function: Any) -> Any:
        if self.plan or self.arrive(("summarize",), function):
            return Plain(self.below).summarize(coins, function)
        return super().summarize(coins, function)

    def arrive(self, kind: tuple[Any, ...], *roots: Any) -> bool:
        """Stop at a state that is not the source; else return whether a call begins here whose end is chosen."""
        if not self.noting:
            return self._arrive(kind, roots)
        sys.setprofile(None)
        try:
            return self._arrive(kind, roots)
        finally:
            sys.setprofile(self.note)

    def _arrive(self, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> bool:
        self.ready()
        here = ("call", len(self.tape))
        if len(self.path) < len(self.forced):
            self.at_source = False
            mark = self.forced[len(self.path)][0]
            return mark[:2] == here and self.enter_call(here, mark[2])
        stack = Stack.here()
        if not self.at_source:
            self.stop(stack, kind, roots)
        self.at_source = False
        for count in range(len(stack.frames) - 1, 0, -1):
            name = self.scope.summary(self, stack, count, kind, roots)
            if name is not None:
                return self.enter_call(here, name)
        return False

    def enter_call(self, here: Mark, name: int) -> bool:
        """Choose the end of a call whose law is known, and plan the draws that lead there; whether there are any."""
        summary = self.scope.engine.laws[name]
        self.scope.used = min(self.scope.used, summary.bits)
        end = summary.ends[self.split((*here, name), summary.weights, summary.total)]
        self.plan = list(reversed(end.plan))
        return bool(self.plan)

    def stop(self, stack: Stack, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> None:
        """End the run here if the state can be captured; remember why where it cannot."""
        scope = self.scope
        try:
            walk = scope.state(stack, len(stack.frames), kind, roots)
            plan = self.told(walk)
        except NotCaptured as error:
            scope.engine.reasons[str(error)] = None
            return
        name = ("state", walk.key())
        told = None if walk.undecided else name
        fixed = told is not None and all(type(each) in FIXED or isinstance(each, type) for each in walk.objects)
        self.arrival = Arrival(name, plan, _record(self, _interior), told, anywhere=fixed)
        self.ended = Arrived(self, "a state")
        raise self.ended

    def told(self, walk: Walk | None) -> Plan:
        """Return the draws of this run, plain where nothing that is left depends on them.

        Raises: NotCaptured for digits of a draw that are kept undecided.
        """
        kept = {id(node) for node in walk.objects if type(node) is Node} if walk is not None and walk.undecided else ()
        if any(node.radix for node in walk.objects if type(node) is Node) if walk is not None and kept else False:
            raise NotCaptured("digits of a draw are kept undecided")
        plan: list[Any] = []
        for bound, item in self.tape:
            if type(item) is not Node:
                plan += [(bound, item)] if bound else item[0]
            elif id(item) in kept:
                plan.append((bound, (item.lo, item.hi)))
            else:
                plan.append((bound, item.pick(_interior)))
        return tuple(plan)

    def mass(self) -> Fraction:
        """Return the probability of the decisions after the source, which is also what they left of each draw.

        Raises: NotCaptured where the two differ: the program changed a draw.
        """
        top = bottom = 1
        for size, total in self.factors:
            top *= size
            bottom *= total
        left, whole = self.numerator, self.denominator
        for mark, choice in self.path:
            if mark[0] == "call":
                summary = self.scope.engine.laws[mark[2]]
                left, whole = left * summary.weights[choice], whole * summary.total
        for bound, item in self.tape:
            if type(item) is Node:
                left, whole = left * item.count(), whole * self.widths.get(item.id, bound)
        if left * bottom != whole * top:
            raise NotCaptured("a draw was changed, and not by asking")
        return Fraction(top, bottom)


class Probe(Recorded):
    """Recorded numbers; the draw after the last one is where a state is expected."""

    def __init__(self, scope: Scope, record: Record, expects: bool) -> None:
        super().__init__(())
        self.scope, self.numbers, self.at, self.expects = scope, record, 0, expects
        self.told: Hashable | None = None
        self.begin: int | None = None
        self.watched: Callable[[], None] = lambda: None
        self.below = self._below

    def watch(self) -> None:
        """Enter what watches the rest of the run, if it is to begin at this draw."""
        if self.begin == self.at:
            self.begin = None
            self.watched()

    def _next(self, bound: int) -> int:
        self.watch()
        if self.at >= len(self.numbers) or self.numbers[self.at][0] != bound or self.told is not None:
            self.poison(OTHERWISE)
        self.at += 1
        return self.numbers[self.at - 1][1]

    def arrive(self, kind: tuple[Any, ...], *roots: Any) -> None:
        if self.expects and self.at == len(self.numbers) and self.told is None:
            stack = Stack.here()
            try:
                self.told = ("state", self.scope.state(stack, len(stack.frames), kind, roots).key())
            except NotCaptured as error:
                self.poison(str(error))
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

    def summarize(self, coins: Coins, function: Any) -> Any:
        self.arrive(("summarize",), function)
        return super().summarize(coins, function)


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
        pending: list[Entry] = [([], 0, 0)]
        out: dict[Hashable, Fraction] = {}
        memo: dict[Any, Any] = {}
        while pending:
            self.engine.count()
            run = FrameRun(self, source, pending.pop())
            run.memo = memo
            arrival = self._execute(run)
            if self.given is None and self.engine.lost:
                raise Lost
            pending += [entry for entry, _ in run.open]
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

        outcome, error = call(called, coins)
        return (outcome, None) if error is None else (call(settle, outcome)[0], error)

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
        plan, record = run.told(walk), _record(run, _interior)
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
        mixed = _record(run, _somewhere)
        other = _record(run, max)
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
                    stack.enter_context(self.engine.examining())
                    stack.enter_context(self.engine.settings.watch.first())

                probe.watched = watched
                coins = stack.enter_context(self._source(probe))
                stack.enter_context(self.engine.settings.watch.replay())
                probe.watch()
                outcome, error = self._call(coins)
        except Unauditable:
            if probe.fault is None:
                raise
        if expects:
            told = probe.told
        elif probe.fault is not None or probe.at < len(record):
            raise NotCaptured(OTHERWISE)
        else:
            told, _ = self._end(outcome, error)
        if told is None or (arrival.told is not None and told != arrival.told):
            raise NotCaptured(OTHERWISE)

    # -- calls inside

    def summary(
        self, run: FrameRun, stack: Stack, count: int, kind: tuple[Any, ...], roots: tuple[Any, ...]
    ) -> int | None:
        """Return the number of the law of the call that made the `count` innermost frames; None where it has none."""
        frame, caller = stack.frames[count - 1], stack.frames[count]
        engine = self.engine
        if is_library(frame.f_globals.get("__name__")) or not engine.home.analysis(frame.f_code).loops:
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
    return (lo, hi, _interior(lo, hi))[(lo * 7 + hi * 5) % 3]


def _is(a: object, b: object) -> bool:
    return a is b


def called_at(home: Home, frame: types.FrameType) -> types.FunctionType:
    """Return the function that a frame is calling.

    Raises: NotCaptured where it is not known.
    """
    site = home.analysis(frame.f_code).site(frame.f_lasti)
    function = function_called(resolve(site.callee, frame, frame.f_locals))
    if function is None:
        raise NotCaptured("what it calls is not known")
    return function


def arguments_of(frame: types.FrameType) -> Arguments:
    """Return arguments with which a call has the variables that a frame has now, as far as they are arguments.

    Raises: NotCaptured where one is gone.
    """
    code, variables = frame.f_code, frame.f_locals
    names = code.co_varnames
    plain, keyword = code.co_argcount, code.co_kwonlyargcount
    try:
        args = [variables[name] for name in names[:plain]]
        kwds = {name: variables[name] for name in names[plain : plain + keyword]}
        if code.co_flags & inspect.CO_VARARGS:
            args += variables[names[plain + keyword]]
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwds |= variables[names[plain + keyword + bool(code.co_flags & inspect.CO_VARARGS)]]
    except KeyError:
        raise NotCaptured("an argument is gone") from None
    return tuple(args), kwds
