"""The search for alignments: a linear program for each region finds the shift of least cost.

On open inputs, neighbours are q and q + d with d in a polytope. The conditions on a shift are linear in d and s
together and the cost is convex. So shifts at the corners of the polytope are enough: between corners the mixture of
their shifts does, at no higher cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.audit.ideal.alignment import BOTH_WAYS, UPWARDS, Alignment, Move, Region, Step, check_alignments
from dpcert.audit.ideal.linear import Unbounded, maximize
from dpcert.audit.ideal.run import Inequality, supports
from dpcert.audit.ideal.terms import Number
from dpcert.mechanisms.exact.errors import Unauditable

Shift = dict[int, Fraction]
COST = 1 << 20
"""The variables from here on are the sizes of shifts."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A bound of epsilon for all steps, in units of epsilon^power: the greatest cost of an alignment."""

    bound: Fraction
    power: int
    alignments: tuple[Alignment, ...]


def corners(relation: str, numbers: int) -> list[Move]:
    """Return the corners of the differences of neighbours, with real entries in place of integers.

    Raises: Unauditable for a relation without them.
    """
    names = range(-1, -numbers - 1, -1)
    match relation:
        case "linf":
            signs = product((-1, 1), repeat=numbers)
        case "l1" | "element" if relation == "l1" or numbers == 1:
            return [{name: sign} for name in names for sign in (-1, 1)]
        case "increasing":
            signs = product((0, 1), repeat=numbers)
        case "decreasing":
            signs = product((0, -1), repeat=numbers)
        case _:
            raise Unauditable(f"for the neighbours {relation!r}, no polytope of differences is known")
    return [dict(zip(names, sign, strict=True)) for sign in signs]


def align(steps: Sequence[Step]) -> Aligned | None:
    """Return a bound of epsilon for all steps; None where no alignment is found.

    Raises: Unauditable for noise that has no bound of this kind.
    """
    for region in {id(source): source for step in steps for source in step.sources}.values():
        for name in region.names():
            if region.laws[name].kind not in BOTH_WAYS | UPWARDS:
                raise Unauditable(f"{region.laws[name].kind} noise is not aligned")
    search = _Search()
    found: list[Alignment] = []
    for place, step in enumerate(steps):
        matched = search.matched(step)
        if matched is None:
            return None
        for source, (target, shift) in enumerate(matched):
            found.append(Alignment(place, source, target, tuple(sorted(shift.items()))))
    powers = {law.rate.power for step in steps for r in step.sources for law in (r.laws[n] for n in r.names())}
    if len(powers) > 1:
        raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
    bound, _ = check_alignments(steps, found)
    return Aligned(bound, max(powers, default=0), tuple(found))


Row = tuple[tuple[tuple[int, Number], ...], Number]


class _Search:
    """Shifts of least cost, kept: the same conditions come up at many regions and steps."""

    def __init__(self) -> None:
        self.known: dict[Any, tuple[Shift, Fraction] | None] = {}
        self.outlines: dict[int, tuple[Region, Any]] = {}

    def outline(self, region: Region) -> Any:
        if id(region) not in self.outlines:
            self.outlines[id(region)] = region, region.outline()
        return self.outlines[id(region)][1]

    def matched(self, step: Step) -> list[tuple[int, Shift]] | None:
        """Return a target for each source, each taken once, and the shift; None where none is found.

        A target at the same position that has the same inequalities but for thresholds is tried first, then the others
        with the same outcome, the cheapest of them.
        """
        groups: dict[Any, list[int]] = {}
        for number, target in enumerate(step.targets):
            groups.setdefault(self.outline(target), []).append(number)
        taken: set[int] = set()
        found: list[tuple[int, Shift]] = []
        for number, source in enumerate(step.sources):
            free = [target for target in groups.get(self.outline(source), []) if target not in taken]
            alike = [target for target in free if _alike(source, step.targets[target])]
            chosen = self._cheapest_of(source, step, [number] if number in alike else alike)
            chosen = chosen or self._cheapest_of(source, step, free)
            if chosen is None:
                return None
            taken.add(chosen[0])
            found.append(chosen)
        return found

    def _cheapest_of(self, source: Region, step: Step, targets: Sequence[int]) -> tuple[int, Shift] | None:
        found = [(target, self._shift(source, step.targets[target])) for target in targets]
        kept = [(best[1], target, best[0]) for target, best in found if best is not None]
        if not kept:
            return None
        _, target, shift = min(kept, key=lambda item: item[:2])
        return target, shift

    def _shift(self, source: Region, target: Region) -> tuple[Shift, Fraction] | None:
        rows = _rows(source, target)
        if rows is None:
            return None
        mark = source.laws, frozenset(rows[0]), frozenset(rows[1])
        if mark not in self.known:
            self.known[mark] = _cheapest(source, *rows)
        return self.known[mark]


