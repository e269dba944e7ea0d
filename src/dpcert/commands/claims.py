"""`dpcert claims`: the ledger, its checks run again."""

import json
from pathlib import Path

import click

from dpcert.commands.options import json_option
from dpcert.run.progress import Progress


@click.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...")
@click.option("--paper", help="Only this paper, such as finite-computers.")
@click.option("--status", help="Only rows of this status, such as refuted.")
@click.option("--recheck", is_flag=True, help="Compile the theorems in Rocq again, if coqc is there.")
@click.option("--export", metavar="DIR", help="Write the theorems in Rocq with their proofs into this folder.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to run; the number of processors by default.")
@json_option()
def claims(
    items: tuple[str, ...],
    paper: str | None,
    status: str | None,
    recheck: bool,
    export: str | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Print the ledger: every statement of the papers and its status; its checks are run again.

    With ITEMs, only the rows of these, by their ids.

    \b
    $ dpcert claims BV/Theorem4.7

    Exit status: 0 when every recorded status is reproduced, refuted rows included, else 1.
    """
    from dpcert.run.claims import (
        checks_behind,
        claim_line,
        entries,
        not_reproduced,
        proofs_as_json,
        rocq_line,
        status_counts,
        write_proofs,
    )

    rows = entries(paper=paper, status=status, items=items)
    if export is not None:
        click.echo(f"dpcert: {write_proofs(Path(export))} files written to {export}", err=True)
    with Progress(len(checks_behind(rows))) as progress:

        def done(name: str) -> None:
            progress.at(name)
            progress.step()

        wrong = not_reproduced(rows, done, again=recheck, jobs=jobs)
    if as_json:
        document = {
            "schema": "dpcert.claims/1",
            "proofs": proofs_as_json(rows, again=recheck),
            "claims": [entry.as_json() for entry in rows],
        }
        click.echo(json.dumps(document, indent=1))
    else:
        for entry in rows:
            click.echo(f"{entry.status:<10}  {claim_line(entry)}")
        for line in (rocq_line(rows, again=recheck), status_counts(rows)):
            if line:
                click.echo(line)
    for entry, reason in wrong:
        click.echo(f"dpcert: {entry.id}: its checks do not bear out the status {entry.status!r}: {reason}", err=True)
    return 1 if wrong else 0
