"""Hidden randomness, refused by name while a program runs on plain numbers.

A profile hook sees every Python function, and every C function that Python code calls, however it was imported;
the global generators of `random` and numpy, which C code can reach, are compared before and after.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from types import FrameType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable

__all__ = ["forbidden_call", "refuse_hidden_randomness", "refuse_shared_generators"]

CLOCKS = frozenset(
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
    "thread_time_ns clock_gettime clock_gettime_ns".split()
)
ENTROPY = frozenset({"urandom", "getrandom"})
REFUSED_MODULES = {
    "posix": ENTROPY,
    "nt": ENTROPY,
    "time": CLOCKS | {"localtime", "gmtime", "ctime", "asctime", "strftime"},
    "_uuid": frozenset({"generate_time_safe", "UuidCreate"}),
    "_thread": frozenset({"start_new_thread", "start_joinable_thread"}),  # the hook does not see other threads
    "sys": frozenset({"setprofile"}),
}
HIDDEN = "hidden randomness"
DATES = frozenset({"now", "utcnow", "today"})
SEEDED_FROM_SYSTEM = random.Random.seed.__code__


def forbidden_call(event: str, frame: FrameType, argument: Any) -> str | None:
    """Return the name of the hidden randomness that a profile event shows, or None."""
    if event == "c_call":
        module, name = getattr(argument, "__module__", None), getattr(argument, "__name__", "")
        if module in REFUSED_MODULES and name in REFUSED_MODULES[module]:
            return f"os.{name}" if name in ENTROPY else f"{module}.{name}"
        owner = getattr(argument, "__self__", None)
        if name in DATES and isinstance(owner, type) and issubclass(owner, date):
            return f"datetime.{owner.__name__}.{name}"
        if owner is getattr(random, "_inst", None):
            return f"random.{name}"
    elif event == "call":
        code = frame.f_code
        if code is SEEDED_FROM_SYSTEM and frame.f_locals.get("a") is None:
            return "random.Random() without a seed"
        if code.co_filename == random.__file__:
            owner = frame.f_locals.get("self")
            if owner is getattr(random, "_inst", None):
                return f"random.{code.co_name}"
            if type(owner) is random.SystemRandom:
                return f"secrets or random.SystemRandom ({code.co_name})"
    return None


def _global_generators() -> dict[str, Any]:
    """Return the states of the generators that all code shares, by name."""
    states: dict[str, Any] = {"the random module": random.getstate()}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        state = numpy.random.get_state(legacy=False)
        inner = state["state"]
        name = "numpy.random, or imports it while it runs"
        states[name] = inner["key"].tobytes(), inner["pos"], state["has_gauss"]
    return states


@contextmanager
def refuse_hidden_randomness() -> Iterator[None]:
    """Run the body and raise if it called for randomness other than its coins, a clock, or what would hide them.

    Raises: Unauditable naming the first such call.
    """
    found: list[str] = []

    def hook(frame: FrameType, event: str, argument: Any) -> None:
        name = forbidden_call(event, frame, argument)
        if name is not None and frame.f_globals is not globals():
            found.append(name)

    previous, collecting = sys.getprofile(), gc.isenabled()
    gc.disable()  # its callbacks are not the program's
    sys.setprofile(hook)
    try:
        yield
    finally:
        sys.setprofile(previous)
        if collecting:
            gc.enable()
    _refuse(found)


@contextmanager
def refuse_shared_generators() -> Iterator[None]:
    """Run the body and raise if it used a generator that all code shares, even through C code.

    Raises: Unauditable naming the generator, also where the body raises it without a name.
    """
    before = _global_generators()
    try:
        yield
    except Unauditable as error:
        if HIDDEN not in str(error):
            _refuse(_changed(before))
        raise
    _refuse(_changed(before))


def _changed(before: dict[str, Any]) -> list[str]:
    return [name for name, state in _global_generators().items() if before.get(name) != state]


def _refuse(found: list[str]) -> None:
    if found:
        raise Unauditable(f"{HIDDEN}: the program uses {found[0]}; draw from its coins instead")
