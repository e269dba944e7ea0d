"""`dpcert.lock`: sealed verdicts with their certificates, which count until something changes that they rest on.

An entry counts only with a seal by a key that this run has; `docs/how-to/guard-a-repository.md` says why.
"""

import hashlib
import json
import locale
import os
import platform
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpcert.audit.sources import versions
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.run.lock.lockfile import Entry, Index, key_of, read_lock, rewrite
from dpcert.run.lock.seal import seal_of
from dpcert.targets.spec import FileSpec
from dpcert.worker.codec import decode, encode
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Audit, Audited, Listing, ListTargets
from dpcert.worker.reads.record import Reads, record_from, relative
from dpcert.worker.results import NO_CERTIFICATE, with_certificate, write_text
from dpcert.worker.whereabouts import HOMES

AskListing = Callable[[ListTargets], Reply[Listing]]
AskAudit = Callable[[Audit], Reply[Audited]]

IRRELEVANT = frozenset({"exact", "samples", "confidence", "claims", "seed", "closed_forms"})
"""Options about samples, and about the steps after an undecided audit; the lock keeps neither kind of audit."""
EXACT = frozenset({"exact", "ideal", "every"})
"""The methods of audits that give the same result each time."""
NUMBERED = re.compile(r"(lines?|branches)\W*\d|:\d")
"""The forms in which answers name lines of files: in words, in lists, and after a file's name."""
EVERY = 2.0
"""The fewest seconds between two writes of the file."""


def environment() -> dict[str, str]:
    """Return the versions, a digest of this package's sources, the platform, and the flags of Python."""
    own = hashlib.sha256()
    for place, home in enumerate(map(Path, HOMES)):
        for path in sorted(home.rglob("*.py")):  # `rglob` follows no link to another home
            own.update(f"{place}/{path.relative_to(home).as_posix()}\0{path.stat().st_size}\0".encode())
            own.update(path.read_bytes())
    here = versions()
    flags = {"optimize": sys.flags.optimize, "utf8_mode": sys.flags.utf8_mode, "encoding": locale.getencoding().lower()}
    return {
        "dpcert": here["dpcert"],
        "sources": own.hexdigest(),
        "python": f"{platform.python_implementation()} {here['python']}",
        "platform": " ".join(part for part in (sys.platform, platform.machine(), *platform.libc_ver()) if part),
        "flags": " ".join(f"{name}={value}" for name, value in flags.items()),
    }


def identity_of(job: ListTargets | Audit, root: Path) -> dict[str, Any]:
    """Return the job as JSON data that no other job has; paths are relative to the lock's folder."""
    if isinstance(job, ListTargets):
        return {"op": "specs", **encode(replace(job, file=relative(os.path.realpath(job.file), root)))}
    options = {name: value for name, value in encode(job.options).items() if name not in IRRELEVANT}
    spec = _relative(job.spec, root) if isinstance(job.spec, FileSpec) else job.spec
    return {"op": "audit", "spec": encode(spec), "options": options}


def _relative(spec: FileSpec, root: Path) -> FileSpec:
    return replace(spec, path=relative(os.path.realpath(spec.path), root))


