"""`dpcert claims`: the ledger, its checks run again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from dpcert.run.progress import Progress


@click.command()
@click.option("--paper", help="Only this paper, such as finite-computers.")
@click.option("--status", help="Only rows of this status, such as refuted.")
@click.option(
    "--recheck", is_flag=True, help="Ask cvc5 as well as z3, and compile the theorems in Rocq if coqc is there."
)
@click.option(
    "--export",
    metavar="DIR",
    help="Write every proof into this folder: queries, certificates, derivations, their checker.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to run; the number of processors by default.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def claims(
    paper: str | None, status: str | None, recheck: bool, export: str | None, jobs: int | None, as_json: bool
) -> int:
    """Print the ledger: every statement of the papers and its status; checks are run and theorems proved again.

    Exit status: 0 when every recorded status is reproduced, refuted rows included, else 1.
    """
    from dpcert.proofs.prover import BOTH, FIRST
    from dpcert.run.claims import (
        checks_behind,
        claim_line,
        entries,
        need_second_solver,
        not_reproduced,
        proofs_as_json,
        proofs_line,
        rocq_line,
        status_counts,
        write_proofs,
    )

    if recheck:
        need_second_solver()
    solvers, at = BOTH if recheck else FIRST, datetime.now(UTC)
    rows = entries(paper=paper, status=status)
    if export is not None:
        click.echo(f"dpcert: {write_proofs(Path(export))} queries written to {export}", err=True)
    with Progress(len(checks_behind(rows))) as progress:

        def done(name: str) -> None:
            progress.at(name)
            progress.step()

        wrong = not_reproduced(rows, done, solvers=solvers, jobs=jobs)
    if as_json:
        document = {
            "schema": "dpcert.claims/1",
            "proofs": proofs_as_json(rows, solvers, at),
            "claims": [entry.as_json() for entry in rows],
        }
        click.echo(json.dumps(document, indent=1))
    else:
        for entry in rows:
            click.echo(f"{entry.status:<10}  {claim_line(entry)}")
        for line in (proofs_line(rows, solvers, at), rocq_line(rows, solvers), status_counts(rows)):
            if line:
                click.echo(line)
    for entry, reason in wrong:
        click.echo(f"dpcert: {entry.id}: its checks do not bear out the status {entry.status!r}: {reason}", err=True)
    return 1 if wrong else 0
