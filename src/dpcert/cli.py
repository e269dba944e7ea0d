"""The command line: all commands, and one line for each error."""

import contextlib
import difflib
import errno
import io
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

import click
from click.shell_completion import shell_complete

from dpcert.mechanisms.exact.errors import DpcertError, InputError
from dpcert.worker.troubles import STATUSES, ChildFailed, Trouble

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of the system where output cannot be written."""

COMPLETE = "_DPCERT_COMPLETE"
"""The variable by which shells ask for the completion of a command line."""
PATIENCE = 5.0
"""Signals within so many seconds count as one."""


COMMANDS = {
    "audit": "Audit each TARGET and say its verdict.",
    "watch": "Audit on every save, and only what has changed.",
    "law": "Print the exact law of TARGET on one input.",
    "same": "Are two programs of one law?",
    "recheck": "Check certificates again.",
    "claims": "Run what stands behind the statements of the papers.",
    "plan": "Find the best parameters of a mechanism for a budget.",
    "compare": "Compare what mechanisms release of given frequencies.",
    "release": "Run a mechanism on a file of real data.",
    "accuracy": "Say how accurate a release will be.",
    "estimate": "Estimate the data from a release.",
    "report": "Write a page of verdicts, tables and plots.",
    "evidence": "Write a folder of evidence that checks itself.",
    "list": "List the mechanisms that ship.",
}
"""The commands, each in a few words; a call of a command, or of its help, imports its module."""


class Commands(click.Group):
    """The commands by name, each imported at its first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of `--help`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name.

        Raises: NoSuchCommand.
        """
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None
            raise click.exceptions.NoSuchCommand(cmd_name, ctx=ctx)
        module = import_module(f"dpcert.commands.{'listing' if cmd_name == 'list' else cmd_name}")
        command: click.Command = getattr(module, "list_" if cmd_name == "list" else cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its words."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=STATUSES)
@click.version_option(package_name="dpcert", prog_name="dpcert")
def cli() -> None:
    """Decide exactly whether a mechanism is differentially private: verified, refuted, or undecided.

    Auditing a file runs its code, in a child process with limits of time and memory.
    """


def _usage(error: click.UsageError) -> InputError:
    """Return the error of a wrong command line; for an unknown command, with the one that the user may have meant."""
    command = error.ctx.command_path if error.ctx is not None else "dpcert"
    every = "a command: " + ", ".join(COMMANDS)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return InputError(given=f"{command} alone", needed=every, remedy=f"see {command} --help")
    if not isinstance(error, click.exceptions.NoSuchCommand):
        needed = f"the form that {command} takes"
        return InputError(given=error.format_message().rstrip("."), needed=needed, remedy=f"see {command} --help")
    from dpcert.targets.catalogue import BUILT_IN  # slow, and for this error alone
    from dpcert.targets.named import split_target

    name = error.command_name
    near = difflib.get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    meant = f"audit {name}" if split_target(name)[0] is not None or name in BUILT_IN else "".join(near)
    remedy = f"did you mean dpcert {meant}?" if meant else "see dpcert --help"
    return InputError(given=f"the command {name!r}", needed=every, remedy=remedy)


def _hear_signals() -> None:
    """Have signals that end this process end its children too; an ignored signal, as under nohup, stays ignored.

    A second signal within seconds counts as the first, so that it does not interrupt the end of the children.
    """
    heard: list[float] = []

    def ended(number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if heard and now - heard[-1] < PATIENCE:
            return
        heard.append(now)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # some platforms lack some signals
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, ended)


def _prepare() -> None:
    """Make this process's streams accept every text, and its signals end its children."""
    if sys.stdout is None:  # the caller closed it
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    _hear_signals()


def _abandon_output() -> None:
    """Discard the output that is not written yet."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's, and return its exit status; each error is one line."""
    if arguments is None:
        _prepare()
        if asked := os.environ.get(COMPLETE):  # a shell completes a command line
            return shell_complete(cli, {}, "dpcert", COMPLETE, asked)
        arguments = sys.argv[1:]
    as_json = "--json" in arguments
    try:
        try:
            with cli.make_context("dpcert", list(arguments)) as context:
                status: int = cli.invoke(context)
        except click.exceptions.Exit as ended:  # --help and --version
            status = ended.exit_code
        except click.UsageError as error:
            status = _reported(Trouble.of(_usage(error)), as_json)
        except DpcertError as error:
            status = _reported(Trouble.of(error), as_json)
        except (OSError, click.Abort):
            raise
        except Exception as error:
            status = _reported(Trouble.of(ChildFailed(_placed(error))), as_json)
        sys.stdout.flush()  # here, where an output that cannot be written is still reported
    except (click.Abort, KeyboardInterrupt):
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _abandon_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        _abandon_output()
        trouble = Trouble.of(ChildFailed(_placed(error)))
        if error.errno in FULL:
            given = f"{error.filename or 'what is printed'}: {error.strerror}"
            trouble = Trouble(given, "room to write", "make room, or write elsewhere", 2)
        with contextlib.suppress(OSError):
            _reported(trouble, as_json=False)  # standard output takes no JSON any more
        return trouble.status
    return status


def _reported(trouble: Trouble, as_json: bool) -> int:
    """Print a trouble, and return its status."""
    if as_json:
        click.echo(json.dumps(trouble.as_json()))
    click.echo(trouble.line(), err=True)
    return trouble.status


def _placed(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"
