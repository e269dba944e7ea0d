"""The verdict on a release beside tags, without a delta: by the corners of its densities, at one epsilon or at all."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import flint

from dpcert.audit.ideal.cutting import Box, need_no_words
from dpcert.audit.ideal.decide import rounded
from dpcert.audit.ideal.discrete.values import Cut
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.report import IdealReport, Search
from dpcert.audit.ideal.tags.corners import (
    Corner,
    Density,
    End,
    Part,
    Tagged,
    coordinates,
    corners_of,
    released,
    tagged,
)
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact, plus, times, total
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.signs import Sum, sign_of, signs_over

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
    """The laws of a program's inputs, with what they are at all corners."""

    laws: list[Tagged]
    known: dict[tuple[int, Hashable, Corner], Exact] = field(default_factory=dict)
    corners: dict[Hashable, list[Corner]] = field(default_factory=dict)

    def faced(self, pairs: Sequence[tuple[int, int]]) -> list[Faced]:
        """Return each two densities that face each other at a corner, once.

        Raises: Unauditable for what is not decided by corners.
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

    Raises: Unauditable for what is not decided by corners, or where a sign is not known for every epsilon.
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
    """Return the probability that a tag is met with its released numbers in a box."""
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
