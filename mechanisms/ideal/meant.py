"""A function as an audit on ideal noise reads it, and the number that it leaves open: an epsilon, or an input."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.outcome import fresh, show

OPEN = "open"
"""Stands for an epsilon > 0 that is left open."""
Program = Callable[..., Any]
"""A function of an input, a generator, and an epsilon where one is given or left open; or an `OnIdealNoise`."""


@dataclass(frozen=True, slots=True)
class Open:
    """An input that is left open, in the form of a value: a number, or a list, tuple or array of numbers. Its numbers
    are the variables -1, -2 and so on."""

    form: Any


def shown(value: Any) -> str:
    """Return an input in words."""
    return "an open input" if isinstance(value, Open) else show(value)


class OnIdealNoise:
    """A function with some settings. `takes` names what it gets beside its input, and `named` the parameter that the
    epsilon is, if any."""

    def __init__(self, function: Program, takes: str, settings: Mapping[str, Any], named: str | None) -> None:
        self.function, self.takes, self.settings, self.named = function, takes, settings, named

    def __call__(self, value: Any, generator: Callable[[str], Any], *epsilon: Any) -> Any:
        """Run the function on one input; `generator` makes what it takes."""
        chosen = {name: fresh(part) for name, part in self.settings.items()}
        if self.named is not None and epsilon:
            chosen[self.named], epsilon = epsilon[0], ()
        given = () if self.takes == "nothing" else (generator(self.takes),)
        return self.function(value, *given, *epsilon, **chosen)


def on_ideal_noise(program: Program) -> OnIdealNoise:
    """Return a program as such a function; one that takes an input, a generator of numpy and an epsilon is its own."""
    return program if type(program) is OnIdealNoise else OnIdealNoise(program, "rng", {}, None)
