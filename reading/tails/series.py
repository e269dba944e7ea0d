"""The exact law of a program whose loops count their turns: what is far out is summed as geometric series.

States of a *line* are equal but for integers, which are base + j * step in state j. From its first state A on, a line
is followed as one state for every j >= 0 at once: A with j a count (`domains/counts.py`), a draw that nobody knows yet.
Where the machine comes to A again with j + 1 for j, the program has made a *turn*. No question was about j on the way,
so the probability r of a turn is the same for every j, and so is that of any other way up to the first question about
j. So after j turns and such a way the mass is r^j times the same: given the way, j is geometric, of the ratio r. Then
the turn leads back to A, whatever j is, and the states are a finite chain.

The number of the line stands for r in the states until it is known. It is never renewed: a question about j puts draws
of the ratio r itself in its place, so that no turn is seen after it. Hence r is known once all states that hold j are
explored up to questions about it.
"""

import marshal
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from dpcert.reading.domains.counts import binary, cases, fresh, is_count, linear
from dpcert.reading.errors import Refused
from dpcert.reading.keys import TAGS, encode, thaw
from dpcert.reading.known import End, Question
from dpcert.reading.machine import Machine
from dpcert.reading.solve import Ways, solve
from dpcert.reading.tails.far import Ends
from dpcert.reading.together import HOLD_VALUES, put, values_of
from dpcert.reading.values import Value

MOST_STATES = 2_000
MOST_BYTES = 1_000_000  # of all states: those of a list that grows are few and long
NEAR = 3  # states in a row within which a line is looked for
Place = tuple[int, Hashable]
Ratio = Fraction | int
HELD = frozenset(TAGS[kind] for kind in HOLD_VALUES)
NO_PARTS: Any = MappingProxyType({})


@dataclass(slots=True)
class Line:
    """A line, by the numbers of states: its first state, that state for every j, and for every j + 1."""

    first: int
    every: int
    turn: int
    ratio: Fraction | None = None


