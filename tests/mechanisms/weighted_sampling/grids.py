"""What the tests of weighted sampling share: a grid of ratios, deltas and samplings, and fractions by their texts."""

from fractions import Fraction
from itertools import product

import pytest

SAMPLINGS = ["1", "1/5", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "priority:1/8", "ppswor:1/3"]


def fractions(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


def grid_of(ratios: str, deltas: str) -> pytest.MarkDecorator:
    """Return the mark that gives a test each ratio with each delta and each sampling."""
    points = list(product(fractions(ratios), fractions(deltas), SAMPLINGS))
    return pytest.mark.parametrize(("ratio", "delta", "text"), points)
