"""The paths of a program on ideal noise, as the machine reads them; floats from inside each path guard that it does.

The machine knows the types of what is released. On floats that lead along a path, CPython and numpy must give the same
types, and numbers that are near.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.ideal.discrete.points import integer_point, point_in
from dpcert.audit.ideal.errors import Refused
from dpcert.audit.ideal.outcomes import Told, agree, array_kind, as_seen, types_seen
from dpcert.audit.ideal.routing import routed
from dpcert.audit.ideal.seen.in_floats import Point
from dpcert.audit.ideal.seen.running import Open, Program, Relay, followed, shown
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.floating.held import Holder, instances
from dpcert.mechanisms.ideal.parts import Array, entry
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.watch import own_modules, refuse_hidden_sources
from dpcert.reading.ideal.explore import Leaf, Limits, OpenInput, read_ways

NO_LIMITS = Limits()
CHANGED = "computed a second time, a path differs"


@dataclass(slots=True)
class _Unnoted:
    """What a run meets, of which nothing is noted."""

    def noting(self) -> AbstractContextManager[None]:
        """Run the body."""
        return nullcontext()


@dataclass(slots=True)
class Reader:
    """The paths of one program. `types` are those of released numbers, by place, on the paths until now; `left` is what
    some run leaves behind: it is an assumption of the paths that this does not change the runs after it."""

    program: Program
    epsilon: Fraction | str | None = None
    limits: Limits = NO_LIMITS
    types: dict[Any, Any] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    holders: list[Holder] = field(init=False)

    def __post_init__(self) -> None:
        spaces = own_modules(self.program)
        self.holders = [*map(Holder, spaces), *instances(self.program, spaces)]

    def laws(self, inputs: Sequence[Any]) -> list[list[Path]]:
        """Return the paths on each input, read twice in other orders.

        Raises: Unauditable naming what is not followed; or where floats show another outcome, or a type that differs.
        """
        with refuse_hidden_sources(self.program):
            found = [self._ways(value) for value in inputs]
            for value, ways in zip(inputs, found, strict=True):
                again = self._ways(value, reverse=True)
                if len(again) != len(ways) or _marks(again) != _marks(ways):
                    raise Unauditable(f"{CHANGED} on {shown(value)}")
            return self._seen(inputs, found)

    def replayed(self, inputs: Sequence[Any], paths: Sequence[Sequence[Path]]) -> list[list[Path]]:
        """Return the paths that are given for each input with the outcomes that the program has on them. The
        inequalities and draws of a path must decide all that the program asks there.

        Raises: Unauditable for a path that leaves something open.
        """
        with refuse_hidden_sources(self.program):
            found = [
                [leaf for path in row for leaf in self._ways(value, given=path)]
                for value, row in zip(inputs, paths, strict=True)
            ]
            return self._seen(inputs, found)

    def _ways(self, value: Any, **more: Any) -> Sequence[Leaf]:
        given = () if self.epsilon is None else (None if isinstance(self.epsilon, str) else self.epsilon,)
        taken = OpenInput(value.form) if isinstance(value, Open) else value
        found = read_ways(self.program, taken, parameters=given, limits=self.limits, holders=self.holders, **more)
        self.left |= found.left
        return found.leaves

    def _seen(self, inputs: Sequence[Any], found: Sequence[Sequence[Leaf]]) -> list[list[Path]]:
        """Return the paths, once the program, run on floats from inside each, has ended alike."""
        relay = Relay(self.epsilon)
        with routed(self.holders, relay, functions=False):
            seen = [
                [replace(path, outcome=self._outcome(value, path, types, relay)) for path, types in leaves]
                for value, leaves in zip(inputs, found, strict=True)
            ]
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

    def _outcome(self, value: Any, path: Path, types: dict[Any, Any], relay: Relay) -> Any:
        """Return the outcome of a path, once the program, run on floats from inside it, has ended alike."""
        where = f"(on {shown(value)})"
        for place, kind in types.items():
            if self.types.setdefault(place, kind) != kind:
                words = f"a caller sees a released number as {self.types[place][0]} on one path, and as {kind[0]} on"
                raise Unauditable(f"{words} another {where}; make it the same")
        point = integer_point(path) if path.integers else point_in(path)
        if point is None:
            return path.outcome  # the path is empty
        source: Any = Point(path, point)
        try:
            outcome = followed(self.program, value, relay, source, _Unnoted())
        except Refused:
            outcome = None
        if (left := source.left()) is not None:
            raise Unauditable(f"on floats in the same place, it meets {left} {where}")
        if not agree(path.outcome, outcome, dict(enumerate(source.values)) | source.inputs):
            words = f"on ideal noise it returns {show(path.outcome)}, and {show(outcome)} on floats in the same place"
            raise Unauditable(f"{words} {where}")
        for place, kind in types_seen(path.outcome, outcome):
            if types.get(place, kind) != kind:
                words = f"the machine sees a released number as {types[place][0]}, and it is {kind[0]} on floats"
                raise Unauditable(f"{words} {where}")
        return as_seen(path.outcome, outcome, Told())


def _marks(ways: Sequence[Leaf]) -> set[Any]:
    return {(path.laws, path.inequalities, path.weight, key(path.outcome)) for path, _ in ways}
