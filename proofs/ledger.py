"""The ledger: every item of the five papers, the rows about it, and the checks behind these.

It is data: each paper's folder has its items in `items.json` and its rows in `ledger.toml`.
"""

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from dpcert.proofs.check import CheckResult

PAPERS = ("sample-and-threshold", "finite-computers", "weighted-sampling", "anonymized-histograms", "user-level")
LEDGER = "ledger.toml"
STATUSES = ("proved", "verified", "certified", "tested", "measured", "refuted", "unreadable", "open")
"""Proved for all parameters; verified, a finite statement; certified, a whole box; tested on the grid of its scope;
measured; refuted by a witness; unreadable, where a sign that the text at hand has lost explains the witness; open.
"""
FAILING = ("refuted", "unreadable")
"""The statuses of rows with a witness."""


class LedgerError(ValueError):
    """A row with a bad entry, or without a check behind it; the message has the file, the row, and the remedy."""


@dataclass(frozen=True, slots=True)
class Row:
    """The finding on an item: its statement in our words, its status, and the ids of the checks behind it, `methods`.

    `scope` names the inputs that the finding is about; `witness` shows where a refuted statement fails. A row whose id
    is not an item's is another form of the item in `corrects`. `uses` names the rows that the finding rests on, too. A
    refuted row has its error from the row that it `repeats`. `code` names the functions that the item describes, as in
    `mechanisms.finite_computers.geosample.geosample`.
    """

    id: str
    statement: str
    status: str
    methods: tuple[str, ...]
    scope: str
    witness: str | None = None
    corrects: str | None = None
    uses: tuple[str, ...] = ()
    repeats: str | None = None
    code: tuple[str, ...] = ()


NEEDED: dict[str, type] = {"id": str, "statement": str, "status": str, "methods": list, "scope": str}
OPTIONAL: dict[str, type] = {"witness": str, "corrects": str, "uses": list, "repeats": str, "code": list}
LISTS = tuple(key for key, kind in (NEEDED | OPTIONAL).items() if kind is list)


@dataclass(frozen=True, slots=True)
class Entry:
    """One printed row of the ledger."""

    id: str
    paper: str
    location: str
    statement: str
    status: str
    methods: tuple[str, ...]
    scope: str
    witness: str | None
    uses: tuple[str, ...] = ()
    repeats: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "paper": self.paper,
            "location": self.location,
            "statement": self.statement,
            "status": self.status,
            "methods": list(self.methods),
            "scope": self.scope,
            "witness": self.witness,
            "uses": list(self.uses),
            "repeats": self.repeats,
        }


def folder_of(paper: str) -> str:
    """Return the name of a paper's folder."""
    return paper.replace("-", "_")


def file_of(paper: str) -> str:
    """Return the path of a paper's rows, from `proofs/`."""
    return f"{folder_of(paper)}/{LEDGER}"


def _data(paper: str, name: str) -> str:
    return files("dpcert.proofs").joinpath(folder_of(paper), name).read_text("utf-8")


def items() -> list[dict[str, Any]]:
    """Return every item of the five papers, in the papers' order.

    `passages` are the places of the paper that state the item or a part of it.
    """
    return [{"paper": paper, **item} for paper in PAPERS for item in json.loads(_data(paper, "items.json"))]


def rows(paper: str) -> list[Row]:
    """Return the rows of a paper.

    Raises: LedgerError as `read` does.
    """
    ids = frozenset(item["id"] for item in items() if item["paper"] == paper)
    return read(_data(paper, LEDGER), file_of(paper), ids)


