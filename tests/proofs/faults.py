"""Faults in the functions that checks rest on: each takes the true function and returns another in its place."""

from collections.abc import Callable
from random import Random
from typing import Any

Wrap = Callable[[Any], Any]


def plus(more: Any) -> Wrap:
    """The function's value, and more."""
    return lambda true: lambda *a, **k: true(*a, **k) + more


def times(factor: Any) -> Wrap:
    """The function's value, times a factor."""
    return lambda true: lambda *a, **k: true(*a, **k) * factor


def always(value: Any) -> Wrap:
    """The same value for all arguments."""
    return lambda true: lambda *a, **k: value


def given(**other: Any) -> Wrap:
    """The function with other arguments."""
    return lambda true: lambda *a, **k: true(*a, **{**k, **other})


class Given(Random):
    """A source of randomness that gives one number, again and again."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self.number = number

    def random(self) -> float:
        return self.number
