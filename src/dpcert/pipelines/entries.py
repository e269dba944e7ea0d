"""The numbers of a value, exactly: of a number, a list or an array."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.errors import InputError


@dataclass(frozen=True, slots=True)
class Entries:
    """The shape of a value, its numbers in order, and whether all of them are finite; of others the words tell."""

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
    found, words = [], []
    for one in array.ravel().tolist():
        words.append(repr(one))
        if isinstance(one, float) and not math.isfinite(one):
            continue
        try:
            found.append(Fraction(one))
        except (TypeError, ValueError) as error:
            raise InputError(given=f"a {type(one).__name__}", needed="a number", remedy="read it off") from error
    if len(found) == len(words):
        return Entries(array.shape, tuple(found))
    return Entries(array.shape, (), finite=False, words=tuple(words))
