"""What must be the same where a job is carried out elsewhere: the versions, and every file that its target reads."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from dpcert.guard.lock import environment
from dpcert.guard.record import digest_of, installed
from dpcert.mechanisms.exact.errors import DpcertError

__all__ = ["alike", "differing", "file_of", "read_on_import"]

Job = dict[str, Any]
Digests = dict[str, str | None]


def file_of(job: Job) -> str | None:
    """Return the file of a job's target, None for a built-in."""
    spec = (job.get("specs") or [job.get("spec", {})])[0]
    found: str | None = job.get("file") or spec.get("path")
    return found


def read_on_import(file: str, ask: Callable[[Job], Job]) -> list[str]:
    """Return the files that are read when a target's file is imported here, itself among them.

    Of a file that does not import here, that is itself alone.
    """
    job: Job = {"op": "specs", "file": file, "function": None, "settings": {}, "reads": True}
    try:
        return [file, *(path for path in ask(job)["read"]["files"] if path != file)]
    except DpcertError:
        return [file]


def alike(files: Iterable[str]) -> Digests:
    """Return what must be the same here and there, by name: the versions, and files by digest, None where is none."""
    found = environment()
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {"dpcert": found["dpcert"], "the source of dpcert": found["sources"], "Python": python}
    return {**versions, **{path: digest_of(Path(path)) for path in files}}


def differing(expected: Digests, read: Mapping[str, Any]) -> str | None:
    """Return what an answer from elsewhere rests on that is another here, the first in words; None if nothing is.

    `expected` is what `alike` gave here; `read` has the files that the job read there, by digest, and its packages. A
    package that is not installed here is not compared.
    """
    files, packages = read.get("files", {}), read.get("packages", {})
    for path in expected:
        if os.path.isabs(path) and path not in files:
            return f"{path}, in place of which a worker reads another"
    for path, digest in files.items():
        here = expected[path] if path in expected else digest_of(Path(path))
        if here != digest:
            return f"{path}, which is another on a worker"
    for package, version in packages.items():
        if installed(package) not in (None, version):
            return f"{package} {installed(package)}, which is {version} on a worker"
    return None
