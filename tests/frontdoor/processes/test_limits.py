"""What a program does with its process loses no verdict: time, odd modules, and folders that vanish."""

import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcert.reading.paths.loaded import globals_of
from dpcert.reading.paths.slow import SLOW
from dpcert.worker import limits
from dpcert.worker.whereabouts import OWN

BITS = 'BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")\n'


@pytest.mark.nightly
def test_a_waiting_program_is_stopped_at_its_line(inside: Any, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BEGIN", 4.0)
    monkeypatch.setattr(limits, "PATIENCE", 1.0)
    text = "import time\n" + BITS + "@target(**BITS)\ndef waits(bit, coins):\n    time.sleep(600)\n"
    done = inside("audit", write("waits.py", text), "--time-limit", "2", "--json")
    reason = done.result("waits")["reason"]
    assert reason.startswith(
        "stopped by the time limit: 6 s passed without 2 s of processor time (--time-limit), at line"
    )
    assert "of waits.py (waits), at 3 of 3 looks; let the program not wait there" in reason


STUBBORN = """
    import signal

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def stubborn(bit, coins):
        for number in (signal.SIGXCPU, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
"""


@pytest.mark.nightly
def test_no_program_can_catch_the_limit_of_processor_time(audited: Any, write: Any) -> None:
    reason = audited(write("stubborn.py", STUBBORN), "--time-limit", "1").result("stubborn")["reason"]
    assert reason.startswith("stopped by the time limit of 1 s of processor time (--time-limit), at line ")
    assert "of stubborn.py (stubborn)" in reason
    assert reason.endswith("; raise --time-limit, or audit fewer or smaller inputs")


GROWS = """
    @target(guarantee=PureDP("2"), inputs=[24, 25], neighbours="any")
    def grows(n, coins):
        seen = []
        for i in range(n):
            if coins.random() < 0.5:
                seen.append(i)
        return len(seen)

"""


@pytest.mark.nightly
def test_a_time_limit_tells_what_grows(audited: Any, write: Any) -> None:
    path = write("grows.py", GROWS)
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "append(i)" in text)
    reason = audited(path, "--time-limit", "4", "--exact").result("grows")["reason"]
    _, _, told = reason.partition("; ")
    assert told.startswith(
        f"its states are many: grows.py:{line}, in grows: 'seen' grows; keep of it only what is read"
    )
    assert ", such as a count; or raise --time-limit, or " in told
    assert "fewer or smaller inputs" in told


def test_what_is_told_last_is_said_of_a_time_limit(tmp_path: Path) -> None:
    looks = tmp_path / "looks.txt"
    end = "raise --time-limit, or ask for less: fewer or smaller inputs, or a smaller --set"
    looks.write_text('slow: ["a grows", "keep less"]\nslow: ["b cannot be told; name it", ""]\nslow: ["c dif')
    assert limits.spent_words(3.0, looks).endswith(f"(--time-limit); b cannot be told; name it; {end}")
    looks.write_text('slow: ["b", ""]\nslow: ["a grows", "keep less"]\n')
    assert limits.spent_words(3.0, looks).endswith(f"(--time-limit); a grows; keep less; or {end}")
    looks.write_text('slow: ["a grows", "keep less"]\nslow: ["", ""]\n')
    assert limits.spent_words(3.0, looks).endswith(f"(--time-limit); {end}")


LOOK = 'Current thread 0x1 (most recent call first):\n  File "/x/json/encoder.py", line 3 in own\n{0}'


def test_the_place_of_most_looks_is_named_the_users_before_the_audits(tmp_path: Path) -> None:
    looks = tmp_path / "looks.txt"
    ours = f'  File "{OWN[0]}run.py", line 9 in run\n'
    looks.write_text("".join(LOOK.format(ours).replace("/x/json/", OWN[0]) for _ in range(2)))
    assert "in the audit itself, at line 3 of encoder.py (own), at 2 of 2 looks; " in limits.spent_words(3.0, looks)
    users = [f'  File "/x/a.py", line {line} in f\n{ours}' for line in (4, 5, 5)]
    with looks.open("a") as file:
        file.writelines(LOOK.format(text).replace("/x/json/", OWN[0]) for text in users)
    assert "(--time-limit), at line 5 of a.py (f), at 2 of 5 looks; " in limits.spent_words(3.0, looks)
    looks.write_text(LOOK.format(ours).replace("/x/json/", "/lib/site-packages/theirs/"))
    assert "(--time-limit), at line 3 of encoder.py (own); raise --time-limit, or audit fewer" in limits.spent_words(
        3.0, looks
    )
    assert limits.spent_words(3.0, tmp_path / "none").endswith(
        "(--time-limit); raise --time-limit, or ask for less: fewer or smaller inputs, or a smaller --set"
    )


