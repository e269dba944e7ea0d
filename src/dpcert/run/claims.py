"""`dpcert claims`: the ledger, with the checks and the proofs behind its rows run again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.proofs.check import CheckResult
from dpcert.proofs.export import certified, document
from dpcert.proofs.ledger import STATUSES, Entry, ledger, reproduced
from dpcert.proofs.prover import FIRST, prove, versions
from dpcert.proofs.registry import CHECKS, THEOREMS, uses
from dpcert.proofs.registry import rows as every_row
from dpcert.proofs.rocq import bindings
from dpcert.proofs.theorem import script
from dpcert.proofs.uses import below
from dpcert.run.pool import processes
from dpcert.targets.extras import MissingExtra, needs_extra

CHECKER = "proofs/checker.py"


def entries(*, paper: str | None = None, status: str | None = None) -> list[Entry]:
    """Return the rows of the ledger, of one paper or of one status if asked.

    Raises: InputError for a paper or status that does not occur.
    """
    every = ledger(every_row())
    for name, value, known in (
        ("--paper", paper, list(dict.fromkeys(entry.paper for entry in every))),
        ("--status", status, list(STATUSES)),
    ):
        if value is not None and value not in known:
            raise InputError(given=f"{name} {value}", needed=f"one of {', '.join(known)}", remedy="name one of these")
    return [entry for entry in every if paper in (None, entry.paper) and status in (None, entry.status)]


def need_second_solver() -> None:
    """Return if the solver of the second opinion is installed.

    Raises: InputError otherwise.
    """
    try:
        needs_extra("cvc5", extra="proofs")
    except MissingExtra as error:
        given, needed = "--recheck without cvc5", "both solvers: with --recheck a theorem needs z3 and cvc5"
        raise InputError(given=given, needed=needed, remedy=error.command) from None


def finding(name: str, solvers: Sequence[str] = FIRST) -> CheckResult:
    """Return what a check or a proof finds, run now; a proof needs its certificates and the solvers."""
    if name not in THEOREMS:
        return CHECKS[name]()
    accepted = certified(THEOREMS[name], THEOREMS)
    return prove(THEOREMS[name], solvers) if accepted.holds else accepted


def _found(names: list[str], solvers: Sequence[str], jobs: int) -> Iterator[tuple[str, CheckResult]]:
    """Yield what each check finds, as soon as it is known."""
    if jobs == 1 or len(names) < 2:
        yield from ((name, finding(name, solvers)) for name in names)
        return
    with processes(jobs) as pool:
        started = {pool.submit(finding, name, solvers): name for name in names}
        for done in as_completed(started):
            yield started[done], done.result()


def checks_behind(rows: Iterable[Entry]) -> list[str]:
    """Return the ids of all checks and theorems that the rows rest on, each once, the theorems first."""
    rows = list(rows)
    used = below([entry.id for entry in rows if entry.id in uses()], uses())
    by_id = {row.id: row for row in every_row()}
    found = dict.fromkeys(name for entry in rows for name in entry.methods)
    found |= dict.fromkeys(method for name in used for method in (by_id[name].methods if name in by_id else (name,)))
    return sorted(found, key=lambda name: name not in THEOREMS)


def not_reproduced(
    rows: Iterable[Entry],
    on_check: Callable[[str], None] = lambda name: None,
    *,
    solvers: Sequence[str] = FIRST,
    jobs: int | None = None,
) -> list[tuple[Entry, str]]:
    """Run every check that the rows rest on, prove every theorem, and return the rows whose status is not borne out.

    With each row stands why. `solvers` prove the theorems; with more than one Rocq compiles its own, where it is found.
    So many `jobs` processes run at a time, as many as there are processors if None; `on_check` hears of each check that
    is done.
    """
    rows = list(rows)
    findings: dict[str, CheckResult] = {}
    for name, found in _found(checks_behind(rows), solvers, jobs or os.cpu_count() or 1):
        findings[name] = found
        on_check(name)
    if len(solvers) > 1:
        findings |= {name: now for name, now in bindings.compiled_again(findings).items() if findings[name].holds}
    return not_borne_out(rows, findings)


def not_borne_out(rows: Iterable[Entry], findings: Mapping[str, CheckResult]) -> list[tuple[Entry, str]]:
    """Return the rows whose own checks, or those of what they use, have not found what their status records."""
    by_id = {entry.id: entry for entry in entries()}
    wrong = []
    for entry in rows:
        if not reproduced(entry, findings):
            wrong.append((entry, _reason(entry, findings)))
            continue
        for name in below([entry.id], uses()) if entry.id in uses() else ():
            if not (findings[name].holds if name in THEOREMS else reproduced(by_id[name], findings)):
                fault = findings[name].witness if name in THEOREMS else _reason(by_id[name], findings)
                wrong.append((entry, f"it rests on {name}: {fault}"))
                break
    return wrong


def _reason(entry: Entry, findings: Mapping[str, CheckResult]) -> str:
    texts = [f"{name}: {findings[name].witness or 'holds'}" for name in entry.methods]
    return "; ".join(texts) or "no check stands behind it"


def write_proofs(folder: Path) -> int:
    """Write every query of every theorem as an SMT-LIB 2 file into a folder, and return how many there are.

    Beside them stand `proofs.json`, with certificates and derivations, and the checker that decides it alone.

    Raises: InputError for a folder that cannot be made or written.
    """
    count = 0
    try:
        for theorem in THEOREMS.values():
            for lemma in theorem.lemmas:
                (folder / theorem.id).mkdir(parents=True, exist_ok=True)
                (folder / theorem.id / f"{lemma.name}.smt2").write_text(script(lemma), "utf-8")
                count += 1
        (folder / "proofs.json").write_text(json.dumps(document(THEOREMS, THEOREMS)), "utf-8")
        (folder / "checker.py").write_text(files("dpcert.proofs").joinpath("checker.py").read_text("utf-8"), "utf-8")
    except OSError as error:
        raise InputError(
            given=f"--export {folder}", needed=f"a folder to write ({error.strerror})", remedy="name another folder"
        ) from error
    return count


def claim_line(entry: Entry) -> str:
    """Return the line of one row, without its status."""
    scope = "" if entry.status == "open" else f" [{'grid: ' if entry.status == 'tested' else ''}{entry.scope}]"
    witness = "" if entry.witness is None else f"; witness: {entry.witness}"
    repeats = "" if entry.repeats is None else f"; the error of {entry.repeats}"
    return f"{entry.id}: {entry.statement}{witness}{repeats}{scope}"


def theorems_behind(rows: Iterable[Entry]) -> list[str]:
    """Return the theorems that the rows rest on."""
    return [name for name in checks_behind(rows) if name in THEOREMS]


def proofs_as_json(rows: Iterable[Entry], solvers: Sequence[str], at: datetime) -> dict[str, Any]:
    """Return how many theorems the rows rest on, and by what they were proved, and when."""
    count = len(theorems_behind(rows))
    return {
        "theorems": count,
        "by": [CHECKER, *versions(solvers)] if count else [],
        "at": at.isoformat(timespec="seconds"),
    }


def proofs_line(rows: Iterable[Entry], solvers: Sequence[str], at: datetime) -> str:
    """Return the line that says the same; empty where the rows rest on no theorem."""
    found = proofs_as_json(rows, solvers, at)
    by = " and ".join(found["by"])
    return f"{found['theorems']} theorems, put to {by} in this run, {at:%Y-%m-%d %H:%M} UTC" if by else ""


def rocq_line(rows: Iterable[Entry], solvers: Sequence[str]) -> str:
    """Return the line on the theorems in Rocq that the rows rest on; empty where there is none."""
    return bindings.said(checks_behind(rows), again=len(solvers) > 1)


def status_counts(rows: Iterable[Entry]) -> str:
    """Return the last line: how many rows have each status."""
    rows = list(rows)
    return ", ".join(f"{sum(entry.status == status for entry in rows)} {status}" for status in STATUSES)
