"""The limits of a worker process: its memory, and its time, of which the processor's counts and not the clock's.

So a busy machine gives the same verdicts. The clock ends what waits, at far more. The system counts and ends, not
Python, so that no program can catch it or hold it up; `looks` are where the worker was on the way there.
"""

import faulthandler
import json
import os
import re
import resource
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dpcert.reading.paths.slow import SLOW
from dpcert.worker.whereabouts import Spot, own_spot, users_spot

PATIENCE, BEGIN = 10.0, 60.0
"""How many seconds by the clock there are for each of processor time, and how many beside them."""
MOST = 1e6
"""From so many seconds on there is no limit."""
LOOK = signal.SIGVTALRM
"""On this signal a worker writes down where it is."""
SPENT = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
"""How a worker ends whose processor time is spent."""
FIRST, LOOKS = 0.5, 20
"""After which part of its time a worker is first looked at, and how often there would be a look in the whole of it."""
SLOW_LINE = "slow: "
"""With this begins a line that says why the work takes long, and what to do."""
FRAME = re.compile(r'^  File "(.*)", line (\d+) in (.*)$')


def wall_limit(seconds: float) -> float:
    """Return how many seconds by the clock there are for so many of processor time."""
    return PATIENCE * seconds + BEGIN


def limit_memory(size: int) -> None:
    """Limit this process's memory to so many bytes."""
    _limit(resource.RLIMIT_AS, size)


def take_looks(path: str) -> None:
    """Have this process write into a file where its main thread is, whenever it gets the signal `LOOK`; and what makes
    a reading slow. An instruction that runs long in C is looked at once it has ended.
    """
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(why: str, remedy: str) -> None:
        os.write(file, f"{SLOW_LINE}{json.dumps([why, remedy])}\n".encode())

    def look(number: int, frame: object) -> None:
        faulthandler.dump_traceback(file, all_threads=False)

    SLOW.tell = tell
    signal.signal(LOOK, look)  # between instructions: within one, frames are not whole, and to walk them may crash


def count_time(seconds: float, threads: int = 1) -> None:
    """Have the system end this process after so many seconds of processor time, and look at it in the later half.

    Where the work is shared by `threads`, each has as much.
    """
    if seconds >= MOST:
        return
    whole = seconds * threads
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_VIRTUAL, whole * FIRST, whole / LOOKS)
    signal.setitimer(signal.ITIMER_PROF, whole)
    _limit(resource.RLIMIT_CPU, (int(seconds) + 2) * max(threads, os.cpu_count() or 1))  # where a program sets timers


def _limit(kind: int, size: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def spent_words(seconds: float, looks: Path) -> str:
    """Return in words that the processor time was spent, where, and what to do."""
    text = _text(looks)
    (where, users), (why, remedy) = _where(text), _slow(text)
    reason = f"stopped by the time limit of {seconds:g} s of processor time (--time-limit){where}"
    less = "audit fewer or smaller inputs" if users else "ask for less: fewer or smaller inputs, or a smaller --set"
    steps = [*filter(None, [why, remedy]), f"{'or ' if remedy else ''}raise --time-limit, or {less}"]
    return "; ".join([reason, *steps])


def waited_words(seconds: float, looks: Path) -> str:
    """Return in words that the clock ended what had not spent its processor time, where it was, and what to do."""
    where, _ = _where(_text(looks))
    passed = f"{wall_limit(seconds):g} s passed without {seconds:g} s of processor time (--time-limit)"
    return f"stopped by the time limit: {passed}{where}; let the program not wait there, or raise --time-limit"


def _text(looks: Path) -> str:
    try:
        return looks.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _slow(text: str) -> tuple[str, str]:
    """Return why the work took long, and what to do, in words; empty where nothing is known."""
    told = [line.partition(SLOW_LINE)[2] for line in text.splitlines() if SLOW_LINE in line]
    for line in reversed(told):
        with suppress(ValueError):  # a look was written amid it
            why, remedy = json.loads(line)
            return why, remedy
    return "", ""


def _where(text: str) -> tuple[str, bool]:
    """Return in words where a worker was most often, and whether that is code of the user's."""
    found = list(_stacks(text))
    users = [place for places in found if (place := users_spot(places)) is not None]
    seen = users or [place for places in found if (place := own_spot(places)) is not None]
    if not seen:
        return "", False
    (place, times), *_ = Counter(seen).most_common(1)
    often = f", at {times} of {len(found)} looks" if len(found) > 1 else ""
    inside = "" if users else "in the audit itself, "
    return f", {inside}at {place}{often}", bool(users)


def _stacks(text: str) -> Iterator[list[Spot]]:
    """Yield the places of each look, innermost first."""
    for part in text.split("(most recent call first):")[1:]:
        frames = [found.groups() for line in part.splitlines() if (found := FRAME.match(line))]
        places = [Spot(file, int(line), function) for file, line, function in frames]
        yield places[1:] if places and places[0].file == __file__ else places  # not what looks
