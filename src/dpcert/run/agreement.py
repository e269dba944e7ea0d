"""Agreement of two machines: a job elsewhere must have the same versions, and every file that its target reads."""

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.run.lock.lock import environment
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Listing, ListTargets
from dpcert.worker.reads.record import Record, digest_of, importable, installed, value_digest
from dpcert.worker.reads.recorder import ALWAYS

Digests = dict[str, str | None]
"""By name, the SHA-256 of each file, None for a missing one, and each version."""


def read_on_import(file: str | None, ask: Callable[[ListTargets], Reply[Listing]]) -> Record:
    """Return the record of all files that the import of a target's file reads here; an empty one for no file.

    Where the import fails here, the record has that file alone.
    """
    itself: Digests = {} if file is None else {file: None}
    empty = Record(itself, {}, {}, (), {}, {})
    if file is None:
        return empty
    try:
        reads = ask(ListTargets(file)).reads
    except DpcertError:
        return empty
    return empty if reads is None else replace(reads.record, files={**itself, **reads.record.files})


def agreed(files: Iterable[str]) -> Digests:
    """Return the versions and the digests of files that must be the same elsewhere."""
    here = environment()
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {"dpcert": here["dpcert"], "the source of dpcert": here["sources"], "Python": python}
    return {**versions, **{path: digest_of(Path(path)) for path in files}}


def differing(expected: Digests, here: Record, there: Record) -> str | None:
    """Return in words the first difference between this machine and the one that answered; None where they agree.

    `expected` comes from `agreed` and `here` from `read_on_import`, both on this machine; `there` is the record of the
    job. A package that is not installed here is not compared, unless the file was imported here without it.
    """
    for path in expected:
        if os.path.isabs(path) and path not in there.files:
            return f"{path}, in place of which a worker reads another"
    for path, digest in there.files.items():
        own = expected[path] if path in expected else digest_of(Path(path))
        if own != digest:
            return f"{path}, which is another on a worker"
    for package, version in there.packages.items():
        if installed(package) not in (None, version):
            return f"{package} {installed(package)}, which is {version} on a worker"
    for package in here.packages:
        if package not in there.packages:
            return f"{package} {installed(package)}, which a worker does without"
    for module in here.missing:
        if module not in there.missing:
            return f"the module {module}, which is not here and found on a worker"
    for module in there.missing:
        if importable(module):
            return f"the module {module}, which is here and not found on a worker"
    for name, digest in there.variables.items():
        if name not in ALWAYS and value_digest(os.environ.get(name)) != digest:
            return f"the variable {name}, which is another on a worker"
    return None
