"""The papers as a page shows them: every row of the ledger, and the errata."""

from __future__ import annotations

from dataclasses import dataclass

from dpcert.proofs.ledger import STATUSES, Entry
from dpcert.proofs.registry import rows
from dpcert.run.claims import entries, status_counts


@dataclass(frozen=True, slots=True)
class Ledger:
    """The rows, the papers and statuses that occur, and how many rows have each status."""

    rows: tuple[Entry, ...]
    papers: tuple[str, ...]
    statuses: tuple[str, ...]
    counts: str


@dataclass(frozen=True, slots=True)
class Errata:
    """A printed statement that is false: where it is, its smallest witness, and what holds."""

    paper: str
    location: str
    statement: str
    witness: str
    corrected: str


def ledger_table() -> Ledger:
    """Return the ledger as it is recorded; `dpcert claims` runs the checks behind it again."""
    every = tuple(entries())
    return Ledger(every, tuple(dict.fromkeys(row.paper for row in every)), STATUSES, status_counts(every))


def errata() -> list[Errata]:
    """Return every refuted row with the corrected one."""
    by_id = {entry.id: entry for entry in entries()}
    corrected = {row.corrects: by_id[row.id].statement for row in rows() if row.corrects is not None}
    return [
        Errata(entry.paper, entry.location, entry.statement, entry.witness or "", corrected.get(entry.id, ""))
        for entry in by_id.values()
        if entry.status == "refuted"
    ]