def _alike(source: Region, target: Region) -> bool:
    return {(x.form, x.above) for x in source.inequalities} == {(x.form, x.above) for x in target.inequalities}


def _rows(source: Region, target: Region) -> tuple[list[Row], list[Row]] | None:
    """Return (a, b) for each condition a s >= b on a shift, and for each a s = b; None where no shift will do."""
    names = source.names() | target.names()
    if any(source.laws[name : name + 1] != target.laws[name : name + 1] for name in names):
        return None
    if source.weight > target.weight:
        return None
    least: list[Row] = []
    for item in target.inequalities:
        bound = _bound(source, item)
        if bound is None:
            return None
        form, offset = item.inward()
        least.append((tuple((name, c) for name, c in form.items() if name >= 0), -offset - bound))
    equal: list[Row] = []
    for part, other in zip(source.parts(), target.parts(), strict=True):
        if replace(other, offset=part.offset) != part:
            return None
        noise = tuple((name, c) for name, c in other.terms if name >= 0)
        equal.append((noise, part.offset - other.offset))
    return least, equal


def _bound(source: Region, item: Inequality) -> Number | None:
    """Return the least value in a region of the form of an inequality, turned inward; None where there is none."""
    own = [-x.inward()[1] for x in source.inequalities if (x.form, x.above) == (item.form, item.above)]
    if own:
        return max(own)
    form, _ = item.inward()
    items = [x.inward() for x in source.inequalities]
    names = {name for x in (*source.inequalities, item) for name, _ in x.form}
    rows = [({name: -c for name, c in a.items()}, b) for a, b in [*items, *supports(source.laws, names)]]
    try:
        found = maximize({name: -c for name, c in form.items()}, rows)
    except Unbounded:
        return None
    return None if found is None else -found.value


def _cheapest(region: Region, least: Sequence[Row], equal: Sequence[Row]) -> tuple[Shift, Fraction] | None:
    """Return a shift of least cost that meets the conditions; None where there is none."""
    names = sorted({name for form, _ in (*least, *equal) for name, _ in form})
    rows: list[tuple[Mapping[int, Number], Number]] = []
    for form, bound in (*least, *equal):
        rows.append(({name: -c for name, c in form}, -bound))
    for form, bound in equal:
        rows.append((dict(form), bound))
    objective: dict[int, Fraction] = {}
    for name in names:
        objective[COST + name] = -region.laws[name].rate.factor
        rows.append(({name: 1, COST + name: -1}, 0))
        rows.append(({name: -1, COST + name: -1}, 0))
        if region.laws[name].kind in UPWARDS:
            rows.append(({name: -1}, 0))
    if not names:
        return ({}, Fraction(0)) if all(b <= 0 for _, b in least) and all(b == 0 for _, b in equal) else None
    found = maximize(objective, rows)
    if found is None:
        return None
    return {name: found.point[name] for name in names if found.point[name]}, -found.value
