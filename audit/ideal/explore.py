"""The paths of a program on ideal noise, as the machine reads them; floats from inside each path guard that it does.

The machine knows the types of released numbers. On floats that lead along a path, CPython and the libraries must give
the same types, and numbers that are near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpcert.audit.ideal.led import Led, led_everywhere, point_of, run
from dpcert.audit.ideal.loops import summed, with_first_turns
from dpcert.audit.ideal.outcomes import Differs, Told, agree, array_kind, as_seen, types_seen
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.ideal.meant import OPEN, Program, shown
from dpcert.mechanisms.ideal.parts import Array, entry
from dpcert.mechanisms.ideal.path import Path, every_loop
from dpcert.reading.domains.forms import Meaning
from dpcert.reading.floats.held import Holder, instances
from dpcert.reading.ideal.explore import Leaf, Limits, need_loop, read_ways
from dpcert.reading.paths.watch import own_modules, refuse_hidden_sources

NO_LIMITS = Limits()
CHANGED = "computed a second time, a path differs"
ON_FLOATS = "on floats in the same place"


def laws_of(
    program: Program,
    inputs: Sequence[Any],
    *,
    epsilon: Fraction | str | None = None,
    limits: Limits = NO_LIMITS,
    in_floats: bool = False,
) -> list[list[Path]]:
    """Return the paths on each input, read twice in other orders.

    The program is called as program(input, generator), or with an `epsilon` as program(input, generator, epsilon):
    a number, or `OPEN` for one that is left open. With `in_floats`, exponentials are the floats that they are.

    Raises: Unauditable naming an operation that is not followed, or where floats show another outcome or type.
    """
    if in_floats:
        return Reader(program, epsilon, limits, Meaning(meant=False)).laws(inputs)
    return _as_meant(partial(Reader, program, epsilon, limits), Reader.laws, inputs)


def replayed(
    program: Program, inputs: Sequence[Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | str | None = None
) -> list[list[Path]]:
    """Return the paths that are given for each input with the outcomes that the program has on them. The inequalities
    and draws of a path must decide all that the program asks there.

    Raises: Unauditable for a path that leaves something open.
    """
    return _as_meant(partial(Reader, program, epsilon, NO_LIMITS), Reader.replayed, inputs, paths)


def _as_meant(reader: Callable[..., Reader], read: Callable[..., list[list[Path]]], *given: Any) -> list[list[Path]]:
    """Return the paths that a reader reads; with exponentials that are floats where it reads none otherwise, but not
    where these make it another program."""
    meaning = Meaning()
    try:
        return read(reader(meaning), *given)
    except Differs:
        raise
    except Unauditable:
        if not meaning.made:
            raise
    return read(reader(Meaning(meant=False)), *given)


@dataclass(slots=True)
class Reader:
    """The paths of one program. `types` are those of released numbers, by place, on the paths until now, and `told`
    the floats that stand for released numbers which are written with exponentials."""

    program: Program
    epsilon: Fraction | str | None = None
    limits: Limits = NO_LIMITS
    meaning: Meaning = field(default_factory=Meaning)
    types: dict[Any, Any] = field(default_factory=dict)
    told: Told = field(default_factory=Told)
    led: Led = field(default_factory=Led)
    holders: list[Holder] = field(init=False)

    def __post_init__(self) -> None:
        spaces = own_modules(self.program)
        self.holders = [*map(Holder, spaces), *instances(self.program, spaces)]

    def laws(self, inputs: Sequence[Any]) -> list[list[Path]]:
        """Return the paths on each input, read twice in other orders."""
        with refuse_hidden_sources(self.program):
            found = [summed(read_ways(self.program, value, **self._how())) for value in inputs]
            for value, ways in zip(inputs, found, strict=True):
                # A program that keeps state between its runs reads otherwise in another order.
                again = summed(read_ways(self.program, value, reverse=True, **self._how()))
                if len(again) != len(ways) or _marks(again) != _marks(ways):
                    raise Unauditable(f"{CHANGED} on {shown(value)}")
            seen = self._seen(inputs, found)
        return [with_first_turns(row, [name for name, _ in self.types.values()]) for row in seen]

    def replayed(self, inputs: Sequence[Any], paths: Sequence[Sequence[Path]]) -> list[list[Path]]:
        """Return the paths that are given with the outcomes that the program has on them."""
        with refuse_hidden_sources(self.program):
            found = [
                [leaf for path in row for leaf in self._along(value, path)]
                for value, row in zip(inputs, paths, strict=True)
            ]
            for value, row in zip(inputs, paths, strict=True):
                for loop in every_loop(row):
                    need_loop(self.program, value, loop, **self._how())
            return self._seen(inputs, found)

    def _along(self, value: Any, path: Path) -> Iterator[Leaf]:
        """Yield the way that follows a path, in the loops of this."""
        for found, types in read_ways(self.program, value, path, **self._how()):
            yield found.within(path.loops), types

    def _how(self) -> dict[str, Any]:
        given = () if self.epsilon is None else (None if self.epsilon == OPEN else Fraction(self.epsilon),)
        return {"parameters": given, "limits": self.limits, "holders": self.holders, "meaning": self.meaning}

    def _seen(self, inputs: Sequence[Any], found: Sequence[Sequence[Leaf]]) -> list[list[Path]]:
        """Return the paths, once the program, run on floats from inside each, has ended alike."""
        with led_everywhere(self.led, self.holders):
            seen = [
                [replace(path, outcome=self._outcome(value, path, types)) for path, types in leaves]
                for value, leaves in zip(inputs, found, strict=True)
            ]
        self.told.need_apart(path.outcome for row in found for path, _ in row)
        return [[replace(path, outcome=self._alike(path.outcome, ())) for path in row] for row in seen]

    def _alike(self, outcome: Any, place: tuple[Any, ...]) -> Any:
        """Return an outcome with arrays without noise as data where another path has an array with noise."""
        if type(outcome) in (list, tuple):
            return type(outcome)([self._alike(part, (*place, i)) for i, part in enumerate(outcome)])
        if type(outcome) is dict:
            return {name: self._alike(part, (*place, name)) for name, part in outcome.items()}
        if type(outcome) is np.ndarray and self.types.get(place) == array_kind(outcome) and np.isfinite(outcome).all():
            return Array(outcome.shape, tuple(map(entry, outcome.ravel().tolist())))
        return outcome

    def _outcome(self, value: Any, path: Path, types: dict[Any, Any]) -> Any:
        """Return the outcome of a path, once the program, run on floats from inside it, has ended alike."""
        where = f"(on {shown(value)})"
        for place, kind in types.items():
            if self.types.setdefault(place, kind) != kind:
                words = f"a caller sees a released number as {self.types[place][0]} on one path, and as {kind[0]} on"
                raise Unauditable(f"{words} another {where}; release it as one type, as by float(...)")
        point = point_of(path)
        if point is None:
            return path.outcome  # the path is empty
        outcome = run(self.program, value, self.epsilon, self.led, point)
        if (left := point.left()) is not None:
            raise Unauditable(f"{ON_FLOATS}, it meets {left} {where}")
        if not agree(path.outcome, outcome, dict(enumerate(point.values)) | point.inputs):
            words = f"on ideal noise it returns {show(path.outcome)}, and {show(outcome)} {ON_FLOATS} {where}"
            kept = f"; it leaves {', '.join(path.left)} changed, which the next run sees" if path.left else ""
            raise Differs(f"{words}{kept}")
        for place, kind in types_seen(path.outcome, outcome):
            if types.get(place, kind) != kind:
                words = f"the machine sees a released number as {types[place][0]}, and it is {kind[0]} on floats"
                raise Unauditable(f"{words} {where}")
        return as_seen(path.outcome, outcome, self.told)


def _marks(ways: Sequence[Leaf]) -> set[Any]:
    return {(path.laws, path.inequalities, path.weight, key(path.outcome)) for path, _ in ways}
