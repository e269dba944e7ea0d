"""The record of the files, modules and variables that a worker process read: the verdict rests on them.

A `Recorder` makes the record in the worker; later `unchanged` compares it with the files of that time.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpcert.worker.codec import Unfit, decode
from dpcert.worker.reads.machine import machine_part
from dpcert.worker.reads.modules import places_of, spec_of
from dpcert.worker.reads.plain import tree_digest


def digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a regular file, or None where no readable one has this path."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    except OSError:
        return None


def value_digest(value: str | None) -> str | None:
    """Return the SHA-256 of a variable's value; None for a variable that is not set."""
    return None if value is None else hashlib.sha256(value.encode("utf-8", "surrogateescape")).hexdigest()


def candidates(folder: Path, names: Iterable[str]) -> str:
    """Return the digest of all entries of a folder that an import of one of these names could find."""
    wanted = set(names)
    try:
        present = [name for name in os.listdir(folder) if name.partition(".")[0] in wanted]
    except OSError:
        present = []
    kinds = [f"{name}/" if (folder / name).is_dir() else name for name in sorted(present)]
    return hashlib.sha256("\0".join(kinds).encode("utf-8", "surrogateescape")).hexdigest()


def installed(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # slow: it imports a package for mail

    try:
        return version(package)
    except PackageNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Record:
    """Files by digest (None for a missing one), and the answers that imports and readings of variables got.

    `folders` maps each folder of the user's to the names that imports looked for in it, and a digest of the matching
    entries. `missing` names modules that could not be imported. `machine` has the state of the parts of the machine
    that the program may have read. `working` is the process's folder, if the program read it or used a relative path.
    `trees` has the syntax trees of Python files whose other bytes the program cannot see. `lent` has the places of
    modules that only an addition of the waiting process to `sys.path` leads to. Paths are relative to the folder that
    `relative_to` got.
    """

    files: dict[str, str | None]
    folders: dict[str, tuple[tuple[str, ...], str]]
    packages: dict[str, str]
    missing: tuple[str, ...]
    variables: dict[str, str | None]
    machine: dict[str, str | None]
    working: str | None = None
    trees: dict[str, str] = field(default_factory=dict)
    lent: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def relative_to(self, root: Path) -> Record:
        """Return the record with absolute paths written relative to a folder."""
        return replace(
            self,
            files={relative(path, root): digest for path, digest in self.files.items()},
            folders={relative(path, root): row for path, row in self.folders.items()},
            working=None if self.working is None else relative(self.working, root),
            trees={relative(path, root): digest for path, digest in self.trees.items()},
            lent={name: tuple(relative(place, root) for place in places) for name, places in self.lent.items()},
        )

    def unchanged(self, root: Path, *, exactly: bool = False) -> bool:
        """Whether the same program would read everything recorded as it was; this reads files, and runs nothing.

        For a file in `trees` only the tree counts, unless `exactly`.
        """
        return (
            all(self._is_as_it_was(root, path, exactly) for path in self.files)
            and all(candidates(root / path, names) == digest for path, (names, digest) in self.folders.items())
            and all(installed(package) == version for package, version in self.packages.items())
            and all(value_digest(os.environ.get(name)) == digest for name, digest in self.variables.items())
            and all(machine_part(part) == state for part, state in self.machine.items())
            and not any(importable(name) for name in self.missing)
            and (self.working is None or os.path.realpath(root / self.working) == os.path.realpath(os.getcwd()))
            and all({os.path.realpath(root / p) for p in lent} == places_of(name) for name, lent in self.lent.items())
        )

    def _is_as_it_was(self, root: Path, path: str, exactly: bool) -> bool:
        same = digest_of(root / path) == self.files[path]
        return same or (not exactly and path in self.trees and tree_digest(root / path) == self.trees[path])


def relative(path: str, root: Path) -> str:
    """Return a path relative to a folder, with `/`; unchanged where no relative path exists."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:
        return path


def record_from(data: object) -> Record | None:
    """Return the record that JSON data spell out, or None for data of another form."""
    try:
        record: Record = decode(Record, data)
    except Unfit:
        return None
    return record


@dataclass(frozen=True, slots=True)
class Reads:
    """The record of a worker's reads, and in words a reading that cannot be pinned; empty where all can."""

    record: Record
    unpinned: str = ""


def importable(name: str) -> bool:
    """Whether an import of this top-level name would find a module here."""
    return spec_of(name) is not None
