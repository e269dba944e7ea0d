"""The exact law of a program: run on undecided draws, on every path, and replayed on plain numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact import chain
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.explore import Leaf, Limits, Settings, Watch, explore
from dpcert.mechanisms.exact.floats import unit
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.lazy import LazyInt, Node
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.exact.run import Run

Program = Callable[[Any, Coins], Any]


class LazyRun(Run):
    """A run whose draws are decided only as far as the program asks."""

    def below(self, bound: int) -> Any:
        node = Node(self, 0, bound - 1)
        self.drawn(bound, node)
        return LazyInt(node)

    def uniform_float(self) -> Any:
        node = Node(self, 0, (1 << 53) - 1)
        self.drawn(1 << 53, node)
        return unit(node)

    fold, loop = chain.fold, chain.loop


class EagerRun(Run):
    """A run whose draws are decided at once: the plain enumeration of every value of every draw."""

    def below(self, bound: int) -> int:
        if bound > self.settings.limits.max_runs:
            self.give_up(f"a draw below {bound.bit_length()} bits is too large to enumerate value by value")
        value = self.split((len(self.sizes), bound), (1,) * bound, bound) if bound > 1 else 0
        self.denominator *= bound
        self.drawn(bound, value)
        return value

    def uniform_float(self) -> float:
        self.give_up("random() has 2^53 values, too many to enumerate one by one")

    fold, loop = Plain.fold, Plain.loop


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A law found by enumeration, the number of paths behind it, and what was left out, in words."""

    law: Law
    leaves: int
    notes: tuple[str, ...]


def exact_law(
    program: Program,
    value: Any,
    *,
    limits: Limits | None = None,
    eager: bool = False,
    draws: bool = False,
    reverse: bool = False,
    replay: bool = True,
    watch: Watch | None = None,
) -> Enumeration:
    """Return the exact law of `program(value, coins)`, with the mass of unfinished paths as its tail.

    `eager` enumerates every value of every draw; `draws` returns the joint law of (outcome, bounds drawn), which is
    what an adversary who counts coins sees; `reverse` takes branches in the other order; `watch` is entered around
    runs and replays.

    Claims:   the program's law on fair coins, if it is a function of its input and coins, which the replays of every
              path test; `dpcert.mechanisms.enumerator` watches it besides.
    Raises:   Unauditable when the program cannot be followed or is caught not to be such a function.
    """
    run = EagerRun if eager else LazyRun
    settings = Settings(run, limits or Limits(), reverse=reverse, draws=draws, replay=replay, watch=watch or Watch())
    leaves = explore(lambda coins: program(fresh(value), coins), settings)
    return Enumeration(_law(leaves, draws), len(leaves), tuple(settings.notes))


def _law(leaves: list[Leaf], draws: bool) -> Law:
    weights, denominator = on_one_denominator(leaves)
    outcomes = ((leaf.outcome, leaf.sizes) if draws else leaf.outcome for leaf in leaves)
    return Law.from_weights(zip(outcomes, weights, strict=True), denominator)
