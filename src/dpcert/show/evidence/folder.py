"""The folder of evidence: written beside its place, checked by its own checker, then put there as a whole."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.show.evidence import check
from dpcert.show.evidence.document import SCHEMA
from dpcert.show.evidence.hazards import hazards_of, sheet
from dpcert.targets.files import file_errors

OWN = (check.EVIDENCE, check.STATEMENT)
"""The files that a folder of evidence has beside those that its document lists."""
WRITABLE = "a folder that can be written"


def need_place(output: Path) -> None:
    """Return if a folder of evidence may stand there: nothing does yet, or an empty folder, or a former one.

    Raises: InputError otherwise.
    """
    if not output.exists() and not output.is_symlink():
        return
    if not output.is_dir() or output.is_symlink():
        given, needed = f"--output {output}, which is no folder", "a folder to write"
        raise InputError(given=given, needed=needed, remedy="name another")
    there = {path.relative_to(output).as_posix() for path in output.rglob("*") if not path.is_dir()}
    foreign = sorted(there - _written_before(output))
    if foreign:
        given = f"--output {output}, where {foreign[0]} is"
        needed = "a new folder, an empty one, or one that dpcert evidence wrote, as it wrote it"
        raise InputError(given=given, needed=needed, remedy="name another folder")


def _written_before(output: Path) -> set[str]:
    """Return the names of the files that an earlier run has written into a folder."""
    try:
        document = json.loads((output / check.EVIDENCE).read_bytes())
        former = document["schema"] == SCHEMA and isinstance(document["files"], dict)
        return {*document["files"], *OWN} if former else set()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


@contextmanager
def unfinished(output: Path) -> Iterator[Path]:
    """Give a folder beside `output` to write into; files that are left in it at the end are removed.

    Raises: InputError where none can be made.
    """
    with file_errors(f"--output {output}", WRITABLE):
        parent = output.absolute().parent
        parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=parent, ignore_cleanup_errors=True)
    with folder as name:
        yield Path(name) / "evidence"


def complete(folder: Path, document: dict[str, Any], page: str, output: Path) -> dict[str, Any]:
    """Add to the certificates and laws in a folder all else, check it, put it in its place, and return its document.

    Raises: InputError where it cannot be written; AssertionError where the checker refuses it.
    """
    with file_errors(f"--output {output}", WRITABLE):
        document = _filled(folder, document, page)
        said: list[str] = []
        assert check.check(folder, said.append) == 0, f"the evidence does not check: {'; '.join(said)}"
        need_place(output)
        _put(folder, output)
    return document


def _filled(folder: Path, document: Mapping[str, Any], page: str) -> dict[str, Any]:
    own = files("dpcert.show.evidence")
    hazards = hazards_of(document["targets"])
    texts = {
        "check.py": own.joinpath("check.py").read_text("utf-8"),
        "hazards.md": sheet(hazards),
        "registry.yaml": _registry_entry(document, hazards),
        "report.html": page,
        "README.md": _readme(document),
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schemas").mkdir(exist_ok=True)
    for path in own.joinpath("schemas").iterdir():
        texts[f"schemas/{path.name}"] = path.read_text("utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    there = sorted(path for path in folder.rglob("*") if path.is_file())
    digests = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in there}
    whole = {**document, "hazards": hazards, "files": digests}
    evidence = (json.dumps(whole, indent=1) + "\n").encode()
    (folder / check.EVIDENCE).write_bytes(evidence)
    statement = check.statement(whole, hashlib.sha256(evidence).hexdigest())
    (folder / check.STATEMENT).write_text(json.dumps(statement, indent=1) + "\n", encoding="utf-8")
    return whole


def _registry_entry(evidence: Mapping[str, Any], hazards: Sequence[Mapping[str, str]]) -> str:
    """Return the fields of an entry in the Differential Privacy Deployments Registry that an audit can fill in.

    They are YAML, in the form that is JSON, too; whoever registers adds the others. The registry has no section called
    validation. Its schema asks, under `implementation`, whether the process was validated and verified, and how
    (`justification`), and what protects from floats, timing and the platform (`mechanisms`). Under `privacy_loss` it
    asks which datasets are adjacent (`privacy_unit_details`).

    Source: `schemas/deployments-schema.yaml` in the repository opendp/deployments-registry-data, commit 057e5d8.
    """
    targets, by_name = evidence["targets"], {row["hazard"]: row for row in hazards}
    asked = ("Finite numbers", "Time and other side channels", "Source of randomness", "Security and access")
    sources = [f"{row['name']} (SHA-256 {row['sha256']})" for row in evidence["sources"]]
    mechanisms = [
        *(f"{name}: {by_name[name]['status']}; {by_name[name]['says']}." for name in asked),
        f"Version of the code: {', '.join(sources) or 'none'}.",
    ]
    counts = ", ".join(f"{evidence[verdict]} {verdict}" for verdict in ("verified", "refuted", "undecided"))
    justification = [
        f"Audited with dpcert {evidence['versions']['dpcert']}: {counts}, {len(evidence['skipped'])} skipped.",
        *(f"{target['verdict']}: {target['claim']['sentence']} ({target['method']})." for target in targets),
        "Laws, certificates and a program that recomputes them are in the folder of evidence.",
    ]
    units = dict.fromkeys(f"{t['target']}: {t['claim']['neighbours']}, on {t['claim']['inputs']}." for t in targets)
    parts = (units, mechanisms, justification)
    details, protections, validation = ("\n".join(f"- {line}" for line in lines) for lines in parts)
    entry = {
        "privacy_loss": {"privacy_unit_details": details},
        "implementation": {"mechanisms": protections, "justification": validation},
    }
    return json.dumps({"deployment": entry}, indent=2) + "\n"


def _readme(document: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{document[verdict]} {verdict}" for verdict in ("verified", "refuted", "undecided"))
    rows = [f"- {target['verdict']}: {target['claim']['sentence']}" for target in document["targets"]]
    rows += [f"- skipped: {row['target']}: {row['reason']}" for row in document["skipped"]]
    rows += [f"- error: {row['given']}" for row in document["errors"]]
    return "\n".join(
        (
            "# Evidence on differential privacy",
            "",
            f"One run of dpcert {document['versions']['dpcert']}: {counts}.",
            "",
            *(row.replace("\n", " ") for row in rows),
            "",
            "`python check.py` recomputes every delta and every witness from `laws/`, with Python alone. It ends with",
            "status 1 where anything is not as stated. `report.html` shows the verdicts, `hazards.md` what they say of",
            "each privacy hazard, `registry.yaml` the fields that they fill in a registry of deployments, and",
            "`statement.json` is an in-toto statement, not signed, about the audited sources.",
            "",
        )
    )


def _put(folder: Path, output: Path) -> None:
    """Put a folder in its place, where an empty one or a former one may be.

    Raises: OSError where that cannot be done; the former folder is then in its place still.
    """
    # A folder cannot replace one with files in it, so the former one makes room first.
    former = folder.with_name("former")
    if output.exists():
        os.replace(output, former)
    try:
        os.replace(folder, output)
    except OSError:
        if former.exists():
            os.replace(former, output)
        raise
    with suppress(OSError):
        shutil.rmtree(former)
