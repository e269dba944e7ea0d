"""Evidence for enumerator.py, explore.py and run.py: outcomes, limits, tails with one digest, joint laws."""

import asyncio
import collections
import enum
import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Coins, Dist, Done, Unauditable, summarize
from dpcert.mechanisms.exact import chain
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.exact.run import log2_fixed
from dpcert.reading.paths.enumerator import Enumeration, Limits
from dpcert.reading.paths.enumerator import enumerate_law as enumerate_by_states_or_paths

enumerate_law = functools.partial(enumerate_by_states_or_paths, merge=False)
"""By paths alone: tests/reading/ has the evidence for merged states."""

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]
Law = Callable[..., Dist]

TINY = Fraction(1, 10**30)


class Named(NamedTuple):
    place: int
    rest: list[int]


@dataclass(frozen=True, slots=True)
class Frozen:
    place: int
    inner: object


class Pair(collections.namedtuple("Pair", "low high")):
    __slots__ = ()

    def __new__(cls, low: int) -> "Pair":
        return super().__new__(cls, low, low + 1)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Ours(Exception):
    pass


class Odd(BaseException):
    pass


@pytest.mark.points(5)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda u: Named(u, [u, 3]),
        lambda u: Frozen(u, Frozen(u, None)),
        lambda u: Pair(u),
        lambda u: frozenset({u, u + 1}),
        lambda u: {"b": u, "a": [u]},
        lambda u: Colour(u % 2 + 1),
        lambda u: (u / 4, u % 2 == 0, bytes([u]), None, Fraction(u, 3), complex(u, 1)),
        lambda u: [],
    ],
)
def test_exact_twin_of_outcomes_of_every_shape(twin: Twin, wrap: Callable[[Any], Any]) -> None:
    twin(lambda _, coins: wrap(coins.below(3)))


def test_types_of_outcomes_are_told_apart(law: Law) -> None:
    found = law(lambda coins: (lambda u: 1 if u == 0 else True if u == 1 else 1.0)(coins.below(3)))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("error", "name", "args"),
    [
        (ValueError("bad", 3), "ValueError", ("bad", 3)),
        (KeyError(), "KeyError", ()),
        (Ours("x"), f"{__name__}.Ours", ("x",)),
        (StopIteration(4), "StopIteration", (4,)),
        (ZeroDivisionError("z"), "ZeroDivisionError", ("z",)),
        (TimeoutError(), "TimeoutError", ()),
    ],
)
def test_an_exception_that_escapes_is_an_outcome(
    law: Law, error: Exception, name: str, args: tuple[object, ...]
) -> None:
    def program(coins: Coins) -> int:
        if coins.below(3) == 0:
            raise error
        return 7

    assert law(program) == Dist.of([(Raised(name, args), "1/3"), (7, "2/3")])


def deep() -> object:
    value: object = None
    for _ in range(5000):
        value = [value]
    return value


def recursion() -> object:
    return recursion()


def throw(error: BaseException) -> None:
    raise error


@pytest.mark.points(12)
@pytest.mark.parametrize(
    ("act", "text"),
    [
        (recursion, "RecursionError"),
        (lambda: throw(MemoryError()), "MemoryError"),
        (lambda: sys.exit(3), "SystemExit"),
        (lambda: throw(GeneratorExit()), "GeneratorExit"),
        (lambda: throw(Odd("x")), "Odd, which is no Exception"),
        (lambda: throw(asyncio.CancelledError()), "CancelledError"),
        (lambda: throw(Unauditable("my own words")), "my own words"),
        (deep, "nested"),
        (lambda: throw(ValueError(deep())), "nested"),
        (lambda: throw(ValueError(object())), "object"),
        (object, "object"),
        (lambda: open, "builtin_function_or_method"),
    ],
)
@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("replay", [False, True])
def test_refused_what_is_no_outcome(
    refusal: Refusal, act: Callable[[], object], text: str, eager: bool, replay: bool
) -> None:
    refusal(lambda _, coins: act() if coins.below(3) == 1 else 0, text, eager=eager, replay=replay)


