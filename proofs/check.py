"""A check: a generator of witnesses against a statement, with the id by which rows of the ledger name it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check: whether the statement holds on the check's scope, and otherwise the smallest witness."""

    holds: bool
    witness: str | None = None


def first(witnesses: Iterable[str]) -> CheckResult:
    """Return the result of a check: the statement holds if there is no witness; otherwise the first witness."""
    witness = next(iter(witnesses), None)
    return CheckResult(witness is None, witness)


@dataclass(frozen=True, slots=True)
class Check:
    """A generator of witnesses, the smallest first, with its id. A call returns its `CheckResult`."""

    id: str
    witnesses: Callable[[], Iterable[str]]

    @property
    def module(self) -> str:
        return self.witnesses.__module__

    def __call__(self) -> CheckResult:
        return first(self.witnesses())


def check(id: str) -> Callable[[Callable[[], Iterable[str]]], Check]:
    """Turn a generator of witnesses into a check."""
    return lambda witnesses: Check(id, witnesses)


def checks(values: Mapping[str, T]) -> Callable[[Callable[[T], Iterable[str]]], tuple[Check, ...]]:
    """Turn a generator of witnesses with one parameter into a check for each of its values, which are given by ids."""
    return lambda witnesses: tuple(
        Check(id, wraps(witnesses)(partial(witnesses, value))) for id, value in values.items()
    )


def smallest(candidates: Callable[P, Iterable[tuple[Any, ...]]]) -> Callable[P, Iterator[str]]:
    """Turn a generator of candidates into one of witnesses: it yields the last entry of the least candidate, if any."""

    @wraps(candidates)
    def witnesses(*args: P.args, **kwargs: P.kwargs) -> Iterator[str]:
        least = min(candidates(*args, **kwargs), default=None)
        if least is not None:
            yield least[-1]

    return witnesses


def checks_in(module: ModuleType) -> list[Check]:
    """Return the checks that a module itself holds, in its order."""
    rows = (value if isinstance(value, tuple) else (value,) for value in vars(module).values())
    return [one for row in rows for one in row if isinstance(one, Check) and one.module == module.__name__]
