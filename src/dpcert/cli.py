"""The command line: audit, law, recheck, plan, claims, list."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from dpcert.audit.decide import versions
from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE
from dpcert.audit.sampling.decide import DEFAULT_RUNS
from dpcert.cases import Options
from dpcert.catalogue import MECHANISMS, ZOO
from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.plan import Budget, plan_for, plan_lines
from dpcert.process import ChildFailed
from dpcert.progress import Progress
from dpcert.render import COLOURS, bits_words, counts, law_lines, result_line
from dpcert.run import Run, Trouble, audit_all, law_of, recheck_one

__all__ = ["cli", "main"]

OBSERVED = {"outcome": "outcome", "draws": "outcome and draws"}
"""What --observe names, in the kernel's words."""

STATUSES = """Exit status: 0 everything asked for was verified (with --expect: was as declared); 1 something was
refuted; 3 something is undecided and nothing refuted; 2 usage or bad input; 70 internal error."""


def _settings(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(given=f"--set {text}", needed="name=value", remedy="write --set n=10")
        if name in found:
            raise InputError(given=f"--set {name} twice", needed="one value for each name", remedy="leave one out")
        found[name] = value
    return found


def _seconds(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not 0 < value < float("inf"):
        raise InputError(given=f"--time-limit {value:g}", needed="seconds above 0", remedy="write --time-limit 60")
    return value


def _time_limit(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--time-limit", default=30.0, show_default=True, metavar="SECONDS", callback=_seconds, help=words
    )


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--set", "settings", multiple=True, callback=_settings, metavar="NAME=VALUE", help="A parameter."),
        _time_limit("For each target."),
        click.option("--max-runs", default=100_000, show_default=True, help="Runs of the program for one input."),
        click.option("--max-tail", default="1e-30", show_default=True, help="Stop enumerating at this tail."),
        click.option("--eager", is_flag=True, help="Enumerate every value of every draw (small spaces)."),
        click.option(
            "--observe",
            type=click.Choice(list(OBSERVED)),
            help="What the adversary sees: the outcome, or the bounds of the draws, and so the time, as well.",
        ),
        click.option(
            "--law-source",
            type=click.Choice(["program", "closed-form"]),
            default="program",
            show_default=True,
            help="Where laws come from.",
        ),
    ):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=STATUSES)
@click.version_option(versions()["dpcert"], prog_name="dpcert")
def cli() -> None:
    """Decide exactly whether a mechanism is differentially private: verified, refuted, or undecided.

    Auditing a file runs its code, in a child process with limits of time and memory.
    """


@cli.command(epilog=STATUSES)
@click.argument("targets", nargs=-1)
@_shared
@click.option("--epsilon", help="The epsilon to claim, such as 1/10 or ln(3), in place of the target's own.")
@click.option("--delta", help="The delta to claim, such as 1e-6.")
@click.option("--neighbours", help="The neighbour relation, by name.")
@click.option("--expect", is_flag=True, help="Status 0 exactly when each verdict is the one that its target declares.")
@click.option("--certificates", metavar="DIR", help="Write a certificate for each verdict into this folder.")
@click.option("--jobs", default=1, show_default=True, help="Targets audited at once.")
@click.option("--sampling", is_flag=True, help="Audit from samples: refuted at a confidence, or undecided.")
@click.option("--samples", default=DEFAULT_RUNS, show_default=True, help="Runs of a sampled target, at the most.")
@click.option("--confidence", default=DEFAULT_CONFIDENCE, show_default=True, help="Of what samples show.")
@click.option("--seed", type=int, help="Draw a sampled target's coins from this seed, not from the system.")
def audit(
    targets: tuple[str, ...], as_json: bool, expect: bool, certificates: str | None, jobs: int, **rest: Any
) -> int:
    """Audit each TARGET: a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo.

    Without one, everything correct that ships is audited.
    """
    if "" in targets:
        raise InputError(given="an empty target", needed="a name, a file or a folder", remedy="leave it out for all")
    run = _run(rest, certificates=certificates, jobs=jobs)

    def on_result(kind: str, line: str) -> None:
        if not as_json:
            click.echo(f"{_styled(f'{kind:<9}', fg=COLOURS[kind])}  {one_line(line)}")

    outcome = audit_all(
        targets or ("",), run, on_result=lambda result: on_result(result["verdict"], result_line(result))
    )
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
    for trouble in outcome.troubles:
        click.echo(trouble.line(), err=True)
    return outcome.status(expect=expect)


