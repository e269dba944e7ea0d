"""Claims about outcomes that are floats, of which there are too many to list: a search for a refutation.

The audit decides a post-processing of the mechanism: which of a few floats the outcome is, or which gap between them it
is in. The law of the post-processing is exact, and a refutation of it refutes the mechanism. The floats are outcomes of
plain runs. A few runs find a float that one input can produce and its neighbour cannot (Mironov 2012).

Where one float is made of several undecided ones, there is no law to enumerate. But an outcome that one input can
produce, however rarely, and its neighbour cannot, refutes every claim without a delta. A run shows that the first input
can produce it; the certificate keeps the run's draws. All paths show that the neighbour cannot, with bounds on the
results of several undecided floats (`reading/paths/reach.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from dpcert.audit.certificates import EMPTY, OF_FUNCTION
from dpcert.audit.decide import Report, refuted_at
from dpcert.audit.kernel.check import Rejected, claim_of
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Undecided
from dpcert.audit.measure import violating_event
from dpcert.audit.one_float import DRAWN, RELEASED, one_float, point_of
from dpcert.audit.subject import Subject
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.reading.floats.coarse import floats_in, seen_by
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.reach import plain_run
from dpcert.reading.paths.slow import NOT_MERGED, PLAINLY

RUNS = 60
"""The number of plain runs on an input that give floats to try."""
TRIED = 6
"""How many floats are tried for a pair of inputs."""
FEW_PAIRS = 2
FIRST_SEED = 20250213
NOTE = (
    "refuted by one outcome, which a run on the one input released and no path on the other can: of several undecided "
    "floats in one expression bounds alone are known"
)


def refuted_by_support(subject: Subject, guarantee: ApproxDP, *, keep_laws: bool = False) -> Report | str | None:
    """Return a report that refutes by a float impossible on one input; else why none was found, if known.

    With a delta in the guarantee an outcome this rare refutes nothing, and None is returned.
    """
    if guarantee.delta != 0:
        return None
    reason: str | None = None
    for a, b in islice(claim_of(subject, guarantee).pairs(), FEW_PAIRS):
        for point, record in _likely(subject, a):
            try:
                found = one_float(subject, point, record)
                possible = found.never(found.inputs[b]) is None
                report = None if possible else refuted_at(found, guarantee, (a, b), keep_laws=keep_laws)
            except Unauditable as error:
                reason = str(error)
                break
            if report is not None:
                return replace(report, notes=(NOTE, *report.notes))
    return reason


def _likely(subject: Subject, position: int) -> Iterator[tuple[float, Record]]:
    """Yield floats that runs on an input release, with their draws; those with the lowest bits come first."""
    found: dict[float, Record] = {}
    for run in range(RUNS):
        try:
            outcome, record = plain_run(subject.program, subject.inputs[position], seed=FIRST_SEED + run)
        except Unauditable:
            continue
        for point in floats_in(outcome):
            found.setdefault(point, record)
    nonzero = sorted((point for point in found if point), key=lambda point: Fraction(point).denominator, reverse=True)
    for point in nonzero[:TRIED]:
        yield point, found[point]


POINTS = "told apart"
"""The parameter of a claim about a post-processing: the floats that it tells apart, in hexadecimal."""

SEEN = (POINTS, RELEASED, DRAWN)
"""The parameters of a claim that say how outcomes are post-processed; no mechanism has parameters of these names.
"""

NEEDED = "needed as a plain float", "is needed as a plain number"
PLACE = re.compile(r"\((line [^()]*)\)$")
"""How a reason of the machine ends, with its place."""
OPEN = (
    "outcomes are floats, too many to list: this can be refuted and never verified, and no few floats or gaps between "
    "them that were tried break the bound; release a rounded outcome, or sample it with --sampling"
)
INTEGERS = "draw in integers, or sample it with --sampling"
UNFOLLOWED = (
    "a random() is needed as a plain float{}, as where two of them meet in one expression, and there are too many to "
    f"list; {INTEGERS}"
)
DRAWS = (12, 40)
"""The number of plain runs on each input of a pair that give the floats, for each round of the search."""
MOST_PAIRS = 12
MOST_TAIL = Fraction(1, 1 << 40)
SEED = 20121017


def search_floats(report: Report, subject: Subject, guarantee: ApproxDP, *, keep_laws: bool = False) -> Report:
    """Return the report of `decide` on a claim; where floats among the outcomes leave it open, search for a refutation.

    Claims: the search never verifies; the kernel has confirmed each of its refutations on the post-processing.
    """
    open_ = isinstance(report.verdict, Undecided) and not report.verdict.reason.startswith(EMPTY)
    open_ = open_ and subject.law_source == "program" and not subject.eager
    if not open_ or subject.observes != "outcome" or not any(each in note for note in subject.notes for each in NEEDED):
        return report
    unfollowed = _unfollowed(report)
    try:
        found = _search(subject, guarantee, keep_laws)
    except Unauditable:
        return _by_support(subject, guarantee, unfollowed, keep_laws)
    if found is not None:
        return found
    released = any(_drawn(subject, pair, DRAWS[0]) for pair in _pairs(subject, guarantee))
    return replace(report, verdict=Undecided(report.claim, OPEN)) if released else unfollowed


def _unfollowed(report: Report) -> Report:
    """Return an undecided report with the reason of the machine, where it refused the program, in place of its note."""
    refused = [note for note in report.notes if note.startswith(NOT_MERGED)]
    reason = "".join(refused[:1]).removeprefix(NOT_MERGED)
    if not reason or any(each in reason for each in NEEDED):
        place = PLACE.search(reason)
        return replace(report, verdict=Undecided(report.claim, UNFOLLOWED.format(f", at {place[1]}" if place else "")))
    step = ", or" if "; " in reason else f"; {PLAINLY}, or"
    notes = tuple(note for note in report.notes if note not in refused)
    return replace(report, verdict=Undecided(report.claim, f"{reason}{step} {INTEGERS}"), notes=notes)


def _by_support(subject: Subject, guarantee: ApproxDP, report: Report, keep_laws: bool) -> Report:
    """Return a report that refutes by an impossible outcome, where one expression has several undecided floats."""
    found = refuted_by_support(subject, guarantee, keep_laws=keep_laws)
    if isinstance(found, str):
        return replace(report, notes=(*report.notes, f"whether an outcome is impossible is not known: {found}"))
    return found or report


def seen_subject(subject: Subject, points: Sequence[float]) -> Subject:
    """Return the subject whose program releases the point that an outcome equals, or the gap that it is in."""
    text = ", ".join(point.hex() for point in points)
    parameters = (*subject.parameters, (POINTS, text))
    program = seen_by(subject.program, points)
    return replace(subject, program=program, plain=None, parameters=parameters, notes={})


def points_of(text: str, verdict: str) -> tuple[float, ...]:
    """Return the points in a certificate's parameter, for a verdict on the post-processing by these points.

    Raises: Rejected for any other text, and for a verdict that does not carry over to the outcomes themselves.
    """
    if verdict != "refuted":
        raise Rejected(f"a claim about {POINTS!r} is about a function of the outcomes, and can only be refuted")
    try:
        return tuple(float.fromhex(part) for part in text.split(", "))
    except (ValueError, OverflowError):
        raise Rejected(f"the parameter {POINTS!r} is no list of floats") from None


def seen_as_certified(subject: Subject, seen: Mapping[str, str], verdict: str) -> Subject:
    """Return the subject that a certificate is about; its parameters in `SEEN` say how outcomes are post-processed.

    Raises: Rejected for parameters of no such subject, and for a verdict that does not carry over to the outcomes.
    """
    if not seen:
        return subject
    if seen.keys() == {POINTS}:
        return seen_subject(subject, points_of(seen[POINTS], verdict))
    if seen.keys() == {RELEASED, DRAWN}:
        return one_float(subject, *point_of(seen[RELEASED], seen[DRAWN], verdict))
    raise Rejected(f"parameters {', '.join(map(repr, seen))} together say nothing")


def _search(subject: Subject, guarantee: ApproxDP, keep_laws: bool) -> Report | None:
    for draws in DRAWS:
        for pair in _pairs(subject, guarantee):
            for points in _candidates(subject, guarantee, pair, draws):
                report = refuted_at(seen_subject(subject, points), guarantee, pair, keep_laws=keep_laws)
                if report is not None:
                    what = "one float" if len(points) == 1 else f"{len(points)} floats"
                    note = f"{OF_FUNCTION}, which tells {what} apart from all others"
                    return replace(report, notes=(note, *report.notes))
    return None


def _pairs(subject: Subject, guarantee: ApproxDP) -> Iterator[tuple[int, int]]:
    return islice(claim_of(subject, guarantee).pairs(), MOST_PAIRS)


def _drawn(subject: Subject, pair: tuple[int, int], draws: int) -> tuple[float, ...]:
    """Return the floats in the outcomes of a few plain runs on the inputs of a pair, in order."""
    found = {
        point for position in pair for seed in range(draws) for point in floats_in(_run(subject, position, SEED + seed))
    }
    return tuple(sorted(found))


def _candidates(
    subject: Subject, guarantee: ApproxDP, pair: tuple[int, int], draws: int
) -> Iterator[tuple[float, ...]]:
    """Yield floats whose post-processing seems to violate the guarantee at a pair."""
    points = _drawn(subject, pair, draws)
    if not points:
        return
    p, q = (_law(subject, position, points) for position in pair)
    if max(p.tail, q.tail) > MOST_TAIL:
        raise Unauditable("outcomes are not followed, even where a few floats are told apart")
    there = {name for name, _, _ in q.weights()}
    impossible = [
        (weight, outcome)
        for name, outcome, weight in p.weights()
        if type(outcome) is float and weight > guarantee.delta * p.denominator and name not in there
    ]
    if impossible:
        yield (max(impossible)[1],)
    names = set(violating_event(p, q, guarantee.epsilon, guarantee.delta) or ())
    event = [outcome for name, outcome, _ in p.weights() if name in names]
    if event:
        yield tuple(sorted({point for outcome in event for point in floats_in(outcome)})) or points


def _run(subject: Subject, position: int, seed: int) -> object:
    """Return the outcome of a plain run, None where it raised."""
    try:
        outcome: object = subject.program(fresh(subject.inputs[position]), seeded_coins(seed))
    except Exception:
        return None
    return outcome


def _law(subject: Subject, position: int, points: tuple[float, ...]) -> Dist:
    program = seen_by(subject.program, points)
    return enumerate_law(program, subject.inputs[position], limits=subject.limits, replay=False).law
