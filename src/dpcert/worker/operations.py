"""The function of a worker process for each kind of job."""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from dpcert.audit.layout import law_by_elements
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.forms import distinct, lenient_json, order_key, to_json
from dpcert.planning.proposal import Proposal
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import case_of, specs_of_file
from dpcert.targets.extras import MissingExtra
from dpcert.unbounded.asked import is_unbounded
from dpcert.worker.attempt import Attempt
from dpcert.worker.auditing import Workplace, audit, audit_many, describe
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import (
    Alone,
    Audit,
    AuditMany,
    Compare,
    Compared,
    Describe,
    Digests,
    DigestsOfMany,
    Draw,
    FindDigests,
    FindDigestsOfMany,
    FindDigestsOfPremises,
    FindLaw,
    FindStates,
    Job,
    LawFound,
    Listing,
    ListTargets,
    Missing,
    Picture,
    Propose,
    Recheck,
    Rechecked,
    States,
)
from dpcert.worker.seeded import states_of


def _list_targets(job: ListTargets, here: Workplace) -> Listing:
    try:
        specs, found = specs_of_file(Path(job.file), job.function, job.settings)
        return Listing(specs, found.lost, imported=found.imported)
    except MissingExtra as error:
        return Listing([], [], str(error))


def _find_digests(job: FindDigests, here: Workplace) -> Digests:
    case = case_of(job.spec, job.options)
    if case.ideal is not None:
        from dpcert.worker.ideal import ideal_digests  # numpy comes with it

        return Digests(ideal_digests(case), case.scope())
    case.subject.inputs = distinct(case.subject.inputs)
    return Digests(list(case.subject.digests()), case.scope())


def _find_digests_of_many(job: FindDigestsOfMany, here: Workplace) -> DigestsOfMany:
    answers: list[Digests | Alone | Failure] = []
    for spec in reversed(job.specs):
        with Attempt[Digests]() as attempt:
            attempt.answer = _find_digests(FindDigests(spec, job.options), here)
        answers.append(attempt.answer)
    return DigestsOfMany(answers[::-1])


def _find_digests_of_premises(job: FindDigestsOfPremises, here: Workplace) -> Digests:
    from dpcert.unbounded.premises import digests_of  # theorems come with it

    return Digests(digests_of(job.premises), "")


def _find_states(job: FindStates, here: Workplace) -> States:
    return States(states_of(job.spec, job.options))


BY_ELEMENTS = (
    "the elements of the outcome are independent: the probability of an array is the product of those of its elements; "
    "dpcert/audit/layout.py is trusted"
)


def _find_law(job: FindLaw, here: Workplace) -> LawFound:
    case = case_of(job.spec, job.options)
    value = lenient_json(job.input)
    if case.domain is not None:
        case.domain.require(value, "--input")
    if job.options.law_source == "closed-form" and case.subject.closed_form is not None:
        law = Dist.like(case.subject.closed(case.subject.closed_form, value).law)
        notes = list(case.subject.notes)
    else:
        draws = case.subject.observes == "outcome and draws"
        limits, eager = job.options.limits(), job.options.eager
        read = partial(enumerate_law, case.subject.program, value, limits=limits, eager=eager, draws=draws)
        enumerated = read(elements=law_by_elements)
        elements = enumerated.elements
        if elements is not None and prod(map(len, elements.law.parts)) > limits.max_runs:
            parts = [[to_json(elements.index(i)), _rows(elements.alone(i))] for i in range(len(elements.law))]
            notes = [*enumerated.notes, *enumerated.assumptions, BY_ELEMENTS]
            return LawFound([], ratio_text(Fraction(1)), notes, elements=parts)
        enumerated = enumerated if elements is None else read()
        law, notes = enumerated.law, [*enumerated.notes, *enumerated.assumptions]
        notes += [f"law by {' and '.join(enumerated.sources)}"] if enumerated.sources != ("paths",) else []
    weights = _rows(law)
    bits: dict[str, int] | None = None
    if case.subject.observes != "outcome":
        drawn = [sum((bound - 1).bit_length() for bound in outcome[1]) for outcome in law.outcomes()]
        bits = {"lo": min(drawn), "hi": max(drawn)}
    return LawFound(weights, ratio_text(law.tail), notes, bits)


def _rows(law: Dist) -> list[list[Any]]:
    rows = sorted(law.items(), key=lambda row: order_key(row[0]))
    return [[to_json(outcome), ratio_text(p)] for outcome, p in rows]


PART = 0.5
"""The part of the time after which no other input is begun."""


def compare(job: Compare, here: Workplace) -> Compared:
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
        if here.seconds is not None and time.process_time() - begin > here.seconds * PART:
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


def _propose(job: Propose, here: Workplace) -> Proposal:
    from dpcert.planning.families import proposal_for

    return proposal_for(job.question)


def _draw(job: Draw, here: Workplace) -> Picture:
    from dpcert.worker.picture import picture_of

    if is_unbounded(job.spec, job.options):
        return Picture(None, Missing("a profile is of finitely many inputs: see printed bounds"))
    return picture_of(case_of(job.spec, job.options), job.worst)


def _recheck(job: Recheck, here: Workplace) -> Rechecked:
    from dpcert.worker.rechecking import recheck  # theorems come with it

    return recheck(job)


OPERATIONS: dict[type[Job[Any]], Callable[[Any, Workplace], Any]] = {
    Audit: audit,
    AuditMany: audit_many,
    Compare: compare,
    Describe: lambda job, here: describe(job),
    Draw: _draw,
    FindDigests: _find_digests,
    FindDigestsOfMany: _find_digests_of_many,
    FindDigestsOfPremises: _find_digests_of_premises,
    FindLaw: _find_law,
    FindStates: _find_states,
    ListTargets: _list_targets,
    Propose: _propose,
    Recheck: _recheck,
}
