"""A segment of a program: a run from one state to the next states or ends, once for each list of answers; and the
frames of the state at which it ends, those of functions that can be entered again, each called by what enters it.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.explore import Settings, interior
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Entry, Mark, Run, Signal
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.flat import Frames
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.library import class_of_library
from dpcert.mechanisms.states.runtime import (
    INFOS,
    NOW,
    REWRITER,
    advance,
    again,
    delegated,
    delegated_again,
    go,
    root,
)
from dpcert.mechanisms.states.tokens import World
from dpcert.mechanisms.states.turns import Every, Found

MOST_DRAWS = 1_000
OTHERWISE = "run again from a state it met other decisions, so it keeps state that was not captured"
Answers = list[tuple[Mark, int]]
Draw = tuple[int, Any]
"""A draw on a way: its bound, and the number of a node that the next state keeps, the ends of an interval, values of
what was split into digits, or two records of a merged step or of a call (bound 0)."""
Record = tuple[Any, tuple[Any, ...]]
"""A function or a generator in progress, and what it restores."""
GO, AGAIN, ROOT = go.__code__, again.__code__, root.__code__
NEXT = frozenset({advance.__code__, delegated.__code__, delegated_again.__code__})
ENTERING = NEXT | {GO, AGAIN}


class Arrived(Signal):
    """Ends a run at the state that it has come to, or for an error."""


class Segment(LazyRun):
    """A run from a state to the next one, with some answers given."""

    # what runs begin with; they are many, so that each has of its own only what it changes
    depth = limit = 0
    numerator = denominator = 1
    parent: Run | None = None
    cut: Entry | None = None
    busy = False
    counts = 0  # geometric numbers that were made
    kept: Sequence[Node] = ()
    sources: Sequence[tuple[Node, int]] = ()
    blocked: str | None = None  # why a state on the way could not be told

    def __init__(self, forced: Answers, settings: Settings, memo: dict[Any, Any], bits: int) -> None:
        self.forced = forced
        self.nodes = 0
        self.top = self.bottom = 1
        self.ended: Signal | None = None
        self.settings = settings
        self.memo = memo
        self.bits = bits
        self.path = []
        self.tape = []
        self.other: list[Answers] = []

    def split(self, mark: Mark, sizes: Any, total: int) -> int:
        if self.ended is not None:
            self.check()
        path, forced = self.path, self.forced
        position = len(path)
        if position < len(forced):
            expected, choice = forced[position]
            if expected != mark:
                self.poison(OTHERWISE)
        else:
            if self.bottom.bit_length() - self.top.bit_length() > self.bits:
                self.give_up("a part of the program between two loop heads has too many paths")
            choice = len(sizes) - 1 if self.settings.reverse else 0
            for other in range(choice) if choice else range(len(sizes) - 1, 0, -1):  # the last is followed next
                self.other.append([*path, (mark, other)])
        path.append((mark, choice))
        self.top *= sizes[choice]
        self.bottom *= total
        NOW.moved = True
        return choice

    def drawn(self, bound: int, item: Any) -> Any:
        NOW.moved = True
        if self.ended is not None or self.busy or len(self.tape) > MOST_DRAWS:
            return super().drawn(bound, item)
        self.tape.append((bound, item))
        return item

    def check_weight(self) -> None:
        """Check the probability of the decisions against what they left of each draw.

        Raises: NotRead where the two differ: the program changed a draw.
        """
        left, whole = self.numerator, self.denominator
        for bound, item in self.tape:
            if type(item) is Node:
                left, whole = left * item.count(), whole * bound
        for node, width in self.sources:
            left, whole = left * node.count(), whole * width
        if Fraction(left, whole) != Fraction(self.top, self.bottom):
            raise NotRead("a draw was changed, and not by asking")

    def source(self, lo: int, hi: int) -> Node:
        """Return a draw that the state left undecided."""
        node = Node(self, lo, hi)
        self.sources = (*self.sources, (node, hi - lo + 1))
        return node


@dataclass(frozen=True, slots=True)
class Kind:
    """The ways that differ only in the states they join: probability, draws, and what became of undecided draws."""

    weight: tuple[int, int]
    draws: tuple[Draw, ...]
    carried: tuple[Any, ...]


@dataclass(slots=True)
class Task:
    """A state whose ways are looked for, by its key; or all of a key that are followed as one."""

    name: tuple[Any, ...] | None  # None before the program begins
    rarity: int  # the bits by which its mass is less than 1
    rarest: int  # the same for the rarest of those that are followed as one
    every: Every | None = None  # what integers these hold
    memo: dict[Any, Any] = field(default_factory=dict)
    found: Found = field(default_factory=list)
    work: int = 0
    blocked: str | None = None


def spec_of(item: Any, places: dict[int, int]) -> Any:
    """Return what became of a draw; records as they are."""
    if type(item) is not Node:
        return item
    if places and id(item) in places:
        return places[id(item)]
    if item.radix:
        return item.pick(min), item.pick(max), item.pick(interior)
    return item.lo, item.hi


def frames_of(frame: Any, point: int) -> Frames:
    """Return the frames of a state, the outermost first.

    Raises: NotRead where one of them is not followed.
    """
    frames: Frames = []
    while True:
        if frame.f_code not in INFOS:
            raise NotRead("a function that is not followed is on the stack")
        back = frame.f_back
        code = back.f_code
        callee = back.f_locals["g" if code is GO or code is AGAIN else "it"] if code in ENTERING else None
        if type(callee) is types.GeneratorType and callee.gi_frame is frame:
            pass
        elif type(callee) is not types.FunctionType or callee.__code__ is not frame.f_code or code in NEXT:
            words = "a function in C" if code in ENTERING else "a function in C, or one that is not followed,"
            raise NotRead(f"{words} is on the stack")
        frames.append((frame, point, callee))
        frame = back.f_back
        if frame.f_code is ROOT:
            return frames[::-1]
        point = frame.f_locals.get("_dp_at", 0)


def place_of(frame: Any) -> str:
    """Return where a frame is, in words."""
    return _place(frame.f_code, frame.f_lineno)


def _place(code: types.CodeType, line: int) -> str:
    name = code.co_qualname.removeprefix("_dp_factory.<locals>._dp_made.<locals>.")
    return f"{code.co_filename.rpartition('/')[2]}:{line}, in {name}"


def differing(records: Iterable[Record], world: World, coins: Coins) -> tuple[str, str]:
    """Return the variable in which most of some states differ, in words, and what to do about it.

    `records` are those of the functions and generators in progress, of one state after the other.
    """
    told: dict[tuple[types.CodeType, str], dict[Any, type]] = {}
    for callee, (point, *values) in records:
        code = callee.gi_code if type(callee) is types.GeneratorType else callee.__code__
        info = INFOS[code]
        for place, name in zip(info.places[point], info.live[point], strict=True):
            for words, part in _parts(name, values[place]):
                freezer = Freezer(world, coins)
                freezer.add(part)
                told.setdefault((code, words), {})[tuple(freezer.tokens)] = type(part)
    code, name = max(told, key=lambda variable: len(told[variable]))
    grows = len({*map(len, told[code, name])}) > 1
    what = "an iterator" if name.startswith("_dp_") else repr(name)
    where = _place(code, _changed_at(code, name))
    remedy = "keep of it only what is read again" + (", such as a count" if grows else "")
    if grows and list in told[code, name].values():
        remedy += "; or draw its numbers in a function that changes nothing else and returns one"
    if float in told[code, name].values():
        remedy = "add up integers, and make a float of the sum"
    return f"{where}: {what} {'grows' if grows else 'differs'}", remedy


def _parts(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the attributes of an instance of a class of the program's, with their names; else the value alone."""
    own = {} if class_of_library(type(value)) else getattr(value, "__dict__", {})
    return [(f"{name}.{attribute}", part) for attribute, part in own.items()] or [(name, value)]


def _changed_at(code: types.CodeType, name: str) -> int:
    """Return the first line in a function's loops that changes a variable, or an attribute of one; else its own."""
    known = REWRITER.trees.get(code.co_filename, "")
    functions = [] if isinstance(known, str) else [each for each in ast.walk(known[0]) if type(each) is ast.FunctionDef]
    lines = [
        line
        for function in functions
        if function.name == code.co_name and function.lineno == code.co_firstlineno
        for loop in ast.walk(function)
        if isinstance(loop, (ast.For, ast.While))
        for line in _changes(loop, name)
    ]
    return min(lines, default=code.co_firstlineno)


def _changes(loop: ast.AST, name: str) -> Iterator[int]:
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign):
            changed = node.targets
        elif isinstance(node, ast.AugAssign):
            changed = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = [node.func.value]
        else:
            continue
        if name in [ast.unparse(each.value if isinstance(each, ast.Subscript) else each) for each in changed]:
            yield node.lineno
