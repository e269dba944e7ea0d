"""Pairs of inputs: the literature's patterns of vectors, and the pairs of a claim that are sampled first."""

from collections.abc import Sequence
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import key

MOST_PAIRS = 64
"""The greatest number of unordered pairs of a claim that are sampled."""


def vector_patterns(length: int) -> tuple[list[int], ...]:
    """Return the input vectors with which the literature looks for violations, distinct and the all-ones first.

    They are all 1; one entry above or below the rest; one above and the rest below, and the reverse; half above, half
    below; all above, all below; half as they were, half below, and the reverse. Each pair of the literature that are
    neighbours by `l1` or `linf` is among their pairs.

    Source: the input patterns of StatDP and DP-Sniper, for queries of sensitivity 1.
    Raises: InputError for a length below 1.
    """
    if length < 1:
        raise InputError(given=f"length={length}", needed="at least one entry", remedy="write vector_patterns(5)")
    half = length // 2
    rest = length - 1
    found = [
        [1] * length,
        [0, *[1] * rest],
        [2, *[1] * rest],
        [2, *[0] * rest],
        [0, *[2] * rest],
        [2] * half + [0] * (length - half),
        [2] * length,
        [0] * length,
        [1] * half + [0] * (length - half),
        [0] * half + [1] * (length - half),
    ]
    return tuple(vector for i, vector in enumerate(found) if vector not in found[:i])


def chosen_pairs(
    inputs: Sequence[Any], pairs: Sequence[tuple[int, int]], most: int = MOST_PAIRS
) -> list[tuple[int, int]]:
    """Return at most `most` of the unordered pairs: those of the patterns first, then others spread evenly.

    `pairs` are positions in `inputs`, in both orders or one.
    """
    unordered = list(dict.fromkeys((min(pair), max(pair)) for pair in pairs))
    if len(unordered) <= most:
        return unordered
    first = [pair for pair in unordered if all(_is_pattern(inputs[i]) for i in pair)][:most]
    others = [pair for pair in unordered if pair not in set(first)]
    room = most - len(first)
    return first + [others[i * len(others) // room] for i in range(room)]


def _is_pattern(value: Any) -> bool:
    if type(value) not in (list, tuple) or not value:
        return False
    return any(key(list(value)) == key(vector) for vector in vector_patterns(len(value)))
