"""Derivations as they are written: steps without their certificates, which `benchmarks/certificates.py` searches.

`proofs/checker.py` says what a step is, and decides. The rules are a query, induction, and instances of earlier steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpcert.proofs.terms import Term, size

Instance = Sequence[Any]
Sorts = Mapping[str, str | int]


def by_query(name: str, sorts: Sorts, given: Sequence[str], then: str, *using: Instance) -> dict[str, Any]:
    """Return a step that the givens and instances prove."""
    return _step(name, sorts, given, then, "query", {"query": using})


def by_induction(
    name: str,
    sorts: Sorts,
    given: Sequence[str],
    then: str,
    *,
    base: Sequence[Instance],
    step: Sequence[Instance],
) -> dict[str, Any]:
    """Return a step that induction proves; the first given, as `(>= n 0)`, names the integer and where it begins."""
    _, n, start = given[0].strip("()").split()
    return _step(name, sorts, given, then, ["induction", n, start], {"base": base, "step": step})


def _step(
    name: str, sorts: Sorts, given: Sequence[str], then: str, by: Any, proofs: Mapping[str, Sequence[Instance]]
) -> dict[str, Any]:
    return {
        "name": name,
        "for": dict(sorts),
        "given": list(given),
        "then": then,
        "by": by,
        "proofs": {part: {"using": [list(instance) for instance in using]} for part, using in proofs.items()},
    }


def given(place: int, at: str) -> Instance:
    """Return a given about all integers of a range, at one of them."""
    return ("given", place, at)


def unfold(term: str) -> Instance:
    """Return what a sum, product or power has to do with that of one term less."""
    return ("unfold", term)


def earlier(name: str, **terms: str | Sequence[str]) -> Instance:
    """Return an earlier step, or query, with terms for its variables; `("i", term)` for a function."""
    return ("step", name, {key: value if isinstance(value, str) else list(value) for key, value in terms.items()})


def same(*names: str) -> dict[str, str]:
    """Return each variable for itself, for an earlier step that has variables of the same names."""
    return {name: name for name in names}


def apart(a: str, b: str) -> str:
    """Return |a - b|, as the lemmas have it."""
    found = size(Term(a) - Term(b))
    assert isinstance(found, Term)
    return found.text
