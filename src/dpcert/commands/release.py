"""`dpcert release`: a mechanism on real data."""

from __future__ import annotations

import json

import click

from dpcert.commands.options import name_values


@click.command(epilog="Exit status: 0 released; 2 bad input, or a budget that does not allow it: then nothing is.")
@click.argument("mechanism", required=False)
@click.option("--data", required=True, multiple=True, metavar="FILE", help="Lines of values, or CSV or Parquet.")
@click.option("--out", required=True, metavar="FILE", help="Where to write: .json, .csv or .parquet.")
@click.option("--epsilon", help="The epsilon of the guarantee, such as 1/2 or ln(2).")
@click.option("--delta", help="The greatest delta that is allowed; what is needed is said.")
@click.option("--neighbours", help="The relation of the guarantee, by name, where a mechanism has several.")
@click.option(
    "--set", "settings", multiple=True, callback=name_values, metavar="NAME=VALUE", help="A parameter of the mechanism."
)
@click.option("--plan", metavar="FILE", help="What dpcert plan --json wrote: mechanism, parameters and guarantee.")
@click.option("--labels", metavar="FILE", help="All labels that may occur, one a line: they are public.")
@click.option("--budget", metavar="FILE", help="A budget, made by dpcert.Budget.create, to spend from.")
@click.option("--user", metavar="COLUMN", help="The column of users, by name or by number from 1.")
@click.option("--value", metavar="COLUMN", help="The column of values.")
@click.option("--count", metavar="COLUMN", help="The column of counts.")
@click.option("--header/--no-header", default=None, help="Whether a CSV file's first line names its columns.")
@click.option("--trusted-terminal", "trusted", is_flag=True, help="Show what stands in a row that is refused.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: what was released.")
def release(
    mechanism: str | None,
    data: tuple[str, ...],
    out: str,
    epsilon: str | None,
    delta: str | None,
    neighbours: str | None,
    settings: dict[str, str],
    plan: str | None,
    labels: str | None,
    budget: str | None,
    user: str | None,
    value: str | None,
    count: str | None,
    header: bool | None,
    trusted: bool,
    as_json: bool,
) -> int:
    """Run MECHANISM on a file, with system coins, and write what it releases with its guarantee.

    Each row is one person, or as many as its count says; for sums over users, users have rows. What is printed is
    covered by the guarantee; an error names a line of the file, and nothing that stands there.
    """
    from dpcert.releasing.rows import Columns
    from dpcert.run.releasing import release as run_release

    found = run_release(
        mechanism,
        data[0] if len(data) == 1 else data,
        out,
        settings=settings,
        epsilon=epsilon,
        delta=delta,
        neighbours=neighbours,
        plan=plan,
        labels=labels,
        budget=budget,
        columns=Columns(value, count, header, user),
        trusted=trusted,
    )
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1))
    else:
        click.echo(f"read {found.read}; wrote {len(found.released)} rows to {out}")
        click.echo(f"{found.guarantee}; by {found.rests_on}")
    return 0
