"""`dpcert law`: the exact law on one input."""

from typing import Any

import click

from dpcert.commands.options import printed, run_of, shared
from dpcert.run.audits import law_of
from dpcert.run.progress import Progress
from dpcert.show.lines import bits_words, element_lines, law_lines

RUNS = "raise --max-runs, or let the program return sooner: no run was followed to its end"
INTEGERS = "draw in integers, or round what is released: its floats are too many to list"


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
    document: dict[str, Any] = {"schema": "dpcert.law/1", "law": found.law, "tail": found.tail}
    document |= {name: part for name in ("bits", "elements") if (part := getattr(found, name)) is not None}
    lines = element_lines(found.elements or [])
    lines += law_lines(found.law, "0/1" if lines else found.tail, [*found.notes, *bits_words(found.bits)])
    if found.tail == "1/1" and not found.elements:
        open_ = any("needed as a plain" in note for note in found.notes)
        lines.append(f"next: {INTEGERS if open_ else RUNS}")
    printed(document, lines, as_json=as_json)
    return 0
