"""Explore each state of a program once, from question to question; then solve the chain."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

import numpy

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.reading import container_rules, control, draws
from dpcert.reading.calls import resolve
from dpcert.reading.entry import entry_of
from dpcert.reading.errors import TOO_MANY, Ask, NotPlain, Refused, Thrown
from dpcert.reading.keys import Writer, encode, thaw
from dpcert.reading.known import End, Known, Question, remembered
from dpcert.reading.led import coins as led
from dpcert.reading.machine import Machine
from dpcert.reading.many import differing
from dpcert.reading.numpy import arrays, dtypes, functions, generators, scalars
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.pandas.joining import join
from dpcert.reading.paths.slow import SLOW
from dpcert.reading.questions import MOST_STATES, Called, Calls, Returns, answer, returned, weighed
from dpcert.reading.solve import Mass, solved
from dpcert.reading.tails.far import Ends
from dpcert.reading.tails.series import summed
from dpcert.reading.together import together

# importing these modules adds their rules to the tables
RULES = (container_rules, control, draws, arrays, dtypes, functions, generators, scalars)
LED = led  # imported with the machine, since it makes generators, and those that a program makes are watched
MOST_TURNS = 20_000
MORE = 3
MANY = 4_000  # from so many states on, a message names the variables in which they differ
MOST_BYTES = 2_000_000  # of the states that are explored even if they are rare
FEW = 100  # states explored one by one, before states that differ in one integer are followed together
MANY_STATES = 600  # states explored, before a law without a tail is looked for


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a reading goes: the states that it explores, and the mass below which a state is left unexplored."""

    states: int = 100_000
    tail: Fraction = Fraction(1, 10**30)


@dataclass(frozen=True, slots=True)
class Reading:
    """A law that was read, how many states it has, and how many instructions led from one to the next.

    `left` names what some run changes in modules, classes and objects from before the run: the law is that of a run
    that finds these unchanged. `notes` are the assumptions on generators. `ends` is the law without a tail, where the
    caller asked for sums and there is such a law.
    """

    law: Law
    states: int
    steps: int
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ends: Ends | None = None


M = TypeVar("M", bound=Machine)


