"""Evidence for the two lemmas: bytes tell all of a state, and an instruction that asks has done nothing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from harness import Atomic, ColdExplorer
from test_adversaries import MOVED, OWN, found, value_for

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.reading import keys
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Explorer, Limits, read_law
from dpcert.reading.keys import Reader, Writer
from dpcert.reading.machine import Machine, Pinned
from dpcert.reading.values import List

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


def counter(n: int, coins: Coins) -> int:
    kept = []
    for _ in range(n):
        kept.append(int(coins.below(2)))
    return sum(kept) if coins.below(2) == 0 else len(kept)


def zero(n: int, coins: Coins) -> str:
    x = -0.0 if coins.below(2) else 0.0
    return str(x) if coins.below(2) == 0 else ""


PLANTED: dict[str, tuple[str, Callable[[Any], Any], Any]] = {
    "a zero loses its sign": ("check_scalar", lambda old: lambda value: old(value) or 0.0, zero),
    "a list loses its items": ("HELD", lambda old: {**old, List: lambda record: (record.origin, ())}, counter),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_caught_fault_in_keys(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, plant, program = PLANTED[fault]
    right = read_law(program, 2).law
    monkeypatch.setattr(keys, name, plant(getattr(keys, name)))
    try:
        found = read_law(program, 2).law
    except (Unauditable, AttributeError, KeyError):
        found = None
    assert found != right
