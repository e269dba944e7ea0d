"""A function as an audit on ideal noise runs it: with its settings, and with the generator that it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpcert.mechanisms.exact.outcome import fresh


class OnIdealNoise:
    """The program (input, generator, epsilon) that a function is with some settings.

    `takes` names what the function gets beside its input, and `named` the parameter that the epsilon is, if any. `hand`
    makes what the function gets of the generator.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        takes: str,
        settings: Mapping[str, Any],
        named: str | None,
        hand: Callable[[str, Any], tuple[Any, ...]],
    ) -> None:
        self.function, self.takes, self.settings, self.named, self.hand = function, takes, settings, named, hand

    def __call__(self, value: Any, generator: Any, *epsilon: Any) -> Any:
        """Run the function on one input."""
        chosen = {name: fresh(part) for name, part in self.settings.items()}
        if self.named is not None and epsilon:
            chosen[self.named] = epsilon[0]
        return self.function(value, *self.hand(self.takes, generator), **chosen)
