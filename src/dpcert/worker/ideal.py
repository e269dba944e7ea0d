"""Cases audited on ideal noise: exact answers about the algorithm that a program with numpy's noise stands for."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dpcert.audit.ideal.certificates.certificate import IdealCertificate, Stated, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import EveryReport, decide_every
from dpcert.audit.ideal.explore import CHANGED, laws_of
from dpcert.audit.ideal.lengths import digest_of_turns, on_any_length, turns_of
from dpcert.audit.ideal.report import IdealReport, Seen
from dpcert.audit.ideal.verdict import assumptions_of, decide_ideal, digests_of
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo, rounded_text
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.reading.ideal.explore import Limits
from dpcert.targets.cases import Case
from dpcert.targets.every import Every
from dpcert.worker.jobs import Rechecked
from dpcert.worker.result import Result, SeenEvent
from dpcert.worker.results import BESIDE, delta_ends, described, epsilon_ends, raised, seen_event
from dpcert.worker.rounding import by_rounding

MOST_PATHS, MOST_DECISIONS, SECONDS = 100, 1_000, 2
"""The limits of an audit on ideal noise for a note beside another verdict: paths of an input, decisions of a path, and
seconds between paths."""
LONGEST, BITS = 25, 64
"""The longest text of an epsilon that is shown exactly, and the precision of the decimals for longer ones."""

ASSUMPTION = "draws are ideal random variables, arithmetic on them is that of real numbers: floats are not looked at"
NUMBERS = "the numbers of a list are floats, which stand for real numbers"


Seeded = Callable[[Sequence[str]], str | None]
"""A function of the names of generators that outlive a run: the reason why one has or may have a seed, or None."""


def ideal_case(
    case: Case, again: Callable[[], Sequence[str]] | None = None, seeded: Seeded = lambda held: None
) -> IdealReport:
    """Return the report on a case with ideal noise; `again()` returns the digests that another process computed.

    Without `seeded`, the report assumes that the generators in its `held` have no seed.

    Raises: InputError for a case on machine noise; Unauditable with the name of an operation that is not followed.
    """
    if case.every is not None:
        given = f"{case.label}, claimed for every {case.every.parameter}"
        raise InputError(given=given, needed="a claim at one epsilon", remedy="audit it from the command line")
    report = decide_ideal(case.claim(), _program(case))
    if case.any_length:
        report = on_any_length(report, case.claim(), _program(case))
    report = replace(report, digests=_digests(report))
    if again is not None and report.verdict != "undecided":
        _need_again(report.digests, again)
    if report.verdict != "undecided" and (reason := seeded(report.held)) is not None:
        raise Unauditable(reason)
    return report


def beside(case: Case, seeded: Seeded, again: Callable[[], Sequence[str]]) -> tuple[str, str] | None:
    """Return the verdict on ideal noise, and its words, of a case that the machine's noise does not verify.

    Return None where the verdict takes long, or the program draws no real number, or draws from a seeded generator.
    `again()` returns the digests of the laws on ideal noise that another process computed: no claim is verified without
    them.
    """
    if case.beside is None or case.subject.observes != "outcome":
        return None
    limits = Limits(MOST_PATHS, time.process_time() + SECONDS, MOST_DECISIONS)
    try:
        report = decide_ideal(case.claim(), case.beside, limits=limits)
    except (Unauditable, ArithmeticError, InputError):
        return None
    if report.verdict == "undecided" or not report.noise or seeded(report.held) is not None:
        return None
    if report.verdict == "verified":
        try:
            if tuple(again()) != digests_of(report.followed):
                return None
        except Unauditable:
            return None
    return report.verdict, f"{BESIDE}{report.verdict}, {_least(*report.epsilon)} (--noise ideal)"


def holds_ideally(case: Case, guarantee: ApproxDP, report: IdealReport) -> bool:
    """Whether a case has a guarantee on ideal noise, by the laws of a report on it."""
    other = decide_ideal(replace(case.claim(), guarantee=guarantee), _program(case))
    return other.verdict == "verified" and digests_of(other.followed) == report.digests


def _least(low: Epsilon, high: Epsilon | None) -> str:
    if high is None:
        return "no epsilon is known to be enough"
    if low == high and len(str(high)) <= LONGEST:
        return f"least epsilon {high}"
    ends = decimal_lo(epsilon_bounds(low, BITS)[0]), decimal_hi(epsilon_bounds(high, BITS)[1])
    return f"least epsilon >= {ends[0]} and <= {ends[1]}"


def ideal_digests(case: Case) -> list[str]:
    """Return the digests of the paths on each input of a case with ideal noise, and of its turns."""
    epsilon = None if case.every is None else OPEN
    digests = digests_of(laws_of(_program(case), case.claim().inputs, epsilon=epsilon))
    if not case.any_length:
        return list(digests)
    try:
        return [*digests, digest_of_turns(turns_of(_program(case), epsilon=epsilon)[0])]
    except Unauditable:  # without turns, no claim on lists of any length is verified
        return list(digests)


def _digests(report: IdealReport | EveryReport) -> tuple[str, ...]:
    """Return the digests behind a report: of the paths on each input, and of the turns on lists of any length."""
    turns = () if report.lengths is None else (digest_of_turns(report.lengths),)
    return (*digests_of(report.followed), *turns)


def _need_again(digests: Sequence[str], again: Callable[[], Sequence[str]]) -> None:
    """Return if another process computed the same digests, and perhaps turns beside them.

    Raises: Unauditable otherwise.
    """
    if tuple(again())[: len(digests)] != tuple(digests):
        raise Unauditable(f"{CHANGED}, and no two runs were found that show why")


def every_case(
    case: Case, every: Every, again: Callable[[], Sequence[str]], seeded: Seeded
) -> tuple[Result, EveryReport]:
    """Return the result of a claim about every epsilon of a range, and the report on it.

    `again()` returns the digests that another process computed, and `seeded` says why a generator has a seed.

    Raises: Unauditable with the name of an operation that is not followed; InputError for an epsilon that is no number.
    """
    claim = case.claim()
    guarantee = claim.guarantee
    if guarantee.epsilon.ratio != 1:
        given = f"epsilon {guarantee.epsilon} of a claim for every {every.parameter}"
        raise InputError(given=given, needed="a rational multiple of it", remedy="write PureDP(1)")
    report = decide_every(
        _program(case),
        claim.inputs,
        claim.neighbours,
        factor=guarantee.epsilon.rational,
        delta=guarantee.delta,
        within=_range(every),
    )
    if case.any_length:
        report = on_any_length(report, claim, _program(case), epsilon=OPEN)
    if report.followed:
        _need_again(_digests(report), again)
    if report.verdict != "undecided" and (reason := seeded(report.held)) is not None:
        raise Unauditable(reason)
    notes = [] if report.epsilon is None else [f"refuted at {every.parameter} = {report.epsilon}"]
    return replace(_result(case, report), notes=notes), report


def _program(case: Case) -> Callable[[Any, Any], Any]:
    if case.ideal is None:
        given = f"{case.label}, whose noise is that of the machine"
        raise InputError(given=given, needed="a target with ideal noise", remedy='write noise="ideal"')
    return case.ideal


def ideal_certificate(case: Case, report: IdealReport | EveryReport) -> IdealCertificate | None:
    """Return the certificate of a report; None for one that is undecided."""
    if isinstance(report, IdealReport):
        return certificate_of(report, _stated(case))
    text = "" if case.every is None else case.every.text()
    return certificate_of_every(report, case.claim(), _program(case), _stated(case), every=text)


def _range(every: Every) -> Range:
    return Range(every.low, every.high)


def recheck_ideal(text: bytes, case_of: Callable[[IdealCertificate], Case]) -> Rechecked:
    """Check a certificate against the case with ideal noise that `case_of` returns.

    Raises: Malformed for a text that is no certificate; InputError as `ideal_case`.
    """
    certificate = IdealCertificate.from_text(text)
    try:
        case = case_of(certificate)
        stated = _stated(case)
        every, within = ("", None) if case.every is None else (case.every.text(), _range(case.every))
        about = case.claim(), _program(case), stated
        check_ideal(certificate, *about, every=every, within=within, any_length=case.any_length)
    except (Rejected, Unauditable) as error:
        return Rechecked("rejected", str(error))
    return Rechecked("accepted", verdict=certificate.verdict, sentence=stated.sentence)


def _stated(case: Case) -> Stated:
    case.subject.used["ideal"] = None
    found = case.subject
    return Stated(described(case).claim.sentence, _assumed(case), found.sources(), found.versions())


def _assumed(case: Case) -> list[str]:
    return [ASSUMPTION, *([NUMBERS] if case.any_length else [])]


def ideal_result(case: Case, report: IdealReport) -> Result:
    """Return the result of an audit on ideal noise; for each probability, `worst` has the bound that refutes."""
    lo, hi = report.epsilon
    rounding = None
    if report.verdict == "refuted":
        rounding = by_rounding(case.guarantee, hi, lambda more: holds_ideally(case, more, report))
    return replace(_result(case, report), epsilon=epsilon_ends(lo, hi), notes=list(report.notes), rounding=rounding)


def _result(case: Case, report: IdealReport | EveryReport) -> Result:
    worst = report.worst
    return replace(
        described(case),
        law_source="ideal",
        verdict=report.verdict,
        reason=raised(case, report.reason),
        assumptions=[*_assumed(case), *assumptions_of(report.held, report.left)],
        pairs=report.pairs,
        tail="0/1" if report.pairs else "1/1",
        delta=delta_ends(*report.delta),
        worst=None if worst is None else _worst(worst),
    )


def _worst(seen: Seen) -> SeenEvent:
    p, q = rounded_text(seen.p[0], up=False), rounded_text(seen.q[1], up=True)
    return seen_event(seen.a, seen.b, seen.event, p, q)
