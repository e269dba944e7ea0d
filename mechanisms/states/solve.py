"""The law of the ends of a chain of states: discovered in layers, then solved exactly, or from below with a tail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from dpcert.mechanisms.exact.chain import absorb
from dpcert.mechanisms.states.errors import NotRead

GRID = 256
"""The bits of the masses that decide what is explored."""
MAX_LOOP = 2_000
"""States of a loop that is solved over the rationals."""

Ways = list[tuple[int, int]]


@dataclass(slots=True)
class Graph:
    """States by number with their ways: the state or the end that each leads to, and its kind."""

    ways: dict[int, Ways] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)
    closed: bool = True  # all states that are reached were expanded


def discover(
    expand: Callable[[int], Ways],
    is_end: Callable[[int], bool],
    weight: Callable[[int], tuple[int, int]],
    max_tail: Fraction,
    most: int,
) -> Graph:
    """Return all states that are reached from state 0, or where they do not end, those that carry all but max_tail.

    Masses go along the ways layer by layer, rounded down to multiples of 2^-GRID; they decide what is explored, and
    depend neither on the order of states nor of ways.

    Raises: NotRead for more than `most` states.
    """
    graph = Graph()
    ways = graph.ways
    active = {0: 1 << GRID}
    enough = max_tail.numerator * (1 << GRID) // max_tail.denominator >> 8
    waiting = {0}
    while waiting:
        if sum(active.values()) <= enough:
            graph.closed = False
            break
        after: dict[int, int] = {}
        for state, mass in active.items():
            out = ways.get(state)
            if out is None:
                out = ways[state] = expand(state)
                waiting.discard(state)
                for to, _ in out:
                    if is_end(to):
                        graph.ends.add(to)
                    elif to not in ways:
                        waiting.add(to)
                if len(ways) > most:
                    raise NotRead(f"more than {most} states are reached")
            for to, kind in out:
                if to not in graph.ends:
                    top, bottom = weight(kind)
                    after[to] = after.get(to, 0) + mass * top // bottom
        active = after
    return graph


def order(graph: Graph) -> list[list[int]]:
    """Return the states in groups that lead to each other, those that lead to others first (Tarjan 1972)."""
    ways = graph.ways
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on: set[int] = set()
    groups: list[list[int]] = []
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
            self.of[state] = known[0] + top, bottom
        else:
            common = lcm(known[1], bottom)
            self.of[state] = known[0] * (common // known[1]) + top * (common // bottom), common


def solve(graph: Graph, weight: Callable[[int], tuple[int, int]], max_tail: Fraction) -> dict[int, Fraction]:
    """Return the probability of each end: exact where the graph is closed, else a lower bound.

    Raises: NotRead for a loop of too many states.
    """
    ways, is_end = graph.ways, graph.ends.__contains__
    masses = Masses()
    masses.add(0, 1, 1)
    ends = Masses()
    bits = max_tail.denominator.bit_length() + 64
    for group in order(graph):
        state = group[0]
        if len(group) == 1 and all(to != state for to, _ in ways[state]):
            found = masses.of.pop(state, None)
            if found is None:
                continue
            top, bottom = found if graph.closed else _down(*found, bits)
            out = [(to, *weight(kind)) for to, kind in ways[state]]
            common = lcm(*(each[2] for each in out)) if out else 1
            for to, p, q in out:
                where = ends if is_end(to) else masses
                if to in ways or is_end(to):
                    where.add(to, top * p * (common // q), bottom * common)
            continue
        if len(group) > MAX_LOOP:
            raise NotRead(f"a loop has more than {MAX_LOOP} states")
        members = set(group)
        entries = {member: Fraction(*masses.of.pop(member)) for member in group if member in masses.of}
        moves: dict[Any, dict[Any, Fraction]] = {None: dict(entries)}
        rest = 1 - sum(entries.values())
        if rest:
            moves[None]["elsewhere"] = rest
        for member in group:
            row: dict[Any, Fraction] = {}
            for to, kind in ways[member]:
                if to in ways or is_end(to):
                    row[to] = row.get(to, Fraction(0)) + Fraction(*weight(kind))
            moves[member] = row
        start = ("start",)
        moves[start] = moves.pop(None)
        for to, mass in absorb(moves, start).items():
            if to == "elsewhere" or to in members or not mass:
                continue
            (ends if is_end(to) else masses).add(to, *_down(*mass.as_integer_ratio(), bits if not graph.closed else 0))
    return {end: Fraction(top, bottom) for end, (top, bottom) in ends.of.items()}


def _down(top: int, bottom: int, bits: int) -> tuple[int, int]:
    """Return a probability rounded down to a multiple of 2^-bits; exactly what it is for 0 bits."""
    if not bits or bottom.bit_length() <= bits:
        return top, bottom
    return (top << bits) // bottom, 1 << bits


__all__ = ["Graph", "Ways", "discover", "gcd", "order", "solve"]
