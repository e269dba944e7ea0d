"""`dpcert claims`: the ledger, with the checks and the proofs behind its rows run again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import as_completed
from pathlib import Path

from dpcert.mechanisms.exact.errors import InputError
from dpcert.proofs.check import CheckResult
from dpcert.proofs.ledger import STATUSES, Entry, ledger, reproduced
from dpcert.proofs.prover import prove, solvers
from dpcert.proofs.registry import CHECKS, THEOREMS, rows
from dpcert.proofs.theorem import script
from dpcert.run.pool import processes
from dpcert.targets.extras import MissingExtra, needs_extra


def entries(*, paper: str | None = None, status: str | None = None) -> list[Entry]:
    """Return the rows of the ledger, of one paper or of one status if asked.

    Raises: InputError for a paper or status that does not occur.
    """
    every = ledger(rows())
    for name, value, known in (
        ("--paper", paper, list(dict.fromkeys(entry.paper for entry in every))),
        ("--status", status, list(STATUSES)),
    ):
        if value is not None and value not in known:
            raise InputError(given=f"{name} {value}", needed=f"one of {', '.join(known)}", remedy="name one of these")
    return [entry for entry in every if paper in (None, entry.paper) and status in (None, entry.status)]


def need_solvers() -> None:
    """Return if every solver that a proof asks is installed.

    Raises: InputError otherwise.
    """
    try:
        needs_extra("cvc5", extra="proofs")
    except MissingExtra as error:
        given, needed = "--recheck without cvc5", "both solvers: a theorem is proved where z3 and cvc5 say so"
        raise InputError(given=given, needed=needed, remedy=error.command) from None


def finding(name: str) -> CheckResult:
    """Return what a check or a proof finds, run now."""
    return prove(THEOREMS[name]) if name in THEOREMS else CHECKS[name]()


def _found(names: list[str], jobs: int) -> Iterator[tuple[str, CheckResult]]:
    """Yield what each check finds, as soon as it is known."""
    if jobs == 1 or len(names) < 2:
        yield from ((name, finding(name)) for name in names)
        return
    with processes(jobs) as pool:
        started = {pool.submit(finding, name): name for name in names}
        for done in as_completed(started):
            yield started[done], done.result()


def checks_behind(rows: Iterable[Entry], *, proofs: bool) -> list[str]:
    """Return the ids of the checks that the rows name, each once; with `proofs`, those of theorems too, first."""
    names = list(dict.fromkeys(method for entry in rows for method in entry.methods))
    return [*(name for name in names if proofs and name in THEOREMS), *(name for name in names if name not in THEOREMS)]


def not_reproduced(
    rows: Iterable[Entry],
    on_check: Callable[[str], None] = lambda name: None,
    *,
    proofs: bool = True,
    jobs: int | None = None,
) -> list[tuple[Entry, str]]:
    """Run every check that the rows name, each once, and return the rows whose status is not borne out.

    With each row stands what its checks found. With `proofs` the solvers are asked again, else theorems are taken as
    recorded. So many `jobs` processes run at a time, as many as there are processors if None; `on_check` hears of each
    check that is done.
    """
    rows = list(rows)
    names = checks_behind(rows, proofs=proofs)
    findings = {} if proofs else {name: CheckResult(True) for name in THEOREMS}
    for name, found in _found(names, jobs or os.cpu_count() or 1):
        findings[name] = found
        on_check(name)
    wrong = [entry for entry in rows if not reproduced(entry, findings)]
    return [(entry, _reason(entry, findings)) for entry in wrong]


def _reason(entry: Entry, findings: Mapping[str, CheckResult]) -> str:
    texts = [f"{name}: {findings[name].witness or 'holds'}" for name in entry.methods]
    return "; ".join(texts) or "no check stands behind it"


def write_queries(folder: Path) -> int:
    """Write every query of every theorem as an SMT-LIB 2 file into a folder, and return how many there are.

    Raises: InputError for a folder that cannot be made or written.
    """
    count = 0
    try:
        for theorem in THEOREMS.values():
            for lemma in theorem.lemmas:
                (folder / theorem.id).mkdir(parents=True, exist_ok=True)
                (folder / theorem.id / f"{lemma.name}.smt2").write_text(script(lemma), "utf-8")
                count += 1
    except OSError as error:
        raise InputError(
            given=f"--export {folder}", needed=f"a folder to write ({error.strerror})", remedy="name another folder"
        ) from error
    return count


def claim_line(entry: Entry) -> str:
    """Return the line of one row, without its status."""
    scope = "" if entry.status == "open" else f" [{entry.scope}]"
    witness = "" if entry.witness is None else f"; witness: {entry.witness}"
    return f"{entry.id}: {entry.statement}{witness}{scope}"


def proofs_line(rows: Iterable[Entry], rerun: bool) -> str:
    """Return the line that says whether the theorems behind the rows were proved again; empty where there are none."""
    count = len({method for entry in rows for method in entry.methods if method in THEOREMS})
    if not count:
        return ""
    return f"{count} theorems, " + (
        f"proved again by {' and '.join(solvers())}" if rerun else "not proved again (--recheck)"
    )


def status_counts(rows: Iterable[Entry]) -> str:
    """Return the last line: how many rows have each status."""
    rows = list(rows)
    return ", ".join(f"{sum(entry.status == status for entry in rows)} {status}" for status in STATUSES)
