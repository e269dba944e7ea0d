"""Results read from a file: of `dpcert audit --json` or `dpcert report --json`, each part of its kind, or refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.show.lines import result_line
from dpcert.show.outcomes import shown
from dpcert.show.pages.document import AUDIT, SCHEMA, Document, Reported
from dpcert.targets.files import json_of
from dpcert.worker.codec import Unfit, decode, hints_of
from dpcert.worker.jobs import Bars
from dpcert.worker.result import Result

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
        for outcome in _outcomes(row):
            shown(outcome)
        whole["its line"] = bool(result_line(result))
    except (DpcertError, LookupError, TypeError, AttributeError, ValueError):
        raise Unfit("its event or its counts are malformed") from None
    for name, fine in whole.items():
        if not fine:
            raise Unfit(f"{name!r} is missing or malformed")
    return row


def _outcomes(row: Reported) -> Iterator[Any]:
    """Yield the outcomes and inputs that a result shows."""
    for seen in (row.result.worst, row.result.timing):
        if seen is not None:
            yield from (seen.a, seen.b)
    if row.result.worst is not None:
        yield from row.result.worst.event
    if row.picture is not None and isinstance(row.picture.witness, Bars):
        yield from (bar.outcome for bar in row.picture.witness.rows)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(part)


def _refuse(path: str, fault: str, needed: str) -> NoReturn:
    remedy = "write the file anew with dpcert audit --json"
    raise InputError(given=f"--from {path}: {fault}", needed=needed, remedy=remedy) from None
