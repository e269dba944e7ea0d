"""Refutations by laws of a single outcome each, as of a program that draws no coins: does another process agree?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.repeated import is_one_outcome


def coinless(subject: Subject, laws: tuple[Dist, Dist]) -> bool:
    """Whether the laws of a pair are those of a program that may have drawn no coins."""
    return subject.law_source == "program" and all(map(is_one_outcome, laws))


def doubt_of(pair: tuple[int, int], laws: tuple[Dist, Dist], again: Callable[[], Sequence[str] | None]) -> str | None:
    """Return why a pair of such laws refutes nothing: another process found others. None where it found the same."""
    seems = "a pair breaks the bound, and draws no coins that matter"
    try:
        digests = again()
    except Unauditable as error:
        return f"{seems}; computed a second time: {error}"
    if digests is None:
        return f"{seems}, but the laws were computed only once; audit it by the command line"
    if any([*digests[position : position + 1]] != [law.digest()] for position, law in zip(pair, laws, strict=True)):
        return f"{seems}, but another process found other outcomes; draw what is random from its coins"
    return None
