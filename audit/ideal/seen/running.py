"""One run of a program on what a source draws: ideal noise, or floats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dpcert.audit.ideal.outcomes import decoded, raised
from dpcert.audit.ideal.seen.standing import IdealGenerator, ideal
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, class_name, fresh, show

OPEN = "open"
"""Stands for an epsilon > 0 that is left open."""
UNTOLD = "an exception that holds what is no outcome"
MOST_NUMBERS = 10_000
"""The most numbers of an open input."""

Program = Callable[..., Any]


class Noting(Protocol):
    """What a run meets."""

    def noting(self) -> AbstractContextManager[None]:
        """Run the body, in which the program runs."""
        ...


class Relay:
    """The source that generators draw from: that of the run that is made now, and what the program gets for the
    parameter epsilon, as a third argument."""

    def __init__(self, epsilon: Fraction | str | None) -> None:
        self.source: Any = None
        self.epsilon = epsilon

    def parameters(self) -> tuple[Any, ...]:
        """Return the third argument of a run, if there is one."""
        if self.epsilon is None:
            return ()
        return (self.source.epsilon(None if self.epsilon == OPEN else self.epsilon),)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


@dataclass(frozen=True, slots=True)
class Open:
    """An input that is left open: a number, or a list, tuple or array of numbers, of any values. Its numbers are the
    variables -1, -2 and so on."""

    form: Any

    def filled(self, numbers: Callable[[int], Any]) -> Any:
        """Return an input with a number for each variable."""
        names = iter(range(-1, -MOST_NUMBERS, -1))

        def fill(part: Any) -> Any:
            if isinstance(part, (list, tuple)):
                return type(part)([fill(item) for item in part])
            if isinstance(part, np.ndarray):
                items = [fill(item) for item in part.ravel().tolist()]
                plain = all(isinstance(item, float) for item in items)
                return np.array(items, dtype=float if plain else object).reshape(part.shape)
            return numbers(next(names))

        return fill(self.form)


def followed(program: Program, value: Any, relay: Relay, source: Any, met: Noting) -> Any:
    """Return the outcome of one run, or the exception that ended it; `met` notes the errors that it meets."""
    relay.source = source
    given = value.filled(source.symbol) if isinstance(value, Open) else fresh(value)
    generator, parameters = ideal(IdealGenerator, relay), relay.parameters()
    try:
        with met.noting():
            found = program(given, generator, *parameters)
    except Unauditable:
        raise
    except (RecursionError, MemoryError) as error:
        raise Unauditable(f"the program ended with {type(error).__name__}, which is no outcome") from None
    except Exception as error:
        try:
            return raised(error)
        except Unauditable as untold:  # of ours it may be, which floats show
            return Raised(class_name(type(error)), (UNTOLD, str(untold)))
    return decoded(found)


def shown(value: Any) -> str:
    """Return an input in words."""
    return "an open input" if isinstance(value, Open) else show(value)
