"""One run of a program on ideal noise: its decisions, and the linear inequalities that they are.

A comparison of noisy numbers is one decision. A run takes one answer, and notes the others that have a chance.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import FrameType
from typing import Any, NoReturn

from dpcert.audit.ideal.errors import Refused
from dpcert.audit.ideal.linear import possible
from dpcert.audit.ideal.logarithms import Derived, split
from dpcert.audit.ideal.noise import HALF, Law, is_whole
from dpcert.audit.ideal.numbers import Real, step_of
from dpcert.audit.ideal.parameter import OfEpsilon
from dpcert.audit.ideal.terms import Number, divided

MOST_DECISIONS = 10_000
"""The most comparisons of noise in one run."""

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
    the paths that differ in a random sign where one path stands for them."""

    laws: tuple[Law, ...]
    inequalities: tuple[Inequality, ...]
    weight: Fraction
    outcome: Any
    drawn: tuple[int, ...] = ()
    integers: bool = False
    held: tuple[str, ...] = ()
    derived: tuple[Derived, ...] = ()
    draws: tuple[tuple[int, tuple[Fraction, ...]], ...] = ()
    halves: tuple[Path, ...] = ()


@dataclass(slots=True)
class _Decision:
    mark: Any
    choice: int
    others: tuple[int, ...] = ()


