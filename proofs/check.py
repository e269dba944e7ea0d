"""A check: a generator of witnesses against a statement, under the id by which the rows of the ledger name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from types import ModuleType
from typing import Any, ParamSpec

__all__ = ["Check", "CheckResult", "check", "checks_in", "first", "smallest"]

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found: whether the statement holds on the check's scope, and else the smallest witness."""

    holds: bool
    witness: str | None = None


def first(witnesses: Iterable[str]) -> CheckResult:
    """Return the finding that a statement holds if there is no witness against it, else the first one."""
    witness = next(iter(witnesses), None)
    return CheckResult(witness is None, witness)


@dataclass(frozen=True, slots=True)
class Check:
    """A generator of witnesses, the smallest first, with its id. Called, it returns what it finds."""

    id: str
    witnesses: Callable[[], Iterable[str]]

    @property
    def module(self) -> str:
        """The name of the module that holds the check."""
        return self.witnesses.__module__

    def __call__(self) -> CheckResult:
        """Return that the statement holds, or else the first witness."""
        return first(self.witnesses())


def check(id: str) -> Callable[[Callable[[], Iterable[str]]], Check]:
    """Make a check of a generator of witnesses."""
    return lambda witnesses: Check(id, witnesses)


def smallest(candidates: Callable[P, Iterable[tuple[Any, ...]]]) -> Callable[P, Iterator[str]]:
    """Make a generator of witnesses of one of candidates: the text that stands last in the least of them, if any."""

    @wraps(candidates)
    def witnesses(*args: P.args, **kwargs: P.kwargs) -> Iterator[str]:
        least = min(candidates(*args, **kwargs), default=None)
        if least is not None:
            yield least[-1]

    return witnesses


def checks_in(module: ModuleType) -> list[Check]:
    """Return the checks that a module itself holds, in its order."""
    return [found for found in vars(module).values() if isinstance(found, Check) and found.module == module.__name__]
