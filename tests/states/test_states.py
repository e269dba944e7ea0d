"""Evidence for mechanisms/states/: laws of plain loops held to paths and to coins.loop, state out of sight refused."""

from __future__ import annotations

import abc
import inspect
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import plain_gaussian as plain
import programs
import programs_of_calls
import programs_that_grow as growing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcert
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.slow import SLOW
from dpcert.mechanisms.states.choice import FEW
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.read import merged_law

TRAPS = (*programs.TRAPS, *programs_of_calls.TRAPS)
REFUSED = {
    "on_class": "'Counter' is changed by the program",
    "on_function": "'_more' is changed by the program",
    "in_global": "'dict' is changed by the program",
    "in_global_far": "'dict' is changed by the program",
    "in_named_global": "'N' is assigned to, and means another thing",
    "by_address": "'id' reaches",
    "evaluated": "'eval' reaches",
    "peeked": "'_getframe' reaches",
    "local": "'locals' reaches",
    "thrown": "does something when it is thrown away",
}

DRAWN = "; or draw its numbers in a function that changes nothing else and returns one"
TAKE = "; or let take() change nothing that it holds or is handed"
COUNT, WHOLE = "keep of it only what is read again, such as a count", "add up integers, and make a float of the sum"
GROWING = [
    (growing.grows_list, growing.grows_list, "seen.append", "'seen' grows", COUNT + DRAWN),
    (growing.grows_set, growing.grows_set, "seen.add", "'seen' grows", COUNT),
    (growing.grows_dict, growing.grows_dict, "seen[i] =", "'seen' grows", COUNT),
    (growing.grows_attribute, growing.Holder.take, "self.seen.append", "'self.seen' grows", COUNT + DRAWN + TAKE),
    (growing.grows_float, growing.grows_float, "total +=", "'total' differs", WHOLE),
    (growing.product, growing.product, "total = total", "'total' differs", "keep of it only what is read again"),
]


def agree(a: Dist, b: Dist) -> bool:
    """Whether two laws may be of one program: each probability within the other's tail."""
    outcomes = {key(outcome): outcome for outcome in (*a.outcomes(), *b.outcomes())}.values()
    return all(a.prob(x) <= b.prob(x) + b.tail and b.prob(x) <= a.prob(x) + a.tail for x in outcomes)


@pytest.mark.points(1)
@pytest.mark.parametrize("program", [p for p in TRAPS if p.__name__ in REFUSED], ids=lambda p: p.__name__)
def test_state_out_of_sight_is_refused_by_the_name_of_its_frame(program: Callable[..., Any]) -> None:
    with pytest.raises(NotRead) as caught:
        merged_law(program, None, limits=Limits(max_draws=1000))
    assert REFUSED[program.__name__] in str(caught.value)


@pytest.mark.points(2)
@pytest.mark.parametrize("program", [p for p in TRAPS if p.__name__ not in REFUSED], ids=lambda p: p.__name__)
def test_what_is_not_refused_has_the_law_of_its_paths(program: Callable[..., Any]) -> None:
    limits = Limits(max_runs=400, max_tail=Fraction(1, 10**9))
    paths = enumerate_law(program, None, limits=limits, merge=False).law
    merged = merged_law(program, None, limits=limits).law
    assert agree(paths, merged)
    assert merged.tail < Fraction(1, 10**9)
    assert merged_law(program, None, limits=limits, reverse=True).law.digest() == merged.digest()


def test_a_way_is_followed_to_one_depth_whatever_the_order() -> None:
    def rare(_: object, coins: Coins) -> bool:
        while coins.below(3) == 0:
            pass
        return coins.below(1 << 200) == 0

    laws = [merged_law(rare, None, reverse=reverse).law for reverse in (False, True)]
    assert laws[0] == laws[1] == Dist.of([(True, Fraction(1, 1 << 200)), (False, 1 - Fraction(1, 1 << 200))])


