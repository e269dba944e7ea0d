"""Foresight: whether the laws of a program fit in the time limit, known from a few of them before it has passed."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.worker.troubles import TimedOut

SHARE = 0.1
"""After which part of the time limit one looks ahead: most audits have ended before."""
MARGIN = 1.5
"""How many times the time limit must be foreseen before a program is given up."""
FAR = 4
"""How many times, where the laws left are taken to cost no less than the next of them."""
FEWEST = 8
"""The fewest laws left that are worth a look ahead."""
BEYOND = "the program does not fit in the time limit"
"""How the reason begins why a program was given up."""


@dataclass(slots=True)
class Foresight:
    """Looks ahead once, when a share of `seconds` of this process's time has passed, and gives up what cannot fit.

    Three laws of those left are computed aside, as the audit will compute them: the next, the one in the middle and the
    last, each after the one before it, with which it may share steps. The others are taken to cost what lies between
    (Simpson's rule). Where the next is so dear that all would take far too long at its price, it is the only one. No
    verdict rests on it: a program that is given up has none.
    """

    seconds: float
    clock: Callable[[], float] = time.process_time
    asked: bool = field(init=False, default=False)

    def __call__(self, subject: Subject) -> None:
        """Return if the laws that are left may fit in the time that is left.

        Raises: TimedOut where they would take much longer.
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
        except Unauditable:  # the audit comes to it, and says why
            return
        if self.clock() + foreseen > self.seconds * MARGIN:
            done, every = len(known), len(subject.inputs)
            raise TimedOut(
                f"{BEYOND} of {self.seconds:g} s of processor time (--time-limit): after the laws on {done} of {every} "
                f"inputs, the others were foreseen to take about {foreseen:.0f} s; --law-source program tries them"
            )

    def _cost(self, look: Callable[[int], None], before: int, position: int) -> float:
        """Return how long the law at a position takes after that at another."""
        look(before)
        begin = self.clock()
        look(position)
        return self.clock() - begin
