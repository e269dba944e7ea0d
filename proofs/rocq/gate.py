"""The gate of the theorems in Rocq: allowed sentences, a fresh build, the axioms, and the record of statements.

`python -m dpcert.proofs.rocq.gate` compares all with `statements.json`; with `--write` it writes that file, for review.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dpcert.proofs.rocq import extraction, record, values
from dpcert.proofs.rocq.vernacular import LIBRARIES, faults, introduced, sentences

HERE = Path(__file__).parent
AXIOMS = {
    "Coq.Logic.Classical_Prop.classic",
    "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
    "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
}
SECTIONS = {
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
}


def run(command: list[str], folder: Path) -> str:
    """Return the output of a command of Rocq.

    Raises: ValueError with the first lines of its complaint if it fails.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    done = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[:600]}")
    return done.stdout + done.stderr


def build(read: Mapping[str, str], folder: Path) -> dict[str, dict[str, Any]]:
    """Compile the files in an empty folder and return the theorems' statements, the axioms below them, and the values.

    Raises: ValueError for a file that does not compile, or a name of the standard library that is defined anew.
    """
    for file in record.ORDER:
        path = folder / f"{file}.v"
        path.parent.mkdir(exist_ok=True)
        path.write_text(read[file], "utf-8")
        run(["coqc", "-q", "-Q", ".", "DP", f"{file}.v"], folder)
    texts = [read[f"definitions/{file}"] for file in record.DEFINITIONS]
    own = [name for text in texts for each in sentences(text) for name in introduced(each)]
    head = f"From Coq Require Import {' '.join(sorted(LIBRARIES))}."
    # A definition that hides a name of the library would give statements another meaning.
    ask(head, [f"Fail Check {name}." for name in own], folder)
    names = [
        f"{file}.{said.split()[1]}"
        for file in record.STATEMENTS
        for said in sentences(read[f"statements/{file}"])
        if said.startswith("Theorem ") and not said.split()[1].endswith("_met")
    ]
    head = "From Coq Require Import Reals ZArith List.\nOpen Scope R_scope.\nSet Printing Width 110.\n"
    head += "".join(f"From DP.definitions Require Import {file}.\n" for file in record.DEFINITIONS)
    head += "".join(f"From DP.statements Require {file}.\n" for file in record.STATEMENTS) + "Import ListNotations.\n"
    plain = ask(head, [f"Check @DP.statements.{name}." for name in names], folder)
    exact = ask(f"{head}Set Printing All.\n", [f"Check @DP.statements.{name}." for name in names], folder)
    # The tuple of all theorems rests on the axioms of each, and Rocq is asked once.
    every = ", ".join(f"DP.statements.{name}" for name in names)
    (below, *_) = ask(f"{head}Definition every := ({every}).\n", ["Print Assumptions every."], folder)
    computed = ask(head, [f"Eval vm_compute in {question}." for question in values.QUESTIONS], folder)
    theorems = {
        name: {"statement": _type(plain[place]), "exact": " ".join(_type(exact[place]).split())}
        for place, name in enumerate(names)
    }
    shown = (" ".join(each.strip().removeprefix("= ").rpartition(" : ")[0].split()) for each in computed)
    axioms = dict.fromkeys(sorted(re.findall(r"^([A-Z]\w*\.\w+)\s*:", below, re.M)), "")
    (folder / "Ask.v").write_text(extraction.SCRIPT, "utf-8")
    run(["coqc", "-q", "-Q", ".", "DP", "Ask.v"], folder)
    text = extraction.python((folder / "decision.json").read_text("utf-8"))
    hashed = record.hashes({extraction.MODULE: text})
    numbers = dict(zip(values.QUESTIONS, shown, strict=False))
    return {"axioms": axioms, "theorems": theorems, "values": numbers, "extracted": hashed}


