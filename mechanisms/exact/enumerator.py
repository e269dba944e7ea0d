"""The exact law of a program: run on undecided draws, on every path, and replayed on plain numbers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dpcert.mechanisms.exact import chain
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import KEPT, Settings, bounds_of, explore, settle
from dpcert.mechanisms.exact.floats import UNIT, LazyFloat
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.run import Run, Signal

Program = Callable[[Any, Coins], Any]


class LazyRun(Run):
    """A run whose draws are decided only as far as the program asks."""

    def below(self, bound: int) -> Any:
        return LazyInt(self.drawn(bound, Node(self, 0, bound - 1)))

    def uniform_float(self) -> Any:
        return LazyFloat(self.drawn(1 << 53, Node(self, 0, (1 << 53) - 1)), UNIT)

    fold, loop = chain.fold, chain.loop


class EagerRun(Run):
    """A run whose draws are decided at once: the plain enumeration of every value of every draw."""

    def below(self, bound: int) -> Any:
        if bound > self.settings.limits.max_runs:
            self.give_up(f"a draw below {bound.bit_length()} bits is too large to enumerate value by value")
        value = self.split((len(self.tape), bound), (1,) * bound, bound) if bound > 1 else 0
        self.denominator *= bound
        return self.drawn(bound, value)

    def uniform_float(self) -> float:
        self.give_up("random() has 2^53 values, too many to enumerate one by one")

    fold, loop = Plain.fold, Plain.loop


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A law found by enumeration, the number of paths behind it, and notes on the parts left out."""

    law: Law
    leaves: int
    notes: tuple[str, ...]


def exact_law(
    program: Program, value: Any, settings: Settings | None = None, read: Callable[[Any], Any] = lambda outcome: outcome
) -> Enumeration:
    """Return the exact law of `program(value, coins)`, with the mass of unfinished paths as its tail.

    The settings are taken afresh, without notes; by default they are `Settings(LazyRun)`. The outcome is what `read`
    makes, within the run, of what the program returns.

    Claims:   the program's law on fair coins, if it is a function of its input and coins, which the replays of every
              path test; `dpcert.reading.paths.enumerator` watches it besides.
    Raises:   Unauditable when the program cannot be followed or is caught not to be such a function.
    """
    settings = replace(settings or Settings(LazyRun))
    try:
        leaves = explore(program, (value,), settings, lambda outcome: settle(read(outcome)))
    except Signal:  # the program kept the signal that ended an earlier run, and raised it
        raise Unauditable(KEPT) from None
    weights, denominator = on_one_denominator(leaves)
    outcomes = [(leaf.outcome, bounds_of(leaf.record)) if settings.draws else leaf.outcome for leaf in leaves]
    law = Law.from_weights(zip(outcomes, weights, strict=True), denominator)
    return Enumeration(law, len(leaves), tuple(settings.notes))
