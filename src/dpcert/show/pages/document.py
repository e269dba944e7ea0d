"""The data of a report: the results of a run, each with the declared verdict, its picture and its source."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, one_line
from dpcert.run.audits import Outcome
from dpcert.run.progress import Progress
from dpcert.run.single import Invocation
from dpcert.show.place import Source, source_of
from dpcert.targets.spec import Spec
from dpcert.worker.codec import encode
from dpcert.worker.jobs import Draw, Missing, Picture
from dpcert.worker.result import VERDICTS, Result, Verdict, result_json

SCHEMA, AUDIT = "dpcert.report/1", "dpcert.audit/1"


@dataclass(frozen=True, slots=True)
class Reported:
    """A result, with the verdict that its target declares, its picture, and the text of its function."""

    result: Result
    expected: Verdict | None = None
    picture: Picture | None = None
    source: Source | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON data: its own fields, and those of the others that are not None."""
        beside = {"expected": self.expected, "picture": encode(self.picture), "source": encode(self.source)}
        return result_json(self.result) | {name: part for name, part in beside.items() if part is not None}


@dataclass(frozen=True, slots=True)
class Document:
    """All that a report shows of a run: results, skipped targets, {"target", "reason"}, and errors."""

    results: list[Reported]
    skipped: list[dict[str, str]]
    errors: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        verdicts = [row.result.verdict for row in self.results]
        return {
            "schema": SCHEMA,
            "results": [row.as_json() for row in self.results],
            **{verdict: verdicts.count(verdict) for verdict in VERDICTS},
            "skipped": self.skipped,
            "errors": self.errors,
        }


def document_of(outcome: Outcome, run: Invocation, root: Path) -> Document:
    """Return the document of a run, with pictures; sources are named from `root`, their repository."""
    pictures = _pictures(outcome.results, outcome.specs, run)
    rows = zip(outcome.results, outcome.expected, pictures, outcome.specs, strict=True)
    return Document(
        [Reported(result, declared, picture, source_of(spec, root)) for result, declared, picture, spec in rows],
        [{"target": name, "reason": reason} for name, reason in outcome.skipped],
        [trouble.as_json() for trouble in outcome.troubles],
    )


def _pictures(results: Sequence[Result], specs: Sequence[Spec], run: Invocation) -> list[Picture]:
    """Return the pictures of results, computed in child processes, `run.jobs` at a time.

    Where that fails, or takes longer than the run's time limit, the picture says why.
    """
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(run.jobs))
        progress = stack.enter_context(Progress(len(results)))
        futures = [pool.submit(_picture, result, spec, run) for result, spec in zip(results, specs, strict=True)]
        pictures = []
        try:
            for result, future in zip(results, futures, strict=True):
                progress.at(result.target)
                pictures.append(future.result())
                progress.step()
        except BaseException:
            # A thread that waits for its child would keep this process until the child's time limit.
            run.children.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return pictures


def _picture(result: Result, spec: Spec, run: Invocation) -> Picture:
    """Return the picture of one result; of one that was sampled there is no more than the result has."""
    refuted = result.verdict == "refuted"
    if result.method == "sampling":
        return Picture(None, Missing("samples give no profile"))
    run = run.budgeted(spec)
    options = replace(run.options, law_source="closed-form") if result.law_source == "closed-form" else run.options
    try:
        return run.ask(Draw(spec, options, result.worst if refuted else None))
    except DpcertError as error:
        reason = Missing(one_line(str(error)))
        return Picture(reason if refuted else None, reason)
