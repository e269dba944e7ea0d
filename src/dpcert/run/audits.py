"""Audits as the command line runs them: each target has a child process, and a failure of one stops no other."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.mechanisms.forms import lenient_json
from dpcert.run.accepted import Accepted
from dpcert.run.batches import auditing
from dpcert.run.progress import Progress
from dpcert.run.single import Invocation, law_by
from dpcert.targets.named import built_in_specs, python_files, split_target
from dpcert.targets.spec import Spec
from dpcert.worker.jobs import Audited, LawFound, ListTargets, Recheck
from dpcert.worker.process import Children
from dpcert.worker.result import Result
from dpcert.worker.troubles import ChildEnded, TimedOut, Trouble

NAMES = 10
"""The most names that an error lists."""


@dataclass(slots=True)
class Outcome:
    """All results and troubles of a run. The lists `expected` to `accepted` have one element for each result.

    `left` is the number of claims that a run did not audit because it ended early.
    """

    results: list[Result] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    specs: list[Spec] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    accepted: list[str | None] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    left: int = 0

    def add(self, audited: Audited, spec: Spec, seconds: float, accepted: Accepted | None = None) -> None:
        """Add the result of a claim, its spec, its seconds, and the project's acceptance of it, if any."""
        holds = accepted is not None and accepted.holds and audited.result.verdict != "verified"
        self.accepted.append(accepted.words() if accepted is not None and holds else None)
        self.results.append(audited.result)
        self.expected.append(audited.expect)
        self.specs.append(spec)
        self.seconds.append(seconds)

    def status(self, *, expect: bool) -> int:
        """Return the exit status, with precedence 70, 2, 1, 3, 0."""
        statuses = {trouble.status for trouble in self.troubles}
        for result, declared, accepted in zip(self.results, self.expected, self.accepted, strict=True):
            verdict = result.verdict
            if accepted is None and not (expect and verdict == declared):
                own = {"verified": 0, "refuted": 1, "undecided": 3}[verdict]
                statuses.add(1 if expect and verdict == "verified" else own)
        return next((status for status in (70, 2, 1, 3) if status in statuses), 0)


def specs_of(target: str, run: Invocation, outcome: Outcome) -> Iterator[tuple[str, Spec]]:
    """Yield (label, spec) for every claim that a target's text means; troubles go into `outcome`."""
    path, function, name = split_target(target)
    if path is None:
        for spec in built_in_specs(name, run.settings):
            yield spec.name, spec
        return
    if not os.path.exists(path):
        raise InputError(given=f"{path}: no such file or folder", needed="a target", remedy="see dpcert audit --help")
    folder = path.is_dir()
    nothing = True
    files = python_files(path) if folder else [path]
    here = {str(file.resolve()) for file in files}
    for file in files:
        job = ListTargets(str(file.resolve()), function, run.settings)
        try:
            listing = run.ask(job) if run.lock is None else run.lock.listed(job, run.recorded)
        except InputError as error:
            if folder and error.needed.startswith("at least one function"):
                continue
            nothing = False
            outcome.troubles.append(Trouble.of(error))
            continue
        except (ChildEnded, TimedOut, Unauditable) as error:
            nothing = False
            given = f"{file} does not import: {error}"
            outcome.troubles.append(Trouble(given, "a file that Python can run", f"try python {file}", 2))
            continue
        nothing = False
        if listing.skipped is not None:
            outcome.skipped.append((str(file), listing.skipped))
        outcome.troubles += [Trouble.of(lost.error(str(file))) for lost in listing.lost]
        for listed in listing.specs:
            if listing.imported.get(listed.function) in here:  # the file that makes it lists it
                continue
            yield f"{file}:{listed.function}", listed
    if nothing:
        needed = "at least one function decorated with @dpcert.target in its files"
        raise InputError(given=f"folder {path}", needed=needed, remedy="decorate one, or name another folder")