def test_refused_coroutines(refusal: Refusal) -> None:
    async def coroutine(_: None, coins: Coins) -> int:
        return coins.below(2)

    made: list[Any] = []
    refusal(lambda _, coins: made.append(coroutine(None, coins)) or made[-1], "coroutine", "await it")
    for unfinished in made:
        unfinished.close()


def test_a_keyboard_interrupt_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        enumerate_law(lambda _, coins: throw(KeyboardInterrupt()), None)


def test_each_run_gets_a_fresh_copy_of_its_input(twin: Twin) -> None:
    value = {"a": [1, 2]}

    def program(given: dict[str, list[int]], coins: Coins) -> list[int]:
        given["a"].append(coins.below(2))
        return given["a"]

    assert twin(program, value).law == Dist.uniform([[1, 2, 0], [1, 2, 1]])
    assert value == {"a": [1, 2]}


def geometric(_: object, coins: Coins) -> int:
    n = 0
    while coins.below(2):
        n += 1
    return n


def biased(_: object, coins: Coins) -> int:
    n = 0
    while coins.random() < 0.6:
        n += coins.below(3)
    return n % 4


def nested(_: object, coins: Coins) -> int:
    n = 0
    while coins.below(3) < 1:
        while coins.below(5) < 2:
            n += 1
    return n


def rejection(_: object, coins: Coins) -> int:
    while True:
        u = coins.getrandbits(4)
        if u < 11:
            return u % 3


def merged(_: object, coins: Coins) -> int:
    n = 0
    while coins.fold(range(3), 0, lambda s, i, c: s + c.below(2)) < 2:
        n += 1
    return n


def asking_outside(_: object, coins: Coins) -> tuple[int, bool]:
    u = coins.below(40)
    n = coins.fold(range(2), 0, lambda s, i, c: s + (c.below(7) < u))
    while coins.below(3):
        n += 1
    return n, u > 20


def unequal(_: object, coins: Coins) -> int:
    def step(state: int, inner: Coins) -> int | Done[int]:
        return Done(state) if inner.below(3) == 0 else state + inner.below(4)

    return summarize(lambda c: c.loop(0, step) if c.below(2) else 9)(coins)


LOOPS = [geometric, biased, nested, rejection, merged, asking_outside]


@pytest.mark.points(2)
@pytest.mark.parametrize("program", LOOPS)
def test_a_plain_loop_leaves_a_tail_with_one_digest(program: Callable[[object, Coins], Any]) -> None:
    limits = Limits(max_tail=Fraction(1, 30))
    forward = enumerate_law(program, None, limits=limits)
    backward = enumerate_law(program, None, limits=limits, reverse=True, replay=False)
    assert 0 < forward.law.tail <= Fraction(1, 30)
    assert forward.law.digest() == backward.law.digest()
    assert forward.leaves == backward.leaves


@pytest.mark.nightly
@given(
    st.sampled_from([geometric, biased, nested, rejection, merged]),
    st.integers(1, 300),
    st.integers(0, 40),
    st.integers(1, 30),
)
def test_tails_have_one_digest_whatever_the_limits(
    program: Callable[[object, Coins], Any], max_runs: int, bits: int, max_draws: int
) -> None:
    limits = Limits(max_runs=max_runs, max_tail=Fraction(1, 2**bits), max_draws=max_draws)
    forward = enumerate_law(program, None, limits=limits)
    backward = enumerate_law(program, None, limits=limits, reverse=True, replay=False)
    assert forward.law.digest() == backward.law.digest()
    assert forward.leaves == backward.leaves <= max_runs


def test_what_was_enumerated_of_a_loop_is_exact() -> None:
    found = enumerate_law(geometric, None)
    assert found.law.tail <= TINY
    assert all(found.law.prob(n) == Fraction(1, 2 ** (n + 1)) for n in range(len(found.law)))
    assert found.law.tail == Fraction(1, 2 ** len(found.law))
    assert found.leaves < 130


@pytest.mark.nightly
def test_a_program_that_stops_drawing_is_explored_to_its_end() -> None:
    def program(_: None, coins: Coins) -> int:
        u = coins.below(1 << 900)
        return next(k for k in range(901) if u < 1 << k)

    found = enumerate_law(program, None)
    assert found.law.tail == 0
    assert found.leaves == 901
    assert found.law.prob(0) == Fraction(1, 1 << 900)


