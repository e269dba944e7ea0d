"""All runs of a program on ideal noise: each path with the linear inequalities that lead to it.

A comparison of noisy numbers is one decision. A run takes one answer; the explorer starts another run for the other
one, where it has a chance. Each run starts from a fresh copy of the input and meets the decisions before it again.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any, NoReturn

import numpy as np

from dpcert.audit.ideal.errors import Refused
from dpcert.audit.ideal.generator import IdealGenerator, ideal
from dpcert.audit.ideal.linear import inside, maximize
from dpcert.audit.ideal.noise import WHOLE_VALUED, Law, is_whole
from dpcert.audit.ideal.numbers import NO_FLOAT, NO_INT, step_of
from dpcert.audit.ideal.outcomes import agree, as_seen, decoded, noisy_parts, raised, types_seen
from dpcert.audit.ideal.routing import routed
from dpcert.audit.ideal.run import Path, Run, supports
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
OFF_GRID = 0.8660254
"""A factor that leads to points where nothing is a short fraction, such as an end of what is rounded to one number."""
MOST_NUMBERS = 10_000
"""The most numbers of an open input."""
TRIED_STEPS, MOST_OPEN = 4, 64
"""How many integer inputs are tried in place of open ones, and the most numbers that they have."""
NO_INPUTS: Mapping[int, int] = {}
SWEEPS = 200
"""How often all inequalities are looked at in the search for a point in floats."""

Program = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most paths of one input, and the processor time at which to stop, as of `time.process_time`."""

    paths: int = MOST_PATHS
    until: float = math.inf


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
            int(point.get(name, 1)) if law.kind in WHOLE_VALUED else point.get(name, _somewhere(name))
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
        return self.inputs.setdefault(name, _somewhere(name))

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
        run = Run(pending.pop(), reverse=reverse)
        try:
            with around():
                outcome = _followed(program, value, relay, run)
                run.need_no_derived(name for part in noisy_parts(outcome) for name, _ in part.terms)
        except Refused:
            outcome = None
        around = nullcontext
        if run.refused is not None:
            what = f"{run.refused}{_line(run, own)} (on {_shown(value)})"
            raise Unauditable(f"ideal noise does not follow {what}; {REMEDY}")
        if len(run.decisions) < len(run.forced):
            raise Unauditable("on ideal noise, the program met other decisions when it was run again")
        taken = [(decision.mark, decision.choice) for decision in run.decisions]
        for position, decision in enumerate(run.decisions):
            for other in decision.others:
                pending.append([*taken[:position], (decision.mark, other)])
        drawn = tuple(choice for mark, choice in taken if mark[0] == "draw")
        paths.append(
            Path(
                tuple(run.laws),
                tuple(run.inequalities),
                run.weight,
                outcome,
                drawn,
                run.integers,
                held=tuple(sorted(run.held)),
                derived=tuple(derived for derived, _, _ in run.derived.values()),
            )
        )
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
    try:
        return _laws(program, inputs, epsilon, limits, loose=False)
    except Unauditable as error:
        if NO_FLOAT not in str(error) and NO_INT not in str(error):
            raise
        try:
            return _laws(program, inputs, epsilon, limits, loose=True)
        except Unauditable:
            raise error from None


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
    point = _integer_point(path) if path.integers else point_in(path)
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


def _somewhere(name: int) -> float:
    """Return a number between 0 and 1, another one for each variable."""
    return (0.3 + 0.6180339887 * name) % 1


def _integer_point(path: Path) -> dict[int, float]:
    """Return a point of a path at which its open inputs are integers.

    Raises: Unauditable where none is found.
    """
    for step in range(TRIED_STEPS):
        inputs = {name: step * -name % (step + 2) for name in range(-MOST_OPEN, 0)}
        point = point_in(path, inputs)
        if point is not None:
            return point | {name: float(x) for name, x in inputs.items()}
    raise Unauditable("a path on open integers is not found again on plain ones")


def point_in(path: Path, inputs: Mapping[int, int] = NO_INPUTS) -> dict[int, float] | None:
    """Return a point in floats well inside a path, where it has these `inputs`; None where it has none."""
    forms: list[tuple[dict[int, Number], Number]] = []
    for item in path.inequalities:
        form, offset = item.inward()
        given = sum(c * inputs[name] for name, c in form.items() if name in inputs)
        forms.append(({name: c for name, c in form.items() if name not in inputs}, offset + given))
    if any(not form and offset <= 0 for form, offset in forms):
        return None
    whole = _whole_point(path.laws, [(form, offset) for form, offset in forms if is_whole(path.laws, form)])
    if whole is None:
        return None
    forms = [_at_whole(form, offset, whole) for form, offset in forms if form and not is_whole(path.laws, form)]
    names = {name for form, _ in forms for name in form}
    forms += supports(path.laws, names)
    rows = [({name: float(c) for name, c in form.items()}, float(offset)) for form, offset in forms]
    point = {name: _somewhere(name) for name in names}
    margin = 1.0
    for sweep in range(SWEEPS):
        calm = True
        for row, start in rows:
            value = sum(c * point[name] for name, c in row.items()) + start
            if value < margin / 2:
                calm = False
                push = (OFF_GRID * margin - value) / sum(c * c for c in row.values())
                for name, c in row.items():
                    point[name] += push * c
        if calm:
            return point | {name: float(x) for name, x in whole.items()}
        if sweep % 20 == 19:
            margin /= 4
    exact = inside(forms)
    return None if exact is None else {name: float(x) for name, x in (whole | exact).items()}


def _whole_point(laws: Sequence[Law], forms: Sequence[tuple[dict[int, Number], Number]]) -> dict[int, Fraction] | None:
    """Return values of whole noise at which all these forms are above 0; None where there are none.

    Raises: Unauditable where none are found.
    """
    if not forms:
        return {}
    names = {name for form, _ in forms for name in form}
    rows: list[tuple[dict[int, Number], Number]] = []
    for form, offset in [*forms, *supports(laws, names)]:
        step = step_of(form.values())
        rows.append((form, step * (math.floor(-offset / step) + 1)))
    near = _raised(rows)
    if near is not None:
        return near
    found = maximize({}, [({name: -c for name, c in form.items()}, -least) for form, least in rows])
    if found is not None and any(x.denominator > 1 for x in found.point.values()):
        raise Unauditable("a path of whole noise is not found again on integers")
    return None if found is None else found.point


def _raised(rows: Sequence[tuple[dict[int, Number], Number]]) -> dict[int, Fraction] | None:
    """Return integers for which each form is at least a number, found by raising what is too small; None for none."""
    often = Counter(name for form, _ in rows for name in form)
    point = dict.fromkeys(often, Fraction(0))
    for _ in range(SWEEPS):
        calm = True
        for form, least in rows:
            missing = least - sum(c * point[name] for name, c in form.items())
            upwards = [name for name, c in form.items() if c > 0]
            if missing > 0 and upwards:
                name = min(upwards, key=lambda name: often[name])
                point[name] += math.ceil(missing / form[name])
            calm = calm and missing <= 0
        if calm:
            return point
    return None


def _at_whole(
    form: Mapping[int, Number], offset: Number, whole: Mapping[int, Fraction]
) -> tuple[dict[int, Number], Number]:
    """Return a form with values for its whole noise."""
    given = sum(c * whole[name] for name, c in form.items() if name in whole)
    return {name: c for name, c in form.items() if name not in whole}, offset + given
