"""The knowledge of the noise on one way through a program: it answers each comparison, or the way decides anew."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact, Weight, product_of, sign_of_weight, simplest
from dpcert.mechanisms.ideal.linear import possible
from dpcert.mechanisms.ideal.noise import HALF, Law, is_whole
from dpcert.mechanisms.ideal.path import (
    Derived,
    Form,
    Inequality,
    Narrowed,
    between_values,
    is_without_end,
    normal_form,
    split,
    step_of,
    supports,
    within_values,
)
from dpcert.mechanisms.ideal.terms import Number

MOST_DECISIONS = 3_000
"""The most comparisons of noise in one run."""
NARROWED = "a uniform number that was compared with exponentials, used otherwise"
GUARD_ADDED = (
    "a logarithm of a uniform number with a guard added, which ends before 0: write log(max(u, guard)), or log(1 - u)"
)
OPEN_ALONE = "a comparison of open inputs without noise"
NO_LOGARITHM = "a logarithm of a noisy number that is not uniform between 0 and 1"


class Known(ABC):
    """The laws of the noise that was drawn, and the inequalities and draws that were decided.

    How a new decision is taken, and how the run is refused, is for the subclass to say.
    """

    def __init__(self) -> None:
        self.laws: list[Law] = []
        self.inequalities: list[Inequality] = []
        self.bounds: dict[Form, tuple[Number | None, Number | None]] = {}
        self.bound: set[int] = set()
        self.weight: Weight = Fraction(1)
        self.drawn: list[int] = []
        self.draws: list[tuple[int, tuple[Weight, ...]]] = []
        self.narrowed: dict[int, Narrowed] = {}
        self.integers = False
        self.held: set[str] = set()
        self.derived: dict[int, tuple[Derived, tuple[Number, Number], int]] = {}

    @abstractmethod
    def decide(self, mark: Any, possible: Callable[[], tuple[int, ...]]) -> int:
        """Take one of the choices that are possible; `mark` says what is decided."""

    @abstractmethod
    def refuse(self, what: str) -> NoReturn:
        """End the run for good."""

    def hold(self, words: str) -> None:
        """Note that a generator that outlives the run is drawn from, in words."""
        self.held.add(words)

    def fresh(self, law: Law) -> int:
        """Return the name of a fresh noise variable."""
        self.laws.append(law)
        return len(self.laws) - 1

    def logarithm_of(self, terms: Mapping[int, Number], offset: Number) -> tuple[int, int]:
        """Return the noise that the logarithm of a uniform number between 0 and 1 is, and the sign that it has in it;
        see `path.py`."""
        ((name, c), *more) = terms.items()
        known = self.derived.get(name)
        if known is not None and known[1] == (c, offset):
            return known[0].name, known[2]
        self.need_whole({*terms} - {*self.derived})
        if more or name < 0 or known is not None or self.laws[name].kind != "uniform":
            self.refuse(NO_LOGARITHM)
        alone = ((name, 1),)
        low, high = self.bounds.get(alone, (None, None))
        shared = any(item.form != alone and name in dict(item.form) for item in self.inequalities)
        found = None if shared else split(max(low or 0, 0), min(1 if high is None else high, 1), c, offset)
        if found is None:
            ends = sorted((c * max(low or 0, 0) + offset, c * min(1 if high is None else high, 1) + offset))
            self.refuse(GUARD_ADDED if 0 < ends[0] < 1 < ends[1] == ends[0] + 1 else NO_LOGARITHM)
        law, sign, one_side = found
        stands = self.fresh(law)
        derived = Derived(name, stands) if one_side else Derived(name, stands, c, offset)
        if one_side:
            side = Inequality(((stands, 1),), 0, c < 0)
            self._put(side, alone)
            self.bounds[side.form] = (0, None) if side.above else (None, 0)
            self.bound.add(stands)
        self.derived[name] = derived, (c, offset), sign
        return stands, sign

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

    def need_whole(self, names: Iterable[int]) -> None:
        """End the run where a uniform number is used whose logarithm was taken, or which exact numbers narrowed."""
        used = set(names)
        self.need_no_derived(used)
        if not self.narrowed.keys().isdisjoint(used):
            self.refuse(NARROWED)

    def choose(self, weights: Sequence[Weight]) -> int:
        """Draw one of finitely many values, by its position."""
        signs = [self._sign(weight) for weight in weights]
        if min(signs) < 0:
            self.refuse("a draw with a weight below 0")
        possible = tuple(place for place, sign in enumerate(signs) if sign)
        choice = self.decide(("draw", tuple(weights)), lambda: possible)
        self.weight = product_of(self.weight, weights[choice])
        self.drawn.append(choice)
        self.draws.append((len(self.inequalities), tuple(weights)))
        return choice

    def _sign(self, number: Weight) -> int:
        try:
            sign = sign_of_weight(number)
        except Unauditable as error:
            self.refuse(str(error))
        return sign

    def is_uniform(self, name: int) -> bool:
        """Whether a variable is uniform noise."""
        return name >= 0 and self.laws[name].kind == "uniform"

    def is_above(self, name: int, factor: Exact, offset: Exact) -> bool:
        """Decide whether factor U + offset is above 0 for a uniform variable U, as a draw of one of the two parts into
        which that cuts what is left of U."""
        side = self._sign(factor)
        if side == 0:
            return self._sign(offset) > 0
        try:
            threshold = -offset / factor
        except Unauditable as error:
            self.refuse(str(error))
        left = self.narrowed.get(name) or self._whole(name)
        below, above = threshold - left.low, left.high - threshold
        if self._sign(below) <= 0 or self._sign(above) <= 0:
            return (self._sign(below) <= 0) == (side > 0)
        width = left.high - left.low
        chosen = self.choose((simplest(below / width), simplest(above / width))) == 1
        low, high = (threshold, left.high) if chosen else (left.low, threshold)
        self.narrowed[name] = Narrowed(name, low, high, (*left.draws, len(self.draws) - 1))
        return chosen == (side > 0)

    def _whole(self, name: int) -> Narrowed:
        """Return the part of a uniform variable that comparisons with rational numbers have left."""
        alone = ((name, 1),)
        self.need_no_derived([name])
        if any(item.form != alone and name in dict(item.form) for item in self.inequalities):
            self.refuse(NARROWED)
        low, high = self.bounds.get(alone, (None, None))
        return Narrowed(name, Exact.of(max(low or 0, 0)), Exact.of(1 if high is None else min(high, 1)))

    def step(self, terms: Mapping[int, Number]) -> Number | None:
        """Return a number of which a form of discrete noise is always a multiple, and None where real noise is in it;
        open inputs beside discrete noise are integers."""
        if not is_whole(self.laws, terms):
            return None
        self.integers = self.integers or any(name < 0 for name in terms)
        return step_of(terms.values())

    def may_vanish(self, terms: Mapping[int, Number]) -> bool:
        """Whether a form that is not constant has a chance to be 0: real noise has none."""
        if all(name < 0 for name in terms):
            self.refuse(OPEN_ALONE)
        return self.step(terms) is not None

    def positive(self, terms: Mapping[int, Number], offset: Number, *, or_zero: bool = False) -> bool:
        """Decide whether a form that is not constant is above 0, or 0; real noise is almost surely not 0."""
        if all(name < 0 for name in terms):
            self.refuse(OPEN_ALONE)
        if len(terms) == 1 and not self.narrowed.keys().isdisjoint(terms):
            ((name, c),) = terms.items()
            return self.is_above(name, Exact.of(c), Exact.of(offset))
        self.need_whole(terms)
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

    def _possible(self, form: Form, threshold: Number) -> tuple[int, ...]:
        """Return which answers have a chance: 1 for above, 0 for below."""
        # A variable without end that no inequality binds yet makes the form as great, or as small, as one likes.
        free = [(name, c) for name, c in form if name not in self.bound]
        if all(any(is_without_end(self.laws, name, side * c) for name, c in free) for side in (1, -1)):
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
        # Inequalities that share no variable with these, by way of others, cannot contradict them.
        open_, related = list(self.inequalities), []
        while True:
            near = [item for item in open_ if not names.isdisjoint(name for name, _ in item.form)]
            if not near:
                break
            open_ = [item for item in open_ if item not in near]
            related += [within_values(self.laws, item) for item in near]
            names = names.union(*({name for name, _ in item.form} for item in near))
        return [*related, *supports(self.laws, names)]
