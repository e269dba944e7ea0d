"""Outcomes whose floats are compared with finitely many points alone: a post-processing whose law can be listed."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.routed import after

BETWEEN = "between"
MAX_DEPTH = 20


def coarse(value: Any, points: Sequence[float]) -> Any:
    """Return an outcome with each float in it replaced by the one of `points` that it equals, or by the gap it is in.

    An array with one axis becomes a tuple. A gap is ("between", the greatest point below or None, the least point
    above or None). Floats are looked for in tuples, lists and the values of dicts; NaN stays as it is. Undecided
    floats are followed.

    Requires: rising finite points.
    Claims:   a function of the outcome; where it breaks a guarantee, so does the outcome.
    """
    return _coarse(value, tuple(points), 0)


def _coarse(value: Any, points: tuple[float, ...], depth: int) -> Any:
    kind = type(value)
    if depth > MAX_DEPTH:
        return value
    if _is_row(value):
        return tuple(_coarse(part, points, depth + 1) for part in value)
    if kind is tuple or kind is list:
        return kind(_coarse(part, points, depth + 1) for part in value)
    if kind is dict:
        return {name: _coarse(part, points, depth + 1) for name, part in value.items()}
    if not isinstance(value, float) or math.isnan(value):
        return value
    low, high = 0, len(points)
    while low < high:
        middle = (low + high) // 2
        if value < points[middle]:
            high = middle
        else:
            low = middle + 1
    if low and value == points[low - 1]:
        return points[low - 1]
    return BETWEEN, points[low - 1] if low else None, points[low] if low < len(points) else None


def _is_row(value: Any) -> bool:
    """Whether a value is an array of doubles with one axis, undecided or not."""
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ == "ndarray" and value.ndim == 1 and value.dtype.char == "d"


def floats_in(value: Any, *, depth: int = 0) -> list[float]:
    """Return the finite floats that `coarse` would look at in a plain outcome."""
    kind = type(value)
    if depth > MAX_DEPTH:
        return []
    if kind in (tuple, list, dict) or _is_row(value):
        parts = value.values() if kind is dict else value
        return [found for part in parts for found in floats_in(part, depth=depth + 1)]
    finite = isinstance(value, float) and abs(value) < float("inf")
    return [float(value) + 0.0] if finite else []


def seen_by(program: Callable[[Any, Coins], Any], points: Sequence[float]) -> Callable[[Any, Coins], Any]:
    """Return the program that releases `coarse` of what a program releases."""

    return after(program, lambda outcome: coarse(outcome, points))
