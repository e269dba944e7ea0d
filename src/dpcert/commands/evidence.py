"""`dpcert evidence`: a folder with verdicts and all that they rest on, which checks itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dpcert.commands.audit import Printed
from dpcert.commands.options import claims_of_targets, run_of
from dpcert.commands.project import with_defaults
from dpcert.commands.report import OWN, need_extra
from dpcert.run.audits import Outcome, audit_all, claims_of
from dpcert.run.config import config_near
from dpcert.worker.troubles import STATUSES


@click.command(epilog=STATUSES)
@click.option("--output", metavar="DIR", default="dpcert-evidence", show_default=True, help="The folder to write.")
@claims_of_targets
def evidence(targets: tuple[str, ...], output: str, as_json: bool, expect: bool, jobs: int, **rest: Any) -> int:
    """Audit each TARGET as `dpcert audit` does, and write a folder to hand on.

    It has certificates, laws, a report, a statement for supply chains, and check.py, which recomputes the verdicts
    from the laws with Python alone. With --json the folder's evidence.json is printed, too.

    \b
    $ dpcert evidence release.py --output evidence
    """
    from dpcert.show.evidence.document import evidence_of
    from dpcert.show.evidence.folder import complete, need_place, unfinished
    from dpcert.show.pages.document import document_of
    from dpcert.show.pages.page import page_of
    from dpcert.show.place import repository_of

    need_extra("html", "report.html")
    place = Path(output)
    need_place(place)
    config = config_near(Path.cwd())
    with unfinished(place) as folder:
        run = with_defaults(run_of(rest, certificates=str(folder / "certificates"), jobs=jobs), config)
        run = replace(run, laws=True)
        printed = Printed(run, "oneline", expect=expect, silent=as_json)
        outcome = Outcome()
        audit_all(claims_of(targets or config.targets or ("",), run, outcome), run, outcome, on_result=printed.result)
        for name, reason in outcome.skipped:
            printed.skipped(name, reason)
        if outcome.troubles and not outcome.results:
            for trouble in outcome.troubles:
                click.echo(trouble.line(), err=True)
            return outcome.status(expect=expect)
        if run.unwritten:
            raise run.unwritten[0].error()
        root = repository_of(Path.cwd())
        document = evidence_of(outcome, root, folder)
        page = page_of(document_of(outcome, run, root), sections=OWN)
        document = complete(folder, document, page, place)
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        printed.end(printed.counted(outcome))
        click.echo(f"written: {output}; python {place / 'check.py'} checks it")
    for trouble in outcome.troubles:
        click.echo(trouble.line(), err=True)
    return outcome.status(expect=expect)