def test_the_shipped_way_takes_states_where_paths_leave_a_tail_and_says_so() -> None:
    def die(_: object, coins: Coins) -> int:
        while True:
            u = coins.getrandbits(3)
            if u < 6:
                return u + 1

    found = enumerate_law(die, None)
    assert found.law == Dist.of(dict.fromkeys(range(1, 7), "1/6"))
    assert found.sources == ("states",)
    again = enumerate_law(die, None, reverse=True, replay=False)
    assert again.law.digest() == found.law.digest()
    assert enumerate_law(die, None, draws=True).law.tail > 0


@pytest.mark.parametrize(("program", "place", "line", "words", "remedy"), GROWING)
def test_where_states_are_too_many_the_variable_that_differs_is_named(
    program: Callable[..., Any],
    place: Callable[..., Any],
    line: str,
    words: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(SLOW, "tell", lambda *both: told.append(both))
    monkeypatch.setattr("dpcert.mechanisms.states.reader.MANY", 50)
    lines, first = inspect.getsourcelines(place)
    at = first + next(i for i, text in enumerate(lines) if line in text)
    where = f"programs_that_grow.py:{at}, in {place.__qualname__}: {words}"
    with pytest.raises(NotRead) as caught:
        merged_law(program, 20, most=200)
    assert str(caught.value) == f"{where}; is it read again? more than 200 states are reached"
    assert told == [(f"its states are many: {where}", remedy)] * len(told)


def test_where_runs_are_too_many_the_variable_that_differs_is_named() -> None:
    with pytest.raises(NotRead, match=r"in product: 'total' differs; is it read again\? more than 40 runs"):
        merged_law(growing.product, 20, limits=Limits(max_runs=2))


def test_nothing_is_told_of_states_that_are_few_and_of_a_reading_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(SLOW, "tell", lambda *both: told.append(both))
    merged_law(growing.grows_list, 4)
    assert {*told} == {("", "")}
    monkeypatch.setattr("dpcert.mechanisms.states.reader.MANY", 5)
    merged_law(growing.grows_list, 4)
    assert told[-2][0].startswith("its states are many")
    assert told[-1] == ("", "")
    found = enumerate_law(programs.thrown, None, limits=Limits(max_runs=50))
    assert told[-1][0] in found.notes
    assert told[-1][0].startswith("states were not merged: programs.py:")


@pytest.mark.nightly
def test_paths_are_kept_and_the_frame_named_where_states_cannot_be_told() -> None:
    found = enumerate_law(programs.thrown, None, limits=Limits(max_runs=50))
    assert found.law.tail > 0
    assert any("states were not merged: programs.py:" in note and "thrown away" in note for note in found.notes)
    assert found.assumptions == ()


@pytest.mark.nightly
def test_a_plain_loop_is_verified_and_its_certificate_names_the_layer() -> None:
    @dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=range(2), neighbours=dpcert.counts_differ_by_one)
    def rejected(count: int, coins: Coins) -> int:
        while True:
            u = coins.below(8)
            if u < 3:
                return count if u < 2 else 1 - count

    report = dpcert.report(rejected)
    assert type(report.verdict).__name__ == "Verified"
    assert report.tail == 0
    assert "states" in report.law_source
    assert report.certificate is not None
    assert "dpcert/mechanisms/states/segment.py" in report.certificate.sources


# -- generated loops, against paths, coins.loop and samples

