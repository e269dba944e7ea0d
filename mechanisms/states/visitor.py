"""What the visits of single types of values ask of the walk that they are part of."""

from __future__ import annotations

from typing import Any, Protocol

from dpcert.mechanisms.states.home import Home


class Visitor(Protocol):
    """One walk: `named` are the globals that it came to."""

    home: Home
    named: set[tuple[int, str]]
    places: list[tuple[Any, str, Any]]  # namespaces, names that code may look up there, and what they mean

    def visit(self, value: Any, depth: int = 0) -> None:
        """Add all that is reachable from a value."""
        ...

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is noted."""
        ...
