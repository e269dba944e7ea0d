"""Bounds of epsilon for all real inputs, by alignments: shifts of the noise that keep path and outcome.

Neighbours are q and q + d with d in a polytope. On a region of the noise, a shift s keeps the region where it moves no
inequality a x + b q > t the wrong way: a s + b d >= 0; it keeps the outcome where c s + e d = 0 for each released
number c x + e q. Then the region's part of the law on q is at most e^cost times that on q + d, as x -> x + s moves the
density of Laplace or logistic noise of rate r by at most a factor e^(r |s|), and that of exponential or Gumbel noise
by e^(r s) for s >= 0.

The conditions are linear in d and s together and the cost is convex. So shifts at the corners of the polytope are
enough: between corners the mixture of their shifts does, at no higher cost. `check_alignment` substitutes, no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.audit.ideal.linear import maximize
from dpcert.audit.ideal.merge import Region, regions_of
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.run import Path
from dpcert.audit.ideal.terms import Number
from dpcert.mechanisms.exact.errors import Unauditable

Move = Mapping[int, Number]
"""By how much each number of the input differs, by its variable."""
Shift = dict[int, Fraction]
BOTH_WAYS, UPWARDS = frozenset({"laplace", "logistic"}), frozenset({"exponential", "gumbel"})
"""The noise that may be shifted by any number, and by numbers >= 0, at a cost of its rate times that."""
COST = 1 << 20
"""The variables from here on are the sizes of shifts."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The shift of a region at a corner: by how much each noise variable is moved, and what that costs."""

    region: int
    move: tuple[tuple[int, Number], ...]
    shift: tuple[tuple[int, Fraction], ...]
    cost: Fraction


@dataclass(frozen=True, slots=True)
class Aligned:
    """A bound of epsilon for all real inputs, in units of epsilon^power: the greatest cost of an alignment.

    With `integers`, it is one for all integer inputs alone.
    """

    bound: Fraction
    power: int
    regions: tuple[Region, ...]
    alignments: tuple[Alignment, ...]
    integers: bool = False


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


def align(paths: Sequence[Path], moves: Sequence[Move]) -> Aligned | None:
    """Return a bound of epsilon for inputs that differ by a mixture of these moves; None where no alignment is found.

    Raises: Unauditable for noise that has no bound of this kind.
    """
    regions = regions_of(paths)
    found: list[Alignment] = []
    known: dict[Any, tuple[Shift, Fraction] | None] = {}
    powers: set[int] = set()
    for place, region in enumerate(regions):
        powers |= _powers(region)
        for move in moves:
            rows = _rows(region, move)
            mark = region.laws, frozenset(rows[0]), frozenset(rows[1])
            if mark not in known:
                known[mark] = _cheapest(region, *rows)
            cheapest = known[mark]
            if cheapest is None:
                return None
            shift, cost = cheapest
            alignment = Alignment(place, tuple(sorted(move.items())), tuple(sorted(shift.items())), cost)
            check_alignment(region, alignment)
            found.append(alignment)
    if len(powers) > 1:
        raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
    bound = max((alignment.cost for alignment in found), default=Fraction(0))
    integers = any(path.integers for path in paths)
    return Aligned(bound, max(powers, default=0), tuple(regions), tuple(found), integers)


Row = tuple[tuple[tuple[int, Number], ...], Number]


def _rows(region: Region, move: Move) -> tuple[list[Row], list[Row]]:
    """Return (a, b) for each condition a s >= b, and for each a s = b."""
    least: list[Row] = []
    for item in region.inequalities:
        form, _ = item.inward()
        noise = tuple((name, c) for name, c in form.items() if name >= 0)
        least.append((noise, -sum(c * move.get(name, 0) for name, c in form.items() if name < 0)))
    equal: list[Row] = []
    for part in noisy_parts(region.outcome):
        noise = tuple((name, c) for name, c in part.terms if name >= 0)
        equal.append((noise, -sum(c * move.get(name, 0) for name, c in part.terms if name < 0)))
    return least, equal


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


def _powers(region: Region) -> set[int]:
    """Return the powers of epsilon in the rates of a region's noise.

    Raises: Unauditable for noise whose density is not moved by a bounded factor.
    """
    used = {name for item in region.inequalities for name, _ in item.form if name >= 0}
    used |= {name for part in noisy_parts(region.outcome) for name, _ in part.terms if name >= 0}
    for name in used:
        if region.laws[name].kind not in BOTH_WAYS | UPWARDS:
            raise Unauditable(f"{region.laws[name].kind} noise is not aligned")
    return {region.laws[name].rate.power for name in used}


def check_alignment(region: Region, alignment: Alignment) -> None:
    """Check by substitution that a shift keeps the region and its outcome, and costs what it says.

    Raises: ArithmeticError otherwise.
    """
    shift, move = dict(alignment.shift), dict(alignment.move)
    if any(not 0 <= name < len(region.laws) for name in shift):
        raise ArithmeticError("an alignment shifts what is no noise")
    kinds = {name: region.laws[name].kind for name, s in shift.items() if s}
    if not set(kinds.values()) <= BOTH_WAYS | UPWARDS:
        raise ArithmeticError("an alignment shifts noise that has no bound for it")
    moved = {**shift, **move}
    for item in region.inequalities:
        form, _ = item.inward()
        if sum(c * moved.get(name, 0) for name, c in form.items()) < 0:
            raise ArithmeticError("an alignment leaves its region")
    for part in noisy_parts(region.outcome):
        if sum(c * moved.get(name, 0) for name, c in part.terms) != 0:
            raise ArithmeticError("an alignment changes the outcome")
    if any(kind in UPWARDS and shift[name] < 0 for name, kind in kinds.items()):
        raise ArithmeticError("an alignment shifts noise down that is shifted up only")
    if sum(region.laws[name].rate.factor * abs(s) for name, s in shift.items()) != alignment.cost:
        raise ArithmeticError("an alignment of another cost")
