"""One run of a program on ideal noise: its decisions, and the linear inequalities that they are.

A comparison of noisy numbers is one decision. A run takes one answer, and notes the others that have a chance.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import FrameType
from typing import Any, NoReturn

from dpcert.audit.ideal.errors import Refused
from dpcert.audit.ideal.numbers import Real
from dpcert.mechanisms.ideal.known import MOST_DECISIONS, Known
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parameter import OfEpsilon
from dpcert.mechanisms.ideal.terms import Number


@dataclass(slots=True)
class _Decision:
    mark: Any
    choice: int
    others: tuple[int, ...] = ()


class Run(Known):
    """One run of a program on ideal noise: the decisions that it is to repeat, then new ones."""

    def __init__(self, forced: Sequence[tuple[Any, int]], *, reverse: bool = False, most: int = MOST_DECISIONS) -> None:
        super().__init__()
        self.forced = forced
        self.most = most  # decisions
        self.reverse = reverse
        self.decisions: list[_Decision] = []
        self.refused: str | None = None
        self.stack: list[tuple[dict[str, Any], str, int]] = []

    def refuse(self, what: str) -> NoReturn:
        """End this run for good, even if the program swallows the exception."""
        if self.refused is None:
            self.refused = what
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                self.stack.append((frame.f_globals, frame.f_code.co_filename, frame.f_lineno))
                frame = frame.f_back
        raise Refused(self.refused)

    def number(self, value: Number) -> Real:
        """Return a constant as a number of this run."""
        return Real(self, {}, value)

    def epsilon(self, value: Fraction | None = None) -> OfEpsilon:
        """Return the parameter epsilon: a number, or left open."""
        return OfEpsilon({1: 1} if value is None else {0: value}, self.refuse)

    def symbol(self, name: int) -> Real:
        """Return a number of an input that is left open."""
        return Real(self, {name: 1}, 0)

    def noise(self, law: Law) -> Real:
        """Return a fresh noise variable."""
        return Real(self, {self.fresh(law): 1}, 0)

    def logarithm(self, number: Real) -> Real:
        """Return the logarithm of a uniform number between 0 and 1 as noise."""
        name, sign = self.logarithm_of(number.terms, number.offset)
        return Real(self, {name: sign}, 0)

    def decide(self, mark: Any, possible: Callable[[], tuple[int, ...]]) -> int:
        """Take one of the choices that are possible, and note the others; `mark` says what is decided."""
        position = len(self.decisions)
        if position >= self.most:
            self.refuse(f"more than {self.most} comparisons in one run: the number of draws may have no bound")
        if position < len(self.forced):
            expected, choice = self.forced[position]
            if expected != mark:
                self.refuse("other decisions when it is run again: it keeps state between runs")
            self.decisions.append(_Decision(mark, choice))
            return choice
        choices = possible()
        if not choices:
            self.refuse("a path without probability")
        first, others = (choices[-1], choices[:-1]) if self.reverse else (choices[0], choices[1:])
        self.decisions.append(_Decision(mark, first, others))
        return first
