"""The search for alignments: a linear program for each region finds the shift of least cost.

On open inputs, neighbours are q and q + d with d in a polytope. The conditions on a shift are linear in d and s
together and the cost is convex. So shifts at the corners of the polytope are enough: between corners the mixture of
their shifts does, at no higher cost.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count, product
from typing import Any

from dpcert.audit.ideal.alignment import BOTH_WAYS, UPWARDS, Alignment, Move, Region, Step, renamed
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.linear import Unbounded, maximize
from dpcert.mechanisms.ideal.noise import WHOLE_VALUED
from dpcert.mechanisms.ideal.path import Inequality, supports
from dpcert.mechanisms.ideal.terms import Number

Shift = dict[int, Fraction]
Match = tuple[int, Shift, dict[int, int]]
"""The target of a source, by position, the shift, and which variables of the target stand for others of the source."""
COST = 1 << 20
"""The variables from here on are the sizes of shifts."""


def corners(relation: str, numbers: int) -> list[Move]:
    """Return the corners of the differences of neighbours, with real entries in place of integers.

    Raises: Unauditable for a relation without them.
    """
    names = range(-1, -numbers - 1, -1)
    match relation:
        case "linf":
            signs = product((-1, 1), repeat=numbers)
        case "l1" | "counts_differ_by_one" if relation == "l1" or numbers == 1:
            return [{name: sign} for name in names for sign in (-1, 1)]
        case "increasing":
            signs = product((0, 1), repeat=numbers)
        case "decreasing":
            signs = product((0, -1), repeat=numbers)
        case _:
            raise Unauditable(f"for the neighbours {relation!r}, no polytope of differences is known")
    return [dict(zip(names, sign, strict=True)) for sign in signs]


Within = Callable[[Fraction], bool]
"""Whether a cost is within a claim."""


def align(steps: Sequence[Step], within: Within | None = None) -> tuple[Alignment, ...] | None:
    """Return an alignment for each region of all steps; None where one is not found.

    With `within`, regions whose alignment would cost more are left without one.

    Raises: Unauditable where noise has no bound of this kind.
    """
    laws = {region.laws[name] for step in steps for region in step.sources for name in region.names()}
    if len({law.rate.power for law in laws}) > 1:
        raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
    search = _Search(within)
    found: list[Alignment] = []
    for place, step in enumerate(steps):
        for source, matched in enumerate(search.matched(step)):
            if matched is not None:
                target, shift, names = matched
                found.append(
                    Alignment(place, source, target, tuple(sorted(shift.items())), tuple(sorted(names.items())))
                )
            elif within is None:
                fixed = sorted({law.kind for law in laws} - BOTH_WAYS - UPWARDS)
                if fixed:
                    raise Unauditable(f"{fixed[0]} noise is not aligned")
                return None
    return tuple(found)


Row = tuple[tuple[tuple[int, Number], ...], Number]


class _Search:
    """Shifts of least cost, kept: the same conditions come up at many regions and steps."""

    def __init__(self, within: Within | None) -> None:
        self.within = within
        self.known: dict[Any, tuple[Shift, Fraction] | None] = {}
        self.outlines: dict[int, tuple[Region, Any]] = {}

    def outline(self, region: Region) -> Any:
        if id(region) not in self.outlines:
            self.outlines[id(region)] = region, region.outline()
        return self.outlines[id(region)][1]

    def matched(self, step: Step) -> Iterator[Match | None]:
        """Yield a target for each source, each taken once; None where none is found.

        A target at the same position that has the same inequalities but for thresholds is tried first, then the others
        with the same outcome, the cheapest of them. At last, if costs are to be `within` a claim, parts of the source
        may be left.
        """
        groups: dict[Any, list[int]] = {}
        for number, target in enumerate(step.targets):
            groups.setdefault(self.outline(target), []).append(number)
        taken: set[int] = set()
        for number, source in enumerate(step.sources):
            free = [target for target in groups.get(self.outline(source), []) if target not in taken]
            alike = [target for target in free if _alike(source, step.targets[target])]
            chosen = self._cheapest_of(source, step, [number] if number in alike else alike, whole=True)
            chosen = chosen or self._cheapest_of(source, step, free, whole=True)
            if chosen is None and self.within is not None:
                chosen = self._cheapest_of(source, step, free, whole=False)
            if chosen is not None:
                taken.add(chosen[0])
            yield chosen

    def _cheapest_of(self, source: Region, step: Step, targets: Sequence[int], *, whole: bool) -> Match | None:
        kept: list[tuple[Fraction, Match]] = []
        for number in targets:
            target = step.targets[number]
            best, names = self._shift(source, target, whole=True) if whole else None, {}
            if best is None:
                names = _names(source, target)
                best = self._shift(source, renamed(target, names, source.laws), whole=whole)
            if best is not None:
                kept.append((best[1], (number, best[0], names)))
        return min(kept, key=lambda item: (item[0], item[1][0]))[1] if kept else None

    def _shift(self, source: Region, target: Region, *, whole: bool) -> tuple[Shift, Fraction] | None:
        rows = _rows(source, target, whole=whole)
        if rows is None:
            return None
        mark = source.laws, frozenset(rows[0]), frozenset(rows[1])
        if mark not in self.known:
            best = _cheapest(source, *rows)
            dear = best is not None and self.within is not None and not self.within(best[1])
            self.known[mark] = None if dear else best
        return self.known[mark]


def _alike(source: Region, target: Region) -> bool:
    return {(x.form, x.above) for x in source.inequalities} == {(x.form, x.above) for x in target.inequalities}


def _names(source: Region, target: Region) -> dict[int, int]:
    """Return which of the source's variables stand for the target's: those that are released in the same place, then
    those that lie between the same numbers; others keep their names where these are free, or else get new ones."""
    names: dict[int, int] = {}
    for part, other in zip(source.parts(), target.parts(), strict=True):
        for (mine, c), (its, d) in zip(part.terms, other.terms, strict=False):
            if c == d and min(mine, its) >= 0 and source.laws[mine] == target.laws[its]:
                names.setdefault(its, mine)
    taken = set(names.values())
    if len(taken) < len(names):
        return {}
    places = {_place(source, mine): mine for mine in sorted(source.names() - taken, reverse=True)}
    for name in sorted(target.names() - set(names)):
        if (place := _place(target, name)) in places:
            names[name] = places.pop(place)
            taken.add(names[name])
    fresh = count(max(len(source.laws), len(target.laws)))
    for name in sorted(target.names() - set(names)):
        same = name not in taken and source.laws[name : name + 1] == target.laws[name : name + 1]
        names[name] = name if same else next(fresh)
        taken.add(names[name])
    return {name: other for name, other in names.items() if name != other}


def _place(region: Region, name: int) -> Hashable:
    """Return the law of a noise variable and the inequalities that are about it alone."""
    alone = [item for item in region.inequalities if len(item.form) == 1 and item.form[0][0] == name]
    return region.laws[name], frozenset((item.form[0][1], item.threshold, item.above) for item in alone)


def _rows(source: Region, target: Region, *, whole: bool) -> tuple[list[Row], list[Row]] | None:
    """Return (a, b) for each condition a s >= b on a shift, and for each a s = b; None where no shift will do.

    Where the source need not be taken as a `whole`, conditions are only on released numbers.
    """
    names = source.names() | target.names()
    if whole and any(source.laws[name : name + 1] != target.laws[name : name + 1] for name in names):
        return None
    if source.weight > target.weight:
        return None
    least: list[Row] = []
    for item in target.inequalities if whole else ():
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
        kind = region.laws[name].kind
        if kind not in BOTH_WAYS:
            rows.append(({name: -1}, 0))
        if kind not in BOTH_WAYS | UPWARDS or region.laws[name].rate.ratio != 1:
            rows.append(({name: 1}, 0))
    if not names:
        return ({}, Fraction(0)) if all(b <= 0 for _, b in least) and all(b == 0 for _, b in equal) else None
    found = maximize(objective, rows)
    whole = [name for name in names if region.laws[name].kind in WHOLE_VALUED]
    if found is None or any(found.point[name].denominator > 1 for name in whole):
        return None
    return {name: found.point[name] for name in names if found.point[name]}, -found.value
