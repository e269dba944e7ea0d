"""Pure claims about outcomes that are floats made of several undecided ones: a search for an impossible outcome.

There is no law of such floats to enumerate. But an outcome that one input can produce, however rarely, and its
neighbour cannot, refutes every claim without a delta. A run shows that the first input can produce it; the certificate
keeps the run's draws. All paths show that the neighbour cannot, with bounds on the results of several undecided floats
(`reading/paths/reach.py`).
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from dpcert.audit.decide import Report, refuted_at
from dpcert.audit.kernel.check import claim_of
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.one_float import one_float
from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.reading.floats.coarse import floats_in
from dpcert.reading.paths.reach import plain_run

RUNS = 60
"""The number of plain runs on an input that give floats to try."""
TRIED = 6
"""How many floats are tried for a pair of inputs."""
MOST_PAIRS = 2
SEED = 20250213
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
    for a, b in islice(claim_of(subject, guarantee).pairs(), MOST_PAIRS):
        for point, record in _candidates(subject, a):
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


def _candidates(subject: Subject, position: int) -> Iterator[tuple[float, Record]]:
    """Yield floats that runs on an input release, with their draws; those with the lowest bits come first."""
    found: dict[float, Record] = {}
    for run in range(RUNS):
        try:
            outcome, record = plain_run(subject.program, subject.inputs[position], seed=SEED + run)
        except Unauditable:
            continue
        for point in floats_in(outcome):
            found.setdefault(point, record)
    nonzero = sorted((point for point in found if point), key=lambda point: Fraction(point).denominator, reverse=True)
    for point in nonzero[:TRIED]:
        yield point, found[point]
