"""Generators of numpy whose uniform numbers are fixed, for code that makes one choice by numpy from probabilities."""

from collections.abc import Callable
from typing import Any


def fixed_state(k: int) -> Any:
    """Return a `numpy.random.RandomState` whose every uniform number is k / 2^53."""
    from numpy.random import RandomState

    return type("FixedState", (RandomState,), {"random_sample": _filled(k)})(0)


def fixed_generator(k: int) -> Any:
    """Return a `numpy.random.Generator` whose every uniform number is k / 2^53."""
    from numpy.random import PCG64, Generator

    return type("FixedGenerator", (Generator,), {"random": _filled(k)})(PCG64(0))


def _filled(k: int) -> Callable[..., Any]:
    def uniform(self: Any, size: Any = None, *rest: Any, **named: Any) -> Any:
        from numpy import full

        number = k * 2.0**-53
        return number if size is None or size == () else full(size, number)

    return uniform
