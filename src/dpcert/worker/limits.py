"""The limits of a worker process: its memory, and its processor time.

Processor time makes verdicts the same on a busy machine. A far larger limit by the clock ends a process that waits. The
system counts the time and ends the process, so that no program can catch or delay it. At each of some `looks`, the
worker writes down the line that it runs.
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
"""The seconds by the clock for each second of processor time, and the seconds added to them."""
MOST = 1e6
"""From so many seconds on, time has no limit."""
LOOK = signal.SIGVTALRM
"""The signal on which a worker writes down the line that it runs."""
SPENT = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
"""The signal that ends a worker whose processor time is spent."""
FIRST, LOOKS = 0.5, 20
"""The part of a worker's time before the first look, and the number of looks that would fill all of its time."""
SLOW_LINE = "slow: "
"""The beginning of a line that says why the work takes long, and what to do."""
FRAME = re.compile(r'^  File "(.*)", line (\d+) in (.*)$')


def wall_limit(seconds: float) -> float:
    """Return the limit in seconds by the clock for a limit of processor time."""
    return PATIENCE * min(seconds, MOST) + BEGIN


def limit_memory(size: int) -> None:
    """Limit this process's memory to so many bytes."""
    _limit(resource.RLIMIT_AS, size)


def take_looks(path: str) -> None:
    """Have this process write its main thread's stack into a file at each signal `LOOK`, and why a reading is slow.

    An instruction that runs long in C is looked at once it has ended.
    """
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(why: str, remedy: str) -> None:
        os.write(file, f"{SLOW_LINE}{json.dumps([why, remedy])}\n".encode())

    def look(number: int, frame: object) -> None:
        faulthandler.dump_traceback(file, all_threads=False)

    SLOW.tell = tell
    signal.signal(LOOK, look)  # Python calls it between instructions: inside one, a walk over frames may crash


def count_time(seconds: float, threads: int = 1) -> None:
    """Have the system end this process after so many seconds of processor time, and look at it in the later part.

    Where several `threads` share the work, each has the whole time.
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
    """Return in words that the processor time was spent, on which lines, and what to do."""
    text = _text(looks)
    (where, users), (why, remedy) = _where(text), _slow(text)
    reason = f"stopped by the time limit of {seconds:g} s of processor time (--time-limit){where}"
    less = "audit fewer or smaller inputs" if users else "ask for less: fewer or smaller inputs, or a smaller --set"
    steps = [*filter(None, [why, remedy]), f"{'or ' if remedy else ''}raise --time-limit, or {less}"]
    return "; ".join([reason, *steps])


def waited_words(seconds: float, looks: Path) -> str:
    """Return in words that the clock ended a process with processor time left, at which line, and what to do."""
    where, _ = _where(_text(looks))
    passed = f"{wall_limit(seconds):g} s passed without {seconds:g} s of processor time (--time-limit)"
    return f"stopped by the time limit: {passed}{where}; let the program not wait there, or raise --time-limit"


def _text(looks: Path) -> str:
    try:
        return looks.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _slow(text: str) -> tuple[str, str]:
    """Return in words why the work took long, and what to do; empty texts where the worker wrote no reason."""
    slow = [line.partition(SLOW_LINE)[2] for line in text.splitlines() if SLOW_LINE in line]
    for line in reversed(slow):
        with suppress(ValueError):  # a look was written into the middle of the line
            why, remedy = json.loads(line)
            return why, remedy
    return "", ""


def _where(text: str) -> tuple[str, bool]:
    """Return in words the line at which most looks met a worker, and whether it is in user code."""
    stacks = list(_stacks(text))
    users = [place for places in stacks if (place := users_spot(places)) is not None]
    seen = users or [place for places in stacks if (place := own_spot(places)) is not None]
    if not seen:
        return "", False
    (place, times), *_ = Counter(seen).most_common(1)
    often = f", at {times} of {len(stacks)} looks" if len(stacks) > 1 else ""
    inside = "" if users else "in the audit itself, "
    return f", {inside}at {place}{often}", bool(users)


def _stacks(text: str) -> Iterator[list[Spot]]:
    """Yield the places of each look, innermost first."""
    for part in text.split("(most recent call first):")[1:]:
        frames = [match.groups() for line in part.splitlines() if (match := FRAME.match(line))]
        places = [Spot(file, int(line), function) for file, line, function in frames]
        yield places[1:] if places and places[0].file == __file__ else places  # without the function that looks
