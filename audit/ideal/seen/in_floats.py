"""The program once more on each of its paths, on floats from inside the path, as it would draw them from the library.

What it shows there is what a caller sees: the types of what it releases, and the errors that it meets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from dpcert.audit.ideal.discrete.points import integer_point, point_in, somewhere
from dpcert.audit.ideal.errors import Differs, Refused
from dpcert.audit.ideal.outcomes import Told, agree, as_seen, types_seen
from dpcert.audit.ideal.seen.met import ANOTHER_WAY, Met, differing
from dpcert.audit.ideal.seen.running import UNTOLD, Program, Relay, followed, shown
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, show
from dpcert.mechanisms.ideal.exact import Exact, Weight
from dpcert.mechanisms.ideal.noise import HALF, WHOLE_VALUED, Law
from dpcert.mechanisms.ideal.path import Narrowed, Path
from dpcert.mechanisms.ideal.terms import Number

Walked = tuple[Path, Met]
"""A path, and the errors that the run met which took it."""


class Point:
    """A point of a path in floats, from which a program draws as it would from the library."""

    def __init__(self, path: Path, point: Mapping[int, float]) -> None:
        self.values = [
            int(point.get(name, 1)) if law.kind in WHOLE_VALUED else point.get(name, somewhere(name))
            for name, law in enumerate(path.laws)
        ]
        self.inputs = {name: x for name, x in point.items() if name < 0}
        compared = {place for each in path.narrowed for place in each.draws}
        self.drawn = [side for place, side in enumerate(path.drawn) if place not in compared]
        for each in path.narrowed:
            self.values[each.name] = _middle(each)
        for derived in path.derived:
            self.values[derived.uniform] = derived.uniform_at(self.values[derived.name])
        own = {derived.name for derived in path.derived}
        self.noises = [x for name, x in enumerate(self.values) if name not in own]
        self.refused: str | None = None

    def epsilon(self, value: Fraction | None = None) -> float:
        return 1.0 if value is None else float(value)

    def symbol(self, name: int) -> float:
        return self.inputs.setdefault(name, somewhere(name))

    def noise(self, law: Law) -> float:
        if not self.noises or (law.kind in WHOLE_VALUED) != isinstance(self.noises[0], int):
            self.refuse("other draws")
        return self.noises.pop(0)

    def number(self, value: Number) -> float:
        return float(value)

    def choose(self, weights: Sequence[Weight]) -> int:
        if not self.drawn:
            self.refuse("more draws")
        return self.drawn.pop(0)

    def refuse(self, what: str) -> NoReturn:
        self.refused = self.refused or what
        raise Refused(what)

    def hold(self, words: str) -> None:
        pass

    def left(self) -> str | None:
        """Return in words what ended the run, or what it left undrawn."""
        return self.refused or ("fewer draws" if self.noises or self.drawn else None)


def _middle(narrowed: Narrowed) -> float:
    """Return a float between two numbers; those that depend on epsilon are taken where it is 1."""
    both = (narrowed.low + narrowed.high) * Exact.of(HALF)
    return float((both.at(Fraction(1)) if both.is_open() else both).enclosed().mid())


class InFloats:
    """The paths of a program with their outcomes as runs on floats see them."""

    def __init__(self, program: Program, relay: Relay) -> None:
        self.program, self.relay = program, relay
        self.told = Told()
        self.types: dict[Any, tuple[str, Any]] = {}  # by place in outcomes, as released on paths and inputs until now

    def seen(self, inputs: Sequence[Any], walked: Sequence[Sequence[Walked]]) -> list[list[Path]]:
        """Return the paths on each input.

        Raises: Unauditable where an outcome is another one, as the program tells ideal numbers from floats; where it
                meets other errors; or where a caller sees a released number in two types, or two numbers as one float.
        """
        found = [
            [replace(path, outcome=self._outcome(value, path, met)) for path, met in row]
            for value, row in zip(inputs, walked, strict=True)
        ]
        self.told.need_apart(path.outcome for row in walked for path, _ in row)
        return found

    def _outcome(self, value: Any, path: Path, met: Met) -> Any:
        where = f"(on {shown(value)})"
        point = integer_point(path) if path.integers else point_in(path)
        if point is None:
            return path.outcome  # the path is empty
        source, again = Point(path, point), Met(met.looked)
        try:
            outcome = followed(self.program, value, self.relay, source, again)
        except Refused:
            outcome = None
        if (other := differing(met, again)) is not None:
            raise (Differs if ANOTHER_WAY in other else Unauditable)(f"{other} {where}")
        if (left := source.left()) is not None:
            raise Unauditable(f"on floats in the same place, it meets {left} {where}")
        if isinstance(outcome, Raised) and outcome.args[:1] == (UNTOLD,):
            raise Unauditable(outcome.args[1])
        if not agree(path.outcome, outcome, dict(enumerate(source.values)) | source.inputs):
            words = f"on ideal noise it returns {show(path.outcome)}, and {show(outcome)} on floats in the same place"
            raise Differs(f"{words} {where}")
        for place, kind in types_seen(path.outcome, outcome):
            if self.types.setdefault(place, kind) != kind:
                words = f"a caller sees a released number as {self.types[place][0]} on one path, and as {kind[0]} on"
                raise Unauditable(f"{words} another {where}; make it the same")
        return as_seen(path.outcome, outcome, self.told)
