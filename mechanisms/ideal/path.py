"""One way through a program on ideal noise: its laws, the inequalities that its comparisons are, and its outcome.

Logarithms of uniform noise are noise of their own; that is how exponential and Laplace noise is drawn by hand. Where
V = c U + b lies between 0 and 1, U uniform and between numbers that were decided, -ln V is exponential noise of rate 1,
whatever these numbers are. Where V is 2 U for U below 1/2, or 2 - 2 U for U above it, it is better the part of one
Laplace variable L with U = F(L), F its distribution function: L is below 0, or above, and ln V is L or -L. A uniform
number whose logarithm is taken may not be used otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact, Weight, product_of
from dpcert.mechanisms.ideal.linear import possible
from dpcert.mechanisms.ideal.noise import HALF, Law, is_whole
from dpcert.mechanisms.ideal.terms import Number, divided


@dataclass(frozen=True, slots=True)
class Derived:
    """The noise variable `name` that stands for the uniform one `uniform`: with `factor` c and `offset` b it is the
    exponential -ln(c U + b), and without them the Laplace variable L with U = F(L)."""

    uniform: int
    name: int
    factor: Number | None = None
    offset: Number = 0

    def uniform_at(self, value: float) -> float:
        """Return the uniform number at a value of the noise."""
        if self.factor is not None:
            return float((math.exp(-value) - self.offset) / self.factor)
        return math.exp(value) / 2 if value < 0 else 1 - math.exp(-value) / 2


def split(low: Number, high: Number, factor: Number, offset: Number) -> tuple[Law, int, bool] | None:
    """Return the law of the noise that ln(factor U + offset) is for U between two numbers, the sign that it has in it,
    and whether it is one side of Laplace noise; None where it is no such noise."""
    if {factor * low + offset, factor * high + offset} != {0, 1}:
        return None
    if (low, high, factor) in ((0, HALF, 2), (HALF, 1, -2)):
        return Law("laplace"), 1 if factor > 0 else -1, True
    return Law("exponential"), -1, False


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The uniform variable `name`, which comparisons with exact numbers have left between two of these.

    Each comparison is a draw on the way, by its place in `draws`. The variable may not be used otherwise.
    """

    name: int
    low: Exact
    high: Exact
    draws: tuple[int, ...] = ()


Form = tuple[tuple[int, Number], ...]
"""The coefficients of a linear form, by variable in ascending order; the first of them is 1."""


