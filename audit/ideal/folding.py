"""Pairs of paths that a fair coin decides, as one: exponential noise with a random sign is Laplace noise.

Where two paths of one probability differ in a draw and in the sign of one exponential variable E alone, E with its sign
is one Laplace variable L of the same rate: L = E on the one path, above 0, and L = -E on the other, below.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.exact import product_of
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path, normal_form

HALF = Fraction(1, 2)


def folded(paths: Sequence[Path]) -> list[Path]:
    """Return the paths of a program with such pairs as one path each."""
    found = list(paths)
    if not any(law.kind == "exponential" for path in paths for law in path.laws):
        return found
    while (pair := _pair(found)) is not None:
        one, other, path = pair
        found = [*(kept for kept in found if kept is not one and kept is not other), path]
    return found


def _pair(paths: Sequence[Path]) -> tuple[Path, Path, Path] | None:
    """Return two paths that make one, and that one; None where there are none."""
    known: dict[Hashable, Path] = {}
    for path in paths:
        for name, side, without in _coins(path):
            for noise, law in enumerate(path.laws):
                if law.kind == "exponential" and noise in _names(without):
                    other = known.get((name, not side, noise, _mark(_negated(without, noise))))
                    if other is not None:
                        laws = (*path.laws[:noise], Law("laplace", law.rate), *path.laws[noise + 1 :])
                        halves = *(other.halves or (other,)), *(path.halves or (path,))
                        return path, other, replace(without, laws=laws, halves=halves)
                    known[name, side, noise, _mark(without)] = path
    return None


def _coins(path: Path) -> Iterator[tuple[Any, bool, Path]]:
    """Yield each draw with two sides that may be a fair coin: its name, the side, and the path without it. It is one
    where a path of the same weight has the other side. In a loop there is none, whose steps are counted."""
    if path.loops:
        return
    for place, drawn in enumerate(path.drawn):
        if drawn in (0, 1):
            rest = path.drawn[:place] + path.drawn[place + 1 :]
            draws = path.draws[:place] + path.draws[place + 1 :]
            twice = product_of(Fraction(2), path.weight)
            yield ("draw", place), drawn == 1, replace(path, drawn=rest, draws=draws, weight=twice)
    for position, item in enumerate(path.inequalities):
        ((name, _), *more) = item.form
        if not more and name >= 0 and path.laws[name].kind == "uniform" and item.threshold == HALF:
            items = path.inequalities[:position] + path.inequalities[position + 1 :]
            draws = tuple((before - (before > position), weights) for before, weights in path.draws)
            without = replace(path, inequalities=items, draws=draws)
            if name not in _names(without):
                yield ("uniform", name), item.above, without


def _names(path: Path) -> set[int]:
    forms = [item.form for item in path.inequalities] + [part.terms for part in noisy_parts(path.outcome)]
    return {name for form in forms for name, _ in form}


def _mark(path: Path) -> Hashable:
    whole = path.laws, frozenset(path.inequalities), path.weight, path.drawn, path.derived, path.integers
    return whole, key(path.outcome)


def _negated(path: Path, noise: int) -> Path:
    """Return a path with a variable of the other sign."""

    def item_negated(item: Inequality) -> Inequality:
        terms = {name: -c if name == noise else c for name, c in item.form}
        form, threshold, flipped = normal_form(terms, -item.threshold)
        return Inequality(form, threshold, item.above != flipped)

    def part_negated(part: Noisy | Rounded) -> Noisy | Rounded:
        return replace(part, terms=tuple((name, -c if name == noise else c) for name, c in part.terms))

    items = tuple(map(item_negated, path.inequalities))
    return replace(path, inequalities=items, outcome=with_parts(path.outcome, part_negated))
