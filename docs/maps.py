"""Write the maps from the papers' items to statements, code and checks into the pages: `python docs/maps.py`.

A page has a map between the lines `<!-- map: PAPER -->` and `<!-- end of map -->`; PAPER may be `errata`, `unreadable`,
`rocq`, `zoo`, `sources`, `numpy` or `board`.
With `--check` nothing is written, and the status is 1 where a page is not what would be written.
"""

import importlib.util
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy

from dpcert.audit.kernel.certificate import SOURCES
from dpcert.audit.registry import ROOTS, files_of
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.zoo import ZOO
from dpcert.proofs.ledger import Entry, Row
from dpcert.proofs.registry import MODULES, rows
from dpcert.proofs.rocq import bindings, record
from dpcert.proofs.rocq.vernacular import introduced, sentences
from dpcert.proofs.trust import trusted
from dpcert.reading.domains import deferred
from dpcert.reading.numpy import elementwise, folds, functions, methods
from dpcert.run.claims import entries
from dpcert.show.lines import WORDS
from dpcert.show.pages.tables import errata

ROOT = Path(__file__).resolve().parents[1]
MAP = re.compile(r"(?<=<!-- map: )([\w-]+)( -->\n).*?(?=<!-- end of map -->)", re.DOTALL)
ROW_OF = {row.id: row for row in rows()}
COUNTER = importlib.util.spec_from_file_location("counter", ROOT / "tests" / "repository" / "test_trusted_base.py")
assert COUNTER is not None
assert COUNTER.loader is not None
counter = importlib.util.module_from_spec(COUNTER)
COUNTER.loader.exec_module(counter)
HUNDRED = 100
"""Lines of code are given to the next hundred, so that most changes leave the page as it is."""


def written(text: str) -> str:
    """Return a page with its maps as they are now."""
    return MAP.sub(lambda found: found[1] + found[2] + "\n" + drawn(found[1]) + "\n", text)


def drawn(name: str) -> str:
    """Return the map of a paper, or one of all: errata, unreadable places, theorems, the zoo, the law sources."""
    return {
        "errata": lambda: failing("refuted"),
        "unreadable": lambda: failing("unreadable"),
        "rocq": rocq,
        "zoo": zoo,
        "sources": sources,
        "numpy": numpy_table,
        "board": board,
    }.get(name, lambda: paper_map(name))()


def zoo() -> str:
    """Return the table of all faults, each with the correct mechanism and the expected witness."""
    return table(("name", "correct", "fault", "witness"), map(fault_line, ZOO))


def sources() -> str:
    """Return the table of the law sources: what each begins with, and how many modules and lines it consists of."""
    return table(("law by", "begins with", "modules", "lines of code"), map(source_line, SOURCES))


def board() -> str:
    """Return how many rows of the board were found, missed and so on, the table of them, and why others are no rows."""
    folder = ROOT / "benchmarks" / "board"
    listed = tomllib.loads((folder / "rows.toml").read_text("utf-8"))["row"]
    ways = tomllib.loads((folder / "audits.toml").read_text("utf-8"))
    found = json.loads((folder / "results.json").read_text("utf-8"))
    how = {way["row"]: way for way in ways["audit"]}
    why = {way["row"]: way["because"] for way in ways["unaudited"]}
    done = [row for row in listed if row["id"] in found]
    left = [row for row in listed if row["id"] not in found]
    own, anew = ([row for row in done if how[row["id"]].get("retold", False) is told] for told in (False, True))
    mended = [found[row["id"]]["repair"] for row in done if "repair" in found[row["id"]]]
    said = [outcomes(found[row["id"]]["affected"] for row in part) for part in (own, anew)]
    head = (
        f"{len(done)} of {len(listed)} rows were audited. {len(own)} in their own code: {said[0]}. "
        f"{len(anew)} told anew: {said[1]}. Repairs: {outcomes(mended)}.\n"
    )
    names = ("row", "its authors say", "audited", "outcome", "by", "seconds", "repair")
    body = table(names, (board_line(row, how[row["id"]], found[row["id"]]) for row in done))
    rest = table(("row", "not audited, since"), ((link(row), why.get(row["id"], "not yet")) for row in left))
    notes = "".join(f"- {way['row']}: {way['note']}\n" for way in ways["audit"] if "note" in way)
    return "\n".join([head, body, notes, rest])


def outcomes(results: Iterable[Mapping[str, str]]) -> str:
    """Return how many results have each outcome."""
    return ", ".join(f"{words} {many}" for words, many in Counter(one["outcome"] for one in results).most_common())


