"""Evidence for watch.py: hidden randomness is refused by name, also when swallowed and on one rare path."""

import _random
import contextlib
import cProfile
import datetime
import functools
import gc
import math
import os
import random
import secrets
import socket
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from os import urandom
from pathlib import Path
from random import randint as imported_randint
from random import random as imported_random
from time import time as imported_time
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np
import pytest

from dpcert import Coins, Dist, Unauditable, seeded_coins, system_coins
from dpcert.reading.paths import watch
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.held import identity
from dpcert.reading.paths.watch import refuse_hidden_randomness

Refusal = Callable[..., str]
Law = Callable[..., Dist]


class Moment(datetime.datetime):
    pass


def on_a_thread() -> None:
    thread = threading.Thread(target=random.random)
    thread.start()
    thread.join()


def behind_the_hook() -> None:
    hook = sys.getprofile()
    sys.setprofile(None)
    time.time()
    sys.setprofile(hook)


HIDDEN: dict[str, tuple[Callable[[], object], str]] = {
    "os.urandom": (lambda: os.urandom(8), "os.urandom"),
    "urandom by its own name": (lambda: urandom(8), "os.urandom"),
    "secrets.token_bytes": (lambda: secrets.token_bytes(8), "secrets or random.SystemRandom"),
    "secrets.randbelow": (lambda: secrets.randbelow(2), "secrets or random.SystemRandom"),
    "secrets.choice": (lambda: secrets.choice("ab"), "secrets or random.SystemRandom"),
    "random.SystemRandom": (lambda: random.SystemRandom().random(), "random.SystemRandom"),
    "system coins": (lambda: system_coins().below(2), "os.urandom"),
    "uuid.uuid4": (uuid.uuid4, "os.urandom"),
    "random.random": (lambda: random.random(), "random.random"),
    "random by its own name": (lambda: imported_random(), "random.random"),
    "randint by its own name": (lambda: imported_randint(1, 6), "random.randint"),
    "random.shuffle": (lambda: random.shuffle([1, 2]), "random.shuffle"),
    "random.seed": (lambda: random.seed(5), "random.seed"),
    "random called from C": (functools.partial(random.random), "the random module"),
    "random.Random()": (lambda: random.Random(), "random.Random() without a seed"),
    "a temporary name": (lambda: next(tempfile._RandomNameSequence()), "random.Random() without a seed"),
    "numpy.random.rand": (lambda: np.random.rand(), "numpy.random"),
    "numpy.random.shuffle": (lambda: np.random.shuffle([1, 2, 3]), "numpy.random"),
    "default_rng()": (lambda: np.random.default_rng(), "secrets or random.SystemRandom"),
    "RandomState()": (lambda: np.random.RandomState(), "secrets or random.SystemRandom"),
    "time.time": (time.time, "time.time"),
    "time by its own name": (lambda: imported_time(), "time.time"),
    "time.time_ns": (lambda: time.time_ns(), "time.time_ns"),
    "time.perf_counter": (lambda: time.perf_counter(), "time.perf_counter"),
    "time.monotonic": (lambda: time.monotonic(), "time.monotonic"),
    "datetime.now": (lambda: datetime.datetime.now(), "datetime.datetime.now"),
    "datetime.now, aware": (lambda: datetime.datetime.now(datetime.UTC), "datetime.datetime.now"),
    "date.today": (lambda: datetime.date.today(), "datetime.date.today"),
    "a subclass of datetime": (lambda: Moment.now(), "datetime.Moment.now"),
    "a thread": (on_a_thread, "_thread.start_"),
    "without the hook": (behind_the_hook, "sys.setprofile"),
}


@pytest.mark.points(14)
@pytest.mark.parametrize("name", HIDDEN)
def test_refused_hidden_randomness_whose_result_is_dropped(refusal: Refusal, name: str) -> None:
    call, text = HIDDEN[name]

    def program(_: None, coins: Coins) -> int:
        call()
        return coins.below(2)

    refusal(
        program, "hidden randomness: the program uses ", text, "draw from its coins, or from a parameter called rng"
    )


@pytest.mark.points(11)
@pytest.mark.parametrize("name", HIDDEN)
def test_refused_hidden_randomness_on_one_rare_path_that_swallows_all(refusal: Refusal, name: str) -> None:
    call, text = HIDDEN[name]

    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**15)
        if u == 10**14:
            with contextlib.suppress(BaseException):
                call()
        return u < 3

    refusal(program, "hidden randomness: the program uses ", text)


