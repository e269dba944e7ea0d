"""Pure claims about outcomes that are floats made of several undecided ones: a search for an impossible outcome.

There is no law of such floats to enumerate. But an outcome that one input can produce, however rarely, and its
neighbour cannot, refutes every claim without a delta. A run shows that the first input can produce it; the certificate
keeps the run's draws. All paths show that the neighbour cannot, with bounds on the results of several undecided floats
(`mechanisms/reach.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import prod

from dpcert.audit.decide import Report, refuted_at
from dpcert.audit.kernel.check import Rejected, claim_of
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.subject import FLOATING, Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.floating.coarse import floats_in
from dpcert.mechanisms.reach import Impossible, never_releases, plain_run, probability_of

RELEASED, DRAWN = "released", "on the draws"
"""The parameters of a claim about one float that is released or not: the float, and draws on which it is."""

OTHER = "any other outcome"
RUNS = 60
"""The number of plain runs on an input that give floats to try."""
TRIED = 6
"""How many floats are tried for a pair of inputs."""
MOST_PAIRS = 2
MARGIN = 1 << 100
"""The draws left out on the other input are rarer than the float's draws by at least this factor."""
SEED = 20250213
NOTE = (
    "refuted by one outcome, which a run on the one input released and no path on the other can: of several undecided "
    "floats in one expression bounds alone are known"
)


@dataclass(slots=True, kw_only=True)
class OneFloat(Subject):
    """A program whose outcome is post-processed to one float, released or not; its laws are known on few inputs.

    Where the draws of `record` release the float on an input, the law gives that outcome the probability of these
    draws, and the rest is tail. Where no path can release it, the law gives the other outcome all mass but a tail of
    rare draws.
    """

    point: float
    record: Record
    known: dict[int, Impossible | None] = field(init=False, default_factory=dict)

    def _found(self, position: int) -> Dist:
        value = self.inputs[position]
        chance = probability_of(self.program, value, self.point, self.record)
        if chance is not None:
            return Dist.of([(self.point, chance)], tail=1 - chance)
        never = self.never(position)
        if never is None:
            raise Unauditable(f"on {show(value)} it may release {self.point!r}, and on other draws than were given")
        self.assumed.update(dict.fromkeys(never.assumptions))
        self.coverage.files |= never.files | FLOATING
        return Dist.of([(OTHER, 1 - never.left)], tail=never.left)

    def hold_to(self, position: int, law: Dist) -> None:
        """Do nothing: `never` has made runs of its own, before the outcomes are post-processed."""

    def never(self, position: int) -> Impossible | None:
        """Return why an input cannot release the float, except on draws much rarer than those of the record."""
        if position not in self.known:
            rare = Fraction(1, prod(bound for bound, _ in self.record)) / MARGIN
            value, most = self.inputs[position], self.limits.max_draws
            self.known[position] = never_releases(self.program, value, self.point, rare=rare, max_draws=most)
        return self.known[position]


def one_float(subject: Subject, point: float, record: Record) -> OneFloat:
    """Return the subject whose outcome is only whether one float is released; the draws of a record release it."""
    draws = ", ".join(f"{number:#x} of {bound:#x}" for bound, number in record)
    return OneFloat(
        name=subject.name,
        program=subject.program,
        inputs=subject.inputs,
        neighbours=subject.neighbours,
        parameters=(*subject.parameters, (RELEASED, point.hex()), (DRAWN, draws)),
        limits=subject.limits,
        stated=subject.stated,
        keeps=True,
        point=point,
        record=record,
    )


def point_of(released: str, draws: str, verdict: str) -> tuple[float, Record]:
    """Return the float and the draws in a certificate's parameters, for a verdict about them.

    Raises: Rejected for other texts, and for a verdict that does not carry over to the outcomes themselves.
    """
    if verdict != "refuted":
        raise Rejected(f"a claim about one float that is {RELEASED!r} can only be refuted")
    try:
        point = float.fromhex(released)
        pairs = [tuple(int(number, 16) for number in part.split(" of ")) for part in draws.split(", ")]
        record = tuple((bound, number) for number, bound in pairs)
    except (ValueError, OverflowError):
        raise Rejected(f"the parameters {RELEASED!r} and {DRAWN!r} are no float and draws") from None
    if not all(0 <= number < bound for bound, number in record):
        raise Rejected(f"a draw of {DRAWN!r} is not below its bound")
    return point, record


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
                possible = found.never(b) is None
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
