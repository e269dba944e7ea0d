"""`dpcert report`: one page, or its plots as files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpcert.commands.options import claims_of_targets, is_given, need_folder, not_both, run_of
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.audits import Outcome, audit_all, claims_of
from dpcert.run.config import config_near
from dpcert.targets.files import file_errors
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import Audited
from dpcert.worker.troubles import STATUSES, Trouble

if TYPE_CHECKING:
    from dpcert.show.pages.document import Document

FORMATS = ("html", "svg", "png", "csv")
OWN = ("verdicts", "claims")
PAPERS = ("bounds", "weighted", "ledger", "errata", "field")
NAMES = (*OWN, *PAPERS)
_AUDITING = "epsilon delta neighbours observe law_source eager max_runs max_tail time_limit jobs"
AUDITING = {"settings": "--set"} | {name: f"--{name.replace('_', '-')}" for name in _AUDITING.split()}
"""The options that control audits, by the names of their parameters."""


@click.command(epilog=STATUSES)
@click.option("--output", metavar="FILE", help="The page, by default dpcert-report.html; of other formats, a folder.")
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), default="html", show_default=True, help="What is written."
)
@click.option("--from", "source", metavar="RESULTS", help="Audit nothing: take the JSON of `dpcert audit` or `report`.")
@click.option("--section", "sections", multiple=True, type=click.Choice(NAMES), help="Only this part; may be repeated.")
@click.option("--papers", is_flag=True, help="With what the papers of this project state, and what was found of it.")
@click.option("--no-stamp", is_flag=True, help="Leave out when the page was written: the same results, the same page.")
@claims_of_targets
def report(
    targets: tuple[str, ...],
    output: str | None,
    kind: str,
    source: str | None,
    sections: tuple[str, ...],
    papers: bool,
    no_stamp: bool,
    as_json: bool,
    expect: bool,
    jobs: int,
    **rest: Any,
) -> int:
    """Audit each TARGET as `dpcert audit` does, and write a page about it.

    The page is one file that loads nothing. With --json what was found is printed, and nothing is written.

    \b
    $ dpcert report release.py --output release.html
    """
    if source is not None and targets:
        raise not_both("targets", "--from")
    for name in AUDITING if source is not None else ():
        if is_given(name):
            raise not_both(AUDITING[name], "--from", "with --from nothing is audited")
    if sections and papers:
        raise not_both("--section", "--papers")
    if as_json and (sections or papers or no_stamp):
        raise not_both("--json", "--section, --papers or --no-stamp", "the JSON is of no page")
    if as_json and (output is not None or kind != "html"):
        raise not_both("--json", "--output or --format", "the JSON goes to standard output")
    from dpcert.show.pages.document import document_of
    from dpcert.show.pages.reading import read_document
    from dpcert.show.place import repository_of

    if not as_json:
        need_extra(kind, f"--format {kind}")
        _need_output(kind, output)
    outcome = Outcome()
    if source is None:
        run = run_of(rest, jobs=jobs)
        named = targets or config_near(Path.cwd()).targets or ("",)
        audit_all(claims_of(named, run, outcome), run, outcome)
        document = document_of(outcome, run, repository_of(Path.cwd()))
    else:
        document = read_document(source)
        _take(document, outcome, expect)
    chosen = sections or (NAMES if papers else OWN)
    if as_json:
        click.echo(json.dumps(document.as_json(), indent=1))
    else:
        moment = None if no_stamp else f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        click.echo(_written(document, kind, output, chosen, moment))
    for trouble in outcome.troubles:
        click.echo(trouble.line(), err=True)
    return outcome.status(expect=expect)


def need_extra(kind: str, given: str) -> None:
    """Return if the packages of a format can be imported: hours of audits before the error would be lost.

    Raises: InputError otherwise, about the `given` option.
    """
    from importlib.util import find_spec

    needed = {"html": ["jinja2", "matplotlib", "markdown_it"], "csv": []}.get(kind, ["matplotlib"])
    for package in needed:
        if find_spec(package) is None:
            remedy = "pip install 'dpcert[report]'"
            raise InputError(given=f"{given} without {package}", needed="the extra report", remedy=remedy)


def _need_output(kind: str, output: str | None) -> None:
    """Return if the output can be written.

    Raises: InputError otherwise.
    """
    if kind != "html":
        need_folder(output or "dpcert-report", f"--output {output or 'dpcert-report'}")
        return
    page = output or "dpcert-report.html"
    with file_errors(f"--output {page}", "a file that can be written"):
        special = Path(page).exists() and not Path(page).is_file()  # a pipe or a device
    if not special:
        need_folder(Path(page).absolute().parent, f"--output {page}", "file")


def _take(document: Document, outcome: Outcome, expect: bool) -> None:
    """Put the results of a file into the outcome, by which the command ends with its exit status.

    Raises: InputError where --expect is given and the file does not have the declared verdicts.
    """
    for row in document.results:
        if expect and row.expected is None:
            needed = "results of dpcert report --json, which say what targets declare"
            raise InputError(given="--expect with the results of dpcert audit", needed=needed, remedy="leave it out")
        outcome.add(Audited(row.result, row.expected or "verified"), CatalogueSpec(row.result.target), 0.0)
    outcome.skipped += [(row["target"], row["reason"]) for row in document.skipped]
    outcome.troubles += [Trouble(row["given"], row["needed"], row["remedy"], 2) for row in document.errors]


def _written(document: Document, kind: str, output: str | None, sections: tuple[str, ...], moment: str | None) -> str:
    from dpcert.show.findings import write_report

    """Write the page, or the files of another format, and return the line that says so."""
    if kind != "html":
        from dpcert.show.pages.plots import write_plots

        folder = Path(output or "dpcert-report")
        files = write_plots(folder, document, kind=kind, sections=sections)
        return f"{len(files)} files written to {folder}"
    from dpcert.show.pages.page import page_of

    path = output or "dpcert-report.html"
    text = page_of(document, sections=sections, stamp=moment)
    write_report(path, text.encode("utf-8", "backslashreplace").decode(), "--output")
    return f"written: {path}"
