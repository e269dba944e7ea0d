"""The numbers of a value, exactly: of a number, a list or an array."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.errors import InputError


@dataclass(frozen=True, slots=True)
class Entries:
    """The shape of a value, its numbers in order, and whether all are finite; `words` tell apart infinities and NaN."""

    shape: tuple[int, ...]
    numbers: tuple[Fraction, ...]
    finite: bool = True
    words: tuple[str, ...] = ()


def entries(value: Any) -> Entries:
    """Return the entries of a number, or of a list, a tuple or an array of them.

    Raises: InputError for anything else.
    """
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "biufO" and array.size:
        raise InputError(given=f"a {type(value).__name__}", needed="numbers", remedy="read them off it")
    numbers, words = [], []
    for one in array.ravel().tolist():
        words.append(repr(one))
        if isinstance(one, float) and not math.isfinite(one):
            continue
        try:
            numbers.append(Fraction(one))
        except (TypeError, ValueError) as error:
            raise InputError(given=f"a {type(one).__name__}", needed="a number", remedy="read it off") from error
    if len(numbers) == len(words):
        return Entries(array.shape, tuple(numbers))
    return Entries(array.shape, (), finite=False, words=tuple(words))
