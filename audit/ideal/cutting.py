"""Released numbers cut into intervals, which is post-processing: events of what a program releases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from dpcert.audit.ideal.outcomes import Noisy, Rounded, noisy_parts, with_parts
from dpcert.audit.ideal.run import Inequality, Path, normal_form
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import key

MOST_CELLS, MOST_PARTS = 200, 4
"""The most events of intervals of one path, and the most released numbers that they are about."""
POINTS = 5
"""At how many places around which released numbers lie these are cut, at the most."""
FAR = (8, 64)
"""How far from all of them they are cut, too."""


def points_of(paths: Sequence[Sequence[Path]]) -> list[Fraction]:
    """Return where released numbers are cut, the most useful first: at places around which some of them lie, no more
    than POINTS, and far from all."""
    places = sorted({place_of(part) for row in paths for path in row for part in noisy_parts(path.outcome)})
    chosen = places[:: -(-len(places) // POINTS) or 1]
    return [*chosen, *(end for far in FAR for end in (places[0] - far, places[-1] + far))] if places else []


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
                items.append(Inequality(form, threshold, above != flipped))
    return replace(path, inequalities=tuple(items), outcome=in_words(path.outcome, box))


def in_words(outcome: Any, box: Box) -> Any:
    """Return an outcome with the intervals in which its released numbers lie in their place."""
    words = {part: _interval(low, high) for part, (low, high) in box.items()}
    return with_parts(outcome, lambda part: words.get(part, "any number"))


def event_of(ways: Iterable[tuple[Path, Box]], outcomes: Iterable[Any]) -> tuple[tuple[Any, Box], ...]:
    """Return which of some ways, each a path and a box, have one of these outcomes: those of the path, each with the
    box."""
    names = {key(outcome) for outcome in outcomes}
    return tuple((path.outcome, box) for path, box in ways if key(in_words(path.outcome, box)) in names)


def _least(part: Noisy | Rounded, end: Fraction) -> Fraction:
    """Return from where on a noisy number, before it is rounded, is released as at least `end`."""
    return end if isinstance(part, Noisy) else Fraction(math.ceil((end - part.shift) / part.factor))


def _interval(low: Fraction | None, high: Fraction | None) -> str:
    below, above = (None if end is None else ratio_text(end).removesuffix("/1") for end in (low, high))
    if below is None:
        return f"below {above}"
    return f"above {below}" if above is None else f"between {below} and {above}"