class Explorer:
    """The states of one program on one input. `questions[i]` is asked in state i, `ways[i]` are its answers."""

    machines: type[Machine] = Machine

    def __init__(
        self,
        program: Callable[..., Any],
        value: Any,
        limits: Limits,
        *,
        reverse: bool = False,
        sums: bool = False,
        known: Known | None = None,
    ) -> None:
        join()
        self.entry, self.reverse, self.sums = entry_of(program), reverse, sums
        self.program, self.value, self.limits = self.entry.function, value, limits
        self.known = known or Known()
        self.pins = self.known.begin(self.program, limits.states)
        self.moves = self.known.moves
        self.pins.draws = self.entry.routed is not None
        self.questions: list[Question] = []
        self.ways: list[list[tuple[int, int, int]] | None] = []
        self.numbers: dict[Question, int] = {}
        self.ends: dict[Hashable, int] = {}
        self.outcomes: list[Any] = []
        self.steps = self.explored = self.common = 0
        self.left: dict[str, None] = {}
        self.many = MANY
        self.calls = Calls(limits.states, self.pins, self.known.calls)
        self.asked = False  # whether there was a question about a call, whose answer depends on the mass of the state
        self.returns: dict[int, Returns] = {}
        self.scale = limits.tail.denominator.bit_length() + 64  # the bits of the mass 1, where masses are rounded
        self.mass = 1 << self.scale
        self.bits = (math.ceil(1 / limits.tail) - 1).bit_length() if limits.tail else 0  # the bits of the tail
        self.beyond = 2_000

    def begin(self, make: type[M]) -> M:
        """A machine before the first instruction of the program."""
        m = make(self.pins)
        if {"raise", "call"}.intersection(numpy.geterr().values()):
            raise Refused("np.seterr has errors of numpy's raised, or handed to a function; leave them to be warnings")
        try:
            program = m.heap.take(self.program, -1, "program")
            given = (m.heap.own(fresh(self.value)), *self.entry.randomness)
            settings = {name: m.heap.own(fresh(part)) for name, part in self.entry.settings.items()}
            m.perform(resolve(m, program, given, settings))
        except Thrown:
            raise Refused("the program does not take an input and coins") from None
        except NotPlain:
            raise Refused("the program is a function of the host") from None
        return m

    def arrive(self, m: Machine) -> Question | End:
        """Run to the next question or to the end."""
        try:
            m.go()
        except Ask as asked:
            return self.question(m, asked)
        except Called as called:
            question = self.question(m)
            self.returns.setdefault(self.number(question), called.returns)
            return question
        finally:
            self.steps += m.steps
        return self.ended(m)

    def place(self, found: Question | End) -> int:
        """The number of a state, or of an end, below 0."""
        return self.number(found) if isinstance(found, Question) else self.end(found)

    def called(self, m: Machine) -> None:
        """Have the call that is about to begin read by itself, with a tail that is small beside the state's mass."""
        self.asked = True
        if self.limits.tail > 0:
            bits = self.bits + (self.mass - 1).bit_length() - self.scale
            self.calls.ask(m, max(1, bits), self.read)

    def read(self, key: bytes, bits: int) -> tuple[Returns, int]:
        """The values that a call returns, from its bytes alone, and the number of its states.

        Raises: Refused for a call with other effects, or with too many states.
        """
        inner = Inner(self, bits)
        values = inner.masses(inner.place(inner.arrive(inner.machine(key, {}))))
        self.steps += inner.steps
        outcomes = [inner.outcomes[-1 - end] for end in values]
        return weighed(outcomes, list(values.values()), bits), len(inner.questions) + inner.common

    def ended(self, m: Machine) -> End:
        """The end that a machine has reached."""
        if left := m.left():
            self.known.whole = False
            self.left.update(dict.fromkeys(self.pins.words(*each) for each in left))
        outcome = outcome_of(m)
        return End(key(outcome), outcome)

    def question(self, m: Machine, asked: Ask | None = None, writer: Writer | None = None) -> Question:
        """The question of a machine, about draws or about the value that a call returns."""
        written, writer = encode(m, writer)
        if asked is None:
            return Question(written, (), ())
        try:
            draws = tuple([writer.numbers[id(draw)] for draw in asked.draws])
        except KeyError:
            raise Refused("internal: a draw is asked about that no state tells") from None
        return Question(written, draws, tuple(asked.cuts), asked.ratios)

    def number(self, question: Question) -> int:
        """The number of a question."""
        known = self.numbers.get(question)
        if known is None:
            known = self.numbers[question] = len(self.questions)
            self.questions.append(question)
            self.ways.append(None)
            self.grown(known)
        return known

    def grown(self, states: int) -> None:
        """Say in which variables the states differ, at each doubling of their number."""
        if states >= self.many:
            self.many *= 2
            words, remedy = differing(self)
            SLOW.tell(f"its states are many: {words}", remedy)

    def end(self, found: End) -> int:
        """The number of an end."""
        if found.name not in self.ends:
            self.ends[found.name] = -1 - len(self.outcomes)
            self.outcomes.append(self.copied(found.outcome))
        return self.ends[found.name]

    def copied(self, outcome: Any) -> Any:
        """A copy of an outcome for this law alone: several laws may share the original."""
        return fresh(outcome)

    def machine(self, key: bytes, parts: dict[int, tuple[int, int]]) -> Machine:
        """A machine made from bytes alone; it asks about calls."""
        m = self.machines(self.pins)
        thaw(m, key, parts)
        m.calls = self.called
        return m

    def answered(self, question: Question, a: int, b: int) -> Machine:
        """The machine that goes on from a question, the draw in [a, b)."""
        return self.machine(question.key, dict.fromkeys(question.draws, (a, b)))

    def answers(self, question: Question) -> Iterator[tuple[int, int, Machine]]:
        """For each answer to a question: its weight, the total weight, and the machine that goes on with it."""
        order: Callable[[Any], Any] = reversed if self.reverse else iter
        if not question.draws:
            for value, mass in order(self.returns[self.numbers[question]].values):
                m = self.answered(question, 0, 1)
                answer(m.frames[-1], value)
                yield *mass, m
        for a, b in order([*pairwise(question.cuts)]):
            yield b - a, question.cuts[-1] - question.cuts[0], self.answered(question, a, b)

    def expand(self, state: int) -> list[tuple[int, int, int]]:
        """Explore a state: follow each answer to the next question."""
        moves = self.moved(self.questions[state])
        found = self.ways[state] = [(weight, total, self.place(to)) for weight, total, to in moves]
        return found

    def moved(self, question: Question) -> list[tuple[int, int, Question | End]]:
        """For each answer to a question: its weight, the total weight, and the question or end to which it leads."""

        def find() -> list[tuple[int, int, Question | End]]:
            return [(weight, total, self.arrive(m)) for weight, total, m in self.answers(question)]

        # the values of a call are not kept: they depend on the mass of the state
        return remembered(self, self.moves, question, find) if question.draws else find()

    def explore(self, first: int, most: int) -> None:
        """Explore states that have at least the least mass, until `most` are explored.

        Masses are rounded to integers here, so that their sums do not depend on an order. They decide which states are
        explored, and nothing else.
        """
        masses, least = {first: 1 << self.scale}, math.floor(self.limits.tail * (1 << self.scale))
        for _ in range(MOST_TURNS):
            moved: dict[int, int] = {}
            for state, mass in masses.items():
                ways = self.ways[state]
                if ways is None:
                    if self.explored >= most or mass < least:
                        continue
                    self.explored += 1
                    self.mass = mass
                    ways = self.expand(state)
                for weight, total, to in ways:
                    if to >= 0:
                        moved[to] = moved.get(to, 0) + mass * weight // total
            masses = {state: mass for state, mass in moved.items() if mass > least >> 20}
            if not masses or self.explored in (most, len(self.questions)):
                break

    def finish(self, most: int) -> None:
        """Explore the states that are left, if the chain then has at most `most` states: a finite chain has no tail.

        Where it has more, none of them counts: rare states cost long numbers, and leave a tail all the same.
        """
        if self.calls.lost:
            return
        self.mass = 1 << self.scale
        left = deque(state for state, ways in enumerate(self.ways) if ways is None)
        tried, written = [], 0
        while left and len(self.questions) <= most and written <= MOST_BYTES:
            known = len(self.questions)
            tried.append(left.popleft())
            self.expand(tried[-1])
            left.extend(range(known, len(self.questions)))
            written += sum(len(question.key) for question in self.questions[known:])
        if left or len(self.questions) > most or written > MOST_BYTES:  # in any order, there are so many
            for state in tried:
                self.ways[state] = None

    def masses(self, first: int) -> dict[int, Mass]:
        """The mass of each end, from the first state on.

        For a program of many states, states that differ in one integer are first followed together, and then one by
        one. The first try is left out where some call left a tail: states followed together have none.

        Raises: Summed where the law of such a program is known without a tail, with series or without.
        """
        if first < 0:
            return {first: Mass(1, 1)}
        self.explore(first, min(FEW, self.limits.states))
        if self.explored == FEW < self.limits.states:
            found = None if self.calls.lost else together(self, self.questions[first])
            if found is not None:
                return found
            self.explore(first, min(MANY_STATES, self.limits.states))
            if self.explored == MANY_STATES < self.limits.states:
                self.try_sums()
            self.explore(first, self.limits.states)
        if self.explored >= self.limits.states:
            raise Refused(f"{TOO_MANY} {self.limits.states} states are needed: {'; '.join(differing(self))}")
        self.finish(min(self.limits.states, MORE * self.explored + self.beyond))
        return solved(self.ways, first)

    def try_sums(self) -> None:
        """Look for the law without a tail; one with series counts only where the caller asked for sums."""
        ends = summed(self)
        if ends is not None and (self.sums or not ends.series()):
            raise Summed(ends, self.limits.tail)

    def law(self) -> Law:
        """The law of the program.

        Claims: exact where every state was explored; else a lower bound, whose tail is the mass of the others.
        """
        m = self.begin(Machine)
        m.calls = self.called
        with numpy.errstate(all="ignore"):
            masses = self.masses(self.place(self.arrive(m)))
        ends = sorted(masses, reverse=True)
        weights, denominator = on_one_denominator([masses[end] for end in ends])
        common = math.gcd(denominator, *weights)
        outcomes = [self.outcomes[-1 - end] for end in ends]
        return Law.from_weights(
            zip(outcomes, [weight // common for weight in weights], strict=True), denominator // common
        )


class Summed(BaseException):
    """The law of a program is known without a tail; it is listed down to `tail`."""

    def __init__(self, ends: Ends, tail: Fraction) -> None:
        self.ends, self.tail = ends, tail


class Inner(Explorer):
    """The states of one call, from its bytes."""

    def try_sums(self) -> None:
        """Leave the tail of a call as it is."""

    def __init__(self, outer: Explorer, bits: int) -> None:
        most = min(outer.limits.states, MOST_STATES)
        limits = Limits(most, Fraction(1, 1 << bits))
        super().__init__(outer.program, outer.value, limits, reverse=outer.reverse)
        self.known, self.pins, self.calls, self.moves = outer.known, outer.pins, outer.calls, outer.known.returning
        self.beyond = 500

    def ended(self, m: Machine) -> End:
        """The value that the call returned."""
        return End(*returned(m))

    def copied(self, outcome: Any) -> Any:
        """The outcome itself: a plain value, which nothing can change."""
        return outcome


def read_law(
    program: Callable[..., Any],
    value: Any,
    limits: Limits | None = None,
    *,
    sums: bool = False,
    reverse: bool = False,
    known: Known | None = None,
) -> Reading:
    """Return the exact law of `program(value, coins)`, read by its states; with `sums`, tails are summed if possible.

    `known` keeps facts about the program's states from its laws on other inputs.

    Raises: Unauditable, which names the operation that is not followed, and its line.
    """
    known = known or Known()
    try:
        explorer = Explorer(program, value, limits or Limits(), reverse=reverse, sums=sums, known=known)
        law = explorer.law()
        with numpy.errstate(all="ignore"):
            ends = summed(explorer) if sums and law.tail else None
        if sums and law.tail and ends is None and explorer.calls.lost:  # there may be no tail once calls are followed
            explorer = Explorer(program, value, explorer.limits, reverse=reverse, sums=sums, known=known)
            explorer.calls.most = 0
            law = explorer.law()
    except Summed as found:
        ends = found.ends
        law = ends.listed(found.tail)
    except Refused as refused:
        raise Unauditable(str(refused)) from None
    finally:
        known.end()
    states = len(explorer.questions) + explorer.common + explorer.calls.states
    return Reading(law, states, explorer.steps, tuple(explorer.left), explorer.entry.notes(explorer.pins), ends)
