"""Laws with series: outcomes in which places hold, far out, integers whose probabilities are geometric.

The probability that one law gives to each integer of a series, divided by that of another law, is the same for all of
them where both have the series at that place with the same first integer, step and ratio, and all else in the outcomes
is alike. Then nothing is lost if they are taken for one, which is done in all laws that are compared, or in none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import fresh, key, opened

MOST_SINGLE = 4_000
"""Integers of a series that are listed at most."""
MOST_LISTED = 2_000
"""Outcomes that are listed at most for one that holds several series."""
MARGIN = 64
"""By how many integers series begin later than they could, as single outcomes say more of a violation. Where an outcome
holds several series, they begin where they can."""

Path = tuple[Any, ...]
"""Where in an outcome a value is."""
Class = tuple[int, int]
"""The step of a series, and what is left of its first integer modulo the step."""


@dataclass(frozen=True, slots=True)
class Series:
    """Stands in an outcome for the integers first + step * j: j is the sum of independent geometric numbers, of which
    one of a ratio r is j >= 0 with probability (1 - r) r^j.
    """

    first: int
    step: int
    ratios: tuple[Fraction, ...]

    @property
    def kind(self) -> Class:
        """The series that it is the end of."""
        return self.step, self.first % self.step

    def place(self, value: int) -> int:
        """Return the j of an integer of the series, also below its first; rounded up for another integer."""
        return -((value - self.first) // -self.step)

    def words(self) -> str:
        """Return the integers in words."""
        return ", ".join(str(self.first + self.step * j) for j in range(3)) + ", ..."

    def beyond(self, first: int) -> tuple[list[tuple[int, Fraction]], Series, Fraction]:
        """Return the integers before a later one of a series of one ratio with their probabilities, and what is left
        with its probability.
        """
        (ratio,) = self.ratios
        count = self.place(first)
        before = [(self.first + self.step * j, (1 - ratio) * ratio**j) for j in range(count)]
        return before, Series(self.first + self.step * count, self.step, self.ratios), ratio**count

    def listed(self, count: int) -> list[tuple[int, Fraction]]:
        """Return the first integers with their probabilities."""
        shares = [Fraction(1)] + [Fraction(0)] * (count - 1)
        for ratio in self.ratios:
            passed = Fraction(0)
            for j, share in enumerate(shares):
                passed = passed * ratio + share * (1 - ratio)
                shares[j] = passed
        return [(self.first + self.step * j, share) for j, share in enumerate(shares)]


@dataclass(frozen=True, slots=True)
class Start:
    """The integer from which on those of a series at some place of outcomes are summed."""

    path: Path
    kind: Class
    first: int
    ratio: Fraction


Row = tuple[Any, Fraction]
"""An outcome, which may hold series, and its probability."""


@dataclass(frozen=True, slots=True)
class Ends:
    """A law without tail: outcomes, some of which hold series."""

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Ends | None:
        """Return the law of outcomes with their probabilities; None where these are not all."""
        found = cls((*joined(rows),))
        return found if sum((p for _, p in found.rows), Fraction(0)) == 1 else None

    def series(self) -> bool:
        """Whether some outcome holds a series."""
        return any(type(each) is Series for outcome, _ in self.rows for _, each in leaves(outcome))

    def summed(self, starts: Sequence[Start]) -> Dist:
        """Return the law in which each series is one value from its start on.

        Raises: Unauditable where these are not starts of its series.
        """
        begins = {(start.path, start.kind): start for start in starts}

        def split(path: Path, each: Series) -> list[tuple[Any, Fraction]]:
            start = begins.get((path, each.kind))
            if start is None or each.ratios != (start.ratio,) or each.place(start.first) < 0:
                raise Unauditable("the laws of two readings of one program have other series")
            before, rest, share = each.beyond(start.first)
            return [*before, (rest.words(), share)]

        return Dist.of([row for outcome, p in self.rows for row in _split(outcome, p, split)])

    def listed(self, max_tail: Fraction) -> Dist:
        """Return the law with series listed as far as they matter; what is left is its tail."""

        def split(path: Path, each: Series) -> list[tuple[Any, Fraction]]:
            count = 1
            while count < most and max(each.ratios) ** count > max_tail / 1_024:
                count += 1 + count // 8
            return each.listed(min(count, most))

        rows: list[Row] = []
        for outcome, p in self.rows:
            held = sum(type(each) is Series for _, each in leaves(outcome))
            most = MOST_SINGLE
            while held > 1 and most**held > MOST_LISTED:
                most -= 1
            rows += _split(outcome, p, split)
        return Dist.of(rows, tail=1 - sum(p for _, p in rows))


def joined(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows without two that can be one: integers before a series that continue it are part of it."""
    found: dict[Any, Row] = {}
    for outcome, p in rows:
        name = key(outcome)
        found[name] = outcome, found.get(name, (None, Fraction(0)))[1] + p
    alone = {outcome: p for outcome, p in found.values() if type(outcome) is int}
    series = [row for row in found.values() if type(row[0]) is Series and len(row[0].ratios) == 1]
    series.sort(key=lambda row: (-row[0].step, row[0].first, row[0].ratios))  # whatever their order was
    for (first, step, ratios), p in [((each.first, each.step, each.ratios), p) for each, p in series]:
        while alone.get(first - step) == p * (1 - ratios[0]) / ratios[0]:
            first, p = first - step, p / ratios[0]
            del alone[first]
        yield Series(first, step, ratios), p
    yield from alone.items()
    yield from [row for row in found.values() if type(row[0]) is not int and row not in series]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the integers, texts and series of an outcome with their places."""
    if type(value) in (int, str, Series):
        yield path, value
    elif value is not None and type(value) not in (bool, bytes):
        tag, label, parts = opened(value, 0)
        for place, part in enumerate(parts):
            yield from leaves(part, (*path, (tag, label, len(parts), place)))


def filled(outcome: Any, values: Iterable[int | str]) -> Any:
    """Return an outcome with a value in place of each of its series."""
    rest = iter(values)
    return fresh(outcome, replace=lambda part, depth: next(rest) if type(part) is Series else part)


def _split(outcome: Any, p: Fraction, split: Callable[[Path, Series], list[tuple[Any, Fraction]]]) -> Iterator[Row]:
    """Yield what an outcome is once each of its series is split."""
    parts = [split(path, each) for path, each in leaves(outcome) if type(each) is Series]
    for chosen in product(*parts):
        yield filled(outcome, [value for value, _ in chosen]), p * prod(share for _, share in chosen)


def common_starts(laws: Sequence[Ends | None]) -> tuple[Start, ...]:
    """Return where series begin in all of some laws, so that what is beyond can be one value in any comparison of two
    of them; MARGIN integers later than need be.

    Empty where some law is not given, where one place has series of other ratios or steps, or a text that could be
    mistaken for a series, and where too many outcomes would be listed.
    """
    rows = [row for law in laws for row in (law.rows if law is not None else ())]
    if not rows or None in laws:
        return ()
    integers: dict[Path, list[int]] = {}
    series: dict[Path, list[Series]] = {}
    texts: set[Path] = set()
    several = False
    for outcome, _ in rows:
        held = [*leaves(outcome)]
        several |= sum(type(each) is Series for _, each in held) > 1
        for path, each in held:
            if type(each) is str:
                texts.add(path)
            elif type(each) is Series:
                series.setdefault(path, []).append(each)
            else:
                integers.setdefault(path, []).append(each)
    starts: list[Start] = []
    for path, met in series.items():
        found = _starts(path, met, integers.get(path, []), 0 if several else MARGIN)
        if not found or path in texts:
            return ()
        starts += found
    return (*starts,) if _few(rows, starts) else ()


def _starts(path: Path, met: list[Series], integers: list[int], margin: int) -> list[Start]:
    """Return where the series of one place begin: beyond all integers there, and all series of the other direction."""
    kinds: dict[Class, list[Series]] = {}
    for each in met:
        kinds.setdefault(each.kind, []).append(each)
    starts: list[Start] = []
    for kind, same in kinds.items():
        step, sign = kind[0], 1 if kind[0] > 0 else -1
        ratios = {each.ratios for each in same}
        if len(ratios) > 1 or len(same[0].ratios) > 1:
            return []
        if any(each.step != step for each in met if each.step * sign > 0):
            return []
        others = [*integers, *(each.first for each in met if each.step * sign < 0)]
        far = same[0]
        count = max(*(far.place(each.first) for each in same), *(far.place(value + sign) for value in others), 0)
        first = far.first + step * (count + margin)
        if any(each.place(first) > MOST_SINGLE for each in same):
            return []
        starts.append(Start(path, kind, first, far.ratios[0]))
    return starts


def _few(rows: Sequence[Row], starts: Sequence[Start]) -> bool:
    """Whether each outcome is few, once its series are listed to their starts."""
    begins = {(start.path, start.kind): start for start in starts}
    for outcome, _ in rows:
        held = [(path, each) for path, each in leaves(outcome) if type(each) is Series]
        counts = [1 + each.place(begins[path, each.kind].first) for path, each in held]
        if len(counts) > 1 and prod(counts) > MOST_LISTED:
            return False
    return True
