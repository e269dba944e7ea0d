"""The law of the ends of a chain of states: discovered by mass, then solved exactly, or from below with a tail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from dpcert.mechanisms.exact.chain import absorb
from dpcert.mechanisms.states.errors import TooMany

GRID = 1024
"""The bits of the masses that decide what is explored."""
MARGIN, STEP = 24, 40
"""By how many bits less than the allowed tail a state may matter and still be explored, and how many more each time."""
SPARE = 4
"""By how many bits less than the allowed tail all that waits may weigh by first visits, as states return."""
MAX_LOOP = 300
"""States of a loop that is solved over the rationals."""
LAYERS = 32
"""After so many layers there must be fewer states in one, or the states are taken to have no end."""

Ways = Sequence[tuple[int, int]]
Weights = tuple[dict[int, int], int]
"""The weights of ends, and the total over which they are probabilities."""


@dataclass(slots=True)
class Graph:
    """States by number with their ways: the state or the end that each leads to, and its kind.

    `expand` is given states, each with the bits by which its mass is less than 1. `waiting` are states that were
    reached and not expanded, each with its mass over 2^GRID from first visits alone.
    `leaks` tells whether ways lack some probability.
    """

    expand: Callable[[list[tuple[int, int]]], list[Ways]]
    is_end: Callable[[int], bool]
    weights: Sequence[tuple[int, int]]  # the probability of each kind, as numerator and denominator
    most: int
    leaks: Callable[[], bool]
    known: dict[int, Ways] = field(default_factory=dict)  # ways of states that need not be expanded
    ways: dict[int, Ways] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)
    waiting: dict[int, int] = field(default_factory=lambda: {0: 1 << GRID})
    ordered: tuple[int, Sequence[Sequence[int]]] = (0, ())  # for how many states, and their order

    def order(self) -> Sequence[Sequence[int]]:
        """Return the states in groups that lead to each other, those that lead to others first."""
        if self.ordered[0] != len(self.ways):
            self.ordered = len(self.ways), order(self)
        return self.ordered[1]

    def entries(self) -> int:
        """Return how many ways lead to states."""
        return sum(to in self.ways for out in self.ways.values() for to, _ in out)

    def explore(self, least: int, *, ending: bool = False) -> None:
        """Expand all states of at least some mass, layer by layer; with `ending` only while layers get smaller.

        What is explored depends neither on the order of the states of a layer nor of ways.

        Raises: TooMany for too many states.
        """
        ways, ends, waiting, weights, known = self.ways, self.ends, self.waiting, self.weights, self.known
        is_end, count, width = self.is_end, 0, len(waiting) + 1
        layer = [state for state, mass in waiting.items() if mass >= least]
        while layer:
            if len(ways) + len(layer) > self.most:
                raise TooMany(f"more than {self.most} states are reached")
            if ending and count % LAYERS == 0:
                if len(layer) >= width:
                    return
                width = len(layer)
            count += 1
            reached: dict[int, None] = {}
            masses = [(state, waiting.pop(state)) for state in layer]
            new = [(state, GRID - mass.bit_length()) for state, mass in masses if state not in known]
            found = self.expand(new) if new else []
            ways.update((state, known[state]) for state in layer if state in known)
            ways.update(zip([state for state, _ in new], found, strict=True))
            for state, mass in masses:
                for to, kind in ways[state]:
                    if to not in ways:
                        if is_end(to):
                            ends.add(to)
                            continue
                        top, bottom = weights[kind]
                        waiting[to] = waiting.get(to, 0) + mass * top // bottom
                        reached[to] = None
            layer = [state for state in reached if waiting[state] >= least]

    def finish(self, more: int) -> bool:
        """Expand all states, if they are no more than so many; else none. Return whether all are expanded."""
        most, before = self.most, (self.ways.copy(), self.ends.copy(), self.waiting.copy())
        self.most = min(most, len(self.ways) + more)
        try:
            self.explore(0)
        except TooMany:
            self.ways, self.ends, self.waiting = before
        finally:
            self.most = most
        return not self.waiting

    def lessen(self, tail: Fraction, bits: int, most: int) -> int:
        """Expand states of ever less mass, from 2^-bits down to 2^-most, until those that wait weigh no more than a
        tail; return the bits that it took.

        Raises: TooMany.
        """
        enough = tail.numerator * (1 << GRID) // tail.denominator
        self.explore((1 << GRID) >> min(bits, GRID))
        while bits < most and sum(self.waiting.values()) > enough:
            bits += 1
            self.explore((1 << GRID) >> min(bits, GRID))
        return bits


def solved(graph: Graph, max_tail: Fraction, *, ending: bool = True) -> Weights:
    """Return the probability of each end of a graph that is explored here: exact where finitely many states are
    reached, else lower bounds that miss at most `max_tail`, or what no further exploration lessens.

    With `ending`, rare states are explored as well while there seem to be finitely many.

    Raises: TooMany for too many states.
    """
    bits, tail, before = max_tail.denominator.bit_length(), max_tail / (1 << SPARE), Fraction(1)
    if ending:
        bits += MARGIN
        graph.explore((1 << GRID) >> bits)
        if graph.waiting:
            graph.explore(0, ending=True)
    else:
        bits = graph.lessen(tail, bits, bits + MARGIN)
    while True:
        weights, total = found = probabilities(graph, max_tail)
        missing = Fraction(total - sum(weights.values()), total)
        if not graph.waiting or missing <= max_tail or missing * 2 > before:
            return found
        before, tail = missing, tail * max_tail / missing / 2
        bits = graph.lessen(tail, bits if not ending else bits + STEP, bits + STEP)


def order(graph: Graph) -> Sequence[Sequence[int]]:
    """Return the states in groups that lead to each other, those that lead to others first.

    Source: Kahn 1962 where no state returns, else Tarjan 1972.
    """
    ways = graph.ways
    before = dict.fromkeys(ways, 0)  # how many ways into each state are from states that are not in line yet
    for out in ways.values():
        for to, _ in out:
            if to in before:
                before[to] += 1
    line = [0]
    for state in line:
        for to, _ in ways[state]:
            if to in before:
                before[to] -= 1
                if not before[to]:
                    line.append(to)
    if len(line) == len(ways):
        return [(state,) for state in line]
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on: set[int] = set()
    groups: list[Sequence[int]] = []
    work: list[tuple[int, Iterator[tuple[int, int]]]] = []

    def enter(state: int) -> None:
        index[state] = low[state] = len(index)
        stack.append(state)
        on.add(state)
        work.append((state, iter(ways[state])))

    enter(0)
    while work:
        state, rest = work[-1]
        for to, _ in rest:
            if to not in ways:
                continue
            if to not in index:
                enter(to)
                break
            if to in on and index[to] < low[state]:
                low[state] = index[to]
        else:
            work.pop()
            if work and low[state] < low[work[-1][0]]:
                low[work[-1][0]] = low[state]
            if low[state] == index[state]:
                group = []
                while True:
                    member = stack.pop()
                    on.discard(member)
                    group.append(member)
                    if member == state:
                        break
                groups.append(group)
    groups.reverse()
    return groups


class Masses:
    """Exact masses by state: a numerator over a denominator; those over one denominator are added as integers."""

    def __init__(self) -> None:
        self.of: dict[int, tuple[int, int]] = {}

    def add(self, state: int, top: int, bottom: int) -> None:
        known = self.of.get(state)
        if known is None:
            self.of[state] = top, bottom
        elif known[1] == bottom:
            self.of[state] = known[0] + top, known[1]
        else:
            common = lcm(known[1], bottom)
            self.of[state] = known[0] * (common // known[1]) + top * (common // bottom), common

    def weights(self) -> Weights:
        """Return all masses over their least common denominator."""
        common = lcm(*{bottom for _, bottom in self.of.values()})
        scale = {bottom: common // bottom for _, bottom in self.of.values()}
        found = {state: top * scale[bottom] for state, (top, bottom) in self.of.items()}
        shared = gcd(common, *found.values())
        return {state: weight // shared for state, weight in found.items()}, common // shared


def probabilities(graph: Graph, max_tail: Fraction) -> Weights:
    """Return the probability of each end: exact where all states that are reached were expanded, else a lower bound."""
    ways = graph.ways
    masses, ends = Masses(), Masses()
    masses.add(0, 1, 1)
    exact = not graph.waiting and not graph.leaks()
    bits = max_tail.denominator.bit_length() + 64
    shares: dict[tuple[int, ...], tuple[list[int], int]] = {}
    before, last, product = 1, 1, 1
    for group in graph.order():
        state = group[0]
        found = masses.of.pop(state, None) if len(group) == 1 else None
        out = ways[state]
        if found is not None and state not in dict(out):
            top, bottom = found if exact else _down(*found, bits)
            kinds = tuple([kind for _, kind in out])
            known = shares.get(kinds)
            if known is None:
                known = shares[kinds] = _shares([graph.weights[kind] for kind in kinds])
            if bottom is not before or known[1] != last:  # as long numbers should not be made anew for each state
                before, last, product = bottom, known[1], bottom * known[1]
            for (to, _), share in zip(out, known[0], strict=True):
                if to in ways:
                    masses.add(to, top * share, product)
                elif to in graph.ends:
                    ends.add(to, top * share, product)
            continue
        if found is not None:
            masses.of[state] = found
        entries = {member: masses.of.pop(member) for member in group if member in masses.of}
        left = (
            _absorbed(graph, group, entries)
            if exact and len(group) <= MAX_LOOP
            else _passed(graph, group, entries, bits)
        )
        for to, (top, bottom) in left.items():
            (masses if to in ways else ends).add(to, top, bottom)
    return ends.weights()


def _shares(weights: list[tuple[int, int]]) -> tuple[list[int], int]:
    """Return probabilities over one denominator, and that."""
    common = lcm(*[bottom for _, bottom in weights])
    return [top * (common // bottom) for top, bottom in weights], common


def _absorbed(graph: Graph, group: Sequence[int], entries: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Return the masses that leave a group of states, exactly."""
    start, elsewhere = ("start",), ("elsewhere",)
    moves: dict[Any, dict[Any, Fraction]] = {start: {state: Fraction(*mass) for state, mass in entries.items()}}
    rest = 1 - sum(moves[start].values(), Fraction(0))
    if rest:
        moves[start][elsewhere] = rest
    for member in group:
        row: dict[Any, Fraction] = {}
        for to, kind in graph.ways[member]:
            row[to] = row.get(to, Fraction(0)) + Fraction(*graph.weights[kind])
        moves[member] = row
    left: dict[Any, Fraction] = absorb(moves, start)
    return {to: mass.as_integer_ratio() for to, mass in left.items() if to != elsewhere and mass}


