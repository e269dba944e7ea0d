"""The possible releases of a program with several undecided floats in one expression: a superset, without masses.

The result of an operation on two undecided floats is taken for any double between bounds, a hull: a draw of the kind
"hull", whose place is that of a double among all in order. The operation itself, applied to the ends, gives the bounds:
addition, multiplication and the rest are monotone in either number by IEEE 754. A comparison of two undecided numbers
is answered both ways, unless their bounds exclude one. So what ends of the program are found is a superset of those
that there are, and nothing more is claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.chains import at
from dpcert.reading.domains.steps import BINARY, COMPARED, UNIT, same
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.floats.accuracy import STEPS, place_in_order, stepped
from dpcert.reading.floats.functions import DOUBLES, is_followed
from dpcert.reading.foreign import Tables
from dpcert.reading.machine import Machine
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.values import Draw, Undecided, Value

MONOTONE = frozenset({"add", "sub", "mul", "truediv"})
MOST_STATES = 2_000
MOST_STEPS = 3_000_000
"""The most states, and the most instructions, of an exploration."""


def hull(low: float, high: float, kind: type) -> Value:
    """Any double in [low, high], both zeros where there is one, as a number of a type."""
    if not (math.isfinite(low) and math.isfinite(high)):
        raise Refused("what several undecided floats make may be infinite")
    least, greatest = place_in_order(float(low)), place_in_order(float(high))
    least, greatest = (-1 if least == 0 else least), (0 if greatest == -1 else greatest)
    chain = () if kind is float else (("np", "d"),)
    return domain.settled(Undecided(Draw(least, greatest + 1, "hull"), chain))


def _is_one(a: Undecided, b: Undecided) -> bool:
    """Whether two numbers are one: made of one draw by the same steps."""
    steps = zip(a.chain, b.chain, strict=False)
    alike = len(a.chain) == len(b.chain) and all(x[0] == y[0] and _same_by(x[1], y[1]) for x, y in steps)
    return a.draw is b.draw and alike


def _same_by(x: Any, y: Any) -> bool:
    if type(x) is tuple and type(y) is tuple:
        return len(x) == len(y) and all(map(_same_by, x, y))
    if type(x) is str or type(y) is str:
        return type(x) is type(y) and bool(x == y)
    return x is y or (isinstance(x, (int, float)) and same(x, y))


def combined(m: Any, name: str, a: Value, b: Value) -> Value:
    """The result of an operator on two undecided numbers, one of them a float of 64 bits; None where it is no hull.

    Raises: Ask whether a divisor is positive; Refused where a result may be infinite.
    """
    if name not in MONOTONE or not (is_followed(a) and is_followed(b)):
        return None
    kinds = domain.kind_of(a), domain.kind_of(b)
    if not DOUBLES.intersection(kinds):
        return None
    operation = BINARY[name]
    if name == "truediv" and not domain.compare(b, ">", 0) and not domain.compare(b, "<", 0):
        return domain.must_decide(b)
    with numpy.errstate(all="ignore"):
        ends = [operation(kinds[0](x), kinds[1](y)) for x, y in product(domain.ends(a), domain.ends(b))]
    if any(each != each or type(each) not in DOUBLES for each in ends):
        raise Refused("what several undecided floats make may be no double")
    return hull(min(ends), max(ends), type(ends[0]))


def compared(m: Any, sign: str, a: Value, b: Value) -> Value:
    """The answer of a comparison of two undecided numbers: either one, unless bounds exclude one; None for others.

    Raises: Refused for numbers that are not followed.
    """
    if not (is_followed(a) and is_followed(b)):
        return None
    kinds = domain.kind_of(a), domain.kind_of(b)
    like = COMPARED[sign](kinds[0](0), kinds[1](0))
    if _is_one(a, b):
        return like
    (low, high), (other_low, other_high) = (sorted(domain.ends(each)) for each in (a, b))
    if high < other_low or other_high < low:
        return COMPARED[sign](kinds[0](low), kinds[1](other_low))
    return call_act(m.prelude("either"), (Undecided(Draw(0, 2, "int")), like))


def _wave(name: str, host: Any) -> Callable[..., Value]:
    def run(m: Any, value: Value, /) -> Value:
        if not is_followed(value):
            return host(domain.decide(value) if value.__class__ is Undecided else value)
        m.pins.drawn.add(f"{host.__module__ if host.__module__ == 'math' else 'numpy'}.{name}")
        return hull(stepped(-1.0, -STEPS), stepped(1.0, STEPS), type(host(at(value, value.draw.lo))))

    return run


class Superset(Machine):
    """A machine that goes on where undecided floats meet, with any of the results that bounds allow."""

    combines = staticmethod(combined)
    compares = staticmethod(compared)
    tables = Tables(
        rules={id(host): _wave(host.__name__, host) for host in (math.cos, math.sin)},
        elements={host: _wave(host.__name__, host) for host in (numpy.cos, numpy.sin)},
    )


class Numbered(Machine):
    """A machine whose draws are the numbers of a record."""

    record: Iterator[tuple[int, int]]

    def draw(self, bound: int, kind: str) -> Value:
        """The next number.

        Raises: Refused for a draw below another bound than the next of the record.
        """
        recorded, number = next(self.record, (0, 0))
        if recorded != bound:
            raise Refused("the machine draws otherwise than CPython does on the same numbers")
        return number / UNIT if kind == "float" else number


class _Explorer(Explorer):
    machines = Superset


@dataclass(frozen=True, slots=True)
class Ends:
    """Outcomes that a program may have, by their names, in how many states, and what that rests on."""

    outcomes: dict[Any, Any]
    states: int
    notes: tuple[str, ...]
    files: frozenset[str]


def ends_of(program: Callable[..., Any], value: Any, *, reverse: bool = False) -> Ends:
    """Return a superset of the outcomes of a program on an input.

    Raises: Unauditable, which names what is not followed, or more than `MOST_STATES` states.
    """
    explorer = _Explorer(program, value, Limits(MOST_STATES, Fraction(0)), reverse=reverse)
    try:
        m = explorer.begin(Superset)
        with numpy.errstate(all="ignore"):
            pending = [explorer.place(explorer.arrive(m))]
            while pending:
                state = pending.pop()
                if state >= 0 and explorer.ways[state] is None:
                    pending += [to for _, _, to in explorer.expand(state)]
                if len(explorer.questions) > MOST_STATES or explorer.steps > MOST_STEPS:
                    raise Refused(f"several undecided floats leave more states than {MOST_STATES}")
    except Refused as refused:
        raise Unauditable(str(refused)) from None
    outcomes = {name: explorer.outcomes[-1 - end] for name, end in explorer.ends.items()}
    files = frozenset(code.host.co_filename for code in explorer.pins.codes.values())
    return Ends(outcomes, len(explorer.questions), explorer.entry.notes(explorer.pins), files)


def outcome_on(program: Callable[..., Any], value: Any, record: Record) -> Any:
    """Return the outcome of a program by the machine, on the numbers of a record.

    Raises: Unauditable where it draws others, or is not followed.
    """
    explorer = Explorer(program, value, Limits())
    try:
        m = explorer.begin(Numbered)
        m.record = iter(record)
        m.run()
        found = outcome_of(m)
    except Refused as refused:
        raise Unauditable(str(refused)) from None
    if next(m.record, None) is not None:
        raise Unauditable("the machine draws fewer numbers than CPython does")
    return found
