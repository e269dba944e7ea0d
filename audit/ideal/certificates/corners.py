"""The check of releases beside tags, without a delta: the laws of the leaves, and a sign at each corner of them.

It begins with the leaves of trees as `checker.py` reads them, and searches for nothing; `signs.py` has the signs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import flint

from dpcert.audit.ideal.certificates.checker import (
    ONE,
    UNIT,
    ZERO,
    Epsilon,
    Integrals,
    Number,
    Region,
    Sum,
    Tree,
    combined,
    cut_to,
    excess,
    need,
    sign,
)
from dpcert.audit.ideal.certificates.signs import WHOLE, Drawn, Quotient, Scope, multiplied, need_whole, summed

FAMILIES = {"laplace": "exponential", "exponential": "exponential", "uniform": "uniform"}
Ends = tuple[Number | None, Number | None]
Corner = tuple[tuple[Number, int], ...]
"""For each coordinate a number, and the side from which it is looked at; 0 where no density jumps."""
Tag = tuple[str, tuple[tuple[int, Number, Number], ...]]
"""An outcome, and of each released number its coordinate, and the multiple and the shift of that which it is."""


@dataclass(frozen=True, slots=True)
class Density:
    """The density of c X + offset for noise X of a kind: `slope` is c over the rate; outside the ends it is 0."""

    kind: str
    offset: Number
    slope: Number
    ends: Ends

    def breaks(self) -> Iterator[tuple[Number, int]]:
        """Yield where the density may jump, from both sides, or has a corner."""
        for end in self.ends:
            if end is not None:
                yield from ((end, -1), (end, 1))
        if self.kind == "laplace":
            yield self.offset, 0

    def at(self, end: tuple[Number, int]) -> Sum:
        """Return the density at a number, of exponential ones times the scale."""
        y, side = end
        low, high = self.ends
        if low is not None and (y < low or (y == low and side <= 0)):
            return {}
        if high is not None and (y > high or (y == high and side >= 0)):
            return {}
        if self.kind == "uniform":
            return {ZERO: 1 / abs(self.slope)}
        return self._tail(y)

    def _tail(self, y: Number) -> Sum:
        factor = flint.fmpq(1, 2) if self.kind == "laplace" else ONE
        return {-abs((y - self.offset) / self.slope): factor}

    def mass(self) -> Sum:
        """Return the probability to lie between the ends."""
        low, high = self.ends
        if low is not None and high is not None and low >= high:
            return {}
        if self.kind == "uniform" and low is not None and high is not None:
            return {ZERO: (high - low) / abs(self.slope)}
        return combined((ONE, self._up_to(high, WHOLE)), (-ONE, self._up_to(low, {})))

    def _up_to(self, end: Number | None, otherwise: Sum) -> Sum:
        if end is None:
            return otherwise
        falls = end > self.offset if self.kind == "laplace" else self.slope > 0
        return combined((ONE, WHOLE), (-ONE, self._tail(end))) if falls else self._tail(end)


def _density(leaf: Region, row: Mapping[int, Number], is_open: bool) -> Density:
    """Return the density of a released number that is one noise variable."""
    ((name, c),) = ((name, c) for name, c in row.items() if name != UNIT)
    offset = row.get(UNIT, ZERO)
    kind, rate, power = leaf.laws[name]
    need(kind in FAMILIES, f"{kind} noise beside a tag")
    need(kind == "uniform" or power == int(is_open), "scales of the form c/epsilon beside plain numbers")
    lows: list[Number] = []
    highs: list[Number] = []
    for other in leaf.rows:
        if name in other:
            need(set(other) <= {name, UNIT}, "a released number that is compared with other noise")
            end = offset - c * other.get(UNIT, ZERO) / other[name]
            (lows if (other[name] > 0) == (c > 0) else highs).append(end)
    if kind == "exponential":
        (lows if c > 0 else highs).append(offset)
    if kind == "uniform":
        lows.append(min(offset, offset + c))
        highs.append(max(offset, offset + c))
    slope = c if kind == "uniform" else c / rate
    return Density(kind, offset, slope, (max(lows, default=None), min(highs, default=None)))


def chance(leaf: Region, scope: Scope, integrals: Integrals) -> Quotient:
    """Return the probability of a region, whose weight may be exact."""
    weight = leaf.weight if isinstance(leaf.weight, Drawn) else Drawn(leaf.weight, ())
    compared = [row for row in leaf.rows if any(leaf.laws.get(name, ("",))[0] == "gumbel" for name in row)]
    if compared:
        rest = tuple(row for row in leaf.rows if row not in compared)
        found = chance(replace(leaf, rows=rest), scope, integrals)
        for above, below in _orders(compared, leaf, scope.is_open):
            found = multiplied(found[0], above), multiplied(found[1], below)
        return found
    found = integrals.probability(replace(leaf, weight=weight.factor)), WHOLE
    for text in weight.exact:
        above, below = scope.exact(text)
        found = multiplied(found[0], above), multiplied(found[1], below)
    return found


def rest_of(leaf: Region, released: Sequence[Mapping[int, Number]], scope: Scope, integrals: Integrals) -> Quotient:
    """Return the probability of all that bounds no released number: of each variable alone, then of the others."""
    own = {name for row in released for name in row if name != UNIT}
    rest = [row for row in leaf.rows if own.isdisjoint(row)]
    shared = {name for row in rest if len(set(row) - {UNIT}) > 1 for name in row}
    alone = {name for row in rest for name in row if leaf.laws.get(name, ("",))[0] in FAMILIES} - shared
    found = tuple(row for row in rest if alone.isdisjoint(row))
    above, below = chance(replace(leaf, rows=found), scope, integrals)
    for name in sorted(alone):
        above = multiplied(above, _density(leaf, {name: ONE}, scope.is_open).mass())
    return above, below


def _orders(rows: Sequence[Mapping[int, Number]], leaf: Region, is_open: bool) -> Iterator[Quotient]:
    """Yield the factors of the chance of orders of Gumbel noise, in which each variable but one is below one other.

    With W = e^(-r G), W is exponential noise, and the chance is the product over all variables of w / (the sum of those
    at or below it), where w = e^(r c), and c is how far a variable is put up by those that it is below.
    """
    over: dict[int, tuple[int, Number]] = {}
    for row in rows:
        terms = {name: c for name, c in row.items() if name != UNIT}
        need(len(terms) == 2 and sum(terms.values(), ZERO) == 0, "a comparison of Gumbel noise that is no order")
        low, high = sorted(terms, key=lambda name: terms[name] > 0)
        need(low not in over, "a Gumbel variable that is below two others")
        need(leaf.laws[low] == leaf.laws[high], "an order of Gumbel noise of two rates")
        over[low] = high, -row.get(UNIT, ZERO) / terms[high]
    names = {*over, *(high for high, _ in over.values())}
    sums: dict[int, Sum] = {name: {} for name in names}
    weights: dict[int, Sum] = {}
    for name in names:
        kind, rate, power = leaf.laws[name]
        need(kind == "gumbel" and power == int(is_open), "an order of other noise, or of another scale")
        place, above, seen = ZERO, name, {name}
        ways = [name]
        while above in over:
            above, least = over[above]
            need(above not in seen, "an order that is a circle")
            seen.add(above)
            place += least
            ways.append(above)
        weights[name] = {rate * place: ONE}
        for each in ways:
            sums[each] = combined((ONE, sums[each]), (ONE, weights[name]))
    yield from ((weights[name], sums[name]) for name in sorted(names))


def check_witness(source: Tree, target: Tree, event: Any, epsilon: Epsilon, integrals: Integrals) -> None:
    """Check that p > e^epsilon q for an event on two inputs, as of `checker.check_witness`, whose chances may be exact.

    Raises: NotShown otherwise.
    """
    for whole in (source, target):
        need_whole([chance(leaf, Scope(), integrals) for leaf in whole.leaves.values()])
    (p, its_p), (q, its_q) = (
        summed([chance(leaf, Scope(), integrals) for leaf in leaves]) for leaves in cut_to(event, source, target)
    )
    lost = excess(multiplied(p, its_q), multiplied(q, its_p), epsilon)
    need(sign(lost) > 0, "the witness does not violate the bound")


@dataclass(frozen=True, slots=True)
class Part:
    """Some outcomes of an input: a weight, and densities that do not depend on each other."""

    weight: Quotient
    densities: tuple[Density, ...]

    def at(self, corner: Corner) -> Quotient:
        """Return the density at a corner, times scales."""
        above, below = self.weight
        for density, end in zip(self.densities, corner, strict=True):
            above = multiplied(above, density.at(end))
        return above, below

    def mass(self) -> Quotient:
        above, below = self.weight
        for density in self.densities:
            above = multiplied(above, density.mass())
        return above, below


@dataclass(slots=True)
class Corners:
    """The laws of trees by tag, and the check that two of them are within a claim; `ratio` is e^epsilon."""

    trees: Sequence[Tree]
    ratio: Sum
    scope: Scope
    integrals: Integrals
    laws: list[dict[Tag, list[Part]]] = field(init=False)
    shown: set[tuple[Any, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.laws = [self._law(tree) for tree in self.trees]
        self.shown = set()

    def _law(self, tree: Tree) -> dict[Tag, list[Part]]:
        found: dict[Tag, list[Part]] = defaultdict(list)
        for leaf in tree.leaves.values():
            tag, rows = _coordinates(leaf)
            densities = tuple(_density(leaf, row, self.scope.is_open) for row in rows)
            found[tag].append(Part(rest_of(leaf, rows, self.scope, self.integrals), densities))
        parts = [part for own in found.values() for part in own]
        need_whole([part.mass() for part in parts])
        return dict(found)

    def need_within(self, a: int, b: int) -> None:
        """Raises: NotShown, unless p <= e^epsilon q is shown for the laws p and q of two trees."""
        for tag, parts in self.laws[a].items():
            other = self.laws[b].get(tag, [])
            for corner in self._corners(tag):
                p, q = (summed([part.at(corner) for part in each]) for each in (parts, other))
                mark = tuple(frozenset(each.items()) for each in (*p, *q))
                if mark not in self.shown:
                    excess = multiplied(self.ratio, multiplied(q[0], p[1]))
                    self.scope.need_nowhere_positive(combined((ONE, multiplied(p[0], q[1])), (-ONE, excess)))
                    self.shown.add(mark)

    def _corners(self, tag: Tag) -> Iterator[Corner]:
        rows = [part.densities for law in self.laws for part in law.get(tag, [])]
        ends: list[list[tuple[Number, int]]] = []
        for column in zip(*rows, strict=True):
            families = {(FAMILIES[each.kind], FAMILIES[each.kind] == "uniform" or abs(each.slope)) for each in column}
            need(len(families) == 1, "noise of two scales, or uniform and other noise, beside each other")
            breaks = {end for each in column for end in each.breaks()}
            jumps = {y for y, side in breaks if side}
            ends.append([(y, side) for y, side in breaks if side or y not in jumps])
        yield from product(*ends)


def _coordinates(leaf: Region) -> tuple[Tag, list[Mapping[int, Number]]]:
    """Return the tag of a leaf, and the first released number of each noise variable."""
    first: dict[int, Mapping[int, Number]] = {}
    beside: list[tuple[int, Number, Number]] = []
    for part in leaf.parts:
        names = set(part.row) - {UNIT}
        need(len(names) == 1 and part.rounding is None, "a released number that is not one noise variable")
        (name,) = names
        own = first.setdefault(name, part.row)
        factor = part.row[name] / own[name]
        shift = part.row.get(UNIT, ZERO) - factor * own.get(UNIT, ZERO)
        beside.append((list(first).index(name), factor, shift))
    return (leaf.outcome, tuple(beside)), list(first.values())
