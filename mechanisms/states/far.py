"""Laws with series: single outcomes, and far out integers whose probabilities are geometric.

The probability that one law gives to each outcome of a series, divided by that of another law, is the same for all of
them where both have the series with the same first outcome, step and ratio. Then nothing is lost if they are taken for
one outcome, which is done in all laws that are compared, or in none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable

MOST_SINGLE = 4_000
"""Outcomes of a series that are listed at most."""

MARGIN = 64
"""By how many outcomes series begin later than they could, as single outcomes say more of a violation."""

Class = tuple[int, int]
"""The step of a series, and what is left of its first outcome modulo the step."""


@dataclass(frozen=True, slots=True)
class Start:
    """The outcome from which on those of a series are summed."""

    kind: Class
    first: int
    ratio: Fraction


@dataclass(frozen=True, slots=True)
class Far:
    """The integers first + step * j for j >= 0: their probabilities are mass * (1 - ratio) * ratio^j."""

    first: int
    step: int
    ratio: Fraction
    mass: Fraction

    @property
    def kind(self) -> Class:
        """The series that it is the end of."""
        return self.step, self.first % self.step

    def place(self, value: int) -> int:
        """Return the j of an integer of the series, also below its first; rounded up for another integer."""
        return -((value - self.first) // -self.step)

    def words(self) -> str:
        """Return the outcomes in words."""
        return ", ".join(str(self.first + self.step * j) for j in range(3)) + ", ..."

    def beyond(self, first: int) -> tuple[list[tuple[int, Fraction]], Far]:
        """Return the outcomes before a later one of the series, with their probabilities, and what is left."""
        count = self.place(first)
        own, before = self.mass * (1 - self.ratio), list[tuple[int, Fraction]]()
        for j in range(count):
            before.append((self.first + self.step * j, own))
            own *= self.ratio
        return before, Far(first, self.step, self.ratio, self.mass * self.ratio**count)


@dataclass(frozen=True, slots=True)
class Ends:
    """A law without tail: single outcomes, and series of which no two have an outcome in common."""

    singles: tuple[tuple[Any, Fraction], ...]
    far: tuple[Far, ...]

    def ratios(self) -> dict[Class, Fraction]:
        """Return the ratio of each series."""
        return {each.kind: each.ratio for each in self.far}

    @classmethod
    def of(cls, singles: Iterable[tuple[Any, Fraction]], far: Iterable[Far]) -> Ends | None:
        """Return the law of outcomes and series that may overlap; None where they are not those of one law, or the sum
        of two series is none.
        """
        alone = [*singles]
        series: dict[Class, list[Far]] = {}
        for each in far:
            series.setdefault(each.kind, []).append(each)
        ups, downs = ([kind for kind in series if kind[0] * sign > 0] for sign in (1, -1))
        if any(len({step for step, _ in kinds}) > 1 for kinds in (ups, downs)):
            return None
        ints = [outcome for outcome, _ in alone if type(outcome) is int]
        ends: list[Far] = []
        for kind, same in series.items():
            if len({each.ratio for each in same}) > 1:
                return None
            others = [each.first for other in (downs if kind in ups else ups) for each in series[other]]
            far_out, sign = same[0], 1 if kind in ups else -1
            count = max(
                *(far_out.place(each.first) for each in same),
                *(far_out.place(value + sign) for value in (*ints, *others)),
                0,
            )
            first = far_out.first + far_out.step * count
            if any(each.place(first) > MOST_SINGLE for each in same):
                return None
            mass = Fraction(0)
            for each in same:
                before, rest = each.beyond(first)
                alone += before
                mass += rest.mass
            ends.append(Far(first, far_out.step, far_out.ratio, mass))
        found = cls((*alone,), (*ends,))
        return found if sum((p for _, p in alone), Fraction(0)) + sum(each.mass for each in ends) == 1 else None

    def summed(self, starts: Sequence[Start]) -> Dist:
        """Return the law in which each series is one outcome from its start on.

        Raises: Unauditable where these are not starts of its series.
        """
        singles = [*self.singles]
        begins = {start.kind: start for start in starts}
        for each in self.far:
            start = begins.pop(each.kind, None)
            if start is None or start.ratio != each.ratio or each.place(start.first) < 0:
                raise Unauditable("the laws of two readings of one program have other series")
            before, rest = each.beyond(start.first)
            singles += before
            singles.append((rest.words(), rest.mass))
        if begins:
            raise Unauditable("the laws of two readings of one program have other series")
        return Dist.of(singles)


def common_starts(laws: Sequence[Ends | None]) -> tuple[Start, ...]:
    """Return where series begin that all of some laws have, so that what is beyond can be one outcome in any comparison
    of two of them; MARGIN outcomes later than need be.

    Empty where some law is not given, where two have other series, or other ratios, and where a single outcome could be
    mistaken for a series.
    """
    known = [law for law in laws if law is not None]
    if len(known) < len(laws) or not known:
        return ()
    found = {each.kind: each.first for each in known[0].far}
    ratios = known[0].ratios()
    for law in known:
        if law.ratios() != ratios or not law.singles or any(type(outcome) is str for outcome, _ in law.singles):
            return ()
        for each in law.far:
            if each.place(found[each.kind]) < 0:
                found[each.kind] = each.first
    if any(each.place(found[each.kind]) > MOST_SINGLE for law in known for each in law.far):
        return ()
    return tuple(Start(kind, first + MARGIN * kind[0], ratios[kind]) for kind, first in found.items())
