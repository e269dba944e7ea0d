"""`dpcert list`: the mechanisms that ship."""

import json
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from dpcert.commands.options import json_option, styled
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.show.blocks import width_of_terminal
from dpcert.targets.catalogue import MECHANISMS, ZOO, find

GAP = 2
"""The columns between two cells of a row."""


@click.command("list")
@click.argument("name", required=False)
@click.option("--all", "whole", is_flag=True, help="With the parameters of each, and with the zoo of broken ones.")
@click.option(
    "--plans", is_flag=True, help="The mechanisms that `dpcert plan` has parameters for, and their relations."
)
@json_option("Print JSON, always of all.")
def list_(name: str | None, whole: bool, plans: bool, as_json: bool) -> int:
    """List the mechanisms that ship, or say of the one called NAME what it takes.

    \b
    $ dpcert list geosample
    $ dpcert list --plans
    """
    given = [text for text, chosen in (("--all", whole), ("--plans", plans), ("--json", as_json)) if chosen]
    given += [name] if name is not None else []
    if len(given) > 1:
        raise InputError(given=" with ".join(given), needed="one of them", remedy="leave the others out")
    if as_json:
        rows = [_row(mechanism) for mechanism in (*MECHANISMS, *ZOO)]
        click.echo(json.dumps({"schema": "dpcert.list/1", "mechanisms": rows}, indent=1))
    elif name is not None:
        _describe([find(name)])
    elif plans:
        from dpcert.planning.families import FAMILIES

        budgets = ((name, "epsilon" if one.pure else "epsilon, delta", one.relations) for name, one in FAMILIES.items())
        planned = [(name, budget, ", ".join(relations)) for name, budget, relations in budgets]
        _print([("mechanism", "budget", "--neighbours"), *planned])
        click.echo("for instance: dpcert plan geosample --epsilon 1/2 --neighbours counts_differ_by_one")
    elif whole:
        for title, mechanisms in (("Mechanisms", MECHANISMS), ("The zoo: one fault each", ZOO)):
            click.echo(styled(title, bold=True))
            _describe(mechanisms)
    else:
        _print([(mechanism.name, mechanism.words) for mechanism in MECHANISMS])
        click.echo(f"{len(MECHANISMS)} mechanisms; `dpcert list NAME` has the parameters of one, --all those of each")
        click.echo(f"and the zoo of {len(ZOO)} that are broken.")
    return 0


def _print(rows: Sequence[Sequence[str]], indent: int = 0) -> None:
    """Print rows of equally many cells in columns as wide as they need, with the last column wrapped."""
    starts = [indent]
    for place in range(len(rows[0]) - 1 if rows else 0):
        starts.append(starts[-1] + max(len(row[place]) for row in rows) + GAP)
    room = max(20, width_of_terminal() - starts[-1])
    for row in rows:
        head = "".join(f"{cell:<{after - start}}" for cell, start, after in zip(row, starts, starts[1:], strict=False))
        first, *others = textwrap.wrap(row[-1], room, break_long_words=False, break_on_hyphens=False) or [""]
        for line in (f"{'':<{indent}}{head}{first}".rstrip(), *(f"{'':<{starts[-1]}}{line}" for line in others)):
            click.echo(line)


def _describe(mechanisms: Sequence[Mechanism]) -> None:
    """Print the words of mechanisms, their sources, and their parameters with defaults."""
    for mechanism in mechanisms:
        _print([(f"{mechanism.name}:", f"{mechanism.words} [{mechanism.source}]")], indent=2)
        _print([(f"--set {p.name}={p.default}", p.words) for p in mechanism.parameters], indent=6)


def _row(mechanism: Mechanism) -> dict[str, Any]:
    return {
        "name": mechanism.name,
        "words": mechanism.words,
        "source": mechanism.source,
        "expect": mechanism.expect,
        "twin": mechanism.fault and mechanism.fault.of.name,
        "fault": mechanism.fault and mechanism.fault.words,
        "parameters": [{"name": p.name, "default": p.default, "words": p.words} for p in mechanism.parameters],
    }
