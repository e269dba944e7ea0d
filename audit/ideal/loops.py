"""Loops on ideal noise, summed: a way that comes back to a state is what follows there, once more.

Where a run is in a state with probability p, and comes back to it with probability r, it leaves the loop on a way of
probability q, from the start on, in the first turn; in any turn with q (1 + r/p + (r/p)^2 + ...) = q p / (p - r).

Where s of r is to come back with a turn counted, the number of these is geometric noise of ratio s / (p - r + s), and
the way on which a run leaves does not depend on it.
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
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.path import Inequality, Loop, Path
from dpcert.reading.ideal.explore import Leaf

ENDLESS = "a loop from which no run comes out"
Component = frozenset[Inequality]


def summed(ways: Sequence[Leaf]) -> list[Leaf]:
    """Return ways with their probability over all turns of the loops that they are in.

    Raises: Unauditable for a loop that does not end, or of which the probability to come back is not known exactly.
    """
    known: dict[int, tuple[Loop, Law | None]] = {}

    def closed(path: Path) -> Path:
        """Return a way with its loops summed, the innermost one first."""
        found = [known.get(id(loop)) or again(loop) for loop in path.loops]
        laws = list(path.laws)
        for loop, law in found:
            if loop.counter is not None and law is not None:
                laws[loop.counter] = law
        return replace(path, laws=tuple(laws)).within([loop for loop, _ in found])

    def again(loop: Loop) -> tuple[Loop, Law | None]:
        repeats, counted = (tuple(map(closed, each)) for each in (loop.repeats, loop.counted))
        factor, law = _turns(replace(loop, repeats=repeats, counted=counted))
        known[id(loop)] = replace(loop, repeats=repeats, counted=counted, factor=factor), law
        return known[id(loop)]

    return [(closed(path), types) for path, types in ways]


def _turns(loop: Loop) -> tuple[Weight, Law | None]:
    """Return 1 over the probability not to come back to a state, and the law of what counts turns, if anything does.

    Raises: Unauditable where there is none, or none that is known exactly.
    """
    ways = [*loop.repeats, *loop.counted]
    parts = [frozenset(map(frozenset, linked(path.inequalities))) for path in (loop.head, *ways)]
    shared: frozenset[Component] = frozenset.intersection(*parts)
    paths = [_without(path, shared) for path in (loop.head, *ways)]
    used = [(path, name) for path in paths for item in path.inequalities for name, _ in item.form]
    if any(name < 0 or path.laws[name].rate.factor < 0 for path, name in used):
        raise Unauditable("a loop whose end depends on inputs that are left open, or on how often another one turns")
    if is_enclosed([paths]):
        raise Unauditable("a loop whose end depends on noise that is not integrated; redraw Laplace or uniform noise")
    units = Units.of(paths)
    start, *back = (as_exact(value, units) for value in chances_of([paths], units).rows[0])
    weights = [exact_of(path.weight) / exact_of(loop.head.weight) for path in ways]
    chances = [chance * weight / start for chance, weight in zip(back, weights, strict=True)]
    leaves = ONE - total(chances)
    if not leaves.above:
        raise Unauditable(f"{ENDLESS}; let it end")
    if leaves.sign() < 0:
        raise ArithmeticError("a state to which a run comes back with a probability above 1")
    factor = simplest(ONE / leaves)
    if loop.counter is None:
        return factor, None
    stays = total(chances[: len(loop.repeats)])
    return factor, _geometric(simplest(total(chances[len(loop.repeats) :]) / (ONE - stays)))


def _geometric(ratio: Weight) -> Law:
    """Return the law of geometric noise, of which the weights fall by a ratio.

    Raises: Unauditable for a ratio that is no rational number times one exponential.
    """
    if isinstance(ratio, Fraction):
        return Law("geometric", Rate(Fraction(0), 0, 1 / ratio))
    if len(ratio.above) == 1 and ratio.below == ONE.below:
        (((i, b, s), c),) = ratio.above
        if i == 0 and (b == 0 or s == 0):
            return Law("geometric", Rate(-(b or s), int(b != 0), 1 / c))
    raise Unauditable("a loop that counts its turns, whose chance to go on is no number times one exponential")


def _without(path: Path, shared: frozenset[Component]) -> Path:
    """Return a way without some inequalities, whose variables are in no others, and without the chance of draws."""
    rest = [item for group in linked(path.inequalities) if frozenset(group) not in shared for item in group]
    return replace(path, inequalities=tuple(rest), weight=Fraction(1))
