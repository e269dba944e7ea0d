"""What a report is made of, as JSON: results as those of `dpcert audit --json`, each with its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, one_line
from dpcert.run.audits import Outcome
from dpcert.run.progress import Progress
from dpcert.run.single import Invocation
from dpcert.targets.spec import Spec
from dpcert.worker.codec import encode
from dpcert.worker.jobs import Draw

SCHEMA, AUDIT = "dpcert.report/1", "dpcert.audit/1"
VERDICTS = ("verified", "refuted", "undecided")


def document_of(outcome: Outcome) -> dict[str, Any]:
    """Return the document of a run: its results with the verdicts that their targets declare, skips and errors."""
    results = [
        {**result, "expected": declared} for result, declared in zip(outcome.results, outcome.expected, strict=True)
    ]
    return {
        "schema": SCHEMA,
        "results": results,
        **{verdict: sum(result["verdict"] == verdict for result in results) for verdict in VERDICTS},
        "skipped": [{"target": name, "reason": reason} for name, reason in outcome.skipped],
        "errors": [trouble.as_json() for trouble in outcome.troubles],
    }


def with_pictures(results: Sequence[dict[str, Any]], specs: Sequence[Spec], run: Invocation) -> list[dict[str, Any]]:
    """Return results with what can be drawn of them, computed in child processes, `run.jobs` at a time.

    Where that fails, or takes longer than the run's time limit, the picture says why.
    """
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(run.jobs))
        progress = stack.enter_context(Progress(len(results)))
        futures = [pool.submit(_picture, result, spec, run) for result, spec in zip(results, specs, strict=True)]
        found = []
        try:
            for result, future in zip(results, futures, strict=True):
                progress.at(result["target"])
                found.append({**result, "picture": future.result()})
                progress.step()
        except BaseException:
            run.children.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return found


def _picture(result: Mapping[str, Any], spec: Spec, run: Invocation) -> dict[str, Any]:
    """Return the picture of one result; of one that was sampled there is no more than the result has."""
    refuted = result["verdict"] == "refuted"
    if result["method"] == "sampling":
        return {"witness": None, "profile": {"reason": "samples give no profile"}}
    run = run.budgeted(spec)
    options = replace(run.options, law_source="closed-form") if result["law_source"] == "closed-form" else run.options
    try:
        picture: dict[str, Any] = encode(run.ask(Draw(spec, options, result["worst"] if refuted else None)))
        return picture
    except DpcertError as error:
        reason = {"reason": one_line(str(error))}
        return {"witness": reason if refuted else None, "profile": reason}
