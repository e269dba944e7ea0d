"""Evidence that state which no variable shows is no state left out: the law is that of the paths, or none is given."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.law import merged_law

LIMITS = Limits(max_tail=Fraction(1, 10**6))
PROGRAMS = Path(__file__).with_name("careless.py")


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("frames_careless", PROGRAMS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


careless = _load()
NAMES = [name for name, value in vars(careless).items() if name.startswith("in_") and type(value) is FunctionType]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (careless.SETTINGS, careless.THIS):
        monkeypatch.setitem(sys.modules, module.__name__, module)


def _masses(law: Dist) -> dict[Any, Fraction]:
    return {name: Fraction(weight, law.denominator) for name, _, weight in law.weights()}


def _agree(merged: Dist, paths: Dist) -> bool:
    """Whether two laws can be of one program: where they differ, the tails leave room for it."""
    a, b = _masses(merged), _masses(paths)
    return all(
        a.get(name, 0) <= b.get(name, 0) + paths.tail and b.get(name, 0) <= a.get(name, 0) + merged.tail
        for name in {*a, *b}
    )


def _merged(program: Callable[[Any, Coins], Any], value: Any, reverse: bool) -> Dist | None:
    try:
        return merged_law(program, value, limits=LIMITS, reverse=reverse).law
    except NotCaptured:
        return None


@pytest.mark.parametrize("name", NAMES)
def test_state_out_of_sight_gives_the_law_of_the_paths_or_none(name: str) -> None:
    program, value = getattr(careless, name), careless.Mode.A
    paths = exact_law(program, value, limits=LIMITS).law
    for reverse in (False, True):
        law = _merged(program, value, reverse)
        assert law is None or _agree(law, paths), law
