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


class Level(enum.Enum):
    LOW = 0
    HIGH = 1


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


def _operations(constants: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return what is done with a draw `d`; powers and shifts stay small."""
    scaled, small = _scaled(constants), _scaled(a("small"))
    joined = st.tuples(a("operators"), scaled)
    grown = st.tuples(st.sampled_from(["<<", "**"]), small)
    return st.one_of(
        st.one_of(joined, grown).map(lambda p: f"d {p[0]} ({p[1]})"),
        st.one_of(joined, grown).map(lambda p: f"({p[1]}) {p[0]} d"),
        a("shown"),
    )


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
def arithmetic(draw: st.DrawFn) -> Program:
    """What is drawn is computed with, in the type that the library gives it."""
    lines = f"d = {draw(st.one_of(UNTYPED, DTYPED, a('draws')))}\nd = {draw(_operations(a('constants')))}\n"
    if draw(st.booleans()):
        lines += f"d = {draw(_operations(st.sampled_from(['0', '1', '2', '-1', '3'])))}\n"
    lines += "return d\n"
    if draw(st.booleans()):
        lines = f"if x:\n{_indented(lines)}return True\n"
    if draw(st.booleans()):
        lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
    return Program(lines, takes_rng=True)


@st.composite
def parameters(draw: st.DrawFn) -> Program:
    """A parameter that depends on the input is one that the library refuses, or takes in its own way."""
    call = draw(a("calls")).format(a=draw(a("parameters")), b=draw(a("parameters")))
    lines = f"d = {call}\nreturn {draw(a('results'))}\n"
    match draw(st.integers(0, 2)):
        case 1:
            lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
        case 2:
            lines = f"if x:\n{_indented(lines)}return False\n"
    return Program(lines, takes_rng=True)


@st.composite
def seeds(draw: st.DrawFn) -> Program:
    """A generator is given a seed or a state, before or after it is made."""
    k = draw(a("seeds"))
    made, seeding = draw(a("made")).format(k=k), draw(a("seedings")).format(k=k)
    if draw(st.booleans()):
        seeding = f"try:\n    {seeding}\nexcept {draw(a('caught'))}:\n    pass"
    back = draw(st.sampled_from(["x ^ bool(d)", "(d, e)", "d", "x if d else 1 - x"]))
    return Program(
        f"r = {made}\n{seeding}\nd = {draw(a('drawn'))}\ne = {draw(a('drawn'))}\nreturn {back}\n", takes_rng=True
    )


@st.composite
def kinds(draw: st.DrawFn) -> Program:
    """What the program asks about the generator that it was given or made decides what it does."""
    lines = f"r = {draw(a('things'))}\na = {draw(a('questions'))}\nb = {draw(a('questions'))}\n"
    lines += draw(st.sampled_from(["return (a, b)\n", "return x if a else 1 - x\n", "return (a == b, x * 0)\n"]))
    if draw(st.booleans()):
        lines = f"try:\n{_indented(lines)}except {draw(a('caught'))}:\n    return None\n"
    return Program(lines, takes_rng=True)


@st.composite
def outcomes(draw: st.DrawFn) -> Program:
    """What is returned or raised says more than its type and arguments."""
    shown = draw(st.sampled_from(["x", "x", "x + 7", "d", "0", "x * d"]))
    end = draw(st.one_of(a("raised"), a("returned"))).replace("{v}", shown)
    return Program(f"d = random.randrange(3)\nif d == 2:\n    return 'ok'\n{end}\n")


@st.composite
def hidden(draw: st.DrawFn) -> Program:
    """Randomness that the coins do not give decides seldom, in the midst of draws that are routed."""
    source, rare = draw(a("hidden")), draw(st.sampled_from(["< 3", "== 7", "< 40", "> 250", "% 128 == 5"]))
    back = draw(st.sampled_from(["return x", "raise ValueError(x)", "return (x,)"]))
    asked = f"s = {source}\n"
    if draw(st.booleans()):
        asked = f"try:\n    {asked}except {draw(a('caught'))}:\n    s = 9\n"
    rest = draw(st.sampled_from(["d", "None", "d * x", "0"]))
    return Program(f"d = random.randrange(2)\n{asked}if s {rare}:\n    {back}\nreturn {rest}\n")


def held(how: str, k: str) -> str:
    """Return a module that holds a generator, or seeds the one that all share; its target flips with 1/4."""
    program = Program("return x ^ (RNG.random() < 0.25)\n", before=how.format(k=k))
    claim = "import dpcert\naudited = dpcert.target(guarantee=dpcert.PureDP('ln(3)'), inputs=[0, 1], neighbours='any')"
    return f"{program.source}\n{claim}(dpcert.redirect(noisy))\n"
