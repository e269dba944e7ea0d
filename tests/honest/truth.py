"""What a program does in production: the undecorated function on the real libraries, run many times.

A verdict is held against it in two ways. What the exact law calls one outcome looks alike to whoever reads it, and
each outcome comes as often as the law says. The second is a test by samples, at `ALPHA` for each outcome.
"""

from __future__ import annotations

import enum
import importlib.util
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import dpcert
from dpcert import Dist, Limits, Unauditable
from dpcert.audit.sampling.binomial import lower_limit, upper_limit
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import key
from dpcert.reading.paths.enumerator import enumerate_law

LIMITS = Limits(max_runs=600)


@contextmanager
def loaded(source: str, folder: Path) -> Iterator[ModuleType]:
    """Import a text as a module, and forget it."""
    name = f"honest_{random.SystemRandom().getrandbits(64):x}"
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[name]
        path.unlink()


@contextmanager
def shared_state_restored() -> Iterator[None]:
    """Put back what a program does to the generators that all code shares."""
    before, numpys = random.getstate(), np.random.get_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(before)
        np.random.set_state(numpys)


def seen(value: Any, depth: int = 0) -> Any:
    """Return what a reader sees of an outcome, written without the registry of outcomes, with `==` to compare."""
    kind = type(value)
    title = kind.__module__, kind.__qualname__
    if depth > 6 or value is None or kind in (bool, int, str, bytes):
        return title, repr(value)
    if isinstance(value, BaseException):
        state = {name: seen(part, depth + 1) for name, part in sorted(vars(value).items())}
        members = tuple(seen(part, depth + 1) for part in getattr(value, "exceptions", ()))
        chain = [seen(part, depth + 1) for part in (value.__cause__, value.__context__)]
        slots = {n: repr(getattr(value, n, None)) for n in ("filename", "filename2", "name", "path", "value", "errno")}
        return title, str(value), repr(value.args), state, members, chain, slots, _class(kind)
    if isinstance(value, enum.Enum):
        return title, value.name, repr(value.value), repr(sorted(vars(value).items(), key=repr)), _class(kind)
    if kind in (tuple, list):
        return title, [seen(part, depth + 1) for part in value]
    if kind is dict:
        return title, [(seen(name, depth + 1), seen(part, depth + 1)) for name, part in value.items()]
    if isinstance(value, (np.generic, np.ndarray)):
        return title, value.dtype.str, value.shape, value.tobytes()
    if is_dataclass(kind):
        named = [(part.name, seen(getattr(value, part.name, None), depth + 1)) for part in fields(value)]
        return title, named, sorted(vars(value)), _class(kind)
    return title, repr(value), repr(sorted(getattr(value, "__dict__", {}).items())), _class(kind)


def _class(kind: type) -> str:
    plain = int, float, str, bytes, bool, tuple, type(None)
    found = {name: part for name, part in vars(kind).items() if isinstance(part, plain) and name != "__firstlineno__"}
    return repr(sorted(found.items()))


def law(function: Callable[..., Any], x: int) -> Dist | None:
    """Return the exact law of a function's program on an input; None where it is undecided."""
    with shared_state_restored():
        try:
            found = enumerate_law(dpcert.redirect(function), x, limits=LIMITS).law
        except Unauditable:
            return None
    return None if found.tail else found


def sampled(function: Callable[..., Any], x: int, takes_rng: bool, runs: int) -> list[tuple[Any, Any]]:
    """Return the outcome of each of many runs on the real libraries: as the registry has it, and as it is seen."""
    rng = np.random.default_rng()
    found: list[tuple[Any, Any]] = []

    def run(value: int) -> Any:
        return function(value, rng) if takes_rng else function(value)

    with shared_state_restored():
        for _ in range(runs):
            outcome, error = call(run, x)
            try:
                name = key(outcome)
            except Unauditable as refused:
                name = str(refused)
            found.append((name, seen(outcome if error is None else error)))
    return found


def disagreement(laws: dict[int, Dist], runs: dict[int, list[tuple[Any, Any]]], alpha: Fraction) -> str | None:
    """Return how laws and runs contradict each other; None where they agree."""
    looks: dict[Any, Any] = {}
    for x, found in runs.items():
        counts = Counter(name for name, _ in found)
        expected = {name: Fraction(weight, laws[x].denominator) for name, _, weight in laws[x].weights()}
        for name in counts.keys() | expected.keys():
            p, count = expected.get(name, Fraction(0)), counts.get(name, 0)
            if count and not p:
                return f"on {x}: {name} came {count} times of {len(found)}, and is impossible by the law"
            low = lower_limit(count, len(found), alpha) if count else Fraction(0)
            high = upper_limit(count, len(found), alpha) if count < len(found) else Fraction(1)
            if not low <= p <= high:
                return f"on {x}: {name} came {count} times of {len(found)}, and has probability {p} by the law"
        for name, look in found:
            if looks.setdefault(name, look) != look:
                return f"on {x}: {name} is one outcome by the law, and looks like {look} and {looks[name]}"
    return None
