"""Explorers that check the machine while it explores: each instruction is atomic, and bytes tell a state whole."""

from __future__ import annotations

import builtins
import marshal
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy

from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.keys import Writer, encode, thaw
from dpcert.reading.known import Question
from dpcert.reading.machine import Machine, Pinned
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.pins import Row
from dpcert.reading.solve import solve

STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "module": lambda parent, name: sys.modules[name],
    "builtin": lambda parent, name: getattr(builtins, name),
    "globals": lambda parent, name: parent.__globals__,
    "namespace": lambda parent, name: vars(parent),
    "item": lambda parent, name: parent[name],
    "value": lambda parent, place: list(parent.values())[place],
    "key": lambda parent, place: list(parent)[place],
    "static": lambda parent, name: vars(parent)[name],
    "attribute": lambda parent, name: object.__getattribute__(parent, name),
    "slot": lambda parent, name: slot_of(type(parent), name).__get__(parent),
    "type": lambda parent, name: type(parent),
    "mro": lambda parent, place: parent.__mro__[place],
    "cell": lambda parent, place: parent.__closure__[place],
    "content": lambda parent, name: parent.cell_contents,
    "default": lambda parent, place: parent.__defaults__[place],
    "keyword": lambda parent, name: parent.__kwdefaults__[name],
    "code": lambda parent, name: parent.__code__,
    "constant": lambda parent, place: parent.co_consts[place],
    "owner": lambda parent, name: parent.__self__,
    "function": lambda parent, name: parent.__func__,
    "static_member": lambda parent, name: parent._member_map_[name],
    "member_value": lambda parent, name: parent._member_map_[name]._value_,
    "dtype": lambda parent, name: numpy.dtype(name),
    "input": lambda parent, name: parent,
}


def slot_of(cls: type, name: str) -> Any:
    return next(vars(base)[name] for base in cls.__mro__ if name in vars(base))


def follow(pins: Pinned, rows: list[Row]) -> None:
    """Find the objects of a table that another process made, in a table that is as it was begun."""
    for parent, step, name in rows[2:]:
        thing = STEPS[step](pins.objects[parent] if parent >= 0 else None, name)
        pins.numbers.setdefault(id(thing), len(pins.rows))
        pins.rows.append((parent, step, name))
        pins.objects.append(thing)


class Atomic(Explorer):
    """Runs up to each question twice, the second time only to the instruction before: the states must be equal."""

    def __init__(self, program: Callable[..., Any], value: Any, limits: Limits) -> None:
        super().__init__(program, value, limits)
        self.calls.most = 0  # calls are followed, as all instructions are

    def answered(self, question: Question, a: int, b: int) -> Machine:
        self.began: Callable[[], Machine] | None = lambda: Explorer.answered(self, question, a, b)
        return Explorer.answered(self, question, a, b)

    def question(self, m: Machine, asked: Ask | None = None, writer: Writer | None = None) -> Question:
        found = super().question(m, asked, writer)
        if writer is None and getattr(self, "began", None) is not None:
            again = self.began()
            again.run(most=m.steps - 1)
            written, _ = encode(again)
            assert written == found.key, f"an instruction asks when it has begun: {m.where()}"
        return found


@dataclass(frozen=True, slots=True)
class Cold:
    """A question with the paths of its pinned objects: all that another process needs."""

    question: Question
    rows: bytes


class ColdExplorer:
    """Follows each answer in a process that has met no state before: it has the question's bytes, and paths."""

    def __init__(self, program: Callable[..., Any], value: Any, most: int) -> None:
        self.program, self.value, self.most = program, value, most
        self.ends: dict[bytes, int] = {}
        self.numbers: dict[Cold, int] = {}
        self.ways: list[list[tuple[int, int, int]] | None] = []

    def law(self) -> dict[bytes, Fraction]:
        """The probability of each outcome, by its canonical bytes."""
        first = self.number(self.apart(None, 0, 0))
        waiting = list(self.numbers)
        while waiting:
            cold = waiting.pop()
            cuts = cold.question.cuts
            ways = []
            for a, b in pairwise(cuts):
                known = len(self.numbers)
                ways.append((b - a, cuts[-1] - cuts[0], self.number(self.apart(cold, a, b))))
                waiting += list(self.numbers)[known:]
            self.ways[self.numbers[cold]] = ways
            if len(self.numbers) > self.most:
                raise Refused("too many states for cold processes")
        names = {number: name for name, number in self.ends.items()}
        if first < 0:
            return {names[first]: Fraction(1)}
        return {names[end]: mass for end, mass in solve(self.ways, first).items()}

    def number(self, told: Cold | bytes) -> int:
        if isinstance(told, bytes):
            return self.ends.setdefault(told, -1 - len(self.ends))
        if told not in self.numbers:
            self.numbers[told] = len(self.ways)
            self.ways.append(None)
        return self.numbers[told]

    def apart(self, cold: Cold | None, a: int, b: int) -> Cold | bytes:
        """Go on in a forked process, which is as this one was when it met the program: it explores nothing itself."""
        read, write = os.pipe()
        with warnings.catch_warnings():  # a worker of pytest-xdist has a thread that reads; the child has no use for it
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            with os.fdopen(write, "wb") as out:
                try:
                    told = marshal.dumps(self.step(cold, a, b))
                except BaseException as fault:
                    told = marshal.dumps(("fault", f"{type(fault).__name__}: {fault}"))
                out.write(told)
                out.flush()
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as into:
            found = marshal.loads(into.read())
        os.waitpid(child, 0)
        match found:
            case ("end", name):
                return bytes(name)
            case ("asks", key, draw, cuts, rows):
                return Cold(Question(key, (draw,), tuple(cuts)), rows)
        raise Refused(found[1])

    def step(self, cold: Cold | None, a: int, b: int) -> Any:
        pins = Pinned(self.program, self.value)
        if cold is None:
            explorer = Explorer(self.program, self.value, Limits())
            m, pins = explorer.begin(Machine), explorer.pins
        else:
            follow(pins, marshal.loads(cold.rows))
            m = Machine(pins)
            thaw(m, cold.question.key, dict.fromkeys(cold.question.draws, (a, b)))
        try:
            m.run()
        except Ask as asked:
            written, writer = encode(m)
            return "asks", written, writer.numbers[id(asked.draw)], tuple(asked.cuts), marshal.dumps(pins.rows)
        return "end", canonical(outcome_of(m))
