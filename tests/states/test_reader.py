"""Evidence that a program read by its states has the law of its paths, and that what is run does what it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from decimal import Decimal
from types import FunctionType
from typing import Any

import corpus
import corpus_calls
import corpus_constructs
import corpus_made
import corpus_values
import pytest

from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Watch
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.states import reader, turns
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.flat import Flat
from dpcert.mechanisms.states.freeze import ITERATORS, Freezer
from dpcert.mechanisms.states.instances import is_instance
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.replaying import replays
from dpcert.mechanisms.states.replaying.answered import Answering, Replayed
from dpcert.mechanisms.states.replaying.cover import Recorder
from dpcert.mechanisms.states.runtime import NOW, REWRITER, root
from dpcert.mechanisms.states.summarise import Answer, Summary
from dpcert.mechanisms.states.turns import Lines
from dpcert.mechanisms.states.world import Surroundings
from dpcert.mechanisms.watch import refuse_hidden_randomness

PROGRAMS = [
    each
    for module in (corpus, corpus_calls, corpus_constructs, corpus_made, corpus_values)
    for each in vars(module).values()
    if type(each) is FunctionType and each.__module__ == module.__name__ and each.__code__.co_argcount == 2
    if each.__name__[0] != "_" and (module is not corpus_calls or each.__name__.startswith("called"))
]


NO_LOOP = {"numbers", "called_while_an_error_is_handled"}


def _named(program: Callable[..., Any]) -> str:
    return program.__name__


def test_a_clock_that_few_states_ask_is_refused() -> None:
    def rarely(n: int, coins: Coins) -> int:
        kept = 0
        for _ in range(n):
            kept += coins.below(2)
        return time.time_ns() // 10**12 % 2 if kept == n // 2 else kept

    with pytest.raises(NotRead, match=r"time\.time_ns"):
        merged_law(rarely, 70, watch=Watch(first=refuse_hidden_randomness))
    assert enumerate_law(rarely, 70, limits=Limits(max_runs=400)).law.tail > 0


def test_a_replay_that_draws_what_was_not_recorded_is_condemned() -> None:
    source = Replayed([(2, 1), (1 << 53, 5)])
    with pytest.raises(Unauditable, match="it drew other coins"):
        Coins(source).random()
    assert source.fault is not None
    assert Coins(Replayed([(1 << 53, 5)])).random() == 5 / 2**53


add = sum
SUMS = [
    lambda n, coins: sum(coins.random() < 0.25 for _ in range(n)),
    lambda n, coins: add(coins.random() < 0.25 for _ in range(n)),
    lambda n, coins: sum([1 for _ in range(n) if coins.random() < 0.25]),
]


@pytest.mark.parametrize("program", SUMS)
def test_sums_are_read_by_their_states_while_floats_are_followed(program: Callable[..., Any]) -> None:
    """From Python 3.12 on `sum` makes up for the rounding of floats, and is another function on undecided ones."""
    found = enumerate_law(program, 9)
    assert "states" in found.sources
    assert found.leaves < 200  # of 512 paths
    assert found.law == Dist.binomial(9, "1/4")


def test_iterators_in_c_are_no_instances_of_classes_in_python() -> None:
    """From Python 3.12 on those of itertools are of heap types, as classes in Python are."""
    assert [kind for kind in ITERATORS if is_instance(kind)] == []


@pytest.mark.parametrize("until", range(4))
@pytest.mark.parametrize("count", range(4))
def test_the_watch_of_a_replay_begins_and_ends_with_what_is_new(count: int, until: int) -> None:
    if until < count:
        return
    begun: list[int] = []
    drawn: list[int] = []
    source = Replayed([(9, 1), (9, 2), (9, 3)])
    ended: list[int] = []
    source.call(lambda: begun.append(len(drawn)), count, lambda: ended.append(len(drawn)), until)
    drawn.extend(source.below(9) for _ in range(3))  # each is added after it was drawn
    source.running = False
    assert (drawn, begun, ended) == ([1, 2, 3], [max(0, count - 1)], [until] if until < 3 else [])
    assert source.exhausted()


def test_no_watch_begins_once_a_replay_is_over() -> None:
    source = Replayed([(9, 1)])
    begun: list[str] = []
    source.call(lambda: begun.append("late"), 1, lambda: begun.append("later"), 1)
    source.running = False
    assert not source.exhausted()
    assert begun == []


@pytest.mark.parametrize(
    ("program", "inputs"), [(corpus_calls.called_in_a_loop, (8, 9)), (corpus.for_range, range(8, 16))]
)
def test_each_way_is_watched_with_each_of_its_draws(
    program: Callable[..., Any], inputs: Iterable[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a replay takes before its watch begins, or after it ends, an earlier one took under its watch."""
    watched: set[Any] = set()
    beginnings: list[int] = []
    endings: list[int] = []
    new = Recorder.new

    def noted(self: Recorder, path: list[Any], pick: int, answers: bool = False) -> tuple[int, int]:
        before, left = new(self, path, pick, answers)
        beginnings.append(before)
        endings.append(left)
        parts = [(way, self.record([way], pick, answers)) for way in path]
        count, end = 0, sum(len(draws) for _, draws in parts) - left
        for way, draws in parts:
            old = count + len(draws) <= before or count >= end
            assert not old or (id(self), way, draws) in watched or (not draws and count in (before, end))
            count += len(draws)
            watched.add((id(self), way, draws))
        return before, left

    monkeypatch.setattr(Recorder, "new", noted)
    kept = Kept()
    for n in inputs:
        merged_law(program, n, kept=kept)
    assert max(beginnings) > 3
    assert max(endings) > 3 or program is corpus_calls.called_in_a_loop