@dataclass(frozen=True, slots=True)
class Inequality:
    """The form is above the threshold, or below it; which of the two holds at equality has no probability."""

    form: Form
    threshold: Number
    above: bool

    def inward(self) -> tuple[dict[int, Number], Number]:
        """Return (a, b) with a(x) + b > 0 inside."""
        sign = 1 if self.above else -1
        return {name: sign * c for name, c in self.form}, -sign * self.threshold

    def renamed(self, names: Mapping[int, int]) -> Inequality:
        """Return the inequality with other names for some variables."""
        terms = {names.get(name, name): c for name, c in self.form}
        form, threshold, flipped = normal_form(terms, -self.threshold)
        return Inequality(form, threshold, self.above != flipped)


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a program: the laws of its noise variables, its inequalities, its draws from finitely many values
    with their chance, and its outcome. With `integers`, it is that of open inputs which are integers; `held` are in
    words the generators from which it draws that outlive a run, and `derived` the noise that stands for uniform one.
    `draws` has, for each draw, how many inequalities are decided before it, and the weights of its values. `halves` are
    the paths that differ in a random sign where one path stands for them. `narrowed` are uniform variables that were
    compared with exact numbers. `left` is in words what the run leaves behind: that it does not change the runs after
    it is an assumption. `loops` are those that the way is in when it ends, the outermost one first."""

    laws: tuple[Law, ...]
    inequalities: tuple[Inequality, ...]
    weight: Weight
    outcome: Any
    drawn: tuple[int, ...] = ()
    integers: bool = False
    held: tuple[str, ...] = ()
    derived: tuple[Derived, ...] = ()
    draws: tuple[tuple[int, tuple[Weight, ...]], ...] = ()
    halves: tuple[Path, ...] = ()
    narrowed: tuple[Narrowed, ...] = ()
    left: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()

    def within(self, loops: Sequence[Loop]) -> Path:
        """Return the path, which is in no loop, with its probability over all turns of some."""
        weight = self.weight
        for loop in loops:
            weight = product_of(weight, loop.factor)
        return replace(self, weight=weight, loops=tuple(loops))

    def chance(self) -> Fraction:
        """Return the weight where it is rational.

        Raises: Unauditable for another one.
        """
        if isinstance(self.weight, Exact):
            raise Unauditable("a draw by exponentials beside what is not decided with them")
        return self.weight


@dataclass(frozen=True, slots=True)
class Loop:
    """A state to which a program comes back: the way `head` leads to it, and each way of `repeats` back to it.

    The `factor` is 1 over the probability, from the state on, not to come back; until that is computed it is 1. Where
    turns are counted, the variable `counter` is the number of those which ended on a way of `counted`, plus 1: in the
    state to which such a way leads there is one more. Until its law is computed, its rate is a number below 0.
    """

    head: Path
    repeats: tuple[Path, ...]
    factor: Weight = Fraction(1)
    counter: int | None = None
    counted: tuple[Path, ...] = ()

    @property
    def depth(self) -> int:
        """How many comparisons and draws lead to the state."""
        return len(self.head.inequalities) + len(self.head.draws)


def every_loop(paths: Iterable[Path]) -> list[Loop]:
    """Return the loops that paths are in, and those that the ways back in these are in, each once."""
    found: dict[int, Loop] = {}
    left = [loop for path in paths for loop in path.loops]
    while left:
        loop = left.pop()
        if id(loop) not in found:
            found[id(loop)] = loop
            left += [inner for path in (*loop.repeats, *loop.counted) for inner in path.loops]
    return list(found.values())


def step_of(coefficients: Iterable[Number]) -> Fraction:
    """Return the greatest number of which any sum of integers times these coefficients is a multiple."""
    found = [Fraction(c) for c in coefficients]
    unit = lcm(*(c.denominator for c in found))
    return Fraction(gcd(*(int(c * unit) for c in found)), unit)


def normal_form(terms: Mapping[int, Number], offset: Number) -> tuple[Form, Number, bool]:
    """Return (form, threshold, flipped): terms + offset is positive where the form is above the threshold, or below it
    where they are flipped."""
    names = sorted(terms, key=lambda name: (name < 0, abs(name)))
    lead = terms[names[0]]
    if lead == 1 or lead == -1:
        return tuple((name, lead * terms[name]) for name in names), -lead * offset, lead < 0
    return tuple((name, divided(terms[name], lead)) for name in names), divided(-offset, lead), lead < 0


def between_values(form: Form, threshold: Number, *, below: bool) -> Fraction:
    """Return the number halfway between two values of a form of discrete noise, next below a threshold or above it;
    below a threshold that is itself a value, or above it."""
    step = step_of(c for _, c in form)
    place = threshold / step
    return step * (math.ceil(place) - HALF if below else math.floor(place) + HALF)


SLACK = Fraction(1, 1 << 12)


def within_values(laws: Sequence[Law], item: Inequality) -> tuple[dict[int, Number], Number]:
    """Return an inequality (a, b), a(x) + b > 0; of discrete noise, one that is hardly wider than the values inside, so
    that fewer points that are no values are inside of several."""
    form, offset = item.inward()
    if not is_whole(laws, form):
        return form, offset
    return form, offset - step_of(form.values()) * (HALF - SLACK)


def meet(items: Iterable[Inequality], laws: Sequence[Law]) -> bool:
    """Whether some values of the noise are within all these inequalities."""
    found = list(items)
    names = {name for item in found for name, _ in item.form}
    return possible([*(item.inward() for item in found), *supports(laws, names)])


def is_without_end(laws: Sequence[Law], name: int, side: Number) -> bool:
    """Whether a variable times a number has no greatest value."""
    return name < 0 or laws[name].support()[side > 0] is None


def supports(laws: Sequence[Law], names: Iterable[int]) -> list[tuple[dict[int, Number], Number]]:
    """Return the inequalities a(x) + b > 0 that say where variables lie."""
    found: list[tuple[dict[int, Number], Number]] = []
    for name in sorted(name for name in names if name >= 0):
        low, high = laws[name].support()
        if low is not None:
            found.append(({name: 1}, -low))
        if high is not None:
            found.append(({name: -1}, high))
    return found
