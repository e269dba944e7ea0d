"""`dpcert audit`: decide the claims of targets."""

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE, DEFAULT_RUNS
from dpcert.commands.options import Grouped, claims_of_targets, not_both, notes_option, run_of, styled
from dpcert.commands.project import Project, project_options
from dpcert.mechanisms.exact.errors import one_line
from dpcert.run.audits import Outcome, audit_all, claims_of
from dpcert.run.single import Invocation
from dpcert.show.blocks import LABEL, Blocks, width_of_terminal
from dpcert.show.lines import COLOURS, counts, result_line
from dpcert.show.place import located
from dpcert.show.severity import label_of
from dpcert.targets.options import NOISES, TIMINGS
from dpcert.targets.spec import Spec
from dpcert.worker.jobs import Audited
from dpcert.worker.result import result_json
from dpcert.worker.troubles import STATUSES

FORMS = ("blocks", "oneline")


class Printed:
    """The output of a run, result by result: a block each, or one line each.

    A quiet run prints only results that are not verified, or with `expect`, that their targets do not declare. With
    `expect`, a verbose run prints the other results after these.
    """

    def __init__(
        self,
        run: Invocation,
        form: str,
        *,
        verbose: bool = False,
        notes: bool = True,
        quiet: bool = False,
        expect: bool,
        silent: bool,
    ) -> None:
        self.run, self.verbose, self.quiet, self.expect, self.silent = run, verbose, quiet, expect, silent
        self.notes = notes or verbose
        self.blocks = None if form == "oneline" else Blocks(width=width_of_terminal(), verbose=verbose, notes=notes)
        self.later: list[tuple[Audited, Spec]] = []

    def result(self, audited: Audited, spec: Spec) -> None:
        """Print the result of one claim, or keep it for the end."""
        passed = audited.result.verdict == (audited.expect if self.expect else "verified")
        if self.silent or (self.quiet and passed):
            return
        if not (self.expect and passed):
            self._print(audited, spec, f"but declared {audited.expect}: " if self.expect else "")
        elif self.verbose:
            self.later.append((audited, spec))

    def _print(self, audited: Audited, spec: Spec, mark: str = "") -> None:
        result, verdict = audited.result, audited.result.verdict
        accepted, label = self.run.acceptance(spec, result), label_of(result)
        colour = COLOURS[verdict] if label == verdict and not result.rounding else COLOURS["undecided"]
        if self.blocks is None:
            more = f"; accepted {accepted.words()}" if accepted is not None and verdict != "verified" else ""
            line = one_line(f"{mark}{result_line(result, placed=True, whole=self.notes)}{more}")
            place = located(result, spec)
            place = place if place.isprintable() else one_line(place)  # with a line break in the name of a file
            click.echo(f"{place}: {styled(label, fg=colour)}: {line}")
            return
        first, *others = self.blocks.lines(result, mark)
        if accepted is not None and verdict != "verified":
            others += self.blocks.part("  accepted", accepted.words())
        click.echo(styled(first[:LABEL], fg=colour) + first[LABEL:])
        for line in others:
            click.echo(line)

    def skipped(self, name: str, reason: str) -> None:
        """Print that a target was skipped, and why."""
        if not self.silent and not self.quiet:
            label = f"{'skipped':<{LABEL}}"
            click.echo(styled(label, fg=COLOURS["skipped"]) + one_line(f"{name}: {reason}"))

    def end(self, line: str) -> None:
        """Print the results that were kept for the end, and the last line."""
        for audited, spec in self.later:
            self._print(audited, spec)
        click.echo(line)

    def counted(self, outcome: Outcome) -> str:
        """Return the last line: the number of claims with each verdict, and the number of undeclared verdicts."""
        return counts(
            [result.verdict for result in outcome.results],
            outcome.expected if self.expect else None,
            skipped=len(outcome.skipped),
            left=outcome.left,
        )