class Lock:
    """A lock file for one run. `trusting` is False for a run that must compute everything anew.

    Raises: InputError where the file is no lock, or of another version's form.
    """

    def __init__(self, path: Path, *, trusting: bool = True, key: bytes | None = None) -> None:
        self.path = path.resolve()
        self.root = self.path.parent
        self.trusting = trusting
        self.key = key
        self.known: Index = read_lock(self.path)
        self.found: Index = {}
        self.environment = environment()
        self.of_another_version = 0
        self.not_ours = 0
        self.unpinned: dict[str, str] = {}
        self._guard = threading.Lock()
        self._last = time.monotonic()

    def listed(self, job: ListTargets, ask: AskListing) -> Listing:
        """Return the answer to a job that lists a file's targets, from the lock or by asking."""
        known = self._recall(job)
        if known is not None:
            listing: Listing = decode(Listing, known["answer"])
            specs = [replace(spec, path=str((self.root / spec.path).resolve())) for spec in listing.specs]
            return replace(listing, specs=specs)
        reply = ask(job)
        listing = reply.delivered()
        if listing.specs:
            kept = replace(listing, specs=[_relative(spec, self.root) for spec in listing.specs])
            self._keep(job, encode(kept), None, reply.reads, label=job.file)
        return listing

    def audited(self, job: Audit, ask: AskAudit, label: str) -> Audited:
        """Return the answer to an audit's job, from the lock or by asking; write the certificate if the job says so."""
        known = self._recall(job)
        if known is not None:
            audited: Audited = decode(Audited, known["answer"])
            note = f"as locked in {self.path.name}: nothing that it rests on has changed"
            audited = replace(audited, result=replace(audited.result, notes=[*audited.result.notes, note]))
            if job.certificates is None:
                return audited
            folder, kept = Path(job.certificates), known["certificate"]
            text = json.dumps(kept["data"], indent=1, sort_keys=True) + "\n"
            return with_certificate(audited, lambda: write_text(folder, kept["name"], text))
        with tempfile.TemporaryDirectory(prefix="dpcert-") as folder_for_now:
            reply = ask(replace(job, certificates=job.certificates or folder_for_now))
            audited = reply.delivered()
            result, certificate = audited.result, None
            if result.certificate is not None:
                path = Path(result.certificate)
                data = _slim(json.loads(path.read_text(encoding="utf-8")))
                certificate = {"name": path.stem, "data": data, "path": self._path()}
        if job.certificates is None:
            notes = [note for note in result.notes if note != NO_CERTIFICATE]
            audited = replace(audited, result=replace(result, certificate=None, notes=notes))
        decided = result.method in EXACT and result.verdict != "undecided"
        if certificate is not None and decided and not reply.early:
            bare = replace(audited, result=replace(audited.result, certificate=None))
            self._keep(job, encode(bare), certificate, reply.reads, label=label)
        return audited

    def notices(self) -> list[str]:
        """Return lines that say which entries did not count and why, and which targets could not be locked."""
        name, lines = self.path.name, []
        if self.of_another_version:
            words = "of another version of dpcert or Python, or another platform"
            lines.append(f"{name}: {_entries(self.of_another_version)} {words}; found again")
        if self.not_ours:
            words = "not sealed with a key of this machine, or edited since"
            lines.append(f"{name}: {_entries(self.not_ours)} {words}; found again")
        lines += [f"{name}: {label} is not locked: {reason}" for label, reason in self.unpinned.items()]
        return [one_line(f"dpcert: {line}") for line in lines]

    def save(self) -> None:
        """Add the new entries to the file, whole or not at all; entries that others added meanwhile stay.

        Raises: InputError where the file cannot be written; it then stays as it was.
        """
        with self._guard:
            if self.found:
                rewrite(self.path, self.found)
                self.found = {}
            self._last = time.monotonic()

    def _recall(self, job: ListTargets | Audit) -> Entry | None:
        if not self.trusting or self.key is None:
            return None
        identity = identity_of(job, self.root)
        entry = self.known.get(key_of(identity, self.environment))
        counts = isinstance(job, Audit)
        if entry is None or entry["environment"] != self.environment:
            others = any(other["job"] == identity for other in self.known.values())
            self.of_another_version += others and counts
            return None
        if not seal_of(self.key).holds(entry):
            self.not_ours += counts
            return None
        record = record_from(entry["record"])
        exactly = isinstance(job, Audit) and job.certificates is not None  # a certificate has digests of all imports
        if record is None or (exactly and entry["certificate"]["path"] != self._path()):
            return None
        return entry if record.unchanged(self.root, exactly=exactly) else None

    def _path(self) -> list[str]:
        """Return the folders of this process's modules: an audited file may name a module and never import it."""
        return [relative(path, self.root) for path in sys.path if path]

    def _keep(
        self, job: ListTargets | Audit, answer: Any, certificate: Any, reads: Reads | None, *, label: str
    ) -> None:
        if reads is None or self.key is None:
            return
        if reads.unpinned:
            if isinstance(job, Audit):
                self.unpinned[label] = f"it reads what cannot be pinned: {reads.unpinned}"
            return
        record = replace(reads.record, trees={}) if NUMBERED.search(json.dumps(answer)) else reads.record
        entry: Entry = {
            "job": identity_of(job, self.root),
            "environment": self.environment,
            "record": encode(record.relative_to(self.root)),
            "answer": answer,
            "certificate": certificate,
            "seals": {},
        }
        seal = seal_of(self.key)
        entry["seals"] = {seal.name: seal.of(entry)}
        with self._guard:
            self.found[key_of(entry["job"], entry["environment"])] = entry
            late = time.monotonic() - self._last > EVERY
        if late:
            with suppress(InputError):  # the last `save` says it
                self.save()


def _entries(count: int) -> str:
    return "1 entry is" if count == 1 else f"{count} entries are"


def _slim(certificate: Any) -> Any:
    """Return a certificate or a bundle without its embedded laws, which a recheck does not need."""
    if "premises" in certificate:
        return {**certificate, "premises": [_slim(premise) for premise in certificate["premises"]]}
    return {**certificate, "embedded": None} if "embedded" in certificate else certificate
