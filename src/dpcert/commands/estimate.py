"""`dpcert estimate`: estimates of the data from a release."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING

import click

from dpcert.commands.options import json_option, need_plot, settings_option, write_plot

if TYPE_CHECKING:
    from dpcert.releasing.made import Estimates


@click.command(epilog="Exit status: 0 estimated; 2 bad input.")
@click.argument("release")
@click.option("--beta", default="1/20", show_default=True, help="The probability with which an interval may miss.")
@settings_option("What is asked besides.")
@click.option("--labels", metavar="FILE", help="The public labels with which a compact histogram was released.")
@click.option("--plot", metavar="FILE", help="Draw the greatest estimates with their intervals: .svg or .png.")
@json_option()
def estimate(
    release: str, beta: str, settings: dict[str, str], labels: str | None, plot: str | None, as_json: bool
) -> int:
    """Estimate the data from RELEASE, a .json or .guarantee.json file that `dpcert release` wrote.

    It prints rows as CSV, with intervals, and what they hold for on standard error. Nothing is spent.
    """
    from dpcert.run.estimating import estimate as run_estimate

    need_plot(plot)
    estimates = run_estimate(release, beta=beta, settings=settings, labels=labels)
    if plot is None:
        shown(estimates, as_json)
        return 0
    from dpcert.show.pages.charts import interval_chart

    chart = interval_chart(estimates.mechanism, estimates.columns, estimates.rows)
    shown(estimates, as_json)
    write_plot(chart, plot)
    return 0


def shown(estimates: Estimates, as_json: bool) -> None:
    """Print a table as JSON, or as CSV with its notes on standard error."""
    if as_json:
        click.echo(json.dumps(estimates.as_json(), indent=1))
        return
    csv.writer(sys.stdout, lineterminator="\n").writerows([estimates.columns, *estimates.rows])
    for note in estimates.notes:
        click.echo(note, err=True)