def claims_of(
    targets: Iterable[str],
    run: Invocation,
    outcome: Outcome,
    unchanged: Callable[[Spec], str | None] = lambda spec: None,
) -> Iterator[tuple[str, Spec]]:
    """Yield the claims that targets mean, each with its label.

    Troubles, and the claims for which `unchanged` returns a reason, go into `outcome` instead.
    """
    with Progress(1) as progress:
        for target in targets:
            progress.at(target)
            try:
                for label, spec in specs_of(target, run, outcome):
                    reason = unchanged(spec)
                    if reason is None:
                        yield label, spec
                    else:
                        outcome.skipped.append((label, reason))
            except DpcertError as error:
                outcome.troubles.append(Trouble.of(error))


def audit_all(
    claims: Iterable[tuple[str, Spec]],
    run: Invocation,
    outcome: Outcome,
    *,
    on_result: Callable[[Audited, Spec], None] = lambda audited, spec: None,
    enough: Callable[[Outcome], bool] = lambda outcome: False,
) -> None:
    """Audit claims, `run.jobs` at a time; add each result to `outcome`, in order, and hand it to `on_result` at once.

    The fork servers of these audits also run the jobs by which `claims_of` lists the claims. The run ends when its
    outcome is `enough`. A lock that cannot be written is trouble at the end.
    """
    with run.children.forking(certifies=run.certificates is not None):
        specs = list(claims)
        outcome.left = len(specs)
        try:
            with Progress(len(specs)) as progress, auditing(specs, run) as coming:
                for label, future in coming:
                    progress.at(label)
                    found = future.result()
                    for timed in found if isinstance(found, list) else [found]:
                        progress.at(timed.label)
                        progress.step()
                        if isinstance(timed.answer, Trouble):
                            outcome.troubles.append(timed.answer)
                        else:
                            with progress.paused():
                                on_result(timed.answer, timed.spec)
                            accepted = run.acceptance(timed.spec, timed.answer.result)
                            outcome.add(timed.answer, timed.spec, timed.seconds, accepted)
                        outcome.left -= 1
                        if enough(outcome):
                            return
        finally:
            if run.lock is not None:
                try:
                    run.lock.save()
                except InputError as error:
                    outcome.troubles.append(Trouble.of(error))
            outcome.troubles += dict.fromkeys(run.unwritten)


def law_of(target: str, text: str, run: Invocation) -> LawFound:
    """Return the law of a target on one input, computed in a child process.

    Raises: InputError for an input that is no JSON or means no value, and for a target that means several claims.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            given=f"--input {text}", needed=f"JSON ({error})", remedy="write 3, [0, 1] or '\"a\"'"
        ) from None
    lenient_json(value)  # refuses a value that is nested too deep for a job
    outcome = Outcome()
    specs = list(specs_of(target, run, outcome))
    if outcome.troubles:
        raise outcome.troubles[0].error()
    if outcome.skipped:
        raise InputError(given=f"{target}", needed="its extra installed", remedy=outcome.skipped[0][1])
    if len(specs) != 1:
        names = sorted({label for label, _ in specs})
        some = ", ".join(names[:NAMES]) + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")
        remedy = f"name one of {some}" if len(names) > 1 else "choose values of its params with --set"
        raise InputError(given=f"target {target}", needed="one claim", remedy=remedy)
    return law_by(specs[0][1], value, run)


def recheck_one(
    certificate: str, target: str | None, time_limit: float, limits: Mapping[str, Any]
) -> tuple[int, dict[str, Any]]:
    """Re-check a certificate in a child process, within limits; return the exit status and the answer as JSON data."""
    path, function, name = split_target(target) if target is not None else (None, None, "")
    if target is not None and path is None:
        raise InputError(given=f"--target {name}", needed="FILE.py:function", remedy="leave it out for a built-in")
    file = None if path is None else str(path.resolve())
    job = Recheck(str(Path(certificate).resolve()), file, function, dict(limits))
    try:
        answer = Children().reply(job, timeout=time_limit).delivered()
    except (TimedOut, ChildEnded, Unauditable) as error:
        return 3, {"accepted": False, "reason": str(error), "line": f"undecided: {error}"}
    if answer.kind != "accepted":
        status = {"rejected": 1, "malformed": 2}[answer.kind]
        return status, {"accepted": False, "reason": answer.reason, "line": f"{answer.kind}: {answer.reason}"}
    line = f"accepted: {answer.verdict}: {answer.sentence}"
    return 0, {"accepted": True, "verdict": answer.verdict, "sentence": answer.sentence, "line": line}
