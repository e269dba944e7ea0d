"""`dpcert claims`: the ledger, with the checks behind its rows run again."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.proofs.check import CheckResult
from dpcert.proofs.ledger import STATUSES, Entry, ledger, reproduced
from dpcert.proofs.registry import CHECKS, uses
from dpcert.proofs.registry import rows as every_row
from dpcert.proofs.rocq import checks, record
from dpcert.proofs.uses import below
from dpcert.run.pool import processes
from dpcert.targets.files import file_errors


def entries(*, paper: str | None = None, status: str | None = None, items: Sequence[str] = ()) -> list[Entry]:
    """Return the rows of the ledger, or those of one paper, of one status or of some items.

    The rows of an item are its own and its other forms. The id of a form means this form alone.

    Raises: InputError for a paper, status or item that does not occur.
    """
    every = ledger(every_row())
    for name, value, known in (
        ("--paper", paper, list(dict.fromkeys(entry.paper for entry in every))),
        ("--status", status, list(STATUSES)),
    ):
        if value is not None and value not in known:
            raise InputError(given=f"{name} {value}", needed=f"one of {', '.join(known)}", remedy="name one of these")
    item_of = {row.id: row.corrects for row in every_row()}
    forms = [(entry, {entry.id, item_of.get(entry.id)}) for entry in every]
    for item in items:
        if not any(item in ids for _, ids in forms):
            near = get_close_matches(item, [entry.id for entry in every], n=1, cutoff=0)[0]
            raise InputError(given=f"item {item}", needed=f"an id of a row, as {near}", remedy="run dpcert claims")
    asked = [entry for entry, ids in forms if not items or ids & set(items)]
    return [entry for entry in asked if paper in (None, entry.paper) and status in (None, entry.status)]


def finding(name: str) -> CheckResult:
    """Run a check and return its result."""
    return CHECKS[name]()


def _found(names: list[str], jobs: int) -> Iterator[tuple[str, CheckResult]]:
    """Yield the name and result of each check as soon as it ends."""
    if jobs == 1 or len(names) < 2:
        yield from ((name, finding(name)) for name in names)
        return
    with processes(jobs) as pool:
        started = {pool.submit(finding, name): name for name in names}
        for done in as_completed(started):
            yield started[done], done.result()


def checks_behind(rows: Iterable[Entry]) -> list[str]:
    """Return the ids of all checks behind the rows, each once."""
    rows = list(rows)
    by_id = {row.id: row for row in every_row()}
    used = below([entry.id for entry in rows if entry.id in uses()], uses())
    return list(dict.fromkeys(name for entry in [*rows, *map(by_id.get, used)] if entry for name in entry.methods))


def not_reproduced(
    rows: Iterable[Entry],
    on_check: Callable[[str], None] = lambda name: None,
    *,
    again: bool = False,
    jobs: int | None = None,
) -> list[tuple[Entry, str]]:
    """Run every check behind the rows, and return each row whose status the checks do not confirm, with the reason.

    With `again`, Rocq compiles its theorems where it is installed. At most `jobs` processes run at a time; None means
    one for each processor. `on_check` is called with the name of each finished check.
    """
    rows = list(rows)
    findings: dict[str, CheckResult] = {}
    for name, result in _found(checks_behind(rows), jobs or os.cpu_count() or 1):
        findings[name] = result
        on_check(name)
    if again:
        findings |= {name: now for name, now in checks.compiled_again(findings).items() if findings[name].holds}
    return not_borne_out(rows, findings)


def not_borne_out(rows: Iterable[Entry], findings: Mapping[str, CheckResult]) -> list[tuple[Entry, str]]:
    """Return, with the reason, each row that its own checks, or the checks of rows that it uses, do not confirm."""
    by_id = {entry.id: entry for entry in entries()}
    wrong = []
    for entry in rows:
        if not reproduced(entry, findings):
            wrong.append((entry, _reason(entry, findings)))
            continue
        for name in below([entry.id], uses()) if entry.id in uses() else ():
            if not reproduced(by_id[name], findings):
                wrong.append((entry, f"it rests on {name}: {_reason(by_id[name], findings)}"))
                break
    return wrong


def _reason(entry: Entry, findings: Mapping[str, CheckResult]) -> str:
    texts = [f"{name}: {findings[name].witness or 'holds'}" for name in entry.methods]
    return "; ".join(texts) or "no check stands behind it"


def write_proofs(folder: Path) -> int:
    """Write every file of the theorems in Rocq into a folder, and return how many there are.

    Beside them stands `_CoqProject`, which lists them in order: `coq_makefile -f _CoqProject -o Makefile && make`.

    Raises: InputError for a folder that cannot be made or written.
    """
    texts = record.texts()
    with file_errors(f"--export {folder}", "a folder that can be written"):
        for name, text in texts.items():
            path = folder / f"{name}.v"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        (folder / "_CoqProject").write_text("\n".join(["-Q . DP", *(f"{name}.v" for name in texts), ""]), "utf-8")
    return len(texts)


def claim_line(entry: Entry) -> str:
    """Return the line of one row, without its status."""
    scope = "" if entry.status == "open" else f" [{'grid: ' if entry.status == 'tested' else ''}{entry.scope}]"
    witness = "" if entry.witness is None else f"; witness: {entry.witness}"
    repeats = "" if entry.repeats is None else f"; the error of {entry.repeats}"
    return f"{entry.id}: {entry.statement}{witness}{repeats}{scope}"


def proofs_as_json(rows: Iterable[Entry], *, again: bool) -> dict[str, Any]:
    """Return the number of theorems in Rocq behind the rows, the version that checked them, and the date."""
    return checks.checked(checks_behind(rows), again=again)


def rocq_line(rows: Iterable[Entry], *, again: bool) -> str:
    """Return the line on the theorems in Rocq behind the rows; empty where there are none."""
    return checks.said(checks_behind(rows), again=again)


def status_counts(rows: Iterable[Entry]) -> str:
    """Return the last line: how many rows have each status."""
    rows = list(rows)
    return ", ".join(f"{sum(entry.status == status for entry in rows)} {status}" for status in STATUSES)
