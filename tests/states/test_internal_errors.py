"""Evidence that an error in the layer of states is none of the program's: it is named, and paths are taken."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.states import flat, reader, world
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.freeze import Freezer
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.thaw import Thaw

LIMITS = Limits(max_tail=Fraction(1, 10**6))


def wait(n: int, coins: Coins) -> int:
    n -= 1
    while coins.below(2):
        n = (n + 1) % 3
    return n


def swallows(x: Any, coins: Coins) -> Any:
    """Takes whatever is raised for an outcome of its own."""
    n = 0
    try:
        while coins.below(2):
            n = wait(n, coins)
        return n
    except Exception:
        return "swallowed"


def passes(x: Any, coins: Coins) -> Any:
    n = 0
    while coins.below(2):
        n = wait(n, coins)
    return n


def failing(function: Any, error: Exception, at: int) -> Callable[..., Any]:
    count = [0]

    def fails(*args: Any, **kwds: Any) -> Any:
        count[0] += 1
        if count[0] >= at:
            raise error
        return function(*args, **kwds)

    return fails


PLACES = {
    "Freezer.add": (Freezer, "add"),
    "Freezer.variables": (Freezer, "variables"),
    "Thaw.record": (Thaw, "record"),
    "Flat.key": (flat.Flat, "key"),
    "Shape.records": (flat.Shape, "records"),
    "Surroundings.unchanged": (world.Surroundings, "unchanged"),
    "the place of a frame": (reader, "frames_of"),
    "meet": (world, "meet"),
}
FROZEN = {"Freezer.variables", "Thaw.record"}
"""Where states of plain values alone do not come, unless they are frozen as others are."""
ERRORS = [AssertionError("odd"), KeyError("lost"), RecursionError("deep"), StopIteration(), MemoryError()]


@pytest.mark.points(1)
@pytest.mark.parametrize("program", [swallows, passes])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("place", PLACES)
def test_an_error_of_the_layer_is_never_an_outcome(
    place: str, error: Exception, program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name = PLACES[place]
    for at in (1, 2, 3) if place == "meet" else (1, 5, 9):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, failing(getattr(owner, name), error, at))
            if place in FROZEN:
                patch.setattr(flat.Flat, "key", lambda self, frames: None)
            with pytest.raises(NotRead) as caught:
                merged_law(program, None, limits=LIMITS)
        assert f"an internal error of dpcert.mechanisms.states: {type(error).__name__}" in str(caught.value)


def test_an_error_of_the_layer_leaves_the_paths_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = enumerate_law(passes, None, limits=Limits(max_runs=300), merge=False)
    monkeypatch.setattr(Freezer, "add", failing(Freezer.add, AssertionError("odd"), 3))
    found = enumerate_law(passes, None, limits=Limits(max_runs=300))
    assert found.law.digest() == expected.law.digest()
    assert any("internal error of dpcert.mechanisms.states: AssertionError: odd" in note for note in found.notes)
    assert found.assumptions == ()


@pytest.mark.nightly
def test_without_an_error_the_same_programs_are_merged() -> None:
    assert merged_law(passes, None).law.tail < Fraction(1, 10**30)
    assert merged_law(swallows, None).law == merged_law(passes, None).law
