"""Runs that end in exceptions: they are outcomes, and are named beside the verdict.

A program that fails on most runs of an input was hardly run as its author meant it. The audit then ends, and concludes
nothing.
"""

import difflib
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from dpcert.audit.certificates import NEVER
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable, one_line
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import class_name, fresh, show
from dpcert.mechanisms.iterated import items_of

ENOUGH = 32
"""After this many runs on an input, and whenever they have doubled, the audit checks whether most of them failed."""
SHORT = 200
"""The number of characters of an exception's text that are shown."""
OWN = "dpcert"
MEND = "mend it; or, where it is meant as an outcome, catch it and return what is to be seen of it"
TAKE_COINS = "name the parameter coins, to be handed coins with the methods of random.Random"
GENERATOR = {
    **dict.fromkeys(("randint", "random_integers", "randrange", "getrandbits"), "integers"),
    **dict.fromkeys(("rand", "random_sample"), "random"),
    **dict.fromkeys(("gauss", "normalvariate"), "normal"),
    **dict.fromkeys(("sample", "choices"), "choice"),
    "randn": "standard_normal",
    "lognormvariate": "lognormal",
    "expovariate": "exponential",
    "gammavariate": "gamma",
    "betavariate": "beta",
    "randbytes": "bytes",
}
"""The methods of numpy's Generator that replace those of RandomState and random.Random."""


@dataclass(slots=True)
class _Seen:
    """The number of runs on an input that ended in an exception of one type, and the first of these exceptions."""

    count: int
    shown: str
    words: str


@dataclass(slots=True)
class Failures:
    """The runs on each input, and the runs that ended in exceptions. `handed` names the program's other arguments."""

    inputs: Sequence[Any]
    handed: str = ""
    runs: dict[int, int] = field(default_factory=dict)
    seen: dict[int, dict[str, _Seen]] = field(default_factory=dict)

    def run(self, position: int, function: Callable[..., Any], *more: Any) -> Any:
        """Return the outcome of a function on a fresh copy of an input, and `more`, and note its exception.

        Raises: Unauditable as `kept`, and where the function returns or raises anything but an outcome.
        """
        try:
            outcome, error = call(lambda value: items_of(function(value, *more)), fresh(self.inputs[position]))
        except Unauditable as refusal:
            raise self.named(position, refusal) from None
        return self.kept(position, outcome, error)

    def named(self, position: int, refusal: Unauditable) -> Unauditable:
        """Return the exception of `call` in a run, with the exception of the program that caused it, if any."""
        error = refusal.__cause__
        if not isinstance(error, Exception):
            return refusal
        return Unauditable(f"{refusal}: a run on {show(self.inputs[position])} ends in {self._words(error)}")

    def kept(self, position: int, outcome: Any, error: Exception | None) -> Any:
        """Return a fresh copy of the result of a run on an input, as `call` gave it.

        Raises: Unauditable for no outcome, and where most runs on the input have ended in one exception.
        """
        outcome = fresh(outcome)
        runs = self.runs[position] = self.runs.get(position, 0) + 1
        if error is not None:
            found, name = self.seen.setdefault(position, {}), class_name(type(error))
            if name not in found:
                found[name] = _Seen(0, f"{show(outcome)} ({_place(error)})", self._words(error))
            found[name].count += 1
        if runs >= ENOUGH and runs & (runs - 1) == 0:
            self._ask(position)
        return outcome

    def _ask(self, position: int) -> None:
        runs = self.runs[position]
        for found in self.seen.get(position, {}).values():
            if 2 * found.count > runs:
                where = show(self.inputs[position])
                raise Unauditable(f"{found.count} of the first {runs} runs on {where} end in {found.words}")

    def _words(self, error: Exception) -> str:
        """Return an exception in words: its text, its line, the arguments, and the remedy."""
        text = one_line(f"{class_name(type(error))}: {_text(error)}".removesuffix(": "))
        text = text if len(text) <= SHORT else f"{text[: SHORT - 3]}..."
        parts = [f"{text} ({_place(error)})", self.handed, _remedy(error)]
        return "; ".join(part for part in parts if part)

    def reason(self) -> str | None:
        """Return why a program that raises on each input is undecided, by an exception in a run; None where no run
        ended in one."""
        seen = [(show(self.inputs[place]), each) for place, found in self.seen.items() for each in found.values()]
        return f"{NEVER}: on {seen[0][0]} it ends in {seen[0][1].words}" if seen else None

    def notes(self) -> list[str]:
        """Return lines that say on which inputs the program raised which exceptions, and in how many runs."""
        return [
            f"on {show(self.inputs[position])} it {found.shown} in {found.count} of {self.runs[position]} runs"
            for position in sorted(self.seen)
            for found in self.seen[position].values()
        ]


def _text(error: Exception) -> str:
    try:
        return str(error)
    except Exception as fault:
        return f"its text cannot be read ({type(fault).__name__})"


def _place(error: Exception) -> str:
    """Return the last file and line of the program that an exception passed through."""
    frames = list(_frames(error.__traceback__))
    theirs = [frame for frame in frames if frame[0].partition(".")[0] != OWN] or frames
    if not theirs:
        return "no line is known"
    file = theirs[0][1]
    line = [line for _, name, line in theirs if name == file][-1]
    return f"{Path(file).name}, line {line}"


def _frames(trace: TracebackType | None) -> Any:
    """Yield the module, file and line of each call that an exception passed through."""
    while trace is not None:
        frame = trace.tb_frame
        yield str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _remedy(error: Exception) -> str:
    """Return the remedy for an exception; where something lacks a method, the one to use instead."""
    if isinstance(error, ImportError):
        return "install what it imports, or mend the import"
    if not isinstance(error, AttributeError):
        return MEND
    lacking, name = error.obj, error.name or ""
    numpy = sys.modules.get("numpy.random")
    if numpy is not None and isinstance(lacking, numpy.Generator):
        ways = [f"write rng.{GENERATOR[name]}"] if name in GENERATOR else []
        ways += [TAKE_COINS] if hasattr(Coins, name) else []
        if ways:
            return f"it has no .{name}; {', or '.join(ways)}"
    names = vars(lacking) if isinstance(lacking, ModuleType) else dir(type(lacking))
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    if near:
        return f"it has no .{name}: did you mean .{near[0]}?"
    of_python = isinstance(lacking, random.Random)
    return "annotate the parameter, rng: numpy.random.Generator, to be handed one" if of_python else MEND
