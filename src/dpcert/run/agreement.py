"""What must be the same where a job is carried out elsewhere: the versions, and every file that its target reads."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.run.lock.lock import environment
from dpcert.worker.reads.record import digest_of, importable, installed, value_digest

__all__ = ["alike", "differing", "file_of", "read_on_import"]

Job = dict[str, Any]
Digests = dict[str, str | None]
Read = dict[str, Any]


def file_of(job: Job) -> str | None:
    """Return the file of a job's target, None for a built-in."""
    spec = (job.get("specs") or [job.get("spec", {})])[0]
    found: str | None = job.get("file") or spec.get("path")
    return found


def read_on_import(file: str | None, ask: Callable[[Job], Job]) -> Read:
    """Return what is read when a target's file is imported here: files, packages, and modules looked for in vain.

    Of a file that does not import here, that is the file itself alone; of none, nothing.
    """
    job: Job = {"op": "specs", "file": file, "function": None, "settings": {}, "reads": True}
    itself: dict[str, None] = {} if file is None else {file: None}
    try:
        read: Read = {} if file is None else ask(job)["read"]
    except DpcertError:
        read = {}
    return {"packages": {}, "missing": [], **read, "files": {**itself, **read.get("files", {})}}


def alike(files: Iterable[str]) -> Digests:
    """Return what must be the same here and there, by name: the versions, and files by digest, None where is none."""
    found = environment()
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {"dpcert": found["dpcert"], "the source of dpcert": found["sources"], "Python": python}
    return {**versions, **{path: digest_of(Path(path)) for path in files}}


def differing(expected: Digests, here: Mapping[str, Any], read: Mapping[str, Any]) -> str | None:
    """Return what an answer from elsewhere rests on that is another here, the first in words; None if nothing is.

    `expected` is what `alike` gave here, `here` what `read_on_import` did; `read` has the files that the job read
    there, by digest, its packages, the modules that it looked for in vain, and the variables of the environment that it
    asked for, by digest. A package that is not installed here is not compared, unless the file was imported here
    without it.
    """
    files, packages = read.get("files", {}), read.get("packages", {})
    for path in expected:
        if os.path.isabs(path) and path not in files:
            return f"{path}, in place of which a worker reads another"
    for path, digest in files.items():
        own = expected[path] if path in expected else digest_of(Path(path))
        if own != digest:
            return f"{path}, which is another on a worker"
    for package, version in packages.items():
        if installed(package) not in (None, version):
            return f"{package} {installed(package)}, which is {version} on a worker"
    for package in here.get("packages", {}):
        if package not in packages:
            return f"{package} {installed(package)}, which a worker does without"
    missing = frozenset(read.get("missing", []))
    for module in here.get("missing", []):
        if module not in missing:
            return f"the module {module}, which is not here and found on a worker"
    for module in sorted(missing):
        if importable(module):
            return f"the module {module}, which is here and not found on a worker"
    for name, digest in read.get("variables", {}).items():
        if value_digest(os.environ.get(name)) != digest:
            return f"the variable {name}, which is another on a worker"
    return None
