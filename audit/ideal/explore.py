"""All runs of a program on ideal noise: each path with the linear inequalities that lead to it.

A comparison of noisy numbers is one decision. A run takes one answer; the explorer starts another run for the other
one, where it has a chance. Each run starts from a fresh copy of the input and meets the decisions before it again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any, NoReturn

import numpy as np

from dpcert.audit.ideal.discrete.points import integer_point, point_in, somewhere
from dpcert.audit.ideal.errors import Refused
from dpcert.audit.ideal.generator import IdealGenerator, ideal
from dpcert.audit.ideal.noise import WHOLE_VALUED, Law
from dpcert.audit.ideal.numbers import NO_FLOAT, NO_INT
from dpcert.audit.ideal.outcomes import agree, as_seen, decoded, noisy_parts, raised, types_seen
from dpcert.audit.ideal.replay import Replay
from dpcert.audit.ideal.routing import routed
from dpcert.audit.ideal.run import MOST_DECISIONS, Path, Run
from dpcert.audit.ideal.terms import Number
from dpcert.audit.ideal.whole import named
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import fresh, key, show
from dpcert.mechanisms.floating.held import Holder, instances
from dpcert.mechanisms.watch import own_modules, refuse_hidden_randomness, refuse_hidden_sources

MOST_PATHS = 100_000
REMEDY = "write it with noise and operations that are followed, or read machine noise with --noise machine"
OPEN = "open"
"""Stands for an epsilon > 0 that is left open."""
MOST_NUMBERS = 10_000
"""The most numbers of an open input."""

Program = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most paths of one input, and the processor time at which to stop, as of `time.process_time`; the most
    decisions of a path."""

    paths: int = MOST_PATHS
    until: float = math.inf
    decisions: int = MOST_DECISIONS


NO_LIMITS = Limits()


class _Relay:
    """The source that generators draw from: that of the run that is made now, and what the program gets for the
    parameter epsilon, as a third argument."""

    def __init__(self, epsilon: Fraction | str | None) -> None:
        self.source: Any = None
        self.epsilon = epsilon

    def parameters(self) -> tuple[Any, ...]:
        """Return the third argument of a run, if there is one."""
        if self.epsilon is None:
            return ()
        return (self.source.epsilon() if self.epsilon == OPEN else self.epsilon,)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


class _Point:
    """A point of a path in floats, from which a program draws as it would from the library."""

    def __init__(self, path: Path, point: Mapping[int, float]) -> None:
        self.values = [
            int(point.get(name, 1)) if law.kind in WHOLE_VALUED else point.get(name, somewhere(name))
            for name, law in enumerate(path.laws)
        ]
        self.inputs = {name: x for name, x in point.items() if name < 0}
        self.drawn = list(path.drawn)
        for derived in path.derived:
            self.values[derived.uniform] = derived.uniform_at(self.values[derived.name])
        own = {derived.name for derived in path.derived}
        self.noises = [x for name, x in enumerate(self.values) if name not in own]

    def epsilon(self) -> float:
        return 1.0

    def symbol(self, name: int) -> float:
        return self.inputs.setdefault(name, somewhere(name))

    def noise(self, law: Law) -> float:
        if not self.noises or (law.kind in WHOLE_VALUED) != isinstance(self.noises[0], int):
            self.refuse("other draws")
        return self.noises.pop(0)

    def number(self, value: Number) -> float:
        return float(value)

    def choose(self, weights: Sequence[Fraction]) -> int:
        if not self.drawn:
            self.refuse("more draws")
        return self.drawn.pop(0)

    def refuse(self, what: str) -> NoReturn:
        raise Refused(what)

    def hold(self, words: str) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Open:
    """An input that is left open: a number, or a list, tuple or array of numbers, of any values. Its numbers are the
    variables -1, -2 and so on."""

    form: Any

    def filled(self, numbers: Callable[[int], Any]) -> Any:
        """Return an input with a number for each variable."""
        names = iter(range(-1, -MOST_NUMBERS, -1))

        def fill(part: Any) -> Any:
            if isinstance(part, (list, tuple)):
                return type(part)([fill(item) for item in part])
            if isinstance(part, np.ndarray):
                items = [fill(item) for item in part.ravel().tolist()]
                plain = all(isinstance(item, float) for item in items)
                return np.array(items, dtype=float if plain else object).reshape(part.shape)
            return numbers(next(names))

        return fill(self.form)


