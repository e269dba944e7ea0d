"""The choice between paths and the machine's states to read a law."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import gcd, prod
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import EagerRun, Enumeration, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.iterated import items_of
from dpcert.reading.errors import TOO_MANY
from dpcert.reading.paths.handled import Errors
from dpcert.reading.paths.held import Held
from dpcert.reading.paths.left import Left
from dpcert.reading.paths.outside import Hidden
from dpcert.reading.paths.routed import routed_of
from dpcert.reading.paths.slow import NOT_MERGED, PLAINLY, SLOW
from dpcert.reading.tails.far import Ends

FEW = 300
MOST_STATES = 100_000
FOR_EACH_RUN = 20
"""States, for each run of the whole program that the limits allow."""
REPLAYS, MANY_REPLAYS, FEW_REPLAYS = 20, 200, 5
"""Ways of a law that CPython repeats; and once so many of a program were repeated, of each further law."""
GIVEN_UP = "undecided bits was needed as a plain"
FLOAT = f"{GIVEN_UP} float"
MERGED = "equal states were merged"
LEFT = "a run leaves something behind, taken not to change the runs after it: "
UNSEEN = "objects that runs share are taken to stay as they are: "
"""The beginnings of notes that are assumptions; names of objects follow."""
BY_STATES_ALONE = (
    "a program that draws from generators is read by states alone; leave out --eager and --observe draws, "
    "or write it as a function of its input and coins"
)


MACHINE = "dpcert.reading.replay"


class Unloaded(Signal):
    """The machine is needed, which is not loaded."""


@contextmanager
def loading_machine() -> Iterator[None]:
    """Load the machine where the body needs it, and it is not loaded; the body is then to begin anew.

    It cannot be loaded under the watches of a program: numpy comes with it, and makes a generator of random bits.
    """
    try:
        yield
    except Unloaded:
        import_module("dpcert.reading.replay")


@dataclass(slots=True)
class Kept:
    """What readings of one program leave for those on other inputs: how many paths were enough, its errors, what is
    `known` of its states (`known.py`), and how many ways were replayed.
    """

    errors: Errors = field(default_factory=Errors)
    held: Held = field(default_factory=Held)
    left: Left = field(default_factory=Left)
    paths: int = 0
    known: Any = None
    replayed: int = 0

    def forget(self) -> None:
        """Let the next reading begin with few paths, and find out all about states."""
        self.paths, self.known, self.replayed = 0, None, 0

    def replays(self) -> int:
        """How many ways of the next law are replayed."""
        return REPLAYS if self.replayed < MANY_REPLAYS else FEW_REPLAYS


@dataclass(frozen=True, slots=True)
class Chosen(Enumeration):
    """An enumeration, and where its tail could be summed, or its outcome is an array of independent elements, the exact
    law: `Elements` of `reading/numpy/independent.py`, which is not imported here, as numpy would be with it.
    """

    ends: Ends | None = None
    elements: Any = None


Program = Callable[[Any, Coins], Any]
ByElements = Callable[[Program, Any, Settings], Chosen]


def law_by_states_or_paths(
    program: Program,
    value: Any,
    settings: Settings,
    kept: Kept | None = None,
    *,
    sums: bool = False,
    elements: ByElements | None = None,
) -> Enumeration:
    """Return the law of a program by `exact_law`, or where that leaves a tail, by the states of the machine.

    A program with generators (`paths/routed.py`) is read by states alone.
    Of others few paths are tried first, or twice as many as those of the last input that left no tail. Where these
    leave a tail, few paths count, so that the tail is a function of the input alone. States are chosen where they leave
    no tail, or a smaller one than the paths and these more than `max_tail`; then `MERGED` is among the notes, and else,
    under a tail above `max_tail`, why states were not merged. Value by value (`EagerRun`), and where draws are
    observed, there are paths alone. The law is in lowest terms, so that it does not matter by which it was found.

    `kept` is what readings of the program on other inputs left. With `sums`, states are chosen where their tail can be
    summed, and the result has the exact law beside. `elements`, if any, finds the law of an array of independent
    elements; where it does so, the result has it beside, and few paths alone were tried.

    Raises: Unauditable as `exact_law`.
    """
    choice = Choice(program, value, settings, kept or Kept(), sums, elements)
    return choice.taken(None if choice.few is None else exact_law(program, value, choice.few, items_of))


@dataclass(slots=True)
class Choice:
    """The choice for one law, by the parameters of `law_by_states_or_paths`: the caller first tries `few` paths.

    `few` has the settings of these paths. It is None for a program that is read by states first.
    """

    program: Program
    value: Any
    settings: Settings
    kept: Kept
    sums: bool
    elements: ByElements | None
    few: Settings | None = field(init=False)
    reason: str | None = field(init=False, default=None)  # why states were not merged

    def __post_init__(self) -> None:
        SLOW.tell("", "")
        if routed_of(self.program) is not None:
            self.few = None
        elif self.settings.run is EagerRun or self.settings.draws:
            self.few = self.settings
        else:
            self.few = self.at_most(min(self.settings.limits.max_runs, max(FEW, 2 * self.kept.paths)))

    def taken(self, found: Enumeration | None) -> Enumeration:
        """The law that is taken, where this one was found by few paths."""
        if found is None:
            if self.settings.run is EagerRun or self.settings.draws:
                raise Unauditable(BY_STATES_ALONE)
            found = self.whole() or self.refused()
        elif self.few is self.settings or self.few is None:
            return found
        else:
            found = self.of_few(found, self.few.limits.max_runs)
        return replace(found, law=_lowest(found.law))

    def of_few(self, found: Enumeration, runs: int) -> Enumeration:
        """The law that is taken, after so many paths were tried first."""
        limits = self.settings.limits
        if runs > FEW and found.law.tail_weight:  # what is left open must not depend on the inputs before
            runs = FEW
            found = self.paths(runs)
        if self.elements is not None and _arrays(found.law):
            alone = self.elements(self.program, self.value, self.settings)
            if alone.elements is not None:
                return replace(alone, law=found.law, notes=alone.notes if found.law.tail_weight else found.notes)
        if runs < limits.max_runs and any(GIVEN_UP in note for note in found.notes):  # of more than FEW values
            runs = limits.max_runs
            found = self.paths(runs)
        # an integer was needed that has more values than the limits allow: its states would be as many
        beyond = any(GIVEN_UP in note and FLOAT not in note for note in found.notes)
        if not found.law.tail_weight or beyond:
            return found
        merged = self.states()
        return self.of_paths(found, runs) if merged is None or not self.better(merged, found) else merged

    def whole(self) -> Chosen | None:
        """The law of a program with generators, without paths: by elements, or by states; None where it is refused."""
        alone = None if self.elements is None else self.elements(self.program, self.value, self.settings)
        if alone is None or alone.elements is None:
            return self.states()
        few = prod(map(len, alone.elements.law.parts)) <= FEW
        merged = self.states() if few else None
        return alone if merged is None else replace(alone, law=merged.law, notes=merged.notes)

    def refused(self) -> Enumeration:
        """No law, all of it tail, with notes on the numbers that few paths needed, or an error where they needed none.

        Paths of a program with generators are no law. They draw from generators whose classes inherit from the real
        ones, and a table by class that the program made before has the real ones. But paths show hidden randomness, and
        the lines that are to change.

        Raises: Unauditable for what is hidden, else for the machine's reason.
        """
        reason = str(self.reason)
        try:
            found = self.paths(FEW)
        except Hidden:
            raise
        except Unauditable:
            raise Unauditable(reason) from None
        if not any(GIVEN_UP in note for note in found.notes):
            raise Unauditable(reason if "; " in reason else f"{reason}; {PLAINLY}")
        return replace(found, law=Law.from_weights([], 1), notes=(*found.notes, f"{NOT_MERGED}{reason}"))

    def paths(self, runs: int) -> Enumeration:
        """The law by at most so many paths."""
        return exact_law(self.program, self.value, self.at_most(runs), items_of)

    def at_most(self, runs: int) -> Settings:
        """The settings, for at most so many paths."""
        return replace(self.settings, limits=replace(self.settings.limits, max_runs=runs))

    def states(self) -> Chosen | None:
        """The law by the states of the machine, once replays agree; None where the machine refuses the program."""
        if MACHINE not in sys.modules:
            raise Unloaded
        from dpcert.reading.explore import Limits, read_law
        from dpcert.reading.known import Known
        from dpcert.reading.replay import replay

        known = self.kept.known = self.kept.known or Known()
        try:
            given = self.settings.limits
            limits = Limits(min(MOST_STATES, FOR_EACH_RUN * given.max_runs), given.max_tail)
            how: dict[str, Any] = {"sums": self.sums, "reverse": self.settings.reverse, "known": known}
            read = read_law(self.program, self.value, limits, **how)
            if self.settings.replay or read.left:
                count = self.kept.replays()
                self.kept.replayed += replay(self.program, self.value, count, watch=self.settings.watch)
        except Unauditable as refusal:
            self.reason = str(refusal)
            if not self.reason.startswith(TOO_MANY):  # of which the variable is told already
                SLOW.tell(f"{NOT_MERGED}{self.reason}", "" if "; " in self.reason else PLAINLY)
            return None
        SLOW.tell("", "")
        left = [f"{LEFT}{', '.join(read.left)}"] if read.left else []
        return Chosen(read.law, read.states, (*read.notes, *left, MERGED), read.ends)

    def better(self, merged: Chosen, found: Enumeration) -> bool:
        """Whether the law by states is taken, and not that by paths."""
        most, tail = self.settings.limits.max_tail, merged.law.tail
        if merged.ends is not None or not tail:
            return True
        return found.law.tail > most and (tail <= most or tail < found.law.tail)

    def of_paths(self, found: Enumeration, runs: int) -> Enumeration:
        """The law by all paths that the limits allow, where few leave a tail."""
        limits = self.settings.limits
        if found.law.tail > limits.max_tail and runs < limits.max_runs:
            found = self.paths(limits.max_runs)
            if not found.law.tail_weight:
                self.kept.paths = found.leaves
        if found.law.tail > limits.max_tail and self.reason is not None:
            return replace(found, notes=(*found.notes, f"{NOT_MERGED}{self.reason}"))
        return found


def _arrays(law: Law) -> bool:
    """Whether all outcomes are arrays of numpy's."""
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and all(type(outcome) is numpy.ndarray for _, outcome, _ in law.weights())


def _lowest(law: Law) -> Law:
    """Return a law over the least denominator."""
    rows = [(outcome, weight) for _, outcome, weight in law.weights()]
    common = gcd(law.denominator, *(weight for _, weight in rows))
    if common == 1:
        return law
    return Law.from_weights([(outcome, weight // common) for outcome, weight in rows], law.denominator // common)
