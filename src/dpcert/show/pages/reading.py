"""Results read from a file: of `dpcert audit --json` or `dpcert report --json`, each part of its kind, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.show.lines import result_line
from dpcert.show.outcomes import shown
from dpcert.show.pages.document import AUDIT, SCHEMA, Document, Reported
from dpcert.worker.codec import Unfit, decode, hints_of
from dpcert.worker.jobs import Bars
from dpcert.worker.result import Result

MOST = 1 << 28
"""No file of more bytes is read."""
LONGEST = 40_000
"""The most digits of a number in it, of which arithmetic takes no long time."""
BESIDE = [field.name for field in fields(Reported)][1:]
ROWS = {
    "results": list[dict[str, Any]],
    "skipped": list[dict[str, str]],
    "errors": list[dict[str, Any]],
}
"""The lists of a document, and what they hold."""


def read_document(path: str) -> Document:
    """Return the document in a file, every part that a report shows of the kind that it must be.

    Raises: InputError for a file that cannot be read, is no JSON, or has another schema or a malformed result.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST + 1)
        document: Any = json.loads(content if len(content) <= MOST else b"")
    except OSError as error:
        _refuse(path, f"{error.strerror}", "a file that can be read")
    except (ValueError, RecursionError) as error:
        _refuse(path, f"no JSON ({one_line(str(error))[:80]})", f"the output of dpcert audit --json or {SCHEMA}")
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in (AUDIT, SCHEMA):
        _refuse(path, f"schema {schema!r}"[:80], f"{AUDIT} or {SCHEMA}, as this version writes them")
    lists = {name: _list(path, name, document.get(name, [])) for name in ROWS}
    results = []
    for place, data in enumerate(lists["results"], 1):
        try:
            results.append(_reported(data))
        except Unfit as error:
            fault = f"result {place}: {str(error)!r} is missing or malformed"
            _refuse(path, fault, "results as this version writes them")
    return Document(results, lists["skipped"], lists["errors"])


def _list(path: str, name: str, data: Any) -> list[dict[str, Any]]:
    """Return a list of a document; of an error, as of what was skipped, each text is there."""
    keys = {"skipped": ("target", "reason"), "errors": ("given", "needed", "remedy")}.get(name, ())
    try:
        rows: list[dict[str, Any]] = decode(ROWS[name], data)
        if all(type(row.get(key)) is str for row in rows for key in keys):
            return rows
    except Unfit:
        pass
    return _refuse(path, f"{name!r} is malformed", "a list, as this version writes it")


def _reported(data: dict[str, Any]) -> Reported:
    """Return the result that JSON data stand for.

    Raises: Unfit, with the name of the first field that is missing or malformed.
    """
    parts = {name: _part(Result, name, data) for name in hints_of(Result)}
    result = Result(**parts)
    beside = {name: _part(Reported, name, data) for name in BESIDE}
    if data.get("class") != result.kind:
        raise Unfit("class")
    if result.verdict == "refuted" and result.worst is None and result.timing is None:
        raise Unfit("worst")
    if result.method == "sampling" and result.verdict == "refuted" and not result.confidence:
        raise Unfit("confidence")
    try:  # whether it has all that its line says
        result_line(result)
    except (LookupError, TypeError, AttributeError, ValueError):
        raise Unfit("sampling") from None
    return Reported(result, **beside)


def _part(kind: type, name: str, data: dict[str, Any]) -> Any:
    """Return one field of a dataclass; what may be absent is None then."""
    try:
        if name not in data and name not in ("sampling", "timing", *BESIDE):
            raise Unfit(name)
        part = decode(hints_of(kind)[name], data.get(name))
        for outcome in _outcomes(part):
            shown(outcome)
        if any(len(text) > LONGEST and text[:1].isdigit() for text in _texts(data.get(name))):
            raise Unfit(name)
    except (DpcertError, ValueError, TypeError, LookupError, AttributeError):
        raise Unfit(name) from None
    return part


def _outcomes(part: Any) -> Iterator[Any]:
    """Yield the outcomes in a field of a result."""
    for name in ("a", "b"):
        if hasattr(part, "event") and hasattr(part, name):
            yield getattr(part, name)
    if isinstance(getattr(part, "event", None), list):
        yield from part.event
        if not part.event:
            raise Unfit("worst")
    if isinstance(getattr(part, "witness", None), Bars):
        yield from (row.outcome for row in part.witness.rows)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(part)


def _refuse(path: str, fault: str, needed: str) -> NoReturn:
    remedy = "write the file anew with dpcert audit --json"
    raise InputError(given=f"--from {path}: {fault}", needed=needed, remedy=remedy) from None
