"""Evidence that a law is right or refused by name: programs aimed at machines, and at a reader of states."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import calls_of_builtins
import classes_of_hosts
import corpus
import cunning
import cunning_values
import false_verdicts
import hidden
import hidden_places
import hidden_states
import iterators_after_errors
import laws_of_calls
import mended
import protocols
import pytest
import same_objects
import same_values
import special_methods
import told_slots
import undecided_values
import unlike_cpython
import unlike_cpython_too
from oracle import truth_of, unlike

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import Limits, read_law

OWN = (
    *(told_slots, false_verdicts, hidden_places, hidden_states, laws_of_calls, same_objects, same_values),
    *(undecided_values, mended, unlike_cpython, unlike_cpython_too, calls_of_builtins, classes_of_hosts),
    *(special_methods, iterators_after_errors, protocols),
)
MOVED = (corpus, cunning, cunning_values)
REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
"""The programs of these modules that are refused, and of those that hide nothing, each with its reason."""
NOT_FOLLOWED = {
    false_verdicts: 12,
    hidden_places: 0,
    hidden_states: 3,
    laws_of_calls: 3,
    same_objects: 3,
    same_values: 23,
    undecided_values: 2,
    mended: 4,
    told_slots: 0,
    unlike_cpython: 7,
    unlike_cpython_too: 4,
    calls_of_builtins: 47,
    classes_of_hosts: 24,
    special_methods: 19,
    iterators_after_errors: 3,
    protocols: 29,
}
"""How many programs of each module are refused: each by the name of what it asks, none as an internal error."""


def found(*modules: ModuleType) -> Iterator[Any]:
    for module in modules:
        for name, each in {**vars(module), **getattr(module, "PROGRAMS", {})}.items():
            if type(each) is FunctionType and each.__module__ == module.__name__ and name[0] != "_":
                each.__name__ = name
                names = each.__code__.co_varnames[: each.__code__.co_argcount]
                if len(names) == 2 and names[0] in ("n", "x") and names[1] == "coins":
                    yield pytest.param(module, each, id=f"{module.__name__}-{name}")


def value_for(module: ModuleType) -> Any:
    return 2 if module is corpus else 1


def judged(module: ModuleType, program: Any, value: Any = None) -> str:
    value = value_for(module) if value is None else value
    try:
        law = read_law(program, value, Limits(tail=Fraction(1, 10**9))).law
    except Unauditable as refusal:
        return str(refusal)
    return unlike(law, *truth_of(program, value)) or ""


@pytest.mark.points(120)
@pytest.mark.parametrize(("module", "program"), list(found(*OWN)))
def test_law_is_that_of_all_scripts_of_coins_or_refused(module: ModuleType, program: Any) -> None:
    told = judged(module, program)
    assert " read, " not in told
    assert "internal" not in told


HIDING = [name for name, parts in hidden.PARTS.items() if not parts.get("read")]
PLAIN = [name for name in hidden.PARTS if name not in HIDING]
MOVED_PROGRAMS = [each.values for each in found(*MOVED)] + [(hidden, hidden.load(name)) for name in PLAIN]
NAMES = [*(each.__name__ for _, each in MOVED_PROGRAMS[: -len(PLAIN)]), *PLAIN]


@pytest.mark.points(60)
@pytest.mark.parametrize("name", HIDING)
def test_what_is_hidden_is_told_or_refused_by_name(name: str) -> None:
    program = hidden.load(name)
    told = [judged(hidden, program, n) for n in (0, 1)]
    assert not any(" read, " in each or "internal" in each for each in told)


@pytest.mark.points(60)
@pytest.mark.parametrize(("name", "module", "program"), [(n, *p) for n, p in zip(NAMES, MOVED_PROGRAMS, strict=True)])
def test_law_is_right_or_refused_for_the_reason_that_stands_by_its_name(
    name: str, module: ModuleType, program: Any
) -> None:
    told = judged(module, program)
    assert told == "" if name not in REFUSED else told.startswith(REFUSED[name])


def test_refused_programs_are_programs() -> None:
    assert REFUSED.keys() <= set(NAMES)


@pytest.mark.nightly
@pytest.mark.parametrize("module", OWN)
def test_refused_programs_are_as_many_as_are_known(module: ModuleType) -> None:
    refused = [program.values[1].__name__ for program in found(module) if judged(module, program.values[1])]
    assert len(refused) == NOT_FOLLOWED[module], refused


@pytest.mark.parametrize("program", [each.values[1] for each in found(false_verdicts)])
def test_refused_what_had_a_false_verdict(program: Any) -> None:
    with pytest.raises(Unauditable):
        read_law(program, 1)
