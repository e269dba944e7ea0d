"""Loops that count, with their first turn: `while` asks before it turns, so no turn at all is a path of its own.

A path whose outcome holds geometric noise n >= 1, and one whose outcome is the same for n = 0, are one path, of noise
n + 1, where their probabilities are as that noise has them: then the first is n = 1, and the second all others.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.audit.ideal.stars import is_enclosed
from dpcert.audit.ideal.tags.corners import as_exact
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.exact import Exact, exact_of, simplest
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded, with_names
from dpcert.mechanisms.ideal.path import Path, every_loop


def with_first_turns(paths: Sequence[Path], kinds: Collection[str]) -> list[Path]:
    """Return the paths of a program with those as one that differ in whether a loop that counts was turned; `kinds` are
    the types of its noisy numbers.

    Outcomes keep their laws: what of a path bounds no released number is its weight then.
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
    """Add a path to those of other outcomes, or of other noise."""
    mark = path.laws, key(path.outcome)
    found[mark] = _together(path, found[mark]) if mark in found else path


def _together(path: Path, other: Path) -> Path:
    """Return a path with the probability of another one beside its own, and with what either draws from and leaves."""
    weight = simplest(exact_of(path.weight) + exact_of(other.weight))
    held, left = (tuple(sorted({*mine, *its})) for mine, its in ((path.held, other.held), (path.left, other.left)))
    return replace(path, weight=weight, held=held, left=left)


def _pair(found: Mapping[Hashable, Path]) -> tuple[Hashable, Hashable, int] | None:
    """Return the marks of two paths that are one, and the noise that counts."""
    for mark, path in found.items():
        for name, law in enumerate(path.laws):
            if law.kind == "geometric":
                without = _numbered(replace(path, outcome=_without(path.outcome, name)))
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


def _without(outcome: Any, name: int) -> Any:
    """Return an outcome with 0 for noise: an integer in the place of a number that has no other noise."""

    def part_without(part: Noisy | Rounded) -> Any:
        terms = tuple(item for item in part.terms if item[0] != name)
        is_integer = isinstance(part, Noisy) and part.offset.denominator == 1
        return int(part.offset) if not terms and is_integer else replace(part, terms=terms)

    return with_parts(outcome, part_without)
