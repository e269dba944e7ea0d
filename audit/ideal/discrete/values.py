"""Releases of whole noisy numbers that do not depend on each other, cut into their values without loss.

Beyond some values a geometric number is likelier on one input than on another by a constant factor. An event of all of
these tells as much as each of them does: so finitely many events decide a claim about infinitely many values.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.cutting import Box, boxes_at, cut, located, need_no_words
from dpcert.audit.ideal.discrete.lattice import LatticeMeasure, paired, weights_of
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.audit.ideal.report import IdealReport, Search
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.parts import HOLE, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Path, step_of

MOST_VALUES = 2000


Way = tuple[Path, Box]
"""A path, and where its released numbers lie."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The paths on each input in parts, which lie between points."""

    ways: list[list[Way]]
    points: list[Fraction]
    rows: list[list[Path]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", [[cut(path, box) for path, box in row] for row in self.ways])

    def merged(self) -> list[list[Path]]:
        """Return parts in which a constant equals noise of the same value."""
        return [located(row, self.points) for row in self.rows]

    def tells_constants(self) -> bool:
        """Whether a part with a constant differs from another one for that alone."""
        return _names(self.merged()) < _names(self.rows)

    def event(self, report: IdealReport, *, merged: bool = True) -> tuple[tuple[Any, Box], ...]:
        """Return the event that refutes a claim by these parts, or by the merged ones where constants are told apart:
        outcomes of paths, each with where its released numbers lie."""
        named = {key(outcome) for outcome in report.worst.event} if report.worst is not None else set()
        rows = self.merged() if merged and self.tells_constants() else self.rows
        return tuple(
            (path.outcome, box)
            for row, ways in zip(rows, self.ways, strict=True)
            for part, (path, box) in zip(row, ways, strict=True)
            if key(part.outcome) in named
        )


@dataclass(frozen=True, slots=True)
class _Grid:
    """The values step n + start of a released number, for integers n: that of z + place at an integer z, or of its
    floor after a division by `size`."""

    step: Fraction
    start: Fraction
    place: int
    size: int

    @classmethod
    def of(cls, part: Noisy | Rounded) -> _Grid:
        """Return the values of a number.

        Raises: Unauditable where the chances of far ones may be in another proportion from one to the next.
        """
        unit = step_of(c for _, c in part.terms)
        place = math.floor(part.offset / unit)
        if isinstance(part, Noisy):
            return cls(unit, part.offset - place * unit, place, 1)
        if unit.numerator != 1 or part.offset != place * unit:
            raise Unauditable("discrete noise that is scaled before it is rounded is not cut without loss")
        return cls(part.factor, part.shift, place, unit.denominator)

    def number(self, z: Fraction) -> Fraction:
        """Return about which of the values belongs to z."""
        return (z + self.place) / self.size


def without_loss(paths: Sequence[Sequence[Path]], most: int = MOST_VALUES) -> Cut:
    """Return paths whose outcomes have whole noisy numbers, or none, cut at all values that are told apart, each into
    no more than so many parts.

    Raises: Unauditable for others.
    """
    noisy = [paired(path) for row in paths for path in row if any(noisy_parts(path.outcome))]
    lattice = LatticeMeasure.of(Units.of(noisy), noisy)
    kinds: set[tuple[Fraction, Fraction, int]] = set()
    tails: dict[tuple[Hashable, int, int], set[Any]] = {}
    ends: list[int] = []
    for path in noisy:
        outline = key(with_parts(path.outcome, lambda part: HOLE))
        for place, part in enumerate(noisy_parts(path.outcome)):
            grid, weights = _Grid.of(part), weights_of(path, part, lattice)
            kinds.add((grid.step, grid.start, grid.size))
            for end in weights.cuts:
                ends += [math.floor(grid.number(Fraction(end))), math.ceil(grid.number(Fraction(end)))]
            for side in (0, -1):
                tails.setdefault((outline, place, side), set()).update(weights.pieces[side])
    if len(kinds) != 1 or any(not _constant_proportion(found) for found in tails.values()):
        raise Unauditable("far values of what it releases are in other proportions from one to the next")
    ((step, start, _),) = kinds
    cells = (max(ends) - min(ends) + 5) ** max(len(set(noisy_parts(path.outcome))) for path in noisy)
    if cells > most:
        raise Unauditable("it releases numbers of too many values")
    points = [start + step * (n - Fraction(1, 2)) for n in range(min(ends) - 1, max(ends) + 3)]
    need_no_words(paths, points)
    return Cut([ways_at(row, points) for row in paths], points)


def ways_at(row: Sequence[Path], points: Sequence[Fraction]) -> list[Way]:
    """Return the paths on an input, each with all ways in which its released numbers lie between ascending points."""
    return [(path, box) for path in row for box in boxes_at(list(dict.fromkeys(noisy_parts(path.outcome))), points)]


def both_ways(
    claim: Claim, parts: Cut, pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> tuple[Search, IdealReport, IdealReport]:
    """Return a search and two reports on parts of paths: where constants are told from noise of the same value,
    which bounds what is released from above, and where they are not, which bounds it from below."""
    search = Search(claim, parts.rows, at_epsilon=at_epsilon)
    above = search.report(pairs)
    if not parts.tells_constants():
        return search, above, above
    return search, above, Search(claim, parts.merged(), at_epsilon=at_epsilon).report(pairs)


def _names(rows: Sequence[Sequence[Path]]) -> int:
    return len({key(path.outcome) for row in rows for path in row})


def by_values(
    claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> IdealReport:
    """Return the report on a release of discrete noise.

    Raises: Unauditable for another one.
    """
    return decided(claim, without_loss(paths), pairs, at_epsilon)


def decided(claim: Claim, parts: Cut, pairs: Sequence[tuple[int, int]], at_epsilon: Fraction) -> IdealReport:
    """Return the report on a release that is cut without loss."""
    _, above, below = both_ways(claim, parts, pairs, at_epsilon)
    found = replace(
        below, delta=(below.delta[0], above.delta[1]), epsilon=(below.epsilon[0], above.epsilon[1]), method="intervals"
    )
    if below.verdict == "refuted":
        return replace(found, event=parts.event(below))
    if above.verdict == "verified":
        return found
    return replace(found, verdict="undecided", reason="a constant may be told from noise of the same value, or not")


def _constant_proportion(found: set[Any]) -> bool:
    """Whether all far weights fall by one factor from each value to the next."""
    return len(found) <= 1 and all(degree == 0 for degree, _ in found)
