"""Replays: the machine picks a way, and CPython runs the program on numbers at the edges of each draw's interval.

Both must draw the same and end alike. Replays guard that the machine is like CPython; that merging is sound needs no
guard. Where runs leave something behind on what was there before, each is made in a process of its own.
"""

from __future__ import annotations

import marshal
import os
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import call
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
ALL_DRAWS = 20_000  # once ways have so many draws, no more are begun
Told = tuple[bytes, list[int], str]


class Late(Signal):
    """A run draws more than the way that it repeats."""


class Picked(Machine):
    """A machine that notes its draws: the bound of each, and the part of its interval that answers left."""

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


def pick(explorer: Explorer, chance: random.Random, often: float = OFTEN) -> tuple[Any, list[list[int]]] | None:
    """A way through a program: its outcome, and the draws on it; None where it is longer than `MOST_DRAWS`.

    `often` says how often a state is made anew; it always is where a number that a draw leaves one value is needed.
    """
    m = explorer.begin(Picked)
    try:
        while True:
            try:
                m.run()
                return outcome_of(m), m.log
            except Ask as asked:
                parts = list(pairwise(asked.cuts))
                part = chance.choice(parts)
                if len(parts) == 1 or chance.random() < often:
                    m = m.anew(asked, part)
                else:
                    m.answered(asked, part)
    except Late:
        return None
    except Refused:
        if often == 1:
            raise
    return pick(explorer, chance, 1)  # a number may be undecided here that an exploration knows


def run_again(program: Callable[..., Any], value: Any, numbers: list[int]) -> Told:
    """What CPython makes of a program on given numbers: the outcome as bytes, the bounds drawn, and a text."""
    bounds: list[int] = []

    def answer(bound: int) -> int:
        bounds.append(bound)
        if len(bounds) > len(numbers):
            raise Late
        return numbers[len(bounds) - 1]

    try:
        outcome, _ = call(lambda coins: fresh(program(fresh(value), coins)), Coins(Plain(answer)))
    except Late:
        return b"", bounds, "more draws"
    return canonical(outcome), bounds, show(outcome)


def apart(work: list[Callable[[], Told]]) -> list[Told]:
    """What functions return, one after the other, in a process of their own, of which nothing stays."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "wb") as out:
            try:
                told = [each() for each in work]
            except Unauditable as refusal:
                told = [(b"", [], str(refusal))] * len(work)
            out.write(marshal.dumps(told))
            out.flush()
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as into:
        written = into.read()
    os.waitpid(child, 0)
    found: list[Told] = marshal.loads(written)  # written by the child above
    return found


def replay(program: Callable[..., Any], value: Any, count: int = 20, seed: int = 0, *, keeps: bool = True) -> int:
    """Replay ways through a program, and return how many were compared; where ways are long, there are fewer.

    `keeps` is that of its `Reading`: where a run leaves something behind, each is made in a process of its own.

    Raises: Unauditable where CPython draws otherwise, or ends otherwise, than the machine.
    """
    chance, explorer, drawn = random.Random(seed), Explorer(program, value, Limits()), 0
    ways: list[tuple[Any, list[int]]] = []
    work: list[Callable[[], Told]] = []
    for _ in range(count):
        try:
            way = pick(explorer, chance)
        except Refused as refused:
            raise Unauditable(str(refused)) from None
        if way is not None:
            outcome, log = way
            numbers = [chance.choice((lo, hi - 1)) for _, lo, hi in log]
            ways.append((outcome, [bound for bound, _, _ in log]))
            work.append(partial(run_again, program, value, numbers))
        drawn += MOST_DRAWS if way is None else len(log)
        if drawn > ALL_DRAWS:
            break
    told = [apart([each])[0] for each in work] if keeps else apart(work)
    for (outcome, bounds), each in zip(ways, told, strict=True):
        _compare(outcome, bounds, each)
    return len(ways)


def _compare(outcome: Any, bounds: list[int], told: Told) -> None:
    name, drawn, text = told
    if drawn != bounds:
        raise Unauditable(
            f"the machine draws below {bounds[:5]}, and CPython, run on the same numbers, below {drawn[:5]}"
        )
    if name != canonical(outcome):
        raise Unauditable(f"{show(outcome)} by the machine, {text} when CPython runs it on the same numbers")
