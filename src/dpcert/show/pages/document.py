"""The data of a report: results with the declared verdict, picture and source of each, of a run or read from a file."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.run.audits import Outcome
from dpcert.run.progress import Progress
from dpcert.run.single import Invocation
from dpcert.show.lines import result_line
from dpcert.show.outcomes import shown
from dpcert.show.place import Source, source_of
from dpcert.targets.files import json_of
from dpcert.targets.spec import Spec
from dpcert.worker.codec import Unfit, decode, encode, hints_of
from dpcert.worker.jobs import Bars, Draw, Missing, Picture
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


LONGEST = 40_000
"""The most digits of a number in it, of which arithmetic takes no long time."""
Skipped = Annotated[dict[str, str], lambda row: {"target", "reason"} <= row.keys()]
Error = Annotated[dict[str, str], lambda row: {"given", "needed", "remedy"} <= row.keys()]
ROWS = {"results": list[dict[str, Any]], "skipped": list[Skipped], "errors": list[Error]}
"""The lists of a document with the types of their elements."""


def read_document(path: str) -> Document:
    """Return the document in a file, every part that a report shows of the kind that it must be.

    Raises: InputError for a file that cannot be read, is no JSON, or has another schema or a malformed result.
    """
    try:
        document = json_of(Path(path))
    except OSError as error:
        _refuse(path, f"{error.strerror}", "a file that can be read")
    except ValueError as error:
        _refuse(path, f"no JSON ({one_line(str(error))[:80]})", f"the output of dpcert audit --json or {SCHEMA}")
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in (AUDIT, SCHEMA):
        _refuse(path, f"schema {schema!r}"[:80], f"{AUDIT} or {SCHEMA}, as this version writes them")
    results, lists = [], {}
    for name, kind in ROWS.items():
        try:
            lists[name] = decode(kind, document.get(name, []))
        except Unfit:
            _refuse(path, f"{name!r} is malformed", "a list, as this version writes it")
    for place, data in enumerate(lists["results"], 1):
        try:
            results.append(_reported(data))
        except Unfit as error:
            _refuse(path, f"result {place}: {error}", "results as this version writes them")
    return Document(results, lists["skipped"], lists["errors"])


def _reported(data: dict[str, Any]) -> Reported:
    """Return the result that JSON data stand for.

    Raises: Unfit where a part is missing, unknown or malformed.
    """
    if any(len(text) > LONGEST and text[:1].isdigit() for text in _texts(data)):
        raise Unfit("a number that is too long")
    beside = {name: decode(hint, data.get(name)) for name, hint in hints_of(Reported).items() if name != "result"}
    own = {name: part for name, part in data.items() if name not in ("class", *beside)}
    result: Result = decode(Result, {"sampling": None, "timing": None, **own})
    row = Reported(result, **beside)
    refuted = result.verdict == "refuted"
    whole = {
        "class": data.get("class") == result.kind,
        "worst": result.worst.event != [] if result.worst is not None else not refuted or result.timing is not None,
        "confidence": bool(result.confidence) or not refuted or result.method != "sampling",
    }
    try:  # its line reads the parts that types do not ask for
        seen = [part for each in (result.worst, result.timing) if each is not None for part in (each.a, each.b)]
        seen += [] if result.worst is None else result.worst.event
        if row.picture is not None and isinstance(row.picture.witness, Bars):
            seen += [bar.outcome for bar in row.picture.witness.rows]
        for outcome in seen:
            shown(outcome)
        whole["its line"] = bool(result_line(result))
    except (DpcertError, LookupError, TypeError, AttributeError, ValueError):
        raise Unfit("its event or its counts are malformed") from None
    for name, fine in whole.items():
        if not fine:
            raise Unfit(f"{name!r} is missing or malformed")
    return row


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(part)


def _refuse(path: str, fault: str, needed: str) -> NoReturn:
    remedy = "write the file anew with dpcert audit --json"
    raise InputError(given=f"--from {path}: {fault}", needed=needed, remedy=remedy) from None