def _run(rest: dict[str, Any], *, certificates: str | None = None, jobs: int = 1) -> Run:
    options = Options(
        epsilon=rest.get("epsilon"),
        delta=rest.get("delta"),
        neighbours=rest.get("neighbours"),
        law_source=rest["law_source"],
        eager=rest["eager"],
        observes=OBSERVED.get(rest["observe"]),
        max_runs=rest["max_runs"],
        max_tail=rest["max_tail"],
        sampling=rest.get("sampling", False),
        samples=rest.get("samples", DEFAULT_RUNS),
        confidence=rest.get("confidence", DEFAULT_CONFIDENCE),
        seed=rest.get("seed"),
    )
    if jobs < 1:
        raise InputError(given=f"--jobs {jobs}", needed="at least one job", remedy="write --jobs 2")
    options.check()
    return Run(
        options=options,
        settings=rest["settings"],
        time_limit=rest["time_limit"],
        certificates=None if certificates is None else os.path.abspath(certificates),
        jobs=jobs,
    )


@cli.command()
@click.argument("target")
@click.option("--input", "text", required=True, metavar="JSON", help='The input, as JSON: 3, [0, 1], "a".')
@_shared
def law(target: str, text: str, as_json: bool, **rest: Any) -> int:
    """Print the exact law of TARGET's outcome on one input."""
    found = law_of(target, text, _run(rest))
    if as_json:
        document = {"schema": "dpcert.law/1", "law": found["law"], "tail": found["tail"]}
        if "bits" in found:
            document["bits"] = found["bits"]
        click.echo(json.dumps(document, indent=1))
    else:
        for line in law_lines(found["law"], found["tail"], [*found["notes"], *bits_words(found.get("bits"))]):
            click.echo(line)
    return 0


