"""Rows of files: lines, CSV or Parquet, with or without a header; values, counts, and the users they are of."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.extras import need_package

MOST_LABEL = 1 << 16
"""The greatest number of characters of a value."""
MOST_DIGITS = 15
STRIDE = 1 << 16
"""The number of rows between two reports of progress."""
TITLES = ("user", "user_id")
"""The first fields that are the title of a column of users."""

Row = tuple[str, str, int]
"""A user, or an empty text where rows have none, a value, and a count."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a file hold users, values and counts, by name or by number from 1; None is the usual place.

    Without names, values stand in the first column, and counts in the second one, where there is one; with users, they
    come first.
    """

    value: str | None = None
    count: str | None = None
    header: bool | None = None
    user: str | None = None


@dataclass(slots=True)
class Rows:
    """The rows of an open file, each as user, value and count; `words` name the columns that were read.

    An error names the line or row, and shows its text only where the terminal is `trusted`.
    """

    path: Path
    trusted: bool
    words: str
    source: Iterator[Any]
    line: Callable[[], int]
    noun: str = "line"
    counted: Callable[[], dict[str, int]] | None = None

    def __iter__(self) -> Iterator[Row]:
        return self.source

    def counts(self) -> dict[str, int]:
        """Return how often each value occurs, by a quicker way than row by row where there is one."""
        if self.counted is not None:
            return self.counted()
        found: dict[str, int] = {}
        for _, value, count in self.source:
            found[value] = found.get(value, 0) + count
        return found

    def bad(self, fault: str, needed: str, value: object = "") -> InputError:
        """Return the error of the row that was read last."""
        shown = f" ({str(value)[:80]!r})" if self.trusted and value != "" else ""
        given = f"{self.path}, {self.noun} {self.line():,}: {fault}{shown}"
        return InputError(given=given, needed=needed, remedy=f"mend the {self.noun}; nothing was released")


@contextmanager
def opened(
    path: Path,
    columns: Columns,
    *,
    users: bool = False,
    trusted: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Iterator[Rows]:
    """Open a file of rows: Parquet by its first bytes, CSV by its name, else one value a line.

    `progress` is called now and then with the part of the file that was read.

    Raises: InputError where the file cannot be read, or a row is of no use.
    """
    report = progress or (lambda part: None)
    try:
        with path.open("rb") as file:
            start = file.read(4)
        if start[:2] == b"\x1f\x8b":
            raise InputError(given=f"{path}: packed by gzip", needed="a file of UTF-8 text", remedy="unpack it")
        if start == b"PAR1":
            with _parquet(path, columns, users, trusted, report) as rows:
                yield rows
            return
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text:
            size = max(1, path.stat().st_size)
            at = _Place(lambda: report(raw.tell() / size))
            yield (_csv if path.suffix.lower() == ".csv" else _lines)(path, text, columns, users, trusted, at)
    except UnicodeDecodeError as error:
        raise InputError(given=f"{path}: no UTF-8", needed="a file of UTF-8 text", remedy="convert it") from error
    except OSError as error:
        raise InputError(given=f"{path}: {error.strerror}", needed="a readable file", remedy="name another") from error


class _Place:
    """The number of the row that was read last; every STRIDE rows it reports."""

    def __init__(self, report: Callable[[], None]) -> None:
        self.row = 0
        self.report = report

    def stepped(self, row: int) -> None:
        self.row = row
        if row % STRIDE == 0:
            self.report()


def _lines(path: Path, text: Any, columns: Columns, users: bool, trusted: bool, at: _Place) -> Rows:
    if users or columns != Columns(header=columns.header) or columns.header:
        needed = "a file of columns, CSV or Parquet"
        raise InputError(given=f"{path}: a file of lines", needed=needed, remedy="name a file that ends in .csv")

    def read() -> Iterator[Row]:
        for number, line in enumerate(text, 1):
            at.stepped(number)
            value = line.rstrip("\r\n")
            if not value or len(value) > MOST_LABEL:
                raise rows.bad(_fault(value), VALUES, value)
            yield "", value, 1

    def counted() -> dict[str, int]:
        found: dict[str, int] = {}
        first = 0
        while chunk := list(islice(text, STRIDE)):
            for line, many in Counter(chunk).items():
                value = line.rstrip("\r\n")
                if not value or len(value) > MOST_LABEL:
                    at.row = first + chunk.index(line) + 1  # equal lines were counted together: the first of them
                    raise rows.bad(_fault(value), VALUES, value)
                found[value] = found.get(value, 0) + many
            first += len(chunk)
            at.stepped(first)
        return found

    rows = Rows(path, trusted, "each line as one value", read(), lambda: at.row, counted=counted)
    return rows


VALUES = f"a value of 1 to {MOST_LABEL:,} characters in every row"


def _fault(value: str) -> str:
    return "no value" if not value else "a value that is too long"


def _csv(path: Path, text: Any, columns: Columns, users: bool, trusted: bool, at: _Place) -> Rows:
    reader = csv.reader(text, strict=True)
    try:
        first: list[str] = next(reader, [])
    except csv.Error as error:
        given = f"{path}, line {reader.line_num}: {error}"
        raise InputError(given=given, needed="a whole CSV file", remedy="export it again") from error
    places, header = _places(first, columns, users, path)

    def read() -> Iterator[Row]:
        if first and not header:
            yield _row(first, places, rows)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise rows.bad(str(error), "a whole CSV file") from error
            if row:
                at.stepped(reader.line_num)
                yield _row(row, places, rows)

    words = _words(places) + f", {'a' if header else 'no'} header"
    rows = Rows(path, trusted, words, read(), lambda: reader.line_num)
    return rows


def _places(first: Sequence[str], columns: Columns, users: bool, path: Path) -> tuple[list[int | None], bool]:
    """Return the places of user, value and count in a row, and whether the first row is a header."""
    named = any(name is not None and not name.isdecimal() for name in (columns.user, columns.value, columns.count))
    usual = 2 if users else 1
    has_count = columns.count is not None or (columns.value is None and len(first) > usual)
    header = columns.header
    if header is None:
        titled = users and columns.user is None and bool(first) and first[0].strip().lower() in TITLES
        counted = has_count and columns.count is None
        header = named or titled or (counted and not _is_number(first[usual]))

    def place(name: str | None, usual: int) -> int:
        if name is None:
            return usual
        if name.isdecimal() and int(name) >= 1:
            return int(name) - 1
        if name not in first:
            needed = "one that its first line names"
            raise InputError(given=f"column {name} of {path}", needed=needed, remedy="name another, or give its number")
        return first.index(name)

    user = place(columns.user, 0) if users else None
    if not users and (columns.user or (columns.value is None and first and first[0].strip().lower() in TITLES)):
        needed = "values of which each row is one person; those of users take bounded-histogram, or a clipped sum"
        raise InputError(given=f"{path}: a column of users", needed=needed, remedy="name the column with --value")
    return [user, place(columns.value, usual - 1), place(columns.count, usual) if has_count else None], header


def _is_number(field: str) -> bool:
    """Whether a field is a number, maybe one that is no count: no title is."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def _words(places: Sequence[int | None]) -> str:
    nouns = ("users", "values", "counts")
    named = zip(places, nouns, strict=True)
    return ", ".join(f"column {place + 1} as {noun}" for place, noun in named if place is not None)


