"""`dpcert plan`: the best parameters within a budget."""

import json
import os
from typing import Any

import click

from dpcert.commands.options import json_option, need_folder, printed, settings_option, time_limit_option
from dpcert.mechanisms.exact.errors import one_line
from dpcert.run.single import Invocation
from dpcert.targets.options import Options
from dpcert.worker.troubles import TimedOut, Trouble


@click.command(
    epilog="Exit status: 0 an answer was found; 3 no parameter meets the budget, or the time limit came first; "
    "2 bad input."
)
@click.argument("mechanism")
@click.option("--epsilon", required=True, help="The epsilon that may be spent, such as 1/10 or ln(3).")
@click.option("--delta", help="The delta that may be spent, such as 1e-8; left out where there is none.")
@click.option(
    "--neighbours", required=True, help="The neighbour relation, by name, as docs/how-to/planning.md lists them."
)
@settings_option("What is given; the rest is planned.")
@click.option("--frontier", is_flag=True, help="What each of several budgets or thresholds allows as well.")
@click.option("--against", type=click.Choice(["paper"]), help="Say what exactness buys over the printed choice.")
@click.option("--frequencies", metavar="FILE", help="Evaluate on the counts of this CSV or Parquet file.")
@click.option("--certificates", metavar="DIR", help="Write certificates of what is planned into this folder.")
@time_limit_option("For the search, and for each confirming audit.")
@json_option()
def plan(certificates: str | None, time_limit: float, as_json: bool, **asked: Any) -> int:
    """Find the best parameters of MECHANISM within a budget of epsilon and delta.

    Of sample-threshold, for all counts: the least threshold with --set rate=1/10, or with --set threshold=20 the
    greatest rate, among the multiples of 1/steps (--set steps=1000). `dpcert list --plans` has the other families.

    \b
    $ dpcert plan sample-threshold --epsilon 1 --delta 1e-6 --neighbours add-remove --set rate=1/10
    """
    from dpcert.planning.question import Question
    from dpcert.run.planning import NotBorneOut, plan_for, plan_lines

    folder = None if certificates is None else os.path.abspath(certificates)
    if folder is not None:
        need_folder(folder, f"--certificates {folder}")
    run = Invocation(Options(law_source="closed-form"), settings={}, time_limit=time_limit, certificates=folder)
    try:
        found = plan_for(Question(**asked), run)
    except TimedOut as error:
        needed = "a search that ends within it"
        return _stopped(Trouble(str(error), needed, "raise it, or ask for less with --set", 3), as_json)
    except NotBorneOut as error:
        needed = "an audit that verifies the answer that was found"
        return _stopped(Trouble(str(error), needed, error.remedy, 3), as_json)
    printed(found.as_json(), map(one_line, plan_lines(found)), as_json=as_json)
    for trouble in run.unwritten:
        click.echo(trouble.line(), err=True)
    return 2 if run.unwritten else 3 if found.proposal.answer is None else 0


def _stopped(trouble: Trouble, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(trouble.as_json()))
    click.echo(trouble.line(), err=True)
    return trouble.status
