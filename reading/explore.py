"""From question to question: every state once, with its ways; then the chain is solved."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

import dpcert.reading.container_rules
import dpcert.reading.control
import dpcert.reading.dicts
import dpcert.reading.draws
import dpcert.reading.iteration
import dpcert.reading.making
import dpcert.reading.matching
import dpcert.reading.variables
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.reading.calls import resolve
from dpcert.reading.errors import Ask, NotPlain, Refused, Thrown
from dpcert.reading.keys import Writer, encode, thaw
from dpcert.reading.machine import Machine, Pinned
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.solve import solve
from dpcert.reading.tails.far import Ends
from dpcert.reading.tails.series import summed
from dpcert.reading.together import together
from dpcert.reading.values import COINS, changed

RULES = (  # the modules whose rules join the tables when they are imported
    *(dpcert.reading.container_rules, dpcert.reading.control, dpcert.reading.dicts, dpcert.reading.draws),
    *(dpcert.reading.iteration, dpcert.reading.making, dpcert.reading.matching, dpcert.reading.variables),
)
MOST_TURNS = 20_000
MORE = 3
FEW = 500  # so many states are explored one by one, before those that differ in one integer are followed together


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a reading goes: the states that it explores, and the mass below which one is left unexplored."""

    states: int = 100_000
    tail: Fraction = Fraction(1, 10**30)


@dataclass(frozen=True, slots=True)
class Reading:
    """A law that was read, how many states it has, and how many instructions led from one to the next.

    `keeps` says that some run leaves something behind in a module, a class or an object that was there before: the law
    is that of the first run in a process. `ends` is the law without tail, where it was to be summed and could be.
    """

    law: Law
    states: int
    steps: int
    keeps: bool
    ends: Ends | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A state that asks: its bytes, the number of the draw, and where the draw's interval is cut."""

    key: bytes
    draw: int
    cuts: tuple[int, ...]


M = TypeVar("M", bound=Machine)


