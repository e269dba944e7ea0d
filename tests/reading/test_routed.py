"""Programs whose randomness is routed to coins, by their states: with the law of their paths, or none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from types import FunctionType
from typing import Any

import pytest
import routed_programs as programs
from oracle import unlike

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.reading.explore import read_law
from dpcert.reading.led import coins as led
from dpcert.reading.paths.routed import at, routed
from dpcert.targets.redirecting import redirect
from dpcert.targets.taken import taken

READ = [
    programs.kept_by_python,
    programs.chosen,
    programs.ranged,
    programs.of_the_module,
    programs.of_the_system,
    programs.made_in_the_loop,
    programs.by_its_method,
    programs.in_a_list,
    programs.called,
    programs.of_an_instance,
    programs.MECHANISM.release,
    programs.remembered_on_one_that_it_made,
]
MERGED = [each for each in READ if each not in (programs.chosen, programs.by_its_method)]
"""Of the others, one keeps a list of its draws, and one so many counts that the states of eight draws take seconds."""
REFUSED = [
    programs.kept,
    programs.integers,
    programs.of_numpy,
    programs.held,
    programs.made,
    programs.of_bytes,
    programs.of_an_instance_that_changes,
    programs.MECHANISM.counting,
    programs.remembered_on_the_generator,
    programs.second_of_a_pair,
    programs.remembered_on_a_class,
    programs.remembered_on_the_class_of_random,
]


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    yield
    programs.MECHANISM.asked = 0
    for kind in (programs.Random, type(programs.TARGET)):
        if "seen" in vars(kind):
            del kind.seen
    for names in (vars(programs.TARGET), programs.TARGET.params):
        names.pop("seen", None)


def _named(program: Callable[..., Any]) -> str:
    return program.__qualname__


def _routed(function: Any) -> Callable[..., Any]:
    return routed(function, taken(function, ()))


def _law_of_paths(program: Callable[..., Any], n: int) -> Any:
    """The law by paths, in which the generators of the standard library hand on undecided numbers of the coins."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(led, "plain", lambda value: value)
        return exact_law(program, n, Settings(LazyRun, Limits(max_runs=5_000))).law


@pytest.mark.points(6)
@pytest.mark.parametrize("function", READ, ids=_named)
def test_a_routed_program_by_its_states_has_the_law_of_its_paths(function: Any) -> None:
    program = _routed(function)
    paths = _law_of_paths(program, 3)
    for reverse in (False, True):
        found = read_law(program, 3, reverse=reverse)
        assert found.law == paths
        assert found.states > 2
        assert any("fair coins" in note for note in found.notes)


@pytest.mark.points(6)
@pytest.mark.parametrize("function", [each for each in MERGED if isinstance(each, FunctionType)], ids=_named)
def test_states_of_a_routed_program_are_merged(function: Any) -> None:
    """From four draws to eight, the states grow by less than the paths, of which there are 16 times as many or more."""
    program = _routed(function)
    counts = [read_law(program, n).states for n in (4, 8)]
    assert counts[1] < 8 * counts[0]


@pytest.mark.parametrize("function", REFUSED, ids=_named)
def test_what_a_program_keeps_beside_its_frames_gives_the_law_of_the_paths_or_none(function: Any) -> None:
    program = _routed(function)
    try:
        paths = _law_of_paths(program, 3)
    except Exception:
        paths = None
    for reverse in (False, True):
        try:
            found = read_law(program, 3, reverse=reverse)
        except Unauditable:
            continue
        if found.left:  # replays refuse it, if it shows
            continue
        assert paths is not None
        truth = {name: Fraction(weight, paths.denominator) for name, _, weight in paths.weights()}
        assert unlike(found.law, truth, paths.tail) is None


def test_settings_and_a_redirection_are_read_as_they_are_called() -> None:
    @redirect()
    def shifted(n: int, *, by: int) -> int:
        k = by
        for _ in range(n):
            k += random.random() < 0.5
        return k

    program = at(shifted, {"by": 7})
    found = read_law(program, 20)
    assert Dist.like(found.law) == Dist.like(read_law(at(shifted, {"by": 0}), 20).law).map(lambda k: k + 7)
    assert found.notes == _law_notes(program)


def _law_notes(program: Callable[..., Any]) -> tuple[str, ...]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(led, "plain", lambda value: value)
        return exact_law(program, 2, Settings(LazyRun, Limits())).notes


@pytest.mark.parametrize(
    "function",
    [programs.of_unseeded_bits, programs.of_the_system_on_another, programs.of_coins_on_another],
    ids=_named,
)
def test_a_method_of_one_generator_called_on_another_is_refused(function: Any) -> None:
    with pytest.raises(Unauditable, match="a method of a generator is called on something else"):
        read_law(_routed(function), 1)


def test_coins_draw_by_their_own_methods_alone() -> None:
    with pytest.raises(Unauditable, match="a method of a generator is called on something else"):
        read_law(lambda n, coins: Random.random(coins) < 0.5, 1)


def test_a_generator_that_is_seeded_anew_keeps_no_normal_number() -> None:
    assert [outcome for _, outcome, _ in read_law(_routed(programs.seeded_anew), 1).law.weights()] == [None]


def test_names_mean_what_they_did_once_a_law_is_read() -> None:
    before = random.random, programs.Random, vars(programs.MECHANISM)["rng"]
    read_law(_routed(programs.of_an_instance), 3)
    read_law(_routed(programs.of_the_module), 3)
    assert (random.random, programs.Random, vars(programs.MECHANISM)["rng"]) == before


@pytest.mark.parametrize("function", [programs.TARGET.function, programs.by_a_target], ids=_named)
def test_a_target_by_its_name_is_told_by_what_it_holds(function: Any) -> None:
    program = _routed(function)
    assert read_law(program, 3).law == _law_of_paths(program, 3)


@pytest.mark.parametrize(
    "keep",
    [programs.of_the_target, programs.of_its_parameters, programs.of_its_claim, programs.of_its_class],
    ids=_named,
)
def test_what_a_program_keeps_in_a_target_is_refused_or_told(keep: Any) -> None:
    def program(n: int, rng: Random) -> Any:
        found = 0
        for _ in range(n):
            found = keep(int(rng.random() < 0.5), rng)
        return found

    try:
        assert read_law(_routed(program), 3).left
    except Unauditable:
        return
