"""`dpcert audit`: decide the claims of targets."""

from __future__ import annotations

import json
from typing import Any

import click

from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE, DEFAULT_RUNS
from dpcert.commands.options import run_of, shared, styled
from dpcert.commands.project import Project, project_options
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.run.audits import audit_all
from dpcert.run.remote import elsewhere
from dpcert.show.lines import COLOURS, counts, result_line
from dpcert.targets.options import NOISES, TIMINGS
from dpcert.worker.troubles import STATUSES


@click.command(epilog=STATUSES)
@click.argument("targets", nargs=-1)
@shared
@click.option("--epsilon", help="The epsilon to claim, such as 1/10 or ln(3), in place of the target's own.")
@click.option("--delta", help="The delta to claim, such as 1e-6.")
@click.option("--neighbours", help="The neighbour relation, by name.")
@click.option("--expect", is_flag=True, help="Status 0 exactly when each verdict is the one that its target declares.")
@click.option("--certificates", metavar="DIR", help="Write a certificate for each verdict into this folder.")
@click.option("--jobs", default=1, show_default=True, help="Targets audited at once.")
@click.option("--dask", metavar="ADDRESS", help="Audit on the Dask cluster whose scheduler is at this address.")
@project_options
@click.option("--noise", type=click.Choice(NOISES), help="What draws are: ideal random variables, or floats.")
@click.option("--every", metavar="PARAMETER", help="Claim it of all values of this parameter, on ideal noise.")
@click.option("--exact", is_flag=True, help="Never sample: what cannot be read exactly is undecided.")
@click.option("--sampling", is_flag=True, help="Audit from samples: refuted at a confidence, or undecided.")
@click.option("--samples", default=DEFAULT_RUNS, show_default=True, help="Runs of a sampled target, at the most.")
@click.option(
    "--confidence",
    default=DEFAULT_CONFIDENCE,
    show_default=True,
    help="That all which samples show of all targets of this run is right, at the least.",
)
@click.option("--timing", type=click.Choice(TIMINGS), help="Audit by the clock: outcome and time, or time alone.")
@click.option("--resolution", default=1, show_default=True, help="Of the clock of a timing audit, in nanoseconds.")
@click.option("--seed", type=int, help="Replay what samples showed, from the seed that was printed.")
def audit(
    targets: tuple[str, ...],
    as_json: bool,
    expect: bool,
    certificates: str | None,
    jobs: int,
    dask: str | None,
    **rest: Any,
) -> int:
    """Audit each TARGET: a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo.

    Without one, those that [tool.dpcert] names are audited, or else everything correct that ships.
    """
    if "" in targets:
        raise InputError(given="an empty target", needed="a name, a file or a folder", remedy="leave it out for all")
    project = Project.of(
        targets, run_of(rest, certificates=certificates, jobs=jobs), expect=expect, chosen={**rest, "dask": dask}
    )

    def on_result(kind: str, line: str) -> None:
        if not as_json:
            click.echo(f"{styled(f'{kind:<9}', fg=COLOURS[kind])}  {one_line(line)}")

    with elsewhere(dask, project.run) as run:
        outcome = audit_all(
            project.targets,
            run,
            on_result=lambda result: on_result(result["verdict"], result_line(result)),
            unchanged=project.unchanged,
        )
    project.report(outcome)
    for name, reason in outcome.skipped:
        on_result("skipped", f"{name}: {reason}")
    if as_json and (outcome.results or outcome.skipped or not outcome.troubles):
        document: dict[str, Any] = {"schema": "dpcert.audit/1", "results": outcome.results}
        for verdict in ("verified", "refuted", "undecided"):
            document[verdict] = sum(result["verdict"] == verdict for result in outcome.results)
        if outcome.skipped:
            document["skipped"] = [{"target": name, "reason": reason} for name, reason in outcome.skipped]
        if outcome.troubles:
            document["errors"] = [trouble.as_json() for trouble in outcome.troubles]
        click.echo(json.dumps(document, indent=1))
    elif as_json:
        click.echo(json.dumps(outcome.troubles[0].as_json()))
    else:
        click.echo(counts(outcome.results, len(outcome.skipped)))
    for line in [*project.notices(), *(trouble.line() for trouble in outcome.troubles)]:
        click.echo(line, err=True)
    return outcome.status(expect=project.expect)