def _followed(program: Program, value: Any, relay: _Relay, source: Any) -> Any:
    """Return the outcome of one run, or the exception that ended it."""
    relay.source = source
    given = value.filled(source.symbol) if isinstance(value, Open) else fresh(value)
    try:
        return decoded(program(given, ideal(IdealGenerator, relay), *relay.parameters()))
    except Exception as error:
        return raised(error)


def _line(run: Run, spaces: Sequence[dict[str, Any]]) -> str:
    """Return in words the line of these modules at which a run was refused."""
    for space, file, line in run.stack:
        if any(space is own for own in spaces):
            return f", at line {line} of {FilePath(file).name}"
    return ""


def _one(program: Program, value: Any, relay: _Relay, run: Run) -> Any:
    """Return the outcome of a run; None where it was refused."""
    try:
        outcome = _followed(program, value, relay, run)
        run.need_no_derived(name for part in noisy_parts(outcome) for name, _ in part.terms)
    except Refused:
        return None
    return outcome


def _finished(run: Run, outcome: Any, value: Any, own: Sequence[dict[str, Any]]) -> Path:
    """Return the path that a run took.

    Raises: Unauditable where it was refused.
    """
    if run.refused is not None:
        what = f"{run.refused}{_line(run, own)} (on {_shown(value)})"
        raise Unauditable(f"ideal noise does not follow {what}; {REMEDY}")
    return Path(
        tuple(run.laws),
        tuple(run.inequalities),
        run.weight,
        outcome,
        tuple(run.drawn),
        run.integers,
        held=tuple(sorted(run.held)),
        derived=tuple(derived for derived, _, _ in run.derived.values()),
        draws=tuple(run.draws),
    )


def _explored(
    program: Program, value: Any, relay: _Relay, limits: Limits, *, reverse: bool, first: Any = nullcontext
) -> list[Path]:
    """Return all paths of a program on one input; the first run is made inside the context `first()`.

    Raises: Unauditable naming what is not followed.
    """
    own = own_modules(program)
    pending: list[list[tuple[Any, int]]] = [[]]
    paths: list[Path] = []
    around: Callable[[], AbstractContextManager[object]] = first
    while pending:
        run = Run(pending.pop(), reverse=reverse, most=limits.decisions)
        with around():
            outcome = _one(program, value, relay, run)
        around = nullcontext
        path = _finished(run, outcome, value, own)
        if len(run.decisions) < len(run.forced):
            raise Unauditable("on ideal noise, the program met other decisions when it was run again")
        taken = [(decision.mark, decision.choice) for decision in run.decisions]
        for position, decision in enumerate(run.decisions):
            for other in decision.others:
                pending.append([*taken[:position], (decision.mark, other)])
        paths.append(path)
        if len(paths) + len(pending) > limits.paths:
            raise Unauditable(f"on ideal noise, the program has more than {limits.paths} paths (on {_shown(value)})")
        if time.process_time() > limits.until:
            raise Unauditable("on ideal noise, the program has more paths than are followed in the time there is")
    return paths


def laws_of(
    program: Program, inputs: Sequence[Any], *, epsilon: Fraction | str | None = None, limits: Limits = NO_LIMITS
) -> list[list[Path]]:
    """Return the paths on each input. All is done again in another order, and must come out the same.

    The program is called as program(input, generator), or with an `epsilon` as program(input, generator, epsilon):
    a number, or `OPEN` for one that is left open.

    Raises: Unauditable naming what is not followed, or the hidden randomness that the program uses.
    """
    return _as_followed(lambda loose: _laws(program, inputs, epsilon, limits, loose=loose))


def _as_followed(follow: Callable[[bool], list[list[Path]]]) -> list[list[Path]]:
    """Return what `follow(loose)` finds, where it need be with arrays of floats that take noisy numbers."""
    try:
        return follow(False)
    except Unauditable as error:
        if NO_FLOAT not in str(error) and NO_INT not in str(error):
            raise
        try:
            return follow(True)
        except Unauditable:
            raise error from None


