"""Write the maps from the papers' items to statements, code and checks into the pages: `python docs/maps.py`.

A page has a map between the lines `<!-- map: PAPER -->` and `<!-- end of map -->`; PAPER may be `errata`, `unreadable`,
`rocq`, `zoo`, `sources`, `numpy`, `board`, `items`, or `figure-3` to `figure-6`.
With `--check` nothing is written, and the status is 1 where a page is not what would be written.
"""

import importlib.util
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import isfunction
from pathlib import Path
from typing import Any

import numpy

from dpcert.audit.kernel.certificate import SOURCES
from dpcert.audit.registry import ROOTS, files_of
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.zoo import ZOO
from dpcert.planning.families import FAMILIES as PLANS
from dpcert.proofs.finite_computers import figures
from dpcert.proofs.ledger import Entry, Row, items
from dpcert.proofs.registry import MODULES, rows
from dpcert.proofs.rocq import bindings, record
from dpcert.reading.domains import deferred
from dpcert.reading.numpy import elementwise, folds, functions, methods
from dpcert.releasing import estimates, reported
from dpcert.releasing.families import FAMILIES as RELEASES
from dpcert.releasing.plans import PLANNED
from dpcert.run.claims import entries
from dpcert.show.lines import WORDS
from dpcert.show.pages.papers import errata

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
    """Return the map of a paper, or one of all: of errata, theorems, faults, law sources, items and others."""
    known: dict[str, Callable[[], str]] = {
        "errata": lambda: failing("refuted"),
        "unreadable": lambda: failing("unreadable"),
        "rocq": rocq,
        "zoo": zoo,
        "sources": sources,
        "numpy": numpy_table,
        "board": board,
        "items": every_item,
        **{f"figure-{n}": partial(figure, n) for n in figures.HEADS},
    }
    return known.get(name, lambda: paper_map(name))()


def zoo() -> str:
    """Return the table of all faults, each with the correct mechanism."""
    return table(("name", "correct", "fault"), map(fault_line, ZOO))


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
    decided = sum(found[row["id"]]["affected"]["outcome"] in {"found", "right"} for row in done)
    known = sum(row["truth"] != "unread" for row in listed)
    head = (
        f"{len(done)} of {len(listed)} rows were audited, and {decided} of the {known} whose truth is known were "
        f"decided rightly. {len(own)} in their own code: {said[0]}. "
        f"{len(anew)} told anew: {said[1]}. Repairs: {outcomes(mended)}.\n"
    )
    names = ("row", "its authors say", "audited", "outcome", "by", "seconds", "repair")
    body = table(names, (board_line(row, how[row["id"]], found[row["id"]]) for row in done))
    rest = table(("row", "not audited, since"), ((link(row), why.get(row["id"], "not yet")) for row in left))
    notes = "".join(f"- {way['row']}: {way['note']}\n" for way in ways["audit"] if "note" in way)
    notes += "".join(map(open_line, done, (found[row["id"]] for row in done)))
    figures = tomllib.loads((folder / "beside.toml").read_text("utf-8"))["figure"]
    others = table(("rows", "tool", "what it publishes", "where"), map(figure_line, figures))
    return "\n".join([head, body, notes, rest, others])


def open_line(row: Mapping[str, str], found: Mapping[str, Any]) -> str:
    """Return why a row or its repair was not decided, or nothing."""
    words = {"affected": "undecided", "repair": "its repair is undecided"}
    lines = (
        f"- {row['id']}: {words[side]}: {one['reason']}.\n"
        for side, one in found.items()
        if one["outcome"] == "undecided"
    )
    return "".join(lines)


