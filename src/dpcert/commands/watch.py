"""`dpcert watch`: audits on every save, and only of changed targets."""

import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dpcert.commands.audit import Printed
from dpcert.commands.options import asking, notes_option, run_of
from dpcert.commands.project import lock_of, with_defaults
from dpcert.run.audits import Outcome, audit_all, claims_of
from dpcert.run.config import config_near
from dpcert.run.lock.lock import Lock
from dpcert.targets.named import split_target
from dpcert.targets.options import NOISES
from dpcert.targets.spec import Spec
from dpcert.worker.jobs import Audited

PAUSE = 0.5
"""Seconds between two looks at the files."""
WATCHED = (".py", ".toml", ".json", ".csv", ".npy")
"""The endings of watched files; logs are not watched, as a command like this one may write them."""
PASSED_OVER = frozenset({"__pycache__", "node_modules", "site-packages"})
LOCKED = "as locked in "
"""The beginning of the note on a result from the lock, for which nothing has changed."""


def looked_at(folders: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Return the time and size of each watched file in and below folders, except for hidden ones."""
    states = {}
    for folder in folders:
        for place, below, names in os.walk(folder):
            below[:] = [name for name in below if not name.startswith(".") and name not in PASSED_OVER]
            for path in (Path(place, name) for name in names if name.endswith(WATCHED) and not name.startswith(".")):
                try:
                    state = path.stat()
                except OSError:  # the file was removed after the folder was listed
                    continue
                states[path] = (state.st_mtime_ns, state.st_size)
    return states


def saves(folders: Sequence[Path]) -> Iterator[None]:
    """Yield once at the beginning, and then after each change of a watched file in or below the folders."""
    before = None
    while True:
        now = looked_at(folders)
        if now != before:
            before = now
            yield
        time.sleep(PAUSE)


@click.command()
@click.argument("targets", nargs=-1, type=click.Path())
@asking
@click.option("--noise", type=click.Choice(NOISES), help="What draws are: ideal random variables, or floats.")
@click.option("--expect", is_flag=True, help="Print only the verdicts that their targets do not declare.")
@notes_option
@click.option("--lock", "kept", metavar="FILE", help="Keep verdicts here from one call to the next.")
@click.option("--jobs", default=1, show_default=True, help="Targets audited at once.")
def watch(targets: tuple[str, ...], notes: bool, expect: bool, kept: str | None, jobs: int, **rest: Any) -> int:
    """Audit each TARGET as `dpcert audit` does, now and on every save, until you press Ctrl-C.

    After the first time only what has changed is audited, and printed. Files below the working folder and beside the
    targets are looked at.

    \b
    $ dpcert watch release.py
    """
    config = config_near(Path.cwd())
    chosen = targets or config.targets or ("",)
    run = with_defaults(run_of(rest, jobs=jobs), config)
    named = [split_target(text)[0] for text in chosen]
    files = [path if path.is_dir() else path.parent for path in named if path is not None]
    folders = list(dict.fromkeys(path.resolve() for path in (Path.cwd(), *files)))
    key = secrets.token_bytes(32)
    known = False
    with tempfile.TemporaryDirectory() as folder:
        for _ in saves(folders):
            lock, notices = (Lock(Path(folder) / "dpcert.lock", key=key), []) if kept is None else lock_of(Path(kept))
            printed = Printed(run, "blocks", notes=notes, expect=expect or bool(config.expect), silent=False)

            def on_result(audited: Audited, spec: Spec, printed: Printed = printed, known: bool = known) -> None:
                if not known or not any(note.startswith(LOCKED) for note in audited.result.notes):
                    printed.result(audited, spec)

            outcome, locked = Outcome(), replace(run, lock=lock)
            audit_all(claims_of(chosen, locked, outcome), locked, outcome, on_result=on_result)
            printed.end(f"{printed.counted(outcome)}, at {time.strftime('%H:%M:%S')}")
            for line in [*([] if known else notices), *(trouble.line() for trouble in outcome.troubles)]:
                click.echo(line, err=True)
            known = True
    return 0
