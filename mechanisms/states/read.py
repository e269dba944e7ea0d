"""The law of a program by its states, with every way between states replayed on plain numbers."""

from __future__ import annotations

import gc
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings, Watch
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.floating.held import DREW
from dpcert.mechanisms.floating.routing import routed_of
from dpcert.mechanisms.slow import SLOW
from dpcert.mechanisms.states import twins
from dpcert.mechanisms.states.calls.closures import Called, Exchange
from dpcert.mechanisms.states.errors import NotRead, TooMany, internal
from dpcert.mechanisms.states.kept import Kept, Whole
from dpcert.mechanisms.states.reader import Begin, Reader
from dpcert.mechanisms.states.replaying.cover import Read
from dpcert.mechanisms.states.replaying.replays import Replays
from dpcert.mechanisms.states.runtime import NOW, follow
from dpcert.mechanisms.states.solve import GRID, Graph, Ways, probabilities, solved
from dpcert.mechanisms.states.summarise import MOST_STATES as MOST_OF_A_CALL
from dpcert.mechanisms.states.summarise import SPARES, Calls, Ended
from dpcert.mechanisms.states.tails.series import summed
from dpcert.mechanisms.states.thaw import Thaw
from dpcert.mechanisms.states.world import Surroundings
from dpcert.reading.tails.far import Ends, Series, leaves

MOST_STATES = 1_000_000
MORE_STATES = 2_000
"""States that are followed beyond those that the allowed tail needs, where a tail could not be summed."""
SOON = 20
"""Before series are looked for, states are explored whose mass is less than 1 by so many bits at most."""


@dataclass(frozen=True, slots=True)
class MergedLaw:
    """A law by states, the number of runs that it took, and its notes."""

    law: Dist
    runs: int
    states: int
    replays: int
    notes: tuple[str, ...]
    merges: bool  # whether some state is reached in more than one way
    ends: Ends | None = None  # the exact law, where the law has a tail that could be summed and was to be


def merged_law(
    program: Callable[[Any, Coins], Any],
    value: Any,
    *,
    limits: Limits | None = None,
    reverse: bool = False,
    watch: Watch | None = None,
    replay: bool = True,
    most: int = MOST_STATES,
    kept: Kept | None = None,
    sums: bool = False,
) -> MergedLaw:
    """Return the law of `program(value, coins)` with equal states merged; with `sums`, tails are summed where they can.

    The law is exact where finitely many states are reached; else its probabilities are lower bounds, and the missing
    mass is its tail. `kept` is what earlier readings of the program left.

    Raises: NotRead where states cannot be told whole, or replays contradict them; the line says where and why.
    """
    begin = partial(_Reading, program, value, limits or Limits(), watch or Watch(), reverse, most, replay, sums)
    kept = kept or Kept()
    while True:
        went_before = kept.calls is not None or kept.whole is not None
        reading = begin(kept, kept.counts)
        try:
            return reading.law()
        except NotRead:
            if not (went_before or reading.calls.counted or reading.calls.closed):
                raise
            if reading.calls.closed:
                kept.closures = False
            elif reading.calls.counted:
                kept.counts = False
            kept.forget()  # what it says of all inputs together may not hold of this one alone


