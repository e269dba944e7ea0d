"""Where samples come from: a program over coins, or a function that brings its own randomness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh

__all__ = ["Sampler", "from_coins", "from_function"]

Sampler = Callable[[int], Any]
"""Runs a mechanism once on the input at a position and returns what is observed."""


def from_coins(
    program: Callable[[Any, Coins], Any], inputs: Sequence[Any], draw: Callable[[int], int], *, draws: bool = False
) -> Sampler:
    """Return a sampler of a program whose below(d) is draw(d), uniform in [0, d).

    An exception that escapes is an outcome, as in the exact audit; with `draws` the bounds drawn are observed too.

    Raises: Unauditable, when sampling, where the program does what coins refuse or ends with what is no outcome.
    """

    def sample(position: int) -> Any:
        value, bounds = fresh(inputs[position]), []

        def recorded(bound: int) -> int:
            bounds.append(bound)
            return draw(bound)

        coins = Coins(Plain(recorded if draws else draw))
        outcome = fresh(call(lambda given: program(given, coins), value)[0])
        return (outcome, tuple(bounds)) if draws else outcome

    return sample


def from_function(function: Callable[[Any], Any], inputs: Sequence[Any]) -> Sampler:
    """Return a sampler of a function of the input alone, whose randomness is its own.

    Raises: as `from_coins`.
    """

    def sample(position: int) -> Any:
        return fresh(call(function, fresh(inputs[position]))[0])

    return sample