STEPS = st.lists(st.tuples(st.integers(2, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3)


@settings(max_examples=settings.default.max_examples // 8)
@given(steps=STEPS, size=st.integers(2, 5), stop=st.integers(2, 4))
def test_exact_twins_of_generated_loops(steps: list[tuple[int, int, int]], size: int, stop: int) -> None:
    first, second, third = (steps * 3)[:3]

    def moved(state: int, step: tuple[int, int, int], coins: Coins) -> int:
        bound, by, other = step
        while coins.below(bound) == 0:
            state = (state + by) % size
        return (state + other * int(coins.below(2))) % size

    def looped(x: int, coins: Coins) -> int:
        state = x
        while coins.below(stop):
            state = moved(state, first, coins)
            state = moved(state, second, coins)
            state = moved(state, third, coins)
        return state

    def merged(x: int, coins: Coins) -> int:
        def inner(step: tuple[int, int, int]) -> Callable[[int, Coins], Any]:
            def once(state: int, c: Coins) -> Any:
                if c.below(step[0]) == 0:
                    return (state + step[1]) % size
                return Done((state + step[2] * int(c.below(2))) % size)

            return once

        def outer(state: int, c: Coins) -> Any:
            if not c.below(stop):
                return Done(state)
            for step in (first, second, third):
                state = c.loop(state, inner(step))
            return state

        return coins.loop(x, outer)

    found = merged_law(looped, 1)
    assert found.law.tail == 0
    assert found.law == enumerate_law(merged, 1).law
    paths = enumerate_law(looped, 1, limits=Limits(max_runs=100), merge=False).law
    assert agree(paths, found.law)
    assert looped(1, seeded_coins(random.Random(size).randrange(99))) in list(found.law.outcomes())


def test_a_call_by_itself_has_the_law_of_a_call_in_its_place() -> None:
    found = merged_law(lambda x, coins: plain.bernoulli_exp(x, coins), Fraction(5, 2))
    low, high = Fraction(820849986238987951, 10**19), Fraction(820849986238987952, 10**19)  # exp(-5/2)
    assert found.law.tail < Fraction(1, 10**30)
    assert low - found.law.tail <= found.law.prob(1) <= high


@pytest.mark.nightly
def test_calls_that_assign_to_what_they_were_given_are_found_once_for_many_places() -> None:
    def wait(n: int, coins: Coins) -> int:
        while n > 1:
            n -= 1
            if not plain.bernoulli_exp(Fraction(1, 2), coins):
                return 0
        return plain.bernoulli_exp(Fraction(1, 2), coins)

    def program(x: int, coins: Coins) -> int:
        while True:
            n = 5 + int(coins.below(2))
            if wait(n, coins):
                return n

    found = merged_law(program, 0)
    low, high = Fraction(6065306597126334236, 10**19), Fraction(6065306597126334237, 10**19)  # exp(-1/2)
    law = found.law
    assert law.tail < Fraction(1, 10**30)
    assert low * law.prob(5) - law.tail <= law.prob(6) <= high * (law.prob(5) + law.tail)
    assert found.states < 3_000
    assert merged_law(program, 0, reverse=True).law.digest() == law.digest()


def test_a_number_of_more_values_than_the_first_paths_is_enumerated_up_to_the_limit_of_runs() -> None:
    found = enumerate_law(lambda _, coins: coins.below(FEW + 1), None)
    assert (found.law, found.notes, found.assumptions) == (Dist.uniform(FEW + 1), (), ())
    cut = enumerate_law(lambda _, coins: coins.below(FEW + 1), None, limits=Limits(max_runs=FEW))
    assert cut.law.tail == 1
    assert cut.notes == ("a draw with 9 undecided bits was needed as a plain number, at its return",)


@pytest.mark.nightly
def test_the_laplace_numbers_of_nested_plain_loops() -> None:
    found = merged_law(plain.laplace, 1).law
    assert found.tail < Fraction(1, 10**30)
    assert abs(found.prob(3) - found.prob(-3)) <= found.tail
    assert abs(found.prob(2) ** 2 - found.prob(1) * found.prob(3)) < Fraction(1, 10**29)


@pytest.mark.nightly
def test_the_discrete_gaussian_as_written_has_a_tail_below_10_to_minus_30() -> None:
    found = merged_law(plain.gaussian, Fraction(1))
    law = found.law
    assert law.tail < Fraction(1, 10**30)
    assert abs(law.prob(1) ** 4 - law.prob(0) ** 3 * law.prob(2)) < Fraction(1, 10**29)


def test_exact_twin_of_a_method_of_an_abstract_class() -> None:
    class Release(abc.ABC):
        @abc.abstractmethod
        def release(self, n: int, coins: Coins) -> int: ...

    class Kept(Release):
        most = 2

        def release(self, n: int, coins: Coins) -> int:
            kept = 0
            for _ in range(n):
                kept += coins.below(3) < self.most
            return kept

    def program(n: int, coins: Coins) -> int:
        return Kept().release(n, coins)

    found = merged_law(program, 4)
    assert found.states > 10
    assert found.law == enumerate_law(program, 4, merge=False).law
