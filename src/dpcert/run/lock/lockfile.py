"""The file of a lock: strictly read, and rewritten whole or not at all, by one process at a time."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.files import file_errors, replace_file

SCHEMA = "dpcert.lock/1"
FIELDS: dict[str, type | tuple[type, ...]] = {
    "job": dict,
    "environment": dict,
    "record": dict,
    "answer": dict,
    "certificate": (dict, type(None)),
    "seals": dict,
}
MAX_BYTES = 256 << 20

Entry = dict[str, Any]
Index = dict[str, Entry]
"""Entries by the text of their job and environment."""


def key_of(job: Mapping[str, Any], environment: Mapping[str, Any]) -> str:
    """Return the key of an entry: a text of the job, the versions and the platform."""
    place = {name: environment.get(name) for name in ("python", "platform", "flags")}
    return json.dumps([job, place], sort_keys=True)


def read_lock(path: Path) -> Index:
    """Return the entries of a lock file; none where there is no file.

    Raises: InputError where the file cannot be read, or has not this version's form of a lock.
    """
    with file_errors(path, "a lock file that can be read", "name another with --lock"):
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return {}
    return entries_of(text, str(path))


def entries_of(text: bytes, name: str) -> Index:
    """Return the entries that a lock's text spells out.

    Raises: InputError for a text that is no lock; so no such file is ever overwritten.
    """
    try:
        if len(text) > MAX_BYTES:
            raise ValueError(f"{len(text)} bytes, and at most {MAX_BYTES} are read")
        data = json.loads(text.decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        remedy = "take the whole file from one side of the merge, or remove it: all is found again"
        raise InputError(given=f"{name}: {error}", needed="a lock that dpcert wrote", remedy=remedy) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        given = f"{name}: a lock of the form {str(schema)[:40]!r}"
        remedy = "use the version of dpcert that wrote it, or remove it: all is found again"
        raise InputError(given=given, needed=f"the form {SCHEMA!r} of this version", remedy=remedy)
    rows = data.get("entries")
    if set(data) != {"schema", "entries"} or not isinstance(rows, list) or not all(map(_is_entry, rows)):
        remedy = "take it from your version control, or remove it: all is found again"
        raise InputError(given=f"{name}: a lock that was edited", needed="a lock that dpcert wrote", remedy=remedy)
    return {key_of(row["job"], row["environment"]): row for row in rows}


def rewrite(path: Path, new: Index) -> None:
    """Put new entries into a lock file in place of the entries with their keys, and drop entries of missing files.

    A new entry that differs from the old one only in seals keeps the other seals.

    Raises: InputError where the file cannot be rewritten; it then stays as it was.
    """
    remedy = "make room or name another with --lock; the lock is as it was"
    with file_errors(path, "a lock file that can be written", remedy), alone(path.parent):
        entries = read_lock(path)
        for key, entry in new.items():
            old = entries.get(key)
            if old is not None and {**old, "seals": {}} == {**entry, "seals": {}}:
                entry = {**entry, "seals": {**old["seals"], **entry["seals"]}}
            entries[key] = entry
        kept = [entries[key] for key in sorted(entries) if key in new or _is_there(entries[key], path.parent)]
        text = json.dumps({"schema": SCHEMA, "entries": kept}, indent=1, sort_keys=True) + "\n"
        replace_file(path, text, synced=True)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make other processes that ask for the same folder wait; on a system without file locks, none waits."""
    try:
        import fcntl
    except ImportError:  # not on this platform
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _is_there(entry: Entry, folder: Path) -> bool:
    """Whether the file that an entry is about still exists; true for an entry about no file."""
    job = entry["job"]
    spec = job.get("spec")
    file = job.get("file") if spec is None else spec.get("path") if isinstance(spec, dict) else None
    return not isinstance(file, str) or (folder / file).exists()


def _is_entry(row: object) -> bool:
    if not isinstance(row, dict) or set(row) != set(FIELDS):
        return False
    seals = row["seals"]
    whole = all(isinstance(row[name], kind) for name, kind in FIELDS.items())
    return whole and all(isinstance(seal, str) for seal in seals.values())


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("an object repeats a key")
    return table