def test_calls_that_are_asked_as_questions_have_marks_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, Summary] = {}

    def noted(self: Summary, run: Any) -> Any:
        asked[id(self)] = self
        return ask(self, run)

    ask = Summary.ask
    monkeypatch.setattr(Summary, "ask", noted)
    merged_law(corpus_calls.called_within_calls, 3)
    assert len({each.mark for each in asked.values()}) == len(asked) > 1


CALLING = [each for each in PROGRAMS if each.__module__ == corpus_calls.__name__]


@pytest.mark.points(4)
@pytest.mark.parametrize("program", CALLING, ids=_named)
def test_replays_that_are_answered_calls_have_the_law_of_the_paths(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "MOST_WHOLE", 0)
    codes = {name: each.__code__ for name, each in vars(corpus_calls).items() if type(each) is FunctionType}
    assert merged_law(program, 3).law == exact_law(program, 3).law
    assert codes == {name: each.__code__ for name, each in vars(corpus_calls).items() if name in codes}


def test_a_call_takes_no_answer_of_another_call() -> None:
    def doubled(n: int, coins: Coins) -> int:
        return n * int(coins.below(2))

    coins = Coins(Replayed([]))
    answering = Answering(Surroundings(doubled, 1), coins)
    answering.replay([])
    with answering.within([doubled]):
        name = answering._name(doubled, (3, coins), {})
        for n, kwds in ((3, {}), (4, {}), (True, {}), (3.0, {}), (3, {"more": 1})):
            source = answering.replay([(0, Answer(name, 7, ((), ())))])
            if (n, kwds) == (3, {}) and type(n) is int:
                assert doubled(n, coins) == 7
                assert source.exhausted()
            else:
                with pytest.raises((Unauditable, TypeError)):
                    doubled(n, coins, **kwds)
        answering.replay([(2, 1), (0, Answer(name, 7, ((), ())))])
        assert [doubled(3, coins), doubled(3, coins)] == [3, 7]
    assert doubled(3, Coins(Replayed([(2, 1)]))) == 3


@pytest.mark.points(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=_named)
def test_flat_states_are_those_that_freezing_tells_apart(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = merged_law(program, 3)
    monkeypatch.setattr(Flat, "key", lambda self, frames: None)
    frozen = merged_law(program, 3)
    assert (frozen.law, frozen.states) == (found.law, found.states)


@pytest.mark.points(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=_named)
def test_states_that_are_followed_as_one_lead_where_each_leads(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LEAST", 2)
    found = merged_law(program, 4, kept=(together := Kept()))
    monkeypatch.setattr(Lines, "together", lambda self, tasks: None)
    alone = merged_law(program, 4, kept=(apart := Kept()))
    assert (found.law, found.states, found.replays) == (alone.law, alone.states, alone.replays)
    assert _ways(together) == _ways(apart)


def _ways(kept: Kept) -> list[Any]:
    """Return where each state leads, by number, with probabilities, where that is kept."""
    whole = kept.whole
    ways = {} if whole is None else whole.ways
    return [(state, [(to, whole and whole.reader.weights[kind]) for to, kind in out]) for state, out in ways.items()]


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.__module__ == corpus_made.__name__], ids=_named)
def test_functions_and_generators_that_a_program_makes_are_told_by_shape(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = exact_law(program, 3).law
    monkeypatch.delattr(Freezer, "variables")
    assert merged_law(program, 3).law == expected


@pytest.mark.points(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=_named)
def test_a_program_by_its_states_has_the_law_of_its_paths(program: Callable[..., Any]) -> None:
    paths = exact_law(program, 3).law
    for reverse in (False, True):
        found = merged_law(program, 3, reverse=reverse)
        assert found.law == paths
        assert found.states > 1 or program.__name__ in NO_LOOP
        assert found.notes == ()


@pytest.mark.parametrize("program", PROGRAMS, ids=_named)
def test_a_function_that_can_be_entered_again_does_what_the_function_does(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type(program) is FunctionType
    assert REWRITER.again(program) is not None, REWRITER.codes[program.__code__]
    monkeypatch.setattr(NOW, "active", True)

    def seen(function: Callable[..., Any], seed: int) -> Any:
        try:
            outcome = function(3, seeded_coins(seed))
        except IndexError as error:
            outcome = error.args
        return key(outcome)

    for seed in range(20):
        assert seen(lambda n, coins: root(program, (n, coins), {}), seed) == seen(program, seed)


def told_by_decimal(n: int, coins: Coins) -> tuple[int, int]:
    """Count heads, and how often there were five: a class in C says that no integer is one."""
    heads = fives = 0
    for _ in range(n):
        try:
            five = Decimal(heads) == 5
        except TypeError:
            five = False
        if five:
            fives += 1
        if coins.random() < 0.5:
            heads += 1
    return heads, fives


def told_by_a_method(n: int, coins: Coins) -> tuple[int, int]:
    """The same, by a method in C that does not ask what is no integer."""
    heads = fives = 0
    for _ in range(n):
        if int.__eq__(5, heads) is True:
            fives += 1
        if coins.random() < 0.5:
            heads += 1
    return heads, fives


@pytest.mark.parametrize("program", [told_by_decimal, told_by_a_method], ids=_named)
def test_caught_states_that_were_followed_as_one_and_do_not_go_on_alike(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such states are followed one by one; were they not, replays would tell."""
    assert merged_law(program, 10).law == exact_law(program, 10).law
    monkeypatch.setattr(reader, "noting", lambda looked: nullcontext([]))
    with pytest.raises(NotRead, match="otherwise than run again"):
        merged_law(program, 10)
