"""A plan: a search in a child process proposes, and audits in others confirm it, each within the time limit."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.planning.families import budget_of
from dpcert.planning.proposal import PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question
from dpcert.run.progress import Progress
from dpcert.run.single import Invocation, audit_one
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import Propose
from dpcert.worker.result import Result
from dpcert.worker.troubles import Trouble


class NotBorneOut(DpcertError):
    """The search proposed an answer, and its audit did not verify it. `remedy` says what to do."""

    remedy = "raise --time-limit, or ask for less with --set"


@dataclass(frozen=True, slots=True)
class Beyond:
    """The audit of parameters that are better than the answer. A refutation shows that the answer is the best."""

    parameters: Mapping[str, str]
    verdict: str
    reason: str | None
    certificate: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer to a question: the proposal, and the results of its audits.

    `delta` bounds the least delta of the answer at its epsilon, and `epsilon` the least epsilon at its delta, as texts;
    both are None where no part or several parts were audited. `points` has the certificate of each point of a frontier.
    """

    question: Question
    budget: Budget
    proposal: Proposal
    delta: tuple[Fraction, Fraction] | None = None
    epsilon: tuple[str, str | None] | None = None
    certificates: tuple[str, ...] = ()
    beyond: tuple[Beyond, ...] = ()
    points: tuple[str | None, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the proposal; SEARCH where an audit of better parameters did not refute them."""
        return self.proposal.kind if all(one.verdict == "refuted" for one in self.beyond) else "search"

    def as_json(self) -> dict[str, Any]:
        """Return the plan in the form of `dpcert plan --json`."""
        proposal = self.proposal
        achieved: dict[str, Any] | None = None
        if self.delta is not None:
            achieved = {"delta": {"lo": ratio_text(self.delta[0]), "hi": ratio_text(self.delta[1])}}
            if self.epsilon is not None:
                achieved["epsilon"] = {"lo": self.epsilon[0], "hi": self.epsilon[1]}
        data: dict[str, Any] = {
            "schema": "dpcert.plan/1",
            "mechanism": self.question.mechanism,
            "budget": {
                "epsilon": str(self.budget.epsilon),
                "delta": ratio_text(self.budget.delta),
                "neighbours": self.budget.neighbours,
            },
            "answer": None if proposal.answer is None else dict(proposal.answer),
            "achieved": achieved,
            "paper": None if proposal.paper is None else dict(proposal.paper),
            "certificate": self.certificates[0] if self.certificates else None,
            "certificates": list(self.certificates),
            "kind": self.kind,
            "why": proposal.why,
            "beyond": [asdict(one) for one in self.beyond],
            "notes": list(proposal.notes),
        }
        if self.question.against is not None:
            data["against"] = {"source": proposal.source, "bought": list(proposal.bought)}
        if proposal.utility is not None:
            data["utility"] = dict(proposal.utility)
        if proposal.frontier is not None:
            rows = zip(proposal.frontier, self.points, strict=True)
            data["frontier"] = [{**point.parameters, "certificate": path} for point, path in rows]
            for row in data["frontier"]:
                row |= {"threshold": int(row["threshold"])} if "threshold" in row else {}
        return data


def plan(
    mechanism: str,
    *,
    epsilon: object,
    neighbours: str,
    delta: object = None,
    settings: Mapping[str, object] | None = None,
    frontier: bool = False,
    against: str | None = None,
    frequencies: str | Path | None = None,
    certificates: str | Path | None = None,
    time_limit: float = 30.0,
) -> Plan:
    """Return the best parameters of a mechanism within a budget, as `dpcert plan` finds and confirms them.

    `settings` fix some parameters, by texts or numbers; the plan chooses the others. `frequencies` is a CSV or Parquet
    file. The search and each audit have a process and `time_limit` seconds of processor time of their own.
    `dpcert.release` takes the answer as its plan.

    Raises: InputError for an invalid question; TimedOut, ChildEnded or ChildFailed where the search did not end;
            NotBorneOut where the kernel does not verify the answer.
    """
    question = Question(
        mechanism,
        epsilon if isinstance(epsilon, str) else str(Epsilon.of(epsilon)),
        delta if delta is None or isinstance(delta, str) else ratio_text(exact(delta, "delta")),
        neighbours,
        {name: str(value) for name, value in (settings or {}).items()},
        frontier,
        against,
        None if frequencies is None else str(frequencies),
    )
    folder = None if certificates is None else str(Path(certificates).absolute())
    options = Options(law_source="closed-form")
    return plan_for(question, Invocation(options, settings={}, time_limit=time_limit, certificates=folder))


def plan_for(question: Question, run: Invocation) -> Plan:
    """Return the best parameters of a mechanism within a budget.

    Raises: InputError for an invalid question; TimedOut, ChildEnded or ChildFailed where the search did not end;
            NotBorneOut where the kernel does not verify the answer.
    """
    budget = budget_of(question)
    with Progress(2) as progress:
        progress.at("searching")
        proposal = run.ask(Propose(question))
        if proposal.answer is None:
            more = "a greater --epsilon or --delta" if budget.delta else "a greater --epsilon"
            unmet = f"to have an answer, take {more}, or other parameters with --set"
            proposal = replace(proposal, notes=(*proposal.notes, unmet))
        progress.step()
        progress.at("auditing")
        return _borne_out(question, budget, proposal, run)


def _borne_out(question: Question, budget: Budget, proposal: Proposal, run: Invocation) -> Plan:
    """Return the plan of a proposal after its audits.

    Raises: NotBorneOut where an audit does not verify a needed claim; ChildFailed for an error of our own.
    """
    results = [_verified(check, run) for check in proposal.answers]
    written = tuple(result.certificate for result in results if result.certificate)
    points: list[str | None] = []
    for point in proposal.frontier or ():
        wanted = run.certificates is not None and point.check is not None
        points.append(_verified(point.check, run).certificate if wanted and point.check is not None else None)
    delta, epsilon = None, None
    if proposal.delta is not None:
        lo, hi = proposal.delta
        delta = exact(lo, "delta"), exact(hi, "delta")
    elif len(results) == 1:
        bounds, least = results[0].delta, results[0].epsilon
        delta = exact(bounds.lo, "delta"), exact(bounds.hi, "delta")
        epsilon = least.lo, least.hi
    return Plan(
        question,
        budget,
        proposal,
        delta=delta,
        epsilon=epsilon,
        certificates=written,
        beyond=tuple(_beyond(check, run) for check in proposal.beyond),
        points=tuple(points),
    )


def _audited(check: PlannedAudit, run: Invocation) -> Result:
    own = replace(run.options, epsilon=check.epsilon, delta=check.delta, neighbours=check.neighbours)
    spec = CatalogueSpec(check.name, dict(check.settings))
    outcome = audit_one(check.name, spec, replace(run, options=own)).answer
    if isinstance(outcome, Trouble):
        raise outcome.error()
    return outcome.result


def _verified(check: PlannedAudit, run: Invocation) -> Result:
    result = _audited(check, run)
    if result.verdict != "verified":
        raise _not_borne_out(result)
    return result


def _not_borne_out(result: Result) -> NotBorneOut:
    sentence, worst = result.claim.sentence, result.worst
    if result.verdict != "refuted" or worst is None:
        return NotBorneOut(f"{sentence}: {result.verdict}: {result.reason}")
    p, q = (decimal_hi(exact(text, "p")) for text in (worst.p, worst.q))
    error = NotBorneOut(f"{sentence}: refuted: on {worst.a} an event has probability {p}, on {worst.b} {q}")
    error.remedy = "do not use these parameters; report this line to dpcert, as no search should propose them"
    return error


def _beyond(check: PlannedAudit, run: Invocation) -> Beyond:
    result = _audited(check, run)
    return Beyond(check.settings, result.verdict, result.reason, result.certificate)


def plan_lines(plan: Plan) -> list[str]:
    """Return a plan in words, line by line."""
    name, proposal, spent = plan.question.mechanism, plan.proposal, plan.budget.text
    for_whom = f"for {plan.budget.neighbours} neighbours"
    if proposal.answer is None:
        lines = [f"{name}: no parameter meets {spent} {for_whom}"]
        lines.append(f"asked for was {proposal.why}")
    else:
        lines = [f"{name}({_chosen(proposal.answer)}) is {spent}-differentially private {for_whom}, {proposal.scope}"]
        if plan.delta is not None and plan.budget.delta:
            where = f", {proposal.where}" if proposal.where else ""
            lines[0] += f"; its least delta is <= {decimal_hi(plan.delta[1])}{where}"
        lines.append(f"{plan.kind}: {proposal.why}{_refuted(plan)}")
        lines.extend(_others(plan))
    if plan.question.against is not None:
        lines.extend(f"against the paper: {line}" for line in proposal.bought)
    if proposal.utility is not None:
        lines.append("on the file: " + ", ".join(f"{label} = {value}" for label, value in proposal.utility.items()))
    lines.extend(f"note: {line}" for line in proposal.notes)
    for point, path in zip(proposal.frontier or (), plan.points, strict=True):
        lines.append(_point_line(point.parameters) + (f"; {path}" if path else ""))
    lines.extend(f"certificate: {path}" for path in plan.certificates)
    lines.extend(f"certificate: {one.certificate}" for one in plan.beyond if one.certificate)
    return lines


def _chosen(parameters: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in parameters.items())


def _refuted(plan: Plan) -> str:
    if not plan.beyond:
        return ""
    if plan.kind == plan.proposal.kind:
        return "; the next better one is refuted" if all(one.verdict == "refuted" for one in plan.beyond) else ""
    reasons = "; ".join(
        f"the next better one is {one.verdict}" + (f": {one.reason}" if one.reason else "") for one in plan.beyond
    )
    return f"; {reasons}"


def _others(plan: Plan) -> list[str]:
    source, paper = plan.proposal.source, plan.proposal.paper
    if paper is None:
        return [f"by {source} there is no such parameter"] if plan.question.against and source else []
    return [f"by {source} it would be {_chosen(paper)}"]


def _point_line(parameters: Mapping[str, str]) -> str:
    if set(parameters) == {"threshold", "rate"}:
        return f"threshold {parameters['threshold']}: greatest rate {parameters['rate']}"
    return _chosen(parameters)
