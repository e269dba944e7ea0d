"""All runs of a program on ideal noise: each path with the linear inequalities that lead to it.

A comparison of noisy numbers is one decision. A run takes one answer; the explorer starts another run for the other
one, where it has a chance. Each run starts from a fresh copy of the input and meets the decisions before it again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path as FilePath
from typing import Any

from dpcert.audit.ideal.arrays import arrays
from dpcert.audit.ideal.discrete.exponents import Meant, Written
from dpcert.audit.ideal.errors import Differs, Refused
from dpcert.audit.ideal.numbers import NO_FLOAT, NO_INT
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.replay import Replay
from dpcert.audit.ideal.routing import routed
from dpcert.audit.ideal.run import Run
from dpcert.audit.ideal.seen.in_floats import InFloats, Walked
from dpcert.audit.ideal.seen.met import Met
from dpcert.audit.ideal.seen.running import Program, Relay, followed, shown
from dpcert.audit.ideal.whole import named
from dpcert.audit.ideal.written.guards import guarded, guards
from dpcert.audit.ideal.written.uniformly import exponentials
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.floating.held import Holder, instances
from dpcert.mechanisms.handled import Looked
from dpcert.mechanisms.ideal.known import MOST_DECISIONS
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.watch import own_modules, refuse_hidden_randomness, refuse_hidden_sources

MOST_PATHS = 100_000
CHANGED = "computed a second time, a path differs"
REMEDY = "write it with noise and operations that are followed, or read machine noise with --noise machine"


@dataclass(frozen=True, slots=True)
class Limits:
    """The most paths of one input, and the processor time at which to stop, as of `time.process_time`; the most
    decisions of a path."""

    paths: int = MOST_PATHS
    until: float = math.inf
    decisions: int = MOST_DECISIONS


NO_LIMITS = Limits()


def _line(run: Run, spaces: Sequence[dict[str, Any]]) -> str:
    """Return in words the line of these modules at which a run was refused."""
    for space, file, line in run.stack:
        if any(space is own for own in spaces):
            return f", at line {line} of {FilePath(file).name}"
    return ""


def _one(program: Program, value: Any, relay: Relay, made: Callable[[], Run], looked: Looked) -> tuple[Run, Any, Met]:
    """Return a run with its outcome, None where it was refused, and with what it met."""
    run, met = made(), Met(looked)
    try:
        outcome = followed(program, value, relay, run, met)
        run.need_whole(name for part in noisy_parts(outcome) for name, _ in part.terms)
    except Refused:
        outcome = None
    return run, outcome, met


def _whole(program: Program, value: Any, relay: Relay, made: Callable[[], Run], looked: Looked) -> tuple[Run, Any, Met]:
    """Return a run as `_one`; where it met code for the first time, with the ways that another run takes."""
    found = _one(program, value, relay, made, looked)
    if found[2].met_code:
        found[2].ways = _one(program, value, relay, made, looked)[2].ways
    return found


def _finished(run: Run, outcome: Any, value: Any, own: Sequence[dict[str, Any]]) -> Path:
    """Return the path that a run took.

    Raises: Unauditable where it was refused.
    """
    if run.refused is not None:
        what = f"{run.refused}{_line(run, own)} (on {shown(value)})"
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
        narrowed=tuple(run.narrowed.values()),
    )


def _explored(
    program: Program,
    value: Any,
    relay: Relay,
    limits: Limits,
    looked: Looked,
    *,
    reverse: bool,
    first: Any = nullcontext,
) -> list[Walked]:
    """Return all paths of a program on one input; the first run is made inside the context `first()`.

    Raises: Unauditable naming what is not followed.
    """
    own = own_modules(program)
    pending: list[list[tuple[Any, int]]] = [[]]
    paths: list[Walked] = []
    around: Callable[[], AbstractContextManager[object]] = first
    while pending:
        made = partial(Run, pending.pop(), reverse=reverse, most=limits.decisions)
        with around():
            run, outcome, met = _whole(program, value, relay, made, looked)
        around = nullcontext
        path = _finished(run, outcome, value, own)
        if len(run.decisions) < len(run.forced):
            raise Unauditable("on ideal noise, the program met other decisions when it was run again")
        taken = [(decision.mark, decision.choice) for decision in run.decisions]
        for position, decision in enumerate(run.decisions):
            for other in decision.others:
                pending.append([*taken[:position], (decision.mark, other)])
        paths.append((path, met))
        if len(paths) + len(pending) > limits.paths:
            raise Unauditable(f"on ideal noise, the program has more than {limits.paths} paths (on {shown(value)})")
        if time.process_time() > limits.until:
            raise Unauditable("on ideal noise, the program has more paths than are followed in the time there is")
    return paths


def laws_of(
    program: Program,
    inputs: Sequence[Any],
    *,
    epsilon: Fraction | str | None = None,
    limits: Limits = NO_LIMITS,
    in_floats: bool = False,
) -> list[list[Path]]:
    """Return the paths on each input. All is done again in another order, and must come out the same.

    The program is called as program(input, generator), or with an `epsilon` as program(input, generator, epsilon):
    a number, or `OPEN` for one that is left open. With `in_floats`, exponentials are the floats that they are.

    Raises: Unauditable naming what is not followed, or the hidden randomness that the program uses.
    """

    def follow(way: _Way) -> list[list[Path]]:
        return _laws(program, inputs, epsilon, limits, way)

    return _loosely(follow, _Way(kind=Written)) if in_floats else _as_followed(follow)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a program is followed: with `loose`, its new arrays of floats take noisy numbers, too; exponentials are of a
    kind, and noted in `made`."""

    loose: bool = False
    kind: type[Written] = Meant
    made: list[Any] = field(default_factory=list)

    def taking(self) -> Iterator[tuple[Any, Any]]:
        """Yield the functions that take noise, or make exponentials."""
        yield from arrays(loose=self.loose)
        yield from exponentials(self.kind, self.made)
        yield from guards()


