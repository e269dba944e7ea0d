"""The types of what stands for floats: no program may look at them, as it would see what no float shows."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np

from dpcert.mechanisms.binding import Swap
from dpcert.mechanisms.handled import SHIPPED

LOOKED = "a look at the type of a noisy number"
PASSING = frozenset({"abc", "functools", "typing"})
"""Modules that look at types for those that call them."""
OURS = sys.stdlib_module_names | {"numpy", "dpcert", "scipy"}
FLOATS, INTS = (0.0, np.float64(0)), (0, np.int64(0))


class Refusing(Protocol):
    """A run that a look at a type ends."""

    def refuse(self, what: str) -> NoReturn:
        """End the run for good."""
        ...


def asks(frame: FrameType | None) -> bool:
    """Whether it is the program that looks, or a library of its own, where a frame asks for a type."""
    while frame is not None and frame.f_globals.get("__name__") in PASSING:
        frame = frame.f_back
    name = "" if frame is None else str(frame.f_globals.get("__name__"))
    return name.startswith(SHIPPED) or name.partition(".")[0] not in OURS


def asking() -> bool:
    """Whether it is the program that looks at what the caller of this was asked for."""
    return asks(sys._getframe(2))


class Untold:
    """A noisy number, of which a caller of the library would see a float or an int, of Python or numpy."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def run(self) -> Refusing:
            """The run that the number belongs to."""

    else:

        @property
        def __class__(self) -> type:
            if asking():
                self.run.refuse(LOOKED)
            return type(self)

    def asked_type(self) -> NoReturn:
        """End the run, as the program asks for the number's type."""
        self.run.refuse(LOOKED)

    def as_released(self) -> Any:
        """Return the number as it is released, or end the run."""
        self.run.refuse("such a noisy number, released")

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return (*FLOATS, *INTS)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and not hasattr(float, name):
            raise AttributeError(name)
        self.run.refuse(f"{name} of a noisy number")


def told_isinstance(value: Any, kinds: Any) -> bool:
    """Return `isinstance` of what a caller sees."""
    if not issubclass(type(value), Untold):
        return isinstance(value, kinds)
    answers = {isinstance(each, kinds) for each in value.may_be()}
    return answers.pop() if len(answers) == 1 else value.asked_type()


def types_told(spaces: Iterable[dict[str, Any]], kind: type) -> Iterator[Swap]:
    """Yield the swaps of the names in these modules that mean `isinstance`, or `type`, which then means `kind`."""
    means: dict[str, Callable[..., Any]] = {"isinstance": told_isinstance, "type": kind}
    for space in spaces:
        for name, meaning in means.items():
            plain = getattr(builtins, name)
            names = {key for key, value in space.items() if value is plain}
            for key in names if name in space else {name, *names}:
                yield Swap(space, key, meaning)
