"""The states of a program, found one after the other: from each, a segment of the program is run once for each way."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Any, NoReturn

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import KEPT, Settings, call
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import Poisoned, Signal, Stale
from dpcert.mechanisms.slow import SLOW
from dpcert.mechanisms.states.calls.closures import Called, Exchange
from dpcert.mechanisms.states.calls.handed import Handed
from dpcert.mechanisms.states.errors import Changed, NotRead, TooMany, internal
from dpcert.mechanisms.states.flat import Flat, Shape, Stack, is_flat
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.runtime import INFOS, NOW, REWRITER, root
from dpcert.mechanisms.states.segment import (
    OTHERWISE,
    Answers,
    Arrived,
    Kind,
    Segment,
    Task,
    differing,
    frames_of,
    place_of,
    spec_of,
)
from dpcert.mechanisms.states.solve import Ways
from dpcert.mechanisms.states.summarise import Calls, plain, tail_bits
from dpcert.mechanisms.states.syntax import PENDING
from dpcert.mechanisms.states.thaw import Thaw
from dpcert.mechanisms.states.turns import Every, Found, Lines, Released, noting, settled
from dpcert.mechanisms.states.world import Surroundings
from dpcert.reading.tails.far import Series

RUNS = 20
"""Runs from one state to the next, for each run of the whole program that the limits allow."""
MANY = 4_000
"""States that are told to be many, while others are looked for."""
SAMPLE = 100
"""States that are looked at to say in what states differ."""
MOST_REFUSED = 100
NONE: dict[int, int] = {}
MOST_WORK, LITTLE_WORK = 60_000, 6_000
"""Decisions on all paths from one state to the next ones, and where some state on the way cannot be told, or calls of
inner functions, which could be followed, stand for loops with states."""
CHANGES = "a call that is read on its own changes its arguments, or returns what is no plain value"
APART = "states do not go on alike"


Begin = Callable[[Exchange | None], Called]
"""Gives the call that is read; in a replay, with what is executed in place of each code."""


@dataclass
class Reader:
    """The reading of one call, which `name` tells whole if a program makes it: its states by key, ends and ways."""

    begin: Begin
    settings: Settings
    around: Surroundings  # what was there before the program
    tail_bits: int  # the tail that is allowed is 2^-tail_bits
    calls: Calls
    coins: Coins
    name: tuple[Any, ...] | None = None
    states: dict[tuple[Any, ...], int] = field(default_factory=dict)
    keys: list[tuple[Any, ...] | None] = field(default_factory=list)
    ends: dict[Any, int] = field(default_factory=dict)  # by outcome
    outcomes: dict[int, Any] = field(default_factory=dict)  # by number of an end
    kinds: dict[Any, int] = field(default_factory=dict)
    kind_of: list[Kind] = field(default_factory=list)
    weights: list[tuple[int, int]] = field(default_factory=list)  # by kind
    reasons: dict[str, None] = field(default_factory=dict)
    runs: int = 0
    refused: dict[Any, int] = field(default_factory=dict)  # how often a place was, since it was told last
    fault: NotRead | None = None  # a refusal, or an error of this layer's own, while the program ran
    jobs: list[tuple[Task, Answers]] = field(default_factory=list)  # runs that are to be made; the last one is next
    task: Any = None
    stack: Stack | None = None  # the frames of the last state that was told, while they go on
    run: Any = None
    called: Any = None  # the call that the run is of
    world: Any = None  # what was there before the call that is read
    flat: Flat | None = None  # tells flat states, once the program began
    leaks: bool = False  # a call that is summarised has a tail
    most: int = 0  # runs
    lines: Any = None  # states that were followed as one
    many: int = 0  # states that are told to be many
    over: Any = None  # what asking a draw of a run that is over raises

    def __post_init__(self) -> None:
        self.world = self.around
        self.keys.append(None)  # state 0, before the program begins
        self.many = MANY
        self.most = RUNS * self.settings.limits.max_runs
        self.lines = Lines(self._as_one)
        self.over = Stale(KEPT)

    def _number(self, name: Any, outcome: Any) -> int:
        """Return the number of a state (whose outcome is this reader), or of an end."""
        names = self.states if outcome is self else self.ends
        found = names.setdefault(name, len(self.keys))
        if found == len(self.keys):
            self.keys.append(name if outcome is self else None)
            if outcome is not self:
                self.outcomes[found] = outcome
        return found

    def state(self, name: tuple[Any, ...]) -> int:
        """Return the number of a state by its key."""
        return self._number(name, self)

    # -- running

    def expand(self, states: list[tuple[int, int]]) -> list[Ways]:
        """Return the ways from states, each given with the bits by which its mass is less than 1.

        A way is the number of a state or an end, and that of the way's kind.

        Raises: NotRead where a state cannot be told, and nothing but paths is left.
        """
        names = [self.keys[state] for state, _ in states]
        known = [self.lines.found(name) if name else None for name in names]
        tasks = {
            at: Task(name, rarity, rarity)
            for at, (name, (_, rarity), found) in enumerate(zip(names, states, known, strict=True))
            if found is None
        }
        self.lines.together([task for task in tasks.values() if task.name and type(task.name[0]) is Shape])
        self._follow([task for task in tasks.values() if not task.found])
        if len(self.states) > self.many:
            self.many = 2 * len(self.states)
            words, remedy = self.differing()
            SLOW.tell(f"its states are many: {words}", remedy)
        ways: list[Ways] = []
        for at, found in enumerate(known):
            each = tasks[at].found if found is None else found
            in_order = each[::-1] if self.settings.reverse else each  # the same order for both
            ways.append(tuple([(self._number(name, outcome), kind) for name, outcome, kind in in_order]))
        return ways

    def _follow(self, tasks: list[Task]) -> None:
        self.jobs = [(task, []) for task in reversed(tasks)]
        while self.jobs:
            self._go()

    def _as_one(self, name: tuple[Any, ...], every: Every, tasks: list[Task]) -> Found | None:
        """Return where states of a key lead; None where they do not go on alike."""
        rarities, notes = [task.rarity for task in tasks], dict(self.settings.notes)
        task = Task(name, min(rarities), max(rarities), every)
        try:
            with noting(self.world.looked) as noted:
                self._follow([task])
        except (NotRead, Unauditable, Signal):
            if self.calls.refused is not None:
                raise
            self.fault = None
            self.settings.notes.clear()
            self.settings.notes.update(notes)
            return None
        return None if noted else task.found

    def _begin(self) -> Segment:
        """Begin the next run."""
        self.task, forced = self.jobs.pop()
        self.runs += 1
        if self.runs > self.most:
            raise TooMany(f"more than {self.most} runs between states are needed")
        self.run = run = Segment(forced, self.settings, self.task.memo, self.tail_bits + 64)
        held = vars(self.coins)
        held.pop("gauss_next", None)
        held["_source"] = run
        if self.flat is not None:
            self.flat.every = self.task.every
            self.flat.waiting.clear()
            self.flat.remade.clear()
        NOW.moved, NOW.resume, NOW.pending = False, [], None
        return run

    def _end(self, run: Segment, name: Any, outcome: Any) -> None:
        """Note where a run came to: the key of a state, an end with its outcome, or nowhere (no key)."""
        run.ended = self.over
        task, path = self.task, run.path
        if len(path) < len(run.forced):
            raise NotRead(OTHERWISE)
        if run.other:
            self.jobs += [(task, other) for other in run.other]
        if name is not None:
            task.found.append((name, outcome, self._kind(run)))
        run.tape, run.kept, run.sources = [], (), ()  # they hold the run
        task.blocked = task.blocked or run.blocked
        task.work += len(path)
        if task.work > (LITTLE_WORK if task.blocked is not None or self.calls.closed else MOST_WORK):
            raise NotRead(task.blocked or "too many paths lead from one state to the next")

    def _go(self) -> None:
        """Make the next run, and those that go on where it came to a state."""
        NOW.arrive, NOW.summarised, NOW.refuse = self.arrive, self.summarised, self._fail
        run, name = self._begin(), self.task.name
        outcome = error = None
        try:
            called = self._thawed(name, run) if name is not None else self._begun()
            outcome, error = call(lambda called: settled(root(*called), self.run), called)
        except Signal as signal:
            if self.run.ended is None:
                raise NotRead(KEPT) from None
            signal.__traceback__ = None
        run, self.stack = self.run, None
        ended = run.ended
        if self.fault is not None:
            raise self.fault
        if self.calls.refused is not None:
            raise NotRead("the program is read again")
        if isinstance(ended, Poisoned) or self.settings.stale:
            raise Unauditable(str(ended))
        if not isinstance(ended, Arrived):
            self.world.unchanged()
        if ended is not None:
            if not isinstance(ended, Arrived):
                self._end(run, None, None)
            return
        returned = type(outcome) in (Released, Series) or plain(outcome)
        if self.name is not None and (error or not returned or self._told(self.called) != self.name):
            raise Changed(CHANGES)
        self._end(run, key(outcome), outcome)

    def _begun(self) -> Called:
        called: Called = self.called if self.world is not self.around else self.begin(None)
        if self.world is not self.around:
            return called  # it is as it was
        self.called = called
        values = (*called[1], *called[2].values())
        if self.name is not None and not (self.around.constant(called[0]) and is_flat(values, self.around)):
            self.world = Handed(self.around, self.coins, called)
        if self.flat is None:
            self.flat = Flat(self.world, self.coins, self.calls.shapes)
        return called

    def _told(self, called: Called) -> tuple[Any, ...] | None:
        return self.calls.key_of(called, self.around, self.coins, self.flat)

    def summarised(self, *called: *Called) -> tuple[Any] | None:
        """Return what a call returns, asked as one question, in a box; None where it is followed."""
        run = self.run
        run.check()
        try:
            found = self.calls.told(called, run, self.around)
            if found is None:
                return None
            function, name = found[0], self._told(found)
            more, spare = run.bottom.bit_length() - run.top.bit_length(), self.calls.spare
            bits = tail_bits(self.tail_bits, self.task.rarity + more, spare)
            every = self.task.every
            if every is not None:
                every.alone = True
                if name is None or bits != tail_bits(self.tail_bits, self.task.rarest + more, spare):
                    raise NotRead(APART)
            summary = self.calls.summary(function, (name, bits), run, self.around) if name is not None else None
        except NotRead as error:
            if self.task.every is not None:
                self._fail(error)
            return None
        except Signal:
            raise
        except BaseException as error:
            self._fail(error)
        if summary is None:
            return None
        self.leaks |= not summary.whole
        return (summary.ask(run),)

    def _fail(self, error: BaseException) -> NoReturn:
        """End the run, and the reading, for a refusal or an error of this layer's own."""
        self.fault = self.fault or (error if isinstance(error, NotRead) else NotRead(internal(error)))
        self.run.ended = Arrived(str(self.fault))
        raise self.run.ended from None

    def _thawed(self, name: tuple[Any, ...], run: Segment) -> Called:
        if type(name[0]) is Shape and self.flat is not None:
            NOW.resume = name[0].records(name, self.flat)[::-1]
            return None, (), {}
        thaw = Thaw(name, self.coins, run.source)
        records: list[tuple[Any, tuple[Any, ...]]] = []
        for _ in range(thaw.take()):
            info, point = REWRITER.numbered[thaw.take()], thaw.take()
            callee = thaw.value()
            records.append((callee, thaw.record(info, point)))
        NOW.resume = records[::-1]
        return None, (), {}

    def arrive(self, frame: types.FrameType, point: int) -> tuple[Any, ...] | None:
        """Stop at a state, where it can be told whole; remember why where it cannot.

        Where the next run begins with the same frames and what they hold but for the innermost, it begins here and now:
        what that frame restores is returned.
        """
        run = self.run
        if run.ended is not None:
            run.check()
        if self.refused and self.refused.get((frame.f_code, point), 0) > MOST_REFUSED:
            return None
        try:
            self.world.unchanged()
            name = self._freeze(frame, point)
        except NotRead as error:
            if self.task.every is not None:
                self._fail(error)
            run.blocked = f"{place_of(frame)}: {error}"
            self.reasons[run.blocked] = None
            self.refused[frame.f_code, point] = self.refused.get((frame.f_code, point), 0) + 1
            return None
        except BaseException as error:
            self._fail(error)
        if self.refused:
            self.refused.pop((frame.f_code, point), None)
        try:
            self._end(run, name, self)
            record = self._onward(name)
        except BaseException as error:
            self._fail(error)
        if record is None:
            run.ended = Arrived("a state")
            raise run.ended
        return record

    def _onward(self, name: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Begin the next run in the frames at hand, and return what the innermost restores; None where it cannot."""
        shape = name[0]
        if type(shape) is not Shape or not self.jobs or self.flat is None or self.flat.drawn:
            return None
        following = self.jobs[-1][0].name
        if following is None or not shape.goes_on(name, following):  # None before the program begins
            return None
        self._begin()
        return shape.innermost(following, self.flat)

    def differing(self) -> tuple[str, str]:
        """Return the variable in which most of some states differ, in words, and what to do; no run is going on."""

        def records() -> Iterator[tuple[Any, tuple[Any, ...]]]:
            for state in [*self.states.values()][:: 1 + len(self.states) // SAMPLE]:
                name = self.keys[state] or ((),)
                if type(name[0]) is not Shape or not name[0].places:  # it is of one state
                    self._thawed(name, Segment([], self.settings, {}, 0))
                    yield from NOW.resume

        words, remedy = differing(records(), self.world, self.coins)
        return words, "; or ".join([remedy, *self.calls.changing])

    def _freeze(self, frame: Any, point: int) -> tuple[Any, ...]:
        if point == PENDING:
            raise NotRead(
                "a loop in a `finally` of a `try` that has a `return`, `break` or `continue`; put these after it"
            )
        stack = self.stack
        last, at, callee = stack.frames[-1] if stack is not None else (None, 0, None)
        if stack is None or last is not frame or type(callee) is not types.FunctionType:
            stack = self.stack = Stack(frames_of(frame, point))
        elif at != point:  # the other frames wait for it
            stack = self.stack = Stack([*stack.frames[:-1], (frame, point, callee)])
        found = self.flat.key(stack) if self.flat is not None else None
        if found is not None:
            return found
        frames = stack.frames
        freezer = Freezer(self.world, self.coins)
        freezer.running = {id(callee) for _, _, callee in frames if type(callee) is types.GeneratorType}
        tokens = freezer.tokens
        tokens.append(len(frames))
        for frame, point, callee in frames:
            tokens += (INFOS[frame.f_code].number, point)
            freezer.add(callee)
            freezer.variables(INFOS[frame.f_code], point, frame)
        name, self.run.kept = freezer.whole(), freezer.nodes  # none where the state cannot be told
        return name

    # -- what a way is

    def _kind(self, run: Segment) -> int:
        places = {id(node): i for i, node in enumerate(run.kept)} if run.kept else NONE
        draws = tuple([(bound, spec_of(item, places)) for bound, item in run.tape])
        carried = tuple([(width, spec_of(node, places)) for node, width in run.sources]) if run.sources else ()
        if places:
            known = {id(item) for _, item in run.tape} | {id(node) for node, _ in run.sources}
            if not places.keys() <= known:
                raise NotRead("digits of a draw are kept undecided")
        name = run.top, run.bottom, draws, carried
        found = self.kinds.get(name)
        if found is None:
            run.check_weight()
            common = gcd(run.top, run.bottom)
            found = self.kinds[name] = len(self.kind_of)
            self.weights.append((run.top // common, run.bottom // common))
            self.kind_of.append(Kind(self.weights[found], draws, carried))
        return found