class Run:
    """One run of a program on ideal noise: the decisions that it is to repeat, then new ones."""

    def __init__(self, forced: Sequence[tuple[Any, int]], *, reverse: bool = False, most: int = MOST_DECISIONS) -> None:
        self.forced = forced
        self.most = most  # decisions
        self.reverse = reverse
        self.decisions: list[_Decision] = []
        self.laws: list[Law] = []
        self.inequalities: list[Inequality] = []
        self.bounds: dict[Form, tuple[Number | None, Number | None]] = {}
        self.bound: set[int] = set()
        self.weight = Fraction(1)
        self.drawn: list[int] = []
        self.draws: list[tuple[int, tuple[Fraction, ...]]] = []
        self.integers = False
        self.held: set[str] = set()
        self.derived: dict[int, tuple[Derived, tuple[Number, Number], Real]] = {}
        self.refused: str | None = None
        self.stack: list[tuple[dict[str, Any], str, int]] = []

    def refuse(self, what: str) -> NoReturn:
        """End this run for good, even if the program swallows the exception."""
        if self.refused is None:
            self.refused = what
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                self.stack.append((frame.f_globals, frame.f_code.co_filename, frame.f_lineno))
                frame = frame.f_back
        raise Refused(self.refused)

    def hold(self, words: str) -> None:
        """Note that a generator that outlives the run is drawn from, in words."""
        self.held.add(words)

    def number(self, value: Number) -> Real:
        """Return a constant as a number of this run."""
        return Real(self, {}, value)

    def epsilon(self, value: Fraction | None = None) -> OfEpsilon:
        """Return the parameter epsilon: a number, or left open."""
        return OfEpsilon({1: 1} if value is None else {0: value}, self.refuse)

    def symbol(self, name: int) -> Real:
        """Return a number of an input that is left open."""
        return Real(self, {name: 1}, 0)

    def noise(self, law: Law) -> Real:
        """Return a fresh noise variable."""
        self.laws.append(law)
        return Real(self, {len(self.laws) - 1: 1}, 0)

    def logarithm(self, number: Real) -> Real:
        """Return the logarithm of a uniform number between 0 and 1 as noise; see `logarithms.py`."""
        ((name, c), *more) = number.terms.items()
        known = self.derived.get(name)
        if known is not None and known[1] == (c, number.offset):
            return known[2]
        if more or name < 0 or known is not None or self.laws[name].kind != "uniform":
            self.refuse("a logarithm of a noisy number that is not uniform between 0 and 1")
        alone = ((name, 1),)
        low, high = self.bounds.get(alone, (None, None))
        shared = any(item.form != alone and name in dict(item.form) for item in self.inequalities)
        found = None if shared else split(max(low or 0, 0), min(1 if high is None else high, 1), c, number.offset)
        if found is None:
            self.refuse("a logarithm of a noisy number that is not uniform between 0 and 1")
        law, sign, one_side = found
        noise = self.noise(law)
        ((stands, _),) = noise.terms.items()
        derived = Derived(name, stands) if one_side else Derived(name, stands, c, number.offset)
        if one_side:
            side = Inequality(((stands, 1),), 0, c < 0)
            self._put(side, alone)
            self.bounds[side.form] = (0, None) if side.above else (None, 0)
            self.bound.add(stands)
        self.derived[name] = derived, (c, number.offset), sign * noise
        return self.derived[name][2]

    def _put(self, side: Inequality, alone: Form) -> None:
        """Put an inequality in the place of those of the form `alone`, one of which cuts a uniform number in half."""
        order: list[tuple[int, Any]] = [(2 * place, item) for place, item in enumerate(self.inequalities)]
        order += [(2 * place - 1, weights) for place, weights in self.draws]
        kept: list[Inequality] = []
        self.draws = []
        for _, item in sorted(order, key=lambda each: each[0]):
            if not isinstance(item, Inequality):
                self.draws.append((len(kept), item))
            elif item.form != alone:
                kept.append(item)
            elif item.threshold == HALF:
                kept.append(side)
        self.inequalities = kept

    def need_no_derived(self, names: Iterable[int]) -> None:
        """End the run where a uniform number is used whose logarithm was taken."""
        if not self.derived.keys().isdisjoint(names):
            self.refuse("a uniform number beside its own logarithm")

    def choose(self, weights: Sequence[Fraction]) -> int:
        """Draw one of finitely many values, by its position."""
        possible = tuple(place for place, weight in enumerate(weights) if weight > 0)
        choice = self.decide(("draw", tuple(weights)), lambda: possible)
        self.weight *= weights[choice]
        self.drawn.append(choice)
        self.draws.append((len(self.inequalities), tuple(weights)))
        return choice

    def step(self, terms: Mapping[int, Number]) -> Number | None:
        """Return a number of which a form of discrete noise is always a multiple; open inputs in it are integers."""
        if not is_whole(self.laws, terms):
            return None
        self.integers = self.integers or any(name < 0 for name in terms)
        return step_of(terms.values())

    def positive(self, terms: Mapping[int, Number], offset: Number, *, or_zero: bool = False) -> bool:
        """Decide whether a form is above 0, or 0."""
        if all(name < 0 for name in terms):
            self.refuse("a comparison of open inputs without noise")
        self.need_no_derived(terms)
        form, threshold, flipped = normal_form(terms, offset)
        if self.step(terms) is not None:
            threshold = between_values(form, threshold, below=or_zero != flipped)
        low, high = self.bounds.get(form, (None, None))
        if low is not None and threshold <= low:
            above = True
        elif high is not None and threshold >= high:
            above = False
        else:
            above = self.decide((form, threshold), lambda: self._possible(form, threshold)) == 1
            self.inequalities.append(Inequality(form, threshold, above))
            self.bounds[form] = (threshold, high) if above else (low, threshold)
            self.bound.update(terms)
        return above != flipped

    def decide(self, mark: Any, possible: Callable[[], tuple[int, ...]]) -> int:
        """Take one of the choices that are possible, and note the others; `mark` says what is decided."""
        position = len(self.decisions)
        if position >= self.most:
            self.refuse(f"more than {self.most} comparisons in one run: the number of draws may have no bound")
        if position < len(self.forced):
            expected, choice = self.forced[position]
            if expected != mark:
                self.refuse("other decisions when it is run again: it keeps state between runs")
            self.decisions.append(_Decision(mark, choice))
            return choice
        choices = possible()
        if not choices:
            self.refuse("a path without probability")
        first, others = (choices[-1], choices[:-1]) if self.reverse else (choices[0], choices[1:])
        self.decisions.append(_Decision(mark, first, others))
        return first

    def _possible(self, form: Form, threshold: Number) -> tuple[int, ...]:
        """Return which answers have a chance: 1 for above, 0 for below."""
        free = [(name, c) for name, c in form if name not in self.bound]
        if all(any(_without_end(self.laws, name, side * c) for name, c in free) for side in (1, -1)):
            return (0, 1)
        related = self._related({name for name, _ in form})
        return tuple(
            choice
            for choice in (0, 1)
            if possible([*related, within_values(self.laws, Inequality(form, threshold, choice == 1))])
        )

    def _related(self, names: set[int]) -> list[tuple[Mapping[int, Number], Number]]:
        """Return the inequalities and supports of all variables that are linked to these."""
        if names.isdisjoint(self.bound):
            return [*supports(self.laws, names)]
        open_, related = list(self.inequalities), []
        while True:
            near = [item for item in open_ if not names.isdisjoint(name for name, _ in item.form)]
            if not near:
                break
            open_ = [item for item in open_ if item not in near]
            related += [within_values(self.laws, item) for item in near]
            names = names.union(*({name for name, _ in item.form} for item in near))
        return [*related, *supports(self.laws, names)]


def normal_form(terms: Mapping[int, Number], offset: Number) -> tuple[Form, Number, bool]:
    """Return (form, threshold, flipped): terms + offset is positive where the form is above the threshold, or below it
    where they are flipped."""
    names = sorted(terms, key=_noise_first)
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


def _noise_first(name: int) -> tuple[bool, int]:
    return name < 0, abs(name)


def _without_end(laws: Sequence[Law], name: int, side: Number) -> bool:
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