def _row(row: Sequence[str], places: Sequence[int | None], rows: Rows) -> Row:
    user_at, value_at, count_at = places
    try:
        user = "" if user_at is None else row[user_at]
        value = row[value_at or 0]
        count = "1" if count_at is None else row[count_at].strip()
    except IndexError:
        needed = f"at least {1 + max(place or 0 for place in places)}"
        raise rows.bad(f"{len(row)} columns", needed, row) from None
    if user_at is not None and not user:
        raise rows.bad("no user", "a user in every row", row)
    if not value or len(value) > MOST_LABEL or len(user) > MOST_LABEL:
        raise rows.bad(_fault(value and max(value, user, key=len)), VALUES, row)
    if not (count.isascii() and count.isdecimal()) or len(count) > MOST_DIGITS:
        raise rows.bad("a count that is no integer >= 0", "a whole number", row)
    return user, value, int(count)


@contextmanager
def _parquet(
    path: Path, columns: Columns, users: bool, trusted: bool, progress: Callable[[float], None]
) -> Iterator[Rows]:
    need_package("pyarrow", f"{path}, a Parquet file", extra="parquet")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    row = 0
    try:
        with ParquetFile(path) as file:
            names = file.schema_arrow.names
            places, _ = _places(names, Columns(columns.value, columns.count, True, columns.user), users, path)
            chosen = [place for place in places if place is not None]
            if max(chosen) >= len(names):
                needed = f"at least {1 + max(chosen)}"
                raise InputError(given=f"{path}: {len(names)} columns", needed=needed, remedy="name them")
            whole = max(1, file.metadata.num_rows)

            def read() -> Iterator[Row]:
                nonlocal row
                for batch in file.iter_batches(columns=[names[place] for place in chosen]):
                    held = {name: batch.column(name).to_pylist() for name in batch.schema.names}
                    for fields in zip(*(held[names[place]] for place in chosen), strict=True):
                        row += 1
                        yield _typed(fields, places, rows)
                    progress(row / whole)

            words = _words(places) + ", of Parquet"
            rows = Rows(path, trusted, words, read(), lambda: row, "row")
            yield rows
    except ArrowException as error:
        given = f"{path}: no Parquet file that can be read"
        raise InputError(given=given, needed="a whole file", remedy="write it again") from error


def _typed(fields: Sequence[Any], places: Sequence[int | None], rows: Rows) -> Row:
    left = list(fields)
    user = "" if places[0] is None else _text(left.pop(0), rows, "user")
    value = _text(left.pop(0), rows, "value")
    count = 1 if places[2] is None else left.pop(0)
    if type(count) is not int or not 0 <= count < 10**MOST_DIGITS:
        raise rows.bad("a count that is no integer >= 0", "a whole number", fields)
    return user, value, count


def _text(field: Any, rows: Rows, noun: str) -> str:
    if type(field) is int:
        return str(field)
    if type(field) is not str or not field:
        fault = f"no {noun}" if field is None or field == "" else f"a {noun} of type {type(field).__name__}"
        raise rows.bad(fault, f"a {noun} in every row, a text or a whole number", field)
    if len(field) > MOST_LABEL:
        raise rows.bad(_fault(field), f"a {noun} in every row", field)
    return field
