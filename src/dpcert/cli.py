"""The command line: audit, law, recheck, list."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from dpcert.audit.decide import versions
from dpcert.catalogue import MECHANISMS, ZOO
from dpcert.cases import Options
from dpcert.mechanisms.exact.errors import DpcertError, InputError
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.render import COLOURS, counts, law_lines, result_line
from dpcert.run import Run, Trouble, audit_all, law_of, recheck_one

__all__ = ["cli", "main"]

STATUSES = """Exit status: 0 everything asked for was verified (with --expect: was as declared); 1 something was
refuted; 3 something is undecided and nothing refuted; 2 usage or bad input; 70 internal error."""


def _settings(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(given=f"--set {text}", needed="name=value", remedy="write --set n=10")
        found[name.strip()] = value.strip()
    return found


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--set", "settings", multiple=True, callback=_settings, metavar="NAME=VALUE", help="A parameter."),
        click.option("--time-limit", default=30.0, show_default=True, metavar="SECONDS", help="For each target."),
        click.option("--max-runs", default=100_000, show_default=True, help="Runs of the program for one input."),
        click.option("--max-tail", default="1e-30", show_default=True, help="Stop enumerating at this tail."),
        click.option("--eager", is_flag=True, help="Enumerate every value of every draw (small spaces)."),
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
def audit(
    targets: tuple[str, ...], as_json: bool, expect: bool, certificates: str | None, jobs: int, **rest: Any
) -> int:
    """Audit each TARGET: a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo.

    Without one, everything correct that ships is audited.
    """
    run = _run(rest, certificates=certificates, jobs=jobs)
    colour = sys.stdout.isatty()

    def on_result(kind: str, line: str) -> None:
        if not as_json:
            click.echo(f"{click.style(f'{kind:<9}', fg=COLOURS[kind]) if colour else f'{kind:<9}'}  {line}")

    outcome = audit_all(targets or ("",), run, on_result=lambda result: on_result(result["verdict"], result_line(result)))
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
        max_runs=rest["max_runs"],
        max_tail=rest["max_tail"],
    )
    if rest["time_limit"] <= 0 or jobs < 1:
        given = f"--time-limit {rest['time_limit']:g} --jobs {jobs}"
        raise InputError(given=given, needed="a time above 0 and at least one job", remedy="raise them")
    options.limits()
    return Run(
        options=options,
        settings=rest["settings"],
        time_limit=rest["time_limit"],
        certificates=None if certificates is None else os.path.abspath(certificates),
        jobs=jobs,
    )


@cli.command()
@click.argument("target")
@click.option("--input", "text", required=True, metavar="JSON", help="The input, as JSON: 3, [0, 1], \"a\".")
@_shared
def law(target: str, text: str, as_json: bool, **rest: Any) -> int:
    """Print the exact law of TARGET's outcome on one input."""
    found = law_of(target, text, _run(rest))
    if as_json:
        document = {"schema": "dpcert.law/1", "law": found["law"], "tail": found["tail"]}
        click.echo(json.dumps(document, indent=1))
    else:
        for line in law_lines(found["law"], found["tail"], found["notes"]):
            click.echo(line)
    return 0


@cli.command()
@click.argument("certificate")
@click.option("--target", metavar="FILE.py:FUNCTION", help="The program, where it is not a built-in.")
@click.option("--time-limit", default=30.0, show_default=True, metavar="SECONDS", help="For the whole check.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recheck(certificate: str, target: str | None, time_limit: float, as_json: bool) -> int:
    """Re-check CERTIFICATE with the kernel alone: everything is computed again from the program.

    Exit status: 0 accepted, 1 well formed but false, 2 malformed, 3 stopped by the time limit.
    """
    status, found = recheck_one(certificate, target, time_limit)
    if as_json:
        click.echo(json.dumps({"schema": "dpcert.recheck/1", "certificate": certificate, **found}))
    else:
        click.echo(found["line"])
    return status


@cli.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """List the mechanisms that ship, correct ones and the zoo of broken ones, with their parameters."""
    if as_json:
        click.echo(json.dumps({"schema": "dpcert.list/1", "mechanisms": [_row(m) for m in (*MECHANISMS, *ZOO)]}, indent=1))
        return 0
    for title, mechanisms in (("Mechanisms", MECHANISMS), ("The zoo: one fault each", ZOO)):
        click.echo(click.style(title, bold=True) if sys.stdout.isatty() else title)
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


def _usage(error: click.UsageError) -> InputError:
    command = error.ctx.command_path if error.ctx is not None else "dpcert"
    return InputError(given=error.format_message().rstrip("."), needed=f"the form that {command} takes", remedy=f"see {command} --help")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    sys.set_int_max_str_digits(0)
    as_json = "--json" in arguments
    try:
        status = cli.main(args=arguments, standalone_mode=False, prog_name="dpcert")
        sys.stdout.flush()
    except click.UsageError as error:
        status = _report(Trouble.of(_usage(error)), as_json)
    except DpcertError as error:
        status = _report(Trouble.of(error), as_json)
    except (click.Abort, KeyboardInterrupt):
        status = 128 + signal.SIGINT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 128 + signal.SIGPIPE
    sys.exit(status if isinstance(status, int) else 0)


def _report(trouble: Trouble, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(trouble.as_json()))
    click.echo(trouble.line(), err=True)
    return trouble.status
