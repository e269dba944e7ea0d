"""A check: a generator of witnesses against a statement, under the id by which the rows of the ledger name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType

__all__ = ["Check", "Finding", "check", "checks_in", "first"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: whether the statement holds on the check's scope, and else the smallest witness."""

    holds: bool
    witness: str | None = None


def first(witnesses: Iterable[str]) -> Finding:
    """Return the finding that a statement holds if there is no witness against it, else the first one."""
    witness = next(iter(witnesses), None)
    return Finding(witness is None, witness)


@dataclass(frozen=True, slots=True)
class Check:
    """A generator of witnesses, the smallest first, with its id. Called, it returns what it finds."""

    id: str
    witnesses: Callable[[], Iterable[str]]

    @property
    def module(self) -> str:
        """The name of the module that holds the check."""
        return self.witnesses.__module__

    def __call__(self) -> Finding:
        """Return that the statement holds, or else the first witness."""
        return first(self.witnesses())


def check(id: str) -> Callable[[Callable[[], Iterable[str]]], Check]:
    """Make a check of a generator of witnesses."""
    return lambda witnesses: Check(id, witnesses)


def checks_in(module: ModuleType) -> dict[str, Check]:
    """Return the checks that a module itself holds, by their ids, in its order.

    Raises: ValueError for two checks of one id.
    """
    own = [found for found in vars(module).values() if isinstance(found, Check) and found.module == module.__name__]
    checks = {found.id: found for found in own}
    if len(checks) != len(own):
        raise ValueError(f"{module.__name__} has two checks of one id: give each its own")
    return checks
