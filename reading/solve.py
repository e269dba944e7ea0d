"""The masses of the ends of a chain of states, exactly: integers where no state returns, elimination in loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

# The ways of a state: weight, out of how much, and the state or, below 0, the end that it leads to. None: not explored.
Ways = Sequence[tuple[int, int, int]]


class Mass(NamedTuple):
    """A mass as a ratio that need not be in lowest terms: for long numbers these are dear."""

    numerator: int
    denominator: int


class Masses:
    """Masses by place, each a numerator and a denominator, which are not reduced where this costs nothing."""

    def __init__(self) -> None:
        self.found: dict[int, Mass] = {}

    def add(self, place: int, numerator: int, denominator: int) -> None:
        """Add numerator / denominator to the mass of a place."""
        known = self.found.get(place)
        if known is None:
            self.found[place] = Mass(numerator, denominator)
            return
        top, bottom = known
        if bottom == denominator:
            self.found[place] = Mass(top + numerator, bottom)
        elif bottom % denominator == 0:
            self.found[place] = Mass(top + numerator * (bottom // denominator), bottom)
        elif denominator % bottom == 0:
            self.found[place] = Mass(top * (denominator // bottom) + numerator, denominator)
        else:
            total = Fraction(top, bottom) + Fraction(numerator, denominator)
            self.found[place] = Mass(total.numerator, total.denominator)


def components(ways: Sequence[Ways | None], first: int) -> list[list[int]]:
    """The strongly connected sets of states that are reached from `first`, each before those that lead to it."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    on: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    work: list[tuple[int, Iterator[int]]] = []

    def begin(state: int) -> None:
        number[state] = low[state] = len(number)
        stack.append(state)
        on.add(state)
        work.append((state, iter([to for _, _, to in ways[state] or () if to >= 0])))

    begin(first)
    while work:  # Tarjan's algorithm, without recursion: a chain may be longer than Python's calls may be deep
        state, rest = work[-1]
        to = next(rest, None)
        if to is not None:
            if to not in number:
                begin(to)
            elif to in on:
                low[state] = min(low[state], number[to])
            continue
        work.pop()
        if work:
            low[work[-1][0]] = min(low[work[-1][0]], low[state])
        if low[state] == number[state]:
            place = stack.index(state)
            found.append(stack[place:])
            on.difference_update(stack[place:])
            del stack[place:]
    return found


def visits(inside: list[int], ways: Sequence[Ways | None], arriving: dict[int, Mass]) -> dict[int, Fraction]:
    """How often each state of a loop is expected to be visited: the solution of v = arriving + v P."""
    members = set(inside)
    rows: dict[int, dict[int, Fraction]] = {state: {} for state in inside}
    for state in inside:
        for weight, total, to in ways[state] or ():
            if to in members:
                rows[to][state] = rows[to].get(state, Fraction(0)) + Fraction(weight, total)
    constants = {state: Fraction(*arriving.get(state, (0, 1))) for state in inside}
    order = _eliminated(rows, constants)
    found: dict[int, Fraction] = {}
    for state in reversed(order):
        found[state] = constants[state] + sum((x * found[other] for other, x in rows[state].items()), Fraction(0))
    return found


def _eliminated(rows: dict[int, dict[int, Fraction]], constants: dict[int, Fraction]) -> list[int]:
    """Substitute each state's equation in those of the states after it; return the order in which that was done."""
    users: dict[int, set[int]] = {state: set() for state in rows}
    for state, row in rows.items():
        for other in row:
            users[other].add(state)
    # by Markowitz' rule: a state with few ways in and out adds few new ones between others
    order = sorted(rows, key=lambda state: len(rows[state]) * len(users[state]))
    done: set[int] = set()
    for state in order:
        row = rows[state]
        own = row.pop(state, Fraction(0))
        if own == 1:
            raise ZeroDivisionError("a loop that is never left")
        factor = 1 / (1 - own)
        for other in row:
            row[other] *= factor
        constants[state] *= factor
        done.add(state)
        for user in users[state] - done:
            share = rows[user].pop(state, Fraction(0))
            constants[user] += share * constants[state]
            for other, x in row.items():
                rows[user][other] = rows[user].get(other, Fraction(0)) + share * x
                users[other].add(user)
    return order


def leaks(inside: list[int], ways: Sequence[Ways | None]) -> bool:
    """Whether a loop can be left."""
    members = set(inside)
    return any(ways[state] is None or any(to not in members for _, _, to in ways[state] or ()) for state in inside)


def solve(ways: Sequence[Ways | None], first: int) -> dict[int, Fraction]:
    """The mass of each end, by its number below 0, in lowest terms."""
    return {end: Fraction(*mass) for end, mass in solved(ways, first).items()}


def solved(ways: Sequence[Ways | None], first: int) -> dict[int, Mass]:
    """The mass of each end, by its number below 0.

    Claims: what they lack of 1 is the mass of the states that are not explored, and of loops without an exit.
    """
    mass, ends = Masses(), Masses()
    mass.add(first, 1, 1)
    for inside in reversed(components(ways, first)):
        members = set(inside)
        loop = len(inside) > 1 or any(to == inside[0] for _, _, to in ways[inside[0]] or ())
        if loop and not leaks(inside, ways):
            continue
        arriving = {state: mass.found[state] for state in inside if state in mass.found}
        known = visits(inside, ways, arriving) if loop else arriving
        for state, each in known.items():
            for weight, total, to in ways[state] or ():
                if to not in members:
                    # a further cut of a draw is out of what the cut before left: no factor stands above and below
                    left, rest = divmod(each.numerator, total)
                    top, bottom = (each.numerator, each.denominator * total) if rest else (left, each.denominator)
                    (ends if to < 0 else mass).add(to, top * weight, bottom)
    return ends.found
