"""A comparison of a program with its closed form, on as many of the smallest inputs as fit in little time."""

import time

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.forms import order_key
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import case_of
from dpcert.unbounded.asked import is_unbounded
from dpcert.worker.jobs import Compare, Compared

PART = 0.5
"""The part of the time after which no other input is begun."""


def compare(job: Compare, seconds: float | None) -> Compared:
    """Compare both laws on one input after the other, the smallest first, and return the inputs of equal laws in words.

    Raises: InputError where the observed outcome has no closed form; Unauditable where a law cannot be computed.
    """
    if is_unbounded(job.spec, job.options):
        return Compared(0)
    subject = case_of(job.spec, job.options).subject
    begin = time.process_time()
    equal: list[str] = []
    for value in sorted(subject.inputs, key=order_key):
        closed = Dist.like(subject.closed(subject.closed_form, value).law)
        if seconds is not None and time.process_time() - begin > seconds * PART:
            break
        law = Dist.like(enumerate_law(subject.program, value, limits=subject.limits).law)
        if apart(law, closed):
            return Compared(len(equal), differs=show(value))
        if law.tail or closed.tail:  # the laws may still be equal, so nothing is shown
            break
        equal.append(show(value))
    if len(equal) < 2:
        return Compared(len(equal), f"the input {equal[0]}" if equal else "")
    return Compared(len(equal), f"the {len(equal)} smallest inputs, {equal[0]} to {equal[-1]},")


def apart(p: Dist, q: Dist) -> bool:
    """Whether two laws with tails must differ: some outcome is likelier by one law than the other's tail allows."""
    outcomes = [*p.outcomes(), *q.outcomes()]
    return any(p.prob(o) > q.prob(o) + q.tail or q.prob(o) > p.prob(o) + p.tail for o in outcomes)
