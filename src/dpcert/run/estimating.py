"""Estimates from a release: its record and its rows, from Python or from its files."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.releasing.data import LABELS, read_labels
from dpcert.releasing.estimates import ESTIMATES
from dpcert.releasing.intervals import need_beta
from dpcert.releasing.made import Estimates, Made
from dpcert.run.releasing import SCHEMA, Release
from dpcert.targets.files import file_errors, json_of


def estimate(
    release: Release | str | Path,
    *,
    beta: object = "1/20",
    settings: Mapping[str, str] | None = None,
    labels: str | Path | Sequence[str] | None = None,
) -> Estimates:
    """Return estimates of the data from a release: one for each row, or for each question in `settings`.

    `release` is the result of `dpcert.release`, or a file that it wrote: `.json`, or `.guarantee.json`, with the rows
    beside it in `.csv` or `.parquet`. An interval misses with probability `beta` at most. `settings` are `ranges` and
    `quantiles` of a hierarchical histogram, `users` and `cap` to debias clipped sums, and `size` for the coverage of an
    anonymized histogram. A compact histogram needs the `labels` of its release. Estimates spend no budget: they are
    post-processing.

    Raises: InputError for a file that is no release, a mechanism without estimates, and invalid settings.
    """
    record = release.as_json() if isinstance(release, Release) else _read(Path(release))
    name = record["mechanism"]
    if name not in ESTIMATES:
        needed = " or ".join(ESTIMATES)
        raise InputError(given=f"estimates of {name}", needed=needed, remedy="read the rows as they are")
    chance, parameters = need_beta(exact(beta, "beta")), record["parameters"]
    need(labels is None or LABELS in parameters, f"labels for {name}", "a compact histogram for them", "leave them out")
    listed = read_labels(labels) if isinstance(labels, str | Path) else labels
    rows = [tuple(row) for row in record["released"]]
    try:
        return ESTIMATES[name](Made(name, parameters, rows, chance, dict(settings or {}), listed))
    except InputError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:  # no release has such rows or parameters
        given = f"rows or parameters of a release that were changed ({type(error).__name__}: {error})"
        raise InputError(given=given, needed="the file that dpcert release wrote", remedy="release again") from error


def _read(path: Path) -> dict[str, Any]:
    """Return the record of a release with its rows.

    Raises: InputError where the files hold no release.
    """
    needed, remedy = "a file that dpcert release wrote", "name the .json or .guarantee.json file"
    with file_errors(path, needed, remedy, ValueError, TypeError, KeyError):
        record: dict[str, Any] = json_of(path)
        if type(record) is not dict or record["schema"] != SCHEMA:
            raise ValueError("no record of a release")
        if isinstance(record["released"], str):
            record["released"] = _rows(path.with_name(record["released"]))
        if type(record["released"]) is not list or type(record["parameters"]) is not dict:
            raise ValueError("a record without rows or parameters")
        if not all(type(value) is str for value in record["parameters"].values()):
            raise ValueError("a parameter that is no text")
        wrong = [row for row in record["released"] if len(row) != len(record["columns"])]
        if wrong:
            raise ValueError("a row of another length than the columns")
    return record


def _rows(path: Path) -> list[tuple[Any, ...]]:
    if path.suffix == ".parquet":
        from pyarrow.parquet import read_table

        table = read_table(path)
        return list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]
