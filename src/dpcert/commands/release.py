"""`dpcert release`: a mechanism on real data."""

from __future__ import annotations

import json

import click

from dpcert.commands.options import name_values


@click.command(epilog="Exit status: 0 released; 2 bad input, or a budget that does not allow it: then nothing is.")
@click.argument("mechanism")
@click.option("--data", required=True, metavar="FILE", help="Lines of values, or CSV of values, or of value,count.")
@click.option(
    "--out", required=True, metavar="FILE", help="Where to write: .json, or .csv with the guarantee beside it."
)
@click.option("--epsilon", required=True, help="The epsilon of the guarantee, such as 1/2 or ln(2).")
@click.option("--delta", help="The greatest delta that is allowed; what is needed is said.")
@click.option("--neighbours", default="add-remove", show_default=True, help="add-remove or substitute.")
@click.option(
    "--set", "settings", multiple=True, callback=name_values, metavar="NAME=VALUE", help="A parameter of the mechanism."
)
@click.option("--budget", metavar="FILE", help="A budget, made by dpcert.Budget.create, to spend from.")
@click.option("--value", metavar="COLUMN", help="The column of values, by name or by number from 1.")
@click.option("--count", metavar="COLUMN", help="The column of counts.")
@click.option("--header/--no-header", default=None, help="Whether a CSV file's first line names its columns.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: what was released.")
def release(
    mechanism: str,
    data: str,
    out: str,
    epsilon: str,
    delta: str | None,
    neighbours: str,
    settings: dict[str, str],
    budget: str | None,
    value: str | None,
    count: str | None,
    header: bool | None,
    as_json: bool,
) -> int:
    """Run MECHANISM on a file, with system coins, and write what it releases with its guarantee.

    Each row is one person, or as many as its count says. What is printed is covered by the guarantee; an error names a
    line of the file, and nothing that stands there.
    """
    from dpcert.run.releasing import Columns
    from dpcert.run.releasing import release as run_release

    found = run_release(
        mechanism,
        data,
        out,
        settings=settings,
        epsilon=epsilon,
        delta=delta,
        neighbours=neighbours,
        budget=budget,
        columns=Columns(value, count, header),
    )
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1))
    else:
        click.echo(f"read {found.read}; wrote {len(found.released)} values to {out}")
        click.echo(f"{found.guarantee}; by {found.rests_on}")
    return 0
