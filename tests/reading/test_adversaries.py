"""Evidence that a law is right or refused by name: programs aimed at machines, and those of the layer of states."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import calls_of_builtins
import careless
import classes_of_hosts
import closure_programs
import corpus
import corpus_calls
import corpus_constructs
import corpus_made
import corpus_values
import cunning
import cunning_calls
import cunning_constructs
import cunning_handling
import cunning_made
import cunning_values
import false_verdicts
import hidden_places
import hidden_states
import laws_of_calls
import mended
import method_programs
import pair_programs
import programs
import programs_of_calls
import pytest
import same_objects
import same_values
import special_methods
import undecided_values
import unlike_cpython
import unlike_cpython_too
from oracle import truth_of, unlike

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import Limits, read_law

OWN = (
    *(false_verdicts, hidden_places, hidden_states, laws_of_calls, same_objects, same_values, undecided_values),
    *(mended, unlike_cpython, unlike_cpython_too, calls_of_builtins, classes_of_hosts, special_methods),
)
STATES = (
    *(careless, closure_programs, corpus, corpus_calls, corpus_constructs, corpus_made, corpus_values, cunning),
    *(cunning_calls, cunning_constructs, cunning_handling, cunning_made, cunning_values, method_programs),
    *(pair_programs, programs, programs_of_calls),
)
NOT_FOLLOWED = {
    false_verdicts: 12,
    hidden_places: 0,
    hidden_states: 3,
    laws_of_calls: 3,
    same_objects: 3,
    same_values: 23,
    undecided_values: 6,
    mended: 4,
    unlike_cpython: 8,
    unlike_cpython_too: 5,
    calls_of_builtins: 22,
    classes_of_hosts: 24,
    special_methods: 19,
}
"""How many programs of each module are refused: each by the name of what it asks, none as an internal error."""


def found(*modules: ModuleType) -> Iterator[Any]:
    for module in modules:
        for name, each in list(vars(module).items()):
            if type(each) is FunctionType and each.__module__ == module.__name__ and name[0] != "_":
                names = each.__code__.co_varnames[: each.__code__.co_argcount]
                if len(names) == 2 and names[0] in ("n", "x") and names[1] == "coins":
                    yield pytest.param(module, each, id=f"{module.__name__}-{name}")


def value_for(module: ModuleType) -> Any:
    return None if module is programs else 1 if module.__name__.startswith("cunning") or module in OWN else 2


def judged(module: ModuleType, program: Any) -> str:
    value = value_for(module)
    try:
        law = read_law(program, value, Limits(states=2_000)).law
    except Unauditable as refusal:
        return str(refusal)
    return unlike(law, *truth_of(program, value)) or ""


@pytest.mark.points(120)
@pytest.mark.parametrize(("module", "program"), list(found(*OWN, *STATES)))
def test_law_is_that_of_all_scripts_of_coins_or_refused(module: ModuleType, program: Any) -> None:
    told = judged(module, program)
    assert " read, " not in told
    assert "internal" not in told


@pytest.mark.nightly
@pytest.mark.parametrize("module", OWN)
def test_refused_programs_are_as_many_as_are_known(module: ModuleType) -> None:
    refused = [program.values[1].__name__ for program in found(module) if judged(module, program.values[1])]
    assert len(refused) == NOT_FOLLOWED[module], refused


@pytest.mark.parametrize("program", [each.values[1] for each in found(false_verdicts)])
def test_refused_what_had_a_false_verdict(program: Any) -> None:
    with pytest.raises(Unauditable):
        read_law(program, 1)
