"""Input domains: the inputs that a mechanism takes, as a predicate with words; it refuses all others before it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.outcome import show

MOST_SHOWN = 100
"""How many characters of an input an error shows."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of inputs: its words, the fault of a value outside it, and the remedy.

    `fault(value)` is None for exactly the values of the domain; types count: True and 1.0 are no integers.
    """

    words: str
    fault: Callable[[object], str | None]
    remedy: str

    def __contains__(self, value: object) -> bool:
        """Whether a value is in the domain."""
        return self.fault(value) is None

    def require(self, value: object, name: str = "input") -> None:
        """Return if a value is in the domain.

        Raises: InputError that names the value, its fault, and the values that are needed.
        """
        fault = self.fault(value)
        if fault is not None:
            raise InputError(given=f"{name} {_shown(value)}, {fault}", needed=self.words, remedy=self.remedy)


def bits() -> Domain:
    """Return the domain of one bit, 0 or 1."""
    remedy = "write one of the two, as an integer"
    return Domain("a bit, 0 or 1", lambda value: _outside(value, 0, 1), remedy)


def counts(most: int | None, *, least: int = 0, noun: str = "count", raising: str = "n") -> Domain:
    """Return the domain of the counts from `least` to `most`, or of all from `least` on where that is None.

    `raising` names the parameter that allows greater ones.
    """
    if most is None:
        return Domain(f"a {noun} >= {least}", lambda value: _outside(value, least, None), "write such an integer")
    words = f"a {noun} from {least} to {most}"
    return Domain(words, lambda value: _outside(value, least, most), f"write such an integer, or raise {raising}")


def label_lists(n: int, universe: int) -> Domain:
    """Return the domain of the lists of n labels from 0 to universe - 1; one label may occur more than once."""
    return label_lists_up_to(n, universe, least=n)


def label_lists_up_to(most: int | None, universe: int, *, least: int = 0, words: str = "") -> Domain:
    """Return the domain of the lists of `least` to `most` labels from 0 to universe - 1, of `least` or more for None.

    `words` say more of the labels.
    """
    remedy = "write a list such as [" + ", ".join("0" for _ in range(min(max(least, 1), 3)))
    remedy += ", ...]" if least > 3 else "]"

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is of type {type(value).__name__}, not list"
        if len(value) < least or (most is not None and len(value) > most):
            return f"which has length {len(value)}"
        for place, label in enumerate(value):
            wrong = _outside(label, 0, universe - 1)
            if wrong is not None:
                return f"in which label {_shown(label)} at place {place}{wrong.removeprefix('which')}"
        return None

    return Domain(f"a list of {_many(least, most)} {_labels(universe)}{words}", fault, remedy)


def _many(least: int, most: int | None) -> str:
    if most is None:
        return "any number of" if least == 0 else f"{least} or more"
    return str(most) if least == most else f"{least} to {most}"


def _labels(universe: int) -> str:
    return f"labels from 0 to {universe - 1}" if universe > 1 else "labels, all 0"


def _outside(value: object, least: int, most: int | None) -> str | None:
    """Return the reason why a value is no integer in [least, most], None where it is one."""
    # The exact type counts: a program may treat True and 1.0 otherwise than 1.
    if type(value) is not int:
        return f"which is of type {type(value).__name__}, not int"
    if value < least:
        return f"which is below {least}"
    if most is not None and value > most:
        return f"which is above {most}"
    return None


def _shown(value: object) -> str:
    """Return a value as one short line; its type where it is no outcome."""
    try:
        text = show(value)
    except Unauditable:
        return f"of type {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