def ask(head: str, questions: list[str], folder: Path) -> list[str]:
    """Return Rocq's answer to each question; the type of `Set` is printed between them."""
    (folder / "Ask.v").write_text("\n".join([head, *(f"{each}\nCheck Set." for each in questions)]) + "\n", "utf-8")
    return re.split(r"^Set\s+: Type$", run(["coqc", "-q", "-Q", ".", "DP", "Ask.v"], folder), flags=re.M)


def _type(shown: str) -> str:
    return re.sub(r"\A\S+\s+: ", "", shown.strip())


def trusted(folder: Path) -> Iterator[str]:
    """Yield the second checker's findings that are not allowed: axioms by their full names, and unsafe definitions."""
    names = [f"DP.statements.{file}" for file in record.STATEMENTS]
    yield from unsafe(run(["coqchk", "-o", "-silent", "-Q", ".", "DP", *names], folder))


def unsafe(summary: str) -> Iterator[str]:
    """Yield the entries of a summary of `coqchk -o` beside the axioms of the reals."""
    parts = [each.split(":", 1) for each in summary.split("\n* ")[1:]]
    found = {head.strip(): body.split() for head, body in (part for part in parts if len(part) == 2)}
    if len(found) != len(parts) or set(found) != {"Theory", "Axioms", *SECTIONS}:
        yield f"coqchk says {' '.join(summary.split())[:200]}"
        return
    if " ".join(found["Theory"]) != "Set is predicative":
        yield "coqchk: Set is not predicative"
    yield from (f"coqchk: the axiom {axiom}" for axiom in found["Axioms"] if axiom not in AXIOMS)
    yield from (f"coqchk: {name}: {' '.join(found[name])}" for name in sorted(SECTIONS) if found[name] != ["<none>"])


def on_disk(folder: Path) -> dict[str, str]:
    """Return the text of every `.v` file of a folder, by its path without `.v`."""
    return {str(path.relative_to(folder).with_suffix("")): path.read_text("utf-8") for path in folder.rglob("*.v")}


def main(arguments: list[str]) -> int:
    """Check all files; print their faults. Without `coqc` only texts and hashes are compared."""
    read = on_disk(HERE)
    wrong = list(faults(read))
    kept = {} if "--write" in arguments else json.loads((HERE / record.RECORD).read_text("utf-8"))
    if kept and not wrong:
        wrong = [*record.stale(kept, record.hashes(read)), *extraction.changed(kept)]
    if wrong or not shutil.which("coqc"):
        print("not compiled: " + ("the files are at fault" if wrong else "no coqc here; the hashes are compared"))
    else:
        wrong = compiled(read, kept)
        print(f"compiled {len(read)} files")
        for each in unread(kept):
            print(each)
    print("\n".join(wrong) or "the theorems are as recorded")
    return bool(wrong)


def unread(kept: Mapping[str, Any]) -> Iterator[str]:
    """Yield that statements were not compared, where another version of Rocq prints them in its own way."""
    if kept and _version() != kept["rocq"]:
        yield f"by Rocq {_version()}: what is printed was recorded by {kept['rocq']}, and was not compared"


def _version() -> str:
    return str(re.findall(r"[\d.]+", run(["coqc", "--version"], HERE))[0])


def compiled(read: Mapping[str, str], kept: Mapping[str, Any]) -> list[str]:
    """Compile the files and return their faults and differences from the record; where there is none, write one."""
    version = _version()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = build(read, Path(folder))
            wrong = list(trusted(Path(folder)))
        except ValueError as error:
            return [str(error)]
    if kept and version == kept["rocq"]:
        pairs = [(part, name) for part in found for name in {**found[part], **kept[part]}]
        wrong += [f"{name} is not as recorded" for part, name in pairs if found[part].get(name) != kept[part].get(name)]
    elif not kept and not wrong:
        new = {"rocq": version, "date": f"{datetime.date.today()}", "files": record.hashes(read), **found}
        new["seal"] = record.seal(new)
        (HERE / record.RECORD).write_text(json.dumps(new, indent=1) + "\n", "utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
