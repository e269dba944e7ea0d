"""The record of the gate's last run: each theorem's statement as Rocq prints it, and the hash of every file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from dpcert.proofs.check import CheckResult, first

DEFINITIONS, FACTS, STATEMENTS = (
    tuple(names.split())
    for names in (
        "Laws Programs Decision GeoSample Sampling Keys Histograms Packing EmptyBin Users Chains Accuracy Ranges "
        "Estimates Prevalences Values Priority FastSample TwoSided Clipping Errors Debiasing PrivHist Heavy Compact "
        "Sparse Convolution Orders",
        "Laws Sets Programs Engine Decision GeoSample Sampling Keys Histograms Packing Formulas Distance Exponentials "
        "EmptyBin Users Chains Smoothing Accuracy Ranges Estimates Prevalences Bits Values Passes Densities Priority "
        "CutNoise FastSample TwoSided Clipping Gaussian Errors Debiasing PrivHist Split Heavy Compact Sparse "
        "Convolution Orders",
        "Privacy Kernel GeoSample Histograms Packing Distance Exponentials EmptyBin Sampling Ranges Keys Estimates "
        "Formulas Users Chains Smoothing Accuracy Prevalences Values Passes Priority FastSample Clipping Errors "
        "Debiasing PrivHist Heavy Compact Sparse Convolution Orders",
    )
)
ORDER = (
    *(f"definitions/{name}" for name in DEFINITIONS),
    *(f"facts/{name}" for name in FACTS),
    *(f"statements/{name}" for name in STATEMENTS),
)
"""The files of the development, without `.v`, each after the files that it imports."""

RECORD = "statements.json"


@dataclass(frozen=True, slots=True)
class Stated:
    """A theorem of a statements file: its name, as in `Sampling.theorem_2`, the comment above it, and the statement."""

    id: str
    comment: str
    statement: str

    @property
    def summary(self) -> str:
        """The comment as one paragraph."""
        return " ".join(self.comment.split())


def texts() -> dict[str, str]:
    """Return the text of each file, by its name without `.v`."""
    folder = files("dpcert.proofs.rocq")
    return {name: folder.joinpath(f"{name}.v").read_text("utf-8") for name in ORDER}


def hashes(read: Mapping[str, str]) -> dict[str, str]:
    """Return the hash of each text."""
    return {name: sha256(text.encode()).hexdigest() for name, text in read.items()}


@cache
def record() -> Mapping[str, object]:
    """Return the gate's record: Rocq's version, the date, hashes, axioms, statements and values."""
    found: dict[str, object] = json.loads(files("dpcert.proofs.rocq").joinpath(RECORD).read_text("utf-8"))
    return found


def seal(kept: Mapping[str, object]) -> str:
    """Return the hash of all else in a record, by which a change by hand is seen."""
    rest = {name: part for name, part in kept.items() if name != "seal"}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def stale(kept: Mapping[str, object], now: Mapping[str, str]) -> Iterator[str]:
    """Yield each file whose text is not the one that the gate has checked, the record among them."""
    if kept.get("seal") != seal(kept):
        yield f"{RECORD} is not as the gate has written it"
    then = kept["files"]
    assert isinstance(then, dict)
    yield from (f"{name}.v is not as the gate has checked it" for name in ORDER if then.get(name) != now[name])
    yield from (f"{name}.v was checked and is not there" for name in then if name not in now)


def comments(text: str) -> dict[str, str]:
    """Return the comment above each theorem of a statements file, by the theorem's name."""
    found = re.findall(r"\(\*((?:(?!\*\)).)*)\*\)\s*Theorem ([\w']+)", text, re.S)
    return {name: comment.strip() for comment, name in found}


@cache
def stated() -> Mapping[str, Stated]:
    """Return every theorem that a row of the ledger may name, by its id."""
    kept = record()["theorems"]
    assert isinstance(kept, dict)
    read = texts()
    above = {
        f"{name}.{each}": text for name in STATEMENTS for each, text in comments(read[f"statements/{name}"]).items()
    }
    return {name: Stated(name, above.get(name, ""), entry["statement"]) for name, entry in kept.items()}


@cache
def unchanged() -> CheckResult:
    """Return whether every file is as the gate has checked it, or else the first that is not."""
    return first(stale(record(), hashes(texts())))


def checked_by() -> str:
    """Return who checked the theorems, and when."""
    kept = record()
    return f"checked by Rocq {kept['rocq']} on {kept['date']}"