@pytest.mark.parametrize("name", ["os.urandom", "random.random", "numpy.random.rand", "time.time"])
def test_refused_hidden_randomness_in_merged_steps(refusal: Refusal, name: str) -> None:
    call, text = HIDDEN[name]

    def step(state: int, item: int, coins: Coins) -> int:
        if coins.below(1000) == 7:
            call()
        return state + coins.below(2)

    refusal(lambda _, coins: coins.fold(range(2), 0, step), text)


def test_refused_hidden_randomness_that_decides_the_outcome(refusal: Refusal) -> None:
    refusal(lambda _, coins: random.getrandbits(64) + coins.below(2), "uses random.getrandbits")
    refusal(lambda _, coins: np.random.rand() + coins.below(2), "uses numpy.random")
    refusal(lambda _, coins: functools.partial(random.random)(), "uses the random module")
    refusal(lambda _, coins: [list(map(urandom, [8])), coins.below(2)], "uses os.urandom")


ALLOWED: dict[str, Callable[[Coins], Any]] = {
    "a seeded local generator": lambda coins: random.Random(5).random() < 2 and coins.below(2) == 0,
    "a generator seeded by a draw": lambda coins: random.Random(coins.below(2)).random() > 0.8,
    "a seeded generator of numpy": lambda coins: np.random.default_rng(5).random() < 2 and coins.below(2) == 0,
    "seeded coins": lambda coins: seeded_coins(4).below(1) == 0 and coins.below(2) == 0,
    "the coins themselves": lambda coins: coins.choice([True, False]),
    "sleeping": lambda coins: time.sleep(0) is None and coins.below(2) == 0,
    "a fixed date": lambda coins: datetime.date(2020, 1, 1).year == 2020 and coins.below(2) == 0,
    "a uuid of a name": lambda coins: bool(uuid.uuid5(uuid.NAMESPACE_DNS, "a")) and coins.below(2) == 0,
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_a_function_of_its_input_is_allowed(law: Law, name: str) -> None:
    assert law(ALLOWED[name]) == Dist.bernoulli("1/2")


def test_the_hook_and_the_collector_are_put_back() -> None:
    seen: list[str] = []

    def hook(frame: Any, event: str, argument: Any) -> None:
        seen.append(event)

    for collecting in (True, False):
        (gc.enable if collecting else gc.disable)()
        sys.setprofile(hook)
        try:
            with contextlib.suppress(Unauditable), refuse_hidden_randomness():
                urandom(1)
            assert sys.getprofile() is hook
            assert gc.isenabled() is collecting
        finally:
            sys.setprofile(None)
            gc.enable()
    assert sys.getprofile() is None


def coin(_: None, coins: Coins) -> bool:
    return tossed(coins)


def tossed(coins: Coins) -> bool:
    return coins.below(3) == 0


def test_a_profiler_written_in_c_sees_nothing_of_watched_runs_and_goes_on_after_them() -> None:
    profile = cProfile.Profile()
    found = profile.runcall(enumerate_law, coin, None)
    assert found.law == Dist.bernoulli("1/3")
    assert sys.getprofile() is None
    profile.enable()
    with refuse_hidden_randomness():
        pass
    tossed(seeded_coins(1))
    profile.disable()
    names = {entry.code.co_name for entry in profile.getstats() if not isinstance(entry.code, str)}
    assert {"exact_law", "tossed"} <= names


def test_refused_a_profiler_that_could_not_be_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "getprofile", lambda: 3)
    with pytest.raises(Unauditable) as caught:
        enumerate_law(coin, None)
    assert str(caught.value) == (
        "the active profiler, a builtins.int, could not be put back after a watched run; audit without it"
    )


def test_refused_a_program_that_changes_the_profiler_unseen(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> int:
        list(map(sys.setprofile, [None]))
        time.time()
        return coins.below(2)

    refusal(program, "the program set a profiler, or reached the recursion limit")


def test_refused_a_program_that_goes_on_after_the_recursion_limit(refusal: Refusal) -> None:
    """The watch cannot run there either, and CPython then takes it off."""

    def deeper() -> None:
        deeper()

    def program(_: None, coins: Coins) -> int:
        with contextlib.suppress(RecursionError):
            deeper()
        return coins.below(2)

    refusal(program, "the program set a profiler, or reached the recursion limit")


def test_a_tracer_that_looks_at_the_clock_is_not_the_program() -> None:
    """As debuggers and tools that measure coverage are."""
    seen: list[str] = []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        time.perf_counter()
        if frame.f_code is tossed.__code__:
            seen.append(event)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = enumerate_law(coin, None)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)
    assert found.law == Dist.bernoulli("1/3")
    assert {"call", "line", "return"} <= set(seen)


