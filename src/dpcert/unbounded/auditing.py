"""Audits of counts of any size: search for what the theorem needs, the premises' verdicts, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any, Protocol

from dpcert.audit.conclusion import COUNTS, Conclusion, Hints, Premise, conclusion_of, sentence_of, theorem_of
from dpcert.audit.decide import Report, decide
from dpcert.audit.dominating import both_moves, dominating_pair
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.audit.measure import least_ratio_bounds, rounded_ratio
from dpcert.audit.moved import Moved, moved_delta, moved_hints, searched
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo, rounded_text
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import covering_reach, one_count_delta
from dpcert.mechanisms.sample_and_threshold.count_deltas import count_deltas
from dpcert.mechanisms.sample_and_threshold.sample_threshold import ALL, sample_threshold_law
from dpcert.targets.cases import Case, case_of
from dpcert.targets.catalogue import find
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec
from dpcert.unbounded.bundle import Bundle, bundle_of
from dpcert.unbounded.premises import Found, Subjects
from dpcert.worker.jobs import FindDigestsOfPremises
from dpcert.worker.recomputed import Recomputed
from dpcert.worker.results import described, undecided_result

__all__ = ["Again", "about_all_counts", "audit_all_counts", "describe_all_counts"]

BITS = 128
SMALL = 20
"""Up to which threshold more counts than needed are looked at, for a least epsilon that is exact."""
PROGRAM_MOST, FORM_MOST = 40, 400
"""Up to which count more than needed are looked at, with laws from the program and from the closed form."""
MOST_OUTCOMES = 4000
"""Up to how many outcomes of two bins their least epsilon is measured."""
PEOPLE = 16
"""Up to how many people in two bins their law may come from the program."""


class Again(Protocol):
    """What starts the second computation of laws in another process."""

    def __call__(self, premises: FindDigestsOfPremises) -> AbstractContextManager[Recomputed]:
        """Return it, for these premises."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an audit of all counts: its result, and the bundle of a verdict, or a premise's refutation."""

    result: dict[str, Any]
    bundle: Bundle | None = None
    refutes: Premise | None = None


def about_all_counts(spec: Spec, options: Options) -> bool:
    """Whether a case is about counts of any size, by theorem, and not about its inputs alone.

    Raises: InputError where it is, and no theorem is about what is asked.
    """
    if (
        options.sampling
        or not isinstance(spec, CatalogueSpec)
        or spec.name != COUNTS
        or find(COUNTS).settings(spec.settings)["kmax"] != ALL
    ):
        return False
    theorem_of(options.neighbours or "element")
    if options.observes not in (None, "outcome"):
        raise InputError(
            given=f"--observe draws for {COUNTS} on all counts",
            needed="the outcome alone: how many draws there are tells the count",
            remedy="audit counts up to some number, as with --set kmax=30",
        )
    return True


def describe_all_counts(spec: Spec, options: Options) -> dict[str, Any]:
    """Return what a result says before anything is audited."""
    case = _case(spec, options)
    neighbours = options.neighbours or "element"
    sentence, inputs = sentence_of(dict(case.subject.parameters), case.guarantee, neighbours)
    found = described(case)
    found["claim"] = {**found["claim"], "neighbours": neighbours, "inputs": inputs, "sentence": sentence}
    return found


def audit_all_counts(spec: Spec, options: Options, again: Again) -> Answer:
    """Audit `sample-threshold` on counts of any size.

    Raises: InputError for parameters of no use; Unauditable where a program cannot be followed.
    """
    case, neighbours = _case(spec, options), options.neighbours or "element"
    description = describe_all_counts(spec, options)
    moved: Moved | None = None
    hints: Hints | None = None
    rate, threshold = _parameters(case)
    try:
        if neighbours == "substitute":
            for most in (PROGRAM_MOST, None) if options.law_source == "program" else (None,):
                moved = moved_delta(rate=rate, threshold=threshold, epsilon=case.guarantee.epsilon, most=most)
                if moved.lo > case.guarantee.delta:
                    return _refuting(case, moved, description)
                hints = moved_hints(moved, rate=rate, guarantee=case.guarantee)
                if hints is not None or moved.reach != most:
                    break
        else:
            most = PROGRAM_MOST if options.law_source == "program" else max(FORM_MOST, 4 * threshold)
            hints = Hints(_reach(rate, threshold, case.guarantee, most))
    except InputError as error:
        return Answer(undecided_result(description, f"the search for premises stopped: {error}"))
    if hints is None:
        return Answer(_open(description, moved))
    conclusion = conclusion_of(
        dict(case.subject.parameters), case.guarantee, neighbours, hints, law_source=options.law_source
    )
    if moved is None and _needs_more(rate, threshold, case.guarantee, hints.reach):
        return Answer(undecided_result(description, "a count refutes it"), refutes=conclusion.premises[0])
    return _from_premises(case, conclusion, hints, options, again, description, moved)