def _passed(
    graph: Graph, group: Sequence[int], entries: dict[int, tuple[int, int]], bits: int
) -> dict[int, tuple[int, int]]:
    """Return lower bounds of the masses that leave a group, in multiples of 2^-bits: states are eliminated one by one.

    Every number is rounded down, what a state is left by is rounded up, and nothing is subtracted but from 1.
    """
    one = 1 << bits
    start = -1
    rows: dict[int, dict[int, int]] = {start: {state: top * one // bottom for state, (top, bottom) in entries.items()}}
    into: dict[int, set[int]] = {member: set() for member in group}
    for member in group:
        row: dict[int, int] = {}
        for to, kind in graph.ways[member]:
            if to in graph.ways or to in graph.ends:
                top, bottom = graph.weights[kind]
                row[to] = row.get(to, 0) + top * one // bottom
        rows[member] = row
    for source, row in rows.items():
        for to in row:
            if to in into:
                into[to].add(source)
    for member in sorted(group, reverse=True):
        row = rows.pop(member)
        leaves = one - row.pop(member, 0)
        sources = into.pop(member)
        sources.discard(member)
        for source in sources:
            other = rows[source]
            share = other.pop(member)
            for to, mass in row.items():
                if more := share * mass // leaves if leaves else 0:
                    other[to] = other.get(to, 0) + more
                    if to in into:
                        into[to].add(source)
        for to in row:
            if to in into:
                into[to].discard(member)
    return {to: (mass, one) for to, mass in rows[start].items() if mass}


def _down(top: int, bottom: int, bits: int) -> tuple[int, int]:
    """Return a probability rounded down to a multiple of 2^-bits, unless its denominator is no longer than that."""
    if bottom.bit_length() <= bits:
        return top, bottom
    return (top << bits) // bottom, 1 << bits
