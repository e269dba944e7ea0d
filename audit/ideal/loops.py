"""Loops on ideal noise, summed: a way that comes back to a state repeats the ways from there.

Where a run is in a state with probability p, and comes back to it with probability r, it leaves the loop on a way of
probability q, from the start on, in the first turn; in any turn with q (1 + r/p + (r/p)^2 + ...) = q p / (p - r).

Where s of r is to come back with a turn counted, the number of these is geometric noise of ratio s / (p - r + s), and
the way on which a run leaves does not depend on it.

Of loops that count, `while` asks before it turns, so no turn at all is a path of its own. A path whose outcome holds
geometric noise n >= 1, and one whose outcome is the same for n = 0, are one path, of noise n + 1, where their
probabilities are as that noise has them: then the first is n = 1, and the second all others.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.corners import as_exact
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.measure import Units, linked
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.audit.ideal.stars import is_enclosed
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.exact import ONE, Exact, Weight, exact_of, simplest, total
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy, Rounded, with_names
from dpcert.mechanisms.ideal.path import Inequality, Loop, Path, every_loop
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
    """Return 1 over the probability not to come back to a state, and the law of the counter of turns, if there is one.

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


def with_first_turns(paths: Sequence[Path], kinds: Collection[str]) -> list[Path]:
    """Return the paths of a program with those as one that differ in whether a loop that counts was turned; `kinds` are
    the types of its noisy numbers.

    Outcomes keep their laws: inequalities of a path that bound no released number become its weight.
    """
    if set(kinds) != {"int"} or all(loop.counter is None for loop in every_loop(paths)):
        return list(paths)
    apart = [path for path in paths if _is_bound(path) or is_enclosed([[path]])]
    alone = [path for path in paths if not any(path is other for other in apart)]
    units = Units.of(alone)
    chances = chances_of([alone], units)
    whole = as_exact(chances.whole, units)
    found: dict[Hashable, Path] = {}
    for path, chance in zip(alone, chances.rows[0], strict=True):
        _add(found, _plain(path, as_exact(chance, units) / whole))
    while (pair := _pair(found)) is not None:
        with_turns, without, name = pair
        _add(found, _together(_moved(found.pop(with_turns), name), found.pop(without)))
    return [*apart, *found.values()]


def _is_bound(path: Path) -> bool:
    """Whether a released number is bounded on a path, or is no form of noise."""
    parts = list(noisy_parts(path.outcome))
    released = {name for part in parts for name, _ in part.terms}
    compared = {name for item in path.inequalities for name, _ in item.form}
    return not released.isdisjoint(compared) or any(name < 0 for name in released)


def _plain(path: Path, chance: Exact) -> Path:
    """Return a path with the noise in its outcome alone, numbered as it stands there."""
    return _numbered(Path(path.laws, (), simplest(chance), path.outcome, held=path.held, left=path.left))


def _numbered(path: Path) -> Path:
    names = list(dict.fromkeys(name for part in noisy_parts(path.outcome) for name, _ in part.terms))
    place = {name: n for n, name in enumerate(names)}
    outcome = with_parts(path.outcome, lambda part: with_names(part, place)) if names else path.outcome
    return replace(path, laws=tuple(path.laws[name] for name in names), outcome=outcome)


def _add(found: dict[Hashable, Path], path: Path) -> None:
    """Add a path to the paths of other outcomes, or of other noise."""
    mark = path.laws, key(path.outcome)
    found[mark] = _together(path, found[mark]) if mark in found else path


def _together(path: Path, other: Path) -> Path:
    """Return a path with the probability of another one beside its own, and the generators and leavings of both."""
    weight = simplest(exact_of(path.weight) + exact_of(other.weight))
    held, left = (tuple(sorted({*mine, *its})) for mine, its in ((path.held, other.held), (path.left, other.left)))
    return replace(path, weight=weight, held=held, left=left)


def _pair(found: Mapping[Hashable, Path]) -> tuple[Hashable, Hashable, int] | None:
    """Return the marks of two paths that are one, and the noise that counts."""
    for mark, path in found.items():
        for name, law in enumerate(path.laws):
            if law.kind == "geometric":
                without = _numbered(replace(path, outcome=_without_noise(path.outcome, name)))
                other = found.get((without.laws, key(without.outcome)))
                if other is not None and _is_first(other, path, law):
                    return mark, (without.laws, key(without.outcome)), name
    return None


def _is_first(first: Path, others: Path, law: Law) -> bool:
    """Whether two paths are as likely as the least value of geometric noise and all others."""
    rate = law.rate
    ratio = Exact.power(number=0 if rate.power else -rate.factor, epsilon=-rate.factor if rate.power else 0)
    whole = exact_of(first.weight) + exact_of(others.weight)
    return exact_of(others.weight).same(whole * ratio * Exact.of(1 / rate.ratio))


def _moved(path: Path, name: int) -> Path:
    """Return a path with noise less 1 in the place of noise."""

    def part_moved(part: Noisy | Rounded) -> Noisy | Rounded:
        return replace(part, offset=part.offset - sum(c for other, c in part.terms if other == name))

    return replace(path, outcome=with_parts(path.outcome, part_moved))


def _without_noise(outcome: Any, name: int) -> Any:
    """Return an outcome with 0 for noise: an integer in the place of a number that has no other noise."""

    def part_without(part: Noisy | Rounded) -> Any:
        terms = tuple(item for item in part.terms if item[0] != name)
        is_integer = isinstance(part, Noisy) and part.offset.denominator == 1
        return int(part.offset) if not terms and is_integer else replace(part, terms=terms)

    return with_parts(outcome, part_without)
