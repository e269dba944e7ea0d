"""The check of each theorem in Rocq that a row of the ledger names: its files are those that the gate has accepted."""

import datetime
import shutil
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from dpcert.proofs.check import Check, CheckResult, first
from dpcert.proofs.rocq import gate, record
from dpcert.proofs.rocq.bindings import BINDINGS


def witnesses(name: str) -> Iterator[str]:
    """Yield why a theorem does not count as checked: it has no statement, or a file changed since the gate ran."""
    if name not in record.stated():
        yield f"{name}: no such theorem is recorded"
    found = record.unchanged()
    if not found.holds:
        yield f"not checked: {found.witness}"


def check_of(name: str) -> Check:
    """Return the check of a theorem: that the gate has accepted these files, and recorded it."""
    return Check(name, lambda: witnesses(name))


CHECKS: Mapping[str, Check] = {name: check_of(name) for name in BINDINGS}
"""The checks of all theorems in Rocq that a row names."""


def compiled_again(names: Collection[str]) -> Mapping[str, CheckResult]:
    """Compile all files, if `coqc` is there and one of the names is a theorem in Rocq, and return the result."""
    asked = [name for name in names if name in BINDINGS]
    if not asked or not shutil.which("coqc"):
        return {}
    found = first(gate.compiled(record.texts(), record.record()))
    return dict.fromkeys(asked, found)


def checked(names: Collection[str], *, again: bool) -> dict[str, Any]:
    """Return how many of the names are theorems in Rocq, which program checked them, and on which day."""
    now = again and shutil.which("coqc") is not None
    on = f"{datetime.date.today()}" if now else record.record()["date"]
    return {
        "theorems": sum(name in BINDINGS for name in names),
        "by": f"Rocq {record.record()['rocq']}",
        "at": on,
        "in_this_run": now,
    }


def said(names: Collection[str], *, again: bool) -> str:
    """Return the line on the theorems in Rocq among the names; empty if there is none."""
    found = checked(names, again=again)
    now = "compiled again in this run" if found["in_this_run"] else "not checked again here"
    hashes = "hashes match" if record.unchanged().holds else "files have changed since"
    return f"{found['theorems']} theorems in Rocq, {record.checked_by()}; {hashes}, {now}" if found["theorems"] else ""