@cli.command()
@click.argument("certificate")
@click.option("--target", metavar="FILE.py:FUNCTION", help="The program, where it is not a built-in.")
@_time_limit("For the whole check.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recheck(certificate: str, target: str | None, time_limit: float, as_json: bool) -> int:
    """Re-check CERTIFICATE with the kernel alone: everything is computed again from the program.

    Exit status: 0 accepted, 1 well formed but false, 2 malformed, 3 stopped by the time limit.
    """
    status, found = recheck_one(certificate, target, time_limit)
    if as_json:
        click.echo(json.dumps({"schema": "dpcert.recheck/1", "certificate": certificate, **found}))
    else:
        click.echo(one_line(found["line"]))
    return status


@cli.command()
@click.option("--paper", help="Only this paper, such as finite-computers.")
@click.option("--status", help="Only rows of this status, such as refuted.")
@click.option("--recheck", is_flag=True, help="Have the solvers prove every theorem again, too.")
@click.option("--export", metavar="DIR", help="Write every query of every proof into this folder, as SMT-LIB 2.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to run; the number of processors by default.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def claims(
    paper: str | None, status: str | None, recheck: bool, export: str | None, jobs: int | None, as_json: bool
) -> int:
    """Print the ledger: every statement of the papers and its status; the checks behind it are run again.

    Exit status: 0 when every recorded status is reproduced, refuted rows included, else 1.
    """
    from dpcert.claims import (
        checks_behind,
        claim_line,
        entries,
        not_reproduced,
        proofs_line,
        status_counts,
        write_queries,
    )

    rows = entries(paper=paper, status=status)
    if export is not None:
        click.echo(f"dpcert: {write_queries(Path(export))} queries written to {export}", err=True)
    with Progress(len(checks_behind(rows, proofs=recheck))) as progress:

        def done(name: str) -> None:
            progress.at(name)
            progress.step()

        wrong = not_reproduced(rows, done, proofs=recheck, jobs=jobs)
    if as_json:
        document = {"schema": "dpcert.claims/1", "claims": [entry.as_json() for entry in rows]}
        click.echo(json.dumps(document, indent=1))
    else:
        for entry in rows:
            click.echo(f"{entry.status:<9}  {claim_line(entry)}")
        for line in (proofs_line(rows, recheck), status_counts(rows)):
            if line:
                click.echo(line)
    for entry, reason in wrong:
        click.echo(f"dpcert: {entry.id}: its checks do not bear out the status {entry.status!r}: {reason}", err=True)
    return 1 if wrong else 0


@cli.command(epilog="Exit status: 0 an answer was found; 3 no parameter meets the budget; 2 bad input.")
@click.argument("mechanism")
@click.option("--epsilon", required=True, help="The epsilon that may be spent, such as 1/10 or ln(3).")
@click.option("--delta", required=True, help="The delta that may be spent, such as 1e-8.")
@click.option("--neighbours", required=True, help="The neighbour relation, by name: add-remove or substitute.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    callback=_settings,
    metavar="NAME=VALUE",
    help="What is given; the rest is planned.",
)
@click.option("--frontier", is_flag=True, help="The greatest rate of every threshold as well.")
@click.option("--certificates", metavar="DIR", help="Write bundles of the answer and the frontier into this folder.")
@_time_limit("For each confirming audit.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    mechanism: str,
    epsilon: str,
    delta: str,
    neighbours: str,
    settings: dict[str, str],
    frontier: bool,
    certificates: str | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Find the best parameters of MECHANISM within a budget of epsilon and delta.

    Of sample-threshold, for all counts: the least threshold with --set rate=1/10, or with --set threshold=20 the
    greatest rate, among the multiples of 1/steps (--set steps=1000).
    """
    budget = Budget.of(epsilon, delta, neighbours)
    folder = None if certificates is None else os.path.abspath(certificates)
    run = Run(Options(law_source="closed-form"), settings={}, time_limit=time_limit, certificates=folder)
    found = plan_for(mechanism, budget, settings, run, frontier=frontier)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1))
    else:
        for line in plan_lines(found):
            click.echo(line)
    return 3 if found.answer is None else 0


@cli.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """List the mechanisms that ship, correct ones and the zoo of broken ones, with their parameters."""
    if as_json:
        click.echo(
            json.dumps({"schema": "dpcert.list/1", "mechanisms": [_row(m) for m in (*MECHANISMS, *ZOO)]}, indent=1)
        )
        return 0
    for title, mechanisms in (("Mechanisms", MECHANISMS), ("The zoo: one fault each", ZOO)):
        click.echo(_styled(title, bold=True))
        for mechanism in mechanisms:
            click.echo(f"  {mechanism.name}: {mechanism.words} [{mechanism.source}]")
            for parameter in mechanism.parameters:
                click.echo(f"      --set {parameter.name}={parameter.default}  {parameter.words}")
    return 0


def _row(mechanism: Mechanism) -> dict[str, Any]:
    return {
        "name": mechanism.name,
        "words": mechanism.words,
        "source": mechanism.source,
        "expect": mechanism.expect,
        "twin": mechanism.twin,
        "fault": mechanism.fault,
        "parameters": [{"name": p.name, "default": p.default, "words": p.words} for p in mechanism.parameters],
    }


def _styled(text: str, **style: Any) -> str:
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return click.style(text, **style) if colours else text


def _usage(error: click.UsageError) -> InputError:
    command = error.ctx.command_path if error.ctx is not None else "dpcert"
    empty = isinstance(error, click.exceptions.NoArgsIsHelpError)
    given = f"{command} alone" if empty else error.format_message().rstrip(".")
    needed = "a command: " + ", ".join(cli.commands) if empty else f"the form that {command} takes"
    return InputError(given=given, needed=needed, remedy=f"see {command} --help")


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _prepare() -> None:
    """Make this process's streams bear every text, and signals that end it end its children too."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _terminated)


def _abandon_output() -> None:
    """Send what is still to be written nowhere."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's, and return its exit status; what goes wrong is one line."""
    if arguments is None:
        _prepare()
        arguments = sys.argv[1:]
    as_json = "--json" in arguments
    try:
        status = _status_of(arguments, as_json)
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        status = 128 + signal.SIGINT
    except BrokenPipeError:
        _abandon_output()
        status = 128 + signal.SIGPIPE
    except OSError as error:
        _abandon_output()
        status = 70
        with contextlib.suppress(OSError):
            _report(Trouble.of(ChildFailed(_placed(error))), as_json=False)
    return status


def _status_of(arguments: Sequence[str], as_json: bool) -> int:
    """Run a command line and return its exit status, errors reported.

    Raises: OSError where the system fails, as when output cannot be written; click.Abort, KeyboardInterrupt.
    """
    try:
        with cli.make_context("dpcert", list(arguments)) as context:
            status: int = cli.invoke(context)
    except click.exceptions.Exit as ended:  # --help and --version
        status = ended.exit_code
    except click.UsageError as error:
        status = _report(Trouble.of(_usage(error)), as_json)
    except DpcertError as error:
        status = _report(Trouble.of(error), as_json)
    except (OSError, click.Abort):
        raise
    except Exception as error:
        status = _report(Trouble.of(ChildFailed(_placed(error))), as_json)
    return status


def _placed(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"


def _report(trouble: Trouble, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(trouble.as_json()))
    click.echo(trouble.line(), err=True)
    return trouble.status
