"""One claim: the call that asks for its audit, and the audit in a child process."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.run.accepted import ROUNDING, Accepted
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, FileSpec, Spec
from dpcert.worker.exchange import Reply
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Audit, Audited, Compare, Compared, Describe, FindLaw, Job, LawFound
from dpcert.worker.process import Children
from dpcert.worker.result import BY_ROUNDING, Result
from dpcert.worker.results import sampled
from dpcert.worker.troubles import ChildFailed, TimedOut, Trouble

if TYPE_CHECKING:
    from dpcert.run.lock.lock import Lock

AnswerT = TypeVar("AnswerT")
UNREAD = "not read exactly, so it was sampled: "
"""The beginning of the note that says why samples were drawn."""
AGAIN = "computed a second time: "
"""The beginning of the reason why the laws could not be computed a second time."""
LIMITED = (
    "a tail of at most",
    "a run drew more than",
    "stopped by the time limit",
    "the process ran out of memory",
    "the program does not fit in the time limit",
    "the program ended with MemoryError",
)
"""The beginnings of the reasons of claims that only the limits of an audit leave undecided."""
EQUAL = "tests/mechanisms/test_every_mechanism.py"
"""The test that holds the program of each mechanism to its closed form, at small parameters."""
UNNAMED = re.compile(r"^(it never returns an outcome: |\d+ of the first \d+ runs on ).*\b(?:Name|UnboundLocal)Error\b")
"""The form of the reason for a function that only raises, because nothing defines a name in it."""
SHARE = 0.1
"""The part of the time limit in which program and closed form are compared."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of the command line; `unwritten` collects the names of certificates that could not be written.

    With `laws`, the laws behind each verdict are written beside its certificate; a lock keeps no laws. `rounding` is
    the acceptance of claims that rounding alone refutes.
    """

    options: Options
    settings: dict[str, str]
    time_limit: float
    certificates: str | None = None
    laws: bool = False
    jobs: int = 1
    children: Children = field(default_factory=Children)
    lock: Lock | None = None
    budgets: Mapping[str, float] = field(default_factory=dict)
    accepted: Mapping[str, Accepted] = field(default_factory=dict)
    rounding: bool = False
    unwritten: list[Trouble] = field(default_factory=list)

    def budgeted(self, spec: Spec) -> Invocation:
        """Return the run with the time limit that `budgets` has for a target, by FILE.py:function, FILE.py or name."""
        budgets = [self.budgets[name] for name in _names(spec) if name in self.budgets]
        return replace(self, time_limit=budgets[0]) if budgets else self

    def acceptance(self, spec: Spec, result: Result) -> Accepted | None:
        """Return the project's acceptance of a target, by the same names, or of a refutation by rounding; else None."""
        of_all = ROUNDING if self.rounding and result.kind == BY_ROUNDING else None
        return next((self.accepted[name] for name in _names(spec) if name in self.accepted), of_all)

    def ask(self, job: Job[AnswerT]) -> AnswerT:
        """Run a job in a child process within the time limit and return its answer."""
        return self.children.reply(job, timeout=self.time_limit).delivered()

    def recorded(self, job: Job[AnswerT]) -> Reply[AnswerT]:
        """Run a job as `ask` does, and return its reply, which records the files that the job read."""
        return self.children.reply(job, timeout=self.time_limit, recording=True)


