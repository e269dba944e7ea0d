"""Released numbers cut into intervals, which is post-processing: events of releases."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from dpcert.audit.ideal.outcomes import leaves, noisy_parts, with_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.ideal.noise import is_whole
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.parts import Array, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path, between_values, normal_form

MOST_CELLS, MOST_PARTS = 200, 4
"""The most events of intervals of one path, and the most released numbers that they are about."""
POINTS = 5
"""At how many places around which released numbers lie these are cut, at the most."""
FAR = (8, 64)
"""How far from all of them they are cut, too; so many times the mean of Poisson noise."""
FARTHEST = Fraction(4000)


def points_of(paths: Sequence[Sequence[Path]]) -> list[Fraction]:
    """Return where released numbers are cut, the most useful first: at places around which some of them lie, no more
    than POINTS, and far from all."""
    places = sorted({place_of(part) for row in paths for path in row for part in noisy_parts(path.outcome)})
    chosen = places[:: -(-len(places) // POINTS) or 1]
    means = [law.rate.factor for row in paths for path in row for law in path.laws if law.kind == "poisson"]
    ends = [min(FARTHEST, far * max([Fraction(1), *means])) for far in FAR]
    return [*chosen, *(end for far in ends for end in (places[0] - far, places[-1] + far))] if places else []


def located(cells: Sequence[Path], points: Sequence[Fraction]) -> list[Path]:
    """Return paths with each number in their outcomes in words, as noisy ones between ascending points are: constants
    among them count as noise of the same value."""
    ends = sorted(points)

    def words(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([words(part) for part in value])
        if type(value) is dict:
            return {name: words(part) for name, part in value.items()}
        if isinstance(value, Array):
            return Array(value.shape, tuple(map(words, value.items)))
        number = None if isinstance(value, (bool, np.bool_)) else exactly(value)
        if number is None:
            return value
        place = bisect_right(ends, number)
        low, high = [None, *ends][place], [*ends, None][place]
        return "any number" if low is None and high is None else _interval(low, high)

    return [replace(cell, outcome=words(cell.outcome)) for cell in cells]


def need_no_words(paths: Sequence[Sequence[Path]], points: Sequence[Fraction]) -> None:
    """Check that no outcome has a text that stands for noise between ascending points.

    Raises: Unauditable otherwise.
    """
    words = {_interval(low, high) for low, high in pairwise([None, *points, None])}
    if any(isinstance(leaf, str) and leaf in words for row in paths for path in row for leaf in leaves(path.outcome)):
        raise Unauditable("it returns a text that stands for an interval of noise")


def is_discrete(path: Path, part: Noisy | Rounded) -> bool:
    """Whether a released number of a path has values with a probability each."""
    return isinstance(part, Rounded) or is_whole(path.laws, [name for name, _ in part.terms])


def place_of(part: Noisy | Rounded) -> Fraction:
    """Return a number around which a released one lies, which a rounded one never is."""
    if isinstance(part, Noisy):
        return part.offset
    return part.factor * (math.floor(part.offset) - Fraction(1, 2)) + part.shift


Box = dict[Any, tuple[Fraction | None, Fraction | None]]
"""Between which numbers each of some released numbers lies."""


def boxes(path: Path, points: Sequence[Fraction]) -> list[Box]:
    """Return the ways in which the released numbers lie between points. Of many numbers the first are looked at alone:
    to drop the others is post-processing."""
    parts = list(dict.fromkeys(noisy_parts(path.outcome)))[:MOST_PARTS]
    count = len(points)
    while count > 1 and (count + 1) ** len(parts) > MOST_CELLS:
        count -= 1
    return boxes_at(parts, sorted(points[:count]))


def boxes_at(parts: Sequence[Any], points: Sequence[Fraction]) -> list[Box]:
    """Return the ways in which some released numbers lie between ascending points."""
    ends = list(pairwise([None, *points, None]))
    return [dict(zip(parts, chosen, strict=True)) for chosen in product(ends, repeat=len(parts))]


def cut(path: Path, box: Box) -> Path:
    """Return the part of a path where released numbers lie in a box, with these intervals in words as its outcome."""
    items = list(path.inequalities)
    for part, (low, high) in box.items():
        for end, above in ((low, True), (high, False)):
            if end is not None:
                form, threshold, flipped = normal_form(dict(part.terms), part.offset - _least(part, end))
                if is_whole(path.laws, [name for name, _ in form]):
                    threshold = between_values(form, threshold, below=not flipped)
                items.append(Inequality(form, threshold, above != flipped))
    return replace(path, inequalities=tuple(items), outcome=in_words(path.outcome, box))


def in_words(outcome: Any, box: Box) -> Any:
    """Return an outcome with the intervals in which its released numbers lie in their place."""
    words = {part: _interval(low, high) for part, (low, high) in box.items()}
    return with_parts(outcome, lambda part: words.get(part, "any number"))


def _least(part: Noisy | Rounded, end: Fraction) -> Fraction:
    """Return from where on a noisy number, before it is rounded, is released as at least `end`."""
    return end if isinstance(part, Noisy) else Fraction(math.ceil((end - part.shift) / part.factor))


def _interval(low: Fraction | None, high: Fraction | None) -> str:
    below, above = (None if end is None else ratio_text(end).removesuffix("/1") for end in (low, high))
    if below is None:
        return f"below {above}"
    return f"above {below}" if above is None else f"between {below} and {above}"
