"""`dpcert release`: a mechanism on real data."""

import os
from pathlib import Path
from typing import Any

import click

from dpcert.commands.options import json_option, printed, settings_option
from dpcert.mechanisms.exact.errors import InputError


@click.command(epilog="Exit status: 0 released; 2 bad input, or a budget that does not allow it: then nothing is.")
@click.argument("mechanism", required=False)
@click.option("--data", required=True, multiple=True, metavar="FILE", help="Lines of values, or CSV or Parquet.")
@click.option("--out", required=True, metavar="FILE", help="Where to write: .json, .csv or .parquet.")
@click.option("--epsilon", help="The epsilon of the guarantee, such as 1/2 or ln(2).")
@click.option("--delta", help="The greatest delta that is allowed; what is needed is said.")
@click.option("--neighbours", help="The relation of the guarantee, by name, where a mechanism has several.")
@settings_option("A parameter of the mechanism.")
@click.option("--plan", metavar="FILE", help="What dpcert plan --json wrote: mechanism, parameters and guarantee.")
@click.option("--labels", metavar="FILE", help="All labels that may occur, one a line: they are public.")
@click.option("--budget", metavar="FILE", help="A budget, made by dpcert.Budget.create, to spend from.")
@click.option("--user", metavar="COLUMN", help="The column of users, by name or by number from 1.")
@click.option("--value", metavar="COLUMN", help="The column of values.")
@click.option("--count", metavar="COLUMN", help="The column of counts.")
@click.option("--header/--no-header", default=None, help="Whether a CSV file's first line names its columns.")
@click.option("--trusted-terminal", "trusted", is_flag=True, help="Show what stands in a row that is refused.")
@json_option("Print JSON: what was released.")
def release(
    data: tuple[str, ...],
    out: str,
    user: str | None,
    value: str | None,
    count: str | None,
    header: bool | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Run MECHANISM on a file, with system coins, and write what it releases with its guarantee.

    Each row is one person, or as many as its count says; for sums over users, users have rows. What is printed is
    covered by the guarantee; an error names a line of the file, and nothing that stands there.
    """
    from dpcert.releasing.rows import Columns
    from dpcert.releasing.writing import SUFFIXES, beside, target_of
    from dpcert.run.releasing import release as run_release

    # Of a file that is there it says so, also where the extra for its kind is missing.
    target = Path(out) if Path(out).suffix in SUFFIXES else target_of(out)
    there = next(filter(os.path.lexists, (target, beside(target))), None)
    if there is not None:
        needed = "a new file: what was released before is paid for"
        raise InputError(given=f"--out {out}: {there} is there", needed=needed, remedy="name another, or move it away")
    columns = Columns(value, count, header, user)
    released = run_release(data=data[0] if len(data) == 1 else data, out=out, columns=columns, **asked)
    wrote = f"read {released.read}; wrote {len(released.released)} rows to {out}"
    lines = wrote, f"{released.guarantee}; by {released.rests_on}"
    printed(released.as_json(), lines, as_json=as_json)
    return 0
