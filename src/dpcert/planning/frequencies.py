"""A user's own frequencies from a CSV or Parquet file, read once, and kept as the number of keys of each frequency.
Only numbers that a plan prints leave the process.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.extras import need_package

COLUMNS = ("frequency", "count")
"""The names that the column may have."""
MOST_LINE = 1 << 16
MOST_DIGITS = 18
NEEDED = "a frequency, an integer from 0 to 10^18 - 1, in the last column of each row"
REMEDY = "mend that row"
OTHER_FILES: Mapping[bytes, str] = MappingProxyType(
    {
        b"\x1f\x8b": "which is packed by gzip: unpack it",
        b"PK\x03\x04": "which is packed, as a spreadsheet is: unpack it, or write CSV",
        b"\xff\xfe": "which is text in UTF-16: write it in UTF-8",
        b"\xfe\xff": "which is text in UTF-16: write it in UTF-8",
    }
)
"""Formats other than CSV and Parquet, by their first bytes."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The number of keys of each frequency from 1 on, in ascending order, and the number of rows with a frequency of
    0.
    """

    keys_of: tuple[tuple[int, int], ...]
    zeros: int

    @property
    def keys(self) -> int:
        return sum(many for _, many in self.keys_of)

    @property
    def total(self) -> int:
        return sum(frequency * many for frequency, many in self.keys_of)

    @property
    def greatest(self) -> int:
        return self.keys_of[-1][0]


def read_frequencies(path: str) -> Frequencies:
    """Return the frequencies of a file: rows "key,frequency", or of a frequency alone; Parquet by its first bytes.

    A first row of CSV whose last field is one of COLUMNS is a header; of Parquet the column of such a name is taken.
    Rows are not compared: a key that occurs in two of them counts as two keys.

    Claims:   memory grows with the number of different frequencies alone.
    Raises:   InputError, which names the row, for one without such a number; for a file that is missing, cannot be
              read, or has no frequency above 0; and for Parquet without the extra `parquet`.
    """
    source = Path(path)
    try:
        if not source.is_file():
            raise _unusable(path, "which is no file" if source.exists() else "which does not exist")
        with source.open("rb") as file:
            first = file.read(4)
        fault = next((fault for start, fault in OTHER_FILES.items() if first.startswith(start)), None)
        if fault is not None:
            raise _unusable(path, fault)
        counted = Counter(_parquet(path) if first == b"PAR1" else _csv(source))
    except OSError as error:
        raise _unusable(path, f"which cannot be read: {error.strerror}") from None
    zeros = counted.pop(0, 0)
    if not counted:
        raise _unusable(path, f"with {zeros} rows of 0 and no other" if zeros else "which has no rows")
    return Frequencies(tuple(sorted(counted.items())), zeros)


def _unusable(path: str, fault: str) -> InputError:
    needed = "a CSV or Parquet file of keys and frequencies"
    return InputError(given=f"--frequencies {path}, {fault}", needed=needed, remedy="name another file")


def _bad(path: str, row: int, fault: str, *, named: str = "line") -> InputError:
    return InputError(given=f"--frequencies {path}, {named} {row:,}: {fault}", needed=NEEDED, remedy=REMEDY)


def _csv(source: Path) -> Iterator[int]:
    path, row = str(source), 0
    with source.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        while text := file.readline(MOST_LINE):
            row += 1
            if len(text) == MOST_LINE:
                raise _bad(path, row, f"it has {MOST_LINE:,} characters or more")
            last = text.rpartition(",")[2].strip()
            if '"' in text:
                try:
                    (fields,) = csv.reader([text], strict=True)
                except (csv.Error, ValueError):
                    raise _bad(path, row, "it is no line of CSV by itself") from None
                last = fields[-1].strip() if fields else ""
            if last.isascii() and last.isdigit() and len(last) <= MOST_DIGITS:
                yield int(last)
            elif row > 1 or last.lower() not in COLUMNS:
                raise _bad(path, row, _fault(last))


def _fault(last: str) -> str:
    if not last:
        return "there is no frequency"
    if last.isascii() and last.isdigit():
        return f"a frequency of {len(last)} digits"
    shown = last if len(last) <= 40 else last[:37] + "..."
    if last[0] == "-" and last[1:].isdigit():
        return f"{shown!r} is negative"
    split = next((words for sign, words in (("\t", "a tab"), (";", "a semicolon")) if sign in last), None)
    return f"{shown!r} is no integer" + (f"; columns are split by a comma, not by {split}" if split else "")


def _parquet(path: str) -> Iterator[int]:
    need_package("pyarrow", f"--frequencies {path}, a Parquet file", extra="parquet")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    row = 0
    try:
        with ParquetFile(path) as file:
            column = _column(path, file.schema_arrow.names)
            for batch in file.iter_batches(columns=[column]):
                for value in batch.column(0).to_pylist():
                    row += 1
                    yield _checked(path, row, value)
    except ArrowException as error:
        raise _unusable(path, f"which is no Parquet file that can be read: {error}") from None


def _column(path: str, names: list[str]) -> str:
    found = [name for name in names if name.lower() in COLUMNS]
    if len(found) == 1:
        return found[0]
    if len(names) == 1:
        return names[0]
    raise _unusable(path, f"with columns {', '.join(names[:10])}, of which not one is named {' or '.join(COLUMNS)}")


def _checked(path: str, row: int, value: Any) -> int:
    if type(value) is int and 0 <= value < 10**MOST_DIGITS:
        return value
    raise _bad(path, row, "there is no frequency" if value is None else _fault(str(value)), named="row")
