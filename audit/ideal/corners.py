"""Releases beside tags, without a delta: by the corners of their densities, at one epsilon or at all.

The noise is Laplace noise of one scale, or uniform noise, in each released number. A *tag* is what an outcome is
without its noisy numbers. In each tag and coordinate all densities are Laplace or exponential of one scale b, or all
are uniform. Between two neighbouring breakpoints each of them is a multiple of e^(y/b), of e^(-y/b) or of 1. So
p - e^epsilon q, divided by a product of these, is affine in each u = e^(2 y/b) alone: on a cell it is nowhere positive
if it is nowhere at the corners. Beyond the last breakpoints the ratio is constant. Where a density jumps, a corner is
looked at from both sides.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

import flint

from dpcert.audit.ideal.cutting import Box, need_no_words
from dpcert.audit.ideal.decide import rounded
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.discrete.values import Cut
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.audit.ideal.report import IdealReport, Search
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.exact import ONE, Exact, exact_of, plus, times, total
from dpcert.mechanisms.ideal.parts import HOLE, Noisy
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.signs import Sum, sign_of, signs_over
from dpcert.mechanisms.ideal.terms import Value

MOST_CORNERS = 100_000
"""The most corners of one tag."""
FAMILIES = {"laplace": "exponential", "exponential": "exponential", "uniform": "uniform"}
"""The noise that is decided by corners; only that of one family lies in one coordinate."""

End = tuple[Fraction, int]
"""A number, and the side from which it is looked at: -1 or 1, or 0 where no density jumps there."""
Corner = tuple[End, ...]


@dataclass(frozen=True, slots=True)
class Density:
    """The law of c X + offset for a noise variable X: `slope` is c over the rate of X, times epsilon^-power.

    Where it is cut, it is 0 outside the numbers from `low` to `high`.
    """

    kind: str
    offset: Fraction
    slope: Fraction
    power: int
    low: Fraction | None = None
    high: Fraction | None = None

    def family(self) -> tuple[str, Fraction, int]:
        """Return the family, and the scale of noise that is not uniform."""
        name = FAMILIES[self.kind]
        return name, Fraction(0) if name == "uniform" else abs(self.slope), self.power

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the numbers between which the density is not 0."""
        lows, highs = [self.low], [self.high]
        if self.kind == "uniform":
            lows.append(min(self.offset, self.offset + self.slope))
            highs.append(max(self.offset, self.offset + self.slope))
        elif self.kind == "exponential":
            (lows if self.slope > 0 else highs).append(self.offset)
        return (
            max((low for low in lows if low is not None), default=None),
            min((high for high in highs if high is not None), default=None),
        )

    def breaks(self) -> Iterator[End]:
        """Yield where the density jumps, or is another multiple of an exponential."""
        low, high = self.ends()
        if low is not None and high is not None and low >= high:
            return
        for end in (low, high):
            if end is not None:
                yield from ((end, -1), (end, 1))
        if self.kind == "laplace":
            yield self.offset, 0

    def at(self, end: End) -> Exact | None:
        """Return the density at a number, of exponential ones times their scale; None where it is 0."""
        y, side = end
        low, high = self.ends()
        if (low is not None and (y, side) <= (low, 0)) or (high is not None and (y, side) >= (high, 0)):
            return None
        if self.kind == "uniform":
            return Exact.of(1 / abs(self.slope))
        return self._tail(y, Fraction(1, 2) if self.kind == "laplace" else Fraction(1))

    def _tail(self, y: Fraction, factor: Fraction) -> Exact:
        size = -abs(y - self.offset) / abs(self.slope)
        return Exact.power(epsilon=size, factor=factor) if self.power else Exact.power(number=size, factor=factor)

    def mass(self) -> Exact:
        """Return the probability of the numbers where the density is not 0."""
        low, high = self.ends()
        if low is not None and high is not None and low >= high:
            return Exact(())
        if self.kind == "uniform":
            return Exact.of(((high or 0) - (low or 0)) / abs(self.slope))
        return self._below(high) - self._below(low) if low is not None else self._below(high)

    def _below(self, end: Fraction | None) -> Exact:
        """Return the probability to be below an end, no less than where the density begins."""
        if end is None:
            return ONE
        if self.kind == "laplace":
            tail = self._tail(end, Fraction(1, 2))
            return tail if end < self.offset else ONE - tail
        tail = self._tail(end, Fraction(1))
        return ONE - tail if self.slope > 0 else tail


