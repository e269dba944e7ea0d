"""Key inequalities between polynomials: in every run, z3 searches for a point where one fails, and must find none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

Formula = Callable[[Any], Any]
"""A comparison of polynomials with integer coefficients, a function of fractions and of z3's numbers."""


@dataclass(frozen=True, slots=True)
class Inequality:
    """For all real numbers of these names, `given` implies `then`, but not `mutant`, which differs in one place."""

    names: str
    given: tuple[Formula, ...]
    then: Formula
    mutant: Formula


def faults(each: Inequality) -> Iterator[str]:
    """Yield each fault of an inequality, by z3 and exact arithmetic.

    z3 must find a point at which the hypotheses are true, so that they do not contradict each other, and no point at
    which `then` fails; "unknown" is a fault. It must find points against the mutant, and against `then` without each
    hypothesis in turn, so that each is needed.
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
    """Whether z3 finds a point at which all of `given` are true and `fails` is false, in exact arithmetic."""
    point = _point(names, given, fails)
    if not isinstance(point, dict):
        return False
    values = SimpleNamespace(**{name: Fraction(value) for name, value in point.items()})
    return all(formula(values) for formula in given) and (fails is None or not fails(values))
