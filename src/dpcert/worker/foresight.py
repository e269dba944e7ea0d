"""Foresight: an early estimate, from a few laws of a program, whether all of them fit in the time limit."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.worker.troubles import TimedOut

SHARE = 0.1
"""The part of the time limit after which an audit looks ahead; most audits end before."""
MARGIN = 1.5
"""An audit gives a program up where the estimate is at least so many times the time limit."""
FAR = 4
"""The same factor for the rougher estimate in which each law left costs as much as the next one."""
FEWEST = 8
"""The fewest laws left that are worth a look ahead."""
BEYOND = "the program does not fit in the time limit"
"""The beginning of the reason why a program was given up."""


@dataclass(slots=True)
class Foresight:
    """Looks ahead once, when a share of `seconds` of this process's time has passed, and gives up a hopeless program.

    It computes three of the laws that are left, as the audit will: the next one, the one in the middle and the last,
    each after its predecessor, with which it may share steps. Simpson's rule estimates the cost of the others. Where
    the next law alone is so dear that all would take far too long at its cost, it computes no other. No verdict rests
    on the estimate: a program that is given up is undecided.
    """

    seconds: float
    clock: Callable[[], float] = time.process_time
    asked: bool = field(init=False, default=False)

    def __call__(self, subject: Subject) -> None:
        """Return if the remaining laws may fit in the remaining time.

        Raises: TimedOut where the estimate is much longer.
        """
        if self.asked or self.clock() < self.seconds * SHARE:
            return
        self.asked = True
        known = {*subject.found}
        left = [position for position, value in enumerate(subject.inputs) if canonical(value) not in known]
        if len(left) < FEWEST:
            return
        look = subject.aside()
        try:
            first = self._cost(look, left[0], left[1])
            foreseen = len(left) * first
            if foreseen <= self.seconds * FAR:
                middle, last = (self._cost(look, left[at - 1], left[at]) for at in (len(left) // 2, -1))
                foreseen = len(left) * (first + 4 * middle + last) / 6
        except Unauditable:  # the audit will reach this law, and say why
            return
        if self.clock() + foreseen > self.seconds * MARGIN:
            done, every = len(known), len(subject.inputs)
            raise TimedOut(
                f"{BEYOND} of {self.seconds:g} s of processor time (--time-limit): after the laws on {done} of {every} "
                f"inputs, the others were foreseen to take about {foreseen:.0f} s; --law-source program tries them"
            )

    def _cost(self, look: Callable[[int], None], before: int, position: int) -> float:
        """Return the time of the law at a position after the law at another one."""
        look(before)
        begin = self.clock()
        look(position)
        return self.clock() - begin
