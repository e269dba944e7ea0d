"""Outcomes that are arrays of independent elements: those that have one law on all inputs are left out.

An equal factor of two laws leaves every divergence between them as it is (`Factored.cancel` has the proof), so that a
claim holds for the laws of the remaining elements exactly where it holds for the laws of the whole arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.law import Law
from dpcert.reading.choice import FEW, MACHINE, MERGED, Chosen, Unloaded

if TYPE_CHECKING:
    from dpcert.reading.numpy.independent import Elements

LEFT_OUT = "the elements of the outcome are drawn independently; "
"""How the assumption begins of a law in which some elements of the outcome were left out."""
CHANGED = "the program is no function of its input and coins: run again, its outcome has elements of other laws"


@dataclass(frozen=True, slots=True)
class Layout:
    """The elements of an array that are left, by places in the order of C; `others` are the laws of the others.

    `others` has None at the places that are left.
    """

    kind: tuple[Any, ...]
    kept: tuple[int, ...]
    others: tuple[Dist | None, ...]
    limit: int

    def law(self, found: Elements | None) -> Dist:
        """Return the law of the remaining elements, as dicts from indices.

        Raises: Unauditable where the law of the whole is not of this layout.
        """
        if found is None or found.kind != self.kind:
            raise Unauditable(CHANGED)
        pairs = zip(self.others, found.law.parts, strict=True)
        if not all(other is None or other == part for other, part in pairs):
            raise Unauditable(CHANGED)
        return found.at(self.kept, limit=self.limit)

    def words(self) -> str:
        """Return the assumption of laws of the remaining elements."""
        count, left = len(self.others), len(self.others) - len(self.kept)
        what = f"{left} of its {count}, each of one law on all inputs, were left out"
        return f"{LEFT_OUT}{what}, and outcomes name the others by index; dpcert/audit/layout.py is trusted"


def law_by_elements(program: Program, value: Any, settings: Settings) -> Chosen:
    """Return the law of an outcome that is an array of independent elements beside a law that is all tail.

    Raises: Unauditable where replays show another law.
    """
    if MACHINE not in sys.modules:
        raise Unloaded
    from dpcert.reading.numpy.independent import elements_by_states

    found = elements_by_states(program, value, settings)
    law, notes = (None, ()) if found is None else (found[0], (*found[1], MERGED))
    return Chosen(Law.from_weights([], 1), 1, notes, elements=law)


def layout_of(found: Sequence[Elements], limit: int) -> Layout | None:
    """Return the layout of some laws; None where they have few outcomes, and where too little can be left out.

    Where the laws are all alike, the first element that is not certain stays.

    Raises: Unauditable where too little can be left out, and paths cannot decide: so many as the limit have together a
            probability of at most 1/2.
    """
    first = found[0]
    if all(prod(map(len, each.law.parts)) <= FEW for each in found):
        return None
    if any(each.kind != first.kind for each in found):
        _need_paths(found, limit, "on its inputs the outcome has several shapes or dtypes; audit inputs of one shape")
        return None
    parts = [*enumerate(first.law.parts)]
    kept = [place for place, part in parts if any(each.law.parts[place] != part for each in found[1:])]
    kept = kept or [next(place for place, part in parts if len(part) > 1)]
    size = max(prod(len(each.law.parts[place]) for place in kept) for each in found)
    if len(kept) == len(parts) or size > limit:
        words = f"between its inputs {len(kept)} of {len(parts)} elements of the outcome differ in law"
        _need_paths(found, limit, f"{words}, which is too many; audit inputs that differ in fewer")
        return None
    left = {*kept}
    others = tuple(None if place in left else part for place, part in parts)
    return Layout(first.kind, tuple(kept), others, limit)


def _need_paths(found: Sequence[Elements], limit: int, words: str) -> None:
    """Return where paths may decide.

    Raises: Unauditable where so many as the limit have together a probability of at most 1/2 on each input.
    """
    most = [prod(max(p for _, p in part.items()) for part in each.law.parts) for each in found]
    if 2 * limit * max(most) <= 1:
        raise Unauditable(f"{words}, or release a reduction of it, as a sum")
