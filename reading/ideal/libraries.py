"""The rules for the mechanisms of diffprivlib, by its classes that have a `randomise` of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcert.reading.domains import parameter
from dpcert.reading.domains.kinds import INT
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.ideal import prelude_libraries
from dpcert.reading.ideal.draws import Rule, fresh
from dpcert.reading.operators import binary
from dpcert.reading.values import Instance, Value

MECHANISMS = {
    "Laplace": "laplace_of",
    "LaplaceTruncated": "truncated_laplace_of",
    "Geometric": "geometric_of",
    "GeometricTruncated": "truncated_geometric_of",
    "Gaussian": "gaussian_of",
    "Exponential": "exponential_of",
    "PermuteAndFlip": "permute_and_flip_of",
    "Binary": "binary_of",
}
"""What the classes of `diffprivlib.mechanisms` draw; what a class inherits is drawn as its base does."""
INSTEAD = "draw with Laplace, Geometric, Gaussian, Exponential, PermuteAndFlip or Binary, and truncate"


def two_sided(m: Any, rate: Value) -> Value:
    """A difference of two geometric draws whose weights fall by e^-rate."""
    falling = parameter.falling_by(rate)
    return binary(m, "sub", False, *(fresh(m, "geometric", falling, INT) for _ in range(2)))


def _randomise(name: str) -> Rule:
    def rule(m: Any, owner: Value, *value: Value) -> Value:
        if name not in MECHANISMS:
            raise Refused(f"diffprivlib's {name} is not followed: {INSTEAD}")
        return call_act(m.prelude(MECHANISMS[name]), (owner, Instance(np.random.RandomState, {}), *value))

    return rule


def rules_of_libraries() -> dict[int, Callable[..., Any]]:
    """The rules, by the ids of what they are for; there are none where diffprivlib is not loaded."""
    loaded: Any = sys.modules.get("diffprivlib.mechanisms")
    classes = [value for value in vars(loaded).values() if isinstance(value, type)] if loaded else []
    found = {id(vars(cls)["randomise"]): _randomise(cls.__name__) for cls in classes if "randomise" in vars(cls)}
    found[id(prelude_libraries.two_sided)] = two_sided
    found[id(prelude_libraries.place_of)] = lambda m, place: np.int64(place)
    return found