def figure_line(figure: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return what another tool publishes about rows of the board."""
    return ", ".join(figure["rows"]), figure["tool"], figure["says"], figure["source"]


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


def fault_line(mechanism: Mechanism) -> tuple[str, str, str]:
    """Return the names of a mechanism with a fault and of the correct one, and the fault in words."""
    fault = mechanism.fault
    assert fault is not None
    return f"`{mechanism.name}`", f"`{fault.of.name}`", fault.words


def figure(number: int) -> str:
    """Return the table of a figure of finite computers: what is printed, and beside it what is exact."""
    return table(figures.HEADS[number], figures.lines(number))


def rocq() -> str:
    """Return every theorem in Rocq by name, file by file, and how it meets the code."""
    parts = [f"All of them: {record.checked_by()}.\n"]
    for file in record.STATEMENTS:
        head = " ".join(record.texts()[f"statements/{file}"].removeprefix("(*").partition("*)")[0].split())
        ways: dict[str, list[str]] = {}
        for name in record.stated():
            if name.startswith(f"{file}."):
                way = bindings.BINDINGS[name].meets if name in bindings.BINDINGS else "for the kernel or the engine"
                ways.setdefault(way, []).append(f"`{name.partition('.')[2]}`")
        named = "; ".join(f"*{way}*: {', '.join(found)}" for way, found in ways.items())
        parts.append(f"### {file}\n\n{head} [Statements](../../proofs/rocq/statements/{file}.v); {named}.\n")
    return "\n".join(parts)


def paper_map(paper: str) -> str:
    """Return the checked items of a paper that the table of items leaves out, those with the same links in a line."""
    listed = {item["id"] for item in items() if item["kind"] in KINDS}
    every = [entry for entry in entries(paper=paper) if listed.isdisjoint(ids(entry))]
    found = [entry for entry in every if entry.status != "open" or (entry.id in ROW_OF and entry.methods)]
    unchecked = len(every) - len(found)
    lines: dict[tuple[str, str], list[str]] = {}
    for entry in found:
        lines.setdefault((entry.status, links(entry)), []).append(entry.location)
    lined = [f"- {'; '.join(places)}, *{status}*: {linked}" for (status, linked), places in lines.items()]
    rest = [f"\nOpen, without a check: {unchecked} (`dpcert claims --paper {paper} --status open`)."]
    return "\n".join([*lined, *rest * bool(unchecked)]) + "\n"


def failing(status: str) -> str:
    """Return the table of the printed statements of a status, each error once, with the places that repeat it."""
    found = errata(status)
    rows = [(each.paper, each.location, each.statement, each.witness, each.corrected, each.repeated) for each in found]
    return table(("paper", "item", "as printed", "smallest witness", "what holds", "repeated in"), rows)


def ids(entry: Entry) -> set[str | None]:
    """Return the id of an entry, and of the printed item that it corrects."""
    row = ROW_OF.get(entry.id)
    return {entry.id, None if row is None else row.corrects}


def links(entry: Entry) -> str:
    """Return links to the checks of an entry and to the code that it describes."""
    return "; ".join(filter(None, [checks(entry), code(ROW_OF[entry.id])]))


KINDS = ("algorithm", "theorem", "lemma", "corollary", "proposition", "figure", "table", "example")
"""The kinds of items that the table of all items lists; the pages of the papers have the others as well."""
ESTIMATING = {
    f"{one.__module__}.{one.__name__}"
    for here in (estimates, reported)
    for one in vars(here).values()
    if isfunction(one)
}
"""What estimates from a release call."""
STATUS, TWIN = "test_the_recorded_status_is_reproduced", "test_the_program_has_the_law_in_closed_form_on_the_last_input"
LEDGER_TEST, TWIN_TEST = "tests/proofs/test_ledger.py", "tests/mechanisms/test_every_mechanism.py"


def every_item() -> str:
    """Return a table of mechanisms with their commands, and one for each paper: its items with what runs them."""
    parts, named = [], set()
    for paper in dict.fromkeys(item["paper"] for item in items()):
        listed = [item for item in items() if item["paper"] == paper and item["kind"] in KINDS]
        head = ("item", "id", "status", "mechanisms", "tests")
        lines = list(map(item_line, listed))
        named |= {name for *_, shown, _ in lines for name in re.findall(r"`([\w-]+)`", shown)}
        parts.append(f"## {paper}\n\n{table(head, lines)}")
    run = ((f"`{name}`", commands) for name in sorted(named) if (commands := mechanism_commands(name)))
    return "\n".join([f"## Mechanisms\n\n{table(('mechanism', 'commands'), run)}", *parts])


def item_line(item: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    """Return an item of a paper, its id, its statuses, the mechanisms that it is about, and which tests it has."""
    forms = [row for row in rows() if item["id"] in (row.id, row.corrects)]
    shown = ", ".join(f"`{one.name}`" for one in mechanisms_of(item, forms))
    if item["kind"] == "algorithm":
        called = {f"dpcert.{name}" for row in forms for name in row.code} & ESTIMATING
        shown = ", ".join(filter(None, [shown, "`dpcert estimate OUT`" * bool(called)])) or "none"
    statuses = ", ".join(dict.fromkeys(row.status for row in forms)) or "open"
    return f"{item['location']}: {item['topic']}", f"`{item['id']}`", statuses, shown, item_tests(item, forms)


def mechanism_commands(name: str) -> str:
    """Return the commands that plan and release a mechanism, as far as there are any."""
    found = []
    if name in PLANS:
        spend = "1" if PLANS[name].pure else "1 --delta 1e-6"
        found.append(f"plan {name} --epsilon {spend} --neighbours {PLANS[name].relations[0]}")
    released = PLANNED[name][0] if name in PLANNED else name
    found += [f"release {released} --epsilon 1 --data FILE --out OUT"] * (released in RELEASES)
    return ", ".join(f"`dpcert {words}`" for words in found)


def mechanisms_of(item: Mapping[str, Any], forms: Sequence[Row]) -> list[Mechanism]:
    """Return the mechanisms whose source names an item, or, for an algorithm, that are built where its code is."""
    homes = {f"dpcert.{name.rpartition('.')[0]}" for row in forms for name in row.code}
    there = item["kind"] == "algorithm"
    return [one for one in MECHANISMS if names(one.source, item) or (there and one.build.__module__ in homes)]


def names(source: str, item: Mapping[str, Any]) -> bool:
    """Whether a mechanism's source, such as `weighted-sampling, Algorithms 1 to 3`, names an item by its number."""
    paper, _, places = source.partition(",")
    if not item["number"] or not paper.startswith(item["paper"]):
        return False
    numbers: set[str] = set()
    for found in re.findall(rf"{item['kind'].title()}s? ([A-Z]?[\d.]+(?:(?:,| and| to) [\d.]+)*)", places):
        first, _, last = found.partition(" to ")
        numbers |= set(map(str, range(int(first), int(last) + 1))) if last else set(re.split(r", | and ", found))
    return item["number"] in numbers


def item_tests(item: Mapping[str, Any], forms: Sequence[Row]) -> str:
    """Return links to the tests of an item: of its mechanisms, of its status, and of how its theorems meet the code."""
    found = [f"{TWIN_TEST}::{TWIN}[{one.name}]" for one in mechanisms_of(item, forms)]
    found += [f"{LEDGER_TEST}::{STATUS}[{row.id}]" for row in forms if row.methods]
    named = [bindings.BINDINGS[name] for row in forms for name in row.methods if name in bindings.BINDINGS]
    found += dict.fromkeys(binding.bound_by for binding in named if binding.bound_by)
    return ", ".join(map(test_link, found)) or "none"


def test_link(name: str) -> str:
    """Return a link to a test: by its own name, or by its module and parameter where it has one."""
    path, _, test = name.partition("::")
    called, _, parameter = test.partition("[")
    words = f"{Path(path).stem}[{parameter}" if parameter else called
    return f"[`{words}`](../../{path})"


def code(row: Row) -> str:
    """Return links to the code that a row speaks of."""
    return ", ".join(f"[`{name.rpartition('.')[2]}`](../../{file_of(name.rpartition('.')[0])})" for name in row.code)


def checks(entry: Entry) -> str:
    """Return links to the checks behind an entry, and to the statements of theorems in Rocq."""
    return ", ".join(f"[{name}]({home_of(name)})" for name in entry.methods)


def home_of(name: str) -> str:
    """Return where a page links to for a check."""
    if name in bindings.BINDINGS:
        return f"../findings/rocq.md#{name.partition('.')[0].lower()}"
    return f"../../{file_of(MODULES[name].removeprefix('dpcert.'))}"


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
