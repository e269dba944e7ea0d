"""Options that several commands take, and the runs that they describe."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.single import Invocation
from dpcert.targets.files import file_errors
from dpcert.targets.options import Options

if TYPE_CHECKING:
    from dpcert.show.pages.ink import Plot

PICTURES = (".svg", ".png")
OBSERVED = {"outcome": "outcome", "draws": "outcome and draws"}
"""The values of --observe, each with the kernel's word for it."""


class Grouped(click.Command):
    """A command whose help has its options in groups, {title: (names of parameters, an example)}."""

    def __init__(self, *args: Any, groups: Mapping[str, tuple[tuple[str, ...], str]], **kwds: Any) -> None:
        super().__init__(*args, **kwds)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, and at the end the options of no group."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = {option.name: option.get_help_record(ctx) for option in options}
        groups = {title: ([records.pop(name) for name in names], text) for title, (names, text) in self.groups.items()}
        for title, (rows, example) in {**groups, "Beside these": ([*records.values()], "")}.items():
            with formatter.section(title):
                formatter.write_dl([row for row in rows if row is not None])
                formatter.write_text(f"$ {example}" if example else "")


def settings_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the repeatable option --set with these words as its help."""
    return click.option("--set", "settings", multiple=True, callback=name_values, metavar="NAME=VALUE", help=words)


def json_option(words: str = "Print JSON.") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --json."""
    return click.option("--json", "as_json", is_flag=True, help=words)


