"""The papers as a page shows them: every row of the ledger, and the errata."""

from dataclasses import dataclass

from dpcert.proofs.ledger import FAILING, STATUSES, Entry
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
    """A printed statement that is false: its place, its smallest witness, the corrected form, and its repetitions."""

    paper: str
    location: str
    statement: str
    witness: str
    corrected: str
    repeated: str


def ledger_table() -> Ledger:
    """Return the ledger as it is recorded; `dpcert claims` runs the checks behind it again."""
    every = tuple(entries())
    return Ledger(every, tuple(dict.fromkeys(row.paper for row in every)), STATUSES, status_counts(every))


def errata(status: str = "refuted") -> list[Errata]:
    """Return every error once, its root with the corrected form; or, with the status `unreadable`, every such place."""
    every = entries()
    held: dict[str, str] = {}
    for row in rows():
        if row.corrects is not None and row.status not in FAILING:
            held.setdefault(row.corrects, row.statement)
    again: dict[str, list[str]] = {}
    for entry in every:
        if entry.repeats is not None:
            again.setdefault(entry.repeats, []).append(entry.location)
    return [
        Errata(
            entry.paper,
            entry.location,
            entry.statement,
            entry.witness or "",
            held.get(entry.id, ""),
            ", ".join(again.get(entry.id, [])),
        )
        for entry in every
        if entry.status == status and entry.repeats is None
    ]
