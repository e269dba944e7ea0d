"""Paths of steps that are shared: a step of `fold`, `loop` or `summarize` is explored once for equal arguments.

Its contract says that a step depends on its arguments alone. So wherever the same function, with the same content of
its closure, meets an equal state and item, its paths are the same, at another place of a run and on another input. No
verdict rests on that: the second computation of all laws shares nothing, and must find the same laws.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from types import FunctionType
from typing import Any

from dpcert.mechanisms.exact.chain import State
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Leaf
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import Run
from dpcert.reading.paths.held import identity

Paths = list[tuple[Leaf, Fraction]]


class _Same:
    """An object as itself, which is kept."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return type(other) is _Same and self.held is other.held

    def __hash__(self) -> int:
        return identity(self.held)


class Shared:
    """The paths of the steps explored until now, each by what tells the step; `used` says whether some were shared.

    Shared are those that take all probability, that raise nothing and that leave no note.
    """

    def __init__(self) -> None:
        self.known: dict[Hashable, Paths] = {}
        self.used = False

    def __call__(self, find: Callable[..., Paths], run: Run, step: Any, before: State, *item: Any) -> Paths:
        """Return what is known of a step from a state, or else what `find` finds."""
        try:
            name = _told((step, before.value, *item), {})
        except Unauditable:
            return find(run, step, before, *item)
        if name in self.known:
            self.used = True
            return self.known[name]
        found = find(run, step, before, *item)
        whole = not run.settings.notes and not any(leaf.error for leaf, _ in found)
        if whole and sum(mass for _, mass in found) == 1:
            self.known[name] = found
        return found


def _told(value: Any, met: dict[int, int]) -> Hashable:
    """Return what tells a step or an argument: functions by their code and what they hold, outcomes by their keys.

    All else is told by identity; coins are those that the step is given. `met` are the functions around.

    Raises: Unauditable for an undecided draw, or a variable that has no value yet.
    """
    kind = type(value)
    if kind is Coins:
        return Coins
    if issubclass(kind, Lazy):
        raise Unauditable("a step that holds an undecided draw has paths of its own")
    if kind is FunctionType:
        if identity(value) in met:
            return met[identity(value)]
        met = {**met, identity(value): len(met)}
        try:
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
        except ValueError:
            raise Unauditable("a step that holds a variable without a value has paths of its own") from None
        held = (cells, value.__defaults__, value.__kwdefaults__)
        return _Same(value.__code__), _told(held, met)
    if kind is tuple or kind is list:
        return kind, tuple([_told(part, met) for part in value])
    if kind is dict:
        return kind, tuple([(key(name), _told(part, met)) for name, part in value.items()])
    try:
        return key(value)
    except Unauditable:
        return _Same(value)
