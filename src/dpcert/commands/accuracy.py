"""`dpcert accuracy`: how accurate a release will be."""

import click

from dpcert.commands.estimate import shown
from dpcert.commands.options import json_option, settings_option


@click.command(epilog="Exit status: 0 computed; 2 bad input.")
@click.argument("mechanism")
@click.option("--beta", default="1/20", show_default=True, help="The probability with which an error may be greater.")
@settings_option("A parameter, or people=.")
@json_option()
def accuracy(mechanism: str, beta: str, settings: dict[str, str], as_json: bool) -> int:
    """Say how accurate MECHANISM is: errors of one query and of all, and which items are omitted how often.

    It prints rows as CSV, exact numbers beside what the paper prints. No data are read.

    \b
    $ dpcert accuracy basic-histogram --set ratio=3/2 --set labels=1000
    """
    from dpcert.releasing.accuracy import accuracy as run_accuracy

    shown(run_accuracy(mechanism, settings=settings, beta=beta), as_json)
    return 0
