"""Evidence for the two lemmas: bytes tell all of a state, and an instruction that asks has done nothing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from forgetful import FAULTS, UNSEEN, Merging
from harness import Atomic, ColdExplorer
from oracle import truth_of, unlike
from test_adversaries import MOVED, OWN, found, value_for
from told_slots import TOLD

from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading import keys
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Explorer, Limits, read_law
from dpcert.reading.keys import Reader, Writer
from dpcert.reading.machine import Machine, Pinned

CASES = list(found(*OWN, *MOVED))
PROGRAMS = [pytest.param(each.values[1], id=each.id) for each in CASES]
SCALARS = [
    *(0, 1, True, False, 1.0, 0.0, -0.0, None, "1", b"1", 1j, 0j, complex(0.0, -0.0), Fraction(1), Fraction(1, 2), ...),
    *(Decimal(1), Decimal("1.0"), Decimal("-0"), Decimal("1E+2"), range(0, 3, 2), range(0, 4, 2), NotImplemented),
    *(float("inf"), 10**30, "", b"", (), (1,), (True,), ((),), ("1",)),
]


def machine() -> Machine:
    return Machine(Pinned(machine, None))


def test_forms_of_scalars_are_all_apart() -> None:
    forms = [keys.marshal.dumps(Writer(machine()).form(each), 2) for each in SCALARS]
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize("value", SCALARS, ids=repr)
def test_a_scalar_is_read_from_its_form(value: Any) -> None:
    m = machine()
    form = keys.marshal.loads(keys.marshal.dumps(Writer(m).form(value), 2))
    read = Reader(m, (), {}).value(form)
    assert type(read) is type(value)
    assert repr(read) == repr(value)


@pytest.mark.parametrize("value", [float("nan"), complex(0, float("nan")), Decimal("NaN")], ids=repr)
def test_refused_nan(value: Any) -> None:
    with pytest.raises(Refused, match="NaN"):
        Writer(machine()).form(value)


def law_of(explorer: Explorer) -> dict[bytes, Fraction]:
    law = explorer.law()
    return {canonical(outcome): Fraction(weight, law.denominator) for _, outcome, weight in law.weights()}


def told_by(find: Callable[[], dict[bytes, Fraction]]) -> dict[bytes, Fraction] | None:
    """The law that an explorer finds, or None where it refuses the program by name."""
    try:
        return find()
    except Refused as refused:
        reason = refused.reason
    assert not reason.startswith("internal")
    return None


@pytest.mark.points(40)
@pytest.mark.parametrize(("module", "program"), CASES)
def test_an_instruction_that_asks_has_done_nothing(module: Any, program: Callable[..., Any]) -> None:
    told = told_by(lambda: law_of(Atomic(program, value_for(module), Limits(states=300))))
    assert told == told_by(lambda: law_of(Explorer(program, value_for(module), Limits(states=300))))


@pytest.mark.points(6)
@pytest.mark.parametrize(("module", "program"), CASES)
def test_cold_processes_find_the_same_law(module: Any, program: Callable[..., Any]) -> None:
    told = told_by(ColdExplorer(program, value_for(module), 300).law)
    assert told is None or told == told_by(lambda: law_of(Explorer(program, value_for(module), Limits(states=300))))


@pytest.mark.parametrize(("program", "fault"), [(each, f) for each in TOLD for f in TOLD[each].split(", ")])
def test_caught_a_part_of_a_state_that_keys_leave_out(program: Callable[..., Any], fault: str) -> None:
    truth = truth_of(program, 1)
    assert unlike(read_law(program, 1).law, *truth) is None
    assert unlike(Merging(program, 1, fault).law(), *truth) is not None


def test_each_part_of_a_state_is_shown_by_a_program_or_by_none_for_a_reason() -> None:
    shown = {fault for faults in TOLD.values() for fault in faults.split(", ")}
    assert shown | UNSEEN.keys() == FAULTS.keys()
    assert not shown & UNSEEN.keys()