def _needs_more(rate: Fraction, threshold: int, guarantee: ApproxDP, count: int) -> bool:
    """Whether this many people and one fewer certainly need more than delta, so that their premise is refuted."""
    if searched(guarantee.epsilon) != guarantee.epsilon:
        return False
    _, ratio = guarantee.epsilon.exp_bounds(BITS)
    return max(one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count)) > guarantee.delta


def _reach(rate: Fraction, threshold: int, guarantee: ApproxDP, most: int) -> int:
    """Return a count that settles the claim: as all greater ones need no more than it does, or the least that refutes.

    Up to `most`, greater ones need no more than the counts up to it do, so that the least delta is exact.

    Raises: InputError where none that is looked at does.
    """
    ratio, _ = searched(guarantee.epsilon).exp_bounds(BITS)
    reach = covering_reach(rate=rate, threshold=threshold, ratio=ratio, delta=guarantee.delta)
    least = max(reach, 3 * threshold if threshold <= SMALL else 1)
    crowds = islice(count_deltas(rate=rate, threshold=1, ratio=ratio), 1, None)
    best, shown = Fraction(0), count_deltas(rate=rate, threshold=threshold, ratio=ratio)
    for count in range(1, max(reach, most) + 1):
        found, crowd = next(shown) if count >= threshold else None, next(crowds)
        if found is not None and found.exceeds(best):
            best = found.most
        if count == reach and best > guarantee.delta:
            return reach
        if count >= least and not crowd.exceeds(best):
            return count
    return least


def _case(spec: Spec, options: Options) -> Case:
    return case_of(spec, replace(options, neighbours=None))


def _parameters(case: Case) -> tuple[Fraction, int]:
    settings = dict(case.subject.parameters)
    return probability(settings, "rate"), integer(settings, "threshold", least=1)


def _refuting(case: Case, moved: Moved, description: dict[str, Any]) -> Answer:
    """Return the premise whose refutation refutes the claim: two bins, of the counts that were found."""
    settings = dict(case.subject.parameters)
    chosen = {"rate": settings["rate"], "threshold": settings["threshold"]}
    chosen |= {"left": str(moved.left), "entered": str(moved.entered)}
    guarantee = case.guarantee
    premise = Premise(
        mechanism="moved-person",
        settings=tuple(chosen.items()),
        epsilon=guarantee.epsilon,
        delta=guarantee.delta,
        neighbours="substitute",
        closed=moved.left + moved.entered > PEOPLE,
    )
    return Answer(undecided_result(description, "two bins refute it"), refutes=premise)


def _open(description: dict[str, Any], moved: Moved | None) -> dict[str, Any]:
    """Return the undecided result of a delta between what two bins need and what is known to be enough."""
    if moved is None:
        return undecided_result(description, "no premises were found")
    bins = f"bins of {moved.left} and {moved.entered - 1} people and of {moved.left - 1} and {moved.entered}"
    gap = f"{decimal_lo(moved.lo)} is needed, by {bins}, and {decimal_hi(moved.hi)} is enough, for all"
    found = undecided_result(
        description,
        f"delta is in or at the edge of the gap between bounds: {gap}; claim a little more, or audit moved-person",
    )
    return {**found, "delta": {"lo": rounded_text(moved.lo, up=False), "hi": rounded_text(moved.hi, up=True)}}


