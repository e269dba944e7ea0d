"""A choice by numpy from a list of probabilities, cut at its steps: numpy's own code runs on fixed uniform numbers."""

from collections.abc import Callable
from typing import Any

from dpcert.libraries.steps import Steps, steps

UNIT = 1 << 53


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


def choices(choose: Callable[[int], Any]) -> Steps:
    """Return the steps of code that makes one choice from one uniform number k / 2^53.

    Requires: the chosen position does not decrease in k, as with `numpy.searchsorted` among partial sums.
    """
    return steps(choose, count=UNIT)
