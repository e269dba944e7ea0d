"""Small programs as people write them, drawn by Hypothesis: source text, by what they may get wrong.

A program is a module with a function `noisy(x)` or `noisy(x, rng)` for the inputs 0 and 1. Nothing in it is written
for an auditor: it calls numpy, `random`, `secrets` and the rest of the standard library as they are. `pieces.toml`
holds what the programs are made of.
"""

from __future__ import annotations

import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

HEADER = """\
import enum
import os
import random
import secrets
import ssl
import uuid
from collections import namedtuple
from dataclasses import dataclass, field, make_dataclass

import numpy as np


class Refused(Exception):
    def __init__(self, *, count=None, text="refused"):
        self.count = count
        self.text = text

    def __str__(self):
        return f"{self.text} ({self.count})"


class Quiet(ValueError):
    def __str__(self):
        return "quiet"


SAID = []


class Spoken(Exception):
    def __str__(self):
        return f"said {SAID}"


class Level(enum.Enum):
    LOW = 0
    HIGH = 1


FIRST, SECOND = enum.Enum("Kind", {"A": 0}), enum.Enum("Kind", {"A": 1})


@dataclass
class Plain:
    n: int
    hidden: int = field(default=0, repr=False, compare=False)

"""
PIECES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("pieces.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Program:
    """The lines of a function, whether it takes a numpy Generator, and lines of the module before it."""

    body: str
    takes_rng: bool = False
    before: str = ""

    @property
    def source(self) -> str:
        """The module's text."""
        head = "def noisy(x, rng):\n" if self.takes_rng else "def noisy(x):\n"
        return f"{HEADER}{self.before}\n\n{head}{textwrap.indent(self.body, '    ')}"


def a(name: str) -> st.SearchStrategy[str]:
    """Return one of the pieces of a name."""
    return st.sampled_from(PIECES[name])


def _indented(lines: str) -> str:
    return textwrap.indent(lines, "    ")


def _scaled(constants: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(constants, constants.map(lambda c: f"({c}) * x"), st.sampled_from(["x", "1 - x", "x + 1"]))


def _filled(operation: str) -> st.SearchStrategy[str]:
    """Return an operation on a draw `d` with a constant for its {c}, or a small one for its {s}."""
    if "{c}" in operation:
        return _scaled(a("constants")).map(lambda c: operation.format(c=c))
    if "{s}" in operation:
        return _scaled(a("small")).map(lambda c: operation.format(s=c))
    return st.just(operation)


OPERATIONS = [
    *(form.format(op) for op in PIECES["operators"] for form in ("d {} ({{c}})", "({{c}}) {} d")),
    *(form.format(op) for op in ("<<", "**") for form in ("d {} ({{s}})", "({{s}}) {} d")),
    *PIECES["shown"],
]
AGAIN = [form.format(op) for op in PIECES["operators"] for form in ("d {} 1", "2 {} d", "d {} -1")]


DTYPED = st.tuples(
    st.sampled_from(
        ["rng.integers({}, dtype={})", "rng.integers({}, dtype={}, endpoint=True)", "np.random.randint({}, dtype={})"]
    ),
    a("ranges"),
    a("dtypes"),
).map(lambda p: p[0].format(p[1], p[2]))
UNTYPED = st.tuples(st.sampled_from(["rng.integers({})", "np.random.randint({})"]), a("ranges")).map(
    lambda p: p[0].format(p[1])
)


@st.composite
def arithmetic(draw: st.DrawFn, operation: str) -> Program:
    """What is drawn is computed with, in the type that the library gives it."""
    lines = f"d = {draw(st.one_of(UNTYPED, DTYPED, DTYPED, a('draws')))}\nd = {draw(_filled(operation))}\n"
    if draw(st.booleans()):
        lines += f"d = {draw(st.sampled_from(AGAIN))}\n"
    lines += "return d\n"
    if draw(st.booleans()):
        lines = f"if x:\n{_indented(lines)}return True\n"
    if draw(st.booleans()):
        lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
    return Program(lines, takes_rng=True)


WRAPPING = [form.format(op) for op in "+-*" for form in ("d {} {{c}}", "{{c}} {} d")]
WRAPPING += ["-d", "~d", "d < {c}", "d == {c}", "{c} >= d", "d & {c}"]
NARROW = {"np.int8": ["126, 128", "-128, -126"], "np.uint8": ["250, 256", "0, 2"], "np.int16": ["32765, 32768", "0, 2"]}


@st.composite
def wrapping(draw: st.DrawFn, operation: str) -> Program:
    """A number at an end of a narrow type goes beyond it: it wraps, or it is refused; nearly all have a law."""
    kind = draw(st.sampled_from([*NARROW]))
    drawn = draw(st.sampled_from(["rng.integers({}, dtype={})", "np.random.randint({}, dtype={})"]))
    lines = f"d = {drawn.format(draw(st.sampled_from(NARROW[kind])), kind)}\n"
    constant = draw(st.sampled_from(["1", "2", "-1", "100", "x", "300"]))
    return Program(f"{lines}return {operation.format(c=constant)}\n", takes_rng=True)


@st.composite
def parameters(draw: st.DrawFn, call: str) -> Program:
    """A parameter that depends on the input is one that the library refuses, or takes in its own way."""
    lines = f"d = {call.format(a=draw(a('parameters')), b=draw(a('parameters')))}\nreturn {draw(a('results'))}\n"
    match draw(st.integers(0, 2)):
        case 1:
            lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
        case 2:
            lines = f"if x:\n{_indented(lines)}return False\n"
    return Program(lines, takes_rng=True)


SEEDED = [
    *((made, "pass") for made in PIECES["made"]),
    *((made, seeding) for made in PIECES["made"] if "{k}" not in made for seeding in PIECES["seedings"]),
]


@st.composite
def seeds(draw: st.DrawFn, made: str, seeding: str) -> Program:
    """A generator is given a seed or a state, before or after it is made."""
    k = draw(a("seeds"))
    given = seeding.format(k=k)
    if draw(st.booleans()):
        given = f"try:\n    {given}\nexcept {draw(a('caught'))}:\n    pass"
    back = draw(st.sampled_from(["(d, e)", "x ^ bool(d)", "d", "x if d else 1 - x"]))
    lines = f"r = {made.format(k=k)}\n{given}\nd = {draw(a('drawn'))}\ne = {draw(a('drawn'))}\nreturn {back}\n"
    return Program(lines, takes_rng=True)


@st.composite
def kinds(draw: st.DrawFn, question: str) -> Program:
    """What the program asks about the generator that it was given or made decides what it does."""
    lines = f"r = {draw(a('things'))}\na = {question}\nb = {draw(a('questions'))}\n"
    lines += draw(st.sampled_from(["return (a, b)\n", "return x if a else 1 - x\n", "return (a == b, x * 0)\n"]))
    if draw(st.booleans()):
        lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
    return Program(lines, takes_rng=True)


@st.composite
def outcomes(draw: st.DrawFn, end: str) -> Program:
    """What is returned or raised says more than its type and arguments."""
    shown = draw(st.sampled_from(["x", "x", "x + 7", "d", "0", "x * d"]))
    return Program(f"d = random.randrange(3)\nif d == 2:\n    return 'ok'\n{end.replace('{v}', shown)}\n")


@st.composite
def hidden(draw: st.DrawFn, source: str) -> Program:
    """Randomness that the coins do not give decides seldom, in the midst of draws that are routed."""
    rare = draw(st.sampled_from(["< 3", "== 7", "< 40", "> 250", "% 128 == 5"]))
    back = draw(st.sampled_from(["raise ValueError(x)", "return x", "return (x,)"]))
    asked = f"s = {source}\n"
    if draw(st.booleans()):
        asked = f"try:\n    {asked}except {draw(a('caught'))}:\n    s = 9\n"
    rest = draw(st.sampled_from(["d", "None", "d * x", "0"]))
    return Program(f"d = random.randrange(2)\n{asked}if s {rare}:\n    {back}\nreturn {rest}\n")


@dataclass(frozen=True)
class Family:
    """Programs of one kind: strategies, each for those that are made around one piece.

    A plain run tries `examples` programs of every third strategy, the first the simplest that there is, and runs each
    program `runs` times on an input, enough for outcomes as rare as these are; `read` of them have a law at the least.
    """

    around: list[st.SearchStrategy[Program]]
    examples: int
    runs: int
    read: int = 0


FAMILIES = {
    "wrapping": Family([wrapping(piece) for piece in WRAPPING], examples=4, runs=100, read=15),
    "arithmetic": Family([arithmetic(piece) for piece in OPERATIONS], examples=2, runs=100, read=40),
    "parameters": Family([parameters(piece) for piece in PIECES["calls"]], examples=2, runs=100, read=8),
    "seeds": Family([seeds(made, seeding) for made, seeding in SEEDED], examples=2, runs=100),
    "kinds": Family([kinds(piece) for piece in PIECES["questions"]], examples=3, runs=20, read=23),
    "outcomes": Family([outcomes(piece) for piece in PIECES["raised"] + PIECES["returned"]], 2, runs=60, read=15),
    "hidden": Family([hidden(piece) for piece in PIECES["hidden"]], examples=3, runs=600, read=3),
}


def held(how: str, k: str) -> str:
    """Return a module that holds a generator, or seeds the one that all share; its target flips with 1/4."""
    program = Program("return x ^ (RNG.random() < 0.25)\n", before=how.format(k=k))
    claim = "import dpcert\naudited = dpcert.target(guarantee=dpcert.PureDP('ln(3)'), inputs=[0, 1], neighbours='any')"
    return f"{program.source}\n{claim}(dpcert.redirect(noisy))\n"
