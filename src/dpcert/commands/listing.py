"""`dpcert list`: what ships."""

from __future__ import annotations

import json
from typing import Any

import click

from dpcert.commands.options import styled
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.targets.catalogue import MECHANISMS, ZOO


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> int:
    """List the mechanisms that ship, correct ones and the zoo of broken ones, with their parameters."""
    if as_json:
        click.echo(
            json.dumps({"schema": "dpcert.list/1", "mechanisms": [_row(m) for m in (*MECHANISMS, *ZOO)]}, indent=1)
        )
        return 0
    for title, mechanisms in (("Mechanisms", MECHANISMS), ("The zoo: one fault each", ZOO)):
        click.echo(styled(title, bold=True))
        for mechanism in mechanisms:
            click.echo(f"  {mechanism.name}: {mechanism.words} [{mechanism.source}]")
            for parameter in mechanism.parameters:
                click.echo(f"      --set {parameter.name}={parameter.default}  {parameter.words}")
    return 0


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
