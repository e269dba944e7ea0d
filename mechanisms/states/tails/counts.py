"""Counts that calls return, undecided: integers shift + sum of scale * g, for independent geometric numbers g >= 0.

A call whose law ends in geometric series is answered by such a count. A comparison decides of each number only what it
must. The law of a geometric number is that of its excess over any bound that it passes, and two of them split exactly
into three cases: they are equal, the first is greater, or the second is. In each, what is left are again independent
geometric numbers. What else is asked of a count is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any, NoReturn

from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.lazy import Lazy, install
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.run import Run
from dpcert.reading.tails.far import Series, filled, leaves

FAR = (1_000, 1_000_003, 2**64 + 1)
"""Values of geometric numbers on which programs are run again, beside small ones."""
SMALL = 6
"""So many choices of small values there are, and then one for each of FAR."""
MOST_LISTED = 1_000
"""The greatest number with which a geometric number is compared, or up to which its values are told apart."""
NEEDED = "the count that a call returns was needed as a number"
Terms = dict["Geometric", int]
"""The scale of each number of a sum."""


class Geometric:
    """A number of law (1 - ratio) ratio^j; with `most`, given that it is at most that. Once split, a sum of others."""

    __slots__ = ("most", "place", "ratio", "shift", "terms")

    def __init__(self, run: Any, ratio: Fraction, most: int | None = None) -> None:
        self.ratio = ratio
        self.most = most
        self.place: int = run.counts  # how many were made before in its run
        run.counts += 1
        self.shift = 0
        self.terms: Terms | None = None  # None as long as it is not split

    def value(self, pick: int) -> int:
        """Return one of the values that it can have on the path that was taken; `pick` says which."""
        if self.terms is not None:
            return self.shift + sum(scale * each.value(pick) for each, scale in self.terms.items())
        if pick < SMALL:
            found = (pick + self.place * (1 + pick // 3)) % 3
        else:
            found = FAR[(pick - SMALL + self.place) % len(FAR)] + self.place
        return found if self.most is None else min(found, self.most)

    def becomes(self, shift: int, terms: Terms) -> None:
        """Note what it is, where it was split."""
        self.shift, self.terms = shift, terms

    def exceeds(self, run: Run, bound: int) -> bool:
        """Decide whether it is greater than a bound >= 0."""
        if self.most is not None and self.most <= bound:
            return False
        if bound > MOST_LISTED:  # its probability has too many digits
            run.poison(NEEDED)
        beyond = self.ratio ** (bound + 1)
        if self.most is None:
            more, rest = beyond, None
        else:
            end = self.ratio ** (self.most + 1)
            more, rest = (beyond - end) / (1 - end), self.most - bound - 1
        if _choice(run, [1 - more, more]):
            self.becomes(bound + 1, {Geometric(run, self.ratio, rest): 1})
            return True
        self.becomes(0, {Geometric(run, self.ratio, bound): 1})
        return False

    def decided(self, run: Run) -> int:
        """Decide one that has a greatest value."""
        assert self.most is not None
        if self.most > MOST_LISTED:
            run.poison(NEEDED)
        found = _choice(run, [self.ratio**j for j in range(self.most + 1)])
        self.becomes(found, {})
        return found

    def against(self, run: Run, other: Geometric) -> None:
        """Decide which of two that have no greatest value is greater, or that they are equal."""
        r, s = self.ratio, other.ratio
        choice = _choice(run, [(1 - r) * (1 - s), r * (1 - s), s * (1 - r)])
        least = Geometric(run, r * s)
        self.becomes(0, {least: 1})
        other.becomes(0, {least: 1})
        if choice:
            greater = self if choice == 1 else other
            greater.becomes(1, {least: 1, Geometric(run, greater.ratio): 1})


def _choice(run: Run, shares: list[Fraction]) -> int:
    """Decide between cases whose probabilities are as these shares."""
    weights, _ = on_one_denominator(shares)
    common = gcd(*weights)
    weights = [weight // common for weight in weights]
    if len(weights) == 1:
        return 0
    total = sum(weights)
    choice = run.split(("count", *weights), weights, total)
    run.numerator *= weights[choice]
    run.denominator *= total
    return choice


class _Held:
    """Stands where an undecided number has its draw: what is asked of that is refused."""

    __slots__ = ("run",)

    def __init__(self, run: Run) -> None:
        self.run = run

    def __getattr__(self, name: str) -> NoReturn:
        self.run.poison(NEEDED)


class Count(Lazy):
    """A count shift + sum of scale * g, as a program sees it."""

    __slots__ = ()
    _plain = int
    _maps: tuple[int, Terms]

    def __init__(self, run: Run, shift: int, terms: Terms) -> None:
        self._node: Any = _Held(run)
        self._maps: Any = (shift, terms)

    def _decide(self) -> Any:
        self._node.run.poison(NEEDED)

    def _span(self) -> int:
        return 1 << 1_000  # whatever meets it is decided first

    def _sum(self) -> tuple[int, Terms]:
        """Return the shift and the terms by numbers that are not split."""
        run = self._node.run
        run.check()
        shift, terms = self._maps
        found: Terms = {}
        waiting = [*terms.items()]
        while waiting:
            each, scale = waiting.pop()
            if each.terms is None:
                found[each] = found.get(each, 0) + scale
                continue
            shift += scale * each.shift
            waiting += [(inner, scale * own) for inner, own in each.terms.items()]
        return shift, {each: found[each] for each in sorted(found, key=lambda each: each.place) if found[each]}

    def _known(self, other: Any) -> tuple[int, Terms]:
        if type(other) is int or type(other) is bool:
            return int(other), {}
        if type(other) is not Count or other._node.run is not self._node.run:
            self._decide()
        return (*other._sum(),)

    def _added(self, other: Any, own: int, others: int) -> Any:
        (a, mine), (b, theirs) = self._sum(), self._known(other)
        terms = {each: own * scale for each, scale in mine.items()}
        for each, scale in theirs.items():
            terms[each] = terms.get(each, 0) + others * scale
        return _made(self._node.run, own * a + others * b, terms)

    def _times(self, other: Any) -> Any:
        if type(other) is not int and type(other) is not bool:
            self._decide()
        shift, terms = self._sum()
        return _made(self._node.run, shift * other, {each: scale * other for each, scale in terms.items()})

    def _at_most(self, bound: int) -> bool:
        """Decide whether it is at most a bound."""
        run = self._node.run
        while True:
            shift, terms = self._settled_in_signs()
            if not terms:
                return shift <= bound
            scales = [*terms.values()]
            if scales[0] < 0:  # at most `bound` where the negative is at least as much
                if shift <= bound:
                    return True
                room = (shift - bound - 1) // -scales[0]  # the greatest value at which it is greater
            elif shift > bound:
                return False
            else:
                room = (bound - shift) // scales[0]  # the greatest value at which it is not
            first = next(iter(terms))
            passed = first.exceeds(run, room)
            if passed or len(terms) == 1:
                return passed is (scales[0] < 0)
            (first if first.terms is None else next(iter(first.terms))).decided(run)

    def _settled_in_signs(self) -> tuple[int, Terms]:
        """Decide which numbers are greater until all terms that are left have one sign; return the sum."""
        run = self._node.run
        while True:
            shift, terms = self._sum()
            ups = [each for each, scale in terms.items() if scale > 0]
            downs = [each for each, scale in terms.items() if scale < 0]
            if not ups or not downs:
                return shift, terms
            up, down = ups[0], downs[0]
            if terms[up] != -terms[down]:
                self._decide()
            bounded = [each for each in (up, down) if each.most is not None]
            if bounded:
                bounded[0].decided(run)
            else:
                up.against(run, down)

    def _compare(self, other: Any, op: Callable[[Any, Any], Any]) -> Any:
        difference = self._added(other, 1, -1)
        if type(difference) is int:
            return op(difference, 0)
        if op is operator.lt or op is operator.ge:
            return difference._at_most(-1) is (op is operator.lt)
        if op is operator.le or op is operator.gt:
            return difference._at_most(0) is (op is operator.le)
        return (difference._at_most(0) and not difference._at_most(-1)) is (op is operator.eq)

    def __abs__(self) -> Any:
        return -self if self._compare(0, operator.lt) else self

    def __neg__(self) -> Any:
        return self._times(-1)

    def released(self) -> Any:
        """Return what the program returns of it: an integer, or a series and the numbers that it stands for."""
        run = self._node.run
        shift, terms = self._settled_in_signs()
        for each in [each for each in terms if each.most is not None]:
            each.decided(run)
        shift, terms = self._sum()
        if not terms:
            return shift
        if len({*terms.values()}) > 1:
            self._decide()
        (step,) = {*terms.values()}
        return Series(shift, step, tuple(sorted(each.ratio for each in terms))), (*terms,)


def _made(run: Run, shift: int, terms: Terms) -> Any:
    terms = {each: scale for each, scale in terms.items() if scale}
    return Count(run, shift, terms) if terms else shift


for _name in ("index", "int", "trunc", "floor", "ceil", "invert", "float"):
    setattr(Count, f"__{_name}__", Count._decide)
install(Count, "add sub", lambda op: lambda self, other: self._added(other, 1, op(0, 1)))
install(Count, "add sub", lambda op: lambda self, other: self._added(other, op(0, 1), 1), "__r{}__")
install(Count, "mul", lambda op: Count._times)
install(Count, "mul", lambda op: Count._times, "__r{}__")


class Drawn:
    """A call that was answered by a count, in one run: which of its answers a replay takes."""

    def __init__(self, answer: Callable[[int], Any], numbers: list[Geometric]) -> None:
        self.answer = answer
        self.numbers = numbers

    def at(self, pick: int) -> Any:
        """Return the answer of one pick."""
        return self.answer(sum(each.value(pick) for each in self.numbers))


class Leaves:
    """The numbers that the series of an outcome stand for, in one run, in the order in which they are met."""

    def __init__(self, numbers: list[tuple[Geometric, ...]]) -> None:
        self.numbers = numbers

    def at(self, pick: int) -> Record:
        """Return the draws that this takes: none."""
        return ()

    def filled(self, outcome: Any, pick: int) -> Any:
        """Return the outcome of one pick."""
        held = [each for _, each in leaves(outcome) if type(each) is Series]
        counts = [sum(each.value(pick) for each in numbers) for numbers in self.numbers]
        return filled(outcome, [each.first + each.step * j for each, j in zip(held, counts, strict=True)])
