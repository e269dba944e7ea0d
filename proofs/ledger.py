"""The ledger: every item of the five papers, what this project says of it, and the checks behind that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

__all__ = ["STATUSES", "Entry", "Finding", "Row", "items", "ledger", "reproduced"]

STATUSES = ("proved", "verified", "certified", "measured", "refuted", "open")


@dataclass(frozen=True, slots=True)
class Row:
    """What was found of an item: its statement in our words, its status, and the ids of the checks behind it.

    `scope` says for which inputs; `witness` shows where a refuted statement fails. A row whose id is no item's is a
    corrected form of the item named in `corrects`. `code` names the functions that the item describes, as in
    `mechanisms.finite_computers.geosample.geosample`.
    """

    id: str
    statement: str
    status: str
    methods: tuple[str, ...]
    scope: str
    witness: str | None = None
    corrects: str | None = None
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: whether the statement holds on the check's scope, and else the smallest witness."""

    holds: bool
    witness: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the ledger as it is printed."""

    id: str
    paper: str
    location: str
    statement: str
    status: str
    methods: tuple[str, ...]
    scope: str
    witness: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the row in the form of `dpcert claims --json`."""
        return {
            "id": self.id,
            "paper": self.paper,
            "location": self.location,
            "statement": self.statement,
            "status": self.status,
            "methods": list(self.methods),
            "scope": self.scope,
            "witness": self.witness,
        }


def items() -> list[dict[str, Any]]:
    """Return every item of the five papers, in the papers' order."""
    found: list[dict[str, Any]] = json.loads(files("dpcert.proofs").joinpath("items.json").read_text("utf-8"))
    return found


def ledger(rows: Iterable[Row]) -> list[Entry]:
    """Return an entry for every item, `open` where no row speaks of it, and corrected forms after their items.

    Raises: ValueError for a row that belongs to no item, a second row of one id, or an unknown status.
    """
    by_id: dict[str, Row] = {}
    corrections: dict[str, list[Row]] = {}
    for row in rows:
        if row.id in by_id or row.status not in STATUSES or (row.status == "refuted") != (row.witness is not None):
            raise ValueError(f"row {row.id}: its id, status or witness does not fit")
        by_id[row.id] = row
        if row.corrects is not None:
            corrections.setdefault(row.corrects, []).append(row)
    entries: list[Entry] = []
    for item in items():
        name = item["id"]
        entries.append(_entry(item, by_id.pop(name, None)))
        for correction in corrections.pop(name, []):
            entries.append(_entry(item, by_id.pop(correction.id)))
    if by_id or corrections:
        raise ValueError(f"rows without an item: {', '.join([*by_id, *corrections])}")
    return entries


def _entry(item: Mapping[str, Any], row: Row | None) -> Entry:
    if row is None:
        topic = f"{item['topic']}" if item["checkable"] else f"{item['topic']} (nothing to check)"
        return Entry(item["id"], item["paper"], item["location"], topic, "open", (), "none yet", None)
    place = item["location"] + (", corrected" if row.corrects else "")
    return Entry(row.id, item["paper"], place, row.statement, row.status, row.methods, row.scope, row.witness)


def reproduced(entry: Entry, findings: Mapping[str, Finding]) -> bool:
    """Whether the findings of an entry's checks are those that its status records."""
    if entry.status == "open":
        return True
    named = [findings[method] for method in entry.methods]
    if entry.status == "refuted":
        return bool(named) and all(not found.holds and found.witness == entry.witness for found in named)
    return bool(named) and all(found.holds for found in named)
