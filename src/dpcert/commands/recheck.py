"""`dpcert recheck`: a certificate, by the kernel alone."""

from __future__ import annotations

import json

import click

from dpcert.commands.options import time_limit_option
from dpcert.mechanisms.exact.errors import one_line
from dpcert.progress import Progress
from dpcert.run import recheck_one

__all__ = ["recheck"]


@click.command()
@click.argument("certificate")
@click.option("--target", metavar="FILE.py:FUNCTION", help="The program, where it is not a built-in.")
@time_limit_option("For the whole check.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recheck(certificate: str, target: str | None, time_limit: float, as_json: bool) -> int:
    """Re-check CERTIFICATE with the kernel alone: everything is computed again from the program.

    Exit status: 0 accepted, 1 well formed but false, 2 malformed, 3 stopped by the time limit.
    """
    with Progress(1) as progress:
        progress.at(certificate)
        status, found = recheck_one(certificate, target, time_limit)
    if as_json:
        click.echo(json.dumps({"schema": "dpcert.recheck/1", "certificate": certificate, **found}))
    else:
        click.echo(one_line(found["line"]))
    return status