def test_a_monitoring_tool_is_not_the_program() -> None:
    """From Python 3.12 on, as the tracer above."""
    monitoring: Any = getattr(sys, "monitoring", None)
    seen: list[str] = []

    def started(code: CodeType, offset: int) -> None:
        time.perf_counter()
        seen.append(code.co_name)

    if monitoring:
        monitoring.use_tool_id(monitoring.DEBUGGER_ID, "test")
        monitoring.register_callback(monitoring.DEBUGGER_ID, monitoring.events.PY_START, started)
        monitoring.set_events(monitoring.DEBUGGER_ID, monitoring.events.PY_START)
    try:
        found = enumerate_law(coin, None)
    finally:
        if monitoring:
            monitoring.set_events(monitoring.DEBUGGER_ID, 0)
            monitoring.free_tool_id(monitoring.DEBUGGER_ID)
    assert found.law == Dist.bernoulli("1/3")
    assert ("tossed" in seen) is bool(monitoring)


def test_the_body_is_heard_first() -> None:
    with pytest.raises(KeyError, match="mine"), refuse_hidden_randomness():
        raise KeyError("mine")


def test_callbacks_of_the_collector_are_not_the_programs(law: Law) -> None:
    def callback(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    def program(coins: Coins) -> bool:
        for _ in range(2000):
            cycle: list[Any] = []
            cycle.append(cycle)
        return coins.below(2) == 0

    gc.callbacks.append(callback)
    threshold = gc.get_threshold()
    gc.set_threshold(10)
    try:
        assert law(program) == Dist.bernoulli("1/2")
    finally:
        gc.callbacks.remove(callback)
        gc.set_threshold(*threshold)


def test_the_watch_is_worn_once_for_each_leaf() -> None:
    entered: list[int] = []

    @contextlib.contextmanager
    def observe() -> Any:
        entered.append(1)
        yield

    found = enumerate_law(lambda _, coins: coins.below(10**9) < 5, None, observe=observe)
    assert len(entered) == found.leaves == 2


class Today(datetime.date):
    """A date of the program's own."""


def test_no_call_is_passed_over_that_the_watch_would_refuse(tmp_path: Path) -> None:
    with (tmp_path / "text").open("w+b") as file, socket.socket() as connection:
        asking = [time.time, os.urandom, os.getpid, os.read, random.random, gc.get_count, sys.setprofile]
        asking += [datetime.datetime.now, datetime.date.today, Today.today, connection.recv, sys.getrefcount]
        drawing = [random.Random(1).random, _random.Random(1).random, random.Random(1).getrandbits]
        plain = [math.floor, len, [].append, "".join, {}.get, int.from_bytes, dict.fromkeys]
        frame = sys._getframe()
        for each in asking:
            assert watch.forbidden_call("c_call", frame, each) is not None
        for each in drawing:
            assert watch._earlier("c_call", frame, each, []) is not None
        for each in (*asking, *drawing, file.read):  # which a file may be read is asked each time
            assert not watch._is_harmless(each)
        assert all(map(watch._is_harmless, plain))


class Seen:
    """An observer that knows all code of some globals, and notes the globals of any other."""

    def __init__(self, *spaces: dict[str, Any]) -> None:
        self.known: dict[int, Any] = {identity(space): space for space in spaces}
        self.entered: list[dict[str, Any]] = []

    def enter(self, frame: FrameType) -> None:
        self.entered.append(frame.f_globals)


def test_code_is_looked_at_again_under_other_globals() -> None:
    known: dict[str, Any] = {}
    other: dict[str, Any] = {}
    code = (lambda: None).__code__
    seen = Seen(known)
    with refuse_hidden_randomness(seen):
        for space in (known, known, other, known, other):
            FunctionType(code, space)()
    assert [space is other for space in seen.entered if space is known or space is other] == [True, True]