def _from_premises(
    case: Case,
    conclusion: Conclusion,
    hints: Hints,
    options: Options,
    again: Again,
    description: dict[str, Any],
    moved: Moved | None,
) -> Answer:
    subjects = Subjects()
    cases = [subjects.find(premise, options) for premise in conclusion.premises]
    reports: list[Report] = []
    with again(FindDigestsOfPremises(subjects.jobs)) as other:
        second: list[Sequence[str]] = []
        for found in cases:
            again_of = partial(_second, second, subjects, other, found)
            report = decide(found.case.subject, found.case.guarantee, again=again_of)
            if not isinstance(report.verdict, Verified):
                premise = conclusion.premises[len(reports)]
                return _failed(description, report, premise)
            reports.append(report)
    reason = subjects.unbound()
    if reason is not None:
        return Answer(undecided_result(description, reason))
    certificates = tuple(replace(_certificate(report), embedded=None) for report in reports)
    bundle = bundle_of(conclusion, hints, COUNTS, options.law_source, certificates)
    result = {
        **undecided_result(description, ""),
        "verdict": "verified",
        "reason": None,
        "assumptions": list(conclusion.assumptions),
        "pairs": sum(report.pairs for report in reports),
        "tail": rounded_text(max(report.tail for report in reports), up=True),
        "certificate": None,
        "notes": list(dict.fromkeys(note for report in reports for note in report.notes)),
    }
    measured = _measured(reports) if moved is None else _measured_moves(case, hints, moved)
    return Answer({**result, **measured}, bundle)


def _second(second: list[Sequence[str]], subjects: Subjects, other: Recomputed, premise_case: Found) -> Sequence[str]:
    if not second:
        second.extend(subjects.split(other.digests("")))
    return second[premise_case.place]


def _certificate(report: Report) -> Certificate:
    if report.certificate is None:
        raise ValueError("a verified premise has a certificate")
    return report.certificate


def _failed(description: dict[str, Any], report: Report, premise: Premise) -> Answer:
    """Return what follows from a premise that was not verified: a refuted count refutes all, anything else nothing."""
    if (
        isinstance(report.verdict, Refuted)
        and premise.mechanism == COUNTS
        and description["claim"]["neighbours"] != "substitute"
    ):
        return Answer(undecided_result(description, "a count refutes it"), refutes=premise)
    words = report.verdict.reason if isinstance(report.verdict, Undecided) else "refuted"
    return Answer(undecided_result(description, f"a premise is not verified: {report.claim.sentence()}: {words}"))


def _measured(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the least delta and epsilon of counts of any size: what the counts need, and what is enough for all."""
    first = reports[0]
    his = [report.epsilon_hi for report in reports]
    greatest = None if None in his else max((hi for hi in his if hi is not None), key=lambda hi: hi.ratio)
    delta = {
        "lo": rounded_text(first.delta_lo, up=False),
        "hi": rounded_text(max(report.delta_hi for report in reports), up=True),
    }
    epsilon = {"lo": str(first.epsilon_lo), "hi": None if greatest is None else str(greatest)}
    return {"delta": delta, "epsilon": epsilon}


def _measured_moves(case: Case, hints: Hints, moved: Moved) -> dict[str, Any]:
    """Return the same for people who move: what two bins need, and what the nodes show to be enough."""
    pair = both_moves(dominating_pair(hints.losing, hints.gaining))
    guarantee = case.guarantee
    _, _, enough = decide_pair(*pair, guarantee.epsilon, guarantee.delta)
    _, ratio = least_ratio_bounds(*pair, guarantee.delta)
    hi = None if ratio is None else str(Epsilon.ln(rounded_ratio(ratio)[1]))
    delta = {"lo": rounded_text(moved.lo, up=False), "hi": rounded_text(enough, up=True)}
    return {"delta": delta, "epsilon": {"lo": _least_epsilon(case, moved), "hi": hi}}


def _least_epsilon(case: Case, moved: Moved) -> str:
    """Return an epsilon that the two bins of greatest delta need; 0 where their joint laws are long."""
    rate, threshold = _parameters(case)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    bins = (law(moved.left), law(moved.entered - 1)), (law(moved.left - 1), law(moved.entered))
    if max(len(first) * len(second) for first, second in bins) > MOST_OUTCOMES:
        return "0"
    joint = [first.product(second) for first, second in bins]
    ratio, _ = least_ratio_bounds(joint[0], joint[1], case.guarantee.delta)
    return "0" if ratio is None else str(Epsilon.ln(rounded_ratio(ratio)[0]))
