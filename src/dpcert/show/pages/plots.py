"""The plots of a report as files: SVG and PNG through matplotlib, or the numbers behind them as CSV."""

import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import astuple
from pathlib import Path

from dpcert.proofs.ledger import Entry
from dpcert.show.pages.card import Card, cards_of
from dpcert.show.pages.document import Document
from dpcert.show.pages.ink import Plot, png, svg
from dpcert.show.pages.page import SECTIONS
from dpcert.show.pages.papers import bounds_charts, errata, ledger_table, weighted_charts
from dpcert.targets.files import file_errors, replace_file

VERDICTS = ("verdict", "target", "method", "least epsilon", "least delta", "pairs", "claim")
LEDGER = ("id", "paper", "location", "status", "statement", "scope", "witness", "methods", "uses", "repeats")
ERRATA = ("paper", "location", "as printed", "smallest witness", "what holds", "repeated in")

Row = tuple[str, ...]


def plots_of(document: Document, sections: Collection[str] = tuple(SECTIONS)) -> list[Plot]:
    """Return the plots of a report, in its order."""
    found: list[Plot] = []
    if "claims" in sections:
        found += [plot for card in cards_of(document) for plot in card.charts]
    if "bounds" in sections:
        found += bounds_charts()
    if "weighted" in sections:
        found += weighted_charts([row.result for row in document.results])
    return found


def write_plots(folder: Path, document: Document, *, kind: str, sections: Collection[str]) -> list[Path]:
    """Write each plot as `NAME.kind` into a folder, and return the paths; as CSV, the tables of the report as well.

    Raises: InputError where the folder cannot be written, or matplotlib is not installed.
    """
    written = []
    with file_errors(f"--output {folder}", "a folder that can be written"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in _files(document, kind, sections):
            written.append(folder / f"{name}.{kind}")
            replace_file(written[-1], content)
    return written


def _files(document: Document, kind: str, sections: Collection[str]) -> Iterator[tuple[str, bytes]]:
    for plot in plots_of(document, sections):
        if kind == "csv":
            yield plot.name, _csv([plot.head, *plot.rows])
        else:
            yield plot.name, svg(plot) if kind == "svg" else png(plot)
    if kind == "csv":
        if "verdicts" in sections:
            yield "verdicts", _csv([VERDICTS, *map(_verdict, cards_of(document))])
        if "ledger" in sections:
            yield "ledger", _csv([LEDGER, *map(_row, ledger_table().rows)])
        if "errata" in sections:
            yield "errata", _csv([ERRATA, *map(astuple, errata())])


def _verdict(card: Card) -> Row:
    numbers = (card.least_epsilon, card.least_delta, str(card.pairs))
    return (card.verdict, card.target, card.method, *numbers, card.sentence)


def _row(entry: Entry) -> Row:
    place = (entry.id, entry.paper, entry.location, entry.status)
    found = (entry.statement, entry.scope, entry.witness or "")
    return (*place, *found, " ".join(entry.methods), " ".join(entry.uses), entry.repeats or "")


def _csv(rows: Collection[Row]) -> bytes:
    """Return rows as CSV, a cell that a spreadsheet would take for a formula with an apostrophe before it."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerows([[f"'{cell}" if cell[:1] in tuple("=+-@\t\r") else cell for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "backslashreplace")
