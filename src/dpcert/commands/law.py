"""`dpcert law`: the exact law on one input."""

from __future__ import annotations

import json
from typing import Any

import click

from dpcert.commands.options import run_of, shared
from dpcert.run.audits import law_of
from dpcert.run.progress import Progress
from dpcert.show.lines import bits_words, element_lines, law_lines


@click.command()
@click.argument("target")
@click.option("--input", "text", required=True, metavar="JSON", help='The input, as JSON: 3, [0, 1], "a".')
@shared
def law(target: str, text: str, as_json: bool, **rest: Any) -> int:
    """Print the exact law of TARGET's outcome on one input.

    \b
    $ dpcert law geosample --set n=4 --input 3
    """
    with Progress(1) as progress:
        progress.at(target)
        found = law_of(target, text, run_of(rest))
    if as_json:
        document: dict[str, Any] = {"schema": "dpcert.law/1", "law": found.law, "tail": found.tail}
        if found.bits is not None:
            document["bits"] = found.bits
        if found.elements is not None:
            document["elements"] = found.elements
        click.echo(json.dumps(document, indent=1))
    else:
        lines = element_lines(found.elements or [])
        for line in lines + law_lines(
            found.law, "0/1" if lines else found.tail, [*found.notes, *bits_words(found.bits)]
        ):
            click.echo(line)
    return 0
