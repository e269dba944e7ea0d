"""A law's assumptions on the machine, in words: functions, their error, and the versions of what computes them."""

import platform
import sys
from collections.abc import Iterable

from dpcert.reading.floats.accuracy import ASSUMED_ULPS
from dpcert.reading.floats.held import DREW, TAKEN, sentence

ASSUMED = "assumed of this machine: "
"""The beginning of a note that is an assumption; the name of a function follows."""


def machine(names: Iterable[str] = ("numpy.",)) -> str:
    """Return the versions of all that computes these functions here: the system, its libm, Python, and numpy."""
    libc = " ".join(part for part in platform.libc_ver() if part) or "its libm"
    words = f"{platform.system()} on {platform.machine()}, {libc}, Python {platform.python_version()}"
    numpy = sys.modules.get("numpy") if any(name.startswith("numpy.") for name in names) else None
    return words if numpy is None else f"{words}, numpy {numpy.__version__}"


def assumption(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the assumptions in the notes of an enumeration: on functions, and on generators that modules hold."""
    notes = tuple(notes)
    held = tuple(sentence(note.removeprefix(TAKEN)) for note in sorted(notes) if note.startswith(TAKEN))
    held = (DREW, *held) if DREW in notes else held
    names = sorted(note.removeprefix(ASSUMED) for note in notes if note.startswith(ASSUMED))
    if not names:
        return held
    functions = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    how = f"{'lies' if len(names) == 1 else 'lie'} within {ASSUMED_ULPS} units in the last place of the true value"
    return (f"on this machine ({machine(names)}), {functions} {how}; dpcert/reading/floats is trusted", *held)


def without_assumptions(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the notes that are no assumptions, and name no source."""
    return tuple(note for note in notes if not note.startswith((ASSUMED, TAKEN)) and note != DREW)


def sources_in(notes: Iterable[str]) -> tuple[str, ...]:
    """Return ("floats",) where a law rests on this layer, by its notes."""
    floats = any(note == DREW or note.startswith((ASSUMED, TAKEN)) for note in notes)
    return ("floats",) if floats else ()
