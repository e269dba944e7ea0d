"""A call of a method of numpy's generators that numpy accepts, and what is refused of it."""

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy

from dpcert.reading.errors import Refused
from dpcert.reading.numpy.memory import fresh
from dpcert.reading.values import Value

MOST = 100_000
THIRD = 0.333333333333333333333333
LEAST_P = 1e-12
"""numpy draws geometric numbers by a search from 1/3 on; below, a RandomState takes a logarithm."""
FEW = 30.0
"""numpy draws binomial numbers by a search where it expects no more successes, or failures, than this."""
TRANSFORMS = "is no inverse transform of uniform draws"
INSTEAD = "draw by random, uniform, integers or laplace in its place, or noise in integers over dpcert.Coins"
CHOSEN = "biufUS"
"""The kinds of dtypes of what may be chosen from: numbers and texts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that numpy accepts: its arguments by their names, as the host's, and what numpy drew when it was tried."""

    owner: Value
    title: str
    given: dict[str, Any]
    like: Any

    def refuse(self, why: str, remedy: str = INSTEAD) -> NoReturn:
        """Refuse the call, with what to write."""
        raise Refused(f"{self.title} {why}; {remedy}")

    @property
    def pattern(self) -> Value:
        """The array that numpy drew when the call was tried, or None for a number."""
        return fresh(self.like) if type(self.like) is numpy.ndarray else None

    @property
    def as_value(self) -> Value:
        """The draw of numpy when the call was tried."""
        return fresh(self.like) if type(self.like) is numpy.ndarray else self.like

    @property
    def count(self) -> int:
        """How many numbers are drawn."""
        return int(self.like.size) if type(self.like) is numpy.ndarray else 1

    def number(self, name: str, default: Any = None) -> float:
        """A parameter as a float.

        Raises: Refused for an array.
        """
        value = self.given.get(name, default)
        if not hasattr(value, "__float__") or hasattr(value, "__len__"):
            self.refuse(f"with a {type(value).__name__} for a parameter is not followed", "draw number by number")
        return float(value)

    def whole(self, name: str) -> int:
        """A bound as an int.

        Raises: Refused for an array, and for a number with a fraction.
        """
        if self.number(name) % 1:
            self.refuse("with a bound that is no integer is not followed", "hand it integers")
        return int(self.given[name])


def of_population(a: Any) -> Any:
    """The population of a choice: a number of places, or an array with one axis; None for any other."""
    found = numpy.array(a)
    if found.ndim == 0:
        return int(found)
    return found if found.ndim == 1 and found.dtype.kind in CHOSEN else None