def replayed(
    program: Program, inputs: Sequence[Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | str | None = None
) -> list[list[Path]]:
    """Return the paths that are given for each input with the outcomes that the program has on them, with ideal noise
    and then on floats from inside the path. The inequalities and draws of a path must decide all that the program asks
    there.

    Raises: Unauditable for a path that leaves something open.
    """
    return _as_followed(lambda loose: _replayed(program, inputs, paths, epsilon, loose=loose))


def _replayed(
    program: Program,
    inputs: Sequence[Any],
    paths: Sequence[Sequence[Path]],
    epsilon: Fraction | str | None,
    *,
    loose: bool,
) -> list[list[Path]]:
    relay, spaces = _Relay(epsilon), own_modules(program)
    holders = [*map(Holder, spaces), *instances(program, spaces)]
    found: list[list[Path]] = []
    with refuse_hidden_sources(program), routed(holders, relay, loose=loose), named(spaces):
        for value, row in zip(inputs, paths, strict=True):
            found.append([])
            for path in row:
                run = Replay(path)
                found[-1].append(_finished(run, _one(program, value, relay, run), value, spaces))
    return _seen_in_floats(program, inputs, found, relay, holders)


def _laws(
    program: Program, inputs: Sequence[Any], epsilon: Fraction | str | None, limits: Limits, *, loose: bool
) -> list[list[Path]]:
    """Return the paths on each input; with `loose`, the program's new arrays of floats take noisy numbers, too."""
    relay, spaces = _Relay(epsilon), own_modules(program)
    holders = [*map(Holder, spaces), *instances(program, spaces)]
    with refuse_hidden_sources(program), routed(holders, relay, loose=loose), named(spaces):
        found = [
            _explored(program, value, relay, limits, reverse=False, first=refuse_hidden_randomness) for value in inputs
        ]
        for value, paths in zip(reversed(inputs), reversed(found), strict=True):
            again = _explored(program, value, relay, limits, reverse=True)
            if len(again) != len(paths) or {_mark(path) for path in again} != {_mark(path) for path in paths}:
                raise Unauditable("computed a second time, a path differs: the program keeps hidden state")
    return _seen_in_floats(program, inputs, found, relay, holders)


def _seen_in_floats(
    program: Program, inputs: Sequence[Any], found: Sequence[Sequence[Path]], relay: _Relay, holders: Sequence[Any]
) -> list[list[Path]]:
    """Return paths with their outcomes as `_in_floats` sees them."""
    types: dict[Any, str] = {}
    with refuse_hidden_sources(program), routed(holders, relay):  # as numpy itself has arrays and names
        return [
            [replace(path, outcome=_in_floats(program, value, relay, path, types)) for path in paths]
            for value, paths in zip(inputs, found, strict=True)
        ]


def _mark(path: Path) -> Any:
    return path.laws, path.inequalities, path.weight, key(path.outcome)


def _in_floats(program: Program, value: Any, relay: _Relay, path: Path, types: dict[Any, str]) -> Any:
    """Return the outcome of a path with the truth values that a run shows that draws floats from inside the path: some
    are numpy's own. The types of released numbers on paths before it are known, and those of its own are added.

    Raises: Unauditable where the outcome is another one, as the program tells ideal numbers from floats, or where a
            number is an int on one path and a float on another.
    """
    point = integer_point(path) if path.integers else point_in(path)
    if point is None:
        return path.outcome
    source = _Point(path, point)
    where = f"(on {_shown(value)})"
    try:
        outcome = _followed(program, value, relay, source)
    except Refused as refusal:
        raise Unauditable(f"on floats in the same place, it meets {refusal} {where}") from None
    values = dict(enumerate(source.values)) | source.inputs
    if not agree(path.outcome, outcome, values):
        words = f"on ideal noise it returns {show(path.outcome)}, and {show(outcome)} on floats in the same place"
        raise Unauditable(f"{words} {where}")
    for place, kind in types_seen(path.outcome, outcome):
        if types.setdefault(place, kind) != kind:
            words = f"it releases a noisy number as an int on one path, and as a float on another {where}"
            raise Unauditable(f"{words}; make it the same")
    return as_seen(path.outcome, outcome)


def _shown(value: Any) -> str:
    return "an open input" if isinstance(value, Open) else show(value)
