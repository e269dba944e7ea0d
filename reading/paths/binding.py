"""Names in globals, bound to other meanings for a while."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ABSENT = object()


@dataclass(frozen=True, slots=True)
class Swap:
    """A name in a module's globals and its meaning for a while."""

    space: dict[str, Any]
    name: str
    during: Any

    def as_it_is(self) -> Swap:
        """Return the swap of the name for what it means now, which may be built in."""
        return Swap(self.space, self.name, self.space.get(self.name, getattr(builtins, self.name, ABSENT)))


class Binding:
    """Names bound to their swaps' meanings while this is entered; then each is again what it was before.

    It may be entered within itself.
    """

    def __init__(self, swaps: Iterable[Swap]) -> None:
        self._swaps = [(swap.space, swap.name, swap.during) for swap in swaps]
        self._before: list[list[Any]] = []

    @property
    def entered(self) -> bool:
        """Whether the names have these meanings, unless another binding has been entered since."""
        return bool(self._before)

    def __enter__(self) -> None:
        self._before.append([space.get(name, ABSENT) for space, name, _ in self._swaps])
        for space, name, during in self._swaps:
            space[name] = during

    def __exit__(self, *error: object) -> None:
        for (space, name, _), value in zip(self._swaps, self._before.pop(), strict=True):
            if value is ABSENT:
                space.pop(name, None)
            else:
                space[name] = value
