"""Paths of one outcome as few polyhedra: a running maximum has many paths, and one region.

A region is right where it holds all paths that it stands for, and no point of any other path of the program: the paths
of a program fill the whole space.
"""

from collections.abc import Hashable, Mapping, Sequence

from dpcert.audit.ideal.alignment import Move, Region, Step, moved
from dpcert.audit.ideal.discrete.points import point_in
from dpcert.audit.ideal.folding import folded
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.linear import possible
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.path import Inequality, Path, meet, supports, within_values


def regions_of(paths: Sequence[Path]) -> list[Region]:
    """Return regions that are, but for sets of probability 0, the paths of a program. Paths of one outcome make one
    region where they fill it, and so do two whose noise differs in a random sign."""
    return [region for region, _ in grouped(folded(paths))]


def grouped(paths: Sequence[Path]) -> list[tuple[Region, list[Path]]]:
    """Return regions, each with the paths that it is made of."""
    groups: dict[Hashable, list[Path]] = {}
    for path in paths:
        groups.setdefault(key(path.outcome), []).append(path)
    points = {id(path): point_in(path) or {} for path in paths}
    found: list[tuple[Region, list[Path]]] = []
    for group in groups.values():
        whole = _whole(group, paths, points) if len(group) > 1 else None
        if whole is not None:
            found.append((whole, group))
        else:
            found += [(Region.of(path), [path]) for path in group]
    return found


def open_steps(paths: Sequence[Path], moves: Sequence[Move]) -> list[Step]:
    """Return the steps from open inputs, on which a program has these paths, to the same inputs moved."""
    regions = tuple(regions_of(paths))
    return [Step(regions, tuple(moved(region, move) for region in regions)) for move in moves]


def pair_steps(paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]]) -> list[Step]:
    """Return the steps between inputs, on each of which a program has these paths."""
    regions = [tuple(regions_of(row)) for row in paths]
    return [Step(regions[a], regions[b]) for a, b in pairs]


def _whole(group: Sequence[Path], paths: Sequence[Path], points: Mapping[int, Mapping[int, float]]) -> Region | None:
    """Return the region that the paths of a group make together; None where they make none that is found."""
    laws = max((path.laws for path in group), key=len)
    if any(path.laws != laws[: len(path.laws)] for path in paths) or any(
        path.drawn or path.weight != 1 for path in paths
    ):
        return None
    if len({path.derived for path in paths}) > 1:
        return None  # their noise makes no one space
    candidates = list(dict.fromkeys(item for path in group for item in path.inequalities))
    kept = [item for item in candidates if all(_implies(path, item, points[id(path)]) for path in group)]
    members = {id(path) for path in group}
    for other in paths:
        if id(other) not in members and not _apart(kept, other, max(laws, other.laws, key=len)):
            return None
    return Region(laws, tuple(needed(kept, laws)), group[0].outcome)


def _implies(path: Path, item: Inequality, point: Mapping[int, float]) -> bool:
    """Whether an inequality holds on a path."""
    if item in path.inequalities:
        return True
    form, offset = item.inward()
    value = sum(float(c) * point.get(name, 0.5) for name, c in form.items()) + float(offset)
    if value < -1e-9:
        return False
    return not meet([*path.inequalities, Inequality(item.form, item.threshold, not item.above)], path.laws)


def _apart(items: Sequence[Inequality], other: Path, laws: Sequence[Law]) -> bool:
    """Whether no point is both in a region and on another path."""
    opposite = {Inequality(item.form, item.threshold, not item.above) for item in items}
    if not opposite.isdisjoint(other.inequalities):
        return True
    return not meet([*items, *other.inequalities], laws)


def needed(items: Sequence[Inequality], laws: Sequence[Law]) -> list[Inequality]:
    """Return the inequalities without those that the others imply."""
    kept = list(items)
    for item in items:
        rest = [other for other in kept if other is not item]
        names = {name for other in kept for name, _ in other.form}
        outside = Inequality(item.form, item.threshold, not item.above)
        if not possible([*(within_values(laws, other) for other in (*rest, outside)), *supports(laws, names)]):
            kept = rest
    return kept