def test_more_runs_than_allowed_keep_the_last_finished_level() -> None:
    def program(_: None, coins: Coins) -> str:
        return str(coins.below(1000)) if coins.below(2) else "half"

    found = enumerate_law(program, None, limits=Limits(max_runs=1000, max_tail=Fraction(0)))
    assert found.law == Dist.of({"half": "1/2"}, tail="1/2")
    assert found.notes == ("more than 1000 runs are needed",)
    none = enumerate_law(program, None, limits=Limits(max_runs=1))
    assert none.law.tail == 1


@pytest.mark.parametrize("eager", [False, True])
def test_a_loop_that_only_draws_is_given_up(eager: bool) -> None:
    def program(_: None, coins: Coins) -> int:
        if coins.below(4) == 0:
            return 5
        while True:
            coins.below(1)

    found = enumerate_law(program, None, limits=Limits(max_draws=1000), eager=eager)
    assert found.law == Dist.of({5: "1/4"}, tail="3/4")
    assert found.notes == ("a run drew more than 1000 coins",)


def test_a_given_up_path_stays_given_up_when_swallowed() -> None:
    def program(_: None, coins: Coins) -> object:
        try:
            return hash(coins.below(10**30))
        except BaseException:
            return "caught"
        finally:
            coins = None

    found = enumerate_law(program, None)
    assert found.law.tail == 1


@pytest.mark.points(1)
@pytest.mark.parametrize("error", [SystemExit(1), Odd(), ValueError(), RecursionError()])
def test_a_given_up_path_stays_given_up_when_turned_into_another_exception(error: BaseException) -> None:
    def program(_: None, coins: Coins) -> int:
        try:
            return geometric(None, coins)
        except BaseException:
            raise error from None

    assert enumerate_law(program, None).law == enumerate_law(geometric, None).law


def test_eager_gives_up_what_is_too_large() -> None:
    found = enumerate_law(lambda _, coins: coins.random() if coins.below(2) else 1, None, eager=True)
    assert found.law == Dist.of({1: "1/2"}, tail="1/2")
    assert found.notes == ("random() has 2^53 values, too many to enumerate one by one",)
    found = enumerate_law(lambda _, coins: coins.below(10**9), None, eager=True)
    assert found.law.tail == 1
    assert "too large to enumerate value by value" in found.notes[0]


def test_tails_of_merged_loops_have_one_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "MAX_STATES", 40)
    found = enumerate_law(unequal, None)
    again = enumerate_law(unequal, None, reverse=True, replay=False)
    assert found.law.prob(9) >= Fraction(1, 2)
    assert 0 < found.law.tail < Fraction(1, 10)
    assert found.law.digest() == again.law.digest()


def test_the_joint_law_of_outcome_and_draws() -> None:
    def program(_: None, coins: Coins) -> int:
        return coins.below(3) if coins.below(2) else 0

    joint = Dist.of([((0, (2,)), "1/2"), *(((k, (2, 3)), "1/6") for k in range(3))])
    for settings_ in ({}, {"eager": True}, {"reverse": True}):
        assert enumerate_law(program, None, draws=True, **settings_).law == joint
    assert enumerate_law(program, None).law == Dist.of({0: "2/3", 1: "1/6", 2: "1/6"})


def test_draws_that_are_never_asked_about_are_recorded() -> None:
    def program(_: None, coins: Coins) -> int:
        coins.random()
        coins.getrandbits(7)
        return 1

    found = enumerate_law(program, None, draws=True)
    assert found.law == Dist.point((1, (1 << 53, 1 << 7)))
    assert found.leaves == 1


@given(st.integers(1, 1 << 200), st.integers(0, 1 << 200))
def test_the_scale_of_levels_never_decreases(n: int, more: int) -> None:
    assert log2_fixed(n) <= log2_fixed(n + more)
    assert log2_fixed(2 * n) - log2_fixed(n) == 1 << 16 or n < 1 << 17