@dataclass(frozen=True, slots=True)
class Part:
    """Some outcomes of an input: a weight, and densities of released numbers that do not depend on each other."""

    weight: Exact
    densities: tuple[Density, ...]

    def mass(self) -> Exact:
        found = self.weight
        for density in self.densities:
            if density.low is not None or density.high is not None:
                found *= density.mass()
        return found

    def at(self, corner: Corner) -> Exact | None:
        """Return the density at a corner, times the scales; None where it is 0."""
        found = self.weight
        for density, end in zip(self.densities, corner, strict=True):
            here = density.at(end)
            if here is None:
                return None
            found *= here
        return found


@dataclass(frozen=True, slots=True)
class Tagged:
    """The law of an input: by tag an outcome of it, and the parts that lead there."""

    tags: dict[Hashable, tuple[Any, list[Part]]] = field(default_factory=dict)

    def at(self, tag: Hashable, corner: Corner) -> Exact:
        """Return the density in a tag at a corner, times the scales of its coordinates."""
        parts = self.tags[tag][1] if tag in self.tags else []
        return total(value for part in parts if (value := part.at(corner)) is not None)


def tagged(paths: Sequence[Sequence[Path]]) -> list[Tagged]:
    """Return the law of each input.

    Raises: Unauditable where corners do not decide; ArithmeticError where probabilities do not sum to 1.
    """
    chances = _chances(paths)
    found: list[Tagged] = []
    for row, weights in zip(paths, chances, strict=True):
        law = Tagged()
        for path, weight in zip(row, weights, strict=True):
            name, densities = coordinates(path)
            law.tags.setdefault(name, (path.outcome, []))[1].append(Part(weight, densities))
        parts = [part for _, own in law.tags.values() for part in own]
        if not total(part.mass() for part in parts).same(ONE):
            raise ArithmeticError("the probabilities of all paths do not sum to 1")
        if any(part.weight.sign() < 0 for part in parts):
            raise ArithmeticError("a negative probability")
        found.append(law)
    return found


def released(path: Path) -> list[Noisy]:
    """Return the first released number of each noise variable."""
    first: dict[int, Noisy] = {}
    for part in noisy_parts(path.outcome):
        if not isinstance(part, Noisy) or len(part.terms) != 1:
            raise Unauditable("of what is released beside other outcomes, each number must be one noise variable")
        first.setdefault(part.terms[0][0], part)
    return list(first.values())


def coordinates(path: Path) -> tuple[Hashable, tuple[Density, ...]]:
    """Return the name of a path's tag, and the densities of its coordinates.

    Numbers that depend on the same variable are one coordinate: how they depend on each other belongs to the tag.
    """
    parts = released(path)
    places = {part.terms[0][0]: place for place, part in enumerate(parts)}
    beside: list[tuple[int, Fraction, Fraction]] = []
    for part in noisy_parts(path.outcome):
        ((name, c),) = part.terms
        first = parts[places[name]]
        slope = Fraction(c / first.terms[0][1])
        beside.append((places[name], slope, part.offset - slope * first.offset))
    tag = key(with_parts(path.outcome, lambda part: HOLE)), tuple(beside)
    return tag, tuple(_density(path, part) for part in parts)


def _density(path: Path, part: Noisy) -> Density:
    ((name, c),) = part.terms
    law = path.laws[name]
    if law.kind not in FAMILIES:
        raise Unauditable(f"{law.kind} noise released beside other outcomes is not decided without a delta")
    low, high = None, None
    for item in path.inequalities:
        if any(name == other for other, _ in item.form):
            if len(item.form) > 1:
                raise Unauditable("a released number that is compared with other noise is not decided by corners")
            end = Fraction(c * item.threshold + part.offset)
            if item.above == (c > 0):
                low = end if low is None else max(low, end)
            else:
                high = end if high is None else min(high, end)
    power = law.rate.power if law.kind != "uniform" else 0
    slope = Fraction(c) if law.kind == "uniform" else Fraction(c / law.rate.factor)
    return Density(law.kind, part.offset, slope, power, low, high)


def _chances(paths: Sequence[Sequence[Path]]) -> list[list[Exact]]:
    """Return the probability of each path without the inequalities that bound its released numbers."""
    rest = [[_unreleased(path) for path in row] for row in paths]
    units = Units.of(path for row in rest for path in row)
    chances = chances_of(rest, units)
    whole = as_exact(chances.whole, units)
    return [
        [exact_of(path.weight) * as_exact(value, units) / whole for path, value in zip(row, values, strict=True)]
        for row, values in zip(paths, chances.rows, strict=True)
    ]


def _unreleased(path: Path) -> Path:
    own = {part.terms[0][0] for part in released(path)}
    kept: list[Inequality] = [item for item in path.inequalities if own.isdisjoint(name for name, _ in item.form)]
    return replace(path, inequalities=tuple(kept), outcome=None, weight=Fraction(1))


