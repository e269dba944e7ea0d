"""Loops on ideal noise, summed: a way that comes back to a state is what follows there, once more.

Where a run is in a state with probability p, and comes back to it with probability r, it leaves the loop on a way of
probability q, from the start on, in the first turn; in any turn with q (1 + r/p + (r/p)^2 + ...) = q p / (p - r).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.measure import Units, linked
from dpcert.audit.ideal.stars import is_enclosed
from dpcert.audit.ideal.tags.corners import as_exact
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, Weight, exact_of, simplest, total
from dpcert.mechanisms.ideal.path import Inequality, Loop, Path
from dpcert.reading.ideal.explore import Leaf

ENDLESS = "a loop from which no run comes out"
Component = frozenset[Inequality]


def summed(ways: Sequence[Leaf]) -> list[Leaf]:
    """Return ways with their probability over all turns of the loops that they are in.

    Raises: Unauditable for a loop that does not end, or of which the probability to come back is not known exactly.
    """
    known: dict[int, Loop] = {}

    def closed(path: Path) -> Path:
        """Return a way with its loops summed, the innermost one first."""
        loops = tuple(known.get(id(loop)) or again(loop) for loop in path.loops)
        return path.within(loops)

    def again(loop: Loop) -> Loop:
        found = replace(loop, repeats=tuple(map(closed, loop.repeats)))
        known[id(loop)] = found = replace(found, factor=factor_of(found))
        return found

    return [(closed(path), types) for path, types in ways]


def factor_of(loop: Loop) -> Weight:
    """Return 1 over the probability not to come back to a state.

    Raises: Unauditable where there is none, or none that is known exactly.
    """
    parts = [frozenset(map(frozenset, linked(path.inequalities))) for path in (loop.head, *loop.repeats)]
    shared: frozenset[Component] = frozenset.intersection(*parts)
    paths = [_without(loop.head, shared), *(_without(path, shared) for path in loop.repeats)]
    if any(name < 0 for path in paths for item in path.inequalities for name, _ in item.form):
        raise Unauditable("a loop whose end depends on inputs that are left open")
    if is_enclosed([paths]):
        raise Unauditable("a loop whose end depends on noise that is not integrated; redraw Laplace or uniform noise")
    units = Units.of(paths)
    start, *back = (as_exact(value, units) for value in chances_of([paths], units).rows[0])
    weights = [exact_of(path.weight) / exact_of(loop.head.weight) for path in loop.repeats]
    leaves = ONE - total(chance * weight for chance, weight in zip(back, weights, strict=True)) / start
    if not leaves.above:
        raise Unauditable(f"{ENDLESS}; let it end")
    if leaves.sign() < 0:
        raise ArithmeticError("a state to which a run comes back with a probability above 1")
    return simplest(ONE / leaves)


def _without(path: Path, shared: frozenset[Component]) -> Path:
    """Return a way without some inequalities, whose variables are in no others, and without the chance of draws."""
    rest = [item for group in linked(path.inequalities) if frozenset(group) not in shared for item in group]
    return replace(path, inequalities=tuple(rest), weight=Fraction(1))