def read(text: str, where: str, ids: Collection[str]) -> list[Row]:
    """Return the rows in the text of a paper's file, given the ids of the paper's items.

    Raises: LedgerError for a text that is no TOML, an unknown or missing field, a value of another type, an empty text,
            an unknown status, a witness where nothing fails or none where something does, a row of no item of the
            paper, or a second row of one id.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LedgerError(f"{where}: {error}; write TOML") from error
    if set(tables) != {"row"} or not (isinstance(tables["row"], list) and all(type(t) is dict for t in tables["row"])):
        raise LedgerError(f"{where}: holds {', '.join(tables) or 'nothing'}; write tables [[row]] and nothing else")
    rows: dict[str, Row] = {}
    for place, table in enumerate(tables["row"], 1):
        fault = _fault(table, ids)
        name = table["id"] if fault is None or type(table.get("id")) is str else f"number {place}"
        if fault or name in rows:
            raise LedgerError(f"{where}, row {name}: {fault or 'its id has a row already: give each id one'}")
        row: dict[str, Any] = dict(table)
        row |= {key: tuple(row[key]) for key in LISTS if key in row}
        rows[name] = Row(**row)
    return list(rows.values())


def _fault(table: Mapping[str, Any], ids: Collection[str]) -> str | None:
    """Return the fault of a row in the file with its remedy, None for a good row."""
    kinds = NEEDED | OPTIONAL
    for key in NEEDED:
        if key not in table:
            return f"no {key}: give one"
    for key, value in table.items():
        if key not in kinds:
            return f"an unknown field {key}: the fields are {', '.join(kinds)}"
        if type(value) is not kinds[key] or not all(type(text) is str and text.strip() for text in _texts(value)):
            return f"{key} is {value!r}: write {'a list of texts' if kinds[key] is list else 'a text'}"
    if table["status"] not in STATUSES:
        return f"status is {table['status']}: write one of {', '.join(STATUSES)}"
    if (table["status"] in FAILING) != ("witness" in table):
        return f"it is {table['status']}: a row has a witness exactly if it is {' or '.join(FAILING)}"
    if "repeats" in table and table["status"] not in FAILING:
        return f"it is {table['status']}: only a row with a witness repeats another"
    if table.get("corrects", table["id"]) not in ids:
        return "it is of no item of this paper: name one of items.json, in id or in corrects"
    return None


def _texts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def ledger(rows: Iterable[Row]) -> list[Entry]:
    """Return an entry for every item, `open` where it has no row, with its other forms after it.

    Raises: LedgerError for a row that belongs to no item, or a second row of one id.
    """
    by_id: dict[str, Row] = {}
    corrections: dict[str, list[Row]] = {}
    for row in rows:
        if row.id in by_id:
            raise LedgerError(f"row {row.id}: its id has a row already: give each id one")
        by_id[row.id] = row
        if row.corrects is not None:
            corrections.setdefault(row.corrects, []).append(row)
    entries: list[Entry] = []
    for item in items():
        name = item["id"]
        own = by_id.pop(name, None)
        entries.append(_entry(item, own, item["location"]))
        for other in corrections.pop(name, []):
            part = "corrected" if own is not None and own.status in FAILING else other.id.rpartition("/")[2]
            entries.append(_entry(item, by_id.pop(other.id), f"{item['location']}, {part}"))
    if by_id or corrections:
        raise LedgerError(f"rows without an item: {', '.join([*by_id, *corrections])}")
    return entries


def _entry(item: Mapping[str, Any], row: Row | None, place: str) -> Entry:
    if row is None:
        topic = f"{item['topic']}" if item["checkable"] else f"{item['topic']} (nothing to check)"
        return Entry(item["id"], item["paper"], place, topic, "open", (), "none yet", None)
    found = (row.statement, row.status, row.methods, row.scope, row.witness, row.uses, row.repeats)
    return Entry(row.id, item["paper"], place, *found)


def reproduced(entry: Entry, results: Mapping[str, CheckResult]) -> bool:
    """Whether an entry's own checks have the results that its status records."""
    if entry.status == "open":
        return True
    named = [results[method] for method in entry.methods]
    if entry.status in FAILING:
        return bool(named) and all(not result.holds and result.witness == entry.witness for result in named)
    return bool(named) and all(result.holds for result in named)
