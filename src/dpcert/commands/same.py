"""`dpcert same`: whether two programs have one law."""

import json
from typing import Any

import click

from dpcert.commands.audit import Printed, finish
from dpcert.commands.options import run_of, shared
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.forms import lenient_json
from dpcert.run.audits import Outcome, audit_all
from dpcert.targets.named import split_target
from dpcert.targets.options import NOISES
from dpcert.targets.spec import FileSpec
from dpcert.worker.troubles import STATUSES


@click.command(epilog=STATUSES)
@click.argument("first")
@click.argument("second")
@click.option("--inputs", metavar="JSON", help="The inputs, a JSON list; else those of a target among the two.")
@click.option("--delta", help="How far apart the laws may be, in total variation, such as 1e-12; 0 without it.")
@click.option("--noise", type=click.Choice(NOISES), help="What draws are: ideal random variables, or floats.")
@shared
def same(first: str, second: str, inputs: str | None, as_json: bool, **rest: Any) -> int:
    """Decide whether FIRST and SECOND have the same law on each input.

    FIRST is FILE.py:function, a function as targets are, or a target; SECOND is another, or a name of `dpcert list`.

    \b
    $ dpcert same old.py:release new.py:release --inputs '[0, 1, 2]'
    """
    spec, run = _spec(first, second, inputs), run_of(rest)
    printed, outcome = Printed(run, "blocks", expect=False, silent=as_json), Outcome()
    audit_all([(f"{first} = {second}", spec)], run, outcome, on_result=printed.result)
    finish(outcome, printed, [], as_json=as_json)
    return outcome.status(expect=False)


def _spec(first: str, second: str, inputs: str | None) -> FileSpec:
    """Return the spec of the claim that two programs have one law on these inputs.

    Raises: InputError for a text that names no program, and for inputs that are no JSON list.
    """
    path, function, _ = split_target(first)
    if path is None or function is None:
        raise InputError(given=first, needed="FILE.py:function", remedy="name the function after a colon")
    other, name, mechanism = split_target(second)
    if other is not None and name is None:
        needed = "FILE.py:function or a name of dpcert list"
        raise InputError(given=second, needed=needed, remedy="name the function after a colon")
    if inputs is not None:
        try:
            listed: object = json.loads(inputs)
        except (ValueError, RecursionError) as error:
            raise InputError(given=f"--inputs {inputs}", needed=f"JSON ({error})", remedy="write '[0, 1]'") from None
        if not isinstance(listed, list):
            raise InputError(given=f"--inputs {inputs}", needed="a JSON list of inputs", remedy="write '[0, 1]'")
        lenient_json(listed)  # refuses a list that is nested too deep for a job
    against = mechanism if other is None else f"{other.resolve()}:{name}"
    return FileSpec(str(path.resolve()), function, against=against, inputs=inputs)