class _Tails:
    """The finite chain of a program. `ways[i]` are the answers in state i; None where it is not explored."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.states: list[Question] = []
        self.numbers: dict[Question, int] = {}
        self.ways: list[Ways | None] = []
        self.before: list[int] = []  # from which state each was met first
        self.lines: list[Line] = []  # line n is at place n - 1
        self.tried: set[int] = set()  # first states of lines
        self.held: dict[Question, tuple[dict[Place, int], bytes]] = {}  # what `integers` found
        self.around: dict[Question, Any] = {}
        self.bytes = 0

    def ends(self, first: Question) -> Ends | None:
        """The law, from its first question on; None where its probabilities are not all."""
        self.number(first, 0)
        reached = self.reached()
        while unknown := [line for line in self.lines if line.ratio is None and line.every in reached]:
            self.measure(unknown[-1])
            reached = self.reached()
        if any(self.turning(line) != line.ratio for line in self.lines if line.every in reached):
            raise Refused("internal: a way to a turn is met after the ratio of its line was known")
        masses = solve(self.ways, 0)
        return Ends.of([(self.explorer.outcomes[-1 - end], mass) for end, mass in masses.items()])

    def number(self, asked: Question, before: int) -> int:
        """The number of a question."""
        if asked not in self.numbers:
            self.bytes += len(asked.key)
            if len(self.states) >= MOST_STATES or self.bytes > MOST_BYTES:
                raise Refused("there are too many states, or too long ones")
            self.numbers[asked] = len(self.states)
            self.states.append(asked)
            self.ways.append(None)
            self.before.append(before)
        return self.numbers[asked]

    def reached(self) -> dict[int, None]:
        """The states to which the ways lead, each explored where its ratios are known; anew where a line begins."""
        lines, found, left = -1, dict[int, None](), deque[int]()
        while lines != len(self.lines) or left:
            if lines != len(self.lines):
                lines, found, left = len(self.lines), {0: None}, deque([0])
            state = left.popleft()
            if self.ways[state] is None and all(self.ratio(each) for each in self.states[state].ratios):
                self.expand(state)
            for _, _, to in self.ways[state] or ():
                if to >= 0 and to not in found:
                    found[to] = None
                    left.append(to)
        return found

    def ratio(self, ratio: Ratio) -> Fraction | None:
        """A ratio, or that of a line, if it is known."""
        return self.lines[ratio - 1].ratio if type(ratio) is int else Fraction(ratio)

    # -- from state to state

    def expand(self, state: int) -> None:
        """Follow each answer in a state; where a line begins, it is followed as one instead."""
        found = []
        for weight, total, to in self.moved(self.states[state]):
            if isinstance(to, Question):
                if to not in self.numbers and self.begins(state, to):
                    return
                number = self.number(to, state)
            else:
                number = self.explorer.place(to)
            found.append((weight, total, number))
        self.ways[state] = found

    def moved(self, asked: Question) -> Iterable[tuple[int, int, Question | End]]:
        """Where each answer leads; the ways of states without a line are shared with the explorer."""
        if self.lines:
            return self.apart(asked)
        found: list[tuple[int, int, Question | End]] = self.explorer.moved(asked)
        return found

    def apart(self, asked: Question) -> Iterator[tuple[int, int, Question | End]]:
        """Where each answer leads in a chain with lines, whose numbers stand in its states for ratios."""
        for chance, parts in self.answers(asked):
            m, _ = self.thawed(asked, parts)
            yield chance.numerator, chance.denominator, self.explorer.arrive(m)

    def answers(self, asked: Question) -> Iterator[tuple[Fraction, dict[int, Any]]]:
        """The answers of a question: the probability of each, and what becomes of the draws."""
        if not asked.ratios:
            for a, b in pairwise(asked.cuts):
                yield Fraction(b - a, asked.cuts[-1] - asked.cuts[0]), dict.fromkeys(asked.draws, (a, b))
            return
        known: Any = tuple([self.ratio(each) for each in asked.ratios])
        for chance, values in cases(known, asked.cuts[0]):
            yield chance, {draw: (value, None) for draw, value in zip(asked.draws, values, strict=True)}

    # -- lines

    def begins(self, state: int, to: Question) -> bool:
        """Whether a line begins at one of the last states before a new one."""
        for _ in range(NEAR):
            steps = {} if state in self.tried else self.steps(self.states[state], to)
            if steps:
                self.begin(state, steps)
                return True
            state = self.before[state]
        return False

    def steps(self, first: Question, second: Question) -> dict[Place, int]:
        """The places at which two states differ in integers, and by how much; none where they differ otherwise."""
        alike = not first.ratios and first._replace(key=b"") == second._replace(key=b"")
        if not alike or len(first.key) != len(second.key):
            return {}  # integers that are not huge have equally many bytes
        if self.fixed(first) != self.fixed(second):
            return {}
        (a, rest), (b, other) = self.integers(first), self.integers(second)
        if a.keys() != b.keys() or rest != other:
            return {}
        return {place: b[place] - a[place] for place in a if a[place] != b[place]}

    def fixed(self, asked: Question) -> Any:
        """The part of a state beside the records with integers: a glance, before the state is made anew."""
        if asked not in self.around:
            *before, rows = marshal.loads(asked.key)
            self.around[asked] = before, [row[0] if row[0] in HELD else row for row in rows]
        return self.around[asked]

    def integers(self, asked: Question) -> tuple[dict[Place, int], bytes]:
        """The integers of a state, each with its place, and the bytes of the state with 0 in place of each."""
        if asked not in self.held:
            m, records = self.thawed(asked)
            found = dict(_integers(records))
            for place, integer in found.items():
                _add(records, place, -integer)
            self.held[asked] = found, encode(m)[0]
        return self.held[asked]

    def thawed(self, asked: Question, parts: dict[int, Any] = NO_PARTS) -> tuple[Machine, list[Any]]:
        """A state made anew, and its records."""
        m = Machine(self.explorer.pins)
        return m, thaw(m, asked.key, parts)

    def begin(self, first: int, steps: dict[Place, int]) -> None:
        """Follow a line from its first state on as one."""
        number = len(self.lines) + 1
        every, turn = [self.number(self.along(first, steps, number, more), first) for more in (0, 1)]
        self.lines.append(Line(first, every, turn))
        self.tried.add(first)
        self.ways[first] = self.ways[turn] = [(1, 1, every)]

    def along(self, first: int, steps: dict[Place, int], number: int, more: int) -> Question:
        """The question of a line's states first + more + j for every j."""
        asked = self.states[first]
        m, records = self.thawed(asked)
        j = binary("add", fresh(number), more)
        for place, step in steps.items():
            _add(records, place, binary("mul", j, step))
        written, writer = encode(m)
        return Question(written, (writer.numbers[id(records[asked.draws[0]])],), asked.cuts)

    def turning(self, line: Line) -> Fraction:
        """The probability of a turn, from the states of a line: on the ways to its first state, j is lost."""
        mark = -1 - len(self.explorer.outcomes)
        ways = list(self.ways)
        ways[line.turn], ways[line.first] = [(1, 1, mark)], None
        return solve(ways, line.every).get(mark, Fraction(0))

    def measure(self, line: Line) -> None:
        """Find the ratio of a line, of which all states are explored; one without turns is no line."""
        ratio = self.turning(line)
        if ratio == 1:
            raise Refused("a loop is never left")
        if ratio:
            line.ratio = ratio
        else:
            self.ways[line.first] = None


def _integers(records: list[Any]) -> Iterator[tuple[Place, int]]:
    """The integers of a state, each with its place; of a count, the integer in its sum."""
    for number, record in enumerate(records):
        for where, value in values_of(record):
            if value.__class__ is int or is_count(value):
                yield (number, where), linear(value)[0]


def _add(records: list[Any], place: Place, more: Value) -> None:
    number, where = place
    value = dict(values_of(records[number]))[where]
    put(records[number], where, binary("add", value, more))


def summed(explorer: Any) -> Ends | None:
    """The exact law of the program of an explorer, its tails summed; None where it has another form than this."""
    most, explorer.calls.most = explorer.calls.most, 0  # calls are followed
    try:
        first = explorer.arrive(explorer.begin(Machine))
        return _Tails(explorer).ends(first) if isinstance(first, Question) else None
    except Refused:
        return None
    finally:
        explorer.calls.most = most
