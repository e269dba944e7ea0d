"""The sentences allowed in Rocq files: an allowlist of sentences, imports and names, and the form of statements."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from dpcert.proofs.rocq import record

LIBRARIES = {"Reals", "ZArith", "List", "Bool", "Arith", "Lra", "Lia", "Classical"}
NAMED = ("Definition", "Fixpoint", "Inductive", "Record", "Lemma", "Theorem")
IN_SECTIONS = ("Context", "Variable", "Variables", "Hypothesis", "Let", "Implicit")
ALLOWED = {
    "definitions": {"From", "Import", "Open", "Definition", "Fixpoint", "Inductive", "Record", "Arguments"},
    "facts": {"From", "Open", "Section", "End", "Definition", "Fixpoint", "Record", "Lemma", "Import", *IN_SECTIONS},
    "statements": {"From", "Import", "Open", "Theorem"},
}
HARMLESS = ("Import ListNotations", "Open Scope R_scope", "Open Scope Z_scope")
UNCHECKED = re.compile(r"\b(admit|give_up|\w*no_check|native_\w+|idtac|fail)\b")


def sentences(text: str) -> list[str]:
    """Return the sentences of a file, without comments and without bullets."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        kept.append(part if depth == 0 and part != "*)" else " ")
    return [" ".join(each.split()) for each in re.split(r"\.(?=\s)", "".join(kept) + "\n") if each.strip()]


def faults(read: Mapping[str, str]) -> Iterator[str]:
    """Yield each sentence of a file that is not allowed, given the text of each file."""
    names: Counter[str] = Counter()
    for file in (*record.ORDER, *sorted(set(read) - set(record.ORDER))):
        if file not in read or file not in record.ORDER:
            yield f"{file}.v: the files are those of record.ORDER"
            continue
        wrong, new = _read(file, read[file])
        yield from (f"{file}.v: {fault}" for fault in wrong)
        names.update(new)
    yield from (f"{name} is introduced {count} times" for name, count in names.items() if count > 1)


@cache
def _read(file: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the faults in the text of a file, and the names that it introduces."""
    found, wrong = sentences(text), []
    if re.search(r"[^\n -!#-~]", text):
        wrong.append("a quotation mark, or a sign that is not plain ASCII")
    if file.startswith("statements/"):
        told = record.comments(text)
        stated = [said.split()[1] for said in found if said.startswith("Theorem ")]
        wrong += [f"no comment above {name}" for name in stated[::2] if name not in told]
    wrong += _faults_of(file.partition("/")[0], found)
    return tuple(wrong), tuple(name for each in found for name in introduced(each))


def _faults_of(folder: str, found: list[str]) -> Iterator[str]:
    depth, place = 0, 0
    while place < len(found):
        said, place = found[place], place + 1
        word = said.split()[0]
        # Sentences are allowed by their first word, so that a command which nobody thought of is refused.
        if word not in ALLOWED[folder] or (word in ("Import", "Open") and said not in HARMLESS):
            yield f"may not say {said[:60]!r}"
        elif word == "From" and not _may_import(folder, said):
            yield f"may not import {said!r}"
        elif word in IN_SECTIONS and depth == 0:
            yield f"outside of a section: {said[:60]!r}"
        elif word in NAMED and (fault := _ill_formed(folder, word, said)):
            yield f"{fault}: {said[:60]!r}"
        depth += {"Section": 1, "End": -1}.get(word, 0)
        if word in ("Lemma", "Theorem"):
            end = next((i for i in range(place, len(found)) if found[i] == "Qed"), None)
            if place == len(found) or found[place] != "Proof" or end is None:
                yield f"no proof: {said[:60]!r}"
                return
            proof, place = found[place + 1 : end], end + 1
            yield from (f"in a proof: {step[:60]!r}" for step in proof if not _is_tactic(step))
            if folder == "statements" and (fault := _misstated(said, proof)):
                yield f"{fault}: {said[:60]!r}"
    if folder == "statements":
        stated = [said.split()[1] for said in found if said.startswith("Theorem ")]
        yield from (f"{a} has no instance {a}_met after it" for a, b in _pairs(stated) if b != f"{a}_met")


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    return list(zip(names[::2], [*names[1::2], ""], strict=False))


def _may_import(folder: str, said: str) -> bool:
    if named := re.fullmatch(r"From Coq Require Import ([\w ]+)", said):
        return set(named[1].split()) <= LIBRARIES
    if re.fullmatch(r"From DP\.definitions Require Import [\w ]+", said):
        return True
    return re.fullmatch(r"From DP\.facts Require (Import )?[\w ]+", said) is not None and (
        folder == "facts" or (folder == "statements" and " Import " not in said)
    )


def _ill_formed(folder: str, word: str, said: str) -> str | None:
    """Return why a sentence that introduces a name is not one that a reader can take at its word."""
    if word in ("Definition", "Fixpoint", "Inductive", "Record") and ":=" not in said:
        return "no value"
    if len(re.findall(r"\bwith\b", said)) != len(re.findall(r"\bmatch\b", said)):
        return "several at once"
    hidden = re.findall(r"\{([^}]*)\}", said.partition(":=")[0])
    if folder != "facts" and not all(re.fullmatch(r"[A-Z ]+ : Type", group) for group in hidden):
        return "a hidden argument"
    return None


def _is_tactic(step: str) -> bool:
    return re.match(r"[a-z]", step.lstrip("-+*{} ")) is not None and not UNCHECKED.search(step)


def _misstated(said: str, proof: list[str]) -> str | None:
    """Return why a theorem's proof is not a fact, or why an instance of it is none."""
    name, statement = said.split()[1], said.partition(" : ")[2]
    if not name.endswith("_met"):
        return None if len(proof) == 1 and re.match(r"exact \(?@?facts\.", proof[0]) else "its proof is not exact"
    flat = statement
    while (less := re.sub(r"\([^()]*\)", "", flat)) != flat:
        flat = less
    if flat.startswith("forall ") or re.search(r"(?<!<)->", flat):
        return "an instance with a hypothesis"
    return None if proof and re.match(rf"apply \(?{name.removesuffix('_met')}\b", proof[0]) else "no instance of it"


def introduced(said: str) -> list[str]:
    """Return the names that a sentence introduces, constructors and fields among them."""
    word, *rest = said.split()
    if word not in NAMED or not rest:
        return []
    body = said.partition(":=")[2]
    inner = {"Inductive": r"(?:\||^)\s*([\w']+)", "Record": r"(?:\{|;)\s*([\w']+)"}.get(word)
    return [rest[0], *(re.findall(inner, re.sub(r"\([^()]*\)", "", body)) if inner else [])]
