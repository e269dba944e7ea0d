"""`dpcert.lock`: verdicts with their certificates, each sealed, for as long as nothing that they rest on has changed.

An entry counts only with a seal made by a key that this run holds; `docs/guard-a-repository.md` says why.
"""

from __future__ import annotations

import copy
import hashlib
import json
import locale
import platform
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import dpcert
from dpcert.audit.certificates import certificate_of
from dpcert.audit.decide import versions
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.run.lock.lockfile import Entry, Index, key_of, read_lock, rewrite
from dpcert.run.lock.seal import seal_of
from dpcert.targets.cases import Spec
from dpcert.unbounded.bundle import Bundle, is_bundle, write_bundle
from dpcert.worker.reads.record import Record, relative
from dpcert.worker.results import NO_CERTIFICATE, keep_certificate, write_certificate

__all__ = ["Lock", "environment", "identity_of"]

Job = dict[str, Any]
Ask = Callable[[Job], Job]

IRRELEVANT = frozenset({"samples", "confidence", "claims", "seed"})
"""Options that say how to sample; samples are never locked."""
EVERY = 2.0
"""Seconds after which what was found is written, at the latest when another target is done."""


def environment() -> dict[str, str]:
    """Return what runs a program here: the versions, a digest of this package's sources, and the platform."""
    own = hashlib.sha256()
    homes = [*dpcert.__path__, *dpcert.audit.__path__, *dpcert.mechanisms.__path__]
    for place, home in enumerate(homes):
        for path in sorted(Path(home).rglob("*.py")):
            own.update(f"{place}/{path.relative_to(home).as_posix()}\0{path.stat().st_size}\0".encode())
            own.update(path.read_bytes())
    found = versions()
    flags = {"optimize": sys.flags.optimize, "utf8_mode": sys.flags.utf8_mode, "encoding": locale.getencoding().lower()}
    return {
        "dpcert": found["dpcert"],
        "sources": own.hexdigest(),
        "python": f"{platform.python_implementation()} {found['python']}",
        "platform": " ".join(part for part in (sys.platform, platform.machine(), *platform.libc_ver()) if part),
        "flags": " ".join(f"{name}={value}" for name, value in flags.items()),
    }


def identity_of(job: Job, root: Path) -> dict[str, Any]:
    """Return what tells a job from every other, with paths relative to the lock's folder."""
    if job["op"] == "specs":
        file = relative(job["file"], root)
        return {"op": "specs", "file": file, "function": job["function"], "settings": job["settings"]}
    spec = dict(job["spec"])
    if "path" in spec:
        spec["path"] = relative(spec["path"], root)
    options = {name: value for name, value in job["options"].items() if name not in IRRELEVANT}
    return {"op": job["op"], "spec": spec, "options": options}


class Lock:
    """A lock file for one run. `trusting` is False for a run that is to find everything anew.

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

    def listed(self, job: Job, ask: Ask) -> Job:
        """Return the answer to a job that lists a file's targets, from the lock or by asking."""
        known = self._recall(job)
        if known is not None:
            answer: Job = copy.deepcopy(known["answer"])
            for spec in answer["specs"]:
                spec["path"] = str((self.root / spec["path"]).resolve())
            return answer
        answer = ask({**job, "record": True})
        if answer.get("specs"):
            kept = copy.deepcopy(answer)
            for spec in kept["specs"]:
                spec["path"] = relative(spec["path"], self.root)
            self._keep(job, kept, None, label=job["file"])
        answer.pop("record", None)
        answer.pop("unpinned", None)
        return answer

    def audited(self, job: Job, ask: Ask, label: str) -> Job:
        """Return the answer to an audit's job, from the lock or by asking; a certificate asked for is written."""
        known = self._recall(job)
        if known is not None:
            answer: Job = copy.deepcopy(known["answer"])
            answer["result"]["notes"].append(f"as locked in {self.path.name}: nothing that it rests on has changed")
            if job["certificates"] is not None:
                keep_certificate(answer, lambda: _write(Path(job["certificates"]), known["certificate"], job["spec"]))
            return answer
        with tempfile.TemporaryDirectory(prefix="dpcert-") as folder:
            answer = ask({**job, "certificates": job["certificates"] or folder, "record": True})
            result = answer["result"]
            written_text = None
            if result["certificate"] is not None:
                written_text = Path(result["certificate"]).read_text(encoding="utf-8")
        if job["certificates"] is None:
            result["certificate"] = None
            result["notes"] = [note for note in result["notes"] if note != NO_CERTIFICATE]
        if written_text is not None and result["method"] == "exact" and result["verdict"] != "undecided":
            kept = {**answer, "result": {**result, "certificate": None}}
            self._keep(job, copy.deepcopy(kept), _slim(json.loads(written_text)), label=label)
        answer.pop("record", None)
        answer.pop("unpinned", None)
        return answer

    def notices(self) -> list[str]:
        """Return in lines why entries were passed over, and what could not be locked."""
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
        """Add what was found to the file, whole or not at all; what others added meanwhile stays.

        Raises: InputError where it cannot be written; the file is as it was then.
        """
        with self._guard:
            if self.found:
                rewrite(self.path, self.found)
                self.found = {}
            self._last = time.monotonic()

    def _recall(self, job: Job) -> Entry | None:
        if not self.trusting or self.key is None:
            return None
        identity = identity_of(job, self.root)
        entry = self.known.get(key_of(identity, self.environment))
        if entry is None or entry["environment"] != self.environment:
            others = any(other["job"] == identity for other in self.known.values())
            self.of_another_version += others and job["op"] != "specs"
            return None
        if not seal_of(self.key).holds(entry):
            self.not_ours += job["op"] != "specs"
            return None
        record = Record.from_data(entry["record"])
        return entry if record is not None and record.unchanged(self.root) else None

    def _keep(self, job: Job, answer: Job, certificate: Any, *, label: str) -> None:
        record, unpinned = answer.pop("record", None), answer.pop("unpinned", "")
        if record is None:
            if unpinned and job["op"] != "specs":
                self.unpinned[label] = f"it reads what cannot be pinned: {unpinned}"
            return
        relatively = Record.from_data(record)
        if relatively is None or self.key is None:
            return
        entry: Entry = {
            "job": identity_of(job, self.root),
            "environment": self.environment,
            "record": relatively.relative_to(self.root).as_data(),
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
    """Return a certificate, or a bundle of them, without the laws that it embeds, which a recheck does not need."""
    if "premises" in certificate:
        return {**certificate, "premises": [_slim(premise) for premise in certificate["premises"]]}
    return {**certificate, "embedded": None}


def _write(folder: Path, certificate: Any, spec: Spec) -> Path:
    text = json.dumps(certificate).encode()
    if is_bundle(text):
        return write_bundle(folder, Bundle.from_text(text))
    return write_certificate(folder, certificate_of(text), spec)