def test_a_look_between_instructions_sees_the_line_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SLOW, "tell", SLOW.tell)
    looks, before = tmp_path / "looks.txt", signal.getsignal(limits.LOOK)
    limits.take_looks(str(looks))
    try:
        assert callable(signal.getsignal(limits.LOOK))  # Python calls it, and no signal handler of C walks frames
        signal.raise_signal(limits.LOOK)
        line = sys._getframe().f_lineno - 1
    finally:
        signal.signal(limits.LOOK, before)
    assert f"(--time-limit), at line {line} of test_limits.py (test_a_look_between_" in limits.spent_words(3.0, looks)


ODD = """
    import random, sys, types

    class Lazy(types.ModuleType):
        def __getattr__(self, name):
            raise ImportError(name)

    class Slots:
        __slots__ = ()

    sys.modules["nothing"] = None
    sys.modules["lazy"] = Lazy("lazy")
    sys.modules["slots"] = Slots()
    sys.modules["odd"] = types.SimpleNamespace(__file__=3, __name__=None)
    del sys.modules["lazy"].__spec__

    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def holds(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(**BITS)
    def floats(bit, coins):
        return bit if coins.random() < 0.75 else 1 - bit

    @target(**BITS)
    @dpcert.redirect()
    def routed(bit):
        return bit if random.random() < 0.75 else 1 - bit

    @target(**BITS)
    def loops(bit, coins):
        for _ in range(30):
            if coins.below(4) == 0:
                return 1
        return 1
"""


@pytest.mark.nightly
def test_whatever_a_program_puts_among_the_modules_is_no_internal_error(
    audited: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    done = audited(write("odd.py", ODD), "--lock", tmp_path / "dpcert.lock")
    assert (done.status, set(done.verdicts().values())) == (0, {"verified"})


def test_the_globals_of_what_is_loaded_are_taken_without_asking_it() -> None:
    class Asks:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

    assert globals_of(None) == globals_of(object()) == globals_of(Asks()) == {}
    assert globals_of(limits) is vars(limits)


VANISHES = """
    import os, pathlib

    FOLDER = pathlib.Path(__file__).with_name("certificates")
    if FOLDER.is_dir():
        FOLDER.rmdir()
        FOLDER.touch()

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def holds(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one")
    def ends(count, coins):
        if count > 2:
            os._exit(0)
        return count + coins.below(4)
"""
"""When it is imported a file takes the place of the folder for certificates."""


@pytest.mark.nightly
@pytest.mark.parametrize("locked", [False, True])
def test_a_verdict_whose_certificate_cannot_be_written_is_said_all_the_same(
    audited: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path, folder = write("vanishes.py", VANISHES), tmp_path / "certificates"
    lock = ("--lock", tmp_path / "dpcert.lock") if locked else ()
    if locked:
        assert audited(path, *lock).status == 1
    folder.mkdir()
    done = audited(path, "--certificates", folder, *lock)
    assert (done.status, done.verdicts()) == (2, {"holds": "verified", "ends": "refuted"})
    assert [result["certificate"] for result in done.document["results"]] == [None, None]
    (error,) = done.document["errors"]
    assert error["given"].startswith(f"--certificates {folder}: ")
    assert len(done.err.splitlines()) == 1


ENDS = """
    import os, random

    RNG = random.Random({seed})

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one")
    @dpcert.redirect()
    def ends(count):
        if count > 2:
            os._exit(0)
        return count + RNG.randrange(4)
"""


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "verdict"), [("", "refuted"), ("5", "undecided")])
def test_a_refutation_before_the_end_rests_on_no_seed(audited: Any, write: Any, seed: str, verdict: str) -> None:
    assert audited(write("ends.py", ENDS.format(seed=seed))).verdicts() == {"ends": verdict}


def test_no_time_limit_is_longer_than_a_process_can_wait() -> None:
    with socket.socket() as server:
        server.settimeout(limits.wall_limit(sys.float_info.max))
        assert server.gettimeout() == limits.wall_limit(limits.MOST)
