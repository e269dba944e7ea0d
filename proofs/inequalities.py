"""Key inequalities between polynomials: z3 searches in every run for a point at which one fails, and finds none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

Formula = Callable[[Any], Any]
"""One comparison of polynomials with integer coefficients, read on fractions as on z3's numbers."""


@dataclass(frozen=True, slots=True)
class Inequality:
    """For all real numbers of these names what is given implies `then`, not `mutant`, which differs in one place."""

    names: str
    given: tuple[Formula, ...]
    then: Formula
    mutant: Formula


def faults(each: Inequality) -> Iterator[str]:
    """Yield why an inequality does not hold as it is stated, by z3 and exact arithmetic.

    z3 finds a point for what is given, so that it is about something, and none at which `then` fails; "unknown" is a
    fault. It finds points for the mutant, and for `then` without each hypothesis in turn: each is needed.
    """
    names = tuple(each.names.split())
    if not _found(names, each.given, None):
        yield "no point for what is given"
    if (against := _point(names, each.given, each.then)) is not None:
        yield f"fails, by z3: {against}"
    if not _found(names, each.given, each.mutant):
        yield "no point against the mutant"
    for place in range(len(each.given)):
        if not _found(names, each.given[:place] + each.given[place + 1 :], each.then):
            yield f"no point where hypothesis {place + 1} alone fails"


def _point(names: tuple[str, ...], given: tuple[Formula, ...], fails: Formula | None) -> Any:
    from dpcert.proofs.adapters import z3

    return z3.point(names, given, fails)


def _found(names: tuple[str, ...], given: tuple[Formula, ...], fails: Formula | None) -> bool:
    """Whether z3 finds a point at which all that is given holds and the other fails, in exact arithmetic."""
    found = _point(names, given, fails)
    if not isinstance(found, dict):
        return False
    values = SimpleNamespace(**{name: Fraction(value) for name, value in found.items()})
    return all(formula(values) for formula in given) and (fails is None or not fails(values))