class Explorer:
    """The states of one program on one input. `questions[i]` is asked in state i, `ways[i]` are its answers."""

    def __init__(self, program: Callable[..., Any], value: Any, limits: Limits) -> None:
        self.program, self.value, self.limits = program, value, limits
        self.pins = Pinned(program, value)
        self.questions: list[Question] = []
        self.ways: list[list[tuple[int, int, int]] | None] = []
        self.numbers: dict[Question, int] = {}
        self.ends: dict[Hashable, int] = {}
        self.outcomes: list[Any] = []
        self.steps = self.explored = self.common = 0
        self.keeps = False

    def begin(self, make: type[M]) -> M:
        """A machine before the first instruction of the program."""
        m = make(self.pins)
        try:
            program = m.heap.take(self.program, -1, "program")
            argument = m.heap.own(fresh(self.value))
            m.perform(resolve(m, program, (argument, COINS), {}))
        except Thrown:
            raise Refused("the program does not take an input and coins") from None
        except NotPlain:
            raise Refused("the program is a function of the host") from None
        return m

    def arrive(self, m: Machine) -> int:
        """Run to the next question or to the end; return the number of the state, or of the end, below 0."""
        try:
            m.run()
        except Ask as asked:
            return self.number(self.question(m, asked))
        finally:
            self.steps += m.steps
        return self.ended(m)

    def ended(self, m: Machine) -> int:
        """The number of the end at which a machine has come."""
        self.keeps |= bool(m.over) or any(changed(each) for each in m.heap.imports.values())
        return self.end(outcome_of(m))

    def question(self, m: Machine, asked: Ask, writer: Writer | None = None) -> Question:
        """The question of a machine that asks."""
        written, writer = encode(m, writer)
        draw = writer.numbers.get(id(asked.draw))
        if draw is None:
            raise Refused("internal: a draw is asked about that no state tells")
        return Question(written, draw, tuple(asked.cuts))

    def number(self, question: Question) -> int:
        """The number of a question."""
        known = self.numbers.get(question)
        if known is None:
            known = self.numbers[question] = len(self.questions)
            self.questions.append(question)
            self.ways.append(None)
        return known

    def end(self, outcome: Any) -> int:
        """The number of an outcome."""
        name = key(outcome)
        if name not in self.ends:
            self.ends[name] = -1 - len(self.outcomes)
            self.outcomes.append(outcome)
        return self.ends[name]

    def answered(self, question: Question, a: int, b: int) -> Machine:
        """The machine that goes on from a question, the draw in [a, b): made from its bytes alone."""
        m = Machine(self.pins)
        thaw(m, question.key, {question.draw: (a, b)})
        return m

    def expand(self, state: int) -> list[tuple[int, int, int]]:
        """Explore a state: follow each answer to the next question."""
        question = self.questions[state]
        cuts = question.cuts
        found = []
        for a, b in pairwise(cuts):
            found.append((b - a, cuts[-1] - cuts[0], self.arrive(self.answered(question, a, b))))
        self.ways[state] = found
        return found

    def explore(self, first: int, most: int) -> None:
        """Explore states, by their mass, until there are `most`, or down to the least mass.

        Masses are floats here: they decide what is explored, and nothing else.
        """
        masses, least = {first: 1.0}, float(self.limits.tail)
        for _ in range(MOST_TURNS):
            moved: dict[int, float] = {}
            for state, mass in masses.items():
                ways = self.ways[state]
                if ways is None:
                    if self.explored >= most or mass < least:
                        continue
                    self.explored += 1
                    ways = self.expand(state)
                for weight, total, to in ways:
                    if to >= 0:
                        moved[to] = moved.get(to, 0.0) + mass * (weight / total)
            masses = {state: mass for state, mass in moved.items() if mass > least * 1e-6}
            if not masses or self.explored in (most, len(self.questions)):
                break

    def finish(self, most: int) -> None:
        """Explore the states that are left, if with them there are at most so many: a finite chain has no tail.

        Where there are more, none of them counts: what is rare costs long numbers, and leaves a tail all the same.
        """
        left = deque(state for state, ways in enumerate(self.ways) if ways is None)
        tried = []
        while left and len(self.questions) <= most:
            known = len(self.questions)
            tried.append(left.popleft())
            self.expand(tried[-1])
            left.extend(range(known, len(self.questions)))
        for state in tried if left else ():
            self.ways[state] = None

    def masses(self, first: int) -> dict[int, Fraction]:
        """The mass of each end, from the first state on.

        A program of many states is tried with those followed together that differ in one integer, and then without.
        """
        self.explore(first, min(FEW, self.limits.states))
        if self.explored == FEW < self.limits.states:
            found = together(self, self.questions[first])
            if found is not None:
                return found
            self.explore(first, self.limits.states)
        self.finish(min(self.limits.states, MORE * self.explored + 2_000))
        return solve(self.ways, first)

    def law(self) -> Law:
        """The law of the program.

        Claims: exact where every state was explored; else a lower bound, whose tail is the mass of the others.
        """
        first = self.arrive(self.begin(Machine))
        if first < 0:
            return Law.from_weights([(self.outcomes[0], 1)], 1)
        masses = self.masses(first)
        ends = sorted(masses, reverse=True)
        rest = 1 - sum(masses.values())
        weights, denominator = on_one_denominator([*(masses[end] for end in ends), rest])
        return Law.from_weights(zip((self.outcomes[-1 - end] for end in ends), weights[:-1], strict=True), denominator)


def read_law(program: Callable[..., Any], value: Any, limits: Limits | None = None, *, sums: bool = False) -> Reading:
    """Return the exact law of `program(value, coins)`, read by its states; with `sums`, tails are summed if possible.

    Raises: Unauditable, which names the operation that is not followed and its line.
    """
    explorer = Explorer(program, value, limits or Limits())
    try:
        law = explorer.law()
    except Refused as refused:
        raise Unauditable(str(refused)) from None
    ends = summed(explorer) if sums and law.tail else None
    return Reading(law, len(explorer.questions) + explorer.common, explorer.steps, explorer.keeps, ends)