def _names(spec: Spec) -> list[str]:
    return [spec.label, spec.path] if isinstance(spec, FileSpec) else [spec.name]


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The answer about one claim, and the seconds by the clock that it took."""

    label: str
    spec: Spec
    answer: Audited | Trouble
    seconds: float


def audit_one(label: str, spec: Spec, run: Invocation, *, answer: Audited | Failure | None = None) -> TimedAnswer:
    """Audit one claim in a child process; a child that fails or is stopped leaves an undecided result.

    With `closed_forms`, a mechanism that ships is audited by its closed form where the limits leave it undecided. An
    undecided program that takes no coins is sampled in another child process, unless `exact` forbids it. With an
    `answer`, from a child process that ended already, no process runs for the first audit.
    """
    begin, limited = time.monotonic(), run.budgeted(spec)
    job = Audit(spec, run.options, run.certificates, run.laws)
    try:
        if answer is None and run.lock is not None and not run.options.sampling:
            answer = run.lock.audited(job, limited.recorded, label)
        elif answer is None:
            answer = run.children.reply(job, timeout=limited.time_limit).delivered()
    except DpcertError as error:
        answer = Failure.of(error)  # in the form in which a process of several claims reports the failure of one
    found, unread = _settled(label, spec, run, answer)
    if run.options.closed_forms and isinstance(spec, CatalogueSpec) and isinstance(found, Audited) and _limited(found):
        found = _by_closed_form(label, spec, run, found)
    elif unread is not None and not (run.options.exact or run.options.sampling):
        sampling = replace(run, options=replace(run.options, sampling=True))
        found = audit_one(label, spec, sampling).answer
        found = _noted(found, f"{UNREAD}{unread}") if isinstance(found, Audited) else found
    return TimedAnswer(label, spec, found, time.monotonic() - begin)


def _noted(found: Audited, note: str) -> Audited:
    return replace(found, result=replace(found.result, notes=[note, *found.result.notes]))


def _undecided(found: Audited) -> bool:
    return found.result.verdict == "undecided" and found.result.method == "exact"


def _limited(found: Audited) -> bool:
    """Whether the limits alone leave a claim undecided: a tail, the time, or the memory."""
    reason = found.result.reason if _undecided(found) else None
    return reason is not None and reason.removeprefix(AGAIN).startswith(LIMITED)


def _by_closed_form(label: str, spec: CatalogueSpec, run: Invocation, found: Audited) -> Audited:
    """Return the audit by a mechanism's closed form, if it has one that decides the claim, else the audit `found`.

    A closed form that differs from the program on one of the smallest inputs decides nothing.
    """
    closed, compared = _compared(spec, run)
    if compared is None:
        return found
    if compared.differs is not None:
        differs = f"on {compared.differs} its law is not the program's"
        return _noted(found, f"nothing is taken from the closed form: {differs}")
    other = audit_one(label, spec, replace(run, options=closed)).answer
    if not isinstance(other, Audited) or _undecided(other):
        reason = other.result.reason if isinstance(other, Audited) else other.given
        return _noted(found, f"by the closed form it is undecided, too: {reason}")
    why = f"the program is undecided within the limits ({found.result.reason})"
    return _noted(other, f"by the closed form, since {why}; {_held(compared)}")


def _compared(spec: CatalogueSpec, run: Invocation) -> tuple[Options, Compared | None]:
    """Return the options that take laws from the closed form, and its comparison on small inputs; None without one."""
    closed = replace(run.options, law_source="closed-form", closed_forms=False)
    try:
        reply = run.children.reply(Compare(spec, closed), timeout=run.budgeted(spec).time_limit * SHARE)
        return closed, reply.delivered()
    except InputError:  # there is none
        return closed, None
    except DpcertError:  # there was no time, or the audit that follows reports the same error
        return closed, Compared(0)


def _held(compared: Compared) -> str:
    here = f"on {compared.words} they are equal here, too" if compared.inputs else "on these inputs none was compared"
    return f"{EQUAL} holds both equal at small parameters, and {here}"


def law_by(spec: Spec, value: Any, run: Invocation) -> LawFound:
    """Return the law on one input, computed in a child process.

    As in audits, a mechanism that ships and does not fit in the limits has the law of its closed form, and a note says
    so.

    Raises: the errors of `Invocation.ask`, where no closed form helps.
    """
    found: LawFound | None = None
    try:
        found = run.ask(FindLaw(spec, run.options, value))
        why = f"a tail of {found.tail} is left"
    except (TimedOut, Unauditable) as error:
        why, failed = str(error), error
    limited = why.startswith(LIMITED) if found is None else found.tail != "0/1"
    if run.options.closed_forms and isinstance(spec, CatalogueSpec) and limited:
        closed, compared = _compared(spec, run)
        if compared is not None and compared.differs is None:
            other = run.ask(FindLaw(spec, closed, value))
            note = f"by the closed form, since the program does not fit in the limits ({why}); {_held(compared)}"
            return replace(other, notes=[note, *other.notes])
    if found is None:
        raise failed
    return found


def _settled(
    label: str, spec: Spec, run: Invocation, answer: Audited | Failure
) -> tuple[Audited | Trouble, str | None]:
    """Return the result of an answer, and why the program could not be read, if it may be sampled instead.

    Most failures are undecided results; bad input and an error of our own are troubles.
    """
    built_in = isinstance(spec, CatalogueSpec)
    reason = answer.message if isinstance(answer, Failure) else answer.result.reason or ""
    if UNNAMED.search(reason):
        given = f"{label}: {reason.partition('; ')[0]}"
        return Trouble(given, "a function whose names are defined", "define the name, or mend it", 2), None
    match answer:
        case Audited():
            if answer.unwritten is not None:
                run.unwritten.append(answer.unwritten)
            return replace(answer, result=replace(answer.result, target=label)), answer.unread
        case Failure("input"):
            named = isinstance(spec, CatalogueSpec) or spec.path in answer.given
            given = answer.given if named else f"{label}: {answer.given}"
            return Trouble(given, answer.needed, answer.remedy, 2), None
        case Failure("ended") if built_in and answer.status >= 0:  # a built-in does not end its process
            return Trouble.of(ChildFailed(reason)), None
        case Failure("failed"):
            return Trouble.of(answer.error()), None
    job = Describe(spec, run.options)
    try:
        if built_in:
            from dpcert.worker.auditing import describe  # the auditor comes with it

            description = describe(job)
        else:
            description = run.ask(job)
    except DpcertError as error:
        return Trouble.of(error), None
    result = replace(description.result, target=label, reason=reason)
    found = Audited(sampled(result) if run.options.sampling else result, description.expect)
    return found, reason if description.coinless else None
