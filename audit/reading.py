"""The reader of programs: the law on an input, from the program, with the names of the sources that it rests on.

It hands the program and the input on to `reading/paths/enumerator.py`. Properties that laws on several inputs must have
in common are found here: which elements of arrays are left out, and from where on far outcomes are summed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dpcert.audit.certificates import SUMMED
from dpcert.audit.coverage import Coverage
from dpcert.audit.layout import Layout, law_by_elements, layout_of
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.explore import Limits
from dpcert.reading.choice import Kept
from dpcert.reading.paths.enumerator import Followed, enumerate_law
from dpcert.reading.paths.shared import Shared
from dpcert.reading.tails.far import Ends, Start, common_starts

Program = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """The law of the program `read` on the input whose canonical bytes are `given`, and its evidence.

    `followed` is the law before elements are left out or far outcomes summed; `possible`, if any, says which outcomes
    there are, where those of the law name a part of them.
    """

    law: Dist
    read: Any
    given: bytes
    sources: tuple[str, ...]
    assumptions: tuple[str, ...]
    followed: Followed
    possible: Callable[[Any], bool] | None = None


@dataclass(slots=True)
class Reader:
    """Reads the laws of one program, whose `inputs` these are; the laws share what they can.

    With `draws` the law is that of the outcome and the bounds of the draws. With `sums`, far outcomes of loops that
    count their turns are summed. `backwards` is the second computation: branches in reverse, and no replays.
    """

    inputs: tuple[Any, ...]
    coverage: Coverage
    limits: Limits
    eager: bool = False
    draws: bool = False
    sums: bool = False
    backwards: bool = False
    layout: Layout | None = None  # of the outcomes, where elements of them are left out
    laid: bool = False  # whether it is known whether there is a layout
    replays: bool = True
    kept: Kept = field(default_factory=Kept)
    shared: Shared | None = None  # while a second computation is to follow
    starts: tuple[Start, ...] | None = None  # of the outcomes that all laws sum; empty where there are none

    def reading(self, program: Program, value: Any, found: Followed) -> Reading:
        """Return the reading of what was followed on an input; the first finds whether all laws leave elements out.

        Raises: Unauditable when the program cannot be followed.
        """
        if not self.laid:
            self.layout, self.laid = self._common_layout(program, found), True
            if self.layout is None and found.elements is not None and found.law.tail_weight:  # few paths were not all
                found = enumerate_law(program, value, **self.how())
        if self.layout is not None:
            law, said = self.layout.law(found.elements), (*found.assumptions, self.layout.words())
            return Reading(
                law, found.read, found.given, (*found.sources, "vectors"), said, found, found.elements.possible
            )
        law, said = found.law, found.assumptions
        if found.ends is not None:
            if self.starts is None:
                self.starts = self._common_starts(program) if common_starts([found.ends]) else ()
            law = found.ends.summed(self.starts) if self.starts or not found.ends.series() else law
            said = said if law.tail_weight else (*said, SUMMED)
        return Reading(law, found.read, found.given, found.sources, said, found)

    def look(self, program: Program, value: Any) -> None:
        """Compute a law as the subject does, for the time that it takes."""
        enumerate_law(program, value, **self.how())

    def aside(self, coverage: Coverage) -> Reader:
        """Return another reader, whose laws share among themselves as the laws of this one do, and nothing else."""
        shared = None if self.shared is None else Shared()
        return replace(self, coverage=coverage, kept=Kept(), shared=shared)

    def possible(self, program: Program, value: Any) -> Callable[[Any], bool] | None:
        """Return a predicate of the outcomes on an input, where its law names some of their elements alone."""
        return None if self.layout is None else self._plainly(program, value, Kept()).elements.possible

    def how(self) -> dict[str, Any]:
        """Return how laws are read, which the laws before have changed."""
        return {
            "limits": self.limits,
            "eager": self.eager,
            "draws": self.draws,
            "sums": self.sums,
            "reverse": self.backwards,
            "replay": self.replays and not self.backwards,
            "observe": self.coverage.observe,
            "kept": self.kept,
            "shared": self.shared,
            "elements": None if self.laid else law_by_elements,
            "by": None if self.layout is None else law_by_elements,
        }

    def _plainly(self, program: Program, value: Any, kept: Kept, **how: Any) -> Followed:
        """Return the reading on an input, without replays, which shares nothing with the laws."""
        alone: dict[str, Any] = {"replay": False, "kept": kept, "shared": None, "observe": None}
        return enumerate_law(program, value, **{**self.how(), **alone, **how})

    def _common_layout(self, program: Program, found: Followed) -> Layout | None:
        """Return the layout of the outcomes on all inputs, after one was found."""
        every, kept = [], Kept()
        for value in self.inputs if found.elements is not None else ():
            elements = self._plainly(program, value, kept, by=law_by_elements).elements
            if elements is None:
                return None
            every.append(elements)
        return layout_of(every, self.limits.max_runs) if every else None

    def _common_starts(self, program: Program) -> tuple[Start, ...]:
        """Return from where on outcomes are summed in the laws of all inputs."""
        found: list[Ends | None] = []
        kept = Kept()
        for value in self.inputs:
            read = self._plainly(program, value, kept)
            found.append(read.ends or Ends.of(read.law.items()))
            if found[-1] is None:
                break
        return common_starts(found)
