"""`dpcert recheck`: a certificate, by the kernel and the law source that it names."""

import json
from typing import Any

import click

from dpcert.commands.options import json_option, limit_options, time_limit_option
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.run.audits import recheck_one
from dpcert.run.progress import Progress
from dpcert.targets.options import Options


@click.command()
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option("--target", metavar="FILE.py:FUNCTION", help="The program, where it is not a built-in.")
@time_limit_option("For the whole check of each.")
@limit_options
@click.option("--max-draws", default=Options().max_draws, show_default=True, help="Draws in one run of the program.")
@json_option()
def recheck(certificates: tuple[str, ...], target: str | None, time_limit: float, as_json: bool, **limits: Any) -> int:
    """Re-check each CERTIFICATE: the kernel hands the program to the same law source, and computes everything again.

    The limits are those that the audit had: where it was given others than the defaults, give them here too.

    Exit status: 0 accepted, 1 well formed but false, 2 malformed, 3 stopped by the time limit; of several certificates,
    the least of these above 0.
    """
    statuses = set()
    with Progress(len(certificates)) as progress:
        for certificate in certificates:
            progress.at(certificate)
            try:
                status, answer = recheck_one(certificate, target, time_limit, limits)
            except InputError as error:  # the other certificates are checked all the same
                if len(certificates) == 1:
                    raise
                status, answer = 2, {"accepted": False, "reason": str(error), "line": f"not checked: {error}"}
            statuses.add(status)
            if as_json:
                click.echo(json.dumps({"schema": "dpcert.recheck/1", "certificate": certificate, **answer}))
            else:
                click.echo(one_line(answer["line"]))
            progress.step()
    return min(statuses - {0}, default=0)
