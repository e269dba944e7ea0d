"""What an auditor is asked and what it answers: the one interface of the scoreboard.

An auditor is a callable `(Problem) -> Answer`. It is told a claim and a program, never the truth. It may read the
program, run it as often as it likes through `Problem.sample`, or both.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.outcome import Raised

PRIVATE, NOT_PRIVATE, UNDECIDED = "private", "not private", "undecided"
ANSWERS = (PRIVATE, NOT_PRIVATE, UNDECIDED)
COINS, MACHINE, IDEAL = "coins", "machine", "ideal"
RUNS, RUNS_OF_ARRAYS = 10_000, 200_000
"""How many runs an auditor that samples may make: one at a time, and where a problem makes many at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One of ANSWERS, and why."""

    verdict: str
    reason: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in ANSWERS:
            raise ValueError(f"{self.verdict!r} is none of {', '.join(ANSWERS)}")


@dataclass(frozen=True, slots=True)
class Problem:
    """A claim about a program: `claim` has its inputs, its neighbours, epsilon and delta.

    `noise` is COINS, where the program is `(input, coins) -> outcome` and draws integers; the claim is then about the
    program as it runs. It is MACHINE where the program is `(input, rng) -> outcome`, draws from a numpy Generator, and
    the claim is about the program as it runs; IDEAL where it is about real numbers, and floats only stand for them.
    `floats`, if any, is the same program with its parameters as floats, for runs. `many`, if any, makes many runs at
    once: `(input, n, rng) -> array` with one outcome a row. Within `meant()` the program
    has the exact parameters that the claim is about. `reference` says where the program is, and `parameters` at which
    values.
    """

    id: str
    group: str
    claim: Claim
    noise: str
    program: Callable[[Any, Any], Any]
    reference: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    floats: Callable[[Any, Any], Any] | None = None
    many: Callable[[Any, int, Any], Any] | None = None
    meant: Callable[[], AbstractContextManager[None]] = nullcontext

    @property
    def epsilon(self) -> Any:
        """The claimed epsilon, exact."""
        return self.claim.guarantee.epsilon

    @property
    def delta(self) -> Fraction:
        """The claimed delta."""
        return self.claim.guarantee.delta

    @property
    def budget(self) -> int:
        """How many runs an auditor that samples may make in all."""
        return RUNS if self.many is None else RUNS_OF_ARRAYS

    def runs(self, position: int, seed: int) -> Iterator[Any]:
        """Yield independent outcomes on the input at a position, without end; the same for the same seed.

        An exception is an outcome, as it is for an adversary.
        """
        value = self.claim.inputs[position]
        if self.noise != COINS:
            rng, program = np.random.default_rng([seed, position]), self.floats or self.program
            while True:
                yield caught(program, value, rng)
        source = random.Random(f"{seed} {position}")
        drawn: list[int] = []

        def draw(bound: int) -> int:
            drawn.append(bound)
            return source.randrange(bound)

        coins, observed = Coins(Plain(draw)), self.claim.observes == "outcome and draws"
        while True:
            drawn.clear()
            outcome = caught(self.program, value, coins)
            yield (outcome, tuple(drawn)) if observed else outcome

    def sample(self, position: int, count: int, seed: int) -> Any:
        """Return so many independent outcomes on the input at a position: a list, or an array with one a row."""
        if self.many is not None:
            return self.many(self.claim.inputs[position], count, np.random.default_rng([seed, position]))
        outcomes = self.runs(position, seed)
        return [next(outcomes) for _ in range(count)]


Auditor = Callable[[Problem], Answer]


def caught(program: Callable[[Any, Any], Any], value: Any, source: Any) -> Any:
    """Return what a program returns, or the exception that escapes it as an outcome."""
    try:
        return program(value, source)
    except Exception as error:
        return Raised(type(error).__name__, tuple(map(str, error.args)))