def _as_followed(follow: Callable[[_Way], list[list[Path]]]) -> list[list[Path]]:
    """Return what `follow` finds; with exponentials that are floats where it is not followed otherwise, but not where
    these make it another program."""
    way = _Way()
    try:
        return _loosely(follow, way)
    except Differs:
        raise
    except Unauditable:
        if not way.made:
            raise
        return _loosely(follow, _Way(kind=Written))


def _loosely(follow: Callable[[_Way], list[list[Path]]], way: _Way) -> list[list[Path]]:
    """Return what `follow` finds, where it need be with arrays of floats that take noisy numbers."""
    try:
        return follow(way)
    except Unauditable as error:
        if NO_FLOAT not in str(error) and NO_INT not in str(error):
            raise
        try:
            return follow(replace(way, loose=True))
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
    return _as_followed(lambda way: _replayed(program, inputs, paths, epsilon, way))


def _replayed(
    program: Program,
    inputs: Sequence[Any],
    paths: Sequence[Sequence[Path]],
    epsilon: Fraction | str | None,
    way: _Way,
) -> list[list[Path]]:
    relay, spaces = Relay(epsilon), own_modules(program)
    holders = [*map(Holder, spaces), *instances(program, spaces)]
    found: list[list[Walked]] = []
    looked: Looked = {}
    with refuse_hidden_sources(program), routed(holders, relay, way.taking()), named(spaces), guarded(spaces):
        for value, row in zip(inputs, paths, strict=True):
            found.append([])
            for path in row:
                run, outcome, met = _whole(program, value, relay, partial(Replay, path), looked)
                found[-1].append((_finished(run, outcome, value, spaces), met))
    return _seen_in_floats(program, inputs, found, relay, holders)


def _laws(
    program: Program, inputs: Sequence[Any], epsilon: Fraction | str | None, limits: Limits, way: _Way
) -> list[list[Path]]:
    relay, spaces = Relay(epsilon), own_modules(program)
    holders = [*map(Holder, spaces), *instances(program, spaces)]
    looked: Looked = {}
    with refuse_hidden_sources(program), routed(holders, relay, way.taking()), named(spaces), guarded(spaces):
        found = [
            _explored(program, value, relay, limits, looked, reverse=False, first=refuse_hidden_randomness)
            for value in inputs
        ]
        for value, paths in zip(reversed(inputs), reversed(found), strict=True):
            again = _explored(program, value, relay, limits, looked, reverse=True)
            if len(again) != len(paths) or _marks(again) != _marks(paths):
                raise Unauditable(_changed(paths, again, value))
    return _seen_in_floats(program, inputs, found, relay, holders)


def _seen_in_floats(
    program: Program, inputs: Sequence[Any], found: Sequence[Sequence[Walked]], relay: Relay, holders: Sequence[Any]
) -> list[list[Path]]:
    """Return paths with their outcomes as `InFloats` sees them."""
    with refuse_hidden_sources(program), routed(holders, relay):  # as numpy itself has arrays and names
        return InFloats(program, relay).seen(inputs, found)


def _marks(walked: Sequence[Walked]) -> set[Any]:
    return {(path.laws, path.inequalities, path.weight, key(path.outcome)) for path, _ in walked}


def _changed(before: Sequence[Walked], after: Sequence[Walked], value: Any) -> str:
    """Return why paths that were computed a second time differ: two runs that show it, where there are some."""
    known = {(path.laws, frozenset(path.inequalities), path.drawn): path.outcome for path, _ in before}
    for path, _ in after:
        outcome = known.get((path.laws, frozenset(path.inequalities), path.drawn), path.outcome)
        if key(outcome) != key(path.outcome):
            both = f"it shows {show(outcome)} and then {show(path.outcome)}"
            return f"{CHANGED}: the program keeps hidden state: on {shown(value)}, with the same draws, {both}"
    return f"{CHANGED} on {shown(value)}, and no two runs were found that show why"
