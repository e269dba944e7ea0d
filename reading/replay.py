"""Replays: the machine picks a way, and CPython runs the program on numbers at the edges of each draw's interval.

Both must draw the same and end alike. Replays guard that the machine is like CPython; that merging is sound needs no
guard. All run in one process, one after another, so that a program is refused whose next run depends on what the last
one left behind; where runs leave something behind, it is a process of their own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Watch, call
from dpcert.mechanisms.exact.outcome import canonical, fresh, show
from dpcert.mechanisms.exact.run import Signal
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.keys import encode, thaw
from dpcert.reading.machine import Machine
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.values import Draw, Undecided, Value

MOST_DRAWS = 3_000  # of one way
OFTEN = 0.1
LONG = 100
ALL_DRAWS = 20_000  # once ways have so many draws, no more are begun
NO_WATCH = Watch()


@dataclass(frozen=True, slots=True)
class Way:
    """A way through a program: its outcome, the bounds of its draws, and numbers that lead along it."""

    outcome: Any
    bounds: list[int]
    numbers: list[int]


class Late(Signal):
    """A run draws more than the way that it repeats."""


class Picked(Machine):
    """A machine that notes its draws: the bound of each, and the part of its interval that answers left."""

    merges = False

    def __init__(self, pins: Any) -> None:
        super().__init__(pins)
        self.log: list[list[int]] = []
        self.open: dict[int, tuple[Draw, int]] = {}

    def draw(self, bound: int, kind: str) -> Value:
        if len(self.log) >= MOST_DRAWS:
            raise Late
        value = super().draw(bound, kind)
        self.log.append([bound, 0, bound])
        if type(value) is Undecided:
            self.open[id(value.draw)] = value.draw, len(self.log) - 1
        return value

    def answered(self, asked: Ask, part: tuple[int, int]) -> None:
        """Go on with an answer from the state as it is, its draw narrowed."""
        draw = asked.draw
        draw.lo, draw.hi = part
        self.log[self.open[id(draw)][1]][1:] = part

    def anew(self, asked: Ask, part: tuple[int, int]) -> Picked:
        """The machine that goes on with an answer, made from bytes as in an exploration."""
        key, writer = encode(self)
        number = writer.numbers[id(asked.draw)]
        after = Picked(self.pins)
        records = thaw(after, key, {number: part})
        after.log = self.log
        after.log[self.open[id(asked.draw)][1]][1:] = part
        for draw, place in self.open.values():
            if id(draw) in writer.numbers:
                again = records[writer.numbers[id(draw)]]
                after.open[id(again)] = again, place
        return after


def pick(explorer: Explorer, chance: random.Random, often: float = OFTEN) -> Way | None:
    """A way through a program, at the edges of its draws; None where it is longer than `MOST_DRAWS`.

    `often` says how often a state is made anew; it always is where a number that a draw leaves one value is needed.
    """
    m = explorer.begin(Picked)
    try:
        with numpy.errstate(all="ignore"):
            return _along(explorer, m, chance, often)
    except Late:
        return None
    except Refused:
        if often == 1:
            raise
    return pick(explorer, chance, 1)  # a number may be undecided here that an exploration knows


def _along(explorer: Explorer, m: Picked, chance: random.Random, often: float) -> Way:
    while True:
        try:
            m.go()
            explorer.ended(m)
            numbers = [chance.choice((lo, hi - 1)) for _, lo, hi in m.log]
            return Way(outcome_of(m), [bound for bound, _, _ in m.log], numbers)
        except Ask as asked:
            parts = list(pairwise(asked.cuts))
            part = chance.choice(parts)
            seldom = 1 if often == 1 else min(1, LONG / len(m.log))  # a state with many draws is long
            if len(parts) == 1 or chance.random() < often * seldom:
                m = m.anew(asked, part)
            else:
                m.answered(asked, part)


def run_again(program: Callable[..., Any], value: Any, way: Way, watch: Watch) -> None:
    """Run a program by CPython on the numbers of a way, under a watch.

    Raises: Unauditable where it draws otherwise, or ends otherwise.
    """
    bounds: list[int] = []

    def answer(bound: int) -> int:
        bounds.append(bound)
        if len(bounds) > len(way.numbers):
            raise Late
        return way.numbers[len(bounds) - 1]

    outcome: Any = None
    with suppress(Late), watch.replay(), watch.first():
        outcome, _ = call(lambda coins: fresh(program(fresh(value), coins)), Coins(Plain(answer)))
    if bounds != way.bounds:
        both = f"below {way.bounds[:5]}, and CPython, run on the same numbers, below {bounds[:5]}"
        raise Unauditable(f"the machine draws {both}")
    if canonical(outcome) != canonical(way.outcome):
        both = f"{show(way.outcome)} by the machine, {show(outcome)} when CPython runs it on the same numbers"
        raise Unauditable(both)


def apart(work: Callable[[], None]) -> None:
    """Do some work in a process of its own, of which nothing stays.

    Raises: Unauditable as the work does.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "w") as out:
            try:
                work()
            except Unauditable as refusal:
                out.write(str(refusal))
            except BaseException as error:
                out.write(f"the program ended with {type(error).__name__} when CPython ran it")
            out.flush()
            os._exit(0)  # not by an exception: what the parent does at its end is not for the child to do
    os.close(write)
    with os.fdopen(read) as into:
        words = into.read()
    _, status = os.waitpid(child, 0)
    if words or status:
        raise Unauditable(words or "the process ended in which CPython runs the program")


def ways_of(explorer: Explorer, chance: random.Random, count: int) -> list[Way]:
    """Ways through a program; where they are long, there are fewer.

    Raises: Refused.
    """
    found: list[Way] = []
    drawn = 0
    for _ in range(count):
        way = pick(explorer, chance)
        found += [] if way is None else [way]
        drawn += MOST_DRAWS if way is None else len(way.numbers)
        if drawn > ALL_DRAWS:
            break
    return found


def replay(program: Callable[..., Any], value: Any, count: int = 20, seed: int = 0, watch: Watch = NO_WATCH) -> int:
    """Replay ways through a program, and return how many were compared.

    Raises: Unauditable where CPython draws otherwise, or ends otherwise, than the machine.
    """
    explorer = Explorer(program, value, Limits())
    try:
        ways = ways_of(explorer, random.Random(seed), count)
    except Refused as refused:
        raise Unauditable(str(refused)) from None

    def work() -> None:
        for way in ways:
            run_again(program, value, way, watch)

    if explorer.left:
        apart(work)
    else:
        work()
    return len(ways)
