"""Evidence that an error in the layer of states is none of the program's: it is named, and paths are taken."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.frames import engine, run
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.law import merged_law
from dpcert.mechanisms.frames.walk import Walk

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
    "Walk.visit": (Walk, "visit"),
    "Walk.key": (Walk, "key"),
    "a run's Stack.here": (run.Stack, "here"),
    "meet": (engine, "meet"),
}
ERRORS = [AssertionError("odd"), KeyError("lost"), RecursionError("deep"), StopIteration(), MemoryError()]


@pytest.mark.points(1)
@pytest.mark.parametrize("program", [swallows, passes])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("place", ["Walk.visit", "Walk.key", "a run's Stack.here", "meet"])
def test_an_error_of_the_layer_is_never_an_outcome(
    place: str, error: Exception, program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name = PLACES[place]
    for at in (1, 2, 3) if place == "meet" else (1, 5, 9):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, failing(getattr(owner, name), error, at))
            with pytest.raises(NotCaptured) as caught:
                merged_law(program, None, limits=LIMITS)
        assert f"an internal error of dpcert.mechanisms.frames: {type(error).__name__}" in str(caught.value)


def test_an_error_while_calls_are_noted_is_named_and_the_profiler_is_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "arguments_of", failing(run.arguments_of, AssertionError("odd"), 1))
    with pytest.raises(NotCaptured, match=r"internal error of dpcert.mechanisms.frames: AssertionError: odd"):
        merged_law(swallows, None, limits=LIMITS)
    assert sys.getprofile() is None


def test_an_error_of_the_layer_leaves_the_paths_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = enumerate_law(passes, None, limits=Limits(max_runs=300), merge=False)
    monkeypatch.setattr(Walk, "visit", failing(Walk.visit, AssertionError("odd"), 3))
    found = enumerate_law(passes, None, limits=Limits(max_runs=300))
    assert found.law.digest() == expected.law.digest()
    assert any("internal error of dpcert.mechanisms.frames: AssertionError: odd" in note for note in found.notes)
    assert found.assumptions == ()


@pytest.mark.nightly
def test_without_an_error_the_same_programs_are_merged() -> None:
    assert merged_law(passes, None).law.tail < Fraction(1, 10**30)
    assert merged_law(swallows, None).law == merged_law(passes, None).law
