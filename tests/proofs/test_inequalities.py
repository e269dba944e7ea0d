"""Key inequalities hold by z3; each fails with one change, and without any of its hypotheses."""

import importlib
from dataclasses import replace
from typing import Any

import pytest

from dpcert.proofs.adapters import z3
from dpcert.proofs.check import CheckResult, first
from dpcert.proofs.inequalities import Inequality, faults
from dpcert.proofs.ledger import PAPERS, folder_of

SQUARE = Inequality("x", (lambda v: v.x >= 1,), lambda v: v.x * v.x >= v.x, lambda v: v.x * v.x > v.x)
MODULES = [importlib.import_module(f"dpcert.proofs.{folder_of(paper)}.checks.inequalities") for paper in PAPERS]
ALL = [each for module in MODULES for each in vars(module).values() if type(each) is Inequality]


def test_an_inequality_holds() -> None:
    assert list(faults(SQUARE)) == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"then": lambda v: v.x * v.x >= v.x + 1}, "fails, by z3: {'x': "),
        ({"given": (lambda v: v.x >= 1, lambda v: v.x < 1)}, "no point for what is given"),
        ({"mutant": SQUARE.then}, "no point against the mutant"),
        ({"given": (*SQUARE.given, lambda v: v.x >= -1)}, "no point where hypothesis 2 alone fails"),
    ],
)
def test_caught(changed: dict[str, Any], fault: str) -> None:
    assert any(each.startswith(fault) for each in faults(replace(SQUARE, **changed)))


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.names)
def test_caught_each_inequality_with_its_mutant_for_a_conclusion(each: Inequality) -> None:
    assert first(faults(replace(each, then=each.mutant))).holds is False


def test_what_z3_does_not_know_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = z3.point
    monkeypatch.setattr(z3, "point", lambda *a: "unknown" if asked(*a) is None else asked(*a))
    assert first(faults(SQUARE)) == CheckResult(False, "fails, by z3: unknown")


def test_a_point_is_replayed_in_exact_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """sqrt(2) is no fraction: the one that stands for it refutes nothing."""
    root = Inequality("x", (lambda v: v.x * v.x == 2,), lambda v: v.x > 2, lambda v: v.x > 2)
    assert "no point for what is given" in list(faults(root))
    monkeypatch.setattr(z3, "point", lambda *a: {"x": 0})
    assert first(faults(SQUARE)).witness == "no point for what is given"