def printed(document: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print a document as JSON, or else its lines."""
    for line in [json.dumps(document, indent=1)] if as_json else lines:
        click.echo(line)


def not_both(first: str, second: str, why: str = "") -> InputError:
    """Return the error of two options of which one excludes the other."""
    needed = f"one of the two: {why}" if why else "one of the two"
    return InputError(given=f"{first} with {second}", needed=needed, remedy="leave one out")


def _no_empty(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if "" in values:
        raise InputError(given="an empty target", needed="a name, a file or a folder", remedy="leave it out for all")
    return values


def claims_of_targets(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the arguments and options that select targets and their claims."""
    for option in (
        click.option("--jobs", default=1, show_default=True, help="Targets audited at once."),
        click.option(
            "--expect", is_flag=True, help="Status 0 exactly when each verdict is the one that its target declares."
        ),
        click.option("--neighbours", help="The neighbour relation, by name."),
        click.option("--delta", help="The delta to claim, such as 1e-6."),
        click.option("--epsilon", help="The epsilon to claim, such as 1/10 or ln(3), in place of the target's own."),
        shared,
        click.argument("targets", nargs=-1, type=click.Path(), callback=_no_empty),
    ):
        command = option(command)
    return command


def name_values(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """Return the pairs of repeated `--set name=value`.

    Raises: InputError for a text without a name, and for a name given twice.
    """
    settings: dict[str, str] = {}
    for text in values:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(given=f"--set {text}", needed="name=value", remedy="write --set n=10")
        if name in settings:
            raise InputError(given=f"--set {name} twice", needed="one value for each name", remedy="leave one out")
        settings[name] = value
    return settings


def _seconds(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not 0 < value < float("inf"):
        raise InputError(given=f"--time-limit {value:g}", needed="seconds above 0", remedy="write --time-limit 60")
    return value


def time_limit_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --time-limit, in seconds of processor time, with these words as its help."""
    return click.option(
        "--time-limit",
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        callback=_seconds,
        help=f"{words} Of processor time.",
    )


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the options that limit an enumeration."""
    tail = click.option("--max-tail", default="1e-30", show_default=True, help="Stop enumerating at this tail.")
    runs = click.option("--max-runs", default=100_000, show_default=True, help="Runs of the program for one input.")
    return runs(tail(command))


def notes_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the option for all notes."""
    return click.option("--notes", is_flag=True, help="Print all notes, and not three lines of them a claim.")(command)


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the options that `audit` and `law` share."""
    return json_option()(asking(command))


def asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the options that control the computation of laws."""
    for option in (
        settings_option("A parameter."),
        time_limit_option("For each target."),
        limit_options,
        click.option("--eager", is_flag=True, help="Enumerate every value of every draw (small spaces)."),
        click.option(
            "--observe",
            type=click.Choice(list(OBSERVED)),
            help="What the adversary sees: the outcome, or the bounds of the draws, and so the time, as well.",
        ),
        click.option(
            "--law-source",
            type=click.Choice(["program", "closed-form"]),
            help="Where laws come from; by default the program, or in audits the closed form where that does not fit.",
        ),
    ):
        command = option(command)
    return command


def run_of(rest: dict[str, Any], *, certificates: str | None = None, jobs: int = 1) -> Invocation:
    """Return the run that the options of a command line describe.

    Raises: InputError for options that contradict each other, and fewer than one job.
    """
    own = {field.name for field in fields(Options)}
    options = Options(
        **{name: value for name, value in rest.items() if name in own and value is not None},
        closed_forms=rest["law_source"] is None and not rest["eager"],
        observes=OBSERVED.get(rest["observe"]),
    )
    options = replace(options, sampling=options.sampling or options.timing is not None)  # the clock samples, too
    if jobs < 1:
        raise InputError(given=f"--jobs {jobs}", needed="at least one job", remedy="write --jobs 2")
    options.check()
    _need_agreement(options, rest)
    if certificates is not None:
        need_folder(certificates, f"--certificates {os.path.abspath(certificates)}")
    return Invocation(
        options=options,
        settings=rest["settings"],
        time_limit=rest["time_limit"],
        certificates=None if certificates is None else os.path.abspath(certificates),
        jobs=jobs,
    )


def _need_agreement(options: Options, rest: dict[str, Any]) -> None:
    """Return if no option excludes another.

    Raises: InputError otherwise: the command would ignore one of them.
    """
    how = "--timing" if options.timing is not None else "--sampling"
    laws = [
        ("--exact", options.exact),
        ("--eager", options.eager),
        ("--law-source closed-form", options.law_source == "closed-form"),
    ]
    for option, chosen in laws if options.sampling else ():
        if chosen:
            raise not_both(option, how, "with the other there is no law")
    for option, chosen in (*laws, (how, options.sampling)):
        if chosen and (options.noise == "ideal" or options.every is not None):
            raise not_both(option, "--noise ideal", "ideal noise is integrated, and never drawn")
    if options.eager and options.law_source == "closed-form":
        raise not_both("--eager", "--law-source closed-form", "a closed form runs no program")
    if options.timing is not None and rest["observe"] is not None:
        raise not_both(f"--observe {rest['observe']}", "--timing", "--timing says what is observed")
    if options.timing is None and options.resolution != 1:
        given = f"--resolution {options.resolution} without --timing"
        raise InputError(given=given, needed="a clock to look at", remedy="add --timing both, or leave it out")


def is_given(name: str) -> bool:
    """Whether the command line itself has an option, by the name of its parameter."""
    context = click.get_current_context()
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def need_folder(folder: str | Path, given: str, kind: str = "folder") -> None:
    """Return if a folder can be written to, or made: an audit before the error would be lost.

    Raises: InputError otherwise, about the `given` option, a `kind` of file.
    """
    path = Path(folder).absolute()
    with file_errors(given, f"a {kind} that can be written"):
        there = next(above for above in (path, *path.parents) if above.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            raise OSError(0, os.strerror(errno.EACCES if there.is_dir() else errno.ENOTDIR))


def need_plot(path: str | None) -> None:
    """Return if a plot can be written to a path, or the path is None: the work before the error would be lost.

    Raises: InputError otherwise.
    """
    if path is None:
        return
    if Path(path).suffix not in PICTURES:
        raise InputError(given=f"--plot {path}", needed="a name that ends in .svg or .png", remedy="rename it")
    need_folder(Path(path).absolute().parent, f"--plot {path}", "file")


def write_plot(plot: Plot, path: str) -> None:
    """Write a plot as a file of the kind that its name's ending says.

    Raises: InputError where the file cannot be written.
    """
    from dpcert.show.pages.ink import png, svg

    try:
        Path(path).write_bytes((svg if path.endswith(".svg") else png)(plot))
    except OSError as error:
        given, needed = f"--plot {path}: {error.strerror or error}", "a file that can be written"
        raise InputError(given=given, needed=needed, remedy="name another, or make room") from error


def styled(text: str, **style: Any) -> str:
    """Return a text with a style where standard output is a terminal and NO_COLOR is not set."""
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return click.style(text, **style) if colours else text
