"""`dpcert claims`: the ledger, with the checks behind its rows run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dpcert.mechanisms.exact.errors import InputError
from dpcert.proofs.checks import CHECKS
from dpcert.proofs.ledger import STATUSES, Entry, Finding, ledger, reproduced
from dpcert.proofs.rows import ROWS

__all__ = ["BOUND", "claim_line", "entries", "not_reproduced", "status_counts"]

BOUND: Mapping[str, Callable[[], Finding]] = CHECKS
"""Every check that a row of the ledger may name, by its id."""


def entries(*, paper: str | None = None, status: str | None = None) -> list[Entry]:
    """Return the rows of the ledger, of one paper or of one status if asked.

    Raises: InputError for a paper or status that does not occur.
    """
    rows = ledger(ROWS)
    for name, value, known in (
        ("--paper", paper, list(dict.fromkeys(entry.paper for entry in rows))),
        ("--status", status, list(STATUSES)),
    ):
        if value is not None and value not in known:
            raise InputError(given=f"{name} {value}", needed=f"one of {', '.join(known)}", remedy="name one of these")
    return [entry for entry in rows if paper in (None, entry.paper) and status in (None, entry.status)]


def not_reproduced(rows: Iterable[Entry], on_check: Callable[[str], None] = lambda name: None) -> list[Entry]:
    """Run every check that the rows name, each once, and return the rows whose status it does not bear out."""
    rows = list(rows)
    findings: dict[str, Finding] = {}
    for name in dict.fromkeys(method for entry in rows for method in entry.methods):
        on_check(name)
        findings[name] = BOUND[name]()
    return [entry for entry in rows if not reproduced(entry, findings)]


def claim_line(entry: Entry) -> str:
    """Return the line of one row, without its status."""
    scope = "" if entry.status == "open" else f" [{entry.scope}]"
    witness = "" if entry.witness is None else f"; witness: {entry.witness}"
    return f"{entry.id}: {entry.statement}{witness}{scope}"


def status_counts(rows: Iterable[Entry]) -> str:
    """Return the last line: how many rows have each status."""
    rows = list(rows)
    return ", ".join(f"{sum(entry.status == status for entry in rows)} {status}" for status in STATUSES)