class _Reading:
    """The reading of a program, and of the calls that it makes and that are read on their own."""

    def __init__(
        self,
        program: Any,
        value: Any,
        limits: Limits,
        watch: Watch,
        reverse: bool,
        most: int,
        replays: bool,
        sums: bool,
        kept: Kept,
        counts: bool,
    ) -> None:
        self.function = program
        self.value = value
        self.limits = limits
        self.watch = watch
        self.reverse = reverse
        self.most = most
        self.replays = replays
        self.sums = sums
        self.kept = kept
        self.counts = counts
        self.coins = kept.coins
        self.routed = routed_of(program)
        self.given: tuple[Any, ...] = ()  # beside the input
        self.inline: frozenset[types.CodeType] = frozenset()
        self.spares = iter(SPARES)
        self.spare = next(self.spares)
        self.calls = Calls(self.call, self.inline, self.spare)
        self.whole: Whole | None = None
        self.read: list[Read] = []
        self.whole_ends: Ends | None = None  # the law of the program, where few of its states were enough for it
        self.count = 0  # of replays

    def law(self) -> MergedLaw:
        """Return the law, once replays agree with it.

        Raises: NotRead.
        """
        if self.routed is None:
            self.given = (self.coins,)
            return self._law()
        self.function = self.routed[0].function
        with self.routed[0].on(self.coins) as self.given:
            return self._law()

    def _law(self) -> MergedLaw:
        try:
            settings = self.limits, self.reverse, self.replays, self.counts, self.kept.closures
            self.whole = self.kept.begin(settings, self.value)
            if self.whole is not None:
                self.world = self.whole.world
                NOW.again.update(self.whole.again)
            else:
                given = self.given if self.routed is not None else ()
                self.world = Surroundings(self.function, fresh(self.value), *given)
            while (read := self.read_whole()) is None:
                pass
            outcomes = [read.reader.outcomes[end] for end in read.numbers()]
            held = any(type(each) is Series for outcome in outcomes for _, each in leaves(outcome))
            ends = self.whole_ends
            if ends is None and (self.sums if read.graph.waiting else self.calls.counted):
                ends = self.ends(read)
            if ends is None:
                read = self.finished(read, self.limits.max_tail)
            recorder = read.recorder() if self.whole is None else self.whole.recorder
            recorder.go_on(read.graph)
            self.count = before = 0 if self.whole is None else self.whole.replays
            if self.replays or ends is not None or self.calls.closed:  # what they refuse is read otherwise, everywhere
                replays = Replays(self.world, self.coins, self.watch, self.calls, self.count)
                self.count = replays.of(self.read, recorder, self.known)
            self.world.conclude()
        except TooMany:
            raise
        except (NotRead, Unauditable) as error:
            raise NotRead(str(error)) from None
        except Exception as error:
            raise NotRead(internal(error)) from error
        finally:
            again = dict(NOW.again)
            NOW.again.clear()
        reader = read.reader
        law = (
            (self.whole_ends or Ends((*read.rows(),))).listed(self.limits.max_tail)
            if held or self.whole_ends is not None
            else Dist.from_weights([(reader.outcomes[end], read.weights[end]) for end in read.numbers()], read.total)
        )
        notes = [
            *reader.settings.notes,
            *self.calls.notes,
            *([*reader.reasons][:2] if law.tail_weight and ends is None else ()),
        ]
        if self.routed is not None and self.routed[0].told and read.draws():
            notes.append(DREW)
        graphs = [each.graph for each in self.read]
        states, ways = sum(len(each.ways) for each in graphs), self.known or read.graph.ways
        merges = len(graphs) > 1 or read.graph.entries() >= len(read.graph.ways)
        ways.update(read.graph.ways)
        ways.pop(0)
        whole = Whole(self.world, self.calls, reader, ways, again, recorder, self.count)
        self.kept.keep(whole, self.value, tail=bool(law.tail_weight or read.graph.waiting))
        return MergedLaw(
            law,
            sum(each.reader.runs for each in self.read),
            states,
            self.count - before,
            tuple(notes),
            merges,
            ends,
        )

    @property
    def known(self) -> dict[int, Ways]:
        """The ways of states that readings on other inputs found."""
        return {} if self.whole is None else self.whole.ways

    def read_whole(self) -> Read | None:
        """Return the reading of the program; None where it is to be read again.

        Raises: NotRead, Unauditable.
        """
        self.read, self.whole_ends = [], None
        if self.whole is not None:
            self.calls = self.whole.calls
            self.calls.read = self.call
        else:
            self.calls = Calls(self.call, self.inline, self.spare, counts=self.counts, sums=self.sums)
            self.calls.closures, self.calls.changing = self.kept.closures, self.kept.changing
            self.kept.hand_on(self.world, self.calls)
        try:
            with _reading(), self.watch.run():
                reader, graph = self._begun(self._begin, None, self.limits.max_tail)
                ends = self._soon(reader, graph) if self.sums and self.whole is None else None
                if ends is not None and ends.listed(self.limits.max_tail).tail <= self.limits.max_tail:
                    self.whole_ends = ends
                    return self._one(reader, graph, *probabilities(graph, self.limits.max_tail))
                read = self._solved(reader, graph, self.limits.max_tail)
            few = read.total - sum(read.weights.values()) <= self.limits.max_tail * read.total
            return read if few or not read.reader.leaks or not self._finer() else None
        except (NotRead, Unauditable):
            if self.calls.refused is None:
                raise
            if not (self.calls.finer and self._finer()):
                self.inline |= {self.calls.refused}
            self.whole = None
            return None

    def _finer(self) -> bool:
        """Let the tails of calls be smaller; return whether they can."""
        before, self.spare = self.spare, next(self.spares, self.spare)
        return self.spare != before

    def call(self, name: tuple[Any, ...], bits: int, counts: bool) -> list[Ended]:
        """Return what a call returns, with probabilities and draws; with `counts`, as series where it has such.

        Raises: NotRead, Unauditable.
        """
        held = vars(self.coins)
        before = dict(held)
        tail = Fraction(1, 1 << bits)
        try:
            reader, graph = self._begun(lambda exchange: _thawed(name, self.coins, exchange), name, tail)
            ends = self._soon(reader, graph) if counts else None
            if ends is not None:
                return self._one(reader, graph, *probabilities(graph, tail)).ended(ends)
            read = self._solved(reader, graph, tail)
            ends = self.ends(read) if counts else None
            return (read if ends is not None else self.finished(read, tail)).ended(ends)
        finally:
            held.clear()
            held.update(before)

    def _begin(self, exchange: Exchange | None) -> Called:
        return self.function, (fresh(self.value), *self.given), self._settings()

    def _settings(self) -> dict[str, Any]:
        return {name: fresh(part) for name, part in self.routed[1].items()} if self.routed is not None else {}

    def _begun(self, begin: Begin, name: tuple[Any, ...] | None, max_tail: Fraction) -> tuple[Reader, Graph]:
        settings = Settings(LazyRun, self.limits, reverse=self.reverse, watch=self.watch)
        known: dict[int, Ways] = {}
        if name is None and self.whole is not None:
            reader, known = self.whole.reader, self.known
            settings.notes = reader.settings.notes
            reader.begin, reader.settings, reader.runs = begin, settings, 0
        else:
            tail_bits = max_tail.denominator.bit_length()
            reader = Reader(begin, settings, self.world, tail_bits, self.calls, self.coins, name)
        if name is not None:
            settings.notes = self.calls.notes
        most = self.most if name is None else MOST_OF_A_CALL
        ends = reader.outcomes.__contains__
        graph = Graph(reader.expand, ends, reader.weights, most, lambda: reader.leaks, known)
        return reader, graph

    def _solved(self, reader: Reader, graph: Graph, max_tail: Fraction) -> Read:
        try:
            weights, total = solved(graph, max_tail, ending=not self.calls.spare)
        except TooMany as error:
            words = f"{reader.differing()[0]}; is it read again? " if reader.name is None else ""
            raise TooMany(f"{words}{error}") from None
        return self._one(reader, graph, weights, total)

    def _one(self, reader: Reader, graph: Graph, weights: dict[int, int], total: int) -> Read:
        SLOW.tell("", "")
        read = Read(reader, graph, weights, total)
        self.read.append(read)
        return read

    def finished(self, read: Read, max_tail: Fraction) -> Read:
        """Return a reading whose tail was to be summed, and could not be, with its states followed on to their end, if
        they are few: as those of a loop that counts its turns up to some number.
        """
        if not self.sums or not read.graph.waiting:
            return read
        with _reading(), self.watch.run():
            finished = read.graph.finish(MORE_STATES)
        if not finished:
            return read
        self.read.remove(read)
        self.read.append(whole := Read(read.reader, read.graph, *probabilities(read.graph, max_tail)))
        return whole

    def _soon(self, reader: Reader, graph: Graph) -> Ends | None:
        """Return the law of what is read where it is found from the first of its states, of which there are more."""
        graph.explore((1 << GRID) >> SOON)
        with NOW.apart():
            return self.summed(reader, graph) if graph.waiting else None

    def ends(self, read: Read) -> Ends | None:
        """Return the law of what was read where it has no tail once that is summed; else None."""
        return self.summed(read.reader, read.graph) if read.graph.waiting else Ends.of(read.rows())

    def summed(self, reader: Reader, graph: Graph) -> Ends | None:
        """Return the law of what was read with its tail summed, or None; nothing else of the reading is changed."""
        calls, lines = self.calls, reader.lines
        notes, reasons, refused = dict(reader.settings.notes), dict(reader.reasons), calls.refused
        try:
            with _reading(), self.watch.run():
                return summed(reader, graph)
        finally:
            reader.settings.notes, reader.reasons, calls.refused = notes, reasons, refused
            reader.lines, reader.fault = lines, None


def _thawed(name: tuple[Any, ...], coins: Coins, exchange: Exchange | None) -> Called:
    called: Called = Thaw(name, coins, _no_node, exchange).value()
    return called


def _no_node(lo: int, hi: int) -> Node:
    raise NotRead("an argument is an undecided draw")


@contextmanager
def _reading() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()  # its callbacks are not the program's, and what a run leaves is freed by its counts
    NOW.active = True
    try:
        yield
    finally:
        NOW.active, NOW.moved, NOW.outermost = False, False, False
        NOW.arrive, NOW.summarised, NOW.pending, NOW.resume = None, follow, None, []
        if collecting:
            gc.enable()


twins.register()
