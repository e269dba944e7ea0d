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

MOST_DRAWS = 300

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

    def __init__(self, pins: Any) -> None:
        super().__init__(pins)
        self.log: list[list[int]] = []
        self.open: list[tuple[Draw, int]] = []

    def draw(self, bound: int, kind: str) -> Value:
        if len(self.log) >= MOST_DRAWS:
            raise Late
        value = super().draw(bound, kind)
        self.log.append([bound, 0, bound])
        if type(value) is Undecided:
            self.open.append((value.draw, len(self.log) - 1))
        return value

    def answered(self, asked: Ask, part: tuple[int, int]) -> Picked:
        """The machine that goes on with an answer, made from bytes as in an exploration."""
        key, writer = encode(self)
        number = writer.numbers[id(asked.draw)]
        after = Picked(self.pins)
        records = thaw(after, key, {number: part})
        after.log = self.log
        known = [(writer.numbers.get(id(draw)), place) for draw, place in self.open]
        after.open = [(records[other], place) for other, place in known if other is not None]
        for other, place in known:
            if other == number:
                after.log[place][1:] = part
        return after


def pick(explorer: Explorer, chance: random.Random) -> Way | None:
    """A way through a program, at the edges of its draws; None where it is longer than `MOST_DRAWS`."""
    m = explorer.begin(Picked)
    try:
        while True:
            try:
                m.run()
                explorer.ended(m)
                numbers = [chance.choice((lo, hi - 1)) for _, lo, hi in m.log]
                return Way(outcome_of(m), [bound for bound, _, _ in m.log], numbers)
            except Ask as asked:
                parts = list(pairwise(asked.cuts))
                m = m.answered(asked, chance.choice(parts))
    except Late:
        return None


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
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as into:
        words = into.read()
    _, status = os.waitpid(child, 0)
    if words or status:
        raise Unauditable(words or "the process ended in which CPython runs the program")


def replay(program: Callable[..., Any], value: Any, count: int = 20, seed: int = 0, watch: Watch = NO_WATCH) -> int:
    """Replay ways through a program, and return how many were compared.

    Raises: Unauditable where CPython draws otherwise, or ends otherwise, than the machine.
    """
    chance, explorer = random.Random(seed), Explorer(program, value, Limits())
    try:
        picked = [pick(explorer, chance) for _ in range(count)]
    except Refused as refused:
        raise Unauditable(str(refused)) from None
    ways = [way for way in picked if way is not None]

    def work() -> None:
        for way in ways:
            run_again(program, value, way, watch)

    if explorer.left:
        apart(work)
    else:
        work()
    return len(ways)