GROUPS = {
    "The claim": (
        ("epsilon", "delta", "neighbours", "settings", "observe", "noise", "expect"),
        "dpcert audit geosample --set n=5 --epsilon 1/2",
    ),
    "What is printed and kept": (
        ("form", "verbose", "notes", "quiet", "as_json", "certificates", "junit", "sarif", "code_quality"),
        "dpcert audit release.py --format oneline --certificates certificates",
    ),
    "Limits": (
        ("time_limit", "max_runs", "max_tail", "fail_fast", "jobs", "dask"),
        "dpcert audit src --time-limit 120 --jobs 2",
    ),
    "How laws are found": (
        ("law_source", "eager", "exact"),
        "dpcert audit release.py --exact",
    ),
    "Samples and the clock: never verified, refuted at a confidence": (
        ("sampling", "samples", "confidence", "seed", "timing", "resolution"),
        "dpcert audit release.py --sampling --samples 10000 --seed 1",
    ),
    "A project: what has changed": (
        ("lock", "no_lock", "relock", "changed"),
        "dpcert audit --lock dpcert.lock --changed main",
    ),
}
"""The options of `audit` by topic, with an example of each."""


@click.command(cls=Grouped, groups=GROUPS, epilog=STATUSES)
@claims_of_targets
@click.option("--format", "form", type=click.Choice(FORMS), default="blocks", help="A few lines a claim, or one.")
@click.option("-v", "--verbose", is_flag=True, help="Print whole events, exact probabilities and certificates, too.")
@notes_option
@click.option(
    "-q", "--quiet", is_flag=True, help="Print only what is not verified, or not as declared, and the counts."
)
@click.option("--fail-fast", is_flag=True, help="Stop after the first claim that makes the exit status another than 0.")
@click.option("--certificates", metavar="DIR", help="Write a certificate for each verdict into this folder.")
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
    help="The least probability that samples show nothing false of any target of this run.",
)
@click.option("--timing", type=click.Choice(TIMINGS), help="Audit by the clock: outcome and time, or time alone.")
@click.option("--resolution", default=1, show_default=True, help="Of the clock of a timing audit, in nanoseconds.")
@click.option("--seed", type=int, help="The seed of samples; without it, one that the claim and its file fix.")
def audit(
    targets: tuple[str, ...],
    as_json: bool,
    form: str,
    verbose: bool,
    notes: bool,
    quiet: bool,
    expect: bool,
    fail_fast: bool,
    certificates: str | None,
    jobs: int,
    dask: str | None,
    **rest: Any,
) -> int:
    """Audit each TARGET: a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo.

    Without one, those that [tool.dpcert] names are audited, or else everything correct that ships.
    """
    run = run_of(rest, certificates=certificates, jobs=jobs)
    project = Project.of(targets, run, expect=expect, chosen={**rest, "dask": dask})
    if verbose and quiet:
        raise not_both("--verbose", "--quiet")
    printed = Printed(
        project.run, form, verbose=verbose, notes=notes, quiet=quiet, expect=project.expect, silent=as_json
    )
    outcome = Outcome()
    place: AbstractContextManager[Invocation] = nullcontext(project.run)
    if dask is not None:
        from dpcert.run.remote import elsewhere

        place = elsewhere(dask, project.run)
    with place as run:
        audit_all(
            claims_of(project.targets, run, outcome, project.unchanged),
            run,
            outcome,
            on_result=printed.result,
            enough=lambda outcome: fail_fast and outcome.status(expect=project.expect) != 0,
        )
    project.report(outcome)
    for name, reason in outcome.skipped:
        printed.skipped(name, reason)
    finish(outcome, printed, project.notices(outcome), as_json=as_json)
    return outcome.status(expect=project.expect)


def finish(outcome: Outcome, printed: Printed, notices: Iterable[str], *, as_json: bool) -> None:
    """Print the whole outcome as JSON, or after its results their shared notes and counts; then print the troubles."""
    if as_json and (outcome.results or outcome.skipped or not outcome.troubles):
        document: dict[str, Any] = {"schema": "dpcert.audit/1", "results": list(map(result_json, outcome.results))}
        for verdict in ("verified", "refuted", "undecided"):
            document[verdict] = sum(result.verdict == verdict for result in outcome.results)
        if outcome.skipped:
            document["skipped"] = [{"target": name, "reason": reason} for name, reason in outcome.skipped]
        if outcome.left:
            document["not_audited"] = outcome.left
        if outcome.troubles:
            document["errors"] = [trouble.as_json() for trouble in outcome.troubles]
        click.echo(json.dumps(document, indent=1))
    elif as_json:
        click.echo(json.dumps(outcome.troubles[0].as_json()))
    else:
        printed.end(printed.counted(outcome))
    for line in [*notices, *(trouble.line() for trouble in outcome.troubles)]:
        click.echo(line, err=True)