def board_line(row: Mapping[str, str], way: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is said of a row of the board, what was audited for it, and what came of that."""
    packages = [*way.get("packages", []), *way.get("packages_target", []), *way.get("alone_target", [])]
    named = [name for name in packages if name.partition("==")[0].lower() == row.get("package", "").lower()]
    own = [way["checkout"]] if "checkout" in way else named or packages[:1]
    subject = "a program told anew" if way.get("retold") else ", ".join(own)
    one, repair = found["affected"], found.get("repair")
    mended = "" if repair is None else repair["outcome"]
    return link(row), row["says"], subject, one["outcome"], one.get("method", ""), f"{one['seconds']:.0f}", mended


def link(row: Mapping[str, str]) -> str:
    """Return the name of a row of the board, with the place where it is said."""
    return f"[{row['id']}]({row['where']})"


def numpy_table() -> str:
    """Return the table of what the machine does with numpy's functions, and with the methods of arrays."""
    return table(("undecided elements are", "by"), ((words, as_code(names)) for words, names in numpy_rows()))


def as_code(names: Iterable[str]) -> str:
    """Return names in order, as code."""
    return " ".join(f"`{name}`" for name in sorted(set(names)))


REFUSED = (
    *("apply_along_axis", "datetime64", "finfo", "frombuffer", "frompyfunc", "histogramdd", "iinfo", "load", "loadtxt"),
    *("save", "vectorize"),
)
"""A test holds them to the functions of public code that are in no table."""


def numpy_rows() -> list[tuple[str, Iterable[str]]]:
    """Return the rows of the table of numpy: what becomes of undecided elements, and by which functions."""
    each = [name for name in functions.UFUNCS if getattr(numpy, name) in elementwise.RULES]
    followed = {name for name, rule in methods.METHODS.items() if rule is not None and not name.startswith("__")}
    kept = [name for name in functions.UFUNCS if getattr(numpy, name).__name__ in deferred.OPERATIONS]
    decided = {*functions.UFUNCS, *functions.DECIDED} - {*each, *folds.FOLDS}
    return [
        ("computed one by one", [*each, "clip"]),
        ("moved", functions.MOVED),
        ("kept until needed, where several draws meet", [*kept, "where"]),
        ("folded", folds.FOLDS),
        ("not needed", functions.SHAPED),
        ("followed as numpy's own Python", functions.WRITTEN),
        ("decided first", [name for name in decided if hasattr(numpy, name)]),
        ("decided first, in `numpy.linalg`", functions.LINALG),
        ("followed, by methods of arrays", followed),
        ("decided first, by methods of arrays", methods.METHODS.keys() - followed - {"__len__"}),
        ("not needed, by attributes of arrays", [*methods.ATTRIBUTES, "T", "real"]),
        ("refused by name, of the functions that code on privacy calls most", REFUSED),
    ]


def source_line(name: str) -> tuple[str, str, str, str]:
    """Return what a law source begins with, and how large it is with all that it imports."""
    files = files_of(name)
    lines = sum(map(lines_of, files))
    return (
        WORDS.get(name, name),
        ", ".join(map(root_of, ROOTS[name])),
        str(len(files)),
        f"{-(-lines // HUNDRED) * HUNDRED:,}",
    )


@cache
def lines_of(file: str) -> int:
    """Return how many lines of code a file has."""
    lines: int = counter.code_lines(Path(file).read_text("utf-8"))
    return lines


def root_of(name: str) -> str:
    """Return the file of a module, or the folder of a package, from the root of the repository."""
    path = name.removeprefix("dpcert.").replace(".", "/")
    folders = [folder for folder in (path, f"src/dpcert/{path}") if (ROOT / folder).is_dir()]
    return f"`{folders[0]}/`" if folders else f"`{path}.py`"


def fault_line(mechanism: Mechanism) -> tuple[str, str, str, str]:
    """Return what a mechanism with a fault is, and at most four outcomes of the event that refutes it."""
    fault = mechanism.fault
    assert fault is not None
    expected = fault.expected
    more = ["..."] if len(expected.event) > 4 else []
    event = ", ".join([*map(show, expected.event[:4]), *more])
    p, q = Fraction(expected.p), Fraction(expected.q)
    witness = f"{{{event}}} has probability {p} on {show(expected.a)}, {q} on {show(expected.b)}"
    return f"`{mechanism.name}`", f"`{fault.of.name}`", fault.words, witness


def rocq() -> str:
    """Return every theorem in Rocq, file by file, with its statement as Rocq prints it and how it meets the code."""
    texts, words = record.texts(), defined_in_rocq()
    parts = [f"All of them: {record.checked_by()}.\n"]
    for file in record.STATEMENTS:
        head = " ".join(texts[f"statements/{file}"].removeprefix("(*").partition("*)")[0].split())
        parts.append(f"### {file}\n\n{head}\n")
        parts += (rocq_text(each, words) for name, each in record.stated().items() if name.startswith(f"{file}."))
    return "\n".join(parts)


def defined_in_rocq() -> dict[str, str]:
    """Return the file of each definition, but for those of `Laws`, which the page explains."""
    found = [(file, record.texts()[f"definitions/{file}"]) for file in record.DEFINITIONS if file != "Laws"]
    return {name: file for file, text in found for said in sentences(text) for name in introduced(said)}


def words_of(statement: str, words: Mapping[str, str]) -> str:
    """Return the definitions that a statement names, each file with a link; a variable of the same name is none."""
    bound = re.findall(r"\(([\w' ]+) :|(?:forall|exists|fun|let) ([\w' ]+?) ?(?::|,|=>)", statement)
    variables = {name for pair in bound for part in pair for name in part.split()}
    by_file: dict[str, list[str]] = {}
    for word in dict.fromkeys(re.findall(r"[A-Za-z][\w']*", statement)):
        if word in words and word not in variables:
            by_file.setdefault(words[word], []).append(f"`{word}`")
    folder = "../../proofs/rocq/definitions"
    return "; ".join(f"{', '.join(named)} in [{file}.v]({folder}/{file}.v)" for file, named in by_file.items())


def rocq_text(stated: record.Stated, words: Mapping[str, str]) -> str:
    """Return a section on one theorem in Rocq; those that no row names are what the kernel and the engine rely on."""
    file, shown = stated.id.partition(".")[0], stated.statement.replace("\n       ", "\n  ")
    lines = [f"#### {stated.id}\n", f"{stated.summary}\n", f"```coq\n{shown}\n```\n"]
    facts = [f"*Stated in* [{file}.v](../../proofs/rocq/statements/{file}.v)."]
    facts += [f"*Words*: {found}." for found in [words_of(stated.statement, words)] if found]
    if stated.id in bindings.BINDINGS:
        binding = bindings.BINDINGS[stated.id]
        path, _, test = binding.bound_by.partition("::")
        facts.append(f"*Meets the code as*: {binding.meets}" + (f", by [{test}](../../{path})." if test else "."))
        facts.append(f"*Rows*: {', '.join(row.id for row in rows() if stated.id in row.methods)}.")
    return "\n".join([*lines, " ".join(facts), ""])


def paper_map(paper: str) -> str:
    """Return the table of all items of a paper of which something was found, and a list of the open ones."""
    every = entries(paper=paper)
    found = [entry for entry in every if entry.status != "open" or entry.id in ROW_OF]
    waiting = [entry for entry in every if entry not in found]
    parts = []
    if found:
        parts.append("\n".join(map(item, found)) + "\n")
    if waiting:
        parts.append(f"Open, with no check yet: {len(waiting)} of {len(every)} items.\n")
        parts.append("\n".join(f"- {entry.location}: {entry.statement}" for entry in waiting) + "\n")
    return "\n".join(parts)


def failing(status: str) -> str:
    """Return the table of the printed statements of a status, each error once, with the places that repeat it."""
    found = errata(status)
    rows = [(each.paper, each.location, each.statement, each.witness, each.corrected, each.repeated) for each in found]
    return table(("paper", "item", "as printed", "smallest witness", "what holds", "repeated in"), rows)


def item(entry: Entry) -> str:
    """Return what an entry states: status, witness against it, code, checks, what these trust, and their scope."""
    row = ROW_OF[entry.id]
    status = "tested on a grid" if entry.status == "tested" else entry.status
    parts = [f"- **{entry.location}**, *{status}*: {entry.statement.rstrip('.')}."]
    if entry.witness:
        parts.append(f"*Witness*: {entry.witness}.")
    if entry.repeats:
        parts.append(f"*The error of*: {entry.repeats}.")
    links = (("Code", code(row)), ("Checks", checks(entry)), ("Uses", ", ".join(entry.uses)), ("Trusts", trusts(entry)))
    for title, text in links:
        if text:
            parts.append(f"*{title}*: {text}.")
    return " ".join([*parts, f"*{'Grid' if entry.status == 'tested' else 'Scope'}*: {entry.scope}."])


def code(row: Row) -> str:
    """Return links to the code that a row speaks of."""
    return ", ".join(f"[`{name.rpartition('.')[2]}`](../../{file_of(name.rpartition('.')[0])})" for name in row.code)


def checks(entry: Entry) -> str:
    """Return links to the checks behind an entry, and to the statements of theorems in Rocq."""
    return ", ".join(f"[{name}]({home_of(name)})" for name in entry.methods)


def home_of(name: str) -> str:
    """Return where a page links to for a check."""
    if name in bindings.BINDINGS:
        return f"../findings/rocq.md#{name.replace('.', '').lower()}"
    return f"../../{file_of(MODULES[name].removeprefix('dpcert.'))}"


def trusts(entry: Entry) -> str:
    """Return what the checks behind an entry rest on beside Python and their own code."""
    return ", ".join(sorted(set().union(*map(trusted, entry.methods))))


def file_of(module: str) -> str:
    """Return the file of a module of the project, named without `dpcert.`, from the root."""
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rows = [head, ["---"] * len(head), *(list(map(cell, line)) for line in lines)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def cell(text: str) -> str:
    """Return a text that can stand in a table."""
    return text.replace("|", "\\|")


def main(arguments: Sequence[str]) -> int:
    """Write all pages, or with --check say which ones are not up to date."""
    stale = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        new = written(text)
        if new != text:
            stale.append(page.name)
            if "--check" not in arguments:
                page.write_text(new, "utf-8")
    print(f"{'not up to date' if '--check' in arguments else 'written'}: {', '.join(stale) or 'none'}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
