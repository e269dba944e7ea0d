"""Files of releases: rows as CSV, Parquet or JSON with the record of the guarantee, made whole before they are seen."""

import csv
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.releasing.ready import Released
from dpcert.targets.extras import need_package

SUFFIXES = (".json", ".csv", ".parquet")


def target_of(out: str | Path) -> Path:
    """Return the path to write to.

    Raises: InputError for a name that ends in none of SUFFIXES, and for Parquet without its extra.
    """
    target = Path(out)
    if target.suffix not in SUFFIXES:
        needed = f"a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise InputError(given=f"--out {out}", needed=needed, remedy="rename it")
    if target.suffix == ".parquet":
        need_package("pyarrow", f"--out {out}, a Parquet file", extra="parquet")
    return target


def beside(target: Path) -> Path:
    """Return the path of the record of a release whose rows are in a file that is no .json."""
    return target.with_suffix(".guarantee.json")


@dataclass(slots=True)
class Files:
    """The files of one release, under other names until they are `shown`; those that are not are removed.

    The record stands in a .json file with the rows, and beside another one in a file that ends in .guarantee.json.
    """

    target: Path
    made: dict[Path, Path] = field(default_factory=dict)
    spent: bool = False

    def write(self, columns: tuple[str, ...], rows: Released, record: Mapping[str, Any]) -> None:
        """Write rows and record, on the disk, under names that begin with a dot.

        Raises: OSError where that cannot be done.
        """
        if self.target.suffix == ".json":
            whole = {**record, "released": [list(row) for row in rows]}
            self._make(self.target, lambda path: _text(path, _json(whole)))
            return
        self._make(beside(self.target), lambda path: _text(path, _json({**record, "released": self.target.name})))
        write = _csv if self.target.suffix == ".csv" else _parquet
        self._make(self.target, lambda path: write(path, columns, rows))

    def _make(self, path: Path, write: Callable[[Path], None]) -> None:
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        self.made[path] = temporary
        write(temporary)
        # On the disk before the budget is spent: a crash must not lose rows that were paid for.
        handle = os.open(temporary, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def show(self) -> None:
        """Give the files their names, the record first.

        Raises: InputError, which says where the files are, where that cannot be done.
        """
        for path in list(self.made):
            try:
                os.replace(self.made[path], path)
            except OSError as error:
                given, needed = f"{path}: {error.strerror or error}", f"a place for {self.made[path]}, which is whole"
                remedy = "rename it: the release is made, and what it spends is spent"
                raise InputError(given=given, needed=needed, remedy=remedy) from error
            del self.made[path]

    def clear(self) -> None:
        """Remove the files that were not shown; none where the release was paid for."""
        for temporary in () if self.spent else self.made.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _text(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text)


def _csv(path: Path, columns: tuple[str, ...], rows: Released) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([columns, *rows])


def _parquet(path: Path, columns: tuple[str, ...], rows: Released) -> None:
    from pyarrow import table
    from pyarrow.parquet import write_table

    held = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
    write_table(table(held), path)
