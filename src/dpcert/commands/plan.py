"""`dpcert plan`: the best parameters within a budget."""

from __future__ import annotations

import json
import os

import click

from dpcert.cases import Options
from dpcert.commands.options import name_values, time_limit_option
from dpcert.plan import Budget, plan_for, plan_lines
from dpcert.run import Run

__all__ = ["plan"]


@click.command(epilog="Exit status: 0 an answer was found; 3 no parameter meets the budget; 2 bad input.")
@click.argument("mechanism")
@click.option("--epsilon", required=True, help="The epsilon that may be spent, such as 1/10 or ln(3).")
@click.option("--delta", required=True, help="The delta that may be spent, such as 1e-8.")
@click.option("--neighbours", required=True, help="The neighbour relation, by name: add-remove or substitute.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    callback=name_values,
    metavar="NAME=VALUE",
    help="What is given; the rest is planned.",
)
@click.option("--frontier", is_flag=True, help="The greatest rate of every threshold as well.")
@click.option("--certificates", metavar="DIR", help="Write bundles of the answer and the frontier into this folder.")
@time_limit_option("For each confirming audit.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    mechanism: str,
    epsilon: str,
    delta: str,
    neighbours: str,
    settings: dict[str, str],
    frontier: bool,
    certificates: str | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Find the best parameters of MECHANISM within a budget of epsilon and delta.

    Of sample-threshold, for all counts: the least threshold with --set rate=1/10, or with --set threshold=20 the
    greatest rate, among the multiples of 1/steps (--set steps=1000).
    """
    budget = Budget.of(epsilon, delta, neighbours)
    folder = None if certificates is None else os.path.abspath(certificates)
    run = Run(Options(law_source="closed-form"), settings={}, time_limit=time_limit, certificates=folder)
    found = plan_for(mechanism, budget, settings, run, frontier=frontier)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1))
    else:
        for line in plan_lines(found):
            click.echo(line)
    return 3 if found.answer is None else 0