def as_exact(value: Value, units: Units) -> Exact:
    """Return a value in h as a number in epsilon, or without it."""
    unit = Fraction(1, units.rates * units.lengths)
    if not units.power:
        return total(Exact.power(number=b * unit, factor=c * unit**i) for (i, b), c in value.items())
    return total(Exact((((i, b * unit, Fraction(0)), c * unit**i),)) for (i, b), c in value.items())


def corners_of(laws: Sequence[Tagged], tag: Hashable) -> list[Corner]:
    """Return the corners of a tag.

    Raises: Unauditable where densities of a coordinate are of several families or scales, or corners too many.
    """
    rows = [part.densities for law in laws if tag in law.tags for part in law.tags[tag][1]]
    ends: list[list[End]] = []
    for column in zip(*rows, strict=True):
        if len({density.family() for density in column}) > 1:
            raise Unauditable("released noise of two scales, or uniform and other noise, beside each other")
        breaks = {end for density in column for end in density.breaks()}
        jumps = {y for y, side in breaks if side}
        ends.append(sorted(end for end in breaks if end[1] or end[0] not in jumps))
    count = 1
    for column_ends in ends:
        count *= len(column_ends)
    if count > MOST_CORNERS:
        raise Unauditable(f"more than {MOST_CORNERS} corners of what is released")
    return list(product(*ends))


TRIED = 10_000
"""The greatest denominator of an epsilon or a ratio that is tried as the closed form of the least one."""
HALVINGS = 200
Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Faced:
    """The densities p and q of a corner on two inputs, by place."""

    a: int
    b: int
    tag: Hashable
    corner: Corner
    p: Exact
    q: Exact

    def excess(self, ratio: Exact) -> Sum:
        """Return a sum of the sign of p less a ratio, which is a sum, times q."""
        its = times(times(self.q.above, ratio.above).items(), self.p.below)
        return plus(times(self.p.above, self.q.below), its, -1)


@dataclass(slots=True)
class Cornered:
    """The laws of a program's inputs, with their values at all corners."""

    laws: list[Tagged]
    known: dict[tuple[int, Hashable, Corner], Exact] = field(default_factory=dict)
    corners: dict[Hashable, list[Corner]] = field(default_factory=dict)

    def faced(self, pairs: Sequence[tuple[int, int]]) -> list[Faced]:
        """Return each two densities that face each other at a corner, once.

        Raises: Unauditable where corners do not decide.
        """
        found: dict[tuple[Exact, Exact], Faced] = {}
        for a, b in pairs:
            for tag in self.laws[a].tags:
                if tag not in self.corners:
                    self.corners[tag] = corners_of(self.laws, tag)
                for corner in self.corners[tag]:
                    p, q = self._at(a, tag, corner), self._at(b, tag, corner)
                    if p != q:
                        found.setdefault((p, q), Faced(a, b, tag, corner, p, q))
        return list(found.values())

    def _at(self, place: int, tag: Hashable, corner: Corner) -> Exact:
        mark = place, tag, corner
        if mark not in self.known:
            self.known[mark] = self.laws[place].at(tag, corner)
        return self.known[mark]


def by_corners(
    claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> IdealReport:
    """Return the report on a release beside tags.

    Raises: Unauditable for another one.
    """
    if claim.guarantee.delta:
        raise Unauditable("at a delta, corners decide nothing")
    cornered = Cornered(tagged(paths))
    faced = cornered.faced(pairs)
    ratio = ratio_of(claim.guarantee.epsilon)
    for each in faced:
        if sign_of(each.excess(ratio)) > 0:
            found = _refuted(claim, paths, cornered, each, at_epsilon)
            least = _least(claim.guarantee.epsilon, faced)
            return replace(found, claim=claim, pairs=len(pairs), paths=sum(map(len, paths)), epsilon=least)
    return IdealReport(
        claim=claim,
        verdict="verified",
        reason=None,
        pairs=len(pairs),
        paths=sum(map(len, paths)),
        outcomes=len(cornered.corners),
        delta=(Fraction(0), Fraction(0)),
        epsilon=_least(claim.guarantee.epsilon, faced),
        worst=None,
        method="corners",
    )


def failing(
    paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], factor: Fraction, within: Range
) -> Iterator[Fraction]:
    """Yield an epsilon of a range near each corner at which (factor epsilon)-privacy fails somewhere.

    Raises: Unauditable where corners do not decide, or where a sign is not known for every epsilon.
    """
    cornered = Cornered(tagged(paths))
    ratio = Exact.power(epsilon=factor)
    for each in cornered.faced(pairs):
        excess = each.excess(ratio)
        if excess:
            signs = signs_over(excess, within.low, within.high)
            if 1 in signs:
                yield signs[1]


