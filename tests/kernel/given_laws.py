"""Laws given by position in place of a program: the examination of a claim about them, pair by pair."""

from collections.abc import Callable, Iterator
from typing import Any

from dpcert import Claim
from dpcert.audit.kernel.examine import Answer, Examination
from dpcert.audit.passes import BUDGET, PairBounds, examined
from dpcert.mechanisms.exact.outcome import canonical


class GivenLaws:
    """A law source that knows the law of each position."""

    read = "the given laws"

    def __init__(self, claim: Claim, law_of: Callable[[int], Any]) -> None:
        self.law_of = law_of
        self.positions = {canonical(value): position for position, value in enumerate(claim.inputs)}

    def source(self, read: Any, value: Any) -> Answer:
        return Answer(self.law_of(self.positions[canonical(value)]), read, canonical(value), ("paths",))


def examination(claim: Claim, law_of: Callable[[int], Any]) -> Examination:
    program: Any = GivenLaws(claim, law_of)
    return Examination(claim, program)


def each_pair(found: Examination, *, budget: int = BUDGET) -> Iterator[PairBounds]:
    """Examine all pairs, with the laws that these need."""
    for step in examined(found, budget=budget):
        if isinstance(step, int):
            found.hold(step)
        else:
            yield step
