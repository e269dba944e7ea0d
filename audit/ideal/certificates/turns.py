"""The check of loops: trees of which some leaves come back to a state that was there before, on their way.

Such a leaf has no outcome; its `repeats` are after how many of its steps the state was there first, and a factor. The
other leaves below that *head* are taken in some turn of the loop, which multiplies their probability: by that of the
head over the part of it that does not come back. This is checked as an equation, the innermost loops first. That a leaf
comes back to the state of its head is shown elsewhere, by a run to each of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from dpcert.audit.ideal.certificates.checker import ONE, ZERO, Integrals, Proofs, Region, Tree, combined, need, number
from dpcert.audit.ideal.certificates.checker import steps_of as decoded
from dpcert.audit.ideal.certificates.checker import tree as filled
from dpcert.audit.ideal.certificates.corners import rest_of
from dpcert.audit.ideal.certificates.signs import WHOLE, Drawn, Quotient, Scope, drawn, multiplied, summed

BACK = "comes back"
Leaf = tuple[list[Any], Any]
"""The steps of a leaf, and its data."""


@dataclass(frozen=True, slots=True)
class Head:
    """The steps to a state to which the leaves `members` come back, also as data, and the factor that is claimed."""

    steps: list[Any]
    data: list[Any]
    factor: Any
    members: list[int]

    def is_above(self, leaf: Leaf) -> bool:
        """Whether a leaf lies below.

        Raises: NotShown where its data writes the steps otherwise, for elsewhere that alone is looked at.
        """
        steps, data = leaf
        found = steps[: len(self.steps)] == self.steps
        need(found == (data["steps"][: len(self.steps)] == self.data), "the steps to a loop are written in two ways")
        return found


def tree(data: Any, proofs: Proofs, scope: Scope, integrals: Integrals) -> Tree:
    """Return the tree that data is, as of `checker.tree`, with the probabilities of all turns of its loops.

    Raises: NotShown for leaves that do not fill the space of all noise, and for a factor that is another one.
    """
    back = [place for place, leaf in enumerate(data) if leaf["repeats"] is not None]
    need(all(data[place]["outcome"] is None for place in back), "a leaf with an outcome that comes back")
    named = [{**leaf, "outcome": BACK, "parts": []} if place in back else leaf for place, leaf in enumerate(data)]
    whole = filled(named, proofs, drawn)
    all_leaves: list[Leaf] = [(decoded(leaf, drawn), leaf) for leaf in data]
    heads: list[Head] = []
    for place in back:
        steps, (depth, factor) = all_leaves[place][0], data[place]["repeats"]
        need(type(depth) is int and 0 <= depth < len(steps), "a leaf that comes back to no state before")
        head = next((each for each in heads if each.steps == steps[:depth]), None)
        if head is None:
            heads.append(head := Head(steps[:depth], data[place]["steps"][:depth], factor, []))
        need(head.factor == factor, "a loop of two factors")
        head.members.append(place)
    for head in sorted(heads, key=lambda each: -len(each.steps)):
        deeper = [each for each in heads if len(each.steps) > len(head.steps)]
        parts = [_taken(whole.leaves[place], all_leaves[place], deeper) for place in head.members]
        _need_factor(head, parts, scope, integrals)
    ends = {place: leaf for place, leaf in whole.leaves.items() if place not in back}
    return Tree(
        {place: _taken(leaf, all_leaves[place], heads) for place, leaf in ends.items()}, whole.drawn or bool(back)
    )


def _taken(leaf: Region, written: Leaf, heads: Sequence[Head]) -> Region:
    """Return a leaf with the factors of the loops that it is in."""
    factors = (_factor(head.factor) for head in heads if head.is_above(written))
    return replace(leaf, weight=prod(factors, start=leaf.weight))


def _factor(data: Any) -> Any:
    return number(data) if isinstance(data, str) else Drawn(ONE, (json.dumps(data),))


def _need_factor(head: Head, parts: Sequence[Region], scope: Scope, integrals: Integrals) -> None:
    """Raises: NotShown, unless the factor is the probability of the head over the part that does not come back."""
    rows = sum(isinstance(mark, dict) for mark, _ in head.steps)
    weight = prod((mark[side] for mark, side in head.steps if isinstance(mark, list)), start=ONE)
    start = rest_of(replace(parts[0], rows=parts[0].rows[:rows], weight=weight), (), scope, integrals)
    back = [rest_of(part, (), scope, integrals) for part in parts]
    left = summed([start, *((combined((-ONE, above)), below) for above, below in back)])
    is_rational = isinstance(head.factor, str)
    factor = ({ZERO: _factor(head.factor)}, WHOLE) if is_rational else scope.exact(json.dumps(head.factor))
    difference = summed([_times(factor, left), (combined((-ONE, start[0])), start[1])])
    need(bool(start[0]) and not difference[0], "a loop is left with another probability")


def _times(x: Quotient, y: Quotient) -> Quotient:
    return multiplied(x[0], y[0]), multiplied(x[1], y[1])
