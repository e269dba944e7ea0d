"""Plain numbers as the exact numbers that they are."""

import math
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.terms import Number, rational


def exactly(value: Any) -> Number | None:
    """Return the exact value of a finite plain number, of Python or numpy; None for anything else."""
    kind = type(value)
    if kind is int:
        return int(value)
    if isinstance(value, (bool, int, Fraction)):
        return rational(Fraction(value))
    if issubclass(kind, float):
        return rational(Fraction(value)) if math.isfinite(value) else None
    name = type(value).__module__
    if name == "numpy" and hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return exactly(value.item())
    return None
