"""Releases of real data: the audited program on a file, with its guarantee, and the budget that it spends."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.planning.ready import READY, Counts
from dpcert.run.budget import Budget

SCHEMA = "dpcert.release/1"
MOST_LABEL = 1 << 16
"""The greatest number of characters of a value."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a CSV file hold values and counts, by name or by number from 1; None is the usual place.

    Without names, values stand in the first column, and counts in the second one, where there is one.
    """

    value: str | None = None
    count: str | None = None
    header: bool | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """What was released: values with counts, the guarantee in words, what it rests on, and which columns were read."""

    mechanism: str
    parameters: dict[str, str]
    guarantee: str
    rests_on: str
    read: str
    spent: dict[str, str] | None
    released: tuple[tuple[str, int], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the release as JSON data."""
        data = {name: getattr(self, name) for name in ("mechanism", "parameters", "guarantee", "rests_on", "spent")}
        return {"schema": SCHEMA, **data, "released": [list(row) for row in self.released]}


def release(
    mechanism: str,
    data: str | Path,
    out: str | Path,
    *,
    settings: Mapping[str, str],
    epsilon: object,
    delta: object = None,
    neighbours: str = "add-remove",
    budget: str | Path | None = None,
    columns: Columns | None = None,
    coins: Coins | None = None,
) -> Release:
    """Run a mechanism on a file, and write what it releases: each row of the file is one person, or so many.

    `data` has one value a line, or is a CSV file of values, or of values and counts. `out` ends in .json, or in .csv
    for the rows, with the guarantee beside it in a file that ends in .guarantee.json. The budget is spent before
    anything is to be seen, and nothing is spent where that fails.

    Raises: InputError where the mechanism, a setting or the file is of no use, or `delta` is too little;
            BudgetExceeded where the budget is.
    """
    if mechanism not in READY:
        remedy = "name one of these; the others are audited, and not yet run on files"
        raise InputError(given=mechanism, needed=" or ".join(READY), remedy=remedy)
    target = Path(out)
    if target.suffix not in (".json", ".csv"):
        raise InputError(given=f"--out {out}", needed="a name that ends in .json or .csv", remedy="rename it")
    ready = READY[mechanism](settings, Epsilon.of(epsilon), neighbours)
    if delta is not None and exact(delta, "delta") < ready.guarantee.delta:
        needed = f"at least {rounded_text(ready.guarantee.delta, up=True)}, which these settings need"
        raise InputError(given=f"delta = {delta}", needed=needed, remedy="plan others with dpcert plan")
    account = None if budget is None else Budget.open(budget)
    counts, read = read_counts(Path(data), columns or Columns())
    released = ready.program(counts, coins or system_coins())
    words = f"what was released is {ready.guarantee} for {RELATIONS[neighbours].words}: each row is one person"
    parts = (mechanism, dict(settings), words, ready.rests_on, read)
    found = Release(*parts, None, released)
    texts = _texts(found, target)
    written: list[Path] = []
    try:
        for path, text in texts.items():
            temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
            written.append(temporary)
            with temporary.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        if account is not None:
            account.spend(ready.guarantee, note=f"{mechanism} to {target.name}")
        for temporary, path in zip(written, texts, strict=True):
            os.replace(temporary, path)
    except OSError as error:
        given = f"--out {target}: {error.strerror or error}"
        raise InputError(given=given, needed="a file that can be written", remedy="make room") from error
    finally:
        for temporary in written:
            temporary.unlink(missing_ok=True)
    return found


def _texts(found: Release, out: Path) -> dict[Path, str]:
    """Return what is written, by file; the guarantee first."""
    record = json.dumps(found.as_json(), indent=1, ensure_ascii=False) + "\n"
    if out.suffix == ".json":
        return {out: record}
    rows = [("value", "count"), *((value, str(count)) for value, count in found.released)]
    lines = [",".join(f'"{part.replace(chr(34), chr(34) * 2)}"' for part in row) for row in rows]
    beside = json.dumps({**found.as_json(), "released": out.name}, indent=1, ensure_ascii=False) + "\n"
    return {out.with_suffix(".guarantee.json"): beside, out: "\r\n".join(lines) + "\r\n"}


def read_counts(path: Path, columns: Columns) -> tuple[Counts, str]:
    """Return how often each value occurs in a file, values in order, and in words what was read.

    An error names the line, and nothing that stands there.

    Raises: InputError where the file cannot be read, or a line is of no use.
    """
    counts: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            if path.suffix.lower() == ".csv":
                rows, words = _csv_rows(csv.reader(file, strict=True), columns, path)
            else:
                rows, words = _lines(file), "each line as one value"
            for line, value, count in rows:
                if not value or len(value) > MOST_LABEL:
                    fault = "no value" if not value else f"a value of more than {MOST_LABEL:,} characters"
                    raise _bad(path, line, fault, "a value in every row")
                counts[value] = counts.get(value, 0) + count
    except UnicodeDecodeError as error:
        raise InputError(given=f"{path}: no UTF-8", needed="a file of UTF-8 text", remedy="convert it") from error
    except csv.Error as error:
        raise InputError(given=f"{path}: {error}", needed="a whole CSV file", remedy="export it again") from error
    except OSError as error:
        raise InputError(given=f"{path}: {error.strerror}", needed="a readable file", remedy="name another") from error
    return sorted(counts.items()), words


def _lines(file: Iterator[str]) -> Iterator[tuple[int, str, int]]:
    for number, text in enumerate(file, 1):
        yield number, text.rstrip("\r\n"), 1


def _csv_rows(reader: Any, columns: Columns, path: Path) -> tuple[Iterator[tuple[int, str, int]], str]:
    """Return the rows of a CSV file as line, value and count, and in words which columns they are."""
    first: list[str] = next(reader, [])
    named = any(name is not None and not name.isdecimal() for name in (columns.value, columns.count))
    has_count = columns.count is not None or (columns.value is None and len(first) > 1)
    header = columns.header
    if header is None:
        header = named or (has_count and columns.count is None and not first[1].strip().isdecimal())

    def place(name: str | None, usual: int) -> int:
        if name is None:
            return usual
        if name.isdecimal():
            return int(name) - 1
        if name not in first:
            needed = "one that its first line names"
            raise InputError(given=f"column {name} of {path}", needed=needed, remedy="name another, or give its number")
        return first.index(name)

    value_at, count_at = place(columns.value, 0), place(columns.count, 1) if has_count else None

    def rows() -> Iterator[tuple[int, str, int]]:
        if first and not header:
            yield _row(first, 1, value_at, count_at, path)
        for row in reader:
            if row:
                yield _row(row, reader.line_num, value_at, count_at, path)

    words = f"column {value_at + 1} as values"
    words += "" if count_at is None else f", column {count_at + 1} as counts"
    return rows(), f"{words}, {'a' if header else 'no'} header"


def _row(row: list[str], line: int, value_at: int, count_at: int | None, path: Path) -> tuple[int, str, int]:
    if max(value_at, count_at or 0) >= len(row):
        raise _bad(path, line, f"{len(row)} columns", f"at least {max(value_at, count_at or 0) + 1}")
    if count_at is None:
        return line, row[value_at], 1
    text = row[count_at].strip()
    if not (text.isascii() and text.isdecimal()) or len(text) > 15:
        raise _bad(path, line, "a count that is no integer >= 0", "a whole number")
    return line, row[value_at], int(text)


def _bad(path: Path, line: int, fault: str, needed: str) -> InputError:
    return InputError(
        given=f"{path}, line {line:,}: {fault}", needed=needed, remedy="mend the line; nothing was released"
    )