def ratio_of(epsilon: Epsilon) -> Exact:
    """Return e^epsilon."""
    return Exact.power(number=epsilon.rational, factor=epsilon.ratio)


def _least(claimed: Epsilon, faced: Sequence[Faced]) -> tuple[Epsilon, Epsilon | None]:
    """Return bounds of the least epsilon, None for no least one; equal ones where a closed form of it is known."""
    if any(each.p.above and not each.q.above for each in faced):
        return Epsilon.of(0), None
    bounds = [_quotient(each) for each in faced if each.p.above]
    low, high = (max((each[side] for each in bounds), default=Fraction(1)) for side in (0, 1))
    if high <= 1:
        return Epsilon.of(0), Epsilon.of(0)
    near = [
        each for each, (_, most) in zip((each for each in faced if each.p.above), bounds, strict=True) if most >= low
    ]
    with flint.ctx.workprec(64):
        logarithm = _fraction(flint.arb(flint.fmpq(low.numerator, low.denominator)).log().mid())
    close = max(logarithm.limit_denominator(TRIED), Fraction(0))
    for epsilon in (claimed, Epsilon.of(close), Epsilon.ln(max(low.limit_denominator(TRIED), Fraction(1)))):
        if max(sign_of(each.excess(ratio_of(epsilon))) for each in near) == 0:
            return epsilon, epsilon
    return Epsilon.ln(max(Fraction(1), low)), Epsilon.ln(max(Fraction(1), high))


def _quotient(each: Faced) -> Bounds:
    """Return bounds of p / q, of which q is not 0."""
    with flint.ctx.workprec(128):
        found = each.p.enclosed() / each.q.enclosed()
        low, high = (_fraction(end) for end in (found.lower(), found.upper()))
    return rounded(low, up=False), rounded(high, up=True)


def _fraction(x: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in x.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _refuted(
    claim: Claim, paths: Sequence[Sequence[Path]], cornered: Cornered, broken: Faced, at_epsilon: Fraction
) -> IdealReport:
    """Return the report on two inputs of a claim that fails at a corner: it fails in a box beside it, too."""
    box = _violating(claim, cornered, broken)
    points = sorted({end for ends in box for end in ends})
    both = [paths[broken.a], paths[broken.b]]
    need_no_words(both, points)
    ways = [[(path, each) for path in row for each in _boxes(path, broken.tag, box)] for row in both]
    parts = Cut(ways, points)
    own = replace(claim, inputs=(claim.inputs[broken.a], claim.inputs[broken.b]))
    report = Search(own, parts.rows, at_epsilon=at_epsilon).report([(0, 1)])
    return replace(report, method="intervals", event=parts.event(report, merged=False))


def _violating(claim: Claim, cornered: Cornered, broken: Faced) -> list[tuple[Fraction, Fraction]]:
    """Return a box beside a corner in which p > e^epsilon q.

    Raises: Unauditable where none is found.
    """
    ratio = ratio_of(claim.guarantee.epsilon)
    size = Fraction(4)
    for _ in range(HALVINGS):
        box = [_beside(end, size) for end in broken.corner]
        p, q = (_in_box(cornered.laws[place], broken.tag, box) for place in (broken.a, broken.b))
        if (p - ratio * q).sign() > 0:
            return box
        size /= 2
    raise Unauditable("beside a corner that breaks the claim, no event is found")


def _beside(end: End, size: Fraction) -> tuple[Fraction, Fraction]:
    y, side = end
    return y - (size if side < 0 else 0), y + (0 if side < 0 else size)


def _in_box(law: Tagged, tag: Hashable, box: Sequence[tuple[Fraction, Fraction]]) -> Exact:
    """Return the probability of a tag with its released numbers in a box."""
    parts = law.tags[tag][1] if tag in law.tags else []
    return total(Part(part.weight, tuple(map(_narrowed, part.densities, box))).mass() for part in parts)


def _narrowed(density: Density, ends: tuple[Fraction, Fraction]) -> Density:
    low, high = ends
    return replace(
        density,
        low=low if density.low is None else max(low, density.low),
        high=high if density.high is None else min(high, density.high),
    )


def _boxes(path: Path, tag: Hashable, box: Sequence[tuple[Fraction, Fraction]]) -> list[Box]:
    """Return the ways in which a path's released numbers lie in a box, or not; one way for a path of another tag."""
    if coordinates(path)[0] != tag:
        return [{}]
    found: list[Box] = []
    inside: Box = {}
    for part, (low, high) in zip(released(path), box, strict=True):
        found += [{**inside, part: (None, low)}, {**inside, part: (high, None)}]
        inside = {**inside, part: (low, high)}
    return [*found, inside]
